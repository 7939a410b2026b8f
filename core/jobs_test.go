package core_test

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// slow returns a choice that takes some tenths of a second to compile.
func slow(salt string) []byte {
	out := []byte(`["` + salt + `"`)
	for i := range 30_000 {
		out = fmt.Appendf(out, `,"%x"`, sha256.Sum256([]byte(fmt.Sprint(i))))
	}
	return append(out, ']')
}

// gone waits until there are no more goroutines than before.
func gone(t *testing.T, before int) {
	t.Helper()
	for range 2000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	require.Fail(t, "goroutines are left")
}

func TestJob(t *testing.T) {
	before := runtime.NumGoroutine()
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	var all []*core.Job
	for i := range 20 {
		all = append(all, c.Start(core.Regex, fmt.Appendf(nil, "a{%d}", i%10+1), nil))
	}
	for i, j := range all {
		g, err := j.Result()
		require.NoError(t, err)
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		ok, err := m.AcceptBytes([]byte(strings.Repeat("a", i%10+1)))
		require.NoError(t, err)
		require.True(t, ok && m.Completed())
		<-j.Done()
		j.Cancel() // too late
		_, err = j.Result()
		require.NoError(t, err)
	}
	s := c.CacheStats()
	require.EqualValues(t, 10, s.Misses)
	require.EqualValues(t, 10, s.Hits+s.Joined)
	_, err := c.Start(core.Regex, []byte("("), nil).Result()
	require.Equal(t, core.CodeSyntax, core.AsError(err).Code)
	_, err = c.Start(core.Regex, []byte("a"), &core.Options{Compact: true}).Result()
	require.Equal(t, core.CodeArgument, core.AsError(err).Code)
	gone(t, before)
}

// A cancelled job stops its compilation, while it runs, waits for an equal one or waits for its turn. The next caller
// gets the grammar.
func TestCancelledJobs(t *testing.T) {
	before := runtime.NumGoroutine()
	v := smallVocabulary()
	asked := 0
	whole, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Choice, slow(""),
		&core.Options{Stop: func() bool { asked++; return false }})
	require.NoError(t, err)
	require.NotEmpty(t, whole)
	require.Greater(t, asked, 30, "it is slow, counted in looks at the flag")

	c := core.NewCompiler(v, core.CompilerConfig{})
	for i := range 3 {
		looks, running, goOn := 0, make(chan struct{}), make(chan struct{})
		first := c.Start(core.Choice, slow(""), &core.Options{Stop: func() bool {
			if looks++; looks == 10*i+5 {
				close(running)
				<-goOn
			}
			return false
		}})
		<-running
		same := c.Start(core.Choice, slow(""), nil)
		same.Cancel()
		_, err := same.Result()
		require.Equal(t, core.CodeCancelled, core.AsError(err).Code)
		first.Cancel()
		close(goOn)
		_, err = first.Result()
		require.Equal(t, core.CodeCancelled, core.AsError(err).Code)
		require.Less(t, looks, asked, "it has not been compiled to its end")
		require.Zero(t, c.CacheStats().Entries)
	}
	var queue []*core.Job
	goOn := make(chan struct{})
	for i := range 8 * runtime.GOMAXPROCS(0) {
		queue = append(queue, c.Start(core.Choice, slow(fmt.Sprint(i)), &core.Options{Stop: func() bool {
			<-goOn
			return false
		}}))
	}
	for _, j := range queue {
		j.Cancel()
	}
	close(goOn)
	for _, j := range queue {
		_, err := j.Result()
		require.Equal(t, core.CodeCancelled, core.AsError(err).Code)
	}
	gone(t, before)
	_, err = c.Compile(core.Choice, slow(""), nil)
	require.NoError(t, err)
}

// A caller that gives up does not affect callers that wait for an equal constraint.
func TestOthersGoOn(t *testing.T) {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	looks, running, goOn := 0, make(chan struct{}), make(chan struct{})
	first := c.Start(core.Choice, slow(""), &core.Options{Stop: func() bool {
		if looks++; looks == 5 {
			close(running)
			<-goOn
		}
		return false
	}})
	<-running
	var wait sync.WaitGroup
	grammars := make([]*core.Grammar, 3)
	for i := range grammars {
		wait.Go(func() {
			var err error
			grammars[i], err = c.Compile(core.Choice, slow(""), nil)
			require.NoError(t, err)
		})
	}
	first.Cancel()
	close(goOn)
	_, err := first.Result()
	require.Equal(t, core.CodeCancelled, core.AsError(err).Code)
	wait.Wait()
	for _, g := range grammars {
		require.NotNil(t, g)
	}
	require.Equal(t, 1, c.CacheStats().Entries)
}

