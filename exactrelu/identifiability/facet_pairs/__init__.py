"""Lower bounds of the functional dimension from pairs of points on both sides of a facet.

Floats only propose points here; every pair that is returned was checked with integers, and every rank is
taken modulo a fixed prime, so it is a lower bound of the rank over Q.
"""
