package core

import (
	"slices"
	"sync"
	"time"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// inFlight bounds the work of all large compilations in progress together, and so their memory. Beyond the bound, only the
// oldest goes on. The others wait, and continue in the order in which they became large. Safe for concurrent use.
type inFlight struct {
	mu    sync.Mutex
	done  int           // the looks of all turns in large, a measure of their work
	large []*flightTurn // the oldest first
}

// compilations is one for the process, since memory is.
var compilations inFlight

// flightTurn is one compilation. Used by the goroutine that compiles.
type flightTurn struct {
	stop  func() bool   // the caller's, may be nil
	looks int           // one for each 20,000 steps, and one between stages
	wake  chan struct{} // closed when the compilation may continue; nil while it does not wait
}

// inTurn calls compile with options whose Stop waits for the compilation's turn. A small compilation never waits.
func inTurn[T any](o *source.Options, compile func(o *source.Options) (T, error)) (T, error) {
	t, own := flightTurn{stop: o.Stop}, *o
	own.Stop = t.ends
	defer compilations.leave(&t)
	return compile(&own)
}

// ends reports whether the compilation has to end.
func (t *flightTurn) ends() bool {
	if t.stop != nil && t.stop() {
		return true
	}
	return !t.look(1)
}

// look counts n looks, and waits for the turn. It returns false if the caller stops the compilation meanwhile.
func (t *flightTurn) look(n int) bool {
	before := t.looks
	if t.looks += n; t.looks < limits.SmallCompilation {
		return true
	}
	wake := compilations.add(t, before)
	switch {
	case wake == nil:
		return true
	case t.stop == nil:
		<-wake
		return true
	}
	return t.wait(wake)
}

// askAgain is the interval at which a waiting compilation calls its Stop.
const askAgain = time.Millisecond

// wait returns false if the caller ends it.
func (t *flightTurn) wait(wake chan struct{}) bool {
	timer := time.NewTicker(askAgain)
	defer timer.Stop()
	for {
		select {
		case <-wake:
			return true
		case <-timer.C:
			if t.stop() {
				return false
			}
		}
	}
}

// add counts the looks of t behind the first `before`. It returns the channel that t has to wait for, or nil.
func (f *inFlight) add(t *flightTurn, before int) chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if before < limits.SmallCompilation {
		f.large = append(f.large, t)
		before = 0
	}
	f.done += t.looks - before
	if f.done <= limits.CompilingAtOnce || f.large[0] == t {
		return nil
	}
	t.wake = make(chan struct{})
	return t.wake
}

// leave ends a compilation and wakes those that may now continue.
func (f *inFlight) leave(t *flightTurn) {
	if t.looks < limits.SmallCompilation {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.Index(f.large, t)
	f.large = slices.Delete(f.large, i, i+1)
	f.done -= t.looks
	for i, x := range f.large {
		if x.wake != nil && (i == 0 || f.done <= limits.CompilingAtOnce) {
			close(x.wake)
			x.wake = nil
		}
	}
}
