"""For tests, ours and our users': Hypothesis strategies, and nets that catch floats."""
