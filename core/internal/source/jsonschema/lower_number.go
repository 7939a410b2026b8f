package jsonschema

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// numeral returns the spellings of a listed number: any, but for integers just their digits unless the schema writes this
// one otherwise or all number forms are wanted.
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
	}
	e, err := l.numbersWithin(types, &spec, all)
	if err != nil || e == terminal.Empty {
		return l.st.Literal(text) // more digits than numbers have otherwise
	}
	return e
}
