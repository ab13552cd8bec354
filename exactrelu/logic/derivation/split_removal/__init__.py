"""Removing case splits: every derivation becomes one by equational logic from the axioms."""

from exactrelu.logic.derivation.split_removal.removal import without_splits

__all__ = ["without_splits"]
