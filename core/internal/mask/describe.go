package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// TokenSet says where the tokens come from that one item of a state lets through. A value, for dumps.
type TokenSet struct {
	Terminal terminal.Expr
	// How is how the set is found: "walked" with the state, for few tokens go on; a "list" or a "bitmap" kept for all
	// states with the terminal; "counted", a set for all counts; or a "difference" from that of From.
	How    string
	From   terminal.Expr
	Inside int // tokens that stay within the terminal; for a counted one, those that room for any count lets through
	// Removed is how many tokens of From a difference takes out.
	Removed int
	// Crossing is how many tokens may leave the terminal part of the way: what follows decides.
	Crossing int
}

// Describe returns the token sets that the mask of state s is made of, one for each item but for boolean nodes, whose
// masks are made of those of their sides. It finds the mask first if it is not known.
func (m *Masks) Describe(s pushdown.StateID) (sets []TokenSet) {
	if m.record(s).over {
		return nil
	}
	w := m.e.take()
	defer m.e.give(w)
	w.a, w.text = m.a, m.text
	w.start(m.e.store.Budgets().Mask)
	for _, it := range m.a.Items(s) {
		if it.IsBoolean() {
			continue
		}
		set := TokenSet{Terminal: it.Terminal, How: "walked"}
		if c := m.e.itemClass(m.a, it, w); c != nil {
			m.e.describe(c, &set)
		}
		sets = append(sets, set)
	}
	return sets
}

func (e *Engine) describe(c *class, set *TokenSet) {
	whole := c
	if c.from != nil {
		whole = c.from
		set.Removed = len(c.list)
	}
	set.Inside = whole.ranks.count() - set.Removed
	switch {
	case c.from != nil:
		set.How, set.From = "difference", e.ownerOf(whole)
	case c.counted:
		set.How, set.Inside = "counted", len(c.order)
		for _, g := range c.groups {
			set.Inside += g.ranks.count()
		}
	case c.bitmap != nil:
		set.How = "bitmap"
	default:
		set.How = "list"
	}
	for _, within := range []bool{false, true} {
		found := e.escapesOf(whole, within)
		for i := range found.tries {
			set.Crossing += len(found.tries[i].tokens)
		}
	}
}

// ownerOf returns a terminal state that c is the class of, Empty if it belongs to the store below.
func (e *Engine) ownerOf(c *class) terminal.Expr {
	for x := terminal.Expr(0); int(x) < e.store.Len(); x++ {
		if v := e.store.Aux(x); v >= auxClass && e.classes.At(v-auxClass).c == c {
			return x
		}
	}
	return terminal.Empty
}
