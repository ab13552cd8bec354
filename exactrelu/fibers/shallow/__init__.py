"""Networks with one hidden layer: canonical form, equality, symmetries, the complete fiber, minimal width, identifiability."""
