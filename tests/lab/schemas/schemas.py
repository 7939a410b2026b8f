"""Random JSON Schemas of every dialect, over few names, strings and numbers, so that keywords meet: the same property
declared twice, patterns that overlap, bounds that exclude each other, references that recur.

A schema is valid by its dialect's metaschema and has keywords of its dialect alone. Everything comes from the random
source that is passed in.
"""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

DIALECTS = ("draft4", "draft6", "draft7", "draft2019-09", "draft2020-12")
AGE = {d: i for i, d in enumerate(DIALECTS)}

KEYS = ["a", "ab", "b", 'q"', "x1", "é"]
STRINGS = ["", "a", "b", "ab", "abc", "ba", "a1", "1", 'q"', "é", "éa", "aaaa", "😀"]
NUMBERS = [0, 1, 2, 3, 5, 7, 10, -1, -2, Decimal("0.5"), Decimal("2.5"), Decimal("0.25"), Decimal("-1.25")]
NUMBERS += [10**20, -(10**18) + 1, Decimal("0.000001"), Decimal("123456789.987654321")]
DIVISORS = [1, 2, 3, 5, Decimal("0.5"), Decimal("0.25"), Decimal("1.5")]
TYPES = ["string", "integer", "number", "boolean", "null", "array", "object"]

# ECMA-262 patterns that judge.py can hand to Python.
PATTERNS = ["^a", "b$", "a", "^[ab]*$", "[0-9]", "^.$", "^..?$", "^(a|b)b?$", "é", "^[^a]+$", "^(?!a)", r"\d$", "^x"]

# Formats by the dialect that defines them first, of those that judge.py can decide.
FORMATS = {
    "date-time": 0,
    "ipv4": 0,
    "ipv6": 0,
    "date": 2,
    "time": 2,
    "json-pointer": 1,
    "relative-json-pointer": 2,
    "duration": 3,
    "uuid": 3,
}
FORMAT_STRINGS = [
    "2024-02-29",
    "2023-02-29",
    "1998-12-31T23:59:60Z",
    "2024-01-01T00:00:00.5+01:30",
    "12:00:00Z",
    "24:00:00Z",
    "127.0.0.1",
    "256.1.1.1",
    "::1",
    "1::2::3",
    "/a/b~0",
    "/a~2",
    "0/a",
    "1#",
    "P1Y2M",
    "PT1.5S",
    "P1W",
    "P",
    "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
]


