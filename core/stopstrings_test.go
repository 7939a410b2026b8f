package core_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// told is a step of an output as a plain list has it.
type told struct {
	text    string // of the output
	special bool   // its text is a name
	silent  bool   // reasoning, an end token, or a step after the end
	ends    bool   // an end token, which ends the output
}

// teller finds stop strings by looking at every place of the whole text.
type teller struct {
	steps []told
	from  int // steps before the strings were set
	list  []string
}

// state returns the step that stops the output, from 1, or 0, and what StopState has to say.
func (o *teller) state() (at int, s core.StopState) {
	text, end := "", false
	for i, step := range o.steps {
		switch end = end || step.ends; {
		case step.silent || i < o.from:
			continue
		case step.special:
			text = ""
			continue
		}
		for k := range len(step.text) {
			s.Index = -1
			for n, stop := range o.list {
				if strings.HasSuffix(text+step.text[:k+1], stop) &&
					(s.Index < 0 || len(stop) > len(o.list[s.Index])) {
					s.Index = n
				}
			}
			if s.Index >= 0 {
				return i + 1, core.StopState{
					Stopped: true, Index: s.Index, Behind: len(step.text) - k - 1 + len(o.list[s.Index]),
				}
			}
		}
		text += step.text
	}
	s = core.StopState{}
	for _, stop := range o.list {
		for k := range stop {
			if strings.HasSuffix(text, stop[:k]) && !end {
				s.HeldBack = max(s.HeldBack, k)
			}
		}
	}
	return 0, s
}

// output returns the text of the output.
func (o *teller) output() string {
	var b strings.Builder
	for _, step := range o.steps {
		if !step.silent {
			b.WriteString(step.text)
		}
	}
	return b.String()
}

// pair is a matcher beside its teller, with its events so far.
type pair struct {
	m      *core.Matcher
	o      teller
	events []core.Event
}

// checkEvents checks that the text of events is the output without a stop string and without text that may become one.
func (p *pair) checkEvents(t *testing.T, where string) {
	t.Helper()
	list, err := p.m.Events(nil, false)
	require.NoError(t, err)
	if len(list) > 0 && list[0].Kind == core.RewindEvent {
		p.events, list = p.events[:list[0].Kept], list[1:]
	}
	p.events = append(p.events, list...)
	text := ""
	for _, e := range p.events {
		text += e.Text
	}
	_, s := p.o.state()
	want := p.o.output()
	want = want[:len(want)-s.Behind-s.HeldBack]
	if p.o.from == len(p.o.steps) { // text may wait for the strings before
		require.True(t, strings.HasPrefix(want, text), "%s: %q of %q", where, text, want)
	} else {
		require.Equal(t, want, text, where)
	}
}

func (p *pair) check(t *testing.T, ended bool, where string) {
	t.Helper()
	at, want := p.o.state()
	got, err := p.m.Stopped()
	require.NoError(t, err)
	require.Equal(t, want, got, where)
	state := p.m.State()
	require.Equal(t, core.State{
		Completed: state.Completed || ended, Terminated: ended, Stopped: at > 0, Length: len(p.o.steps),
	}, state, where)
	out, err := p.m.Output(nil)
	require.NoError(t, err)
	require.Equal(t, p.o.output(), string(out), where)
}

// stopPiece returns a token of stopVocabulary, mostly one that a stop string could have.
func stopPiece(r *rand.Rand) int32 {
	if r.IntN(3) > 0 {
		return int32("<stop>\"}"[r.IntN(8)])
	}
	return 256 + r.Int32N(4)
}

