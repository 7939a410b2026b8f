"""Finding and loading libsluice.so, at the first call that needs it, and once more in a forked child.

Invariants: importing the package loads nothing (engines import plugins before they fork); and nothing here ever calls
into a copy of the library that was inherited through fork(), because Go's runtime does not survive it and such a call
may hang. A child gets a private copy of the file instead, which to the loader is another library.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, NoReturn

from . import _abi, _abi_cuda, _log
from ._errors import CLASSES, ForkedError, LibraryError, SluiceError

NAME = "libsluice.so"

# All functions of the header and its parts.
LONG = {**_abi.LONG, **_abi_cuda.LONG}
SHORT = {**_abi.SHORT, **_abi_cuda.SHORT}
FREE = {**_abi.FREE, **_abi_cuda.FREE}


class Library:
    """One loaded copy of libsluice.so and its functions. Immutable, shared, until a fork makes it an inherited one.

    The functions are attributes (see `_abi`) so that the hot calls find them with one look-up, and so that the child of
    a fork can put a refusal in their place.
    """

    inherited = False

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., int]:
            """A function of the library, by its name in `_abi`; __init__ binds them all."""
            ...

    def __init__(self, path: str):
        self.path = path
        _log.read_environment()
        try:
            long, short = ctypes.CDLL(path), ctypes.PyDLL(path)
            abi = short.sluice_abi_version()
        except (OSError, AttributeError) as e:
            raise LibraryError(f"{path}: cannot be loaded: {e}") from e
        if abi != _abi.ABI_VERSION:
            raise LibraryError(f"{path}: ABI {abi}, this package needs {_abi.ABI_VERSION}; install matching versions")
        short.sluice_version.restype = ctypes.c_char_p
        self.version = (short.sluice_version() or b"").decode()
        self.address = ctypes.cast(short.sluice_abi_version, ctypes.c_void_p).value
        for name, (symbol, argtypes) in LONG.items():
            self._bind(long, name, symbol, argtypes)
            setattr(self, name, _log.timed(symbol, getattr(self, name)))
        for name, (symbol, argtypes) in SHORT.items():
            self._bind(short, name, symbol, argtypes)
        for name, symbol in _abi.BARE.items():
            self._bind(short, name, symbol, None)
        for name, symbol in _abi.BARE_LONG.items():
            self._bind(long, name, symbol, None)
            setattr(self, name, _log.timed(symbol, getattr(self, name)))
        for name, symbol in FREE.items():
            self._bind(short, name, symbol, [ctypes.c_uint64])

    def _bind(self, source: ctypes.CDLL, name: str, symbol: str, argtypes: list[Any] | None) -> None:
        function = source[symbol]  # a new object every time, unlike getattr(): its settings are ours alone
        function.restype = ctypes.c_int32
        if argtypes is not None:
            function.argtypes = argtypes
        setattr(self, name, function)

    def abandon(self) -> None:
        """In the child of a fork: every call raises from now on, and giving handles back does nothing."""
        self.inherited = True
        for name in (*LONG, *SHORT, *_abi.BARE, *_abi.BARE_LONG):
            setattr(self, name, _refuse)
        for name in FREE:
            setattr(self, name, _ignore)


def _refuse(*_: object) -> NoReturn:
    raise ForkedError(
        "made before fork() and not usable in the child: make matchers anew there (a Grammar of the parent compiles "
        "itself again when it is asked for one)",
        code=12,
        source="fork",
    )


def _ignore(*_: object) -> int:
    return 0


class _State:
    """The one mutable thing of the package: which copy of the library this process uses."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.remaking = threading.RLock()  # vocabulary, compiler and grammar make one another again, so it nests
        self.library: Library | None = None
        self.dead: list[Library] = []
        self.begun = False  # somebody has begun to load it
        self.copies = False  # a parent had begun: a library that it has loaded, even half, exists here and is unusable


_state = _State()


class _Local(threading.local):
    """The state of one thread."""

    def __init__(self) -> None:
        self.error = _abi.Error()


_local = _Local()


def library() -> Library:
    """Returns the process's library; loads it if this is the first use, or the first one in a forked child."""
    return _state.library or _load()


def loaded() -> bool:
    """Returns whether this process has loaded the library. Does not load it."""
    return _state.library is not None


def version() -> str:
    """Returns the version of libsluice.so. Loads the library."""
    return library().version


def remaking() -> threading.RLock:
    """Returns the lock under which an object of the parent process is made again in a forked child, once."""
    return _state.remaking


def _load() -> Library:
    with _state.lock:
        if _state.library is None:
            path = find()
            _state.begun = True
            _state.library = _private_copy(path) if _state.copies else Library(str(path))
        return _state.library


def _after_fork() -> None:
    # Another thread of the parent may have held the lock when it forked; here there is only this thread.
    _state.lock = threading.Lock()
    _state.remaking = threading.RLock()
    _state.copies = _state.begun
    if _state.library is not None:
        _state.library.abandon()
        _state.dead.append(_state.library)
        _state.library = None


os.register_at_fork(after_in_child=_after_fork)


