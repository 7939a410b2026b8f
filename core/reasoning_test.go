package core_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// thinkVocabulary has a b c x, 4 "<t>" and 5 "</t>" as special tokens, 6 "ab", 7 a byte that is no text of its own, 8
// an end token, and room up to 40.
func thinkVocabulary(t *testing.T) *core.Vocabulary {
	c := core.VocabularyConfig{
		Tokens: [][]byte{
			[]byte("a"), []byte("b"), []byte("c"), []byte("x"), []byte("<t>"), []byte("</t>"), []byte("ab"),
			{0xFF},
			[]byte("</s>"),
		},
		Special: []uint32{4, 5, 8}, EndTokens: []uint32{8}, PaddedSize: 40,
	}
	v, err := core.NewVocabulary(c)
	require.NoError(t, err)
	return v
}

// second is a second opinion: it judges a sequence as a whole.
type second struct {
	t *testing.T
	g *core.Grammar
	o core.MatcherOptions
}

// plain returns a matcher without reasoning that has accepted ids, or nil if it rejects them.
func (s second) plain(ids []int32) *core.Matcher {
	o := s.o
	o.Reasoning = nil
	m, err := core.NewMatcher(s.g, o)
	require.NoError(s.t, err)
	n, err := m.Accept(ids)
	require.NoError(s.t, err)
	if n < len(ids) {
		return nil
	}
	return m
}

func same(ids []int32, marks []uint32) bool {
	return slices.EqualFunc(ids, marks, func(a int32, b uint32) bool { return uint32(a) == b })
}

// allowed reports whether ids are allowed, and whether the output may end or has ended after them.
func (s second) allowed(ids []int32) (ok, completed, terminated bool) {
	r := s.o.Reasoning
	of := func(m *core.Matcher) (bool, bool, bool) {
		if m == nil {
			return false, false, false
		}
		return true, m.Completed(), m.Terminated()
	}
	if n := len(r.Begin); n > 0 && (len(ids) < n || !same(ids[:n], r.Begin)) {
		ok, completed, terminated := of(s.plain(ids))
		return ok || len(ids) < n && same(ids, r.Begin[:len(ids)]), completed, terminated
	}
	ids = ids[len(r.Begin):]
	for i, id := range ids {
		begun := 0 // how many tokens of End the sequence ends with before id
		for k := min(i, len(r.End)-1); k > 0 && begun == 0; k-- {
			if same(ids[i-k:i], r.End[:k]) {
				begun = k
			}
		}
		stop := slices.Contains(s.o.StopTokens, uint32(id)) || id == 8
		if uint32(id) != r.End[begun] && (r.Limited && i >= r.Budget || id < 0 || id >= 8 || stop) {
			return false, false, false
		}
		if i+1 >= len(r.End) && same(ids[i+1-len(r.End):i+1], r.End) {
			return of(s.plain(ids[i+1:]))
		}
	}
	return true, false, false
}

// Random walks agree with the second opinion about every token: masks, accept, validate, forks, drafts, rollback.
func TestReasoning(t *testing.T) {
	testkit.Alone(t)
	v := thinkVocabulary(t)
	random := rand.New(rand.NewPCG(7, 7))
	for name, o := range map[string]core.MatcherOptions{
		"one token":  {Reasoning: &core.Reasoning{End: []uint32{5}}},
		"two tokens": {Reasoning: &core.Reasoning{End: []uint32{0, 5}, Limited: true, Budget: 4}},
		"with overlap": {
			Reasoning:  &core.Reasoning{End: []uint32{0, 0, 1, 0, 0, 3}, Limited: true, Budget: 9},
			StopTokens: []uint32{2, 8}, RejectAfterEnd: true,
		},
		"no budget left": {Reasoning: &core.Reasoning{End: []uint32{1, 3}, Limited: true}},
		"perhaps":        {Reasoning: &core.Reasoning{Begin: []uint32{4}, End: []uint32{5}}},
		"perhaps, longer": {Reasoning: &core.Reasoning{
			Begin: []uint32{0, 1, 6}, End: []uint32{3, 3}, Limited: true, Budget: 3,
		}},
		"a stop token": {Reasoning: &core.Reasoning{End: []uint32{3, 8}}, AllAllowedAfterEnd: true},
		"stops":        {Reasoning: &core.Reasoning{Begin: []uint32{4}, End: []uint32{5}}, StopTokens: []uint32{3}},
	} {
		for _, spec := range []string{`a(b|ab)*c{0,40}`, `(ab|x<t>)+`, `a?`} {
			c := core.NewCompiler(v, core.CompilerConfig{GrammarStates: 4, CacheBytes: -1})
			g, err := c.Compile(core.Regex, []byte(spec), nil)
			require.NoError(t, err)
			s := second{t, g, o}
			for range 6 {
				m, err := core.NewMatcher(g, o)
				require.NoError(t, err)
				var ids []int32
				for range 22 {
					followReasoning(t, v, s, m, ids, name)
					row := make([]uint32, v.Words())
					if _, err := m.Fill(row); err != nil {
						break
					}
					next := allowedOf(row)
					id := next[random.IntN(len(next))]
					ids = append(ids, id)
					n, err := m.Accept([]int32{id})
					require.NoError(t, err)
					if m.Terminated() && o.RejectAfterEnd && n == 0 {
						break // the row allows the tokens of the end again
					}
					require.Equal(t, 1, n)
					if random.IntN(5) == 0 {
						k := random.IntN(len(ids) + 1)
						require.NoError(t, m.Rollback(k))
						ids = ids[:len(ids)-k]
					}
				}
			}
		}
	}
}

