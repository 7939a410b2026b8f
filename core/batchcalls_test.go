package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// Temperatures of rows equal the results of single calls: after a fill, and along chains and trees of drafts. Rows
// without one stay as they are.
func TestBatchTemperaturesEqualSingles(t *testing.T) {
	const untouched = 9
	set, unset := 0, 0
	for seed := range dice(4) {
		l := newLot(t, 40, seed*41+7)
		l.rows.Temperatures = make([]float32, l.rows.Count)
		mark := func() {
			for i := range l.rows.Temperatures {
				l.rows.Temperatures[i] = untouched
			}
		}
		check := func(m *core.Matcher, row int) {
			want := float32(untouched)
			if temperature, ok, err := m.Temperature(); err == nil && ok {
				want = float32(temperature)
				set++
			} else {
				unset++
			}
			require.Equal(t, want, l.rows.Temperatures[row])
		}
		for step := range 20 {
			l.shuffle()
			if l.rows.Keys = nil; step%2 == 1 {
				l.rows.Keys = make([]core.MaskKey, l.rows.Count)
			}
			mark()
			l.b.Fill(l.rows, step%3)
			for i, it := range l.b.Items {
				if it.Err == nil {
					check(l.singles[i], it.Row)
				}
				require.Equal(t, float32(untouched), l.rows.Temperatures[it.Row+1])
				l.b.Items[i].IDs = l.tokens(t, l.singles[i], l.d.roll(6))
			}
			mark()
			l.b.FillChains(l.rows, step%3)
			for i, it := range l.b.Items {
				f, err := l.singles[i].Fork()
				require.NoError(t, err)
				for k := 0; it.Err == nil && k <= it.Done; k++ {
					check(f, it.Row+k)
					if k < len(it.IDs) {
						_, err = f.Accept(it.IDs[k:][:1])
						require.NoError(t, err)
					}
				}
				nodes := len(it.IDs) + 1
				tree := &core.Tree{Next: make([]int64, nodes), Sibling: make([]int64, nodes), Tokens: make([]int64, nodes)}
				for k := range nodes {
					tree.Next[k], tree.Sibling[k] = int64(k+1), -1
					if k > 0 {
						tree.Tokens[k] = int64(it.IDs[k-1])
					}
				}
				tree.Next[nodes-1] = -1
				l.b.Items[i].Tree = tree
			}
			chains := append([]float32(nil), l.rows.Temperatures...)
			mark()
			l.b.FillTrees(l.rows, step%3)
			require.Equal(t, chains, l.rows.Temperatures)
			l.b.Accept(0)
			for i, it := range l.b.Items {
				_, err := l.singles[i].Accept(it.IDs)
				require.Equal(t, statusOf(err), statusOf(it.Err))
			}
		}
	}
	require.Greater(t, set, 300)
	require.Greater(t, unset, 300)
	l := newLot(t, 1, 3)
	l.rows.Temperatures = make([]float32, 1)
	l.b.Fill(l.rows, 1)
	require.Equal(t, core.CodeArgument, statusOf(l.b.Items[0].Err))
}

// Texts and limits for many matchers have the results of single calls.
func TestBatchTextsAndLimitsEqualSingles(t *testing.T) {
	taken, refused, limited, short := 0, 0, 0, 0
	for seed := range dice(4) {
		l := newLot(t, 40, seed*29+11)
		for step := range 20 {
			l.shuffle()
			texts := []string{"yes", "no", "a", "[", "1", "((", "the end", `{"`, "", "x y 2"}
			for i := range l.b.Items {
				l.b.Items[i].Text = []byte(texts[l.d.roll(len(texts))])
				if m := l.singles[i]; l.d.roll(3) == 0 {
					if forced, err := m.ForcedBytes(nil); err == nil {
						l.b.Items[i].Text = forced
					}
				}
				if l.b.Items[i].Limit = 0; l.d.roll(2) == 0 {
					l.b.Items[i].Limit = l.d.roll(24) - 1
				}
			}
			l.b.AcceptBytes(step % 3)
			for i, it := range l.b.Items {
				ok, err := l.singles[i].AcceptBytes(it.Text)
				require.Equal(t, statusOf(err), statusOf(it.Err))
				require.Equal(t, ok, it.Done == 1)
				require.Equal(t, l.singles[i].State(), it.State)
				if ok {
					taken++
				} else {
					refused++
				}
			}
			l.b.SetMaxTokens(step % 3)
			for i, it := range l.b.Items {
				err := l.singles[i].SetMaxTokens(it.Limit)
				require.Equal(t, statusOf(err), statusOf(it.Err))
				if err != nil {
					require.Equal(t, err.Error(), it.Err.Error())
					short++
				} else if it.Limit > 0 {
					limited++
				}
			}
			l.b.Fill(l.rows, 0)
			for i, it := range l.b.Items {
				_, err := l.singles[i].Fill(l.row)
				require.Equal(t, statusOf(err), statusOf(it.Err))
				if err == nil {
					require.Equal(t, l.row, l.at(it.Row))
				}
			}
		}
	}
	for _, n := range []int{taken, refused, limited, short} {
		require.Greater(t, n, 50)
	}
}
