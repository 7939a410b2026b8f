"""Masks that stay on a GPU: a step sends 4 bytes for each sequence instead of a row, and writes no row for a known
state.

    pool = sluice.MaskPool(vocabulary, device=0)
    with pool.fill(matchers) as step:      # only new rows are computed, written and copied
        step.apply(logits)                 # on the framework's current stream; nothing waits

Invariant: a step's masks stay on the device until it is applied or closed, also during other steps. Start reading at
MaskPool.fill.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from . import _abi, _abi_cuda, _library, _rows, _tensors
from ._batch import Batch, fill_batch
from ._errors import ArgumentError, ForkedError
from ._vocabulary import Vocabulary

if TYPE_CHECKING:
    from ._grammar import Matcher
    from ._typing import Memory, Stream

T = TypeVar("T")


class PoolStats(NamedTuple):
    """Counts the slots, bytes and transfers of a pool."""

    slots: int
    resident: int  # slots that hold a mask
    open_steps: int
    device_bytes: int
    hits: int  # masks that were there when a step named them
    uploads: int  # that were not, and were copied
    uploaded_bytes: int
    evictions: int  # that took the place of another one
    refused: int  # for which there was no room: they were sent as rows


class MaskPool:
    """Caches a bounded number of masks in the memory of one GPU. Thread-safe."""

    def __init__(
        self, vocabulary: Vocabulary | int, device: object = None, *, slots: int = 0, staging: int = 0
    ) -> None:
        """Allocates the pool.

        Args:
            vocabulary: the vocabulary of the masks, or the words of a row.
            device: a device's number, a torch.device, or None for the one that this thread is using.
            slots: masks that it can hold; 0: 1/64 of the device's memory, at most 4096.
            staging: rows that may be on their way to the device at once; 0: 256, or slots.

        Raises:
            UnavailableError: there is no such device, or no driver that can run the kernels.
            DeviceError: the device's memory is full.
        """
        self._handle = 0
        self.words: int = vocabulary.words if isinstance(vocabulary, Vocabulary) else vocabulary
        self._library = _library.library()
        self._device = _ordinal(device)
        options = _abi_cuda.PoolOptions(device=self._device, mask_words=self.words, slots=slots, staging=staging)
        handle, error = ctypes.c_uint64(), _library.scratch()
        status = self._library.cuda_pool_new(ctypes.byref(options), ctypes.byref(handle), ctypes.byref(error))
        _library.check(status, error)
        self._handle = handle.value

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self._library.cuda_pool_free(self._handle)
            self._handle = 0

    def fill(self, matchers: Sequence[Matcher], *, threads: int = 0, stream: int | Stream | None = None) -> Step:
        """Returns a step with one mask for each matcher, in the pool as far as it has room.

        Args:
            matchers: each at most once, of grammars of this pool's vocabulary.
            threads: as for `fill_batch`.
            stream: the stream for the copies. A stream beside the model's lets both run in parallel. Default: the
                framework's current one.

        Raises:
            SluiceError: the error of the first matcher that failed; its `statuses` has one for each matcher.
        """
        n = len(matchers)
        step = Step(self, n, stream)
        if n == 0:
            return step
        lib = self._library
        if any(m._library is not lib for m in matchers):
            raise ForkedError("some of these matchers were made before fork()", code=12)
        for m in matchers:
            if m.grammar.vocabulary.words != self.words:
                raise ValueError(
                    f"a matcher's rows have {m.grammar.vocabulary.words} words, the pool's {self.words}: a pool serves "
                    "one vocabulary"
                )
        keys = Batch(matchers, threads=threads)._keys(_abi_cuda.MaskKey)
        step._put(keys, None)
        missing = [i for i in range(n) if step.ids[i] == _abi_cuda.ID_ROW]
        if missing:
            rows = _rows.allocate(len(missing), self.words)
            try:
                constrained = fill_batch([matchers[i] for i in missing], rows, threads=threads)
                step._add(missing, keys, rows, constrained)
            except BaseException:
                step.close()
                raise
        return step

    def put(self, masks: Memory, *, stream: int | Stream | None = None) -> Step:
        """Returns a step with masks from elsewhere, which the pool finds again by their content.

        Args:
            masks: int32 [rows, words] in CPU memory.
            stream: as for `fill`.

        Raises:
            ValueError: `masks` has another type or width, or is not in CPU memory.
        """
        rows = _tensors.matrix(masks, "masks")
        if rows.device != "cpu" or rows.kind != _tensors.INT32 or rows.width != self.words:
            raise ValueError(f"masks are int32 of {self.words} words a row, in memory of the CPU")
        step = Step(self, rows.rows, stream)
        if rows.rows:
            step._put(None, rows)
            step._rows, step._row_of = masks, list(range(rows.rows))
        return step

    @property
    def stats(self) -> PoolStats:
        """The counters of the pool."""
        facts, error = _abi_cuda.PoolFacts(), _library.scratch()
        status = self._library.cuda_pool_info(self._handle, ctypes.byref(facts), ctypes.byref(error))
        _library.check(status, error)
        return PoolStats(
            facts.slots,
            facts.resident,
            facts.open_tickets,
            facts.device_bytes,
            facts.hits,
            facts.uploads,
            facts.uploaded_bytes,
            facts.evictions,
            facts.refused,
        )


class Step:
    """Holds the masks of one step until you apply or close it. One thread at a time.

    Attributes:
        ids: for each mask its place in the pool; −1: it found no room and is sent as a row; −2: every token is allowed.
    """

    def __init__(self, pool: MaskPool, n: int, stream: int | Stream | None) -> None:
        self._pool = pool
        self._n = n
        self._stream = _stream(stream, pool._device)
        self._ticket = 0
        self.ids: ctypes.Array[ctypes.c_int32] = (ctypes.c_int32 * n)(*([_abi_cuda.ID_ROW] * n))
        self._rows: Any = None  # of masks that may have found no room
        self._row_of: list[int] = []  # for each mask its row there

    def __enter__(self) -> Step:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_ticket", 0) and not self._pool._library.inherited:
            self._end(None)

    def _put(self, keys: Any, rows: _tensors.Matrix | None) -> None:
        put = _abi_cuda.Put(
            pool=self._pool._handle,
            stream=self._stream,
            n=self._n,
            keys=keys,
            masks=rows.address if rows else None,
            mask_stride=rows.stride if rows else 0,
            ids=self.ids,
            ticket=self._ticket,
        )
        self._call(put)

    def _add(self, missing: list[int], keys: Any, rows: Any, constrained: list[bool]) -> None:
        """Puts the rows of masks that were not there."""
        memory = _rows.block(rows)
        some = (_abi_cuda.MaskKey * len(missing))(*[keys[i] for i in missing])
        ids = (ctypes.c_int32 * len(missing))()
        put = _abi_cuda.Put(
            pool=self._pool._handle,
            stream=self._stream,
            n=len(missing),
            keys=some,
            masks=memory.address,
            mask_stride=memory.stride,
            ids=ids,
            ticket=self._ticket,
        )
        self._call(put)
        self._rows, self._row_of = rows, [0] * self._n
        for row, i in enumerate(missing):
            self.ids[i] = ids[row] if constrained[row] else _abi_cuda.ID_NONE
            self._row_of[i] = row

    def _call(self, put: _abi_cuda.Put) -> None:
        error = _library.scratch()
        _library.check(self._pool._library.cuda_pool_put(ctypes.byref(put), ctypes.byref(error)), error)
        self._ticket = put.ticket

    def apply(self, logits: T, indices: Sequence[int] | None = None) -> T:
        """Sets logits of forbidden tokens to −inf, in place, closes the step and returns the logits.

        The kernel runs on the framework's current stream of the logits' device.

        Args:
            logits: [rows, vocabulary] on the pool's device: float32, float16 or bfloat16. Mask k meets row k.
            indices: the rows that the masks meet instead.

        Raises:
            TypeError, ValueError: this cannot be logits, or does not fit the masks.
            ArgumentError: the step was applied before; logits are on another device.
        """
        view = _tensors.matrix(logits, "logits", writable=True)
        if view.kind not in _abi.DTYPES or view.device != "cuda":
            raise TypeError(
                f"logits are float32, float16 or bfloat16 on a CUDA device, this object is {view.kind} on {view.device}"
            )
        if indices is None and view.rows != self._n:
            raise ValueError(f"{view.rows} rows of logits and {self._n} masks: say which meet, with indices")
        if indices is not None and len(indices) != self._n:
            raise ValueError(f"{len(indices)} indices and {self._n} masks")
        if self._n == 0:
            return logits
        if not self._ticket:
            raise ArgumentError("the step was applied or closed before: its masks may be gone", code=1)
        args = _abi.ApplyArgs(
            dtype=_abi.DTYPES[view.kind],
            logits=view.address,
            n_logit_rows=view.rows,
            logit_stride=view.stride,
            vocab_size=view.width,
            n=self._n,
        )
        held = self._arguments(args, logits, indices)
        use = _abi_cuda.PoolUse(
            pool=self._pool._handle,
            ids=ctypes.cast(self.ids, ctypes.c_void_p).value,
            ticket=self._ticket,
        )
        error, stream = _library.scratch(), _stream(None, view.index, logits)
        status = self._pool._library.cuda_pool_apply(ctypes.byref(args), ctypes.byref(use), stream, ctypes.byref(error))
        del held  # torch gives the memory back in the order of its stream, so it may go while the work waits
        _library.check(status, error)
        self._ticket = 0
        return logits

    def _arguments(self, args: _abi.ApplyArgs, logits: Any, indices: Sequence[int] | None) -> list[Any]:
        """Copies the numbers of named rows of logits, and masks without room in the pool, to the device's memory."""
        held = []
        if indices is not None:
            held.append(_to_device(indices, logits))
            args.logit_index = held[-1].data_ptr()
        if any(i == _abi_cuda.ID_ROW for i in self.ids):
            rows, row_of = _to_device(self._rows, logits), _to_device(self._row_of, logits)
            held += [rows, row_of]
            args.masks, args.n_mask_rows = rows.data_ptr(), len(rows)
            args.mask_stride = args.mask_words = self._pool.words
            args.mask_index = row_of.data_ptr()
        return held

    def close(self) -> None:
        """Releases masks that were not applied."""
        if self._ticket:
            error = _library.scratch()
            _library.check(self._end(ctypes.byref(error)), error)

    def _end(self, error: Any) -> int:
        ticket, self._ticket = self._ticket, 0
        return self._pool._library.cuda_pool_close(self._pool._handle, ticket, self._stream, error)


