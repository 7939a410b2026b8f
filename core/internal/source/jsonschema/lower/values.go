package lower

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

func (l *speller) reorders(v jsontext.ID) bool { return l.anyOrder() && l.p.HasOrders(v) }

func (l *speller) anyReorders(values []jsontext.ID) bool {
	return slices.ContainsFunc(values, l.reorders)
}

func (l *speller) values(a *plan.Alternative) terminal.Expr {
	t, st := l.p.Tree, l.st
	var xs []terminal.Expr
	if texts := l.texts(a.Flat.Values); len(texts) > 0 {
		xs = append(xs, l.quoted(texts))
	}
	if l.scope != jsontype.All {
		return st.Or(xs...)
	}
	var numbers []number.Decimal
	for _, v := range a.Flat.Values {
		if d, many := l.listed(v, len(a.Flat.Values)); many {
			numbers = append(numbers, d)
		} else if t.Kind(v) != jsontext.String && !l.reorders(v) {
			xs = append(xs, l.value(v))
		}
	}
	if len(numbers) > 0 {
		e, _ := number.List(l.st, numbers, l.inBrackets())
		xs = append(xs, e)
	}
	if len(xs) == 1 {
		return xs[0]
	}
	return st.Or(xs...)
}

// value returns the spellings of a value: strings as written, whitespace between tokens, members in the given order.
func (l *speller) value(v jsontext.ID) terminal.Expr {
	return l.st.Concat(l.pieces(v, nil)...)
}

// Masks visit the expression of a listed value some dozen times. Beyond manyPieces tokens that takes longer than
// reading it, so each further value inside it costs pieceWork.
const (
	manyPieces = 4096
	pieceWork  = 500
)

// pieces appends the tokens of a value. The caller joins them all at once, because an expression that was joined inside
// would be split again outside. Recursion follows the nesting of the value, which the reader has bounded.
func (l *speller) pieces(v jsontext.ID, xs []terminal.Expr) []terminal.Expr {
	t, st := l.p.Tree, l.st
	n := t.Node(v)
	switch n.Kind {
	case jsontext.Null:
		return append(xs, st.Literal(l.words.Null))
	case jsontext.True:
		return append(xs, st.Literal(l.words.True))
	case jsontext.False:
		return append(xs, st.Literal(l.words.False))
	case jsontext.Number:
		return append(xs, l.numeral(n.Text))
	case jsontext.String:
		return append(xs, l.quoted([]string{n.Text}))
	}
	open, end, empty := "[", l.endList, "[]"
	if n.Kind == jsontext.Object {
		open, end, empty = "{", l.close, "{}"
	}
	first := st.Literal(open)
	if l.indented {
		switch {
		case n.First == 0:
			return append(xs, st.Literal(empty))
		case n.Kind == jsontext.Object:
			first = l.open
		default:
			first = l.openList
		}
	}
	xs = append(xs, first)
	for c := n.First; c != 0; c = t.Node(c).Next {
		if c != n.First {
			xs = append(xs, l.comma)
		}
		if n.Kind == jsontext.Object {
			xs = append(xs, l.quote, l.key(t.Node(c).Key), l.colon)
		}
		xs = append(xs, l.ws)
		if len(xs) > manyPieces {
			l.p.Options.Work.Spend(pieceWork)
		}
		l.setDepth(l.depth + 1)
		xs = l.pieces(c, xs)
		l.setDepth(l.depth - 1)
	}
	return append(xs, end)
}
