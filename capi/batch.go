package main

// #include "exports.h"
import "C"

import (
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

// batches keeps the scratch of finished batch calls, so that a step allocates nothing after the first few.
var batches = sync.Pool{New: func() any { return new(batchScratch) }}

// batchScratch is the Go memory of a call.
type batchScratch struct {
	core.Batch
	trees []core.Tree
	stops []core.StopState
}

func (s *batchScratch) take(n int) []core.Tree {
	if cap(s.trees) < n {
		s.trees = make([]core.Tree, n)
	}
	s.trees = s.trees[:n]
	return s.trees
}

// batchCall is one call for many matchers: our memory, and the caller's borrowed arrays.
type batchCall struct {
	name    string
	scratch *batchScratch
	does    batchDoes
	in      C.sluice_in_batch
	b       *core.Batch
	rows    core.Rows
	trees   C.sluice_in_trees
	keys    []C.sluice_mask_key
	texts   []C.sluice_in_octets // of batchAcceptBytes, with their lengths
	lengths []C.sluice_in_size
	limits  []C.sluice_in_u32 // of batchSetMaxTokens
	strings stopStrings       // of batchSetStopStrings

	unchanged   []C.uint8_t
	matchers    []C.sluice_matcher
	first       []C.int32_t // the caller's rows
	ids         []int32
	counts      []C.uint32_t
	statuses    []C.sluice_status
	constrained []C.uint8_t
	done        []C.uint32_t
	states      []C.uint8_t
	stops       []C.sluice_stop
}

// batchDoes is the operation of a call on each matcher.
type batchDoes uint8

const (
	batchFill batchDoes = iota
	batchKeys
	batchAccept
	batchValidate
	batchAcceptBytes
	batchSetMaxTokens
	batchSetStopStrings
	batchRollback
	batchChains
	batchTrees
)

func (d batchDoes) hasRows() bool { return d == batchFill || d == batchChains || d == batchTrees }
func (d batchDoes) hasIDs() bool  { return d == batchAccept || d == batchValidate || d == batchChains }

//export go_batch_fill
func go_batch_fill(in *C.sluice_in_batch, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_fill", does: batchFill}
	return c.run(in, math.MaxUint32, e)
}

//export go_batch_keys
func go_batch_keys(in *C.sluice_in_batch, to *C.sluice_mask_key, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_keys", does: batchKeys}
	return c.runKeys(in, to, math.MaxUint32, e)
}

//export go_batch_try_fill
func go_batch_try_fill(in *C.sluice_in_batch, patience C.uint32_t, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_try_fill", does: batchFill}
	return c.run(in, patience, e)
}

//export go_batch_try_keys
func go_batch_try_keys(
	in *C.sluice_in_batch, to *C.sluice_mask_key, patience C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_try_keys", does: batchKeys}
	return c.runKeys(in, to, patience, e)
}

//export go_batch_accept
func go_batch_accept(in *C.sluice_in_batch, patience C.uint32_t, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_accept", does: batchAccept}
	return c.run(in, patience, e)
}

//export go_batch_validate
func go_batch_validate(in *C.sluice_in_batch, patience C.uint32_t, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_validate", does: batchValidate}
	return c.run(in, patience, e)
}

//export go_batch_rollback
func go_batch_rollback(in *C.sluice_in_batch, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_rollback", does: batchRollback}
	return c.run(in, math.MaxUint32, e)
}

//export go_batch_fill_chains
func go_batch_fill_chains(in *C.sluice_in_batch, patience C.uint32_t, e *C.sluice_error) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_fill_chains", does: batchChains}
	return c.run(in, patience, e)
}

//export go_batch_fill_trees
func go_batch_fill_trees(
	in *C.sluice_in_batch, trees *C.sluice_in_trees, patience C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_fill_trees", does: batchTrees}
	if trees == nil {
		return fail(e, missing(c.name, "trees"))
	}
	var err error
	if c.trees, err = input(c.name, "trees", trees, trees.struct_size, C.SLUICE_FIRST_TREES); err != nil {
		return fail(e, err)
	}
	return c.run(in, patience, e)
}

func (c *batchCall) runKeys(
	given *C.sluice_in_batch, to *C.sluice_mask_key, patience C.uint32_t, e *C.sluice_error,
) C.sluice_status {
	if given != nil && given.n > 0 && given.n <= core.MaxBatch {
		var ok bool
		if c.keys, ok = borrow(to, uint64(given.n)); !ok {
			return fail(e, badArray(c.name, "keys"))
		}
	}
	return c.run(given, patience, e)
}

