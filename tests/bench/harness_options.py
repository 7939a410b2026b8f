"""The options of a benchmark job, as ../shared/peers/engine.py names them, in the words of include/sluice.h."""

from __future__ import annotations

from typing import Any

PASSED_ON = ("any_order", "lenient", "number_forms", "documents", "format")
DIALECTS = {
    "draft4": "draft-04",
    "draft6": "draft-06",
    "draft7": "draft-07",
    "draft2019-09": "2019-09",
    "draft2020-12": "2020-12",
}


def options_of(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the library's options; raises ValueError for one that it has no counterpart of."""
    unknown = options.keys() - {*PASSED_ON, "dialect"}
    if unknown:
        raise ValueError(f"options {sorted(unknown)}")
    out = {k: options[k] for k in PASSED_ON if k in options}
    if "dialect" in options:
        out["dialect"] = DIALECTS.get(options["dialect"], options["dialect"])
    return out
