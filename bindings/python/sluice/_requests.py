"""Requests to inference servers: their constraint, tools and a choice among them, families of models."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _abi, _library, _specs
from ._abi import Kind
from ._specs import Options
from ._vocabulary import Vocabulary

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Constraint(NamedTuple):
    """Holds the constraint of a request. `Compiler.compile(kind, spec, **options)` compiles it."""

    kind: Kind
    spec: str
    options: dict[str, Any]


class ToolChoice(NamedTuple):
    """Holds the tools that an output may call.

    `mode` is "auto", "required" (at least one call), "named" (exactly one call, of the only tool) or "none".
    """

    tools: list[Any]
    mode: Literal["auto", "required", "named", "none"]
    parallel: bool


def read_request(
    request: str | bytes | Mapping[str, Any], *, vocabulary: Vocabulary | None = None, **options: Unpack[Options]
) -> Constraint | None:
    """Returns the constraint of a request without compiling it, None if it has none.

    Args:
        request: the whole request, as its text or as a mapping.
        vocabulary: the model's vocabulary. Without it, the marks of a family are text, even if the model has special
            tokens for them.
        **options: as for `Compiler.compile_request`.

    Raises:
        ConstraintError: the request has two constraints, or one that cannot be enforced.
        ArgumentError: the option or family is unknown, or the vocabulary lacks a token that the family needs.
    """
    body, encoded = _specs.text("request", request), _specs.encode(options) or b""
    handle = vocabulary._live() if vocabulary is not None else 0
    found = json.loads(_library.written("request_read", body, len(body), encoded, len(encoded), handle))
    if found["kind"] is None:
        return None
    return Constraint(found["kind"], found["spec"], found["options"])


def concat(*parts: tuple[Kind, Any] | Constraint) -> Constraint:
    """Returns the constraint of outputs that satisfy the parts one after another.

    Args:
        *parts: kind and spec of each, as `Compiler.compile` takes them, or a Constraint without options such as the
            result of this function. Any kind but "request".

    Raises:
        ConstraintError: a part cannot be combined. Errors within a part appear when the whole is compiled.
        ValueError: a part has options. Pass options when you compile the whole.
    """
    return _combined(_abi.CONCAT, parts)


def union(*parts: tuple[Kind, Any] | Constraint) -> Constraint:
    """Returns the constraint of outputs that satisfy at least one of the parts. See `concat` for the parts."""
    return _combined(_abi.UNION, parts)


def _combined(how: int, parts: Sequence[tuple[Any, ...]]) -> Constraint:
    if any(options and options != _TOGETHER for _, _, *more in parts for options in more):
        raise ValueError("a part has options; they count for all parts, so give them where the whole is compiled")
    n = len(parts)
    kinds = (ctypes.c_uint32 * n)(*(_specs.number(part[0]) for part in parts))
    texts = [_specs.text(part[0], part[1]) for part in parts]
    specs, lengths = (ctypes.c_char_p * n)(*texts), (ctypes.c_size_t * n)(*map(len, texts))
    spec = _library.written("combine", how, n, kinds, specs, lengths).decode()
    return Constraint("structural_tag", spec, dict(_TOGETHER))


# A part that names a special token allows it there, as it does alone.
_TOGETHER = {"special_tokens": "tokens"}


def normalize_tool_choice(
    tools: Sequence[Any] | None, tool_choice: Any = None, *, parallel_tool_calls: bool | None = None
) -> ToolChoice:
    """Returns the tools that an output may call, and the mode of the choice.

    Reads tools and choices in the shapes of OpenAI's two interfaces, of Anthropic and of MCP.

    Raises:
        ConstraintError: a tool or the choice is malformed, or the choice names a tool that is not in `tools`.
    """
    offered = list(tools or [])
    request = {"tools": offered, "tool_choice": tool_choice, "parallel_tool_calls": parallel_tool_calls}
    body = _specs.text("request", request)
    found = json.loads(_library.written("request_tools", body, len(body)))
    return ToolChoice([offered[i] for i in found["tools"]], found["tool_choice"], found["parallel"])


def family_of(model: str) -> str:
    """Returns the name of a model's family, for the option `family`: "qwen3" for "Qwen/Qwen3-8B".

    Args:
        model: the model's name, as a hub, a server or a file has it. Its owner or folder does not count.

    Raises:
        ArgumentError: no family is known for the model; the message names families with similar models.
    """
    if not isinstance(model, str):
        raise TypeError(f"a model's name is a str, not {type(model).__name__}")
    name = model.encode("utf-8", "replace")
    return _library.written("family_of", name, len(name)).decode()


def families() -> list[dict[str, Any]]:
    """Returns the families of models in the library by name, each as the object of its file: docs/families.md."""
    found: list[dict[str, Any]] = json.loads(_library.written("families"))
    return found