class Generator:
    """Makes one schema. `keyword` is the probability of a keyword in each possible place."""

    def __init__(self, r: random.Random, dialect: str):
        self.r, self.dialect, self.age = r, dialect, AGE[dialect]
        self.names: list[str] = []  # definitions that have been referred to
        self.depth = r.choice([1, 2, 2, 3, 3])
        self.density = r.choice([0.15, 0.3, 0.5])
        self.defs = "$defs" if self.age >= 3 else "definitions"
        self.dynamic = self.age >= 3 and r.random() < 0.1
        self.anchors = r.random() < 0.3
        self.documents: dict[str, Any] = {}

    def chance(self, p: float) -> bool:
        return self.r.random() < p

    def root(self) -> Any:
        """Returns a schema with the definitions that it refers to."""
        schema = self.schema(self.depth)
        if not self.names and not self.dynamic:
            return schema
        if not isinstance(schema, dict):
            schema = {"allOf": [schema]}
        if "$ref" in schema and self.age < 3:
            schema = {"allOf": [schema]}  # a reference stands alone there, definitions would be hidden beside it
        defs: dict[str, Any] = {}
        while len(defs) < len(self.names):  # definitions refer to one another, and to themselves
            name = self.names[len(defs)]
            defs[name] = body = self.schema(max(1, self.depth - 1))
            if self.anchored(name):
                stands_alone = not isinstance(body, dict) or ("$ref" in body and self.age < 3)
                defs[name] = self.anchor(name, {"allOf": [body]} if stands_alone else body)
        schema[self.defs] = defs
        if self.dynamic:
            schema.setdefault("$id", "http://fuzz.test/root")
            if self.age == 3:
                schema["$recursiveAnchor"] = True
            else:
                schema["$dynamicAnchor"] = "node"
        return schema

    def anchored(self, name: str) -> bool:
        return self.anchors and name == "p"

    def anchor(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        """Gives a definition a name that is no pointer: an anchor, as its dialect spells it."""
        if self.age >= 3:
            return {"$anchor": name, **body}
        return {"id" if self.age == 0 else "$id": "#" + name, **body}

    def reference(self) -> dict[str, Any]:
        if self.dynamic and self.chance(0.5):
            return {"$recursiveRef": "#"} if self.age == 3 else {"$dynamicRef": "#node"}
        if self.chance(0.15):
            return {"$ref": "#"}
        if self.chance(0.08):
            return {"$ref": self.document()}
        name = self.r.choice(["p", "q", "r/~%"])
        if name not in self.names:
            self.names.append(name)
        if self.anchored(name):
            return {"$ref": "#" + name}
        return {"$ref": f"#/{self.defs}/" + name.replace("~", "~0").replace("/", "~1").replace("%", "%25")}

    def document(self) -> str:
        """Returns a reference into another document, which it makes at the first time."""
        uri = "http://fuzz.test/other"
        if uri not in self.documents:
            self.documents[uri] = {}  # may be referred to while it is made
            kept = self.names, self.anchors, self.dynamic
            # References point into their own document, so it has their targets.
            self.names, self.anchors, self.dynamic = ["p", "q", "r/~%"], False, False
            bodies = {name: self.leaf() for name in self.names}
            inner, outer = self.schema(1), self.schema(1)
            self.names, self.anchors, self.dynamic = kept
            name = "id" if self.age == 0 else "$id"
            self.documents[uri] = {name: uri, "allOf": [outer], self.defs: {"inner": inner, **bodies}}
        return uri + self.r.choice(["", f"#/{self.defs}/inner"])

    def boolean(self, b: bool) -> Any:
        return b if self.age > 0 else {} if b else {"not": {}}

    def schema(self, depth: int) -> Any:
        if self.chance(0.06):
            return self.boolean(self.chance(0.7))
        if self.chance(0.05):
            return {}
        if depth <= 0:
            return self.leaf()
        roll = self.r.random()
        if roll < 0.12:
            ref = self.reference()
            if self.age >= 3 and self.chance(0.4):
                ref |= self.mixture(depth, 2)
            return ref
        if roll < 0.30:
            return self.object(depth)
        if roll < 0.44:
            return self.array(depth)
        if roll < 0.72:
            return self.mixture(depth, self.r.randint(1, 4))
        return self.leaf()

    def leaf(self) -> dict[str, Any]:
        roll = self.r.randrange(7)
        if roll == 0:
            return {"type": "string", **self.some(self.text_keywords(), 3)}
        if roll == 1:
            return {"type": self.r.choice(["integer", "number"]), **self.some(self.number_keywords(), 3)}
        if roll == 2:
            return {"enum": self.values(self.r.randint(1, 4))}
        if roll == 3 and self.age >= 1:
            return {"const": self.value(1)}
        if roll == 4:
            return self.some(self.text_keywords(), 2) | self.some(self.number_keywords(), 2)
        if roll == 5:
            return self.some(self.text_keywords(), 2)
        return {"type": self.types()}

    def mixture(self, depth: int, n: int) -> dict[str, Any]:
        """Keywords of all kinds beside each other."""
        makers = [self.logic_keywords, self.object_keywords, self.array_keywords]
        out: dict[str, Any] = {}
        if self.chance(0.4):
            out["type"] = self.types()
        for _ in range(n):
            roll = self.r.random()
            if roll < 0.55:
                pool = makers[0](depth)
            elif roll < 0.85:
                pool = self.r.choice(makers[1:])(depth)
            else:
                pool = self.r.choice([self.text_keywords, self.number_keywords])()
            out |= self.some(pool, 1)
        if self.chance(0.08):
            out["enum"] = self.values(self.r.randint(1, 5))
        return self.tidied(out)

    def object(self, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {} if self.chance(0.2) else {"type": "object"}
        return out | self.some(self.object_keywords(depth), 0)

    def array(self, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {} if self.chance(0.2) else {"type": "array"}
        return out | self.some(self.array_keywords(depth), 0)

    @staticmethod
    def tidied(out: dict[str, Any]) -> dict[str, Any]:
        """Removes constructs that the judge cannot read: additionalItems beside items that are true or false."""
        if isinstance(out.get("items"), bool):
            out.pop("additionalItems", None)
        return out

    def some(self, makers: dict[str, Any], n: int) -> dict[str, Any]:
        """Takes up to n of the keywords, or each with the density if n is 0, in a random order."""
        names = list(makers)
        self.r.shuffle(names)
        chosen = names[: self.r.randint(1, n)] if n else [k for k in names if self.chance(self.density)]
        out: dict[str, Any] = {}
        for k in chosen:
            made = makers[k]()
            out |= made if k.endswith("*") else {k: made}
        return self.tidied(out)

    def types(self) -> Any:
        if self.chance(0.6):
            return self.r.choice(TYPES)
        return self.r.sample(TYPES, self.r.randint(1, 3))

    def values(self, n: int) -> list[Any]:
        out: list[Any] = []
        for _ in range(n):
            v = self.value(1)
            if all(not same(v, w) for w in out):  # draft-04 wants them different
                out.append(v)
        return out

    def value(self, depth: int) -> Any:
        roll = self.r.randrange(9 if depth else 7)
        if roll < 2:
            return self.r.choice(STRINGS)
        if roll < 4:
            return self.r.choice(NUMBERS)
        if roll < 6:
            return self.r.choice([True, False, None])
        if roll == 6:
            return self.r.randint(-3, 12)
        if roll == 7:
            return [self.value(depth - 1) for _ in range(self.r.randint(0, 3))]
        return {k: self.value(depth - 1) for k in KEYS if self.chance(0.3)}

    # The keywords, each with a maker of its value. A name that ends in "*" makes several of them.

    def text_keywords(self) -> dict[str, Any]:
        r = self.r
        pool = {
            "minLength": lambda: r.randint(0, 3),
            "maxLength": lambda: r.randint(0, 4),
            "pattern": lambda: r.choice(PATTERNS),
        }
        if self.chance(0.15):
            pool["format"] = lambda: r.choice([f for f, since in FORMATS.items() if since <= self.age])
        return pool

    def number_keywords(self) -> dict[str, Any]:
        r = self.r
        pool: dict[str, Any] = {k: lambda: r.choice(NUMBERS) for k in ("minimum", "maximum")}
        pool["multipleOf"] = lambda: r.choice(DIVISORS)
        if self.age == 0:
            pool["minimum*"] = lambda: {"minimum": r.choice(NUMBERS), "exclusiveMinimum": r.random() < 0.7}
            pool["maximum*"] = lambda: {"maximum": r.choice(NUMBERS), "exclusiveMaximum": r.random() < 0.7}
        else:
            pool |= {k: lambda: r.choice(NUMBERS) for k in ("exclusiveMinimum", "exclusiveMaximum")}
        return pool

    def logic_keywords(self, depth: int) -> dict[str, Any]:
        def several() -> list[Any]:
            return [self.schema(depth - 1) for _ in range(self.r.randint(1, 3))]

        pool: dict[str, Any] = {
            "allOf": several,
            "anyOf": several,
            "oneOf": several,
            "not": lambda: self.schema(depth - 1),
        }
        if self.age >= 2:
            pool["if*"] = lambda: {
                "if": self.schema(depth - 1),
                **({"then": self.schema(depth - 1)} if self.chance(0.8) else {}),
                **({"else": self.schema(depth - 1)} if self.chance(0.5) else {}),
            }
        if self.age >= 1:
            pool["const"] = lambda: self.value(1)
        return pool

    def keys(self, least: int = 1) -> list[str]:
        return self.r.sample(KEYS, self.r.randint(least, 3))

    def object_keywords(self, depth: int) -> dict[str, Any]:
        r = self.r

        def sub() -> Any:
            return self.schema(depth - 1)

        def patterns() -> list[str]:
            return r.sample(PATTERNS, r.choice([1, 1, 2]))

        pool: dict[str, Any] = {
            "properties": lambda: {k: sub() for k in self.keys()},
            "required": lambda: self.keys(),
            "additionalProperties": lambda: r.choice([True, False]) if self.chance(0.5) else sub(),
            "patternProperties": lambda: {p: sub() for p in patterns()},
            "minProperties": lambda: r.randint(0, 3),
            "maxProperties": lambda: r.randint(0, 4),
        }
        if self.age >= 1:
            pool["propertyNames"] = lambda: self.some(self.text_keywords(), 2) if self.chance(0.6) else sub()
        least = 0 if self.age >= 1 else 1
        if self.age <= 2:
            pool["dependencies"] = lambda: {k: r.choice([lambda: self.keys(least), sub])() for k in self.keys()}
        else:
            pool["dependentRequired"] = lambda: {k: self.keys(0) for k in self.keys()}
            pool["dependentSchemas"] = lambda: {k: sub() for k in self.keys()}
            pool["unevaluatedProperties"] = lambda: False if self.chance(0.6) else sub()
        return pool

    def array_keywords(self, depth: int) -> dict[str, Any]:
        r = self.r

        def sub() -> Any:
            return self.schema(depth - 1)

        def tuple_() -> list[Any]:
            return [sub() for _ in range(r.randint(1, 3))]

        def extra() -> Any:
            return r.choice([True, False]) if self.chance(0.5) else sub()

        pool: dict[str, Any] = {
            "minItems": lambda: r.randint(0, 3),
            "maxItems": lambda: r.randint(0, 4),
            "uniqueItems": lambda: self.chance(0.8),
            "items": sub,
        }
        if self.age < 4:
            pool["items*"] = lambda: {"items": tuple_(), **({"additionalItems": extra()} if self.chance(0.6) else {})}
        else:
            pool["prefixItems"] = tuple_
        if self.age >= 1:
            pool["contains"] = sub
        if self.age >= 3:
            pool["contains*"] = lambda: {
                "contains": sub(),
                **({"minContains": r.randint(0, 3)} if self.chance(0.6) else {}),
                **({"maxContains": r.randint(0, 3)} if self.chance(0.6) else {}),
            }
            pool["unevaluatedItems"] = lambda: False if self.chance(0.6) else sub()
        return pool


def same(a: Any, b: Any) -> bool:
    """Equality of JSON values: 1 is 1.0, but not true."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(v, b[k]) for k, v in a.items())
    return a == b


def generate(r: random.Random) -> tuple[str, Any, dict[str, Any]]:
    """Returns a dialect, a schema of it, and the documents that it refers to."""
    dialect = r.choice(DIALECTS)
    g = Generator(r, dialect)
    schema = g.root()
    return dialect, schema, floats(g.documents)


def floats(value: Any) -> Any:
    """Returns the value with decimals as floats: options are written by json.dumps."""
    if isinstance(value, dict):
        return {k: floats(v) for k, v in value.items()}
    if isinstance(value, list):
        return [floats(v) for v in value]
    return float(value) if isinstance(value, Decimal) else value
