"""Failures as exceptions: one class per status code of include/sluice.h, all of them picklable.

The text of an error names the place, the rule and the remedy. Its parts are attributes for programs that point at the
place. This module knows nothing of the library; `_library` makes errors from C structs.
"""

from __future__ import annotations

from typing import Any


class SluiceError(Exception):
    """Reports a failure of Sluice. The subclass names its kind; `code` is the number in include/sluice.h.

    Attributes:
        message: the whole text, place and way out included.
        advice: the end of the message if it is for the program that compiles ("; or set the option lenient …"), else
            "". Servers leave it out of their messages to clients.
        code: the status code; `name` is its stable lower-case name.
        source: the input ("json_schema", "regex", "vocabulary", …) or the call.
        pointer: JSON pointer to the fault ("" is the whole document), None if the place is not in JSON.
        line, column, offset: the place in text (from 1, from 1 in code points, from 0 in bytes), None if there is none.
        keyword: the keyword or construct at fault, "" if none.
        fragment: the offending text, shortened.
        statuses: of a call for many matchers (`Batch`, `fill_batch`): the status of each, in their order; else None.
    """

    code: int = 0
    name: str = "unknown"

    def __init__(
        self,
        message: str,
        *,
        code: int | None = None,
        source: str = "",
        pointer: str | None = None,
        line: int | None = None,
        column: int | None = None,
        offset: int | None = None,
        keyword: str = "",
        fragment: str = "",
        advice: str = "",
        statuses: tuple[int, ...] | None = None,
    ):
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        self.source = source
        self.pointer = pointer
        self.line = line
        self.column = column
        self.offset = offset
        self.keyword = keyword
        self.fragment = fragment
        self.advice = advice
        self.statuses = statuses

    def __reduce__(self) -> tuple[Any, ...]:
        # Exception.__reduce__ would lose the keyword arguments; engines send these across process borders.
        return _restore, (type(self), self.message, dict(self.__dict__))


def _restore(cls: type[SluiceError], message: str, state: dict[str, Any]) -> SluiceError:
    error = cls(message)
    error.__dict__.update(state)
    return error


class LibraryError(SluiceError, ImportError):
    """libsluice.so cannot be found or loaded, or speaks another ABI than this package."""

    name: str = "library"  # pyright: ignore[reportIncompatibleVariableOverride]


class ArgumentError(SluiceError, ValueError):
    """A parameter or an option has a wrong value."""

    code: int = 1
    name: str = "argument"


class HandleError(SluiceError):
    """The object of a handle has been freed."""

    code: int = 2
    name: str = "handle"


class BusyError(SluiceError):
    """Another thread is using the matcher. Use a matcher on one thread at a time."""

    code: int = 3
    name: str = "busy"


class ConstraintError(SluiceError, ValueError):
    """The constraint or vocabulary file cannot be used; the subclass says why."""


class SyntaxError_(ConstraintError):
    """The text of the constraint is malformed."""

    code: int = 4
    name: str = "syntax"


class InvalidError(ConstraintError):
    """The text is well-formed, but not a valid constraint."""

    code: int = 5
    name: str = "invalid"


class UnsupportedError(ConstraintError):
    """The library cannot enforce this valid constraint exactly. For JSON Schema, `lenient=True` widens it instead."""

    code: int = 6
    name: str = "unsupported"


class UnsatisfiableError(ConstraintError):
    """No output can satisfy the constraint."""

    code: int = 7
    name: str = "unsatisfiable"


class LimitError(SluiceError):
    """The call exceeds a budget. Budgets count steps, not time, so the same call fails on every machine."""

    code: int = 8
    name: str = "limit"


class FileError(SluiceError, OSError):
    """A file could not be read."""

    code: int = 9
    name: str = "io"


class InternalError(SluiceError, RuntimeError):
    """The library has a bug. The object stays valid; please report the stack on stderr with the constraint."""

    code: int = 10
    name: str = "internal"


class RejectedError(SluiceError):
    """The constraint does not allow tokens or bytes that the call must accept."""

    code: int = 11
    name: str = "rejected"


class ForkedError(SluiceError, RuntimeError):
    """The object was made before fork() and cannot be used in the child."""

    code: int = 12
    name: str = "forked"


class UnavailableError(SluiceError, RuntimeError):
    """The machine lacks a driver, a device or an instruction set that the call needs."""

    code: int = 13
    name: str = "unavailable"


class DeviceError(SluiceError, RuntimeError):
    """The driver of a device refused the call or failed; the message has the driver's name for the error."""

    code: int = 14
    name: str = "device"


class UnfinishedError(SluiceError):
    """The work exceeds the time that the call may wait, or the budget of a check."""

    code: int = 15
    name: str = "unfinished"


class CancelledError(SluiceError):
    """The job was cancelled before it ended. Futures raise concurrent.futures.CancelledError instead."""

    code: int = 16
    name: str = "cancelled"


CLASSES: dict[int, type[SluiceError]] = {
    c.code: c
    for c in (
        ArgumentError,
        HandleError,
        BusyError,
        SyntaxError_,
        InvalidError,
        UnsupportedError,
        UnsatisfiableError,
        LimitError,
        FileError,
        InternalError,
        RejectedError,
        ForkedError,
        UnavailableError,
        DeviceError,
        UnfinishedError,
        CancelledError,
    )
}
