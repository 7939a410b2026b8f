"""Outputs that families of models let through, written at random, and the calls that each stands for: for tests that
ask vLLM's and SGLang's readers for the same.

An output is walked along the masks of a request that demands a call, by samplers that like blanks, odd strings, digits
and marks. `meant` takes it apart by the family's file and docs/grammars.md, and asks no reader.
"""

from __future__ import annotations

import ast
import html
import json
import os
import random
import re
from collections.abc import Callable
from typing import Any

import jsonschema
import numpy as np
from tool_calls import made_tokenizer

import sluice

COUNT = int(os.environ.get("SLUICE_TEST_OUTPUTS", "30"))  # outputs of each family


def _object(required=(), more=False, **properties):
    made = {"type": "object", "properties": properties} | ({} if more else {"additionalProperties": False})
    return made | ({"required": list(required)} if required else {})


_TEXT = {"type": "string", "maxLength": 40}
TOOLS = {
    "get_weather2": _object(["city"], city=_TEXT, unit={"enum": ["c", "f"]}, days={"type": "integer", "minimum": 0}),
    "Tool_3x": _object(["n1"], n1={"type": "number"}, is_on={"type": "boolean"}, k={"type": "number", "maximum": 9}),
    "find": _object(
        q={"type": ["string", "null"], "maxLength": 8},
        flag={"type": ["boolean", "null"]},
        max_2={"anyOf": [{"type": "integer"}, {"type": "null"}]},
        ratio={"type": ["number", "null"]},
    ),
    "nested": _object(
        tags={"type": "array", "items": {"type": "string", "maxLength": 6}, "maxItems": 3},
        at_1=_object(["x"], x={"type": "number"}, name={"type": "string", "maxLength": 6}, ok={"type": "boolean"}),
        list_of={"type": "array", "items": {"type": ["integer", "null"]}, "maxItems": 3},
    ),
    "ping": _object(),
    "loose": {"type": "object"},  # as a tool without strict
}
NULLABLE = TOOLS["find"]["properties"]

# Texts that readers may trip over within strings, besides the marks of the family.
ODD = "null|None|true|1e5|NULL|{}|[]|\"|'|\\n|&lt;|]|)|, |a=1|}}|#|\u2028|\u0085|é".split("|")

# vLLM's and SGLang's readers of each family. No engine has one for "cohere" and "nemotron", and engines take outputs of
# "arguments" and "json_list" apart themselves.
READERS: dict[str, tuple[list[str], list[str]]] = {
    "command_r7b": (["cohere_command3", "cohere_command4"], ["cohere_command4"]),
    "deepseek_r1": (["deepseek_v3"], ["deepseekv3"]),
    "deepseek_v3_1": (["deepseek_v31"], ["deepseekv31"]),
    "deepseek_v3_2": (["deepseek_v32"], ["deepseekv32"]),
    "deepseek_v4": (["deepseek_v4"], ["deepseekv4"]),
    "deepseek_v4_1": (["deepseek_v41"], ["deepseekv41"]),
    "exaone4": (["hermes"], ["hermes"]),
    "function_gemma": (["functiongemma"], []),
    "gemma_4": (["gemma4"], ["gemma4"]),
    "glm_4_5": (["glm45"], ["glm45"]),
    "glm_4_7": (["glm47"], ["glm47"]),
    "granite": (["granite"], []),
    "granite_20b_fc": (["granite-20b-fc"], []),
    "harmony": ([], ["gpt-oss"]),  # vLLM's reads tokens of the model's own tokenizer
    "hermes": (["hermes", "granite4"], ["hermes", "qwen25"]),
    "kimi_k2": (["kimi_k2"], ["kimi_k2"]),
    "kimi_k3": (["kimi_k3"], ["kimi_k3"]),
    "lfm2": (["lfm2"], ["lfm2"]),
    "llama": (["llama3_json", "llama4_json"], ["llama3"]),
    "mimo": (["mimo"], ["mimo"]),
    "minimax": (["minimax_m2"], ["minimax-m2"]),
    "minimax_m3": (["minimax_m3"], ["minimax-m3"]),
    "mistral": (["mistral"], ["mistral"]),
    "mistral_v11": (["mistral"], ["mistral"]),
    "olmo3": (["olmo3"], []),
    "phi4_mini": (["phi4_mini_json"], []),
    "pythonic": (["pythonic", "llama4_pythonic"], ["pythonic"]),
    "qwen3": (["hermes"], ["qwen25"]),
    "qwen3_coder": (["qwen3_coder", "qwen3_xml", "step3p5"], ["qwen3_coder", "step3p5"]),
}
UNREAD = {"arguments", "cohere", "json_list", "nemotron"}

