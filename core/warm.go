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

// warming computes masks of new grammars before their first sequence needs them. It runs at most one goroutine, which
// pauses while other goroutines wait for a thread. A full queue drops its oldest grammars, since those are in use by
// now. Safe for concurrent use.
type warming struct {
	mu      sync.Mutex
	queue   []toWarm
	running bool
	busy    atomic.Bool // equals running, for callers that need no exact answer
}

type toWarm struct {
	g    weak.Pointer[compiled.Grammar] // so a queued grammar can be freed
	most int                            // bytes of the sample output
}

// warmer is one for the process, since threads are.
var warmer warming

// add puts g at the end of the queue.
func (w *warming) add(g *compiled.Grammar, most int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == limits.WarmQueue {
		if dropped := w.queue[0].g.Value(); dropped != nil {
			dropped.Metrics().WarmDropped.Add(1)
		}
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

// threads watches whether goroutines wait for a thread. Not for concurrent use; the zero value is ready.
type threads struct {
	waiting [1]metrics.Sample
	since   time.Time // the first look at which others waited, zero if none waits
}

// patience is how long others may wait for a thread before the goroutine pauses, and the length of the pause. Most wait
// less: with a pause at the first sign of a wait, masks of MaskBench took 5 % longer.
const patience = time.Millisecond

// giveWay pauses if others have waited for a thread for too long. runtime.Gosched is not enough: a busy thread does not
// fetch goroutines from another thread's queue.
func (t *threads) giveWay() {
	if t.late(time.Now()) {
		time.Sleep(patience)
	}
}

// late reports whether others have waited at all looks for longer than patience.
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

// short reports whether there are more runnable goroutines than threads. It takes 0.2 µs.
func (t *threads) short() bool {
	t.waiting[0].Name = "/sched/goroutines/runnable:goroutines"
	metrics.Read(t.waiting[:])
	return t.waiting[0].Value.Uint64() > 0
}

// warm computes the masks and calls pause between its steps. It recovers a panic, which is a bug, because it would end
// the process here. The next call that reaches the state panics again and reports it.
func (x toWarm) warm(pause func()) {
	defer func() { _ = recover() }()
	if g := x.g.Value(); g != nil {
		begin := time.Now()
		g.Current().Warm(x.most, pause)
		g.Metrics().Warmed.Observe(time.Since(begin))
	}
}
