package core_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/metrics"
)

const countedRegex = `(abc|[0-9]{3})x`

// statsOf returns the counts of a compiler that change from call to call, without durations and bytes.
func statsOf(c *core.Compiler) map[string]uint64 {
	s := c.Stats()
	out := map[string]uint64{
		"compilations": s.Compilations.Count, "hits": s.Cache.Hits, "masks": s.Masks, "made": s.MasksMade.Count,
		"forced": s.ForcedBytes,
	}
	for code, n := range s.Refusals {
		out[code.String()] = n
	}
	for name, n := range out {
		if n == 0 {
			delete(out, name)
		}
	}
	return out
}

func TestStatsOfASequence(t *testing.T) {
	v := smallVocabulary()
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	require.Empty(t, statsOf(c), "the token sets that a compiler prepares do not count")
	for range 3 {
		_, err := c.Compile(core.Regex, []byte(countedRegex), nil)
		require.NoError(t, err)
	}
	require.Equal(t, map[string]uint64{"compilations": 1, "hits": 2, "made": 1}, statsOf(c))
	for range 2 { // the second error is cached
		_, err := c.Compile(core.Regex, []byte(`(a`), nil)
		require.Error(t, err)
	}
	_, err := c.Compile(core.Regex, []byte(`a`), &core.Options{Compact: true})
	require.Equal(t, core.CodeArgument, core.AsError(err).Code)
	require.Equal(t, map[string]uint64{
		"compilations": 2, "hits": 3, "made": 1, "syntax": 2, "argument": 1,
	}, statsOf(c))

	g, err := c.Compile(core.Regex, []byte(countedRegex), nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	row := make([]uint32, v.Words())
	fill := func(m *core.Matcher) {
		_, err := m.Fill(row)
		require.NoError(t, err)
	}
	fill(m) // the first mask, which the compilation has made
	fill(m)
	n, err := m.Accept([]int32{'z'})
	require.NoError(t, err)
	require.Zero(t, n)
	ok, err := m.AcceptBytes([]byte("z"))
	require.NoError(t, err)
	require.False(t, ok)
	_, err = m.Accept([]int32{'a'})
	require.NoError(t, err)
	_, err = m.Until(core.AtOnce).Fill(row)
	require.Equal(t, core.CodeUnfinished, core.AsError(err).Code)
	fill(m)
	text, err := m.ForcedBytes(nil)
	require.NoError(t, err)
	require.Equal(t, "bcx", string(text))
	_, err = m.MaskKey()
	require.NoError(t, err)
	require.Error(t, m.Rollback(5))
	want := map[string]uint64{
		"compilations": 2, "hits": 4, "made": 2, "syntax": 2, "argument": 2, "rejected": 2,
	}
	require.Equal(t, want, statsOf(c), "the matcher still has its masks")
	m.Flush()
	want["masks"], want["forced"] = 4, 3
	require.Equal(t, want, statsOf(c))

	b := core.Batch{Items: []core.BatchItem{{Matcher: m, IDs: []int32{'b', 'c', 'q'}}}}
	b.FillChains(core.Rows{Words: make([]uint32, 4*v.Words()), Count: 4, Stride: v.Words(), Width: v.Words()}, 1)
	require.NoError(t, b.Items[0].Err)
	require.NoError(t, m.Reset())
	want["masks"], want["made"] = want["masks"]+3, want["made"]+2
	require.Equal(t, want, statsOf(c))
}

// Masks are counted after 64 of them, and at the end of a sequence, without a call for it.
func TestStatsOfMatchersThatEnd(t *testing.T) {
	v := smallVocabulary()
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	g, err := c.Compile(core.Regex, []byte(`a`), nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	row := make([]uint32, v.Words())
	for range 63 {
		_, err = m.Fill(row)
		require.NoError(t, err)
	}
	require.Zero(t, c.Stats().Masks)
	_, err = m.Fill(row)
	require.NoError(t, err)
	require.EqualValues(t, 64, c.Stats().Masks)
	_, err = m.Fill(row)
	require.NoError(t, err)
	_, err = m.Accept([]int32{'a'})
	require.NoError(t, err)
	require.EqualValues(t, 64, c.Stats().Masks)
	n, err := m.Accept([]int32{int32(v.EndTokens()[0])})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.EqualValues(t, 65, c.Stats().Masks)
}

func TestStatsOfABatch(t *testing.T) {
	v := smallVocabulary()
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	g, err := c.Compile(core.Regex, []byte(countedRegex), nil)
	require.NoError(t, err)
	var b core.Batch
	for i := range 5 {
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		b.Items = append(b.Items, core.BatchItem{Matcher: m, Row: i, IDs: []int32{'a', 'z'}[:1+i%2]})
	}
	b.Items = append(b.Items, b.Items[0])
	items := b.Items
	rows := core.Rows{Words: make([]uint32, 6*v.Words()), Count: 6, Stride: v.Words(), Width: v.Words()}
	b.Fill(rows, 2) // the last item has the matcher and the row of the first
	b.Accept(2)
	b.Items = b.Items[:2]
	b.Items[0].Text, b.Items[1].Text = []byte("z"), nil
	b.AcceptBytes(2)
	for i := range 5 {
		items[i].Matcher.Flush()
	}
	require.Equal(t, map[string]uint64{
		"compilations": 1, "made": 1, "masks": 5, "argument": 1, "busy": 1, "rejected": 3,
	}, statsOf(c))
}

func TestStatsOfWarming(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // with 1 thread a compiler does not warm
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	_, err := c.Compile(core.JSONSchema, []byte(`{"properties":{"a":{"enum":["x"]}},"required":["a"]}`), nil)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return c.Stats().Warmed.Count == 1 }, 10*time.Second, time.Millisecond)
	s := c.Stats()
	require.Positive(t, s.WarmedMasks)
	require.Positive(t, s.Warmed.Sum)
	require.EqualValues(t, 1, s.MasksMade.Count, "warmed masks are counted apart")
}

