"""Answers computed without the engine: slow, small and by other methods."""