// Random outputs stop as a search over the whole text says, also when they are rolled back, forked and given other
// strings, and all calls agree about it.
func TestStopStringsAgainstSearch(t *testing.T) {
	testkit.Alone(t)
	v := stopVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{})
	grammars := []*core.Grammar{}
	for _, spec := range []string{
		"root ::= ([<stop>\"}] | Token(258))*", // ends anywhere
		"root ::= [<stop>\"}]{30}",             // does not end
		"root ::= ([<stop>\"}] | Token(258)){0,6} \"}\"",
	} {
		g, err := c.Compile(core.EBNF, []byte(spec), nil)
		require.NoError(t, err)
		grammars = append(grammars, g)
	}
	seen := map[string]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		o := core.MatcherOptions{KeepOutput: true, RejectAfterEnd: r.IntN(4) == 0, AllAllowedAfterEnd: r.IntN(4) == 0}
		if r.IntN(4) == 0 {
			o.StopTokens = []uint32{stopEnd, stopText}
		}
		thinks := r.IntN(4) == 0
		if thinks {
			o.Reasoning = &core.Reasoning{End: []uint32{stopSpecial}}
		}
		m, err := core.NewMatcher(grammars[r.IntN(len(grammars))], o)
		require.NoError(t, err)
		if r.IntN(4) == 0 {
			_ = m.SetMaxTokens(5 + r.IntN(40))
		}
		w := walker{t: t, r: r, v: v, o: o, thinks: thinks, seen: seen, p: pair{m: m}}
		for i := range 60 {
			w.step(fmt.Sprintf("seed %d, step %d", seed, i))
		}
	}
	for _, what := range []string{"stop", "ends", "chain", "whole", "behind"} {
		require.Greater(t, seen[what], 50, what)
	}
}

// walker makes random calls.
type walker struct {
	t      *testing.T
	r      *rand.Rand
	v      *core.Vocabulary
	o      core.MatcherOptions
	thinks bool
	seen   map[string]int
	p      pair
}

// silent reports whether the output has not begun, and whether it has ended.
func (w *walker) silent() (before, after bool) {
	before = w.thinks && !slices.ContainsFunc(w.p.o.steps, func(s told) bool { return s.special })
	at, _ := w.p.o.state()
	return before, at > 0 || slices.ContainsFunc(w.p.o.steps, func(s told) bool { return s.ends })
}

// told returns the step that token id makes.
func (w *walker) told(id int32, ends bool) told {
	before, after := w.silent()
	text, _ := w.v.Token(uint32(id))
	return told{text: string(text), special: id == stopSpecial || id == stopEnd, silent: before || after || ends, ends: ends}
}

func (w *walker) step(where string) {
	p, r, t := &w.p, w.r, w.t
	at, _ := p.o.state()
	switch r.IntN(12) {
	case 0:
		n := r.IntN(len(p.o.steps) + 1)
		require.NoError(t, p.m.Rollback(n))
		p.o.steps = p.o.steps[:len(p.o.steps)-n]
		p.o.from = min(p.o.from, len(p.o.steps))
	case 1:
		if at > 0 && r.IntN(2) == 0 { // the strings that it stopped at are kept for the teller
			break
		}
		w.set(at)
	case 2:
		f, err := p.m.Fork()
		require.NoError(t, err)
		other := pair{p.m, teller{slices.Clone(p.o.steps), p.o.from, p.o.list}, slices.Clone(p.events)}
		defer func(ended bool) {
			other.check(t, ended, where+", fork")
			other.checkEvents(t, where+", fork")
		}(p.m.Terminated())
		p.m = f
	case 3:
		w.text(where)
	case 4:
		w.chain(where)
	default:
		w.tokens(where)
	}
	_, after := w.silent()
	p.check(t, after, where)
	if r.IntN(2) == 0 {
		p.checkEvents(t, where)
	}
	if exact := r.IntN(8) == 0; exact && (!after || !w.o.RejectAfterEnd && p.m.State().Stopped) {
		row, err := requireExact(t, w.v, p.m, where)
		if after {
			require.NoError(t, err)
			require.Equal(t, w.o.AllAllowedAfterEnd, has(row, 'a'), where)
			require.True(t, has(row, stopEnd), where)
		}
	}
}

// set sets other strings, unless the output has stopped: then the teller has nothing to say about its end.
func (w *walker) set(at int) {
	if at > 0 {
		return
	}
	w.p.o.list, w.p.o.from = nil, len(w.p.o.steps)
	for range w.r.IntN(4) {
		b := ""
		for range 1 + w.r.IntN(3) {
			b += string("<stop>\"}"[w.r.IntN(8)])
		}
		w.p.o.list = append(w.p.o.list, b)
	}
	require.NoError(w.t, w.p.m.SetStopStrings(w.p.o.list))
}

