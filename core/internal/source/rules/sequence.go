package rules

import (
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// sequenceBuilder joins neighbouring terminals into one if that keeps them fast.
type sequenceBuilder struct {
	l       *folder
	out     grammar.Sequence
	pending []fold // plain, not yet a symbol
	size    int
	counted *fold // a single, behind at most one pending fold, that waits for its continuation
}

func (b *sequenceBuilder) symbol(s grammar.Symbol) {
	b.flush()
	b.out = append(b.out, s)
}

// terminal adds f. A counted class keeps its counter beside the state only if its end is visible at once: its terminal
// then includes a fixed text before it and one following element that cannot continue it. Otherwise it stays alone.
func (b *sequenceBuilder) terminal(f fold) {
	switch {
	case f.status == single:
		last := len(b.pending) - 1
		var prefix []fold
		if b.counted == nil && last >= 0 && b.pending[last].fixed && f.class != nil {
			prefix = []fold{b.pending[last]}
			b.pending = b.pending[:last]
		}
		b.flush()
		b.pending, b.counted = prefix, &f
	case b.counted != nil:
		if b.counted.class != nil && f.class != nil && apart(f.class, b.counted.class) {
			x := b.l.st.Concat(append(exprs(b.pending), b.counted.expr, f.expr)...)
			b.out = append(b.out, grammar.T(x))
			b.pending, b.counted, b.size = nil, nil, 0
			return
		}
		b.flush()
		b.terminal(f)
	default:
		if b.size+f.size > limits.RuleFold {
			b.flush()
		}
		b.pending = append(b.pending, f)
		b.size += f.size
	}
}

// apart reports whether spellings of characters of a and b have no byte in common.
func apart(a, b []rune) bool {
	return charclass.Disjoint(a, b) && (a[len(a)-1] < utf8.RuneSelf || b[len(b)-1] < utf8.RuneSelf)
}

func exprs(fs []fold) []terminal.Expr {
	xs := make([]terminal.Expr, len(fs))
	for i, f := range fs {
		xs[i] = f.expr
	}
	return xs
}

func (b *sequenceBuilder) flush() {
	xs := exprs(b.pending)
	if b.counted != nil {
		xs = append(xs, b.counted.expr)
	}
	if len(xs) > 0 && (len(xs) == 1 || b.counted != nil || b.l.spend(b.size)) {
		b.out = append(b.out, grammar.T(b.l.st.Concat(xs...)))
	} else {
		for _, x := range xs {
			b.out = append(b.out, grammar.T(x))
		}
	}
	b.pending, b.counted, b.size = nil, nil, 0
}
