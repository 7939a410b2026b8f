package core

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// batchSource is the Source of errors about a batch.
const batchSource = "batch"

// rowsPerHelper is how many rows of a batch pay for waking another thread. A row that was met before takes 0.4 µs to
// write, waking a thread 5 to 10 µs: below this many rows the caller is done first.
const rowsPerHelper = 16

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
	Constrained bool  // out: as Matcher.Fill returns it
	Err         error // out

	claimed bool // the matcher is this batch's until the rows are filled
}

// Batch fills the rows of one step with several threads. One sequence of steps: one goroutine at a time. It is scratch:
// reuse it, and nothing is allocated once it has grown.
type Batch struct {
	Items []BatchItem

	rows   Rows
	taken  []uint64     // a bit for each row that an item of this step has
	cursor atomic.Int64 // the next item that nobody works on
	wait   sync.WaitGroup
	help   func() // b.helper, made once: a method value would be allocated at each use
}

// Fill overwrites the rows of all items. At most threads threads work, 0 means as many as the process may use. The
// masks do not depend on that number. A matcher named twice fails at its second item (CodeBusy), and so does a row
// (CodeArgument); a failed item leaves its row untouched and takes no other item down.
func (b *Batch) Fill(rows Rows, threads int) {
	b.rows = rows
	b.claim()
	if limit := runtime.GOMAXPROCS(0); threads <= 0 || threads > limit {
		threads = limit
	}
	helpers := min(threads-1, len(b.Items)/rowsPerHelper)
	b.cursor.Store(0)
	if helpers > 0 {
		if b.help == nil {
			b.help = b.helper
		}
		b.wait.Add(helpers)
		for range helpers {
			go b.help()
		}
	}
	b.work()
	b.wait.Wait()
	b.release()
	b.rows = Rows{}
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
		it.Err, it.Constrained, it.claimed = nil, false, false
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

// release gives the matchers back.
func (b *Batch) release() {
	for i := range b.Items {
		if it := &b.Items[i]; it.claimed {
			it.claimed = false
			it.Matcher.inBatch.Store(false)
		}
	}
}

// helper is a thread beside the caller's.
func (b *Batch) helper() {
	defer b.wait.Done()
	b.work()
}

// work fills items until none is left.
func (b *Batch) work() {
	for {
		i := int(b.cursor.Add(1)) - 1
		if i >= len(b.Items) {
			return
		}
		if it := &b.Items[i]; it.claimed {
			b.fill(it)
		}
	}
}

// fill fills one row. A panic is a bug in the engine; on a helper's goroutine it would end the process, so it becomes
// this row's error.
func (b *Batch) fill(it *BatchItem) {
	defer func() {
		if r := recover(); r != nil {
			it.Err = diag.Errorf(CodeInternal, batchSource, diag.Place{}, "a bug in Sluice: %v", r)
		}
	}()
	it.Constrained, it.Err = it.Matcher.Fill(b.rows.row(it.Row))
}
