"""The claim of an accepted certificate in words."""

import json
from hashlib import sha256

from exactrelu.checker.claims import KINDS
from exactrelu.checker.document import Json, canonical


def restate(claim: Json) -> str:
    """The claim for a person: what the kind means, then its fields, long ones by digest."""
    kind = claim["kind"]
    meaning = (KINDS[kind].check.__doc__ or "").split("\n\n")[0].strip()
    lines = [kind, " ".join(meaning.split())]
    for name, value in sorted(claim.items()):
        text = "all points" if value is None else json.dumps(value)
        if type(value) is dict:
            widths = value.get("architecture")
            text = (
                f"architecture {widths}" if widths else f"{len(value['inequalities'])} inequalities"
            )
        if type(value) is dict or len(text) > 200:
            text = f"{text[:100]}, sha256 {sha256(canonical(value).encode()).hexdigest()}"
        lines += [f"  {name}: {text}"] if name != "kind" else []
    lines.append("trusted: " + ("; ".join(KINDS[kind].theorems) or "no theorem"))
    return "\n".join(lines)
