package core

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-engine/sluice/core/internal/matcher"
)

// batchSource is the Source of errors about a batch.
const batchSource = "batch"

// Waking another thread costs the caller 5 to 10 µs. Writing a cached mask takes 0.1 to 1 µs, computing a new one up to
// 100 µs, so the size of a batch does not tell its cost. The caller first does the cached items alone, without waiting,
// and wakes helpers only if these take long. It starts on the other items alone too, and wakes helpers after it has
// worked for as long as waking them takes.
const (
	helpAfter     = 20 * time.Microsecond  // of work that is not cached
	helpForKnown  = 150 * time.Microsecond // of cached work that is left, estimated from the items before
	knownPerTake  = 16                     // cached items that a thread takes at once
	coldToShare   = 2                      // other items that are worth a helper
	knownForClock = 64                     // for up to so many cached items nobody looks at the clock
)

// Rows is memory for the masks of one step. Row r of Count begins at Words[r*Stride], and Width words of it are
// written; Width is at least Vocabulary.Words.
type Rows struct {
	Words  []uint32
	Count  int
	Stride int
	Width  int

	// Keys is nil, or has the key of the mask that each row holds, and the zero key if that is not known. Fill leaves a
	// row as it is if it would write the same mask again. It sets the keys of the rows that it writes. FillChains and
	// FillTrees zero the keys of their rows. Zero a key after you have written its row yourself. Zero all keys before a
	// step with other memory or another Width.
	Keys []MaskKey

	// Temperatures is nil, or has an element for each row. Fill, FillChains and FillTrees set it to the temperature of
	// the token that the row is for, as Matcher.Temperature returns it. Elements of rows without one stay as they are.
	Temperatures []float32
}

func (r *Rows) from(i int) matcher.Rows {
	rows := matcher.Rows{Words: r.Words[i*r.Stride:], Stride: r.Stride, Width: r.Width}
	if r.Temperatures != nil {
		rows.Temperatures = r.Temperatures[i:]
	}
	return rows
}

// row returns row i, which must be below Count.
func (r *Rows) row(i int) []uint32 { return r.Words[i*r.Stride:][:r.Width:r.Width] }

// MaxBatch is the most matchers that one call of the C interface may name. A Batch has no such bound.
const MaxBatch = 1 << 20

// Tree is a tree of draft tokens: three arrays with an element for each node. Node 0 is the token that was accepted
// last. −1 in Next and Sibling means no node.
type Tree struct {
	Next    []int64 // the first child of each node
	Sibling []int64 // the next child of the same parent
	Tokens  []int64 // the token of each node; the one of node 0 is not read
}

// BatchItem is one matcher of a batch with the input and the result of a step.
type BatchItem struct {
	Matcher *Matcher // nil: the step skips this item and leaves Err as it is
	Row     int      // of Fill; the first of several rows of FillChains and FillTrees
	IDs     []int32  // of Accept, Validate and FillChains
	Text    []byte   // of AcceptBytes
	Limit   int      // of SetMaxTokens
	Strings []string // of SetStopStrings
	Steps   int      // of Rollback
	Tree    *Tree    // of FillTrees

	Constrained bool    // result of Fill, as Matcher.Fill returns it; true after FillChains and FillTrees
	Unchanged   bool    // result of Fill with Rows.Keys: the row held this mask and was not written
	Key         MaskKey // result of Keys
	Done        int     // result: ids accepted or allowed, texts accepted; in FillTrees, nodes that allowed tokens lead to
	State       State   // result: the matcher's state after the step
	Err         error   // result: nil or an *Error

	held matcher.Held // the matcher, which is this batch's until the step is over
}

