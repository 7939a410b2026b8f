"""Random types, outputs for them with random logits, and objects of the type that are constructed from these outputs.

As a program it does so for many types: `make lab NAME=types ARGS="--types 1000 --seed 7"`.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import decimal
import enum
import json
import random
import sys
import types
import typing
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import pydantic
import typing_extensions
from pydantic import Field

import sluice

T = TypeVar("T")


class Box(pydantic.BaseModel, Generic[T]):
    """A generic model."""

    content: T
    rest: list[T] = []


class Colour(enum.Enum):
    RED = "red"
    GREEN = "grün"
    NONE = None


class Level(enum.IntEnum):
    LOW = -1
    HIGH = 10


class Tree(pydantic.BaseModel):
    """A recursive model."""

    value: int
    children: list[Tree] = Field(max_length=2)


@dataclasses.dataclass
class Chain:
    """A recursive dataclass."""

    text: Annotated[str, Field(max_length=3)]
    next: Optional[Chain] = None  # noqa: UP045 (pydantic reads it)


Plain = [int, float, bool, str, type(None), uuid.UUID, datetime.date, datetime.datetime, datetime.time]
Plain += [datetime.timedelta, decimal.Decimal, Colour, Level, Tree, Chain, bytes]
NAMES = ["a", "b", "name", "größe", "class_", "x1", "items", "keys", "count_"]


class Types:
    """Draws types. Classes have distinct names, as pydantic demands."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.made = 0

    def any(self, depth: int) -> Any:
        """Returns a type whose classes and containers nest at most so deep."""
        if depth <= 0 or self.random.random() < 0.3:
            return self.leaf()
        return self.random.choice([self.container, self.one_class])(depth - 1)

    def leaf(self) -> Any:
        r = self.random
        low = r.randint(-1000, 1000)
        bounded: list[Callable[[], Any]] = [
            lambda: r.choice(Plain),
            lambda: Annotated[int, Field(ge=low, le=low + r.randint(0, 10**9))],
            lambda: Annotated[int, Field(gt=low)],
            lambda: Annotated[float, Field(ge=low / 8, lt=low / 8 + r.randint(1, 100))],
            lambda: Annotated[decimal.Decimal, Field(ge=low)],
            lambda: Annotated[str, Field(min_length=r.randint(0, 4), max_length=r.randint(4, 12))],
            lambda: Annotated[str, Field(pattern="^[a-zé]{1,5}(-[0-9]+)?$")],
            lambda: Literal[tuple(r.sample(["on", "off", 'ä"\\', 1, -7, True, None], r.randint(1, 4)))],
        ]
        return r.choice(bounded)()

    def container(self, depth: int) -> Any:
        r, some = self.random, lambda: self.any(depth)
        low = r.randint(0, 2)
        made: list[Callable[[], Any]] = [
            lambda: list[some()],
            lambda: Annotated[list[some()], Field(min_length=low, max_length=low + 2)],
            lambda: dict[str, some()],
            lambda: dict[int, some()],
            lambda: tuple[some(), some()],
            lambda: tuple[some(), ...],
            lambda: set[Literal["a", "b", "c"]],
            lambda: set[int],
            lambda: Optional[some()],
            lambda: Union[some(), some(), None],
            lambda: Box[some()],
        ]
        return r.choice(made)()

    def one_class(self, depth: int) -> Any:
        self.made += 1
        name = f"Class{self.made}"
        fields = [(n, self.any(depth), self.random.random() < 0.4) for n in self.names()]
        return self.random.choice([self.dataclass, self.model, self.typed_dict, self.named_tuple, self.root])(
            name, fields
        )

    def names(self) -> list[str]:
        return self.random.sample(NAMES, self.random.randint(0, 4))

    def dataclass(self, name: str, fields: list[tuple[str, Any, bool]]) -> Any:
        """A dataclass of the standard library or of pydantic; fields with a default come last."""
        ordered = sorted(fields, key=lambda f: f[2])
        listed = [(n, t, dataclasses.field(default=None)) if default else (n, t) for n, t, default in ordered]
        if self.random.random() < 0.3:
            return pydantic.dataclasses.dataclass(dataclasses.make_dataclass(name, listed))
        return dataclasses.make_dataclass(name, listed, frozen=self.random.random() < 0.3)

    def model(self, name: str, fields: list[tuple[str, Any, bool]]) -> Any:
        extra = self.random.choice([None, "ignore", "forbid", "allow"])
        alias = self.random.choice([None, str.upper])
        config = pydantic.ConfigDict(extra=extra, alias_generator=alias)
        return pydantic.create_model(
            name, __config__=config, **{n: (t, None if default else ...) for n, t, default in fields}
        )

    def typed_dict(self, name: str, fields: list[tuple[str, Any, bool]]) -> Any:
        listed = {n: typing_extensions.NotRequired[t] if maybe else t for n, t, maybe in fields}
        more = self.random.choice([{}, {}, {"closed": True}, {"closed": False}, {"extra_items": int}])
        return typing_extensions.TypedDict(name, listed, **more)

    def named_tuple(self, name: str, fields: list[tuple[str, Any, bool]]) -> Any:
        return NamedTuple(name, [(f"{n}_1", t) for n, t, _ in fields])

    def root(self, name: str, fields: list[tuple[str, Any, bool]]) -> Any:
        return types.new_class(name, (pydantic.RootModel[fields[0][1] if fields else dict],))


