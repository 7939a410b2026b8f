"""One round: a schema, its instances, outputs of its masks, and every disagreement with the judge.

A disagreement is explained or it is a finding. The explanations are those that the contract gives: notes, and options
whose default is narrower than the schema. Everything else is somebody's bug.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import instances
import judge
import schemas
from engine import Engine, reorderings, repeats_key

import sluice


@dataclass
class Case:
    """A schema with the options that it is compiled with."""

    dialect: str
    schema: Any
    options: dict[str, Any]

    def judge(self) -> judge.Judge:
        """Returns the opinion about it."""
        assert_formats = self.options.get("format") != "annotation"
        return judge.Judge(self.dialect, self.schema, assert_formats, self.options.get("documents", {}))


@dataclass
class Finding:
    """A disagreement that nothing explains."""

    kind: str
    case: Case
    instance: str | None
    detail: str
    seed: str = ""


@dataclass
class Tally:
    """Counts of a run."""

    counts: Counter[str] = field(default_factory=Counter)
    keywords: Counter[str] = field(default_factory=Counter)  # of the schemas that compiled
    findings: list[Finding] = field(default_factory=list)


# Of an instance so many orders of keys are tried, in search of the declared one.
MOST_ORDERS = 1000
EXPONENT = re.compile(r"\d[eE][-+\d]")


# The options of which at most one may be given, but for separators beside indent.
LAYOUTS: list[dict[str, Any]] = [{"compact": True}] * 5
LAYOUTS += [{"max_whitespace": 1}, {"max_whitespace": 3}, {"max_whitespace": 200}, {"whitespace_pattern": " ?"}]
LAYOUTS += [{"separators": [",", ":"]}, {"separators": [", ", ": "]}, {"indent": "  "}, {"indent": ""}]
LAYOUTS += [{"indent": "\t", "separators": [",", ":"]}]

# Options that keep valid instances out, by default or if they are set: their defaults, and the values that allow all.
DEFAULTS = {"number_forms": "integer", "any_order": False, "closed": False, "escapes": "written"}
WIDEST = {"number_forms": "all", "any_order": True, "closed": False, "escapes": "any"}


def make(r: random.Random) -> Case:
    """Returns a random schema with random options."""
    dialect, schema, documents = schemas.generate(r)
    options: dict[str, Any] = {"dialect": dialect}
    if documents:
        options["documents"] = documents
    if r.random() < 0.05:
        options["lenient"] = True
    if r.random() < 0.5:
        options["any_order"] = True
    if r.random() < 0.4:
        options["number_forms"] = "all"
    if r.random() < 0.5:
        options |= r.choice(LAYOUTS)
    if r.random() < 0.1:
        options["format"] = "annotation"
    if r.random() < 0.1:
        options["ascii_only"] = True
    if r.random() < 0.1:
        options["closed"] = True
    if r.random() < 0.5:
        options["escapes"] = "any"
    return Case(dialect, schema, options)


def keys_of(value: Any) -> set[str]:
    """All keys in a schema: its keywords, and names of properties that are none."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    return set(value).union(*map(keys_of, value.values())) if isinstance(value, dict) else set()