// Batch does one step for many sequences in one call, with several threads if that is faster. The results equal the
// results of single calls for every order of the items and every number of threads.
//
// A failed item leaves its matcher and its rows as they were and does not affect other items. The second item with the
// same matcher fails with CodeBusy, the second item with the same row with CodeArgument.
//
// A batch is memory to be reused: it allocates nothing once it has grown. One goroutine at a time may use it.
type Batch struct {
	Items []BatchItem // the input of the next step; change it between steps

	// Stop ends a step early once it returns true. It is asked on the caller's goroutine before work that is not cached
	// yet. The remaining items fail with CodeUnfinished; the same step made again continues. nil never stops.
	Stop func() bool

	// StopStates is nil, or has an element for each item. Every step sets it to the StopState of the item's matcher after
	// the step. Elements stay as they are if the step skips the item, or its matcher is in use.
	StopStates []StopState

	rows    Rows
	do      operation
	taken   []uint64     // a bit for each row that an item of this step has
	cold    []int32      // the items that need work that is not cached
	again   bool         // the step is doing the cold items
	cursor  atomic.Int64 // the next item that no thread has taken
	wait    sync.WaitGroup
	help    func() // b.helper, kept because each new method value would be allocated
	threads int
	spare   int // helpers that may still be called

	stopped    atomic.Bool
	ask, heard func() bool // kept as help is
}

// operation selects the work of a step for each item.
type operation uint8

const (
	opFill operation = iota
	opKeys
	opAccept
	opValidate
	opAcceptBytes
	opSetMaxTokens
	opSetStopStrings
	opRollback
	opChains
	opTrees
)

// rowsOf returns how many rows an item's masks take.
func (o operation) rowsOf(it *BatchItem) int {
	switch o {
	case opFill:
		return 1
	case opChains:
		return len(it.IDs) + 1
	case opTrees:
		if it.Tree != nil {
			return len(it.Tree.Next)
		}
	}
	return 0
}

// Fill overwrites the row of each item with the set of tokens that may come next, as Matcher.Fill does, unless Rows.Keys
// says that the row holds this set. At most threads threads work; 0 means GOMAXPROCS.
func (b *Batch) Fill(rows Rows, threads int) { b.run(opFill, rows, threads) }

// Keys sets the Key of each item instead of writing rows. It computes masks that are not cached yet.
func (b *Batch) Keys(threads int) { b.run(opKeys, Rows{}, threads) }

// Accept moves each matcher over its IDs, as Matcher.Accept does, and sets Done.
func (b *Batch) Accept(threads int) { b.run(opAccept, Rows{}, threads) }

// Validate sets Done as Accept would, without moving the matchers.
func (b *Batch) Validate(threads int) { b.run(opValidate, Rows{}, threads) }

// AcceptBytes moves each matcher over its Text, as Matcher.AcceptBytes does, and sets Done to 1 if the grammar allowed
// it, else to 0.
func (b *Batch) AcceptBytes(threads int) { b.run(opAcceptBytes, Rows{}, threads) }

// SetMaxTokens limits each matcher to Limit more tokens, as Matcher.SetMaxTokens does.
func (b *Batch) SetMaxTokens(threads int) { b.run(opSetMaxTokens, Rows{}, threads) }

// SetStopStrings makes each output stop at the first of its Strings, as Matcher.SetStopStrings does.
func (b *Batch) SetStopStrings() { b.run(opSetStopStrings, Rows{}, 1) }

// Rollback takes back the last Steps steps of each matcher.
func (b *Batch) Rollback() { b.run(opRollback, Rows{}, 1) }

// FillChains writes the masks of draft tokens: len(IDs)+1 rows for each item, row i with the set of tokens that may
// come after the first i of its IDs. Rows after the first forbidden draft token allow every token, since an engine
// discards samples there. No matcher moves.
func (b *Batch) FillChains(rows Rows, threads int) { b.run(opChains, rows, threads) }

// FillTrees writes the masks of trees of draft tokens: a row for each node of each item's Tree with the set of tokens
// that may come after it. Rows of nodes behind a forbidden token allow every token. No matcher moves.
func (b *Batch) FillTrees(rows Rows, threads int) { b.run(opTrees, rows, threads) }

// run does the work of all items.
func (b *Batch) run(do operation, rows Rows, threads int) {
	b.do, b.rows = do, rows
	defer b.release() // also after a panic: no matcher stays claimed
	b.claim()
	limit := runtime.GOMAXPROCS(0)
	if warmer.busy.Load() { // the warming goroutine holds one thread; waiting for it would take longer
		limit = max(limit-1, 1)
	}
	if threads <= 0 || threads > limit {
		threads = limit
	}
	b.threads, b.spare, b.again, b.cold = threads, threads-1, false, b.cold[:0]
	b.cursor.Store(0)
	b.known()
	if len(b.cold) > 0 {
		b.unknown()
	}
}

