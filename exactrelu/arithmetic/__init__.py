"""Exact numbers, vectors and matrices; knows no geometry."""
