package regex

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// This file bounds the total cost of a pattern's parts; the bounds of single parts are checked where the parts are
// built.

// tooNested returns the innermost of more than limits.RegexCountedNesting counted repetitions within each other, or
// nil.
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

// counted reports whether n repeats something a number of times that has to be counted.
func (n *Node) counted() bool {
	return n.Op == OpRepeat && (n.Min > 1 || n.Max > 1 && n.Max != Unbounded)
}

// checkTransitions fails if reading one byte of e, which n became, takes a look at too many parts.
func (l *lowering) checkTransitions(n *Node, e terminal.Expr) {
	if l.err != nil || prices.Weight(l.st, e) <= l.st.Budgets().Expression {
		return
	}
	l.fail(widest(n), diag.Limit, "",
		"a text can begin with more than %d parts of the pattern; write fewer alternatives, or fewer parts in a "+
			"row that may be empty", l.st.Budgets().Expression)
}

// widest returns the sequence or alternation in n that most of n's parts are directly in.
func widest(n *Node) *Node {
	best := n
	for _, s := range n.Subs {
		if x := widest(s); len(x.Subs) > len(best.Subs) {
			best = x
		}
	}
	return best
}
