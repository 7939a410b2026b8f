package core

import (
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// warming finds masks of grammars that have just been compiled, before somebody needs them. There is one goroutine at
// most, and it rests where others wait for a thread, so that compilations take none from those who need a mask; where
// it cannot keep up, those that have waited longest are left out, since they are in use by now. Safe for concurrent
// use.
type warming struct {
	mu      sync.Mutex
	queue   []toWarm
	running bool
	busy    atomic.Bool // the same as running, for those who need not know exactly
}

type toWarm struct {
	g    weak.Pointer[compiled.Grammar] // which nobody holds by waiting here
	most int                            // bytes of the output that is made up
}

// warmer is the process's: threads are, too.
var warmer warming

// add puts g at the end of the queue.
func (w *warming) add(g *compiled.Grammar, most int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == limits.WarmQueue {
		w.queue = append(w.queue[:0], w.queue[1:]...)
	}
	w.queue = append(w.queue, toWarm{weak.Make(g), most})
	if !w.running {
		w.running = true
		w.busy.Store(true)
		go w.run()
	}
}

// run works until nothing waits.
func (w *warming) run() {
	var t threads
	for {
		w.mu.Lock()
		if len(w.queue) == 0 {
			w.running, w.queue = false, nil
			w.busy.Store(false)
			w.mu.Unlock()
			return
		}
		next := w.queue[0]
		w.queue = w.queue[1:]
		w.mu.Unlock()
		next.warm(t.giveWay)
	}
}

// threads sees whether goroutines wait for a thread. Not for concurrent use; the zero value is ready.
type threads struct {
	waiting [1]metrics.Sample
	since   time.Time // when others were first seen to wait, zero if none did at the last look
}

// patience is how long others may wait for a thread before this goroutine rests, and how long it rests then. Nearly all
// get one sooner: with a rest as soon as anybody waited, masks of MaskBench took 5 % longer.
const patience = time.Millisecond

// giveWay rests if others have been waiting for a thread for long. runtime.Gosched is not enough: a thread that has
// something to do, such as to go on here, does not fetch who waits in another thread's queue.
func (t *threads) giveWay() {
	if t.late(time.Now()) {
		time.Sleep(patience)
	}
}

// late reports whether others have been waiting for longer than patience, at all looks until now.
func (t *threads) late(now time.Time) bool {
	switch {
	case !t.short():
		t.since = time.Time{}
		return false
	case t.since.IsZero():
		t.since = now
	}
	return now.Sub(t.since) > patience
}

// short reports whether there are more goroutines with something to do than threads. It takes 0.2 µs.
func (t *threads) short() bool {
	t.waiting[0].Name = "/sched/goroutines/runnable:goroutines"
	metrics.Read(t.waiting[:])
	return t.waiting[0].Value.Uint64() > 0
}

// warm finds the masks, and calls pause between its steps. A panic, which is a bug, would end the process here. Whoever
// comes to the same state meets it in a call that can report it.
func (x toWarm) warm(pause func()) {
	defer func() { _ = recover() }()
	if g := x.g.Value(); g != nil {
		g.Current().Warm(x.most, pause)
	}
}
