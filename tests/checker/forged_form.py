"""Forgeries of the form: bytes, fields, numbers, networks, points."""

import copy
from collections.abc import Iterator
from typing import Any

from tests.checker import producers as P
from tests.checker.forgery import BASE, NOTHING, Forgery, malformed, rejected


def bytes_forgeries() -> Iterator[Forgery]:
    text = P.dumps(BASE["values"])
    canonical = "bytes are not canonical (sorted keys, no spaces, ASCII, a final newline)"

    def raw(name: str, message: str, forged: str | bytes, **more: Any) -> Forgery:
        data = forged if isinstance(forged, bytes) else forged.encode()
        return Forgery(name, "malformed", message, data, **more)

    yield raw("bytes_empty", "not JSON", b"")
    yield raw("bytes_unclosed", "not JSON", "{")
    yield raw("bytes_brackets", "not JSON", "[" * 20_000)
    yield raw("bytes_nested_990", "not JSON", "[" * 990 + "]" * 990)
    yield raw("bytes_not_ascii", "not JSON", text.replace("tests", "t\u00e9sts"))
    yield raw("bytes_escaped_letter", canonical, text.replace("tests", "t\\u0065sts"))
    yield raw("bytes_no_newline", canonical, text[:-1])
    yield raw("bytes_two_newlines", canonical, text + "\n")
    yield raw("bytes_space", canonical, text.replace(",", ", ", 1))
    yield raw("bytes_minus_zero", canonical, text.replace('"version":1', '"version":-0'))
    yield raw("bytes_key_order", canonical, '{"b":1,"a":1}\n')
    yield raw("bytes_long_integer", "JSON integer too long", "9" * 5_000 + "\n")
    yield raw("bytes_float", "JSON number '1.0' is not exact", text.replace(":1}", ":1.0}"))
    yield raw("bytes_exponent", "JSON number '1e0' is not exact", text.replace(":1}", ":1e0}"))
    yield raw("bytes_nan", "JSON number 'NaN' is not exact", text.replace(":1}", ":NaN}"))
    yield raw("bytes_key_twice", "duplicate key", text.replace('"format"', '"claim":{},"format"'))
    yield raw("bytes_too_long", "document too long", text, limits={"bytes": 100})
    yield raw("document_list", "a certificate has the fields claim evidence producer", "[]\n")
    yield raw("document_string", "a certificate has the fields claim evidence producer", '"x"\n')
    nested: Any = []
    for _ in range(30):
        nested = [nested]
    yield malformed("document_nested", "nested too deeply", "values", {("producer", "x"): nested})
    deep = {("claim", "network", "format"): nested}
    yield malformed("document_nested_stamp", "nested too deeply", "values", deep)
    old, true = {("version",): 2}, {("version",): True}
    yield malformed("document_version_2", "not a certificate of version 1", "values", old)
    yield malformed("document_version_true", "not a certificate of version 1", "values", true)
    other = {("format",): "exactrelu/network"}
    yield malformed("document_format", "not a certificate of version 1", "values", other)
    yield malformed(
        "document_no_format", "missing field 'format'", "values", {("format",): NOTHING}
    )
    extra = {("extra",): 1}
    fields = "a certificate has the fields claim evidence producer"
    yield malformed("document_extra_field", fields, "values", extra)
    claim_list = {("claim",): []}
    yield malformed("document_claim_list", "field 'claim' should be dict", "values", claim_list)
    kind = {("claim", "kind"): "valuez"}
    yield malformed("document_unknown_kind", "unknown kind of claim 'valuez'", "values", kind)
    odd = {("claim", "kind"): "\ud800"}
    yield malformed("document_odd_kind", "unknown kind of claim '\\ud800'", "values", odd)
    more = {("claim", "network_b"): None}
    yield malformed("claim_extra_field", "a claim 'values' has the fields", "values", more)
    evidence = {("evidence", "tree"): ""}
    yield malformed(
        "evidence_extra_field", "evidence for 'values' has the fields", "values", evidence
    )
    yield rejected("work", "too much work", "complex_plane", {}, limits={"work": 10})
    claim = copy.deepcopy(BASE["values"]["claim"])
    claim["value"] = ["0"]
    yield rejected("claim_other", "the certificate proves another claim", "values", {}, claim=claim)