// known does the items whose results are cached, and makes the others cold.
func (b *Batch) known() {
	n := len(b.Items)
	if b.spare > 0 && n > knownForClock {
		for begin := time.Now(); b.work(knownPerTake, AtOnce); {
			done := int(b.cursor.Load())
			left := n - done
			each := time.Since(begin) / time.Duration(done)
			if left > 0 && b.spare > 0 && each*time.Duration(left) > helpForKnown {
				b.callHelp(left, knownPerTake)
			}
		}
		b.wait.Wait()
	} else {
		b.work(n+1, AtOnce)
	}
	for i := range b.Items {
		if it := &b.Items[i]; it.held.OK() && it.Err != nil && AsError(it.Err).Code == CodeUnfinished {
			b.cold = append(b.cold, int32(i))
		}
	}
}

// unknown does the cold items.
func (b *Batch) unknown() {
	var stop func() bool
	b.stopped.Store(false)
	if b.Stop != nil {
		if b.ask == nil {
			b.ask, b.heard = b.asks, b.stopped.Load
		}
		stop = b.ask
	}
	b.again, b.spare = true, b.threads-1
	b.cursor.Store(0)
	for begin := time.Now(); b.work(1, stop); {
		left := len(b.cold) - int(b.cursor.Load())
		if left >= coldToShare && b.spare > 0 && time.Since(begin) > helpAfter {
			b.callHelp(left, 1)
		}
	}
}

// claim checks all items in order before any work. So the second of two colliding items fails, on all numbers of
// threads.
func (b *Batch) claim() {
	words := (b.rows.Count + 63) / 64
	if cap(b.taken) < words {
		b.taken = make([]uint64, words)
	}
	b.taken = b.taken[:words]
	clear(b.taken)
	for i := range b.Items {
		it := &b.Items[i]
		if it.Matcher == nil {
			continue
		}
		it.Constrained, it.Unchanged, it.Key, it.Done, it.State = false, false, MaskKey{}, 0, State{}
		if it.Err = b.rowsTaken(i, it); it.Err != nil {
			it.State = it.Matcher.State()
			continue
		}
		var ok bool
		if it.held, ok = it.Matcher.m.Hold(); !ok {
			it.State = it.Matcher.State()
			it.Err = Errorf(CodeBusy, batchSource, "the matcher of item %d is in this batch already, or in use on "+
				"another thread: name each matcher once, or fork it", i)
			continue
		}
		n := b.do.rowsOf(it)
		if b.rows.Keys != nil && b.do != opFill {
			clear(b.rows.Keys[it.Row:][:n])
		}
		for r := range n {
			b.taken[(it.Row+r)/64] |= 1 << ((it.Row + r) % 64)
		}
	}
}

// rowsTaken returns the error in an item's rows, nil if the item may have them.
func (b *Batch) rowsTaken(i int, it *BatchItem) error {
	n := b.do.rowsOf(it)
	switch {
	case b.do == opTrees && it.Tree == nil:
		return Errorf(CodeArgument, batchSource, "item %d has no tree", i)
	case n == 0:
		return nil
	}
	if it.Row < 0 || it.Row >= b.rows.Count || n > b.rows.Count-it.Row {
		return Errorf(CodeArgument, batchSource, "item %d needs %d rows from row %d on, and there are %d",
			i, n, it.Row, b.rows.Count)
	}
	if n := len(b.rows.Keys); b.rows.Keys != nil && n < b.rows.Count {
		return Errorf(CodeArgument, batchSource, "there are %d keys for %d rows", n, b.rows.Count)
	}
	if n := len(b.rows.Temperatures); b.rows.Temperatures != nil && n < b.rows.Count {
		return Errorf(CodeArgument, batchSource, "there are %d temperatures for %d rows", n, b.rows.Count)
	}
	for r := it.Row; r < it.Row+n; r++ {
		if b.taken[r/64]>>(r%64)&1 != 0 {
			return Errorf(CodeArgument, batchSource, "item %d names row %d, which an earlier item has: give each its "+
				"own", i, r)
		}
	}
	return nil
}

