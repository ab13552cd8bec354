"""From the function to its parameters: reconstruction, and complete searches for all parameters of an architecture."""