//export go_batch_accept_bytes
func go_batch_accept_bytes(
	in *C.sluice_in_batch, texts *C.sluice_in_octets, lengths *C.sluice_in_size, patience C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_accept_bytes", does: batchAcceptBytes}
	if in != nil && in.n <= core.MaxBatch {
		var ok, too bool
		c.texts, ok = borrow(texts, uint64(in.n))
		if c.lengths, too = borrow(lengths, uint64(in.n)); !ok || !too {
			return fail(e, badArray(c.name, "texts or lengths"))
		}
	}
	return c.run(in, patience, e)
}

//export go_batch_set_max_tokens
func go_batch_set_max_tokens(
	in *C.sluice_in_batch, limits *C.sluice_in_u32, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	c := batchCall{name: "sluice_batch_set_max_tokens", does: batchSetMaxTokens}
	if in != nil && in.n <= core.MaxBatch {
		var ok bool
		if c.limits, ok = borrow(limits, uint64(in.n)); !ok {
			return fail(e, badArray(c.name, "limits"))
		}
	}
	return c.run(in, math.MaxUint32, e)
}

func (c *batchCall) run(given *C.sluice_in_batch, patience C.uint32_t, e *C.sluice_error) C.sluice_status {
	if given == nil {
		return fail(e, missing(c.name, "batch"))
	}
	var err error
	if c.in, err = input(c.name, "batch", given, given.struct_size, C.SLUICE_FIRST_BATCH); err != nil {
		return fail(e, err)
	}
	if c.in.reserved != 0 {
		return fail(e, core.Errorf(core.CodeArgument, c.name, "batch.reserved is %d: it must be 0", c.in.reserved))
	}
	if c.in.n > core.MaxBatch {
		return fail(e, core.Errorf(core.CodeArgument, c.name, "batch.n is %d: a batch has at most %d matchers", c.in.n,
			core.MaxBatch))
	}
	if c.in.n == 0 {
		return C.SLUICE_OK
	}
	c.scratch = batches.Get().(*batchScratch)
	defer giveBack(c.scratch)
	c.b = &c.scratch.Batch
	if err := c.read(); err != nil {
		return fail(e, err)
	}
	if c.stops != nil {
		c.b.StopStates = slices.Grow(c.scratch.stops[:0], len(c.stops))[:len(c.stops)]
		c.scratch.stops = c.b.StopStates
	}
	c.b.Stop = patient(patience)
	switch threads := int(min(c.in.threads, maxElements)); c.does {
	case batchFill:
		c.b.Fill(c.rows, threads)
	case batchKeys:
		c.b.Keys(threads)
	case batchAccept:
		c.b.Accept(threads)
	case batchValidate:
		c.b.Validate(threads)
	case batchAcceptBytes:
		c.b.AcceptBytes(threads)
	case batchSetMaxTokens:
		c.b.SetMaxTokens(threads)
	case batchSetStopStrings:
		c.b.SetStopStrings()
	case batchRollback:
		c.b.Rollback()
	case batchChains:
		c.b.FillChains(c.rows, threads)
	case batchTrees:
		c.b.FillTrees(c.rows, threads)
	}
	return c.write(e)
}

// giveBack clears the caller's pointers from scratch and returns it to the pool. After the call, Go's heap must hold no
// pointer into C memory.
func giveBack(s *batchScratch) {
	clear(s.Items)
	clear(s.trees)
	s.Items, s.trees, s.Stop, s.StopStates = s.Items[:0], s.trees[:0], nil, nil
	batches.Put(s)
}

// read checks a batch and makes its items.
func (c *batchCall) read() error {
	in := &c.in
	const known = C.SLUICE_BATCH_SKIP_ZERO | C.SLUICE_BATCH_GO_ON
	if in.flags&^known != 0 {
		return core.Errorf(core.CodeArgument, c.name, "batch.flags has unknown bits: %#x", in.flags&^known)
	}
	if err := c.borrowAll(); err != nil {
		return err
	}
	if in.flags&C.SLUICE_BATCH_GO_ON != 0 && c.statuses == nil {
		return core.Errorf(core.CodeArgument, c.name, "batch.statuses is NULL: SLUICE_BATCH_GO_ON "+
			"says that it tells which matchers are left")
	}
	if err := c.readRows(); err != nil {
		return err
	}
	return c.readItems()
}

