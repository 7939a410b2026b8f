"""Constraints in `generate` of Hugging Face transformers.

    import sluice, sluice.hf

    vocabulary = sluice.Vocabulary.from_huggingface(tokenizer, end_tokens=model.generation_config.eos_token_id)
    grammar = sluice.Compiler(vocabulary).compile_regex("(yes|no), [0-9]{4}")
    model.generate(**inputs, logits_processor=[sluice.hf.LogitsProcessor(grammar)])

The module imports neither transformers nor torch.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from . import _rows
from ._apply import apply_bitmask
from ._batch import fill_batch
from ._errors import SluiceError
from ._grammar import Grammar
from ._sequences import Sequences

if TYPE_CHECKING:
    from ._grammar import Matcher

__all__ = ["LogitsProcessor"]

_NEVER = float("-inf")


_ANOTHER = (
    "these rows do not continue this generation: a LogitsProcessor serves one call of generate. Make another one, or "
    "call reset() in between. (An assistant model with its own vocabulary cannot be constrained.)"
)


class LogitsProcessor:
    """Makes `generate` choose only tokens that a grammar allows. For one generation and one thread at a time.

    It works with greedy decoding, sampling, beam search, `num_return_sequences`, prompts padded on either side,
    encoder-decoder models, and assisted generation with an assistant of the same vocabulary or with prompt look-up.
    """

    def __init__(
        self,
        grammars: Grammar | Sequence[Grammar | None],
        *,
        stop_tokens: Iterable[int] | None = None,
        threads: int = 0,
    ) -> None:
        """Makes a processor.

        Args:
            grammars: one grammar for all rows, or a list with one for each prompt of the batch. None leaves a prompt
                unconstrained. All grammars belong to one vocabulary.
            stop_tokens: the ids that end a sequence, if you call `generate` with its own eos_token_id. Default: the
                vocabulary's end tokens.
            threads: the number of threads that fill masks; 0: as many as the process may use.
        """
        self._grammars = [grammars] if isinstance(grammars, Grammar) else list(grammars)
        made = [g for g in self._grammars if g is not None]
        if not all(isinstance(g, Grammar) for g in made):
            raise TypeError("grammars must be sluice.Grammar objects (compile them with sluice.Compiler), or None")
        if not made:
            raise ValueError("no grammar was given: pass at least one")
        self._vocabulary = made[0].vocabulary
        if len({g.vocabulary.hash for g in made}) > 1:
            raise ValueError("the grammars belong to different vocabularies: compile all for the model's vocabulary")
        self._stop_tokens = None if stop_tokens is None else tuple(stop_tokens)
        self._threads = threads
        self._sequences: Sequences | None = None

    # Of the generation, from `_begin` on: the column of the first generated token, and the last length of the rows.
    _start: int
    _length: int

    def reset(self) -> None:
        """Forgets the generation so far. The next call begins a new one."""
        self._sequences = None

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Returns a copy of the scores with −inf for forbidden tokens. `generate` calls this at each step.

        Args:
            input_ids: int64 [rows, length]: the prompts of the first call and the tokens generated so far.
            scores: float [rows, logits] for the next token. They stay as they are.

        Raises:
            ValueError: the rows do not continue the rows before, do not fit the grammars, or a prompt has no token
                left.
        """
        sequences, self._sequences = self._sequences, None  # an error ends the generation
        if sequences is None:
            sequences = self._begin(input_ids, scores)
        elif not self._continues(input_ids):
            raise ValueError(_ANOTHER)
        # A call adds one token or none. If the length changes otherwise (drafts), the call is the first one for rows
        # that were chosen under the masks, so at least one of them follows its grammar.
        first = input_ids.shape[1] - self._length not in (0, 1)
        self._length = input_ids.shape[1]
        rows = _ids(input_ids[:, self._start :])
        sequences.move(rows)
        if first and not any(self._follows(sequences, i, text) for i, text in enumerate(rows)):
            raise ValueError(_ANOTHER)
        scores = self._constrain(scores, rows, sequences)
        self._sequences = sequences
        return scores

    # ------------------------------------------------------------------------------------------------- a generation

    def _begin(self, input_ids: Any, scores: Any) -> Sequences:
        n, width = len(input_ids), scores.shape[-1]
        if width < self._vocabulary.size:
            raise ValueError(
                f"the model has logits for {width} tokens and the vocabulary {self._vocabulary.size}: make it with "
                f"padded_size={width}"
            )
        sequences = Sequences(self._grammars, n, self._stop_tokens)
        self._start = self._length = input_ids.shape[1]
        self._prompts = input_ids.clone()
        # The first row of each prompt: beams and num_return_sequences repeat rows. Neighbouring prompts may be equal.
        prompts = [(text, sequences.group(i)) for i, text in enumerate(_ids(input_ids))]
        self._firsts = [i for i in range(n) if i == 0 or prompts[i] != prompts[i - 1]]
        self._masks = _allocate(n, self._vocabulary.words, scores)
        end = self._vocabulary.end_tokens if self._stop_tokens is None else self._stop_tokens
        ending = bytearray(4 * self._vocabulary.words)
        for token in end:
            ending[token // 8] |= 1 << token % 8
        self._ending, self._nothing = bytes(ending), bytes(len(ending))
        return sequences

    def _continues(self, input_ids: Any) -> bool:
        old = self._prompts
        if len(input_ids) != len(old) or input_ids.shape[1] < self._start:
            return False
        return bool((input_ids[:, : self._start] == old).all())

    def _follows(self, sequences: Sequences, i: int, text: bytes) -> bool:
        """Returns whether a row has no constraint, or its grammar has accepted all of its tokens."""
        return sequences.matcher(i) is None or sequences.accepted(i) == len(text) // 8

    def _constrain(self, scores: Any, rows: list[bytes], sequences: Sequences) -> Any:
        """Returns a copy of scores in which each row has met its mask."""
        live, masked = [], []
        for i, text in enumerate(rows):
            if sequences.matcher(i) is None:
                continue
            if self._follows(sequences, i, text):
                live.append(i)
            else:
                # A refused draft, a beam of no worth, or an id that another processor forced. `generate` discards the
                # first two. The last must end, and not continue without a constraint.
                self._write(i, self._ending)
                masked.append(i)
        stuck = self._fill(sequences, live, masked)
        scores = scores.clone()
        if masked:
            apply_bitmask(scores, _on(self._masks, scores), masked)
            self._check(scores, live, stuck)
        return scores

    def _fill(self, sequences: Sequences, live: list[int], masked: list[int]) -> SluiceError | None:
        """Fills the rows of live sequences and adds the constrained ones to `masked`.

        Returns the error of the first row that could not be filled. Such a row allows nothing.
        """
        if not live:
            return None
        try:
            matchers = cast("list[Matcher]", [sequences.matcher(i) for i in live])
            constrained = fill_batch(matchers, self._masks, live, self._threads)
        except SluiceError as e:
            if e.statuses is None:
                raise
            for i, status in zip(live, e.statuses):
                if status:
                    self._write(i, self._nothing)
            masked += live  # an unconstrained row is all ones
            return e
        masked += [i for i, some in zip(live, constrained) if some]
        return None

    def _write(self, i: int, row: bytes) -> None:
        rows = _rows.block(self._masks)
        ctypes.memmove(rows.address + 4 * rows.stride * i, row, len(row))

    def _check(self, scores: Any, live: list[int], error: SluiceError | None) -> None:
        """Raises if a prompt has no token left, because `generate` would then choose a forbidden one.

        One beam of several may have none left.
        """
        best = scores.amax(-1).tolist()
        for first, after in zip(self._firsts, (*self._firsts[1:], len(best))):
            here = [i for i in live if first <= i < after]
            if not here or any(best[i] != _NEVER for i in here):
                continue
            if error is not None:
                raise ValueError(f"nothing may come next in row {here[0]}: {error}") from error
            raise ValueError(
                f"in row {here[0]} the scores of all tokens that the grammar allows were −inf already: another option "
                "of generate (min_new_tokens, bad_words_ids, no_repeat_ngram_size, a forced token, …) forbids them"
            )


def _ids(rows: Any) -> list[bytes]:
    """Returns the ids of each row as bytes, 8 for each id."""
    rows = rows.cpu().long().contiguous()
    n, length = rows.shape
    raw = ctypes.string_at(rows.data_ptr(), 8 * n * length)
    return [raw[8 * length * i : 8 * length * (i + 1)] for i in range(n)]


def _allocate(rows: int, words: int, scores: Any) -> Any:
    """Returns masks in CPU memory, from which `_on` copies to the device of the scores."""
    torch = sys.modules.get("torch")  # imported already if the scores are torch's
    if torch is None:
        return _rows.allocate(rows, words)
    return torch.zeros((rows, words), dtype=torch.int32, pin_memory=scores.device.type == "cuda")


def _on(masks: Any, scores: Any) -> Any:
    """Returns the masks on the device of the scores. `_check` has read the last scores, so their copy is done."""
    return masks.to(scores.device, non_blocking=True) if hasattr(masks, "data_ptr") else masks