Calls = list[tuple[str, Any]]


def _texts(calls: Calls) -> list[str]:
    """The arguments that are, or may be, strings."""
    found = [v for _, arguments in calls for v in arguments.values()]
    found = [x for v in found for x in (v.values if isinstance(v, Either) else [v])]
    return [v for v in found if isinstance(v, str)]


def _given(calls: Calls, names) -> bool:
    return any(name in arguments for _, arguments in calls for name in names)


def _strips(text: str, calls: Calls) -> bool:
    return any(t != t.strip() for t in _texts(calls))


def _undeclared(text: str, calls: Calls) -> bool:
    return any(name == "loose" and arguments for name, arguments in calls)


# What readers get wrong of outputs that the models' templates write so: a name for it, and the outputs it is about.
Bug = tuple[str, Callable[[str, Calls], bool]]
_STRIPS: Bug = ("white space at the edges of strings is lost", _strips)
_JSON: Bug = ("strings that are JSON, or stand in quotes, are read as that", lambda _, c: any(map(_spells, _texts(c))))
BUGS: dict[tuple[str, str], list[Bug]] = {
    ("sglang", "deepseekv32"): [_STRIPS],
    ("sglang", "deepseekv4"): [_STRIPS],
    ("sglang", "deepseekv41"): [_STRIPS],
    ("sglang", "pythonic"): [
        ("calls with a negative number are left out", lambda text, _: re.search(r"-\d", text) is not None),
    ],
    ("vllm", "gemma4"): [("what is not declared is a text", _undeclared)],
    ("sglang", "gemma4"): [("null is a text", lambda text, _: "null" in text)],
    ("sglang", "glm45"): [_JSON],
    ("sglang", "glm47"): [_JSON],
    ("sglang", "gpt-oss"): [
        ("of the spellings of a call one is read", lambda text, _: " to=functions." in text.replace("tary to", ""))
    ],
    ("sglang", "mimo"): [
        ("types in a list, or in anyOf, are not read", lambda _, c: _given(c, NULLABLE)),
        ("strings are taken for HTML", lambda text, _: "&" in text),
    ],
    ("sglang", "minimax-m2"): [
        (
            "what may be null is null, and so are none and nil",
            lambda _, c: _given(c, NULLABLE) or any(t.strip().lower() in ("none", "nil") for t in _texts(c)),
        ),
        _STRIPS,
    ],
    ("sglang", "minimax-m3"): [("integers of anyOf are texts", lambda text, _: "<max_2>" in text)],
    ("vllm", "cohere_command3"): [("no arguments are the empty text", lambda _, calls: any(not a for _, a in calls))],
    ("vllm", "cohere_command4"): [("no arguments are the empty text", lambda _, calls: any(not a for _, a in calls))],
    ("vllm", "functiongemma"): [
        ("only strings are read", lambda text, _: re.search(r":(?!<escape>)", text.split("{", 1)[1]) is not None),
        _JSON,
    ],
    ("vllm", "phi4_mini_json"): [("the first ] ends the calls", lambda text, _: "]" in text[:-1])],
}
# Errors that 2,000 outputs need not meet, by engine.
RARE: dict[str, list[Bug]] = {
    "sglang": [("a string with , )] ends the calls", lambda text, _: re.search(r",\s*\)\s*\]", text[:-2]) is not None)],
    "vllm": [
        (
            "a string in quotes that spells null is null if the schema has both",
            lambda _, c: any(str(a.get(name)).lower() == "null" for _, a in c for name in NULLABLE),
        )
    ],
}


