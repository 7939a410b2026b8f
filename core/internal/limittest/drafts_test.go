package limittest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// heavyDrafts are constraints with many expensive masks in a row: thirty of them took up to 1.7 s in one call.
var heavyDrafts = []testkit.Constraint{
	{Kind: source.EBNF, Text: "root ::= line{1,9}\nline ::= [^ab]{0,9} \"\\n\" | (word \" \"){1,600}\nword ::= [^<>]{1,9}"},
	{Kind: source.EBNF, Text: "root ::= (w sep?){1,20}\nw ::= [ab]{1,20} | [a-z ]{1,40} [^<>]\nsep ::= \",\" [ ]{0,3}"},
	{Kind: source.Regex, Text: ".*(?i:k).{90}dada"},
}

type drafted struct {
	done  int
	limit bool
	rows  []string // before the end of the call
}

// Draft chains and trees share one budget a call. Its outcome does not depend on caches or on interruptions: its rows
// equal the rows of single calls up to the end, and its work is bounded.
func TestDraftsShareABudget(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	var chain []int32
	for _, text := range []string{"a", "k", "d", " ", "b", "c", "the", "x", "a", "da", " ", "e", "k"} {
		for id := range v.Size() {
			if string(v.Bytes(uint32(id))) == text {
				chain = append(chain, int32(id))
				break
			}
		}
	}
	require.Greater(t, len(chain), 10)
	refused := 0
	for _, c := range heavyDrafts {
		budgets, most := limits.DefaultBudgets(), limits.DefaultBudgets()
		most.Mask = 1 << 30
		whole, verdict := compile(compiler.New(v, compiler.Config{Budgets: &most}), c)
		require.NotNil(t, whole, verdict)
		all := draft(t, whole, chain, nil)
		require.False(t, all.limit, c.Text)
		require.Greater(t, all.done, 5)
		heaviest := 0
		for at := newMatcher(whole); at.Len() < all.done; {
			heaviest = max(heaviest, whole.Current().Cost(whole.Current().Automaton().StepBytes(
				whole.Current().Automaton().Start(), textOf(v.Bytes, chain[:at.Len()]))))
			n, err := at.Accept(chain[at.Len() : at.Len()+1])
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
		budgets.Mask = heaviest
		fresh := func() *compiled.Grammar {
			g, verdict := compile(compiler.New(v, compiler.Config{Budgets: &budgets}), c)
			require.NotNil(t, g, verdict)
			g.Renew(g.Current())
			return g
		}
		g := fresh()
		before := g.Stats().Work
		want := draft(t, g, chain, nil)
		require.LessOrEqual(t, g.Stats().Work-before, int64(budgets.Drafts()+heaviest), c.Text)
		require.Equal(t, all.rows[:len(want.rows)], want.rows, c.Text)
		if want.limit {
			refused++
		}
		require.Equal(t, want, draft(t, g, chain, nil), "again")
		require.Equal(t, want, draft(t, fresh(), chain, func() matcher.Stop {
			asked := 0
			return func() bool { asked++; return asked > 2 }
		}), "by a caller who does not wait")
		for n := range chain { // the masks are cached, by single calls
			_, err := newMatcher(g).Accept(chain[:n])
			require.NoError(t, err)
		}
		require.Equal(t, want, draft(t, g, chain, nil), "when all is known")
		require.Equal(t, want, draftTree(t, fresh(), chain), "as a tree")
	}
	require.Equal(t, len(heavyDrafts), refused)
}

func textOf(bytes func(uint32) []byte, ids []int32) (text []byte) {
	for _, id := range ids {
		text = append(text, bytes(uint32(id))...)
	}
	return text
}

// draft makes the call until it is done.
func draft(t *testing.T, g *compiled.Grammar, ids []int32, stop func() matcher.Stop) (d drafted) {
	words := g.Vocabulary().Words()
	rows := matcher.Rows{Words: make([]uint32, words*(len(ids)+1)), Stride: words, Width: words}
	m := newMatcher(g)
	for {
		var s matcher.Stop
		if stop != nil {
			s = stop()
		}
		h, ok := m.Hold()
		require.True(t, ok)
		n, err := h.FillChain(ids, rows, s)
		h.Release()
		var e *diag.Error
		if errors.As(err, &e) && e.Code == diag.Unfinished {
			continue
		}
		if d.done, d.limit = n, err != nil; d.limit {
			require.Equal(t, diag.Limit, e.Code)
			d.done-- // it says how many rows there are
		}
		break
	}
	for k := range d.done + 1 {
		d.rows = append(d.rows, hashRow(rows.Words[k*words:][:words]))
	}
	return d
}

// draftTree makes the call for a tree that is a chain: it returns no number of rows with an error.
func draftTree(t *testing.T, g *compiled.Grammar, ids []int32) (d drafted) {
	n, words := len(ids)+1, g.Vocabulary().Words()
	tree := matcher.Tree{Next: make([]int64, n), Sibling: make([]int64, n), Tokens: make([]int64, n)}
	for k := range n {
		tree.Next[k], tree.Sibling[k] = int64(k+1), -1
		if k > 0 {
			tree.Tokens[k] = int64(ids[k-1])
		}
	}
	tree.Next[n-1] = -1
	rows := matcher.Rows{Words: make([]uint32, words*n), Stride: words, Width: words}
	h, ok := newMatcher(g).Hold()
	require.True(t, ok)
	done, err := h.FillTree(tree, rows, nil)
	if d.limit = err != nil; !d.limit {
		d.done = done - 1
	} else {
		var e *diag.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, diag.Limit, e.Code)
		for some := true; some; d.done++ { // rows that are written
			some = false
			for _, word := range rows.Words[(d.done+1)*words:][:words] {
				some = some || word != 0
			}
		}
		d.done--
	}
	for k := range d.done + 1 {
		d.rows = append(d.rows, hashRow(rows.Words[k*words:][:words]))
	}
	return d
}
