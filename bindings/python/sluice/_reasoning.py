"""Reasoning: the beginning of a sequence, which the grammar does not constrain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _abi
from ._ids import ids_array
from ._vocabulary import Vocabulary


class Reasoning(NamedTuple):
    """Describes the reasoning that a sequence begins with, before the output that the grammar constrains.

    Attributes:
        end: the tokens that end it when they come in a row: an id, the spelling of a special or added token, or a
            list of these.
        begin: the tokens by which the sequence may begin with reasoning; one that begins otherwise has none. None:
            the sequence begins in the middle of it, because the prompt ends with its beginning.
        budget: after so many tokens of reasoning, without `begin`, only `end` may come.
    """

    end: int | str | Sequence[int | str]
    begin: int | str | Sequence[int | str] | None = None
    budget: int | None = None

    def _record(self, vocabulary: Vocabulary) -> _abi.Reasoning:
        end = _marks(vocabulary, self.end)
        begin = _marks(vocabulary, [] if self.begin is None else self.begin)
        if self.budget is not None and not 0 <= self.budget < 1 << 32:
            raise ValueError(f"a budget of {self.budget} tokens of reasoning")
        return _abi.Reasoning(
            flags=0 if self.budget is None else _abi.REASONING_LIMITED,
            end=end,
            n_end=len(end),
            begin=begin,
            n_begin=len(begin),
            budget=self.budget or 0,
        )


def _marks(vocabulary: Vocabulary, marks: int | str | Sequence[int | str]) -> Any:
    """Returns the tokens of a mark as a C array."""
    ids = []
    for mark in [marks] if isinstance(marks, (int, str)) else marks:
        token = vocabulary.token_id(mark) if isinstance(mark, str) else mark
        if token is None:
            raise ValueError(
                f"{mark!r} is no special or added token of this vocabulary: give the ids of its tokens, or write the "
                "reasoning into the constraint, as a structural tag"
            )
        ids.append(token)
    return ids_array(ids, "reasoning")
