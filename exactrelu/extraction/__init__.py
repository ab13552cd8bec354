"""Recovering a network from exact queries to a black box."""
