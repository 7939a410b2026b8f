"""Instances for a schema: values made from its keywords, values beside it, and their mutations; and their texts. The
judge decides about validity.
"""

from __future__ import annotations

import json
import random
from decimal import Decimal
from typing import Any

from schemas import FORMAT_STRINGS, KEYS, NUMBERS, STRINGS, TYPES

Hints = dict[str, list[Any]]


class Maker:
    """Makes values for one schema."""

    def __init__(self, r: random.Random, schema: Any, documents: dict[str, Any]):
        self.r, self.root, self.documents = r, schema, documents
        self.anchors = {}
        for body in defs_of(schema).values():
            if isinstance(body, dict):
                for key in ("$anchor", "$id", "id"):
                    if isinstance(body.get(key), str):
                        self.anchors["#" + body[key].lstrip("#")] = body

    def target(self, ref: str) -> Any:
        """Resolves the references that schemas.py makes."""
        if ref in ("#", "#node"):
            return self.root
        uri, _, fragment = ref.partition("#")
        if uri:
            whole = self.documents.get(uri, True)
            return defs_of(whole).get("inner", True) if fragment else whole
        if ref in self.anchors:
            return self.anchors[ref]
        name = ref.rsplit("/", 1)[-1] if "%25" not in ref else "r/~%"
        return defs_of(self.root).get(name, True)

    def hints(self, schema: Any, into: Hints, budget: int) -> Hints:
        """Collects the keywords of the schema and of others that apply beside it. It takes one of several
        alternatives."""
        if not isinstance(schema, dict) or budget <= 0:
            return into
        for key, value in schema.items():
            into.setdefault(key, []).append(value)
            if key == "allOf":
                subs = value
            elif key in ("anyOf", "oneOf"):
                subs = [self.r.choice(value)]
            elif key in ("$ref", "$dynamicRef", "$recursiveRef"):
                subs = [self.target(value)]
            elif key == "if":
                subs = [value, schema.get("then", True)] if self.r.random() < 0.5 else [schema.get("else", True)]
            elif key in ("dependencies", "dependentSchemas"):
                subs = [s for s in value.values() if isinstance(s, dict)] if self.r.random() < 0.5 else []
            else:
                continue
            for sub in subs:
                self.hints(sub, into, budget - 1)
        return into

    def value(self, schema: Any, depth: int = 4) -> Any:
        """Returns a value that the schema may well allow."""
        if self.r.random() < 0.04:
            return self.anything(min(depth, 2))
        h = self.hints(schema, {}, 8)
        fixed = [v for values in h.get("enum", []) for v in values] + h.get("const", [])
        if fixed and self.r.random() < 0.9:
            return self.r.choice(fixed)
        kind = self.kind(h)
        if kind == "object":
            return self.object(h, depth)
        if kind == "array":
            return self.array(h, depth)
        return self.scalar(kind, h)

    def kind(self, h: Hints) -> str:
        lists = [t if isinstance(t, list) else [t] for t in h.get("type", [])]
        if lists:
            common = [t for t in lists[0] if all(t in other for other in lists)] or lists[0]
            return self.r.choice(common)
        suggested = []
        for kind, keys in (
            ("object", ("properties", "required", "patternProperties", "additionalProperties", "dependentRequired")),
            ("object", ("dependentSchemas", "dependencies", "minProperties", "unevaluatedProperties", "propertyNames")),
            ("array", ("items", "prefixItems", "contains", "minItems", "uniqueItems", "unevaluatedItems", "maxItems")),
            ("number", ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")),
            ("string", ("minLength", "maxLength", "pattern", "format")),
        ):
            suggested += [kind for k in keys if k in h]
        return self.r.choice(suggested) if suggested and self.r.random() < 0.8 else self.r.choice(TYPES)

    def scalar(self, kind: str, h: Hints) -> Any:
        if kind == "string":
            if h.get("format") and self.r.random() < 0.7:
                return self.r.choice(FORMAT_STRINGS)
            return self.r.choice(STRINGS) if self.r.random() < 0.8 else self.random_string()
        if kind in ("integer", "number"):
            near = [x for k in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") for x in h.get(k, [])]
            near = [x for x in near if not isinstance(x, bool)]
            step = h.get("multipleOf", [1])[0]
            if near and self.r.random() < 0.6:
                return self.r.choice(near) + self.r.choice(
                    [0, 0, 1, -1, step, -step, Decimal("0.01"), Decimal("-0.01")]
                )
            if self.r.random() < 0.3:
                return step * self.r.randint(-4, 8)
            return self.r.choice(NUMBERS)
        return {"boolean": self.r.random() < 0.5, "null": None}.get(kind)

    def random_string(self) -> str:
        return "".join(self.r.choice('ab1xé😀"\\\n ') for _ in range(self.r.randint(0, 5)))

    def object(self, h: Hints, depth: int) -> dict[str, Any]:
        if depth <= 0:
            return {}
        declared: dict[str, list[Any]] = {}
        for properties in h.get("properties", []):
            for k, s in properties.items():
                declared.setdefault(k, []).append(s)
        wanted = {k for names in h.get("required", []) if isinstance(names, list) for k in names}
        out: dict[str, Any] = {}
        others = h.get("additionalProperties", []) + h.get("unevaluatedProperties", [])
        for k in [*declared, *KEYS]:
            if k in out or not (k in wanted or self.r.random() < (0.5 if k in declared else 0.15)):
                continue
            self.member(out, k, declared, h, others, depth)
        for keyword in ("dependencies", "dependentRequired"):
            for deps in h.get(keyword, []):
                for k, names in deps.items():
                    if k in out and isinstance(names, list) and self.r.random() < 0.8:
                        for name in names:
                            if name not in out:
                                self.member(out, name, declared, h, others, depth)
        if self.r.random() < 0.3:
            members = list(out.items())
            self.r.shuffle(members)
            out = dict(members)
        return out

    def member(self, out: dict[str, Any], k: str, declared: Any, h: Hints, others: list[Any], depth: int) -> None:
        schemas = declared.get(k) or others
        for patterns in h.get("patternProperties", []):
            schemas = schemas + list(patterns.values()) if self.r.random() < 0.5 else schemas
        out[k] = self.value(self.r.choice(schemas) if schemas else True, depth - 1)

    def array(self, h: Hints, depth: int) -> list[Any]:
        if depth <= 0:
            return []
        tuples = h.get("prefixItems", []) + [x for x in h.get("items", []) if isinstance(x, list)]
        rest = [x for x in h.get("items", []) if not isinstance(x, list)]
        rest += h.get("additionalItems", []) + h.get("unevaluatedItems", [])
        least = max([int(x) for x in h.get("minItems", []) + h.get("minContains", [])] + [0])
        n = least + self.r.choice([0, 0, 1, 1, 2, 3]) if self.r.random() < 0.8 else self.r.randint(0, 4)
        out = []
        for i in range(min(n, 6)):
            here = [t[i] for t in tuples if i < len(t)] or rest
            if h.get("contains") and self.r.random() < 0.5:
                here = h["contains"]
            out.append(self.value(self.r.choice(here) if here else True, depth - 1))
        return out

    def anything(self, depth: int) -> Any:
        roll = self.r.randrange(7 if depth > 0 else 5)
        if roll == 5:
            return [self.anything(depth - 1) for _ in range(self.r.randint(0, 3))]
        if roll == 6:
            return {k: self.anything(depth - 1) for k in KEYS if self.r.random() < 0.3}
        return self.scalar(self.r.choice(TYPES[:5]), {})

    def mutate(self, value: Any) -> Any:
        """Changes one thing in the value."""
        if isinstance(value, list) and value and self.r.random() < 0.8:
            i = self.r.randrange(len(value))
            roll = self.r.randrange(4)
            if roll == 0:
                return value[:i] + value[i + 1 :]
            if roll == 1:
                return value[:i] + [value[i]] + value[i:]
            if roll == 2:
                return value[:i] + [self.anything(1)] + value[i:]
            return value[:i] + [self.mutate(value[i])] + value[i + 1 :]
        if isinstance(value, dict) and value and self.r.random() < 0.8:
            k = self.r.choice(list(value))
            roll = self.r.randrange(4)
            if roll == 0:
                return {x: v for x, v in value.items() if x != k}
            if roll == 1:
                return value | {self.r.choice([*KEYS, "zz"]): self.anything(1)}
            if roll == 2:
                return {self.r.choice(KEYS) if x == k else x: v for x, v in value.items()}
            return value | {k: self.mutate(value[k])}
        if isinstance(value, str) and self.r.random() < 0.5:
            return self.r.choice([value + "a", value[1:], value[:-1], value.upper(), value + value])
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool) and self.r.random() < 0.7:
            return self.r.choice([value + 1, -value, value * 2, value + Decimal("0.5"), value * 10**20])
        return self.anything(2)


def defs_of(schema: Any) -> dict[str, Any]:
    """The definitions of a schema."""
    return (schema.get("$defs") or schema.get("definitions") or {}) if isinstance(schema, dict) else {}


class Writer:
    """Writes values as JSON text, in one of the spellings that a value has."""

    def __init__(self, r: random.Random, options: dict[str, Any]):
        self.r, self.ascii = r, bool(options.get("ascii_only"))
        self.wild = r.random() < 0.3  # numbers, escapes and whitespace that a model would rarely write
        self.indent = options.get("indent")
        self.fixed = self.indent is not None or "separators" in options
        self.comma, self.colon = options.get("separators", (",", ": ") if self.fixed else (",", ":"))
        # The whitespace that may stand in a gap, and its length.
        self.blanks = (
            "" if options.get("compact") or self.fixed else " " if "whitespace_pattern" in options else " \t\n\r"
        )
        # Without an option about whitespace, it is the output of serializers.
        free = len(self.blanks) > 1 and "max_whitespace" not in options
        self.gaps = ("", " ", "\n", "\r\n  ", "\n\t", "\n\n") if free else ()
        self.longest = 1 if "whitespace_pattern" in options else min(3, options.get("max_whitespace", 3))

    def gap(self) -> str:
        if not self.wild:
            return " " if self.blanks else ""
        if self.gaps:
            return self.r.choice(self.gaps)
        return "".join(self.r.choice(self.blanks) for _ in range(self.r.randint(0, self.longest)) if self.blanks)

    def text(self, value: Any, depth: int = 0) -> str:
        if isinstance(value, dict):
            parts = [f"{self.string(k)}{self.colon}{self.gap()}{self.text(v, depth + 1)}" for k, v in value.items()]
            return self.joined("{", parts, "}", depth)
        if isinstance(value, list):
            return self.joined("[", [self.text(v, depth + 1) for v in value], "]", depth)
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, bool) or value is None:
            return {True: "true", False: "false", None: "null"}[value]
        return self.number(value)

    def joined(self, begin: str, parts: list[str], end: str, depth: int) -> str:
        if self.indent is not None and parts:  # as Python's json.dumps does
            line = "\n" + self.indent * depth
            return begin + line + self.indent + f"{self.comma}{line}{self.indent}".join(parts) + line + end
        edge = self.gap() if self.wild else ""
        return begin + edge + ((self.comma + self.gap()).join(parts) + edge if parts else "") + end

    def number(self, x: Any) -> str:
        plain = format(x, "f") if isinstance(x, Decimal) else str(x)
        if not self.wild:
            return plain
        roll = self.r.randrange(5)
        if roll == 0:
            return plain + ("0" if "." in plain else ".0")
        if roll == 1:
            d = Decimal(x)
            shift = self.r.choice([1, 2, -1])
            return format(d.scaleb(-shift), "f") + self.r.choice(["e", "E", "e+" if shift > 0 else "e"]) + str(shift)
        return plain

    def string(self, s: str) -> str:
        if not self.wild or self.r.random() < 0.5:
            return json.dumps(s, ensure_ascii=self.ascii)
        out = []
        for c in s:
            if self.r.random() < 0.5:
                out.append(json.dumps(c, ensure_ascii=self.ascii)[1:-1])
            else:
                units = c.encode("utf-16-be")
                out += [f"\\u{units[i] << 8 | units[i + 1]:04{self.r.choice('xX')}}" for i in range(0, len(units), 2)]
        return '"' + "".join(out) + '"'
