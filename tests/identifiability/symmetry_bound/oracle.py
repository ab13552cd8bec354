"""The dense Jacobian and the random networks of the neighboring folder."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path


def _neighbor(name):
    spec = spec_from_file_location(f"facet_pairs_{name}", Path(__file__).parents[1] / "facet_pairs" / f"{name}.py")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


dense_jacobian = _neighbor("dense_jacobian")
small_networks = _neighbor("small_networks")
