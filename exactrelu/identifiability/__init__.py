"""Is this parameter identifiable: functional dimension, witnesses of non-identifiability, the verdict."""
