"""Writes the text that make_tokenizer.py trains on: prose, code, JSON, numbers, dates and many scripts, all made up.

Nothing here is copied from anywhere; every line is drawn from the lists of corpus_words.py by a seeded generator, so
equal seeds give equal text on every machine.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from corpus_words import COMMON, EMOJI, LANGUAGES, PREFIXES, SCRIPTS, STEMS, SUFFIXES, SYMBOLS


class Words:
    """Draws words with a natural spread: few of them often, most of them seldom (Zipf's law)."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        stems = list(dict.fromkeys(STEMS))
        made = {f"{rng.choice(PREFIXES) if rng.random() < 0.35 else ''}{s}{x}" for s in stems for x in SUFFIXES}
        made |= {f"{a}{b}" for a in rng.sample(stems, 90) for b in rng.sample(stems, 40) if len(a) > 3}
        kept = sorted(made)
        rng.shuffle(kept)
        common = list(dict.fromkeys(COMMON))
        self.english = common + kept[:14000]
        self.english_sum = self._cumulative(len(self.english), 0.85)
        self.nouns = [w for w in common if len(w) > 3] + kept[:2500]
        self.noun_sum = self._cumulative(len(self.nouns), 0.7)
        self.names = [self._name() for _ in range(1500)]
        self.foreign = {code: text.split() for code, text in LANGUAGES.items()}

    @staticmethod
    def _cumulative(n: int, power: float) -> list[float]:
        total, out = 0.0, []
        for i in range(n):
            total += 1 / (i + 3) ** power
            out.append(total)
        return out

    def _name(self) -> str:
        syllables = (
            "al an ar bel ben car da de el en fer ga ha ian il ja jo ka ki la le li lo ma mi mo na ni no o ra ri ro sa"
        )
        syllables += " se shi so ta te ti to u va vi wen xi ya yu za son sen ton ley ford man berg stein ova ski ez"
        return "".join(self.rng.choices(syllables.split(), k=self.rng.randint(2, 3))).capitalize()

    def word(self) -> str:
        return self.rng.choices(self.english, cum_weights=self.english_sum)[0]

    def noun(self) -> str:
        return self.rng.choices(self.nouns, cum_weights=self.noun_sum)[0]

    def words(self, n: int) -> list[str]:
        return self.rng.choices(self.english, cum_weights=self.english_sum, k=n)

    def identifier(self) -> str:
        parts = [self.noun() for _ in range(self.rng.choice((1, 1, 2, 2, 3)))]
        style = self.rng.randrange(5)
        if style <= 1:
            return "_".join(parts)
        if style == 2:
            return parts[0] + "".join(p.capitalize() for p in parts[1:])
        return "".join(p.capitalize() for p in parts) if style == 3 else parts[0]


def sentence(w: Words) -> str:
    rng = w.rng
    out = w.words(rng.randint(4, 18))
    if rng.random() < 0.25:
        out[rng.randrange(len(out))] = rng.choice(w.names)
    if rng.random() < 0.3:
        i = rng.randrange(len(out))
        out[i] += rng.choice((",", ";", ":", ",", " –", "'s", "n't", "'re", "'ll", "'ve"))
    if rng.random() < 0.08:
        i = rng.randrange(len(out))
        out[i] = f'"{out[i]}"' if rng.random() < 0.5 else f"({out[i]})"
    return out[0].capitalize() + " " + " ".join(out[1:]) + rng.choice(("." * 6 + "!?")[rng.randrange(8)])


def prose(w: Words) -> str:
    rng = w.rng
    if rng.random() < 0.15:
        mark = rng.choice(("- ", "* ", "1. ", "> ", "  - "))
        body = "\n".join(mark + sentence(w) for _ in range(rng.randint(2, 5)))
        return f"{'#' * rng.randint(1, 4)} {' '.join(w.words(3)).title()}\n\n{body}\n"
    return " ".join(sentence(w) for _ in range(rng.randint(2, 7))) + "\n"


def number(rng: random.Random) -> str:
    return rng.choice(
        (
            lambda: str(rng.randrange(10 ** rng.randint(1, 9))),
            lambda: f"{rng.uniform(-1000, 1000):.{rng.randint(1, 6)}f}",
            lambda: f"{rng.uniform(-10, 10):.3e}",
            lambda: f"{rng.randrange(10**7):,}",
            lambda: f"0x{rng.randrange(2**32):x}",
            lambda: f"{rng.randint(1, 100)}%",
            lambda: f"${rng.randrange(10**5)}.{rng.randrange(100):02}",
        )
    )()


def date(rng: random.Random) -> str:
    y, m, d = rng.randint(1900, 2040), rng.randint(1, 12), rng.randint(1, 28)
    hour, minute, second = rng.randrange(24), rng.randrange(60), rng.randrange(60)
    return rng.choice(
        (
            f"{y}-{m:02}-{d:02}",
            f"{y}-{m:02}-{d:02}T{hour:02}:{minute:02}:{second:02}Z",
            f"{y}-{m:02}-{d:02}T{hour:02}:{minute:02}:{second:02}.{rng.randrange(1000):03}+0{rng.randrange(10)}:00",
            f"{d}/{m}/{y}",
            f"{hour}:{minute:02}",
        )
    )


def atom(w: Words):
    """One JSON leaf, of the kinds that APIs return."""
    rng = w.rng
    hexa = f"{rng.getrandbits(128):032x}"
    return rng.choice(
        (
            lambda: w.noun(),
            lambda: rng.choice(w.names),
            lambda: " ".join(w.words(rng.randint(2, 9))),
            lambda: sentence(w),
            lambda: rng.randrange(10 ** rng.randint(1, 6)),
            lambda: round(rng.uniform(-500, 500), rng.randint(1, 5)),
            lambda: rng.random() < 0.5,
            lambda: None,
            lambda: date(rng),
            lambda: f"https://{w.noun()}.example.{rng.choice(('com', 'org', 'net'))}/{w.noun()}/{rng.randrange(1000)}",
            lambda: f"{w.noun()}.{w.noun()}@example.com",
            lambda: f"{hexa[:8]}-{hexa[8:12]}-{hexa[12:16]}-{hexa[16:20]}-{hexa[20:]}",
            lambda: f'line {rng.randrange(100)}\n\t{w.noun()}: "{w.noun()}"\\{w.noun()}',
            lambda: rng.choice(w.foreign[rng.choice(list(w.foreign))]),
            list,
            dict,
        )
    )()


def value(w: Words, depth: int):
    rng = w.rng
    kind = rng.random()
    if depth <= 0 or kind < 0.55:
        return atom(w)
    if kind < 0.72:
        one = rng.choice((lambda: rng.randrange(1000), w.noun, lambda: value(w, depth - 1)))
        return [one() for _ in range(rng.randint(1, 5))]
    return {w.identifier() if rng.random() < 0.6 else w.noun(): value(w, depth - 1) for _ in range(rng.randint(1, 6))}


def schema(w: Words, depth: int) -> dict:
    """A made-up JSON Schema: its keywords should be frequent words of the vocabulary."""
    rng = w.rng
    kind = rng.choice(
        ("string", "integer", "number", "boolean", "array", "object", "object") if depth else ("string", "integer")
    )
    out: dict = {"type": kind}
    if rng.random() < 0.3:
        out["description"] = sentence(w)
    if kind == "object":
        out["properties"] = {w.identifier(): schema(w, depth - 1) for _ in range(rng.randint(1, 4))}
        out["required"] = list(out["properties"])[: rng.randint(0, 3)]
        out["additionalProperties"] = rng.random() < 0.5
    elif kind == "array":
        out |= {"items": schema(w, depth - 1), "minItems": rng.randint(0, 3), "maxItems": rng.randint(3, 10)}
    elif kind == "string":
        out |= rng.choice(
            ({"enum": w.words(3)}, {"pattern": "^[a-z]+$"}, {"minLength": 1, "maxLength": 64}, {"format": "date-time"})
        )
    else:
        out |= {"minimum": rng.randrange(10), "maximum": rng.randrange(10, 1000)}
    return out


def document(w: Words) -> str:
    rng = w.rng
    tree = {w.identifier(): value(w, 3) for _ in range(rng.randint(2, 7))} if rng.random() < 0.75 else schema(w, 3)
    style = rng.random()
    if style < 0.4:
        text = json.dumps(tree, ensure_ascii=False)
    elif style < 0.6:
        text = json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
    else:
        text = json.dumps(tree, ensure_ascii=rng.random() < 0.1, indent=rng.choice((2, 2, 4, 4, "\t")))
    if rng.random() < 0.1:
        return f'<tool_call>\n{{"name": "{w.identifier()}", "arguments": {text}}}\n</tool_call>\n'
    return text + "\n"


def code(w: Words) -> str:
    """A few lines in one of several languages, of the shapes that such code has everywhere."""
    rng, i, n = w.rng, w.identifier, w.noun
    a, b, c, t = i(), i(), n(), i().title().replace("_", "")
    num = rng.randrange(100)
    return rng.choice(
        (
            lambda: (
                f'def {a}(self, {b}: str, {c}: int = {num}) -> list[{t}]:\n    """{sentence(w)}"""\n    if {c} is None:\n'
                f'        raise ValueError(f"{n()} {{{b}!r}}")\n    for {n()} in range(len(self.{a})):\n        {c} += {num}\n    return [{b}]\n'
            ),
            lambda: (
                f"class {t}({i()}):\n    def __init__(self, {a}, {b}):\n        self.{a} = {a}\n        self._{b} = {b} or {{}}\n"
            ),
            lambda: (
                f'import {c}\nfrom {n()} import {a}, {b}\n\nif __name__ == "__main__":\n    print({a}({num}), {b}["{c}"])\n'
            ),
            lambda: (
                f"func (s *{t}) {a.title()}(ctx context.Context, {b} string) (*{t}, error) {{\n\tif err != nil {{\n\t\treturn nil, "
                f'fmt.Errorf("{c}: %w", err)\n\t}}\n\tfor _, v := range s.{b} {{\n\t\ts.{c} = append(s.{c}, v)\n\t}}\n\treturn s, nil\n}}\n'
            ),
            lambda: (
                f"export async function {a}({b}: string, {c}?: number): Promise<{t}> {{\n  const {n()} = await fetch(`/api/${{{b}}}`);\n"
                f"  if (!response.ok) {{\n    throw new Error('{n()}');\n  }}\n  return {{ {b}, {c}: {num} }};\n}}\n"
            ),
            lambda: (
                f"const {a} = {b}.map(({c}) => ({{ ...{c}, {n()}: {num} }})).filter(Boolean);\nconsole.log({a}?.length ?? 0);\n"
            ),
            lambda: (
                f"public static final {t} {a}(int {b}, List<String> {c}) {{\n        return new {t}({b} + {num}, {c}.size());\n    }}\n"
            ),
            lambda: (
                f"#include <{c}.h>\n\nstatic int {a}(const char *{b}, size_t {c}) {{\n    if (!{b}) {{\n        return -1;\n    }}\n"
                f"    for (size_t i = 0; i < {c}; i++) {{\n        {n()}[i] |= 1u << ({b}[i] & 31);\n    }}\n    return 0;\n}}\n"
            ),
            lambda: (
                f"impl<'a, T: Clone> {t}<'a, T> {{\n    pub fn {a}(&mut self, {b}: &str) -> Result<Option<T>, Error> {{\n"
                f"        match self.{c}.get({b}) {{\n            Some(v) => Ok(Some(v.clone())),\n            None => Ok(None),\n        }}\n    }}\n}}\n"
            ),
            lambda: (
                f"SELECT {a}, COUNT(*) AS {b} FROM {c} WHERE {n()} >= {num} AND {n()} IS NOT NULL GROUP BY {a} ORDER BY {b} DESC LIMIT {num};\n"
            ),
            lambda: (
                f'<div class="{n()}-{n()}" id="{a}">\n  <a href="/{b}">{sentence(w)}</a>\n  <span>{num}</span>\n</div>\n'
            ),
            lambda: (
                f".{n()}-{n()} {{\n  margin: 0 auto;\n  padding: {num}px {num}px;\n  color: #{rng.randrange(1 << 24):06x};\n}}\n"
            ),
            lambda: (
                f'#!/bin/sh\nset -e\nfor {c} in *.txt; do\n    echo "${{{c}}}" | grep -v \'^#\' > "$1/{a}.log" || exit {num % 3}\ndone\n'
            ),
            lambda: f'{c}:\n  - name: {a}\n    {n()}: {num}\n    {n()}: true\n  - name: {b}\n    value: "{n()}"\n',
            lambda: f'root ::= {n()} ("," {n()})*\n{n()} ::= [a-zA-Z_] [0-9]+ | "{c}"\n{n()} ::= "(" {n()} ")"\n',
            lambda: f"    {a}[{num}] = ({b} * {num}) + {c} / {num}.0;  // {sentence(w)}\n",
            lambda: f"// {sentence(w)}\n/* {sentence(w)} */\n# {sentence(w)}\n",
        )
    )()


def foreign(w: Words) -> str:
    rng = w.rng
    if rng.random() < 0.07:
        lo, hi = rng.choice(SCRIPTS)
        words = ["".join(chr(rng.randint(lo, hi)) for _ in range(rng.randint(2, 5))) for _ in range(rng.randint(3, 8))]
    else:
        code = rng.choice(list(w.foreign))
        words = rng.choices(w.foreign[code], k=rng.randint(4, 14))
        if code in ("zh", "ja"):
            return "".join(words) + rng.choice("。！？、") + "\n"
    return " ".join(words).capitalize() + rng.choice((".", "!", "?", "…")) + "\n"


def odds(w: Words) -> str:
    rng = w.rng
    return rng.choice(
        (
            lambda: " ".join(number(rng) for _ in range(rng.randint(2, 8))),
            lambda: ", ".join(date(rng) for _ in range(rng.randint(1, 4))),
            lambda: " ".join(w.words(3)) + " " + "".join(rng.choices(EMOJI, k=rng.randint(1, 3))),
            lambda: " ".join(rng.choices(SYMBOLS, k=6)),
            lambda: rng.choice("-=_*#~.+/\\") * rng.choice((2, 3, 4, 8, 16, 40)),
            lambda: "".join(rng.choice(("(", ")", "[", "]", "{", "}", "<", ">", "&&", "||", "!=", "==", "->", "::")) for _ in range(9)),
            lambda: "\\n\\t\\\" \\u00e9\\u4e2d\\\\ \\/ \\b\\f\\r",
            lambda: f"| {w.noun()} | {number(rng)} | {w.noun()} |\n|---|--:|:-:|",
            lambda: f"{number(rng)} + {number(rng)} * ({number(rng)} - {number(rng)}) / {number(rng)} = {number(rng)}",
            lambda: f"({rng.randrange(100)} + {rng.randrange(10)}) * {rng.randrange(50)} - -{rng.randrange(9)}",
        )
    )() + "\n" * rng.choice((1, 1, 2, 3)) + " " * rng.choice((0, 0, 0, 2, 3, 8, 12, 20))  # fmt: skip


def corpus(seed: int, pieces: int) -> Iterator[str]:
    """Yields pieces of text; prose most often, then JSON and code."""
    w = Words(random.Random(seed))
    makers = (prose, document, code, foreign, odds)
    for _ in range(pieces):
        yield w.rng.choices(makers, (38, 24, 20, 12, 6))[0](w)
