"""The checker of derivations in Lukasiewicz logic and its divisible and Riesz extensions.

Standard library only.  An accepted derivation rests on Python and on the files of this folder; whoever
found it is not trusted.
"""

from exactrelu.checker.derivation.meter import LIMITS
from exactrelu.checker.derivation.reading import Goal, check_derivation

__all__ = ["LIMITS", "Goal", "check_derivation"]