func allowedOf(row []uint32) (ids []int32) {
	for id := range int32(32 * len(row)) {
		if row[id/32]>>(id%32)&1 != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// followReasoning compares all results of m after ids with the second opinion.
func followReasoning(t *testing.T, v *core.Vocabulary, s second, m *core.Matcher, ids []int32, name string) {
	t.Helper()
	_, completed, terminated := s.allowed(ids)
	require.Equal(t, [2]bool{completed, terminated}, [2]bool{m.Completed(), m.Terminated()}, "%s: %v", name, ids)
	row := make([]uint32, v.Words())
	_, err := m.Fill(row)
	finished, _ := m.Finished()
	more := false
	for id := int32(-1); id < 42; id++ {
		want, _, ends := s.allowed(append(slices.Clone(ids), id))
		if id >= 40 || id < 0 {
			want = false
		}
		n, verr := m.Validate([]int32{id})
		require.NoError(t, verr)
		require.Equal(t, want, n == 1, "%s: %v and %d", name, ids, id)
		more = more || want && !ends
		if id < 0 || id >= 40 {
			continue
		}
		if !terminated && err == nil {
			require.Equal(t, want, row[id/32]>>(id%32)&1 != 0, "%s: the row after %v, token %d", name, ids, id)
		}
		why, xerr := m.Explain(id)
		require.NoError(t, xerr)
		require.Equal(t, want, why.Allowed, "%s: %v: %s", name, ids, why)
		require.Equal(t, !want, strings.Contains(why.Sentence, "is not allowed"), "%s: %v: %s", name, ids, why)
		if want {
			f, err := m.Fork()
			require.NoError(t, err)
			_, err = f.Accept([]int32{id})
			require.NoError(t, err)
			after, drafted := make([]uint32, v.Words()), make([]uint32, 2*v.Words())
			_, err = f.Fill(after)
			b := core.Batch{Items: []core.BatchItem{{Matcher: m, IDs: []int32{id}}}}
			b.FillChains(core.Rows{Words: drafted, Count: 2, Stride: v.Words(), Width: v.Words()}, 1)
			if err == nil && b.Items[0].Err == nil {
				require.Equal(t, after, drafted[v.Words():], "%s: the draft %d after %v", name, id, ids)
			}
		}
	}
	require.Equal(t, terminated || completed && !more, finished, "%s: finished after %v", name, ids)
}

// Text of AcceptBytes is one step of reasoning, which it does not end; captures cover the output alone.
func TestReasoningAndTexts(t *testing.T) {
	v := thinkVocabulary(t)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.EBNF,
		[]byte("root ::= \"a\" b\nb[capture] ::= \"b\"+"), nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{Reasoning: &core.Reasoning{
		End: []uint32{5}, Limited: true, Budget: 2,
	}})
	require.NoError(t, err)
	ok, err := m.AcceptBytes([]byte("</t>ab"))
	require.NoError(t, err)
	require.True(t, ok && !m.Completed())
	n, err := m.Accept([]int32{6})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	ok, err = m.AcceptBytes([]byte("b"))
	require.NoError(t, err)
	require.False(t, ok, "the budget is spent")
	text, err := m.ForcedBytes(nil)
	require.NoError(t, err)
	require.Empty(t, text)
	captures, err := m.Captures()
	require.NoError(t, err)
	require.Empty(t, captures)
	n, err = m.Accept([]int32{5, 6, 1})
	require.NoError(t, err)
	require.Equal(t, 3, n)
	captures, err = m.Captures()
	require.NoError(t, err)
	require.Len(t, captures, 1)
	require.Equal(t, "bb", string(captures[0].Text))
	require.NoError(t, m.Rollback(3))
	captures, err = m.Captures()
	require.NoError(t, err)
	require.Empty(t, captures)
	require.NoError(t, m.Reset())
	require.Equal(t, 0, m.Len())
	n, err = m.Accept([]int32{3, 5, 0, 1})
	require.NoError(t, err)
	require.Equal(t, 4, n)
	require.True(t, m.Completed())
}

func TestReasoningIsChecked(t *testing.T) {
	v := thinkVocabulary(t)
	g, err := core.NewCompiler(v, core.CompilerConfig{}).Compile(core.Regex, []byte("a"), nil)
	require.NoError(t, err)
	for _, r := range []core.Reasoning{
		{},
		{End: make([]uint32, 65)},
		{End: []uint32{1}, Begin: make([]uint32, 65)},
		{End: []uint32{9}},
		{End: []uint32{1}, Begin: []uint32{40}},
		{End: []uint32{1}, Limited: true, Budget: -1},
		{End: []uint32{1}, Limited: true, Budget: 1 << 21},
	} {
		_, err := core.NewMatcher(g, core.MatcherOptions{Reasoning: &r})
		require.Equal(t, core.CodeArgument, core.AsError(err).Code)
	}
}
