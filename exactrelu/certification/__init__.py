"""The verdict on one parameter: how strongly it is identifiable, or a second parameter with the same function."""