def _ordinal(device: Any) -> int:
    if device is None:
        return -1
    if isinstance(device, int):
        return device
    torch = sys.modules.get("torch")
    if torch is not None:
        device = torch.device(device)
        if device.type == "cuda":
            return int(torch.cuda.current_device() if device.index is None else device.index)
    raise TypeError(f"a pool's device is a number or a CUDA torch.device, not {device!r}")


def _stream(stream: Any, device: int, logits: Any = None) -> int:
    """Returns the number of a stream: of the given one, else of the framework's current one on a device, else 0."""
    if stream is not None:
        return stream if isinstance(stream, int) else int(getattr(stream, "cuda_stream", None) or stream.ptr)
    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    if torch is not None and (logits is None or isinstance(logits, torch.Tensor)) and torch.cuda.is_initialized():
        return int(torch.cuda.current_stream(device if device >= 0 else None).cuda_stream)
    if cupy is not None and (logits is None or isinstance(logits, cupy.ndarray)):
        return int(cupy.cuda.get_current_stream().ptr)
    return 0


def _to_device(numbers: Any, logits: Any) -> Any:
    """Returns int32 numbers as a tensor beside the logits."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(logits, torch.Tensor):
        raise TypeError(
            f"logits of type {type(logits).__name__}: naming rows, and masks that found no room in the pool, need "
            "torch tensors (torch.from_dlpack makes them without a copy)"
        )
    if isinstance(numbers, memoryview):  # rows, on a machine without numpy
        numbers = torch.frombuffer(numbers, dtype=torch.int32).reshape(numbers.shape)
    elif not isinstance(numbers, torch.Tensor):
        numbers = torch.tensor(numbers, dtype=torch.int32) if isinstance(numbers, list) else torch.as_tensor(numbers)
    return numbers.to(device=logits.device, dtype=torch.int32, non_blocking=True).contiguous()
