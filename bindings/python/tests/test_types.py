"""Types as constraints: their objects are closed unless the type says otherwise; every output can be constructed."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import json
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union

import pytest

pydantic = pytest.importorskip("pydantic")
import random_types
import typing_extensions
from pydantic import Field

# Pydantic warns if random types put a TypedDict with extra_items into a model that forbids them.
pytestmark = pytest.mark.filterwarnings("ignore:TypedDict class")

T = TypeVar("T")


class Plain(pydantic.BaseModel):
    x: int


class Ignoring(pydantic.BaseModel, extra="ignore"):
    x: int


class Forbidding(pydantic.BaseModel, extra="forbid"):
    x: int


class Allowing(pydantic.BaseModel, extra="allow"):
    x: int
    inside: Optional[Plain] = None  # noqa: UP045 (pydantic reads it)


class Aliased(pydantic.BaseModel):
    class_: int = Field(alias="class")


class Box(pydantic.BaseModel, Generic[T]):
    content: T


class Tree(pydantic.BaseModel):
    x: int
    below: list[Tree] = []


class Counts(pydantic.RootModel):
    root: dict[str, int]


class Empty(pydantic.BaseModel):
    pass


class Written(pydantic.BaseModel):
    """Its author has decided about other keys."""

    model_config = pydantic.ConfigDict(json_schema_extra={"additionalProperties": {"type": "integer"}})
    x: int


@dataclasses.dataclass
class Data:
    x: int
    inside: Optional[Plain] = None  # noqa: UP045 (pydantic reads it)


@pydantic.dataclasses.dataclass(config={"extra": "allow"})
class OpenData:
    x: int


class Typed(typing_extensions.TypedDict):
    x: int
    y: typing_extensions.NotRequired[Plain]


class ClosedTyped(typing_extensions.TypedDict, closed=True):
    x: int


class OpenTyped(typing_extensions.TypedDict, closed=False):
    x: int


class StillOpenTyped(OpenTyped):
    y: typing_extensions.NotRequired[int]


class ExtraTyped(typing_extensions.TypedDict, extra_items=int):
    x: int


class Pair(NamedTuple):
    x: int
    data: Data


CLOSED, OPEN = '{"x":1}', '{"x":1,"z":2}'


def accepts(compiler, spec, text, **options) -> bool:
    matcher = compiler.compile_json_schema(spec, compact=True, **options).matcher()
    return matcher.accept_bytes(text) and matcher.completed


@pytest.mark.parametrize(
    "spec",
    [
        *(Plain, Ignoring, Forbidding, Data, Typed, ClosedTyped, Tree),
        *(Optional[Plain], Union[Data, None], Annotated[Plain, Field(description="a plain one")]),
        *(pydantic.TypeAdapter(Plain), pydantic.TypeAdapter(Data)),
    ],
    ids=str,
)
def test_types_are_closed(compiler, spec):
    assert accepts(compiler, spec, CLOSED) and not accepts(compiler, spec, OPEN)
    assert not accepts(compiler, spec, OPEN, closed=True) and not accepts(compiler, spec, OPEN, closed=None)
    says_closed = spec in (Forbidding, ClosedTyped)
    assert accepts(compiler, spec, OPEN, closed=False) is not says_closed


@pytest.mark.parametrize("spec", [Allowing, OpenData, OpenTyped, StillOpenTyped, ExtraTyped, Written], ids=str)
def test_types_that_are_open(compiler, spec):
    assert accepts(compiler, spec, CLOSED) and accepts(compiler, spec, OPEN)
    assert accepts(compiler, spec, '{"x":1,"z":"a"}') is (spec not in (ExtraTyped, Written))


def test_nested_types(compiler):
    """Each object is independent: a closed one within an open one, and the reverse."""
    for spec, right, wrong in (
        (Allowing, '{"x":1,"inside":{"x":1},"z":2}', '{"x":1,"inside":{"x":1,"z":2}}'),
        (Data, '{"x":1,"inside":{"x":1}}', '{"x":1,"inside":{"x":1,"z":2}}'),
        (Typed, '{"x":1,"y":{"x":1}}', '{"x":1,"y":{"x":1,"z":2}}'),
        (list[Plain], '[{"x":1}]', '[{"x":1,"z":2}]'),
        (dict[str, Plain], '{"any":{"x":1},"key":{"x":2}}', '{"any":{"x":1,"z":2}}'),
        (tuple[Plain, int], '[{"x":1},2]', '[{"x":1,"z":2},2]'),
        (Pair, '[1,{"x":1}]', '[1,{"x":1,"z":2}]'),
        (Box[Plain], '{"content":{"x":1}}', '{"content":{"x":1,"z":2}}'),
        (Box[Allowing], '{"content":{"x":1,"z":2}}', '{"content":{"x":1},"z":2}'),
        (Tree, '{"x":1,"below":[{"x":2,"below":[]}]}', '{"x":1,"below":[{"x":2,"below":[],"z":2}]}'),
        (Aliased, '{"class":1}', '{"class_":1}'),
        (Union[Plain, Data, list[int]], '{"x":1,"inside":null}', '{"x":1,"z":null}'),
        (Empty, "{}", '{"z":2}'),
        (Counts, '{"a":1,"b":2}', '{"a":"b"}'),
    ):
        assert accepts(compiler, spec, right), spec
        assert not accepts(compiler, spec, wrong), spec


def test_schemas_mean_what_the_standard_says(compiler):
    schema = Plain.model_json_schema()
    for spec in (schema, json.dumps(schema), json.dumps(schema).encode()):
        assert accepts(compiler, spec, OPEN) and not accepts(compiler, spec, OPEN, closed=True)


def test_objects_that_describe_themselves(compiler):
    """A method with pydantic's name is called as it is declared, and its schema stays as it is."""

    class Own:
        @staticmethod
        def json_schema() -> dict[str, Any]:
            return {"type": "object", "properties": {"x": {"type": "integer"}}}

    class Tweaked(Plain):
        @classmethod
        def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
            return {**super().model_json_schema(*args, **kwargs), "required": []}

    assert accepts(compiler, Own(), OPEN)
    assert accepts(compiler, Tweaked, "{}") and not accepts(compiler, Tweaked, OPEN)


