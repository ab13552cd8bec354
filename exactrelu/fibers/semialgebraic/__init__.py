"""Semi-algebraic sets over Q: basic sets, finite unions, membership, dimension bounds, and texts for other programs."""
