package inspect

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Counts reports whether e has a counter.
func Counts(st *terminal.Store, e expr.Expr) bool { return st.View().Node(e).Flags&expr.FCount != 0 }

// SingleRunes reports whether every string of x is one code point of enc. It looks at few states, so it may report
// false for such x too.
func SingleRunes(st *terminal.Store, x expr.Expr, enc expr.Encoding) bool {
	a := st.Lock()
	defer st.Unlock()
	return a.SingleRunes(x, enc)
}

// ContainsWithin reports whether the structures of x and y show that x contains y (Lemma 112). It does not depend on
// earlier requests. It takes its steps, parts of expressions that are compared, from *steps, and reports false if none
// are left.
func ContainsWithin(st *terminal.Store, steps *int, x, y expr.Expr) bool {
	a := st.Lock()
	defer st.Unlock()
	return a.ContainsWithin(steps, x, y)
}

// Compare orders expressions by content, in the same way in every store.
func Compare(st *terminal.Store, x, y expr.Expr) int { return st.View().CompareContent(x, y) }

// PrefixFree reports whether the structure of x, as far as prefixLooks allows, shows that it has finitely many strings,
// none empty and none a prefix of another, and that the next byte always decides how a string continues.
func PrefixFree(st *terminal.Store, x expr.Expr) bool {
	a := st.Lock()
	defer st.Unlock()
	looks := prefixLooks
	return a.PrefixFree(x, &looks)
}

// prefixLooks bounds the parts that PrefixFree looks at. A character of a JSON string without escape has 40.
const prefixLooks = 256
