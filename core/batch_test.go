package core_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// marked is the content of rows before a step.
const marked = 0xABABABAB

// reasonings are short reasoning options for some of the matchers of a lot.
var reasonings = []*core.Reasoning{
	{End: []uint32{'>'}, Limited: true, Budget: 2},
	{Begin: []uint32{'y', 'e'}, End: []uint32{'a', 'a', 'b'}, Limited: true, Budget: 3},
	{Begin: []uint32{'<'}, End: []uint32{'o', '>'}, Limited: true},
	{Begin: []uint32{'('}, End: []uint32{')'}},
}

// lot is a batch of matchers of several grammars and policies, some of them failing, with copies that make single
// calls.
type lot struct {
	d       dice
	v       *core.Vocabulary
	b       core.Batch
	singles []*core.Matcher
	memory  []uint32
	rows    core.Rows
	row     []uint32 // scratch
	stops   map[*core.Matcher][]uint32
}

func newLot(t *testing.T, n int, seed dice) *lot {
	v, gs := grammars(t)
	const rowsEach = 12
	l := &lot{d: seed, v: v, memory: make([]uint32, n*rowsEach*v.Words()), row: make([]uint32, v.Words())}
	l.rows = core.Rows{Words: l.memory, Count: n * rowsEach, Stride: v.Words(), Width: v.Words()}
	l.stops = map[*core.Matcher][]uint32{}
	for i := range n {
		o := core.MatcherOptions{RejectAfterEnd: i%2 == 0, AllAllowedAfterEnd: i%3 == 0}
		if i%7 == 0 {
			o.StopTokens = []uint32{'!', '}'}
		}
		if i%11 == 5 {
			o.StopTokens = []uint32{} // a dead end if the output is complete
		}
		if i%3 == 1 {
			o.Reasoning = reasonings[l.d.roll(len(reasonings))]
		}
		m, err := core.NewMatcher(gs[l.d.roll(len(gs))], o)
		require.NoError(t, err)
		l.b.Items = append(l.b.Items, core.BatchItem{Matcher: m, Row: i * rowsEach})
		single, err := m.Fork()
		require.NoError(t, err)
		l.singles = append(l.singles, single)
		if l.stops[single] = o.StopTokens; o.StopTokens == nil {
			l.stops[single] = v.EndTokens()
		}
	}
	return l
}

func reasons(t *testing.T, m *core.Matcher) bool {
	why, err := m.Explain('a')
	require.NoError(t, err)
	return strings.Contains(why.Sentence, "reasoning")
}

// shuffle changes the order of the items.
func (l *lot) shuffle() {
	for i := len(l.singles) - 1; i > 0; i-- {
		j := l.d.roll(i + 1)
		l.b.Items[i], l.b.Items[j] = l.b.Items[j], l.b.Items[i]
		l.singles[i], l.singles[j] = l.singles[j], l.singles[i]
	}
}

// mark puts the mark into all rows.
func (l *lot) mark() {
	for i := range l.memory {
		l.memory[i] = marked
	}
}

func (l *lot) at(r int) []uint32 { return l.memory[r*l.v.Words():][:l.v.Words()] }

func (l *lot) untouched(r int) bool {
	for _, w := range l.at(r) {
		if w != marked {
			return false
		}
	}
	return true
}

