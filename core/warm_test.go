package core

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// AwaitWarming waits until no grammar is being warmed, for tests that count allocations of the process.
func AwaitWarming() {
	for warmer.busy.Load() {
		time.Sleep(time.Millisecond)
	}
}

// Grammars wait in a bounded queue; one goroutine works through it and ends; a failure in one does not affect the
// others.
func TestWarming(t *testing.T) {
	v, err := NewVocabulary(VocabularyConfig{
		Tokens: [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("$")}, EndTokens: []uint32{3},
	})
	require.NoError(t, err)
	c := NewCompiler(v, CompilerConfig{WarmBytes: -1})
	var all []*Grammar
	for i := range 2 * limits.WarmQueue {
		g, err := c.Compile(Regex, []byte(fmt.Sprintf("ab{%d}c", i+1)), nil)
		require.NoError(t, err)
		all = append(all, g)
	}
	known := func(g *Grammar) bool {
		m := g.g.Current()
		return m.Known(m.Automaton().StepBytes(m.Automaton().Start(), []byte("abb")))
	}
	w := warming{running: true}
	for _, g := range all {
		w.add(g.g, 100)
		require.False(t, known(g))
	}
	w.queue[1].g = weak.Make(new(compiled.Grammar)) // which is a bug somewhere
	w.queue[2].g = weak.Pointer[compiled.Grammar]{} // one that nobody uses any more
	require.Len(t, w.queue, limits.WarmQueue)
	w.run()
	require.False(t, w.running)
	for i, g := range all[3:] {
		i += 3
		require.Equal(t, i >= limits.WarmQueue && i != limits.WarmQueue+1 && i != limits.WarmQueue+2, known(g), i)
	}

	if runtime.GOMAXPROCS(0) == 1 {
		return // nothing is precomputed
	}
	g, err := NewCompiler(v, CompilerConfig{}).Compile(Regex, []byte("ab{1000}c"), nil)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return known(g) }, time.Minute, time.Millisecond)
}

// The warming goroutine sees runnable goroutines without a thread, and is late once they have waited for long.
func TestWarmingSeesWhoWaits(t *testing.T) {
	var seen threads
	var done atomic.Bool
	var over sync.WaitGroup
	for range runtime.GOMAXPROCS(0) { // this goroutine has a thread, so one of them has none
		over.Go(func() {
			for !done.Load() {
			}
		})
	}
	now, late := time.Now(), false
	for range 1000 { // a goroutine on its way from one thread to another does not count
		require.False(t, seen.late(now))
		if late = seen.late(now.Add(2 * patience)); late {
			break
		}
	}
	seen.giveWay()
	done.Store(true)
	over.Wait()
	require.True(t, late)
	require.Eventually(t, func() bool { return !seen.late(now.Add(time.Hour)) }, time.Minute, time.Millisecond)
	require.Zero(t, seen.since)
}