// borrowAll borrows the caller's arrays of n elements. Arrays that a call does not read stay nil.
func (c *batchCall) borrowAll() error {
	in, n := &c.in, uint64(c.in.n)
	bad := ""
	c.matchers = need(in.matchers, n, "batch.matchers", &bad)
	c.statuses = optional(in.statuses, n, "batch.statuses", &bad)
	c.states = optional(in.states, n, "batch.states", &bad)
	c.stops = optional(in.stops, n, "batch.stops", &bad)
	if c.does != batchFill && c.does != batchKeys {
		c.done = optional(in.done, n, "batch.done", &bad)
	}
	if c.does.hasRows() {
		c.first = optional((*C.int32_t)(in.rows), n, "batch.rows", &bad)
		c.constrained = optional(in.constrained, n, "batch.constrained", &bad)
	}
	if c.does == batchFill {
		c.unchanged = optional(in.unchanged, n, "batch.unchanged", &bad)
	}
	if c.does.hasRows() {
		c.rows.Keys = optional((*core.MaskKey)(unsafe.Pointer(in.row_keys)), uint64(in.n_rows), "batch.row_keys", &bad)
		c.rows.Temperatures = optional((*float32)(in.temperatures), uint64(in.n_rows), "batch.temperatures", &bad)
	}
	if c.does.hasIDs() || c.does == batchRollback || c.does == batchSetStopStrings {
		c.counts = optional((*C.uint32_t)(in.counts), n, "batch.counts", &bad)
	}
	all := n // elements that belong to the matchers, counts[i] to each
	if c.counts != nil {
		all = 0
		for _, k := range c.counts {
			all += uint64(k)
		}
	}
	if bad == "" && c.does.hasIDs() {
		c.ids = need((*int32)(unsafe.Pointer(in.ids)), all, "batch.ids", &bad)
	}
	if bad == "" && c.does == batchSetStopStrings {
		c.strings.borrow(all, &bad)
	}
	if bad != "" {
		return badArray(c.name, bad)
	}
	return nil
}

// need is borrow, and records the name of an invalid array.
func need[T any](p *T, n uint64, name string, bad *string) []T {
	s, ok := borrow(p, n)
	if !ok && *bad == "" {
		*bad = name
	}
	return s
}

// optional is need for arrays that may be NULL.
func optional[T any](p *T, n uint64, name string, bad *string) []T {
	if p == nil {
		return nil
	}
	return need(p, n, name, bad)
}

// readRows reads the memory of the masks.
func (c *batchCall) readRows() error {
	in := &c.in
	if !c.does.hasRows() {
		return nil
	}
	if in.row_words < in.words || in.n_rows > maxElements || in.row_words > maxElements {
		return core.Errorf(core.CodeArgument, c.name, "batch has %d rows, %d words apart, of %d words: "+
			"rows may not overlap", in.n_rows, in.row_words, in.words)
	}
	words := uint64(0)
	if in.n_rows > 0 { // the last row may end after its words, without the rest of the stride
		words = (uint64(in.n_rows)-1)*uint64(in.row_words) + uint64(in.words)
	}
	memory, ok := borrow((*uint32)(unsafe.Pointer(in.masks)), words)
	if !ok {
		return badArray(c.name, "batch.masks")
	}
	c.rows.Words, c.rows.Count = memory, int(in.n_rows)
	c.rows.Stride, c.rows.Width = int(in.row_words), int(in.words)
	return nil
}

func (c *batchCall) served(i int) bool {
	return c.in.flags&C.SLUICE_BATCH_GO_ON == 0 || c.statuses[i] == C.SLUICE_E_UNFINISHED
}

// nobody reports whether a call skips place i, which is free or has no text.
func (c *batchCall) nobody(i int) bool {
	return c.matchers[i] == 0 && c.in.flags&C.SLUICE_BATCH_SKIP_ZERO != 0 || c.texts != nil && c.texts[i] == nil
}