def number_forgeries() -> Iterator[Forgery]:
    first = ("claim", "network", "weights", 0, 0, 0)
    for name, value in {
        "integer": 1,
        "float": 1.5,
        "null": None,
        "list": ["1"],
        "long": "1" * 4_001,
    }.items():
        if name == "float":
            continue
        message = "a rational is a string of bounded length"
        yield malformed(f"rational_{name}", message, "values", {first: value})
    for name, value in {
        "not_lowest": "2/2",
        "denominator_1": "1/1",
        "minus_zero": "-0",
        "plus": "+1",
        "leading_zero": "01",
        "decimal": "0.5",
        "zero_denominator": "1/0",
        "zero_over": "0/5",
        "negative_denominator": "1/-2",
        "space": " 1",
        "newline": "1\n",
        "arabic": "\u0661",
    }.items():
        message = "not a rational in lowest terms"
        yield malformed(f"rational_{name}", message, "values", {first: value})
    net, widths = ("claim", "network"), ("claim", "network", "architecture")
    fields = "a network has the fields architecture biases weights"
    yield malformed("network_extra", fields, "values", {(*net, "activation"): "relu"})
    yield malformed("network_null", fields, "values", {net: None})
    junk = {(*net, "format"): [1]}
    yield malformed("network_junk_format", "not a network of version 1", "values", junk)
    junk = {(*net, "version"): True}
    yield malformed("network_junk_version", "not a network of version 1", "values", junk)
    message = "not an architecture, or too many inputs or outputs"
    yield malformed("network_no_widths", message, "values", {widths: []})
    yield malformed("network_zero_width", message, "values", {widths: [2, 0, 2, 1]})
    yield malformed("network_12000_inputs", message, "values", {widths: [12_000, 2, 2, 1]})
    big = {widths: [2, 20_000, 20_000, 1]}
    yield malformed("network_20000_neurons", "too many neurons", "values", big)
    text = {widths: "2,2,2,1"}
    yield malformed("network_text", "field 'architecture' should be list", "values", text)
    true = {widths: [True, 2, 2, 1]}
    yield malformed("network_true", "expected an integer in [0, ", "values", true)
    short = {("claim", "network", "weights", 0, 0): ["1"]}
    yield malformed("network_short_row", "expected a list of length 2", "values", short)
    layers = {(*net, "weights"): BASE["values"]["claim"]["network"]["weights"][:2]}
    yield malformed("network_short", "expected a list of length 3", "values", layers)
    long = {("claim", "network", "weights", k, 0, 0): "1" * 3_000 for k in range(3)}
    yield malformed(
        "network_long_numbers",
        "numbers too long for this depth",
        "values",
        long,
        limits={"network_digits": 8_000},
    )
    thirds = {first: "1/97", ("claim", "network", "weights", 0, 0, 1): "1/89"}
    yield rejected(
        "network_denominators",
        "denominators too long",
        "values",
        thirds,
        limits={"denominator_bits": 10},
    )
    domain = ("claim", "domain")
    fields = "a domain has the fields inequalities"
    yield malformed("domain_extra", fields, "cells_two_layers", {(*domain, "equalities"): []})
    yield malformed("domain_false", fields, "cells_two_layers", {domain: False})
    version = {(*domain, "version"): 2}
    yield malformed("domain_version", "not a domain of version 1", "cells_two_layers", version)
    narrow = {(*domain, "inequalities"): [["1", "0"]]}
    message = "an inequality on this domain has 3 numbers"
    yield malformed("domain_narrow", message, "cells_two_layers", narrow)
    spot = ("evidence", "bending", 0, 0)
    one = "a point is one string of integers"
    for name, value in {
        "list": ["1", "0", "1"],
        "rational": "1 1/2 0",
        "minus_zero": "1 -0 1",
        "two_spaces": "1  0 1",
        "true": True,
        "arabic": "1 \u0661 0",
        "newline": "1 0 1\n",
    }.items():
        yield malformed(f"point_{name}", one, "face_concurrent", {spot: value})
    message = "expected a point with 2 coordinates of bounded length"
    yield malformed("point_short", message, "face_concurrent", {spot: "1 0"})
    yield malformed("point_long_number", message, "face_concurrent", {spot: "1 0 " + "1" * 4_001})
    message = "homogeneous coordinate of a point must be positive"
    yield rejected("point_at_infinity", message, "face_concurrent", {spot: "0 0 1"})
    facet = BASE["face_concurrent"]["evidence"]["bending"][0][0]
    yield rejected("point_negative", message, "face_concurrent", {spot: "-" + facet})
    false = {("claim", "neuron"): False}
    yield malformed("index_false", "expected an integer in [0, 3)", "hidden_facet", false)