def generate(grammar: sluice.Grammar, seed: int, most: int = 20_000) -> bytes:
    """Returns an output with random logits. After 400 tokens those that end a value get likelier."""
    vocabulary, rng = grammar.vocabulary, np.random.default_rng(seed)
    matcher, row = grammar.matcher(), sluice.allocate_bitmask(1, grammar.vocabulary)
    ends = np.array([t[-1:] in (b'"', b"}", b"]") for t in vocabulary.tokens()])
    for step in range(most):
        matcher.fill(row, 0)
        logits = rng.standard_normal(vocabulary.size) + (4 * ends if step > 400 else 0)
        logits[~sluice.bitmask_to_bool(row, vocabulary.size)[0]] = -np.inf
        token = int(np.argmax(logits))
        assert logits[token] > -np.inf, f"nothing is allowed after {matcher.output!r}"
        assert matcher.accept(token)
        if matcher.terminated:
            return matcher.output
    raise AssertionError(f"no end after {most} tokens")


def construct(cls: Any, value: Any) -> Any:
    """Constructs an object from parsed JSON without pydantic, for types of Python: raises as their constructors do."""
    origin, arguments = typing.get_origin(cls), typing.get_args(cls)
    if origin in (Annotated, typing_extensions.NotRequired):
        return construct(arguments[0], value)
    if origin in (Union, getattr(types, "UnionType", Union)):
        return _first(arguments, value)
    if origin in (list, set):
        return origin(construct(arguments[0], v) for v in value)
    if origin is tuple:
        inside = [arguments[0]] * len(value) if arguments[-1:] == (...,) else arguments
        return tuple(construct(t, v) for t, v in zip(inside, value, strict=True))
    if origin is dict:
        return {construct(arguments[0], k): construct(arguments[1], v) for k, v in value.items()}
    if dataclasses.is_dataclass(cls):
        hints = typing.get_type_hints(cls, include_extras=True)
        return cls(**{k: construct(hints.get(k, Any), v) for k, v in value.items()})
    if typing_extensions.is_typeddict(cls):
        return _typed_dict(cls, value)
    if isinstance(cls, type) and issubclass(cls, tuple):
        return cls(*(construct(t, v) for t, v in zip(cls.__annotations__.values(), value, strict=True)))
    return pydantic.TypeAdapter(cls).validate_json(json.dumps(value))


def _first(arms: Any, value: Any) -> Any:
    errors = []
    for arm in arms:
        try:
            return construct(arm, value)
        except (TypeError, ValueError, AttributeError) as e:
            errors.append(e)
    raise TypeError(f"{value!r} is none of {arms}: {errors}")


def _typed_dict(cls: Any, value: Any) -> Any:
    hints, extra = typing_extensions.get_type_hints(cls, include_extras=True), cls.__extra_items__
    undeclared = value.keys() - hints.keys()
    if not cls.__required_keys__ <= value.keys():
        raise TypeError(f"{cls.__required_keys__ - value.keys()} are missing")
    if undeclared and cls.__closed__ is not False and extra is typing_extensions.NoExtraItems:
        raise TypeError(f"{undeclared} are not declared")
    others = Any if extra is typing_extensions.NoExtraItems else extra
    return cls(**{k: construct(hints.get(k, others), v) for k, v in value.items()})


def check(compiler: sluice.Compiler, seed: int) -> int:
    """Draws a type, generates an output and constructs it twice; returns the length of the output."""
    drawn = Types(seed)
    cls = drawn.one_class(depth=3) if seed % 4 else drawn.any(depth=3)
    grammar = compiler.compile_json_schema(cls, compact=seed % 2 == 0)
    text = generate(grammar, seed)
    pydantic.TypeAdapter(cls).validate_json(text)
    construct(cls, json.loads(text))
    return len(text)


def main() -> None:
    from conftest import case_tokens

    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--types", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=0)
    asked = arguments.parse_args()
    tokens, added, special, end = case_tokens()
    compiler = sluice.Compiler(sluice.Vocabulary.from_tokens(tokens, added=added, special=special, end_tokens=end))
    failed, size = 0, 0
    for seed in range(asked.seed, asked.seed + asked.types):
        try:
            size += check(compiler, seed)
        except Exception as e:
            failed += 1
            print(f"seed {seed}: {type(e).__name__}: {str(e)[:600]}")
    print(f"{asked.types - failed} of {asked.types} types compile, generate and construct; {size} bytes of output")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