def find() -> Path:
    """Returns the path of libsluice.so: SLUICE_LIBRARY, else beside this file (wheel), else in the checkout's
    build/."""
    here = Path(__file__).resolve()
    wanted = os.environ.get("SLUICE_LIBRARY")
    candidates = [Path(wanted)] if wanted else [here.with_name(NAME)]
    if not wanted and here.match("bindings/python/sluice/*.py"):
        candidates.append(here.parents[3] / "build" / NAME)
    for path in candidates:
        if path.is_file():
            return path
    tried = ", ".join(map(str, candidates))
    hint = "correct SLUICE_LIBRARY" if wanted else "run `make lib` in the checkout, or set SLUICE_LIBRARY to the file"
    raise LibraryError(f"{NAME} not found (looked at {tried}): {hint}")


def _private_copy(path: Path) -> Library:
    """Loads the file under another inode, because loading the same one again returns the dead instance."""
    content = path.read_bytes()
    held = []
    try:
        for _ in range(8):
            # The loader also knows libraries by name: if the parent's private copy had this very /proc/self/fd/N, the
            # loader returns the dead one. Then the loop tries the next number and keeps this one open.
            name, keep = _anonymous_file(content)
            held.append(keep)
            copy = Library(name)
            if all(copy.address != old.address for old in _state.dead):
                held.remove(keep)  # stays open, so that its number is not used again
                return copy
        raise LibraryError(f"{path}: the loader keeps returning the copy that the parent process used")
    finally:
        for keep in held:
            with contextlib.suppress(OSError):
                os.close(keep)


def _anonymous_file(content: bytes) -> tuple[str, int]:
    """Returns the name of a new file with that content, and a descriptor that keeps it."""
    if hasattr(os, "memfd_create"):
        try:
            fd = os.memfd_create("libsluice", os.MFD_CLOEXEC)
        except OSError:
            fd = -1  # refused by a sandbox: an ordinary file will do
        if fd >= 0:
            _write(fd, content)
            return f"/proc/self/fd/{fd}", fd
    fd, name = tempfile.mkstemp(prefix="libsluice-", suffix=".so")
    _write(fd, content)
    # The mapping outlives the name; the file is removed when the process ends.
    atexit.register(_remove, name, os.getpid())
    return name, fd


def _write(fd: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]


def _remove(name: str, pid: int) -> None:
    if os.getpid() == pid:
        with contextlib.suppress(OSError):
            os.unlink(name)


def patience() -> int:
    """Returns the longest duration of a call of this thread: one slice in the main thread, because Python runs the
    handlers of signals there between two calls; unlimited in other threads."""
    return _abi.SLICE if threading.get_ident() == threading.main_thread().ident else _abi.FOREVER


def at_length(function: Any, *arguments: Any) -> int:
    """Repeats an unfinished or failed call without the GIL, in slices between which handlers of signals run. A slice
    that ends early changes nothing, so an exception leaves the call's object as it was."""
    error, slice, status = scratch(), patience(), _abi.UNFINISHED
    while status == _abi.UNFINISHED:
        status = function(*arguments, slice, ctypes.byref(error))
    if status and status != _abi.REJECTED:
        raise failure(status, error)
    return status


def no_pickle(thing: object, instead: str) -> NoReturn:
    """Raises the error of pickling an object of this package: it holds a number without a meaning in another
    process."""
    raise TypeError(
        f"a sluice.{type(thing).__name__} cannot be pickled or sent to another process: it lives in the library of "
        f"this one. {instead}"
    )


def scratch() -> _abi.Error:
    """Returns this thread's error struct: 2 KiB that every call would otherwise make anew."""
    return _local.error


def written(name: str, *arguments: Any, lib: Library | None = None) -> bytes:
    """Returns the text that a function of the library writes: its last four parameters are buffer, capacity, length and
    error."""
    error, length = scratch(), ctypes.c_size_t()
    lib = lib or library()
    text = ctypes.create_string_buffer(1 << 16)
    while True:
        check(getattr(lib, name)(*arguments, text, len(text), ctypes.byref(length), ctypes.byref(error)), error)
        if length.value <= len(text):
            return text.raw[: length.value]
        text = ctypes.create_string_buffer(length.value)


def _text(raw: bytes, length: int) -> str:
    return raw[: min(length, len(raw) - 1)].decode("utf-8", "replace")


def member(struct: ctypes.Structure, name: str) -> str:
    """Returns a text member; it may hold NUL bytes, so its length is read from NAME_length."""
    field = getattr(type(struct), name)
    raw = ctypes.string_at(ctypes.addressof(struct) + field.offset, field.size)
    return _text(raw, getattr(struct, f"{name}_length"))


def failure(status: int, error: _abi.Error | None = None) -> SluiceError:
    """Returns the exception for a status that is not OK."""
    cls = CLASSES.get(status, SluiceError)
    if error is None or error.code != status:
        return cls(f"sluice: {cls.name}", code=status)
    in_text = not error.has_pointer and error.line > 0
    message = member(error, "message")
    _log.failed(cls.name, message)
    whole = len(message.encode()) == error.message_length
    return cls(
        message,
        advice=message.encode()[-error.advice_length :].decode() if whole and error.advice_length else "",
        code=status,
        source=member(error, "source"),
        pointer=member(error, "pointer") if error.has_pointer else None,
        line=error.line if in_text else None,
        column=error.column if in_text else None,
        offset=error.offset if in_text else None,
        keyword=member(error, "keyword"),
        fragment=member(error, "fragment"),
    )


def check(status: int, error: _abi.Error) -> None:
    """Raises the error of `status`, unless it is OK."""
    if status:
        raise failure(status, error)
