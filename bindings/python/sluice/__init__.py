"""Sluice: which tokens may come next? Structured generation for inference engines.

    import sluice

    vocabulary = sluice.Vocabulary.from_file("tokenizer.json")
    compiler = sluice.Compiler(vocabulary)
    grammar = compiler.compile_json_schema({"type": "object", "properties": {"age": {"type": "integer"}}})
    matcher = grammar.matcher()
    masks = sluice.allocate_bitmask(1, vocabulary)
    matcher.fill(masks)              # bit i of word i // 32 says whether token i may come next
    matcher.accept(token)

Importing this package loads no library and imports neither numpy nor torch: libsluice.so is loaded by the first call
that needs it. After fork() a child loads its own copy; vocabularies, compilers and grammars of the parent make
themselves again there, matchers raise ForkedError.
"""

from ._compiler import Compiler, Grammar, GrammarStats, Note, capabilities
from ._errors import (
    ArgumentError,
    BusyError,
    ConstraintError,
    FileError,
    ForkedError,
    HandleError,
    InternalError,
    InvalidError,
    LibraryError,
    LimitError,
    RejectedError,
    SluiceError,
    SyntaxError_,
    UnsatisfiableError,
    UnsupportedError,
)
from ._library import loaded, version
from ._matcher import Matcher, allocate_bitmask, fill_batch
from ._vocabulary import Vocabulary

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "BusyError",
    "Compiler",
    "ConstraintError",
    "FileError",
    "ForkedError",
    "Grammar",
    "GrammarStats",
    "HandleError",
    "InternalError",
    "InvalidError",
    "LibraryError",
    "LimitError",
    "Matcher",
    "Note",
    "RejectedError",
    "SluiceError",
    "SyntaxError_",
    "UnsatisfiableError",
    "UnsupportedError",
    "Vocabulary",
    "allocate_bitmask",
    "capabilities",
    "fill_batch",
    "loaded",
    "version",
]
