"""What the breakpoints of f alone say about the layers of its realizations; never sees a parameter.

The room has the name of a verb, so the module itself can be called: ``exactrelu.dependency(network, domain)``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A module that answers its verb when it is called."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from exactrelu.dependency.report import dependency_of_network

        return dependency_of_network(*arguments, **options)


sys.modules[__name__].__class__ = _Room
