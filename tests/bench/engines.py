"""The engines of the benchmark, each behind the same five calls. Another engine is a class here and a line in ENGINES.

An engine runs on one thread with its package's defaults, except that nothing keeps compiled grammars: the same
constraint compiled twice is compiled twice.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vocabulary import Vocabulary

if TYPE_CHECKING:  # the environment is made by a Python that has no numpy
    import numpy as np

ROOT = Path(__file__).resolve().parents[2]
LAZY_VERSION = "0.2.6rc2"  # the release of XGrammar that has its lazy mode; 0.2.8 has none
LAZY_FOLDER = ROOT / "build" / "xgrammar-lazy"


class Unsupported(Exception):
    """The engine refuses the constraint; the text is the engine's."""


class Engine(ABC):
    """The harness's interface to an engine. It is made once in a process."""

    @abstractmethod
    def __init__(self, vocabulary: Vocabulary) -> None: ...

    @abstractmethod
    def version(self) -> str: ...

    @abstractmethod
    def compile(self, kind: str, spec: str) -> Any:
        """Compiles a constraint of a kind that sluice.h names; raises Unsupported."""

    @abstractmethod
    def matcher(self, grammar: Any) -> Any:
        """Begins an output."""

    @abstractmethod
    def fill(self, matcher: Any, row: np.ndarray) -> None:
        """Overwrites row, int32, with the mask: bit i % 32 of word i // 32 is set if token i may come next."""

    @abstractmethod
    def accept(self, matcher: Any, token: int) -> bool:
        """Appends a token; says whether it was allowed."""

    def may_end(self, matcher: Any, row: np.ndarray) -> bool:
        """Says whether the output may end; row is the mask of this place."""
        return bool(row[self.end >> 5] >> (self.end & 31) & 1)

    def step(self, matchers: list[Any]) -> Callable[[np.ndarray, list[int]], None]:
        """Returns a step of a batch on one thread: it fills a row and accepts a token for each matcher."""

        def step(rows: np.ndarray, tokens: list[int]) -> None:
            for matcher, row, token in zip(matchers, rows, tokens):
                self.fill(matcher, row)
                self.accept(matcher, token)

        return step

    end: int


class Sluice(Engine):
    """Sluice through its Python binding."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        sys.path.insert(0, str(ROOT / "bindings" / "python"))
        import sluice

        self.sluice, self.end = sluice, vocabulary.end
        tokens = sluice.Vocabulary.from_file(vocabulary.path, end_tokens=[vocabulary.end])
        self.compiler = sluice.Compiler(tokens, cache_bytes=0)

    def version(self) -> str:
        return self.sluice.version()

    def compile(self, kind: str, spec: str) -> Any:
        try:
            return self.compiler.compile(kind, spec)
        except self.sluice.SluiceError as e:
            raise Unsupported(str(e)) from e

    def matcher(self, grammar: Any) -> Any:
        return grammar.matcher()

    def fill(self, matcher: Any, row: np.ndarray) -> None:
        try:
            matcher.fill(row)
        except self.sluice.UnsatisfiableError:  # a dead end, which a note has announced
            row[:] = 0

    def accept(self, matcher: Any, token: int) -> bool:
        return matcher.accept(token)

    def step(self, matchers: list[Any]) -> Callable[[np.ndarray, list[int]], None]:
        batch = self.sluice.Batch(matchers, threads=1)

        def step(rows: np.ndarray, tokens: list[int]) -> None:
            batch.fill(rows)
            batch.accept(tokens)

        return step


class LLGuidance(Engine):
    """LLGuidance, which computes every mask when it is asked for."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        import llguidance
        from llguidance.tiktoken import lltokenizer_from_encoding

        self.llguidance, self.end = llguidance, vocabulary.end
        size = len(vocabulary.tokens)
        if vocabulary.text is None:
            self.tokenizer = lltokenizer_from_encoding(vocabulary.tiktoken, n_vocab=size, eos_token=vocabulary.end)
        else:
            self.tokenizer = llguidance.LLTokenizer(vocabulary.text, n_vocab=size, eos_token=vocabulary.end)

    def version(self) -> str:
        return importlib.metadata.version("llguidance")

    def compile(self, kind: str, spec: str) -> Any:
        make = self.llguidance.LLMatcher
        try:
            if kind == "json_schema":
                grammar = make.grammar_from_json_schema(spec)
            elif kind == "structural_tag":
                grammar = self.tagged(json.loads(spec)["format"])
            else:
                raise Unsupported(f"no counterpart of {kind}")
            matcher = make(self.tokenizer, grammar, log_level=0)
        except ValueError as e:
            raise Unsupported(str(e)) from e
        if matcher.is_error():
            raise Unsupported(matcher.get_error())
        return matcher

    def tagged(self, form: dict[str, Any]) -> str:
        tags = []
        for tag in form["tags"]:
            trigger = next(trigger for trigger in form["triggers"] if tag["begin"].startswith(trigger))
            schema = tag["content"]["json_schema"]
            made = self.llguidance.StructTag(trigger=trigger, begin=tag["begin"], grammar=schema, end=tag["end"])
            tags.append(made)
        return self.llguidance.StructTag.to_grammar(tags)

    def matcher(self, grammar: Any) -> Any:
        return grammar.deep_copy()

    def fill(self, matcher: Any, row: np.ndarray) -> None:
        matcher.unsafe_compute_mask_ptr(row.ctypes.data, row.nbytes)

    def accept(self, matcher: Any, token: int) -> bool:
        return matcher.consume_token(token)

    def may_end(self, matcher: Any, row: np.ndarray) -> bool:
        return matcher.is_accepting()


