"""Compiler: a constraint's text becomes a grammar for one vocabulary."""

from __future__ import annotations

import ctypes
import json
import os
import weakref
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _jobs, _library, _log, _specs, _stats
from ._abi import Kind
from ._grammar import Grammar, Note
from ._jobs import GrammarFuture
from ._specs import CompilerOptions, Options
from ._stats import CacheStats, CompilerStats
from ._vocabulary import Vocabulary

if TYPE_CHECKING:
    import enum

    from typing_extensions import Unpack


def capabilities() -> dict[str, Any]:
    """Returns all kinds, options and language constructs that the library knows, each with how well it supports them.

    The constructs are keywords and formats of JSON Schema, and constructs of regular expressions, EBNF, Lark and
    structural tags. Each has its `support` ("exact", "narrower", "wider", "ignored", "unsupported") and a sentence; see
    sluice_capabilities in include/sluice.h. Loads the library.
    """
    table: dict[str, Any] = json.loads(_library.written("capabilities"))
    return table


def check(
    kind: Kind, spec: Any, *, vocabulary: Vocabulary | None = None, budget: int = 0, **options: Unpack[Options]
) -> tuple[Note, ...]:
    """Checks a constraint without compiling it. Raises the error of `Compiler.compile`, or returns its notes.

    It takes a fraction of the time of a compilation. A constraint that passes may still fail to compile: its first mask
    may exceed the budget, and without `vocabulary` a token that it names may be missing.

    Args:
        kind, spec, options: as for `Compiler.compile`.
        vocabulary: has the special and added tokens that the constraint may name. Its other tokens do not count.
        budget: the most steps to take, in the unit of a compiler's `compile_budget`; 0: as many as a compilation. In an
            event loop that must not block for more than 40 ms, pass 1,000,000.

    Raises:
        ConstraintError, LimitError, TypeError, ArgumentError: as `Compiler.compile`.
        UnfinishedError: the check takes more steps than `budget`; compile the constraint instead.
    """
    text, encoded = _specs.text(kind, spec, options), _specs.encode(options) or b""
    what = _specs.number(kind), text, len(text), encoded, len(encoded)
    found = json.loads(_library.written("check", *what, 0 if vocabulary is None else vocabulary._live(), budget))
    return tuple(Note(**note) for note in found)


def to_ebnf(kind: Kind, spec: Any, **options: Unpack[Options]) -> str:
    """Returns a grammar of kind "ebnf", "lark" or "grammar" as EBNF with one spelling for everything.

    Compiled, the result accepts the same outputs, with the same captures and temperatures. It begins with the rule
    "root" and contains the grammars of the option `grammars`, so compile it without `start_rule` and `grammars`. Lark
    allows special tokens in place of their spelling; EBNF does so only with `special_tokens="text"`.

    Raises:
        UnsupportedError: EBNF cannot express a construct (`&` and `~` of Lark, `%json`); the error has its place.
        ConstraintError, LimitError, TypeError, ArgumentError: as `Compiler.compile`.
    """
    text, encoded = _specs.text(kind, spec, options), _specs.encode(options) or b""
    return _library.written("to_ebnf", _specs.number(kind), text, len(text), encoded, len(encoded)).decode()