func (w *walker) text(where string) {
	text := ""
	for range w.r.IntN(4) {
		text += string("<stop>\"}"[w.r.IntN(8)])
	}
	before, after := w.silent()
	was, _ := w.p.o.state()
	ok, err := w.p.m.AcceptBytes([]byte(text))
	require.NoError(w.t, err)
	if after {
		want := !w.o.RejectAfterEnd && (was == 0 || w.o.AllAllowedAfterEnd)
		require.Equal(w.t, want, ok, where)
	}
	if ok {
		w.p.o.steps = append(w.p.o.steps, told{text: text, silent: before || after})
	}
}

// tokens accepts several tokens in one call, and behind a stop string only tokens of the mask.
func (w *walker) tokens(where string) {
	ids := make([]int32, 1+w.r.IntN(3))
	for i := range ids {
		ids[i] = stopPiece(w.r)
	}
	valid, err := w.p.m.Validate(ids)
	require.NoError(w.t, err)
	n, err := w.p.m.Accept(ids)
	require.NoError(w.t, err)
	require.Equal(w.t, valid, n, where)
	twin, err := w.p.m.Fork() // the same tokens in calls of their own
	require.NoError(w.t, err)
	require.NoError(w.t, twin.Rollback(n))
	for i, id := range ids[:n] {
		w.one(twin, id)
		if at, _ := w.p.o.state(); at > 0 && at == len(w.p.o.steps) {
			w.seen["stop"]++
			if i+1 < len(ids) && n == i+1 {
				w.seen["behind"]++
			}
		}
	}
	if n < len(ids) {
		ok, err := twin.Accept(ids[n : n+1])
		require.NoError(w.t, err)
		require.Zero(w.t, ok, where)
	}
}

// one accepts a token on its own, and tells it.
func (w *walker) one(m *core.Matcher, id int32) {
	was := m.Terminated()
	ok, err := m.Accept([]int32{id})
	require.NoError(w.t, err)
	require.Equal(w.t, 1, ok)
	s, err := m.Stopped()
	require.NoError(w.t, err)
	ends := m.Terminated() && !was && !s.Stopped
	if ends {
		w.seen["ends"]++
	}
	step := w.told(id, ends)
	w.p.o.steps = append(w.p.o.steps, step)
}

// chain compares masks of drafts, in a row and as a tree, with a fork that accepts them.
func (w *walker) chain(where string) {
	t, words := w.t, w.v.Words()
	ids := make([]int32, 4)
	tree := core.Tree{Next: []int64{-1}, Sibling: []int64{-1}, Tokens: []int64{-1}}
	for i := range ids {
		ids[i] = stopPiece(w.r)
		tree.Next[i] = int64(i + 1)
		tree.Next, tree.Sibling = append(tree.Next, -1), append(tree.Sibling, -1)
		tree.Tokens = append(tree.Tokens, int64(ids[i]))
	}
	all := make([]uint32, 2*5*words)
	b := core.Batch{Items: []core.BatchItem{{Matcher: w.p.m, IDs: ids, Tree: &tree}}}
	b.FillChains(core.Rows{Words: all, Count: 5, Stride: words, Width: words}, 1)
	done := b.Items[0].Done
	failed := b.Items[0].Err != nil
	b.FillTrees(core.Rows{Words: all[5*words:], Count: 5, Stride: words, Width: words}, 1)
	require.Equal(t, failed, b.Items[0].Err != nil, where)
	f, err := w.p.m.Fork()
	require.NoError(t, err)
	row := make([]uint32, words)
	for i := 0; i <= done; i++ {
		if _, err := f.Fill(row); err != nil {
			require.True(t, failed, where)
			return
		}
		require.Equal(t, row, all[i*words:][:words], "%s, draft %d", where, i)
		if i < len(ids) {
			n, err := f.Accept(ids[i : i+1])
			require.NoError(t, err)
			require.Equal(t, i < done, n == 1, where)
		}
	}
	if !failed {
		require.Equal(t, done+1, b.Items[0].Done, where)
		require.True(t, bytes.Equal(bytesOf(all[:5*words]), bytesOf(all[5*words:])), where)
		if f.State().Stopped && done < len(ids) {
			w.seen["chain"]++
		} else {
			w.seen["whole"]++
		}
	}
}

func bytesOf(words []uint32) (out []byte) {
	for _, x := range words {
		out = append(out, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return out
}
