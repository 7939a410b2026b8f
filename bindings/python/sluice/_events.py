"""Events: values and calls while an output is written, and the calls of finished outputs."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _abi, _library, _specs
from ._abi import EventKind

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Event(NamedTuple):
    """A step of an output: a value, text or call begins, grows or ends.

    Attributes:
        kind: "object", "array", "string", "number", "boolean" or "null" for a value; "text" and "reasoning" for text
            outside of calls and values; "call" for a call, whose name is `text`; "input" for raw text as the input of a
            call; "rewind" if earlier events are void.
        begins: whether it is the first event of this value, text or call.
        ends: whether it is the last one: the value, text or call is complete.
        call: the number of the call that the event belongs to, from 0; None outside of calls.
        pointer: the place of a value in the document or the arguments, as a JSON pointer. A name that comes twice in an
            object begins its value again, and the last one counts.
        text: the addition to the value or text: characters of a string, decoded; digits of a number; "true", "false" or
            "null"; text.
        json: the addition to the JSON text of the document, or of the arguments of the call.
        kept: of "rewind": drop all but the first `kept` events of this matcher; rewinds do not count.
    """

    kind: EventKind
    begins: bool
    ends: bool
    call: int | None
    pointer: str
    text: str
    json: str
    kept: int


class ParsedCall(NamedTuple):
    """A call that was found in an output. `arguments` is JSON, or the raw text of a call with raw input (`raw`)."""

    name: str
    arguments: str
    raw: bool


class ParsedOutput(NamedTuple):
    """A finished output: the text for the user, the reasoning, and the calls."""

    text: str
    reasoning: str
    calls: list[ParsedCall]


_KINDS, _NO_CALL, _BEGINS, _ENDS = _abi.EVENT_KINDS, _abi.NO_CALL, _abi.EVENT_BEGINS, _abi.EVENT_ENDS


class _Room:
    """Memory for the events of a call. PERF: a matcher keeps its own; making it takes longer than a call."""

    __slots__ = ("bytes", "events", "found", "length", "n")

    def __init__(self, capacity: int = 8, size: int = 1024) -> None:
        self.n, self.length = ctypes.c_size_t(), ctypes.c_size_t()
        self.grow(capacity, size)

    def grow(self, capacity: int, size: int) -> None:
        self.events = ctypes.create_string_buffer(_abi.EVENT.size * capacity)
        self.bytes = ctypes.create_string_buffer(size)
        self.found = (self.events, capacity, ctypes.byref(self.n), self.bytes, size, ctypes.byref(self.length))

    def written(self, call: Any, *arguments: Any) -> list[Event]:
        """Returns the events that a function of the library writes."""
        error = _library.scratch()
        while True:
            status = call(*arguments, *self.found, ctypes.byref(error))
            if status:
                _library.check(status, error)
            n, length, capacity, size = self.n.value, self.length.value, self.found[1], self.found[4]
            if not n:
                return []
            if n <= capacity and length <= size:
                break
            self.grow(max(capacity, n), max(size, length))
        raw, out = ctypes.string_at(self.bytes, length), []
        for kind, flags, number, kept, pointer, m, text, k, json, j in _abi.EVENT.iter_unpack(
            ctypes.string_at(self.events, n * _abi.EVENT.size)
        ):
            out.append(
                Event(
                    _KINDS[kind],
                    flags & _BEGINS != 0,
                    flags & _ENDS != 0,
                    None if number == _NO_CALL else number,
                    raw[pointer : pointer + m].decode("utf-8", "replace"),
                    raw[text : text + k].decode("utf-8", "replace"),
                    raw[json : json + j].decode("utf-8", "replace"),
                    kept,
                )
            )
        return out


class Watched:
    """The part of `Matcher` that reports events."""

    __slots__ = ()

    _handle: int
    _library: _library.Library

    def events(self, *, final: bool = False) -> list[Event]:
        """Returns the events of the output since the last call.

        A JSON document has events of its values, an output of a request with tools has texts and calls; any other
        output is text. Reasoning of `matcher(reasoning=)` is left out, as in `output`. Each call reads the new tokens
        only, and a matcher pays nothing without calls.

        Text that may still begin a call, and incomplete characters, wait for their rest. If steps were taken back whose
        events were returned, the first event is a "rewind": drop all but the first `kept` events, and go on with the
        events after it. `reset` rewinds too; a fork continues behind the events of its parent.

        Args:
            final: the output has ended here, also without an end token: text that waits is returned as well.

        Raises:
            InvalidError: the output does not have the format of its constraint.
            LimitError: values are nested deeper than 512.
        """
        kept = self.__dict__
        room: _Room = kept.get("_room") or kept.setdefault("_room", _Room())
        return room.written(self._library.matcher_events, self._handle, _abi.EVENTS_FINAL if final else 0)


def parse_calls(
    text: str | Buffer,
    family: str | Mapping[str, Any],
    tools: Sequence[Any] | None = None,
    *,
    reasoning: Literal["off", "on", "auto"] = "off",
) -> ParsedOutput:
    """Takes a finished output apart, by the code of `Matcher.events`.

    Args:
        text: the output, with special tokens as the text that they spell.
        family: the family of the model, or the object of a family's file; see `family_of`.
        tools: the tools of the request, in any of their shapes. They tell names from other text, and texts from numbers
            in styles that write both alike. Without them calls may have any name.
        reasoning: whether the output has reasoning, as the option `reasoning`.

    Raises:
        InvalidError: the output is not in the format of the family, or ends within the arguments of a call.
        ConstraintError: a tool is malformed.
        ArgumentError: the family or reasoning is unknown.
    """
    raw = text.encode() if isinstance(text, str) else bytes(memoryview(text))
    body = _specs.text("request", {"tools": list(tools)} if tools else {})
    options = _specs.encode({"family": family, "reasoning": reasoning}) or b""
    call = _library.library().parse_calls
    answer, thought, calls = [], [], list[ParsedCall]()
    parts: list[str] = []
    room = _Room(8 + len(raw) // 16, 1024 + 2 * len(raw))  # a second call would read all again
    for e in room.written(call, raw, len(raw), body, len(body), options, len(options)):
        if e.kind == "text":
            answer.append(e.text)
        elif e.kind == "reasoning":
            thought.append(e.text)
        elif e.kind == "input":
            parts.append(e.text)
            calls[-1] = calls[-1]._replace(raw=True)
        elif e.kind != "call":
            parts.append(e.json)
        elif e.begins:
            calls.append(ParsedCall(e.text, "", False))
        else:
            calls[-1] = calls[-1]._replace(arguments="".join(parts))
            parts.clear()
    return ParsedOutput("".join(answer), "".join(thought), calls)