// tokens returns up to n tokens in order, most of them allowed.
func (l *lot) tokens(t *testing.T, m *core.Matcher, n int) []int32 {
	f, err := m.Fork()
	require.NoError(t, err)
	ids := make([]int32, 0, n)
	for len(ids) < n {
		id := int32(l.d.roll(l.v.Size()+2) - 1)
		if _, err := f.Fill(l.row); err == nil && l.d.roll(8) > 0 {
			id = l.d.choose(t, l.row)
		}
		_, err := f.Accept([]int32{id})
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return ids
}

func statusOf(err error) core.Code {
	if err == nil {
		return 0
	}
	return core.AsError(err).Code
}

// onlyEnds reports, from the last row, whether a matcher has ended or has only the end before it.
func (l *lot) onlyEnds(m *core.Matcher) bool {
	if m.Terminated() || !m.Completed() {
		return m.Terminated()
	}
	row := slices.Clone(l.row)
	for _, id := range l.stops[m] {
		row[id/32] &^= 1 << (id % 32)
	}
	return !slices.ContainsFunc(row, func(w uint32) bool { return w != 0 })
}

// Each item of every operation of a batch has the result of single calls, in every order, with any number of threads,
// beside items that fail.
func TestBatchOperationsEqualSingles(t *testing.T) {
	failed, refused, ended, finished := 0, 0, 0, 0
	for seed := range dice(6) {
		l := newLot(t, 40, seed*77+5)
		for step := range 30 {
			l.shuffle()
			for i := range l.b.Items {
				l.b.Items[i].IDs = l.tokens(t, l.singles[i], l.d.roll(3))
			}
			threads := step % 4
			l.mark()
			l.b.Fill(l.rows, threads)
			for i, it := range l.b.Items {
				constrained, err := l.singles[i].Fill(l.row)
				require.Equal(t, statusOf(err), statusOf(it.Err))
				if err != nil {
					require.Equal(t, err.Error(), it.Err.Error())
					require.True(t, l.untouched(it.Row))
					failed++
					continue
				}
				require.Equal(t, constrained, it.Constrained)
				require.Equal(t, l.row, l.at(it.Row))
				require.True(t, l.untouched(it.Row+1))
				last, err := l.singles[i].Finished()
				require.NoError(t, err)
				require.Equal(t, l.onlyEnds(l.singles[i]), last)
				if last && !l.singles[i].Terminated() {
					finished++
				}
			}
			l.b.Validate(threads)
			for i, it := range l.b.Items {
				n, err := l.singles[i].Validate(it.IDs)
				require.Equal(t, statusOf(err), statusOf(it.Err))
				require.Equal(t, n, it.Done)
				require.Equal(t, l.singles[i].State(), it.State)
			}
			l.b.Accept(threads)
			for i, it := range l.b.Items {
				n, err := l.singles[i].Accept(it.IDs)
				require.Equal(t, statusOf(err), statusOf(it.Err))
				require.Equal(t, n, it.Done)
				require.Equal(t, l.singles[i].State(), it.State)
				if n < len(it.IDs) {
					refused++
				}
				if it.State.Terminated {
					ended++
				}
				l.b.Items[i].Steps = l.d.roll(it.State.Length + 2)
				if l.d.roll(3) > 0 {
					l.b.Items[i].Steps = 0
				}
			}
			l.b.Rollback()
			for i, it := range l.b.Items {
				err := l.singles[i].Rollback(it.Steps)
				require.Equal(t, statusOf(err), statusOf(it.Err))
				require.Equal(t, l.singles[i].State(), it.State)
			}
			l.b.Keys(threads)
			for i, it := range l.b.Items {
				key, err := l.singles[i].MaskKey()
				require.Equal(t, statusOf(err), statusOf(it.Err))
				require.Equal(t, key, it.Key)
			}
		}
	}
	require.Greater(t, finished, 20)
	require.Greater(t, failed, 20)
	require.Greater(t, refused, 100)
	require.Greater(t, ended, 100)
}

// chainBySingles fills rows for drafts by single calls.
func (l *lot) chainBySingles(m *core.Matcher, ids []int32) (rows [][]uint32, done int, err error) {
	f, _ := m.Fork()
	for {
		row := make([]uint32, l.v.Words())
		if _, err = f.Fill(row); err != nil {
			return rows, done, err
		}
		rows = append(rows, row)
		if done == len(ids) {
			return rows, done, nil
		}
		n, err := f.Accept(ids[done:][:1])
		if n == 0 || err != nil {
			return rows, done, err
		}
		done++
	}
}

// everything is a row that allows every token.
func (l *lot) everything() []uint32 {
	row := make([]uint32, l.v.Words())
	for id := range l.v.PaddedSize() {
		row[id/32] |= 1 << (id % 32)
	}
	return row
}

// Chains of drafts have the rows of single calls, also across ends, and move nothing.
func TestChainsEqualSingles(t *testing.T) {
	whole, cut, ended, thought := 0, 0, 0, 0
	for seed := range dice(5) {
		l := newLot(t, 30, seed*31+9)
		for step := range 12 {
			l.shuffle()
			for i := range l.b.Items {
				l.b.Items[i].IDs = l.tokens(t, l.singles[i], l.d.roll(9))
			}
			l.mark()
			l.b.FillChains(l.rows, step%3)
			for i, it := range l.b.Items {
				require.Equal(t, l.singles[i].State(), it.State, "nothing moves")
				rows, done, err := l.chainBySingles(l.singles[i], it.IDs)
				require.Equal(t, statusOf(err), statusOf(it.Err))
				require.Equal(t, done, it.Done)
				for k := range len(it.IDs) + 1 {
					switch {
					case k < len(rows):
						require.Equal(t, rows[k], l.at(it.Row+k), "row %d", k)
					case err != nil:
						require.True(t, l.untouched(it.Row+k))
					default:
						require.Equal(t, l.everything(), l.at(it.Row+k))
					}
				}
				require.True(t, l.untouched(it.Row+len(it.IDs)+1))
				f, err := l.singles[i].Fork()
				require.NoError(t, err)
				if _, err := f.Accept(it.IDs[:done]); err == nil && f.Terminated() {
					ended++
				}
				if reasons(t, l.singles[i]) && !reasons(t, f) {
					thought++
				}
				if done == len(it.IDs) {
					whole++
				} else {
					cut++
				}
				l.b.Items[i].IDs = it.IDs[:done]
			}
			l.b.Accept(0)
			for i, it := range l.b.Items {
				_, err := l.singles[i].Accept(it.IDs)
				require.NoError(t, err)
				require.Equal(t, l.singles[i].State(), it.State)
			}
		}
	}
	require.Greater(t, whole, 100)
	require.Greater(t, cut, 100)
	require.Greater(t, ended, 50)
	require.Greater(t, thought, 30, "drafts that lead out of reasoning")
}

// tree returns a random tree of n drafts, of which many are allowed.
func (l *lot) tree(t *testing.T, m *core.Matcher, n int) *core.Tree {
	tree := &core.Tree{Next: make([]int64, n), Sibling: make([]int64, n), Tokens: make([]int64, n)}
	at := make([]*core.Matcher, n)
	at[0] = m
	last := make([]int64, n) // the last child
	for k := range n {
		tree.Next[k], tree.Sibling[k], last[k] = -1, -1, -1
		if k == 0 {
			continue
		}
		parent := l.d.roll(k)
		if last[parent] < 0 {
			tree.Next[parent] = int64(k)
		} else {
			tree.Sibling[last[parent]] = int64(k)
		}
		last[parent] = int64(k)
		id := l.tokens(t, at[parent], 1)[0]
		tree.Tokens[k] = int64(id)
		f, err := at[parent].Fork()
		require.NoError(t, err)
		_, err = f.Accept([]int32{id})
		require.NoError(t, err)
		at[k] = f
	}
	return tree
}

// Trees have the rows of single calls, as SGLang's traverse_tree makes them.
func TestTreesEqualSingles(t *testing.T) {
	reached, lost, thought := 0, 0, 0
	for seed := range dice(4) {
		l := newLot(t, 20, seed*13+1)
		for step := range 8 {
			l.shuffle()
			for i := range l.b.Items {
				l.b.Items[i].Tree = l.tree(t, l.singles[i], 1+l.d.roll(11))
				l.b.Items[i].IDs = l.tokens(t, l.singles[i], 1)
			}
			l.mark()
			l.b.FillTrees(l.rows, step%3)
			for i, it := range l.b.Items {
				require.Equal(t, l.singles[i].State(), it.State, "nothing moves")
				done := 0
				var visit func(m *core.Matcher, node int64, last error) error
				visit = func(m *core.Matcher, node int64, last error) error {
					if _, err := m.Fill(l.row); err != nil {
						return err
					}
					require.Equal(t, l.row, l.at(it.Row+int(node)))
					done++
					if reasons(t, l.singles[i]) && !reasons(t, m) {
						thought++
					}
					for c := it.Tree.Next[node]; c >= 0; c = it.Tree.Sibling[c] {
						f, err := m.Fork()
						require.NoError(t, err)
						if n, err := f.Accept([]int32{int32(it.Tree.Tokens[c])}); err != nil {
							return err
						} else if n == 1 {
							if err := visit(f, c, last); err != nil {
								return err
							}
						}
					}
					return nil
				}
				if it.Err != nil {
					require.Equal(t, core.CodeUnsatisfiable, statusOf(it.Err))
					continue
				}
				require.NoError(t, visit(l.singles[i], 0, nil))
				require.Equal(t, done, it.Done)
				free := 0
				for k := range it.Tree.Next {
					if fmt.Sprint(l.at(it.Row+k)) == fmt.Sprint(l.everything()) {
						free++
					}
				}
				require.GreaterOrEqual(t, free, len(it.Tree.Next)-done)
				require.True(t, l.untouched(it.Row+len(it.Tree.Next)))
				reached, lost = reached+done, lost+len(it.Tree.Next)-done
			}
			l.b.Accept(0)
			for i, it := range l.b.Items {
				_, err := l.singles[i].Accept(it.IDs)
				require.NoError(t, err)
			}
		}
	}
	require.Greater(t, reached, 500)
	require.Greater(t, lost, 100)
	require.Greater(t, thought, 30, "nodes behind reasoning")
}

// Arrays that are no tree are refused in bounded time.
func TestMalformedTrees(t *testing.T) {
	v, gs := grammars(t)
	m, err := core.NewMatcher(gs[0], core.MatcherOptions{})
	require.NoError(t, err)
	memory := make([]uint32, 2000*v.Words())
	rows := core.Rows{Words: memory, Count: 2000, Stride: v.Words(), Width: v.Words()}
	for name, tree := range map[string]core.Tree{
		"empty":           {},
		"lengths":         {Next: []int64{-1, -1}, Sibling: []int64{-1}, Tokens: []int64{0, 0}},
		"beyond":          {Next: []int64{2, -1}, Sibling: []int64{-1, -1}, Tokens: []int64{0, 0}},
		"below":           {Next: []int64{-2, -1}, Sibling: []int64{-1, -1}, Tokens: []int64{0, 0}},
		"far below":       {Next: []int64{-1, -1}, Sibling: []int64{-1, -1 << 63}, Tokens: []int64{0, 0}},
		"cycle":           {Next: []int64{1, 1}, Sibling: []int64{-1, -1}, Tokens: []int64{0, 'a'}},
		"cycle of two":    {Next: []int64{1, -1, -1}, Sibling: []int64{-1, 2, 1}, Tokens: []int64{0, 'a', 'a'}},
		"root as a child": {Next: []int64{1, 0}, Sibling: []int64{-1, -1}, Tokens: []int64{0, 'a'}},
		"two parents":     {Next: []int64{1, 2, -1}, Sibling: []int64{-1, 2, -1}, Tokens: []int64{0, 'a', 'b'}},
	} {
		b := core.Batch{Items: []core.BatchItem{{Matcher: m, Tree: &tree}}}
		b.FillTrees(rows, 0)
		require.Equal(t, core.CodeArgument, statusOf(b.Items[0].Err), name)
	}
	b := core.Batch{Items: []core.BatchItem{{Matcher: m}}}
	b.FillTrees(rows, 0)
	require.Equal(t, core.CodeArgument, statusOf(b.Items[0].Err), "no tree at all")
	d := dice(99)
	for range 2000 {
		n := 1 + d.roll(6)
		if d.roll(100) == 0 {
			n = 1500
		}
		tree := core.Tree{Next: make([]int64, n), Sibling: make([]int64, n), Tokens: make([]int64, n)}
		for k := range n {
			tree.Next[k], tree.Sibling[k] = int64(d.roll(n+2)-1), int64(d.roll(3*n)-2*n)
			tree.Tokens[k] = int64(d.roll(300)-20) << (d.roll(2) * 33)
		}
		b := core.Batch{Items: []core.BatchItem{{Matcher: m, Tree: &tree}}}
		b.FillTrees(rows, 0)
		require.Contains(t, []core.Code{0, core.CodeArgument}, statusOf(b.Items[0].Err))
	}
}

// A step of a batch allocates nothing if all its states are known.
func TestBatchStepsAllocateNothing(t *testing.T) {
	v, gs := grammars(t)
	var b core.Batch
	tree := &core.Tree{Next: []int64{1, 2, -1, -1}, Sibling: []int64{-1, 3, -1, -1}, Tokens: []int64{0, 'a', 'b', '1'}}
	for i := range 100 {
		m, err := core.NewMatcher(gs[0], core.MatcherOptions{})
		require.NoError(t, err)
		ids := []int32{'a', 'b', '1'}
		b.Items = append(b.Items, core.BatchItem{Matcher: m, Row: i * 4, IDs: ids, Steps: 3, Tree: tree})
	}
	rows := core.Rows{Words: make([]uint32, 400*v.Words()), Count: 400, Stride: v.Words(), Width: v.Words()}
	step := func() {
		b.FillChains(rows, 0)
		b.FillTrees(rows, 0)
		b.Validate(0)
		b.Accept(0)
		b.Fill(rows, 0)
		b.Rollback()
		for i := range b.Items {
			if it := &b.Items[i]; it.Err != nil {
				t.Fatal(it.Err)
			}
		}
	}
	step()
	core.AwaitWarming()
	require.Zero(t, testing.AllocsPerRun(100, step))
}
