package main

// #include "exports.h"
import "C"

import (
	"sync"
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

// batches keeps the scratch of batch calls that are over: a step allocates nothing once a few have run.
var batches = sync.Pool{New: func() any { return new(core.Batch) }}

//export go_batch_fill
func go_batch_fill(in *C.sluice_in_batch, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	return batchFill("sluice_batch_fill", in, nil, e)
}

//export go_batch_keys
func go_batch_keys(in *C.sluice_in_batch, to *C.sluice_mask_key, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	return batchKeys("sluice_batch_keys", in, to, nil, e)
}

//export go_batch_try_fill
func go_batch_try_fill(in *C.sluice_in_batch, patience C.uint32_t, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	return batchFill("sluice_batch_try_fill", in, patient(patience), e)
}

//export go_batch_try_keys
func go_batch_try_keys(
	in *C.sluice_in_batch, to *C.sluice_mask_key, patience C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return batchKeys("sluice_batch_try_keys", in, to, patient(patience), e)
}

func batchFill(call string, given *C.sluice_in_batch, stop func() bool, e *C.sluice_error) C.sluice_status {
	in, err := readStruct(call, given)
	if err != nil {
		return fail(e, err)
	}
	if in.n == 0 {
		return C.SLUICE_OK
	}
	b := batches.Get().(*core.Batch)
	defer giveBack(b)
	rows, err := readBatch(call, &in, b)
	if err != nil {
		return fail(e, err)
	}
	b.Stop = stop
	b.Fill(rows, int(min(in.threads, maxElements)))
	return writeBatch(&in, b, nil, e)
}

func batchKeys(
	call string, given *C.sluice_in_batch, to *C.sluice_mask_key, stop func() bool, e *C.sluice_error,
) C.sluice_status {
	in, err := readStruct(call, given)
	if err != nil {
		return fail(e, err)
	}
	if in.n == 0 {
		return C.SLUICE_OK
	}
	keys, ok := borrow(to, uint64(in.n))
	if !ok {
		return fail(e, badArray(call, "keys"))
	}
	in.rows, in.constrained = nil, nil // not looked at
	b := batches.Get().(*core.Batch)
	defer giveBack(b)
	if err := readItems(call, &in, b); err != nil {
		return fail(e, err)
	}
	b.Stop = stop
	b.Keys(int(min(in.threads, maxElements)))
	return writeBatch(&in, b, keys, e)
}

func readStruct(call string, given *C.sluice_in_batch) (in C.sluice_in_batch, err error) {
	if given == nil {
		return in, missing(call, "batch")
	}
	return input(call, "batch", given, given.struct_size, C.SLUICE_FIRST_BATCH)
}

// giveBack returns scratch to the pool without what belongs to the caller: a pointer into memory of C must not be found
// in Go's heap after the call.
func giveBack(b *core.Batch) {
	clear(b.Items)
	b.Items, b.Stop = b.Items[:0], nil
	batches.Put(b)
}

// readBatch checks a batch that is to be filled and copies its items.
func readBatch(call string, in *C.sluice_in_batch, b *core.Batch) (rows core.Rows, err error) {
	if in.row_words < in.words || in.n_rows > maxElements || in.row_words > maxElements {
		return rows, core.Errorf(core.CodeArgument, call, "batch has %d rows, %d words apart, of %d words: rows may not overlap", in.n_rows, in.row_words, in.words)
	}
	words := uint64(0)
	if in.n_rows > 0 { // the last row may end where its words do, without the rest of the stride
		words = (uint64(in.n_rows)-1)*uint64(in.row_words) + uint64(in.words)
	}
	memory, ok := borrow((*uint32)(unsafe.Pointer(in.masks)), words)
	if !ok {
		return rows, badArray(call, "batch.masks")
	}
	if err := readItems(call, in, b); err != nil {
		return rows, err
	}
	return core.Rows{Words: memory, Count: int(in.n_rows), Stride: int(in.row_words), Width: int(in.words)}, nil
}

// readItems copies the items of a batch. A handle that is stale is the error of its item.
func readItems(call string, in *C.sluice_in_batch, b *core.Batch) error {
	handles, ok := borrow(in.matchers, uint64(in.n))
	if !ok {
		return badArray(call, "batch.matchers")
	}
	var indices []C.sluice_in_id
	if in.rows != nil {
		if indices, ok = borrow(in.rows, uint64(in.n)); !ok {
			return badArray(call, "batch.rows")
		}
	}
	if _, ok := borrow(in.statuses, uint64(in.n)); !ok && in.statuses != nil {
		return badArray(call, "batch.statuses")
	}
	for i, h := range handles {
		row := i
		if indices != nil {
			row = int(indices[i])
		}
		b.Items = append(b.Items, batchItem(call, h, row))
	}
	return nil
}

// batchItem is the item of a handle.
func batchItem(call string, h C.sluice_matcher, row int) core.BatchItem {
	if m, ok := matchers.Get(uint64(h)); ok {
		return core.BatchItem{Row: row, Matcher: m}
	}
	return core.BatchItem{Row: row, Err: staleHandle(call, tagMatcher, uint64(h))}
}

// writeBatch copies what became of the items to the caller, and their keys if he asked for them, and returns the first
// failure.
func writeBatch(in *C.sluice_in_batch, b *core.Batch, keys []C.sluice_mask_key, e *C.sluice_error) C.sluice_status {
	var statuses []C.sluice_status
	if in.statuses != nil {
		statuses, _ = borrow(in.statuses, uint64(in.n))
	}
	var constrained []C.uint8_t
	if in.constrained != nil {
		constrained, _ = borrow(in.constrained, uint64(in.n))
	}
	first := C.sluice_status(C.SLUICE_OK)
	for i := range b.Items {
		it := &b.Items[i]
		status := C.sluice_status(C.SLUICE_OK)
		if it.Err != nil {
			status = C.sluice_status(core.AsError(it.Err).Code)
			if first == C.SLUICE_OK {
				first = fail(e, it.Err)
			}
		} else if constrained != nil {
			constrained[i] = flag[C.uint8_t](it.Constrained)
		}
		if statuses != nil {
			statuses[i] = status
		}
		if keys != nil {
			keys[i] = keyOf(it.Key)
		}
	}
	return first
}