class Compiler:
    """Compiles constraints for one vocabulary. Its grammars share token sets that it computed. Thread-safe."""

    __slots__ = ("__dict__", "__weakref__", "_handle", "_library", "_options", "vocabulary")

    def __init__(self, vocabulary: Vocabulary, **options: Unpack[CompilerOptions]) -> None:
        """Makes a compiler. Make one per vocabulary and keep it.

        Args:
            vocabulary: the model's vocabulary.
            **options: see `CompilerOptions`.

        Raises:
            ArgumentError: there is no such option, or its value is wrong.
        """
        self._begin(vocabulary, options, None)

    def _begin(self, vocabulary: Vocabulary, options: Any, file: bytes | None) -> None:
        if not isinstance(vocabulary, Vocabulary):
            raise TypeError(
                f"a Compiler takes a sluice.Vocabulary, not {type(vocabulary).__name__}: see Vocabulary.from_file and "
                "Vocabulary.from_huggingface"
            )
        self.vocabulary: Vocabulary = vocabulary
        self._options = _specs.encode(options)
        self._handle = 0
        self._open(file)
        _alive[vocabulary.hash, vocabulary.padded_size, self._options] = self

    @classmethod
    def load(
        cls,
        file: str | os.PathLike[str] | bytes,
        *,
        vocabulary: Vocabulary | None = None,
        **options: Unpack[CompilerOptions],
    ) -> Compiler:
        """Makes a compiler with the work in a file of `save`, in a few milliseconds. Its masks are the same.

        A thread then builds the trie of the tokens and the token sets of common JSON, which takes nearly the CPU time
        of `Compiler(vocabulary)`; the first compilation waits for it. The file's checksum finds damage, not intent:
        load only files that you trust.

        Args:
            file: a path, or the file's content.
            vocabulary: the file's own if None. Pass an equal one that you have read with `keep_tokenizer`, which the
                file does not hold.
            **options: see `CompilerOptions`. The file has none.

        Raises:
            OSError: the file cannot be read.
            SyntaxError_, InvalidError: it is no saved compiler, or damaged.
            UnsupportedError: another version of Sluice has saved it.
            ArgumentError: it was saved for another vocabulary, or an option is wrong.
        """
        if isinstance(file, (bytes, bytearray, memoryview)):
            content = bytes(file)
        else:
            with open(file, "rb") as opened:
                content = opened.read()
        self = cls.__new__(cls)
        self._begin(vocabulary or Vocabulary.from_data(content, "sluice"), options, content)
        return self

    def save(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """Returns the compiler as a file, and writes it to `path` if that is given.

        The file holds the vocabulary and the token sets that the compiler's grammars share at present, and no grammars:
        2 to 30 MB for 128,000 tokens. Save it after the constraints that you expect have been compiled and used: `load`
        in another process then finds their token sets. It is a message sluice.v1.Compiler of protobuf; see
        include/sluice/v1/compiler.proto.

        Raises:
            OSError: the file cannot be written.
        """
        handle = self._live()
        content = _library.written("compiler_save", handle, lib=self._library)
        if path is not None:
            with open(path, "wb") as opened:
                opened.write(content)
        return content

    def _open(self, file: bytes | None = None) -> None:
        handle, error = ctypes.c_uint64(), _library.scratch()
        vocabulary, options = self.vocabulary._live(), self._options
        lib, size = self.vocabulary._library, len(self._options or b"")
        out = options, size, ctypes.byref(handle), ctypes.byref(error)
        try:
            if file is None:
                status = lib.compiler_new(vocabulary, *out)
            else:
                status = lib.compiler_load(vocabulary, file, len(file), *out)
            _library.check(status, error)
            _log.introduce(lib, self.vocabulary)
            self._handle = handle.value  # before the library, see Vocabulary._open
            self._library = lib
        except BaseException:  # a signal's handler may raise at any line
            self._handle = 0
            lib.compiler_free(handle)
            raise

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self._library.compiler_free(self._handle)

    def _live(self) -> int:
        if self._library.inherited:
            with _library.remaking():
                if self._library.inherited:
                    self._open()
        return self._handle

    def __reduce__(self) -> Any:
        return _compiler_again, (self.vocabulary, self._options)

    def __copy__(self) -> Compiler:
        return self  # immutable

    def __deepcopy__(self, memo: Any) -> Compiler:
        return self

    def compile(self, kind: Kind, spec: Any = "", **options: Unpack[Options]) -> Grammar:
        """Compiles a constraint.

        Args:
            kind: "json_schema", "regex", "ebnf", "lark", "structural_tag", "choice", "json_object", "json",
                "request" or "grammar".
            spec: the constraint's text; of a kind whose text is JSON also an object, as the methods below take it. A
                structural tag or request may also be an instance of a pydantic model.
            **options: see `Options`.

        Raises:
            ConstraintError: SyntaxError_, InvalidError, UnsupportedError or UnsatisfiableError, with the place.
            LimitError: the constraint is larger than a budget.
            TypeError: a constraint of this kind cannot have a spec of this type.
            ArgumentError: this kind has no such option, or its value is wrong.
        """
        begun, text = _log.begin(), _specs.text(kind, spec, options)
        grammar = Grammar(self, kind, _specs.number(kind), text, _specs.encode(options))
        _log.compiled(grammar, text, begun)
        return grammar

    def submit(self, kind: Kind, spec: Any = "", **options: Unpack[Options]) -> GrammarFuture:
        """Starts to compile a constraint and returns a future. Takes the parameters of `compile` and raises its errors.

        The future is a `concurrent.futures.Future`: `result(timeout)`, `add_done_callback`, and `cancel()`, which ends
        a compilation that runs. An event loop awaits `asyncio.wrap_future(compiler.submit(...))`.
        """
        return _jobs.submit(self, kind, _specs.number(kind), _specs.text(kind, spec, options), _specs.encode(options))

    @property
    def cache(self) -> CacheStats:
        """The counters of the cache of grammars.

        A compiler caches grammars for equal constraints, in at most `cache_bytes` (an option of the compiler; 0 turns
        the cache off).
        """
        handle = self._live()
        return _stats.cache(self._library, handle)

    def stats(self) -> CompilerStats:
        """Returns the work of the compiler and its grammars so far, and the memory that they hold.

        It takes a lock of the cache and looks at each of its grammars: call it every few seconds.
        """
        handle = self._live()
        return _stats.stats(self._library, handle)

    def prometheus(self) -> str:
        """Returns `stats` in the text format of Prometheus, version 0.0.4.

        docs/operations.md lists the metrics. `sluice.prometheus.Collector` registers them with prometheus_client.
        """
        handle = self._live()
        return _library.written("compiler_prometheus", handle, lib=self._library).decode()

    def stats_message(self) -> bytes:
        """Returns `stats` as a message sluice.v1.CompilerStats of protobuf; see include/sluice/v1/stats.proto."""
        handle = self._live()
        return _library.written("compiler_message", handle, lib=self._library)

    def clear_cache(self) -> None:
        """Empties the cache of grammars. Grammars in use stay usable."""
        handle, error = self._live(), _library.scratch()
        _library.check(self._library.compiler_clear(handle, ctypes.byref(error)), error)

    def compile_json_schema(self, schema: Any, **options: Unpack[Options]) -> Grammar:
        """Compiles a JSON Schema, or a type.

        A schema has its standard meaning: undeclared keys are allowed unless it has `"additionalProperties": false` or
        the option `closed` is set. A type is closed: its objects have only the keys that it declares, nested types
        included, so that the output can be constructed again. A type opens itself with pydantic's `extra="allow"`, or
        with `closed=False` or `extra_items=` of a TypedDict; the option `closed=False` opens all of them. `dict[str,
        int]` takes any key.

        Args:
            schema: a JSON Schema as text, dict or bool; an Enum or Literal; or a type that pydantic knows, if pydantic
                is installed: a model, a dataclass, a TypedDict, a NamedTuple, `list[Model]`, `Model | None`, a
                TypeAdapter.
            **options: see `Options`.

        Raises:
            TypeError: the schema is none of these, or it is a type and pydantic is not installed.
            ConstraintError, LimitError, ArgumentError: as `compile`.
        """
        return self.compile("json_schema", schema, **options)

    def compile_regex(self, pattern: str, **options: Unpack[Options]) -> Grammar:
        """Compiles a regular expression, matched against the whole output."""
        return self.compile("regex", pattern, **options)

    def compile_ebnf(self, text: str, **options: Unpack[Options]) -> Grammar:
        """Compiles an EBNF grammar (GBNF and its superset)."""
        return self.compile("ebnf", text, **options)

    def compile_lark(self, text: str, **options: Unpack[Options]) -> Grammar:
        """Compiles a Lark grammar, in the dialect of LLGuidance."""
        return self.compile("lark", text, **options)

    def compile_grammar(self, text: str, **options: Unpack[Options]) -> Grammar:
        """Compiles a grammar in EBNF or Lark: a `::=` outside of comments makes it EBNF, as in vLLM.

        The result's `kind` is "ebnf" or "lark".
        """
        return self.compile("grammar", text, **options)

    def compile_structural_tag(self, tag: str | bytes | Mapping[str, Any], **options: Unpack[Options]) -> Grammar:
        """Compiles a structural tag, in either of its two document shapes."""
        return self.compile("structural_tag", tag, **options)

    def compile_choice(
        self, choices: Iterable[str] | str | bytes | type[enum.Enum] | Any, **options: Unpack[Options]
    ) -> Grammar:
        """Compiles a choice: the output is one of the strings, exactly; of an Enum or Literal, one of its values."""
        return self.compile("choice", choices, **options)

    def compile_choice_file(self, path: str | os.PathLike[str], **options: Unpack[Options]) -> Grammar:
        """Compiles the choice among the strings of a file: a JSON list if its name ends in ".json", else one string on
        each line. Empty lines do not count. The call reads the file once.

        Raises:
            OSError: the file cannot be read.
        """
        options.setdefault("lines", not os.fspath(path).endswith(".json"))
        with open(path, "rb") as file:
            return self.compile("choice", file.read(), **options)

    def compile_json_object(self, **options: Unpack[Options]) -> Grammar:
        """Compiles a constraint that allows any JSON object."""
        return self.compile("json_object", "", **options)

    def compile_request(self, request: str | bytes | Mapping[str, Any], **options: Unpack[Options]) -> Grammar:
        """Compiles the constraint of a request, in the shapes that docs/requests.md lists.

        A request without a constraint compiles to a grammar that allows everything; its `constrained` is False.

        Args:
            request: the whole request, as its text or as a mapping.
            **options: as for `compile`; besides, `family`: how the model writes calls of tools, the name of one of
                `families()` or the content of a file; and `reasoning`: "off", "on" or "auto".
        """
        return self.compile("request", request, **options)


# Compilers of this process by equality, so that objects pickled separately share one again.
_alive: weakref.WeakValueDictionary[Any, Compiler] = weakref.WeakValueDictionary()


def _compiler_again(vocabulary: Vocabulary, options: bytes | None) -> Compiler:
    """Unpickles a compiler."""
    known = _alive.get((vocabulary.hash, vocabulary.padded_size, options))
    if known is not None and known.vocabulary.end_tokens == vocabulary.end_tokens:
        return known
    return Compiler(vocabulary, **json.loads(options or b"{}"))
