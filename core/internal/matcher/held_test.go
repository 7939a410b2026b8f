package matcher

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/mask"
)

// heldCall is a call of a holder, and the same call of Until. Each returns all its results.
type heldCall struct {
	held  func(h *Held, stop Stop) ([]any, error)
	until func(u Until) ([]any, error)
}

// fillChain is Held.FillChain as a call of its own.
func fillChain(m *Matcher, ids []int32, rows Rows) (int, error) {
	if err := m.enter(nil); err != nil {
		return 0, err
	}
	defer m.leave()
	return m.fillChain(ids, rows, nil)
}

func heldCalls() map[string]heldCall {
	ids := []int32{0, 1, 0}
	tree := Tree{Next: []int64{1, -1, -1}, Sibling: []int64{-1, 2, -1}, Tokens: []int64{-1, 0, 1}}
	rows := func() Rows { return Rows{Words: make([]uint32, 4), Stride: 1, Width: 1} }
	return map[string]heldCall{
		"accept": {
			func(h *Held, stop Stop) ([]any, error) { n, err := h.Accept(ids, stop); return []any{n}, err },
			func(u Until) ([]any, error) { n, err := u.Accept(ids); return []any{n}, err },
		},
		"validate": {
			func(h *Held, stop Stop) ([]any, error) { n, err := h.Validate(ids, stop); return []any{n}, err },
			func(u Until) ([]any, error) { n, err := u.Validate(ids); return []any{n}, err },
		},
		"fill": {
			func(h *Held, stop Stop) ([]any, error) {
				row := make([]uint32, 1)
				some, err := h.Fill(row, stop)
				return []any{some, row}, err
			},
			func(u Until) ([]any, error) {
				row := make([]uint32, 1)
				some, err := u.Fill(row)
				return []any{some, row}, err
			},
		},
		"name": {
			func(h *Held, stop Stop) ([]any, error) { n, err := h.Name(stop); return []any{n == mask.Name{}}, err },
			func(u Until) ([]any, error) { n, err := u.Name(); return []any{n == mask.Name{}}, err },
		},
		"chain": {
			func(h *Held, stop Stop) ([]any, error) {
				r := rows()
				n, err := h.FillChain(ids, r, stop)
				return []any{n, r}, err
			},
			func(u Until) ([]any, error) {
				r := rows()
				n, err := fillChain(u.Matcher, ids, r)
				return []any{n, r}, err
			},
		},
		"tree": {
			func(h *Held, stop Stop) ([]any, error) {
				r := rows()
				n, err := h.FillTree(tree, r, stop)
				return []any{n, r}, err
			},
			func(u Until) ([]any, error) {
				r := rows()
				if err := u.Matcher.enter(nil); err != nil {
					return nil, err
				}
				defer u.Matcher.leave()
				n, err := u.Matcher.fillTree(tree, r, nil)
				return []any{n, r}, err
			},
		},
		"rollback": {
			func(h *Held, _ Stop) ([]any, error) { return nil, h.Rollback(2) },
			func(u Until) ([]any, error) { return nil, u.Matcher.Rollback(2) },
		},
	}
}

// A holder's calls return the results of single calls and leave the matcher in the same place: in the grammar's present
// generation of states, without the texts of the call, and with its State published after Release.
func TestHeldCallsAreOrdinaryCalls(t *testing.T) {
	for name, call := range heldCalls() {
		g := fresh(t, "(ab)*a?")
		m, single := midway(t, g), midway(t, g)
		g.Renew(g.Current())
		want, err := call.until(Until{single, nil})
		require.NoError(t, err, name)
		h, ok := m.Hold()
		require.True(t, ok)
		got, err := call.held(&h, nil)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
		require.Equal(t, single.State(), h.State(), name)
		require.Equal(t, midway(t, g).State(), m.State(), "nobody else hears of it meanwhile")
		require.Empty(t, m.walks, name)
		require.Same(t, single.masks, m.masks, name)
		if name != "rollback" { // which needs no states
			require.Same(t, g.Current(), m.masks, name)
		}
		h.Release()
		require.Equal(t, single.State(), m.State(), name)
		require.Equal(t, single.history, m.history, name)

		again, err := call.until(Until{m, nil}) // it is free
		require.NoError(t, err, name)
		want, err = call.until(Until{single, nil})
		require.NoError(t, err, name)
		require.Equal(t, want, again, name)
	}
}

// A stopped call of a holder continues in the generation of its partial results; the next call does not. A mask has no
// partial results.
func TestHeldGoesOn(t *testing.T) {
	for name, call := range heldCalls() {
		if name == "rollback" { // never stops
			continue
		}
		g := fresh(t, "(ab)*a?")
		m, whole := midway(t, g), midway(t, g)
		g.Renew(g.Current())
		want, err := call.until(Until{whole, nil})
		require.NoError(t, err, name)

		g.Renew(g.Current()) // nothing is known now
		began := g.Current()
		h, ok := m.Hold()
		require.True(t, ok)
		carried := false
		_, err = call.held(&h, func() bool { was := carried; carried = true; return was })
		require.Error(t, err, name)
		require.Equal(t, diag.Unfinished, err.(*diag.Error).Code, name)
		require.Same(t, began, m.masks, name)
		require.Equal(t, midway(t, g).State(), h.State(), name)
		g.Renew(g.Current())
		got, err := call.held(&h, nil)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
		require.Empty(t, m.walks, name)
		if name != "fill" && name != "name" {
			require.Same(t, began, m.masks, name)
		}
		_, err = h.Fill(make([]uint32, 1), nil)
		require.NoError(t, err, name)
		require.Same(t, g.Current(), m.masks, name)
		h.Release()
	}
}

// midway returns a matcher that has accepted abab.
func midway(t *testing.T, g *compiled.Grammar) *Matcher {
	t.Helper()
	m, err := New(g, Options{})
	require.NoError(t, err)
	n, err := m.Accept([]int32{0, 1, 0, 1})
	require.NoError(t, err)
	require.Equal(t, 4, n)
	return m
}
