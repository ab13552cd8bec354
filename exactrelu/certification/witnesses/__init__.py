"""Reasons why another parameter has the same function: each file proposes candidates, nothing here is trusted."""
