"""The homogenized subdivision: the whole face poset of the canonical complex by inserting neurons one at a time.

Numpy integers carry the poset; floats carry certified bounds and may only propose a sign that its bound proves,
otherwise exact integers decide.
"""
