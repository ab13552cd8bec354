"""Fibers of networks of any depth: near a parameter by polynomial equations, and as finitely many scaling orbits where f is decided."""
