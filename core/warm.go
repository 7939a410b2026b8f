package core

import (
	"sync"
	"sync/atomic"
	"weak"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// warming finds masks of grammars that have just been compiled, before somebody needs them. There is one goroutine at
// most, so that any number of compilations take no more than one thread from those who wait for masks; where it cannot
// keep up, those that have waited longest are left out, since they are in use by now. Safe for concurrent use.
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
		next.warm()
	}
}

// warm finds the masks. A panic, which is a bug, would end the process here. Whoever comes to the same state meets it
// in a call that can report it.
func (x toWarm) warm() {
	defer func() { _ = recover() }()
	if g := x.g.Value(); g != nil {
		g.Current().Warm(x.most)
	}
}
