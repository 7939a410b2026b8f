package jsonschema

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// manyNumbers is how many listed numbers are read together, by one machine; fewer each have their own.
const manyNumbers = 16

// listed says whether a value is one of many numbers that may be spelled in any way.
func (l *lowerer) listed(v jsontext.ID, values int) (decimal, bool) {
	n := l.p.tree.Node(v)
	if n.Kind != jsontext.Number || values < manyNumbers {
		return decimal{}, false
	}
	d, ok := parseDecimal(n.Text)
	any := l.allForms() || !d.isInteger() || strings.ContainsAny(n.Text, ".eE")
	return d, ok && any && len(d.digits) <= limits.JSONDigits && d.exp <= limits.JSONDigits &&
		d.exp > -limits.JSONDigits
}

// numeralWork is what a listed number counts for that may be written in any way: it gets a machine of its own.
const numeralWork = 4000

// numeral returns the spellings of a listed number: any, but for integers just their digits unless the schema writes
// this one otherwise or all number forms are wanted.
func (l *lowerer) numeral(text string) terminal.Expr {
	d, ok := parseDecimal(text)
	if !ok {
		return l.st.Literal(text)
	}
	same := bound{value: d, set: true}
	spec := numberSpec{low: same, high: same}
	types := tFraction
	if d.isInteger() {
		types = tInteger
	}
	all := l.allForms() || strings.ContainsAny(text, ".eE")
	if types == tInteger && all || types == tFraction {
		types = tNumber
		l.p.o.Work.Spend(numeralWork)
	}
	e, err := l.numbersWithin(types, &spec, all)
	if err != nil || e == terminal.Empty {
		return l.st.Literal(text) // more digits than numbers have otherwise
	}
	return e
}
