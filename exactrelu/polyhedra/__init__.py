"""Exact polyhedra; knows no network."""
