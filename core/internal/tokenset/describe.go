package tokenset

import (
	"math/bits"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Provenance describes the token set of one item of a state. A value, for dumps.
type Provenance struct {
	Terminal terminal.Expr
	// How names the form of the set: "walked" with the state, if no class is of use; a "list" or "bitmap" for all
	// states with the terminal; "counted", a set for all counts; or a "difference" from the set of From.
	How    string
	From   terminal.Expr
	Inside int // tokens that stay within the terminal; of a counted one, those whose length alone decides
	// Removed is how many tokens of From a difference takes out.
	Removed int
	// Crossing counts tokens that may leave the terminal part of the way, once for each end. It omits a part of the
	// escapes that has no tries (Escapes.TooMany).
	Crossing int
}

// Describe fills set from class c.
func (e *Sets) Describe(c *Class, set *Provenance) {
	whole := c
	if c.From != nil {
		whole = c.From
		set.Removed = len(c.List)
	}
	set.Inside = whole.ranks.Count() - set.Removed
	switch {
	case c.From != nil:
		set.How, set.From = "difference", e.ownerOf(whole)
	case c.Counted:
		set.How, set.Inside = "counted", len(c.order)
		for _, g := range c.groups {
			for _, word := range g.bitmap {
				set.Inside += bits.OnesCount32(word)
			}
		}
	case c.Bitmap != nil:
		set.How = "bitmap"
	default:
		set.How = "list"
	}
	for _, within := range []bool{false, true} {
		found := e.EscapesOf(whole, within)
		for i := range found.Tries {
			set.Crossing += len(found.Tries[i].Order)
		}
		for _, end := range found.Wide {
			from, to := e.tokens.Trie.Below(end.Node)
			set.Crossing += int(to - from)
		}
	}
}

// ownerOf returns a terminal state whose class is c, Empty if there is none. It looks at the store below, too.
func (e *Sets) ownerOf(c *Class) terminal.Expr {
	for x := terminal.Expr(0); int(x) < e.store.Size().Expressions; x++ {
		if v := e.store.Aux(x); v >= auxClass && e.classes.At(v-auxClass).c == c {
			return x
		}
	}
	return terminal.Empty
}
