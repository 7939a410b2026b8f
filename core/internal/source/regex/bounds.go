package regex

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// This file bounds the total cost of a pattern. The bounds of single parts are checked at their construction.

// tooNested returns the innermost of more than limits.RegexCountedNesting nested counted repetitions, or nil.
func (n *Node) tooNested(depth int) *Node {
	if n.counted() {
		if depth++; depth > limits.RegexCountedNesting {
			return n
		}
	}
	for _, s := range n.Subs {
		if x := s.tooNested(depth); x != nil {
			return x
		}
	}
	return nil
}

func (n *Node) counted() bool {
	return n.Op == OpRepeat && (n.Min > 1 || n.Max > 1 && n.Max != Unbounded)
}

// checkTransitions fails the lowering if a transition of e, the expression of n, examines too many parts.
func (l *lowering) checkTransitions(n *Node, e terminal.Expr) {
	if l.err != nil || prices.Weight(l.st, e) <= l.st.Budgets().Expression {
		return
	}
	l.fail(widest(n), diag.Limit, "",
		"a text can begin with more than %d parts of the pattern; write fewer alternatives, or fewer parts in a "+
			"row that may be empty", l.st.Budgets().Expression)
}

func widest(n *Node) *Node {
	best := n
	for _, s := range n.Subs {
		if x := widest(s); len(x.Subs) > len(best.Subs) {
			best = x
		}
	}
	return best
}