func TestGrammarCache(t *testing.T) {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	atOnce := &core.Options{Stop: core.AtOnce}
	_, err := c.Compile(core.Regex, []byte("a+"), atOnce)
	require.Equal(t, core.CodeUnfinished, core.AsError(err).Code)
	require.Zero(t, c.CacheStats().Misses, "no work was begun")
	text := []byte("a+")
	_, err = c.Compile(core.Regex, text, nil)
	require.NoError(t, err)
	copy(text, "zz") // the caller's
	g, err := c.Compile(core.Regex, []byte("a+"), atOnce)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	ok, err := m.AcceptBytes([]byte("aa"))
	require.NoError(t, err)
	require.True(t, ok)

	// Another kind or option makes another constraint; ignored members do not.
	for _, o := range []*core.Options{nil, {Compact: true}, {AnyOrder: true}} {
		_, err := c.Compile(core.JSONObject, []byte("x"), o)
		require.NoError(t, err)
		own := core.Options{Stop: core.AtOnce}
		if o != nil {
			own.Compact, own.AnyOrder = o.Compact, o.AnyOrder
		}
		_, err = c.Compile(core.JSONObject, []byte("y"), &own)
		require.NoError(t, err)
	}
	_, err = c.Compile(core.AnyJSON, nil, atOnce)
	require.Equal(t, core.CodeUnfinished, core.AsError(err).Code)

	// A request equals another one with the same constraint.
	_, err = c.Compile(core.Request, []byte(`{"guided_regex":"a+","messages":[1]}`), atOnce)
	require.NoError(t, err)

	// Errors about the text are kept, and their copies are equal.
	_, first := c.Compile(core.JSONSchema, []byte(`{"type":"integer","minimum":3,"maximum":2}`), nil)
	_, again := c.Compile(core.JSONSchema, []byte(`{"type":"integer","minimum":3,"maximum":2}`), atOnce)
	require.Error(t, first)
	require.Equal(t, first, again)

	c.ClearCache()
	require.Zero(t, c.CacheStats().Entries)
	_, err = c.Compile(core.Regex, []byte("a+"), atOnce)
	require.Equal(t, core.CodeUnfinished, core.AsError(err).Code)
}

// A constraint beyond the budget fails every time, and takes no room in the cache.
func TestLimitsAreNotKept(t *testing.T) {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{CompileBudget: 100_000})
	for range 2 {
		_, err := c.Compile(core.Choice, slow(""), nil)
		require.Equal(t, core.CodeLimit, core.AsError(err).Code)
	}
	s := c.CacheStats()
	require.EqualValues(t, []uint64{2, 0, 0}, []uint64{s.Misses, s.Hits, uint64(s.Entries)})
}

// An evicted grammar serves its matchers as before; the bound holds for all their masks.
func TestEvictedGrammars(t *testing.T) {
	v := smallVocabulary()
	const most = 1 << 19
	c := core.NewCompiler(v, core.CompilerConfig{CacheBytes: most})
	off := core.NewCompiler(v, core.CompilerConfig{CacheBytes: -1})
	row, want := make([]uint32, v.Words()), make([]uint32, v.Words())
	type pair struct{ kept, apart *core.Matcher }
	var pairs []pair
	for i := range 60 {
		spec := fmt.Appendf(nil, `{"type":"object","properties":{"k%d":{"type":"string","maxLength":%d}}}`, i, i+9)
		p := pair{}
		for _, to := range []struct {
			c *core.Compiler
			m **core.Matcher
		}{{c, &p.kept}, {off, &p.apart}} {
			_, err := to.c.Compile(core.JSONSchema, spec, nil) // a second lookup keeps it
			require.NoError(t, err)
			g, err := to.c.Compile(core.JSONSchema, spec, nil)
			require.NoError(t, err)
			*to.m, err = core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(t, err)
		}
		pairs = append(pairs, p)
		require.LessOrEqual(t, c.CacheStats().Bytes, most)
	}
	s := c.CacheStats()
	require.Positive(t, s.Evictions)
	require.Positive(t, s.Entries)
	none := off.CacheStats()
	none.TokenSetBytes = 0
	require.Zero(t, none)
	for i, p := range pairs {
		for _, b := range []byte(fmt.Sprintf(`{"k%d": "abc`, i)) {
			for _, m := range []*core.Matcher{p.kept, p.apart} {
				ok, err := m.AcceptBytes([]byte{b})
				require.NoError(t, err)
				require.True(t, ok)
			}
			_, err := p.kept.Fill(row)
			require.NoError(t, err)
			_, err = p.apart.Fill(want)
			require.NoError(t, err)
			require.Equal(t, want, row)
		}
	}
	require.LessOrEqual(t, c.CacheStats().Bytes, most)
}
