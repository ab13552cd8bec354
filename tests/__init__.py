"""Tests of exactrelu; a package, so that helpers import as tests.<room>.<name>."""
