package inspect

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Counts reports whether e has a counter beside its state, which what stands around it may have to write out.
func Counts(st *terminal.Store, e expr.Expr) bool { return st.View().Node(e).Flags&expr.FCount != 0 }

// SingleRunes reports whether every string of x is one code point of enc. False where that takes more than a look.
func SingleRunes(st *terminal.Store, x expr.Expr, enc expr.Encoding) bool {
	a := st.Lock()
	defer st.Unlock()
	return a.SingleRunes(x, enc)
}

// Contains reports whether x matches all that y matches, as far as their structure tells. It does not depend on what
// was asked before.
func Contains(st *terminal.Store, x, y expr.Expr) bool {
	a := st.Lock()
	defer st.Unlock()
	c := a.Compare()
	return c.Contains(x, y)
}

// Compare orders expressions by what they are, in every store alike.
func Compare(st *terminal.Store, x, y expr.Expr) int { return st.View().CompareContent(x, y) }
