"""What the breakpoints of f alone say about the layers of its realizations; never sees a parameter."""