func TestStatsOfMemory(t *testing.T) {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{WarmBytes: -1})
	empty := c.Stats().Memory
	require.Zero(t, empty.States+empty.Masks+empty.Programs)
	require.Positive(t, empty.Trie)
	g, err := c.Compile(core.AnyJSON, nil, nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	ok, err := m.AcceptBytes([]byte(`{"a": [1, true, null]}`))
	require.NoError(t, err)
	require.True(t, ok)
	s := c.Stats()
	require.Positive(t, s.Memory.States)
	require.Positive(t, s.Memory.Masks)
	require.Positive(t, s.Memory.Programs)
	require.Equal(t, s.Cache.Bytes, s.Memory.States+s.Memory.Masks+s.Memory.Programs)
	require.Equal(t, s.Cache.TokenSetBytes, s.Memory.TokenSets)

	off := core.NewCompiler(smallVocabulary(), core.CompilerConfig{CacheBytes: -1, WarmBytes: -1})
	for range 2 {
		_, err = off.Compile(core.AnyJSON, nil, nil)
		require.NoError(t, err)
	}
	require.EqualValues(t, 2, off.Stats().Compilations.Count)
	require.Zero(t, off.Stats().Memory.Programs)
}

// Many sequences, compilations and readers at once: each count grows, and the last ones are exact.
func TestStatsAreConcurrent(t *testing.T) {
	const threads, sequences = 4, 40
	v := smallVocabulary()
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	stop := make(chan struct{})
	var readers, wait sync.WaitGroup
	readers.Go(func() {
		for before := uint64(0); ; {
			s := c.Stats()
			require.GreaterOrEqual(t, s.Masks, before)
			before = s.Masks
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	for k := range threads {
		wait.Go(func() {
			row := make([]uint32, v.Words())
			for i := range sequences {
				g, err := c.Compile(core.Regex, fmt.Appendf(nil, "[a-c]{1,9}x%d", (i+k)%7), nil)
				require.NoError(t, err)
				m, err := core.NewMatcher(g, core.MatcherOptions{})
				require.NoError(t, err)
				for _, id := range []int32{'a', 'b', 'c', 'z'} {
					_, err = m.Fill(row)
					require.NoError(t, err)
					_, err = m.Accept([]int32{id})
					require.NoError(t, err)
				}
				require.NoError(t, m.Reset())
			}
		})
	}
	wait.Wait()
	close(stop)
	readers.Wait()
	s := c.Stats()
	require.EqualValues(t, threads*sequences*4, s.Masks)
	require.EqualValues(t, threads*sequences, s.Refusals[core.CodeRejected])
	require.EqualValues(t, 7, s.Compilations.Count)
	require.Equal(t, uint64(threads*sequences), s.Cache.Hits+s.Cache.Misses+s.Cache.Joined)
}

// The counters have a place for each code.
func TestCodesHaveACounter(t *testing.T) {
	require.EqualValues(t, metrics.Codes, core.CodeCancelled+1)
}

// Refusals has the errors of calls for forced tokens, drafts and events.
func TestRefusalsOfEveryCall(t *testing.T) {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	g, err := c.Compile(core.Regex, []byte("a*"), nil)
	require.NoError(t, err)
	m := newMatcher(t, g, core.MatcherOptions{})
	calls := []func() error{
		func() error { _, err := m.ForcedTokens(nil); return err },
		func() error { _, err := m.Drafts(nil, 1); return err },
		func() error { _, err := m.Until(nil).ForcedTokens(nil); return err },
		func() error { _, err := m.Until(nil).Drafts(nil, 1); return err },
		func() error { _, err := m.Events(nil, false); return err },
		func() error { return m.TakeEvents(false, func([]core.Event) bool { return true }) },
	}
	for i, call := range calls {
		require.Equal(t, core.CodeArgument, core.AsError(call()).Code, i)
		require.EqualValues(t, i+1, c.Stats().Refusals[core.CodeArgument], i)
	}
}
