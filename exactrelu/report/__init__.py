"""Pages and figures for people; floats may leave here, nothing comes back."""
