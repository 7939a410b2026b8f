"""From what vLLM calls a constraint to a grammar; for engine and front end alike, so that they decide alike.

It knows vLLM's kinds by name and imports nothing of it.
"""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any

from .._compiler import Compiler, Grammar
from .._errors import ArgumentError
from .._vocabulary import Vocabulary

# Grammars that a process keeps for requests that ask the same again.
KEPT = 256

# Kinds of vLLM's StructuredOutputOptions, all but GRAMMAR, and whose text is JSON that may be written compactly.
_KINDS = {
    "JSON": ("json_schema", True),
    "JSON_OBJECT": ("json_object", True),
    "REGEX": ("regex", False),
    "CHOICE": ("choice", False),
    "STRUCTURAL_TAG": ("structural_tag", True),
}


class Compiling:
    """Compiles for one tokenizer and width of logits, and keeps the latest grammars. Safe for all threads.

    Nothing is read or made before the first constraint asks for it.
    """

    def __init__(self, tokenizer: Any, vocab_size: int):
        self._tokenizer, self._size = tokenizer, vocab_size
        self._compiler: Compiler | None = None
        self._grammars: OrderedDict[Any, Future[Grammar]] = OrderedDict()
        self._renew()
        os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        """In the child of a fork another thread may have held the locks, and have been compiling."""
        self._lock, self._making = threading.Lock(), threading.Lock()
        for key in [k for k, f in self._grammars.items() if not f.done()]:
            del self._grammars[key]

    def compiler(self) -> Compiler:
        """Returns the compiler; the first call reads the tokenizer, which takes some tenths of a second."""
        with self._making:
            if self._compiler is None:
                self._compiler = Compiler(_vocabulary(self._tokenizer, self._size))
            return self._compiler

    def grammar(self, kind: str, spec: str, compact: bool = False) -> Grammar:
        """Compiles a constraint, or returns the grammar that an equal one has got; those who ask at once share one
        compilation.

        Args:
            kind: the name of vLLM's StructuredOutputOptions.
            spec: the text that vLLM sends with it.
            compact: vLLM's disable_any_whitespace.

        Raises:
            SluiceError: the constraint cannot be enforced; the message is for whoever wrote it.
        """
        name, options = _reading(kind, spec)
        if compact and _KINDS.get(kind, ("", False))[1]:
            options["compact"] = True
        key = (name, spec, compact)
        with self._lock:
            kept = self._grammars.get(key)
            mine = kept is None
            if kept is None:
                kept = self._grammars[key] = Future()
            self._grammars.move_to_end(key)
            while len(self._grammars) > KEPT:
                self._grammars.popitem(last=False)
        if mine:
            try:
                kept.set_result(self.compiler().compile(name, spec, **options))
            except BaseException as e:
                with self._lock:
                    if self._grammars.get(key) is kept:
                        del self._grammars[key]
                kept.set_exception(e)
        return kept.result()


def _reading(kind: str, spec: str) -> tuple[str, dict[str, Any]]:
    """Returns our name for a constraint's kind, and options."""
    if kind == "GRAMMAR":
        # vLLM's own rule: beside comments, rules are written with ::= in EBNF, with a colon in Lark.
        ebnf = any("::=" in re.sub(r"(#|//).*", "", line) for line in spec.split("\n"))
        return ("ebnf" if ebnf else "lark"), {}
    if kind not in _KINDS:
        raise ArgumentError(f"vLLM asks for a constraint of the kind {kind}, which Sluice does not know", code=2)
    return _KINDS[kind][0], {}


def _vocabulary(tokenizer: Any, size: int) -> Vocabulary:
    # Each request brings its end tokens along; those of the vocabulary are for releases that do not tell them.
    return Vocabulary.from_huggingface(tokenizer, padded_size=size)


_all: list[tuple[Any, int, Compiling]] = []
_all_lock = threading.Lock()


def compiling(tokenizer: Any, vocab_size: int) -> Compiling:
    """Returns this process's Compiling for a tokenizer object; vLLM has few, and keeps them as long as it runs."""
    with _all_lock:
        for known, size, made in _all:
            if known is tokenizer and size == vocab_size:
                return made
        made = Compiling(tokenizer, vocab_size)
        _all.append((tokenizer, vocab_size, made))
        del _all[:-8]
        return made
