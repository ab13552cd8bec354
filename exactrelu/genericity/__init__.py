"""Conditions on a canonical complex, a file each; every answer is a verdict with its witness.

The room has the name of a verb, so the module itself can be called: ``exactrelu.genericity(network, domain)``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A module that answers its verb when it is called."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from exactrelu.genericity.generic import genericity_of_network

        return genericity_of_network(*arguments, **options)


sys.modules[__name__].__class__ = _Room