// release frees the matchers after the last thread is done.
func (b *Batch) release() {
	b.wait.Wait()
	b.rows = Rows{}
	for i := range b.Items {
		it := &b.Items[i]
		if it.held.OK() {
			it.State = State(it.held.State())
			if i < len(b.StopStates) {
				b.StopStates[i] = StopState(it.held.Stopped())
			}
			it.held.Release()
			if it.Err != nil {
				it.Err = published(it.Err)
			}
		}
		if it.Matcher != nil {
			it.Matcher.g.countItem(b.do, it)
		}
	}
}

// callHelp starts helpers, one for every few items that are left.
func (b *Batch) callHelp(left, each int) {
	if b.help == nil {
		b.help = b.helper
	}
	helpers := min(b.spare, (left+each-1)/each)
	b.spare = 0
	b.wait.Add(helpers)
	for range helpers {
		go b.help()
	}
}

// helper is a thread beside the caller's.
func (b *Batch) helper() {
	defer b.wait.Done()
	n, stop := knownPerTake, AtOnce
	if b.again {
		n, stop = 1, nil
		if b.Stop != nil {
			stop = b.heard
		}
	}
	for b.work(n, stop) {
	}
}

// work does the next n items and reports whether there may be more.
func (b *Batch) work(n int, stop func() bool) bool {
	count := len(b.Items)
	if b.again {
		count = len(b.cold)
	}
	end := int(b.cursor.Add(int64(n)))
	for i := end - n; i < min(end, count); i++ {
		k := i
		if b.again {
			k = int(b.cold[i])
		}
		if it := &b.Items[k]; it.held.OK() && !(b.again && b.stopped.Load()) {
			b.one(it, stop)
		}
	}
	return end < count
}

// one does one item. A panic, which is a bug in the engine, becomes the item's error: on a helper's goroutine it would
// end the process.
func (b *Batch) one(it *BatchItem, stop func() bool) {
	defer func() {
		if r := recover(); r != nil {
			it.Err = Bug(r)
		}
	}()
	switch h := &it.held; b.do {
	case opFill:
		if b.rows.Keys != nil {
			b.refill(it, &b.rows.Keys[it.Row], stop)
		} else {
			it.Constrained, it.Err = h.Fill(b.rows.row(it.Row), stop)
		}
		if b.rows.Temperatures != nil && it.Err == nil {
			if t, ok := h.Temperature(); ok {
				b.rows.Temperatures[it.Row] = float32(t)
			}
		}
	case opKeys:
		n, err := h.Name(stop)
		if it.Err = err; err == nil {
			it.Key = it.Matcher.g.maskKey(n.Masks, n.Record)
		}
	case opAccept:
		it.Done, it.Err = h.Accept(it.IDs, stop)
	case opValidate:
		it.Done, it.Err = h.Validate(it.IDs, stop)
	case opAcceptBytes:
		var ok bool
		if ok, it.Err = h.AcceptBytes(it.Text, stop); ok {
			it.Done = 1
		}
	case opSetMaxTokens:
		it.Err = h.SetMaxTokens(it.Limit)
	case opSetStopStrings:
		it.Err = h.SetStopStrings(it.Strings)
	case opRollback:
		it.Err = h.Rollback(it.Steps)
	case opChains:
		it.Done, it.Err = h.FillChain(it.IDs, b.rows.from(it.Row), stop)
		it.Constrained = true
	case opTrees:
		it.Done, it.Err = h.FillTree(matcher.Tree(*it.Tree), b.rows.from(it.Row), stop)
		it.Constrained = true
	}
}

// refill fills the row of an item unless it holds the mask with this key.
func (b *Batch) refill(it *BatchItem, key *MaskKey, stop func() bool) {
	was := it.Matcher.g.maskName(*key)
	var now matcher.MaskName
	if now, it.Constrained, it.Err = it.held.Refill(b.rows.row(it.Row), was, stop); it.Err == nil {
		it.Unchanged = now == was && now != matcher.MaskName{}
		*key = it.Matcher.g.maskKey(now.Masks, now.Record)
	}
}

// asks reports whether the step has to end early, and tells the helpers.
func (b *Batch) asks() bool {
	if !b.stopped.Load() && b.Stop() {
		b.stopped.Store(true)
	}
	return b.stopped.Load()
}
