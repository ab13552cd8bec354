"""Settings of all tests: Hypothesis profiles, chosen by HYPOTHESIS_PROFILE (dev by default, ci where CI is set)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SHARED = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", derandomize=True, max_examples=50, **_SHARED)  # type: ignore[arg-type]  # mypy sees one type for all values
settings.register_profile("dev", max_examples=20, **_SHARED)  # type: ignore[arg-type]
settings.register_profile("deep", max_examples=2_000, **_SHARED)  # type: ignore[arg-type]
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))
