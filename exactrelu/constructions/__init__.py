"""Exact parameters and examples made on demand, each with the certificates of what is claimed about it."""
