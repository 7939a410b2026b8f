package lower

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

func (l *speller) numbersOf(a *plan.Alternative, types jsontype.Set, spec *number.Spec) terminal.Expr {
	e, err := l.numbersWithin(types, spec, l.allForms())
	if err != nil {
		l.fail(l.p.ErrorAt(diag.Unsupported, a.Divisor(), "multipleOf", "%s", err.Error()))
	}
	if text := number.SpellingNote(types, spec, l.allForms()); text != "" && !l.wide {
		l.note(a.Divisor(), "multipleOf", diag.Narrower, text)
	}
	return e
}

func (l *speller) numbersWithin(types jsontype.Set, s *number.Spec, all bool) (terminal.Expr, error) {
	return number.Write(l.st, types, s, number.Spelling{
		All: all, Loose: l.wide && number.SpellingNote(types, s, all) != "", Pointed: l.inBrackets(),
		Short: l.p.Arguments && !l.wide,
	})
}

// withPoint adds a decimal point before the exponent of a number if the style needs one: readers of styles with
// brackets take other numbers for texts.
func (l *speller) withPoint(text string) string {
	e := strings.IndexAny(text, "eE")
	if !l.inBrackets() || e < 0 || strings.Contains(text, ".") {
		return text
	}
	return text[:e] + ".0" + text[e:]
}

func (l *speller) testedNumbers(a *plan.Alternative) (terminal.Expr, bool) {
	cases, ok := l.p.NumberCases(a)
	if !ok {
		return terminal.Empty, false
	}
	xs := make([]terminal.Expr, 0, len(cases))
	for i := range cases {
		xs = append(xs, l.numbersOf(a, cases[i].Types, &cases[i].Spec))
	}
	return l.st.Or(xs...), true
}

const manyNumbers = 16

func (l *speller) listed(v jsontext.ID, values int) (number.Decimal, bool) {
	n := l.p.Tree.Node(v)
	if n.Kind != jsontext.Number || values < manyNumbers {
		return number.Decimal{}, false
	}
	d, ok := number.Parse(n.Text)
	any := l.allForms() || !d.IsInteger() || strings.ContainsAny(n.Text, ".eE")
	return d, ok && any && len(d.Digits) <= limits.JSONDigits && d.Exponent <= limits.JSONDigits &&
		d.Exponent > -limits.JSONDigits
}

const numeralWork = 4000

// numeral returns the spellings of a listed number. An integer is written with digits alone, unless the schema writes
// it with a point or an exponent, or all number forms are wanted.
func (l *speller) numeral(text string) terminal.Expr {
	d, ok := number.Parse(text)
	if !ok {
		return l.st.Literal(l.withPoint(text))
	}
	same := number.Bound{Value: d, Set: true}
	spec := number.Spec{Low: same, High: same}
	types := jsontype.Fraction
	if d.IsInteger() {
		types = jsontype.Integer
	}
	all := l.allForms() || strings.ContainsAny(text, ".eE")
	if types == jsontype.Integer && all || types == jsontype.Fraction {
		types = jsontype.Number
		l.p.Options.Work.Spend(numeralWork)
	}
	e, err := l.numbersWithin(types, &spec, all)
	if err != nil || e == terminal.Empty {
		return l.st.Literal(l.withPoint(text)) // more digits than other numbers may have
	}
	return e
}