// readItems makes the items. A stale handle becomes the error of its item.
func (c *batchCall) readItems() error {
	next, nodes, step := 0, 0, 0 // ids so far, and the common fields of all trees
	var trees [3][]int64
	var own []core.Tree
	if c.does == batchTrees {
		nodes = int(min(c.trees.nodes, maxElements))
		var err error
		if trees, step, err = c.readTrees(nodes); err != nil {
			return err
		}
		own = c.scratch.take(len(c.matchers))
	}
	row := 0
	c.b.Items = slices.Grow(c.b.Items, len(c.matchers))[:len(c.matchers)] // all zero, see giveBack
	for i, h := range c.matchers {
		it := &c.b.Items[i]
		it.Row, it.Steps = row, 1
		if c.counts != nil {
			it.Steps = int(c.counts[i])
		}
		if c.does.hasIDs() {
			it.IDs = c.ids[next:][:it.Steps:it.Steps]
			next += it.Steps
		}
		if c.does == batchTrees {
			at := i * step
			own[i] = core.Tree{
				Next: trees[0][at:][:nodes], Sibling: trees[1][at:][:nodes], Tokens: trees[2][at:][:nodes],
			}
			it.Tree = &own[i]
		}
		switch c.does {
		case batchChains:
			row += len(it.IDs) + 1
		case batchTrees:
			row += nodes
		default:
			row++
		}
		if c.first != nil {
			it.Row = int(c.first[i])
		}
		if c.served(i) && !c.nobody(i) {
			var ok bool
			if it.Matcher, ok = matchers.Get(uint64(h)); !ok {
				it.Err = staleHandle(c.name, tagMatcher, uint64(h))
			}
		}
		if c.does == batchSetStopStrings {
			own := c.strings.next(it.Steps)
			if c.nobody(i) {
				own = stopStrings{}
			}
			var ok bool
			if it.Strings, ok = own.list(); !ok {
				return badArray(c.name, "strings")
			}
		}
		if c.limits != nil {
			it.Limit = int(c.limits[i])
		}
		if c.texts != nil && !c.nobody(i) {
			var ok bool
			if it.Text, ok = octets(c.texts[i], c.lengths[i]); !ok {
				return badArray(c.name, "texts")
			}
		}
	}
	return nil
}

// readTrees borrows the arrays of all trees.
func (c *batchCall) readTrees(nodes int) (trees [3][]int64, stride int, err error) {
	apart := uint64(c.trees.stride)
	if apart == 0 {
		apart = uint64(nodes)
	}
	n := uint64(c.in.n)
	if apart < uint64(nodes) || apart > maxElements || n > maxElements || nodes == 0 {
		return trees, 0, core.Errorf(core.CodeArgument, c.name, "trees have %d nodes, and begin %d elements apart: "+
			"they have a root at least, and may not overlap", c.trees.nodes, apart)
	}
	all, bad := (n-1)*apart+uint64(nodes), ""
	trees[0] = need((*int64)(unsafe.Pointer(c.trees.next_token)), all, "trees.next_token", &bad)
	trees[1] = need((*int64)(unsafe.Pointer(c.trees.next_sibling)), all, "trees.next_sibling", &bad)
	trees[2] = need((*int64)(unsafe.Pointer(c.trees.tokens)), all, "trees.tokens", &bad)
	if bad != "" {
		return trees, 0, badArray(c.name, bad)
	}
	return trees, int(apart), nil
}

// write writes the status of each matcher. It returns the first failure, else unfinished if work is left, else
// rejected.
func (c *batchCall) write(e *C.sluice_error) C.sluice_status {
	first, rejected, unfinished := C.sluice_status(C.SLUICE_OK), false, error(nil)
	for i := range c.b.Items {
		if !c.served(i) {
			continue
		}
		it := &c.b.Items[i]
		status := C.sluice_status(C.SLUICE_OK)
		switch {
		case it.Err != nil:
			status = C.sluice_status(core.AsError(it.Err).Code)
			if status == C.SLUICE_E_UNFINISHED {
				unfinished = it.Err
			} else if first == C.SLUICE_OK {
				first = fail(e, it.Err)
			}
		case (c.does == batchAccept || c.does == batchValidate) && it.Done < len(it.IDs) && !c.nobody(i),
			c.does == batchAcceptBytes && it.Done == 0 && !c.nobody(i):
			status, rejected = C.SLUICE_E_REJECTED, true
		}
		if c.statuses != nil {
			c.statuses[i] = status
		}
		if c.keys != nil {
			c.keys[i] = keyOf(it.Key)
		}
		if it.Matcher != nil {
			c.writeResults(i, it, status)
		}
	}
	switch {
	case first != C.SLUICE_OK:
		return first
	case unfinished != nil:
		return fail(e, unfinished)
	case rejected:
		return C.SLUICE_E_REJECTED
	}
	return C.SLUICE_OK
}

func (c *batchCall) writeResults(i int, it *core.BatchItem, status C.sluice_status) {
	if c.constrained != nil && status == C.SLUICE_OK {
		c.constrained[i] = flag[C.uint8_t](it.Constrained)
	}
	if c.unchanged != nil && status == C.SLUICE_OK {
		c.unchanged[i] = flag[C.uint8_t](it.Unchanged)
	}
	if status == C.SLUICE_OK || status == C.SLUICE_E_REJECTED || status == C.SLUICE_E_LIMIT {
		if c.done != nil {
			c.done[i] = C.uint32_t(it.Done)
		}
		if c.stops != nil {
			c.stops[i] = stopOf(c.b.StopStates[i])
		}
	}
	if c.states != nil {
		c.states[i] = C.uint8_t(stateBits(it.State))
	}
}
