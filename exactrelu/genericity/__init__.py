"""Conditions on a canonical complex, a file each; every answer is a verdict with its witness."""