def families():
    """The families of the library, by name."""
    return {f["name"]: f for f in sluice.families()}


def _marks(family):
    """All that the file says of how calls stand."""
    calls = family.get("calls") or {}
    ends = calls.get("end", "")
    found = [*family.get("reserved", ()), *family.get("tokens", ()), *(ends if isinstance(ends, list) else [ends])]
    found += [p.strip() for c in family["call"] for p in re.split(r"\$[a-z]+", c)]
    return [m for m in dict.fromkeys(found) if m]


class Writer:
    """Writes outputs of one family. With special: the vocabulary has the family's tokens as special ones."""

    def __init__(self, name, special, **options):
        self.family = families()[name]
        without = ["[ARGS]"] if name == "mistral" else []  # by which vLLM tells its tokenizers
        self.tokenizer = made_tokenizer(self.family.get("tokens" if special else "needs", []), without=without)
        self.end = self.tokenizer.eos_token_id
        self.vocabulary = sluice.Vocabulary.from_huggingface(self.tokenizer, end_tokens=self.end)
        asked = {"tools": [{"type": "function", "function": f} for f in _functions()], "tool_choice": "required"}
        self.grammar = sluice.Compiler(self.vocabulary).compile_request(asked, family=name, **options)
        self.row = np.zeros((1, self.vocabulary.words), np.int32)
        self.odd = [self._encode(t) for t in [*ODD, *_marks(self.family)]]
        self.closing = self._ids([*"\"'}])", *self.family.get("tokens", ())])
        self.stop = self._encode(STOPS.get(self.family["arguments"], '"'))
        self.blanks, self.digits = self._ids("ĠĊ"), self._ids("0123456789")  # as byte-level vocabularies spell them

    def _encode(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False)

    def _ids(self, texts):
        return {i for t in texts if (i := self.tokenizer.convert_tokens_to_ids(t)) is not None}

    def write(self, rng: random.Random) -> str:
        """Returns an output. It ends when it may, or after a while always."""
        matcher = self.grammar.matcher()
        blank, odd, more = rng.choice([0, 0.1, 0.5]), rng.choice([0, 0.05, 0.2]), rng.random() * 0.6
        tokens, ahead = [], []
        while True:
            matcher.fill(self.row)
            allowed = np.flatnonzero(np.unpackbits(self.row.view(np.uint8), bitorder="little")).tolist()
            assert allowed and len(tokens) < 4000, self.tokenizer.decode(tokens)
            if self.end in allowed and (rng.random() > more or len(tokens) > 600 or allowed == [self.end]):
                return self.tokenizer.decode(tokens)
            free = len(allowed) > 120  # within a string, or text
            if not ahead and free and rng.random() < odd:
                ahead = list(rng.choice(self.odd))
            if not ahead and free and rng.random() < (0.05 if len(tokens) < 600 else 0.5):
                ahead = list(self.stop)
            if ahead and ahead[0] not in allowed:
                ahead = []
            token = ahead.pop(0) if ahead else self._pick(set(allowed) - {self.end}, free, blank, rng)
            assert matcher.accept(token)
            tokens.append(token)

    def _pick(self, allowed, free, blank, rng):
        for some, likely in (
            (self.blanks, 0 if free else blank),
            (self.digits, 0 if free else 0.4),
            (self.closing, 0.5),
        ):
            if some & allowed and rng.random() < likely:
                return rng.choice(sorted(some & allowed))
        return rng.choice(sorted(allowed))


def _functions():
    return [{"name": n, "parameters": p} for n, p in TOOLS.items()]


class Either:
    """Equal to each of several values: for a schema of string or number, readers return either of a text in tags."""

    def __init__(self, values):
        self.values = values

    def __repr__(self):
        return f"Either({self.values!r})"


