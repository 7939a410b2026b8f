package core

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// batchSource is the Source of errors about a batch.
const batchSource = "batch"

// Waking another thread costs the caller 5 to 10 µs, while a row that was met before is written in 0.3 µs and a new one may
// take a hundred: what a batch will cost is not known from its size. So the caller begins alone, looks at the clock every
// few rows, and calls for help once it has worked for as long as help is worth.
const (
	helpAfter     = 20 * time.Microsecond
	rowsPerGlance = 4
)

// Rows is memory for the masks of one step: Count rows, row r begins at Words[r*Stride], Width words of it are written.
type Rows struct {
	Words  []uint32
	Count  int
	Stride int
	Width  int
}

// row returns row r, which must be below Count.
func (r *Rows) row(i int) []uint32 { return r.Words[i*r.Stride:][:r.Width:r.Width] }

// BatchItem is one matcher of a batch, and what became of it.
type BatchItem struct {
	Matcher     *Matcher // nil: skipped, Err is left as it is
	Row         int
	Constrained bool    // out of Fill: as Matcher.Fill returns it
	Key         MaskKey // out of Keys
	Err         error   // out

	claimed bool // the matcher is this batch's until the rows are filled
}

// Batch fills the rows of one step with several threads. One sequence of steps: one goroutine at a time. It is scratch:
// reuse it, and nothing is allocated once it has grown.
type Batch struct {
	Items []BatchItem

	// Stop ends a step early: it is asked on the caller's goroutine before a row that nobody has found yet. Rows that are
	// left then fail with CodeUnfinished; calling again goes on, since what was found is kept. nil never stops.
	Stop func() bool

	rows   Rows
	keys   bool         // keys are wanted, and no rows
	taken  []uint64     // a bit for each row that an item of this step has
	cursor atomic.Int64 // the next item that nobody works on
	wait   sync.WaitGroup
	help   func() // b.helper, made once: a method value would be allocated at each use
	spare  int    // helpers that may still be called

	stopped    atomic.Bool
	ask, heard func() bool // what the caller and the helpers ask, made once as help is
}

// Fill overwrites the rows of all items. At most threads threads work, 0 means as many as the process may use. The
// masks do not depend on that number. A matcher named twice fails at its second item (CodeBusy), and so does a row
// (CodeArgument); a failed item leaves its row untouched and takes no other item down.
func (b *Batch) Fill(rows Rows, threads int) {
	b.rows, b.keys = rows, false
	b.run(threads)
}

// Keys finds the key of each item's mask instead, computing masks that are new; nothing is written but the items, whose
// rows become their own numbers. Otherwise it is as Fill.
func (b *Batch) Keys(threads int) {
	b.rows, b.keys = Rows{Count: len(b.Items)}, true
	for i := range b.Items {
		b.Items[i].Row = i
	}
	b.run(threads)
}

// run does the work of all items.
func (b *Batch) run(threads int) {
	defer b.release() // also after a panic: no matcher stays claimed
	b.claim()
	if limit := runtime.GOMAXPROCS(0); threads <= 0 || threads > limit {
		threads = limit
	}
	b.spare = threads - 1
	b.cursor.Store(0)
	var stop func() bool
	if b.Stop != nil {
		b.stopped.Store(false)
		if b.ask == nil {
			b.ask, b.heard = b.asks, b.stopped.Load
		}
		stop = b.ask
	}
	for begin, more := time.Now(), true; more; {
		if more = b.work(rowsPerGlance, stop); more && b.spare > 0 && time.Since(begin) > helpAfter {
			b.callHelp()
		}
	}
}

// claim checks all items before any work, one after the other, so that it does not depend on threads which of two
// items that collide fails.
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
		it.Err, it.Constrained, it.Key, it.claimed = nil, false, MaskKey{}, false
		switch {
		case it.Row < 0 || it.Row >= b.rows.Count:
			it.Err = Errorf(CodeArgument, batchSource, "item %d names row %d of %d rows", i, it.Row, b.rows.Count)
		case b.taken[it.Row/64]>>(it.Row%64)&1 != 0:
			it.Err = Errorf(CodeArgument, batchSource, "item %d names row %d, which an earlier item has: give each its own", i, it.Row)
		case !it.Matcher.inBatch.CompareAndSwap(false, true):
			it.Err = Errorf(CodeBusy, batchSource, "the matcher of item %d is in a batch already: name each matcher once, or fork it", i)
		default:
			b.taken[it.Row/64] |= 1 << (it.Row % 64)
			it.claimed = true
		}
	}
}

// release gives the matchers back, once nobody works on them any more.
func (b *Batch) release() {
	b.wait.Wait()
	b.rows = Rows{}
	for i := range b.Items {
		if it := &b.Items[i]; it.claimed {
			it.claimed = false
			it.Matcher.inBatch.Store(false)
		}
	}
}

// callHelp starts helpers, one for every few rows that are left.
func (b *Batch) callHelp() {
	if b.help == nil {
		b.help = b.helper
	}
	left := len(b.Items) - int(b.cursor.Load())
	helpers := min(b.spare, (left+rowsPerGlance-1)/rowsPerGlance)
	b.spare = 0
	b.wait.Add(helpers)
	for range helpers {
		go b.help()
	}
}

// helper is a thread beside the caller's.
func (b *Batch) helper() {
	defer b.wait.Done()
	var stop func() bool
	if b.Stop != nil {
		stop = b.heard
	}
	for b.work(rowsPerGlance, stop) {
	}
}

// work fills the next n items and tells whether there may be more.
func (b *Batch) work(n int, stop func() bool) bool {
	for range n {
		i := int(b.cursor.Add(1)) - 1
		if i >= len(b.Items) {
			return false
		}
		if it := &b.Items[i]; it.claimed {
			b.fill(it, stop)
		}
	}
	return true
}

// fill fills one row. A panic is a bug in the engine; on a helper's goroutine it would end the process, so it becomes
// this row's error.
func (b *Batch) fill(it *BatchItem, stop func() bool) {
	defer func() {
		if r := recover(); r != nil {
			it.Err = diag.Errorf(CodeInternal, batchSource, diag.Place{}, "a bug in Sluice: %v", r)
		}
	}()
	if b.keys {
		it.Key, it.Err = it.Matcher.Until(stop).MaskKey()
		return
	}
	it.Constrained, it.Err = it.Matcher.Until(stop).Fill(b.rows.row(it.Row))
}

// asks tells whether the step is to end early. Helpers hear of it.
func (b *Batch) asks() bool {
	if !b.stopped.Load() && b.Stop() {
		b.stopped.Store(true)
	}
	return b.stopped.Load()
}