class GLRMask(Engine):
    """GLRMask, which builds an automaton over parser stacks when a grammar is compiled."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        import glrmask

        self.glrmask = glrmask
        self.vocabulary = glrmask.Vocab.from_id_to_bytes({i: t for i, t in enumerate(vocabulary.tokens) if t})

    def version(self) -> str:
        return self.glrmask.__version__

    def compile(self, kind: str, spec: str) -> Any:
        if kind != "json_schema":
            raise Unsupported(f"no counterpart of {kind}")
        try:
            return self.glrmask.Grammar.from_json_schema(spec).compile(self.vocabulary)
        except ValueError as e:
            raise Unsupported(str(e)) from e

    def matcher(self, grammar: Any) -> Any:
        return grammar.start()

    def fill(self, matcher: Any, row: np.ndarray) -> None:
        matcher.fill_mask(row)

    def accept(self, matcher: Any, token: int) -> bool:
        return matcher.commit_token(token)

    def may_end(self, matcher: Any, row: np.ndarray) -> bool:
        return matcher.is_accepting()


class XGrammar(Engine):
    """XGrammar's default mode, which computes masks when a grammar is compiled; schemas as they are written."""

    settings: dict[str, Any] = {}

    def __init__(self, vocabulary: Vocabulary) -> None:
        import torch
        import xgrammar

        torch.set_num_threads(1)
        self.torch, self.xgrammar, self.end = torch, xgrammar, vocabulary.end
        information = xgrammar.TokenizerInfo(
            vocabulary.tokens,
            xgrammar.VocabType.RAW,
            vocab_size=len(vocabulary.tokens),
            stop_token_ids=[vocabulary.end],
        )
        self.compiler = xgrammar.GrammarCompiler(information, max_threads=1, cache_enabled=False, **self.settings)
        self.row = self.tensor = None

    def version(self) -> str:
        return importlib.metadata.version("xgrammar")

    def compile(self, kind: str, spec: str) -> Any:
        try:
            if kind == "json_schema":
                return self.compiler.compile_json_schema(spec, strict_mode=False)
            if kind == "structural_tag":
                return self.compiler.compile_structural_tag(spec)
        except (RuntimeError, ValueError) as e:
            raise Unsupported(str(e)) from e
        raise Unsupported(f"no counterpart of {kind}")

    def matcher(self, grammar: Any) -> Any:
        return self.xgrammar.GrammarMatcher(grammar)

    def fill(self, matcher: Any, row: np.ndarray) -> None:
        if row is not self.row:
            self.row, self.tensor = row, self.torch.from_numpy(row).view(1, -1)
        matcher.fill_next_token_bitmask(self.tensor, 0)

    def accept(self, matcher: Any, token: int) -> bool:
        return matcher.accept_token(token)

    def step(self, matchers: list[Any]) -> Callable[[np.ndarray, list[int]], None]:
        batch = self.xgrammar.BatchGrammarMatcher(max_threads=1)

        def step(rows: np.ndarray, tokens: list[int]) -> None:
            batch.batch_fill_next_token_bitmask(matchers, self.torch.from_numpy(rows))
            for matcher, token in zip(matchers, tokens):
                matcher.accept_token(token)

        return step


class XGrammarLazy(XGrammar):
    """XGrammar's lazy mode, which computes a mask when it is first asked for. A pre-release has it, in its folder."""

    settings = {"enable_dynamic_compilation": True}

    def __init__(self, vocabulary: Vocabulary) -> None:
        sys.path.insert(0, str(LAZY_FOLDER))
        super().__init__(vocabulary)

    def version(self) -> str:
        return LAZY_VERSION


ENGINES: dict[str, type[Engine]] = {
    "sluice": Sluice,
    "llguidance": LLGuidance,
    "glrmask": GLRMask,
    "xgrammar": XGrammar,
    "xgrammar-lazy": XGrammarLazy,
}