def _same(meant, read):
    """Whether a value that was read equals the written one. Numbers are compared by value, as readers keep them."""
    if isinstance(meant, Either):
        return any(_same(v, read) for v in meant.values)
    if isinstance(meant, list):
        return isinstance(read, list) and len(meant) == len(read) and all(map(_same, meant, read))
    if isinstance(meant, dict):
        alike = isinstance(read, dict) and meant.keys() == read.keys()
        return alike and all(_same(v, read[k]) for k, v in meant.items())
    if isinstance(meant, bool) or not isinstance(meant, (int, float)):
        return meant == read and type(meant) is type(read)
    return isinstance(read, (int, float)) and not isinstance(read, bool) and float(meant) == float(read)


def _valid(value, schema):
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def _loaded(text):
    try:
        return [json.loads(text)]
    except ValueError:
        return []


def _spells(text):
    """Whether some reader takes a string for something else: JSON, a literal of Python, or text in quotes."""
    text = text.strip()
    return bool(_loaded(text)) or text[:1] in ("'", '"') or text in ("None", "True", "False")


# Readers of arguments in each style: from a place in an output; they return the arguments and the place of their end.


def _tagged(parameter, edge="", escapes=False):
    """A reader of tags: parameter has the groups name and value, and type if the tag has one; edge is stripped from
    strings, and names may have escapes."""
    parameter = re.compile(rf"\s*{parameter}", re.DOTALL)

    def read(text, at, schema):
        found = {}
        while m := parameter.match(text, at):
            value, kind = m["value"], m.groupdict().get("type")
            texts = [] if kind not in (None, "true", "string") else [re.sub(rf"\A{edge}|{edge}\Z", "", value)]
            texts += [] if kind in ("true", "string") else _loaded(value)
            name = html.unescape(m["name"]) if escapes else m["name"]
            found[name] = Either([t for t in texts if _valid(t, schema.get("properties", {}).get(name, True))])
            assert found[name].values, m[0]
            at = m.end()
        return found, re.compile(r"\s*").match(text, at).end()

    return read


def _json(text, at, schema):
    return json.JSONDecoder().raw_decode(text, at)


def _python(text, at, schema):
    for m in re.compile(r"\)").finditer(text, at):
        try:
            call = ast.parse(f"f({text[at : m.start()]})", mode="eval").body
        except SyntaxError:
            continue
        return {k.arg: ast.literal_eval(k.value) for k in call.keywords}, m.start()
    raise ValueError(text[at:])


def _gemma(mark):
    string, key = re.compile(rf"{re.escape(mark)}(.*?){re.escape(mark)}", re.DOTALL), re.compile(r"([\w.$@/-]+):")

    def read(text, at, schema):
        out, depth = [], 1
        while True:
            if m := string.match(text, at) or key.match(text, at):
                out.append(json.dumps(m[1]) + m[0][-1].replace(mark[-1], ""))
                at = m.end()
                continue
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if not depth:
                return json.loads("{" + "".join(out) + "}"), at
            out.append(text[at])
            at += 1

    return read


def _with_type(begin, end):
    return rf'{begin}(?P<name>[^"]+)" string="(?P<type>true|false)">(?P<value>.*?){end}'


