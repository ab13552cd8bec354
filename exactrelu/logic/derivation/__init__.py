"""Derivations in Lukasiewicz logic: a complete procedure that proves or refutes an equation."""
