"""Quantities that gradient flow conserves: polynomial laws, the Lie hull that bounds their number, and their symmetries."""
