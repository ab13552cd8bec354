"""Entry point of Hypothesis: makes `from_type(Network)`, `from_type(Domain)` and `from_type(Architecture)` work.

Hypothesis imports this module in every project of the environment, whether or not the project knows exactrelu; so it
loads neither an engine nor a library, and the strategies themselves only when one is asked for.
"""

from __future__ import annotations

from typing import Any


def _register() -> None:
    from hypothesis.strategies import register_type_strategy

    from exactrelu.network.architecture import Architecture
    from exactrelu.network.network import Network
    from exactrelu.polyhedra.domain import Domain

    def architecture(_: type[Architecture]) -> Any:
        from exactrelu.testing.strategies import architectures

        return architectures()

    def network(_: type[Network]) -> Any:
        from exactrelu.testing.strategies import networks

        return networks()

    def domain(_: type[Domain]) -> Any:
        from exactrelu.testing.strategies import polytopes

        return polytopes(2)

    register_type_strategy(Architecture, architecture)
    register_type_strategy(Network, network)
    register_type_strategy(Domain, domain)
