package core

import (
	"slices"
	"sync"
	"time"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// inFlight bounds what the large compilations of the process have done together, and with it their memory: where it is
// too much, all but the oldest wait. So there is always one that goes on, and the others follow in the order in which
// they came. Safe for concurrent use.
type inFlight struct {
	mu    sync.Mutex
	done  int           // by those in large, in looks at their callers' flags
	large []*flightTurn // the oldest first
}

// compilations is the process's: memory is, too.
var compilations inFlight

// flightTurn is one compilation. Used by the goroutine that compiles.
type flightTurn struct {
	stop  func() bool   // the caller's, may be nil
	looks int           // one for each 20,000 steps, and one between stages
	wake  chan struct{} // closed when it may go on; nil where it does not wait
}

// inTurn calls compile with options whose Stop waits where other compilations have done too much. A small one waits for
// nobody.
func inTurn[T any](o *source.Options, compile func(o *source.Options) (T, error)) (T, error) {
	t, own := flightTurn{stop: o.Stop}, *o
	own.Stop = t.ends
	defer compilations.leave(&t)
	return compile(&own)
}

// ends is asked whether the compilation ends.
func (t *flightTurn) ends() bool {
	if t.stop != nil && t.stop() {
		return true
	}
	return !t.look(1)
}

// look counts n looks, and waits if it has to. It returns false if the caller ends that.
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

// askAgain is how often the caller of a compilation that waits is asked whether to go on.
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

// add counts the looks of t, which were so many before, and returns what t waits for, nil if nothing.
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

// leave ends a compilation. Those that have waited for it go on.
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