STYLES = {
    "json": _json,
    "python": _python,
    "qwen_xml": _tagged("<parameter=(?P<name>[^>]+)>(?P<value>.*?)</parameter>", "\n"),
    "mimo_xml": _tagged("<parameter=(?P<name>[^>]+)>(?P<value>.*?)</parameter>"),
    "minimax_xml": _tagged('<parameter name="(?P<name>[^"]+)">(?P<value>.*?)</parameter>'),
    "deepseek_xml": _tagged(_with_type('<｜DSML｜parameter name="', "</｜DSML｜parameter>")),
    "deepseek_v4_1_xml": _tagged(_with_type('<｜DSML｜ parameter name="', "</｜DSML｜ parameter>")),
    "glm_xml": _tagged(r"<arg_key>(?P<name>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>"),
    "kimi_k3_xml": _tagged(
        r'<\|open\|>argument key="(?P<name>[^"]+)" type="(?P<type>\w+)"<\|sep\|>'
        r"(?P<value>.*?)<\|close\|>argument<\|sep\|>",
        escapes=True,
    ),
    "gemma_4": _gemma('<|"|>'),
    "function_gemma": _gemma("<escape>"),
}
# What ends a string that only its type constrains.
STOPS = {
    "qwen_xml": "</parameter>",
    "mimo_xml": "</parameter>",
    "minimax_xml": "</parameter>",
    "minimax_m3_xml": "]<]minimax[>[</",
    "deepseek_xml": "</｜DSML｜parameter>",
    "deepseek_v4_1_xml": "</｜DSML｜ parameter>",
    "glm_xml": "</arg_value>",
    "kimi_k3_xml": "<|close|>argument<|sep|>",
    "gemma_4": '<|"|>',
    "function_gemma": "<escape>",
}
_PARTS = {"name": r"(?P<name>\w+)", "index": "[0-9]+", "id": "[a-zA-Z0-9]{9}"}


def meant(family, text) -> Calls | None:
    """The calls of an output, each a name and its arguments; None: they are nested in tags, which are not read here."""
    style = STYLES.get(family["arguments"])
    if style is None:
        return None
    heads = []
    for call in family["call"]:
        pattern = re.sub(r"\\\$([a-z]+)", lambda m: _PARTS[m[1]], re.escape(call.split("$arguments")[0]))
        heads.append(re.compile(pattern))
    found, at = [], 0
    while matches := [m for head in heads if (m := head.search(text, at)) and m["name"] in TOOLS]:
        m = min(matches, key=lambda m: m.start())
        arguments, at = style(text, m.end(), TOOLS[m["name"]])
        found.append((m["name"], arguments))
    return found


def _no_json(word):
    raise ValueError(word)


def _wrong(expected: Calls | None, calls) -> str | None:
    found = []
    for name, arguments in calls:
        try:
            read = json.loads(arguments, parse_constant=_no_json) if isinstance(arguments, str) else arguments
        except ValueError:
            return f"{name} has arguments that are no JSON: {arguments!r}"
        if name not in TOOLS or not _valid(read, TOOLS[name]):
            return f"no tool {name} takes {read!r}"
        found.append((name, read))
    if expected is None:
        return None if found else "no call is read"
    if [n for n, _ in expected] != [n for n, _ in found] or not all(_same(a[1], b[1]) for a, b in zip(expected, found)):
        return f"{expected!r} is read as {found!r}"
    return None


def judge(engine, parsers, name, read) -> None:
    """Compares with an engine's readers the calls of COUNT outputs of a family: read(parser, tokenizer, text) returns
    names and arguments. Known errors of a reader are left out; with many outputs each has to happen."""
    kinds = [(special, {"compact": True} if compact else {}) for special in (True, False) for compact in (False, True)]
    rng, lost, met = random.Random(f"{name} {os.environ.get('SLUICE_TEST_SEED', 1)}"), [], set()
    known = {(parser, reason) for parser in parsers for reason, _ in BUGS.get((engine, parser), ())}
    for special, options in kinds:
        writer = Writer(name, special, **options)
        for _ in range(-(-COUNT // len(kinds))):
            text = writer.write(rng)
            expected = meant(writer.family, text)
            for parser in parsers:
                try:
                    wrong = _wrong(expected, read(parser, writer.tokenizer, text))
                except Exception as e:  # the call is lost
                    wrong = repr(e)
                if not wrong:
                    continue
                bugs = [r for r, about in BUGS.get((engine, parser), ()) if about(text, expected or [])]
                met.update((parser, reason) for reason in bugs)
                if not bugs and not any(about(text, expected or []) for _, about in RARE[engine]):
                    lost.append((parser, text, wrong))
    assert not lost, f"{len(lost)} outputs, the shortest {min(lost, key=lambda x: len(x[1]))}"
    assert COUNT < 2000 or met == known, f"mended, so take it out of BUGS: {known - met}"
