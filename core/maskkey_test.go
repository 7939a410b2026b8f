package core_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Equal keys mean equal rows: for all states of all grammars of several compilers, across generations.
func TestMaskKeysNameRows(t *testing.T) {
	v := smallVocabulary()
	rows := map[core.MaskKey]string{}
	met := 0
	d := dice(7)
	row := make([]uint32, v.Words())
	for number := range uint32(2) {
		c := core.NewCompiler(v, core.CompilerConfig{GrammarStates: 12, Number: number})
		for _, spec := range []string{`(yes|no|[a-z ]{0,200}[0-9]+)*`, `(ab?c+){0,40}[xy]{3,9}`} {
			g, err := c.Compile(core.Regex, []byte(spec), nil)
			require.NoError(t, err)
			for range 30 {
				m, err := core.NewMatcher(g, core.MatcherOptions{})
				require.NoError(t, err)
				for step := 0; step < 20 && !m.Terminated(); step++ {
					key, err := m.MaskKey()
					require.NoError(t, err)
					require.NotZero(t, key)
					_, err = m.Fill(row)
					require.NoError(t, err)
					again, err := m.MaskKey()
					require.NoError(t, err)
					text := fmt.Sprint(row)
					for _, k := range []core.MaskKey{key, again} { // Fill may have begun a new generation
						if before, ok := rows[k]; ok {
							met++
							require.Equal(t, before, text, "%v", k)
						}
						rows[k] = text
					}
					_, err = m.Accept([]int32{d.choose(t, row)})
					require.NoError(t, err)
				}
			}
		}
	}
	require.Greater(t, met, len(rows), "most masks have been met before")
	high := map[uint64]bool{}
	for k := range rows {
		high[k.High>>32] = true
	}
	require.Len(t, high, 2, "keys tell compilers apart")
}

// Compilers with different numbers have different keys, for numbers with any bits.
func TestMaskKeysOfAllNumbers(t *testing.T) {
	testkit.Alone(t)
	v := smallVocabulary()
	met := map[core.MaskKey]uint32{}
	for _, number := range []uint32{0, 1, 1 << 8, 1 << 23, 1 << 24, 1<<24 + 1, 1 << 31, math.MaxUint32} {
		g, err := core.NewCompiler(v, core.CompilerConfig{Number: number}).Compile(core.Regex, []byte(`a`), nil)
		require.NoError(t, err)
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		key, err := m.MaskKey()
		require.NoError(t, err)
		other, ok := met[key]
		require.False(t, ok, "%d and %d", number, other)
		met[key] = number
	}
}

// A row that depends on more than the state has no key.
func TestMasksWithoutAKey(t *testing.T) {
	_, gs := grammars(t)
	m, err := core.NewMatcher(gs[2], core.MatcherOptions{StopTokens: []uint32{'!'}})
	require.NoError(t, err)
	key, err := m.MaskKey()
	require.NoError(t, err)
	require.NotZero(t, key, "it can't end here: the stop tokens do not matter")
	n, err := m.Accept([]int32{'y', 'e', 's'})
	require.NoError(t, err)
	require.Equal(t, 3, n)
	key, err = m.MaskKey()
	require.NoError(t, err)
	require.Zero(t, key, "stop tokens of its own")
	_, err = m.Accept([]int32{'!'})
	require.NoError(t, err)
	require.True(t, m.Terminated())
	key, err = m.MaskKey()
	require.NoError(t, err)
	require.Zero(t, key, "after the end")
}

func TestBatchKeysEqualSingles(t *testing.T) {
	v, gs := grammars(t)
	var b core.Batch
	for i := range 50 {
		m, err := core.NewMatcher(gs[i%len(gs)], core.MatcherOptions{})
		require.NoError(t, err)
		b.Items = append(b.Items, core.BatchItem{Matcher: m, Row: 0})
	}
	d := dice(3)
	row := make([]uint32, v.Words())
	for step := range 12 {
		b.Keys(step % 3)
		for _, it := range b.Items {
			require.NoError(t, it.Err)
			key, err := it.Matcher.MaskKey()
			require.NoError(t, err)
			require.Equal(t, key, it.Key)
			_, err = it.Matcher.Fill(row)
			require.NoError(t, err)
			_, err = it.Matcher.Accept([]int32{d.choose(t, row)})
			require.NoError(t, err)
		}
	}
	b.Keys(0)
	core.AwaitWarming()
	require.Zero(t, testing.AllocsPerRun(100, func() { b.Keys(0) }))
	b.Items = append(b.Items, b.Items[0])
	b.Keys(0)
	require.Equal(t, core.CodeBusy, core.AsError(b.Items[50].Err).Code)
}