class Checker:
    """Checks cases and keeps the tally."""

    def __init__(self, engine: Engine, tally: Tally):
        self.engine, self.tally = engine, tally

    def round(self, r: random.Random, case: Case, seed: str) -> None:
        """Compiles a schema, decides instances both ways, generates."""
        opinion = case.judge()
        if complaint := opinion.check_schema(case.dialect):
            raise AssertionError(f"schemas.py made a schema that is not valid: {complaint}: {case.schema}")
        self.tally.counts["schemas"] += 1
        maker = instances.Maker(r, case.schema, judge.read(judge.dump(case.options.get("documents", {}))))
        values = [maker.value(case.schema) for _ in range(25)]
        values += [maker.mutate(r.choice(values)) for _ in range(25)]
        writer = instances.Writer(r, case.options)
        texts = [writer.text(v) for v in values]
        try:
            for finding in self.disagreements(case, opinion, texts, r):
                finding.seed = seed
                self.tally.findings.append(finding)
        except judge.Undecided:
            self.tally.counts["undecided by the judge"] += 1

    def disagreements(self, case: Case, opinion: judge.Judge, texts: list[str], r: random.Random) -> list[Finding]:
        """Returns at most one finding of each kind."""
        try:
            grammar = self.engine.compile(judge.dump(case.schema), case.options)
        except sluice.SluiceError as e:
            return self.refusal(case, opinion, texts, e)
        self.tally.counts["compiled"] += 1
        self.tally.keywords.update(keys_of(case.schema))
        found: dict[str, Finding] = {}
        for text in texts:
            if wrong := self.verdict(case, grammar, opinion, text):
                found.setdefault(wrong.kind, wrong)
        for _ in range(3):
            if wrong := self.generation(case, grammar, opinion, r):
                found.setdefault(wrong.kind, wrong)
        return list(found.values())

    def refusal(self, case: Case, opinion: judge.Judge, texts: list[str], e: sluice.SluiceError) -> list[Finding]:
        """An error is right if nothing is valid, or if it names an unsupported construct."""
        self.tally.counts[f"refused: {e.name}" + (f" {e.keyword}" if e.name == "unsupported" else "")] += 1
        if e.name in ("unsupported", "limit"):
            return [] if e.message else [Finding("silent error", case, None, e.name)]
        if e.name == "unsatisfiable":
            for text in texts:
                if opinion.valid(text) and not self.excuse(case, text, True, ()):
                    return [Finding("unsatisfiable, but valid", case, text, str(e))]
            return []
        if e.name == "invalid" and "without end" in e.message:
            return []
        return [Finding(f"error {e.name}", case, None, str(e))]

    def verdict(self, case: Case, grammar: sluice.Grammar, opinion: judge.Judge, text: str) -> Finding | None:
        """Compares the decisions about an instance."""
        valid = opinion.valid(text)
        try:
            accepted = self.engine.accepts(grammar, text)
        except sluice.SluiceError as e:
            return Finding("stuck: error while an instance is accepted", case, text, str(e))
        self.tally.counts["valid instances" if valid else "invalid instances"] += 1
        if valid == accepted:
            return None
        if reason := self.excuse(case, text, valid, grammar.notes):
            self.tally.counts[f"explained: {reason}"] += 1
            if reason == "any_order" and not self.has_order(case, grammar, text):
                return Finding("no order is accepted", case, text, "with any_order it is")
            return None
        kind = "valid, but rejected" if valid else "accepted, but not valid"
        return Finding(kind, case, text, "; ".join(f"{n.effect} {n.pointer} {n.text}" for n in grammar.notes))

    def excuse(self, case: Case, text: str, valid: bool, notes: Any) -> str | None:
        """Names what explains that an instance is decided otherwise than the schema says."""
        return self.noted(text, valid, notes) or (self.narrow_default(case, text) if valid else None)

    @staticmethod
    def noted(text: str, valid: bool, notes: Any) -> str | None:
        """Names the note, or the rule of docs/json-schema.md, that speaks of such an instance."""
        if not valid and repeats_key(text):
            return "rule: undeclared key twice"
        for note in notes:
            if "twice" in note.text or note.effect not in (("narrower",) if valid else ("wider", "ignored")):
                continue
            elif "exponent" not in note.text or EXPONENT.search(text):
                return f"note: {note.effect} {note.keyword}"
        return None

    def narrow_default(self, case: Case, text: str) -> str | None:
        """Names the options whose defaults keep a valid instance out: with them set, the text is accepted, or a note
        mentions it."""
        narrow = [k for k, wide in WIDEST.items() if case.options.get(k, DEFAULTS[k]) != wide]
        for names in (n for count in range(len(narrow)) for n in itertools.combinations(narrow, count + 1)):
            try:
                grammar = self.engine.compile(judge.dump(case.schema), case.options | {k: WIDEST[k] for k in names})
                accepted = self.engine.accepts(grammar, text)
            except sluice.SluiceError:
                continue
            if accepted:
                return " and ".join(names)
            if note := self.noted(text, True, grammar.notes):
                return f"{' and '.join(names)}, {note}"
        return None

    def has_order(self, case: Case, grammar: sluice.Grammar, text: str) -> bool:
        """Whether there is an order of its keys in which a valid instance is accepted; true if there are very many."""
        writer = instances.Writer(random.Random(0), case.options)
        writer.wild = False
        orders = reorderings(judge.read(text), MOST_ORDERS)
        return len(orders) == MOST_ORDERS or any(self.engine.accepts(grammar, writer.text(v)) for v in orders)

    def generation(self, case: Case, grammar: sluice.Grammar, opinion: judge.Judge, r: random.Random) -> Finding | None:
        """Generates an output from the masks; it must be JSON and valid."""
        said, how = self.engine.generate(r, grammar)
        if how == "endless":
            self.tally.counts["generation: too long"] += 1
            return None
        text = said.decode(errors="replace")
        if how != "ended":
            if how.startswith("dead end") and any(n.effect == "dead end" for n in grammar.notes):
                self.tally.counts["explained: note: dead end"] += 1
                return None
            return Finding("generation stops", case, text, how)
        self.tally.counts["generated"] += 1
        try:
            json.loads(text)
        except ValueError as e:
            return Finding("generated, but not JSON", case, text, str(e))
        if opinion.valid(text):
            return None
        if reason := self.excuse(case, text, False, grammar.notes):
            self.tally.counts[f"explained: {reason}"] += 1
            return None
        return Finding("generated, but not valid", case, text, "")

    def reproduce(self, finding: Finding, case: Case, instance: str | None) -> bool:
        """Whether a smaller case still shows the finding. Generated texts are judged as instances then."""
        try:
            opinion = case.judge()
            if opinion.check_schema(case.dialect):
                return False
            if instance is not None and not finding.kind.startswith("generation"):
                json.loads(instance)
            try:
                grammar = self.engine.compile(judge.dump(case.schema), case.options)
            except sluice.SluiceError as e:
                refused = self.refusal(case, opinion, [instance] if instance is not None else [], e)
                return any(w.kind == finding.kind for w in refused)
            if finding.kind.startswith(("error", "unsatisfiable", "silent")):
                return False
            if finding.kind == "generation stops":
                return self.stops(grammar, instance or "")
            wrong = self.verdict(case, grammar, opinion, instance or "")
            first = finding.kind.replace("generated", "accepted").split()[0]
            return wrong is not None and wrong.kind.split()[0] == first
        except (judge.Undecided, ValueError, RecursionError, LookupError, TypeError, AttributeError):
            return False
        except Exception as e:  # the validator's own errors about references that shrinking has cut
            if type(e).__module__.startswith(("referencing", "jsonschema")):
                return False
            raise

    def stops(self, grammar: sluice.Grammar, text: str) -> bool:
        """Whether there is no mask after the text, or one that contradicts accept."""
        matcher = grammar.matcher()
        try:
            if not matcher.accept_bytes(text.encode()):
                return False
            return self.engine.compare_mask(matcher) is not None
        except sluice.UnsatisfiableError:
            return not any(n.effect == "dead end" for n in grammar.notes)
        except sluice.SluiceError:
            return True
