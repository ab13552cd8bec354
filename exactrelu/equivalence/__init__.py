"""One function or two: exact equality of networks as functions on a domain."""
