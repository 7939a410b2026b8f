package core_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// State may be read while another goroutine uses the matcher; it is the state after one of its calls. Run with -race.
func TestStateBesideOtherCalls(t *testing.T) {
	g, err := core.NewCompiler(smallVocabulary(), core.CompilerConfig{GrammarStates: 3}).Compile(core.Regex,
		[]byte(`(ab)*`), nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	var done atomic.Bool
	var wg sync.WaitGroup
	var asked atomic.Int64
	for range 2 {
		wg.Go(func() {
			for !done.Load() {
				s := m.State()
				if s.Completed != (s.Length%2 == 0) || s.Terminated {
					t.Errorf("%+v never was", s)
					return
				}
				// Each of these holds at some moment, and the output may end at every other step.
				m.Completed()
				if m.Terminated() || m.Len() < 0 {
					t.Error("it never ended")
					return
				}
				asked.Add(1)
			}
		})
	}
	steps := 0
	for asked.Load() < 1000 && !t.Failed() || steps < 2000 {
		n, err := m.Accept([]int32{int32("ab"[steps%2])})
		require.NoError(t, err)
		require.Equal(t, 1, n)
		steps++
		if steps%500 == 0 {
			require.NoError(t, m.Rollback(2))
			require.NoError(t, m.Reset())
		}
	}
	done.Store(true)
	wg.Wait()
}

// A matcher that completes with every step reports so at every moment.
func TestCompletedIsNeverFalseBesideOthers(t *testing.T) {
	g, err := core.NewCompiler(smallVocabulary(), core.CompilerConfig{}).Compile(core.Regex, []byte(`a*`), nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	var done atomic.Bool
	var wg sync.WaitGroup
	var asked atomic.Int64
	wg.Go(func() {
		for !done.Load() {
			if !m.Completed() {
				t.Error("the output may end after every a")
				return
			}
			asked.Add(1)
		}
	})
	for i := 0; i < 20_000 || asked.Load() < 1000 && !t.Failed(); i++ {
		_, err := m.Accept([]int32{'a'})
		require.NoError(t, err)
		if m.Len() > 1000 {
			require.NoError(t, m.Reset())
		}
	}
	done.Store(true)
	wg.Wait()
}