@pytest.mark.parametrize(
    "spec, right, wrong",
    [
        (datetime.date, '"0001-01-01"', '"0000-01-01"'),
        (datetime.datetime, '"2016-12-31T23:59:59Z"', '"2016-12-31T23:59:60Z"'),
        (datetime.time, '"23:59:59Z"', '"23:59:60Z"'),
        (datetime.timedelta, '"P999999D"', '"P9999999999D"'),
        (decimal.Decimal, "1e300", "1e309"),
        (decimal.Decimal, "-0.25", '"NaN"'),
        (Annotated[decimal.Decimal, Field(max_digits=5, decimal_places=2)], "-999.99", "1000"),
        (Annotated[decimal.Decimal, Field(max_digits=5, decimal_places=2)], "0.25", "0.125"),
        (Annotated[decimal.Decimal, Field(max_digits=2, decimal_places=3)], "0.25", "0.125"),
        (Annotated[decimal.Decimal, Field(max_digits=3)], "0.125", "1.125"),
        (Annotated[decimal.Decimal, Field(decimal_places=1, ge=0)], "123456.5", "0.25"),
        (Annotated[bytes, Field(max_length=3)], '"abc"', '"äö"'),
        (dict[int, str], '{"-12":"a"}', '{"a":"a"}'),
        (dict[float, str], '{"-1.5":"a"}', '{"a":"a"}'),
        (dict[bool, str], '{"true":"a"}', '{"a":"a"}'),
        (dict[decimal.Decimal, str], '{"0.1":"a"}', '{"a":"a"}'),
        (collections.OrderedDict[int, str], '{"-12":"a"}', '{"a":"a"}'),
    ],
)
def test_restrictions_of_python(compiler, spec, right, wrong):
    """Values that JSON Schema allows and the type does not."""
    assert accepts(compiler, spec, right) and not accepts(compiler, spec, wrong)
    pydantic.TypeAdapter(spec).validate_json(right)
    with pytest.raises(pydantic.ValidationError):
        pydantic.TypeAdapter(spec).validate_json(wrong)


def test_discriminators_are_required(compiler):
    """Pydantic does not read a member of a tagged union without its tag, which may have a default."""

    class Cat(pydantic.BaseModel):
        kind: Literal["cat"] = "cat"
        name: str

    class Lizard(pydantic.BaseModel):
        kind: Literal["lizard"] = pydantic.Field("lizard", alias="kind")
        scales: bool

    class Owner(pydantic.BaseModel):
        pet: Annotated[Cat | Lizard, Field(discriminator="kind")]
        other: Annotated[Cat | Lizard, Field(discriminator="kind")] | None = None

    grammar = compiler.compile_json_schema(Owner, compact=True)
    for text in (
        '{"pet":{"kind":"lizard","scales":true}}',
        '{"pet":{"kind":"cat","name":""},"other":null}',
        '{"pet":{"kind":"cat","name":""},"other":{"kind":"lizard","scales":true}}',
        '{"pet":{"scales":true}}',
        '{"pet":{"kind":"cat","name":""},"other":{"name":""}}',
    ):
        try:
            Owner.model_validate_json(text)
            valid = True
        except pydantic.ValidationError:
            valid = False
        assert grammar.matcher().accept_bytes(text) == valid, text


def test_fields_that_no_constructor_takes(compiler):
    @dataclasses.dataclass
    class Counted:
        x: int
        z: int = dataclasses.field(default=0, init=False)

    assert accepts(compiler, Counted, CLOSED) and not accepts(compiler, Counted, OPEN)


def test_types_have_no_notes(compiler):
    for spec in (Plain, Allowing, Data, Typed, Pair, Tree, Box[Literal["a"]], dict[str, Plain]):
        assert compiler.compile_json_schema(spec).notes == ()


def test_a_dataclass_from_random_logits(compiler):
    """The output ends after its two fields, and constructs the dataclass."""

    @dataclasses.dataclass
    class Person:
        name: Annotated[str, Field(max_length=12)]
        age: Annotated[int, Field(ge=0, le=150)]

    grammar = compiler.compile_json_schema(Person, compact=True)
    for seed in range(20):
        text = random_types.generate(grammar, seed)
        assert Person(**json.loads(text)).age <= 150 and len(text) < 150


@pytest.mark.parametrize("seed", range(60))
def test_random_types(compiler, seed):
    random_types.check(compiler, seed)
