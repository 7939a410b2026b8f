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

from ._abi import Kind
from ._apply import apply_bitmask, apply_sparse, cpu_level
from ._batch import Batch, fill_batch
from ._compiler import Compiler, capabilities, check, to_ebnf
from ._devices import Device, Devices, devices
from ._errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    ConstraintError,
    DeviceError,
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
    UnavailableError,
    UnfinishedError,
    UnsatisfiableError,
    UnsupportedError,
)
from ._events import Event, ParsedCall, ParsedOutput, parse_calls
from ._explain import Expectation, Explanation, Missing
from ._grammar import Grammar, GrammarStats, Matcher, Note
from ._jobs import GrammarFuture
from ._library import loaded, version
from ._masks import (
    allocate_bitmask,
    allowed_ids,
    bitmask_shape,
    bitmask_to_bool,
    bool_to_bitmask,
    filter_bitmask,
    reset_bitmask,
)
from ._pool import MaskPool, PoolStats, Step
from ._reasoning import Reasoning
from ._requests import Constraint, ToolChoice, concat, families, family_of, normalize_tool_choice, read_request, union
from ._specs import CompilerOptions, Options
from ._stats import CacheStats, CompilerStats, Histogram, Memory
from ._stops import Stop
from ._vocabulary import Vocabulary

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Batch",
    "BusyError",
    "CacheStats",
    "CancelledError",
    "Compiler",
    "CompilerOptions",
    "CompilerStats",
    "Constraint",
    "ConstraintError",
    "Device",
    "DeviceError",
    "Devices",
    "Event",
    "Expectation",
    "Explanation",
    "FileError",
    "ForkedError",
    "Grammar",
    "GrammarFuture",
    "GrammarStats",
    "HandleError",
    "Histogram",
    "InternalError",
    "InvalidError",
    "Kind",
    "LibraryError",
    "LimitError",
    "MaskPool",
    "Matcher",
    "Memory",
    "Missing",
    "Note",
    "Options",
    "ParsedCall",
    "ParsedOutput",
    "PoolStats",
    "Reasoning",
    "RejectedError",
    "SluiceError",
    "Step",
    "Stop",
    "SyntaxError_",
    "ToolChoice",
    "UnavailableError",
    "UnfinishedError",
    "UnsatisfiableError",
    "UnsupportedError",
    "Vocabulary",
    "allocate_bitmask",
    "allowed_ids",
    "apply_bitmask",
    "apply_sparse",
    "bitmask_shape",
    "bitmask_to_bool",
    "bool_to_bitmask",
    "capabilities",
    "check",
    "concat",
    "cpu_level",
    "devices",
    "families",
    "family_of",
    "fill_batch",
    "filter_bitmask",
    "loaded",
    "normalize_tool_choice",
    "parse_calls",
    "read_request",
    "reset_bitmask",
    "to_ebnf",
    "union",
    "version",
]
