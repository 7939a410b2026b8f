// Package number turns the keywords about numbers into terminals of decimal numbers.
//
// A Decimal is an exact number, a Spec bounds, divisors and exceptions, a Case the numbers of some types within a
// Spec. Write returns the texts of such numbers: a small expression if possible (this file), plain digits on a grid of
// multiples (package grid), or a machine that reads any spelling and decides by arithmetic whether a text can be
// completed (numeral.go, alive.go). list.go reads long lists of numbers together.
//
// Invariant: a text is accepted exactly if its value is within the spec, except for spellings in SpellingNote, and
// every accepted prefix can be completed. Start reading at Spec and Write.
package number

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/grid"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Spelling selects the spellings of numbers.
type Spelling struct {
	All     bool // every spelling; otherwise integers as plain digits only
	Loose   bool // also prefixes that cannot be completed
	Pointed bool // exponents only after a decimal point; every number has such a spelling
	Short   bool // exponents of at most two digits, which neither overflow nor vanish in a double
}

// Write returns the numbers of those types within the spec. It caches them by meaning, because bounds recur. It fails
// if arithmetic on the divisors exceeds a machine word.
func Write(st *terminal.Store, types jsontype.Set, s *Spec, as Spelling) (terminal.Expr, error) {
	key := numberKey(types, s, as.All)
	as.Short = as.Short && s.moderate()
	for _, x := range [...]struct {
		set  bool
		name string
	}{{as.Loose, " loose"}, {as.Pointed, " pointed"}, {as.Short, " short"}} {
		if x.set {
			key += x.name
		}
	}
	return st.Memo(key, func() (terminal.Expr, error) {
		n := numbers{st: st, name: key, as: as}
		n.prepare()
		return n.build(types, s, as.All)
	})
}

// numberKey returns a key of the numbers of a spec. Equal keys mean equal languages.
func numberKey(types jsontype.Set, s *Spec, all bool) string {
	if s.IsFree() && !all {
		switch types {
		case jsontype.Number:
			return "json number"
		case jsontype.Integer:
			return "json integer"
		}
	}
	var b strings.Builder
	b.WriteString("json number ")
	b.WriteByte('0' + byte(types>>2))
	if all {
		b.WriteByte('a')
	}
	for i, x := range [...]Bound{s.Low, s.High} {
		if x.Set {
			b.WriteString([...]string{" >", " <"}[i])
			if !x.Exclusive {
				b.WriteByte('=')
			}
			b.WriteString(x.Value.Key())
		}
	}
	for _, m := range s.Multiples {
		b.WriteString(" *" + m.Key())
	}
	for _, m := range s.NotMultiples {
		b.WriteString(" !" + m.Key())
	}
	for _, d := range s.NotEqual {
		b.WriteString(" #" + d.Key())
	}
	return b.String()
}

// SpellingNote returns a note about the spellings of allowed numbers that Write excludes.
func SpellingNote(types jsontype.Set, s *Spec, all bool) string {
	if types == jsontype.Integer && !all || len(s.Multiples) == 0 || s.signOnly() && len(s.NotMultiples) == 0 &&
		types != jsontype.Fraction {
		return ""
	}
	if d, ok := leastCommonDivisor(s.Multiples, types == jsontype.Integer); ok && d.p == 1 &&
		(d.places == 0 || len(s.NotMultiples) == 0 && types != jsontype.Fraction) {
		return ""
	}
	return "a number with both multipleOf and bounds is written without an exponent"
}

// numbers builds expressions of decimal numbers. A magnitude is a number without its sign.
type numbers struct {
	st                         *terminal.Store
	name                       string // says which numbers
	as                         Spelling
	digit, nonzero, zero, dot  terminal.Expr
	minus, exponentMark, signs terminal.Expr
	more                       terminal.Expr // digits after the first of an integer
	fraction                   terminal.Expr // "." and digits
	exponent                   terminal.Expr // any exponent
}

func (n *numbers) prepare() {
	st := n.st
	n.digit, n.nonzero = st.Bytes(byteRange('0', '9')), st.Bytes(byteRange('1', '9'))
	n.zero, n.dot, n.minus = st.Literal("0"), st.Literal("."), st.Literal("-")
	var e terminal.ByteSet
	e.Add('e')
	e.Add('E')
	n.exponentMark = st.Bytes(e)
	var s terminal.ByteSet
	s.Add('+')
	s.Add('-')
	n.signs = st.Bytes(s)
	n.more = st.Repeat(n.digit, 0, limits.JSONDigits-1)
	n.fraction = st.Concat(n.dot, st.Repeat(n.digit, 1, limits.JSONDigits))
	digits := uint32(limits.JSONExponent)
	if n.as.Short {
		digits = limits.ArgumentExponent
	}
	n.exponent = st.Concat(n.exponentMark, st.Optional(n.signs), st.Repeat(n.digit, 1, digits))
}

func byteRange(lo, hi byte) (set terminal.ByteSet) {
	set.AddRange(lo, hi)
	return set
}

func (n *numbers) build(types jsontype.Set, s *Spec, all bool) (terminal.Expr, error) {
	plain := len(s.Multiples)+len(s.NotMultiples)+len(s.NotEqual) == 0
	switch {
	case plain && types == jsontype.Integer && !all:
		low, high := s.IntegerRange()
		return n.signed(low, high, n.integerMagnitudes), nil
	case plain && types == jsontype.Number && s.signOnly() && !s.Low.Exclusive && !s.High.Exclusive:
		return n.bySign(s), nil
	}
	digits := types == jsontype.Integer && !all
	d, err := divisorsOf(types, s, digits)
	switch {
	case err != nil:
		return terminal.Empty, err
	case types&s.Possible() == 0:
		return terminal.Empty, nil
	case digits || d.onGrid(s) && !n.as.Loose:
		m := grid.New(gridOf(s, &d, !digits))
		if m == nil {
			return terminal.Empty, nil
		}
		return n.st.Machine(n.name, m), nil
	}
	m := newNumberMachine(types, s, &d, n.as)
	first := m.First()
	if !m.alive(&first) {
		return terminal.Empty, nil
	}
	if d.many(s) {
		return n.st.Machine(n.name, terminal.NewSprawling(m)), nil
	}
	return n.st.Machine(n.name, terminal.NewMachine(m)), nil
}

// signed combines the non-negative and the negative numbers between two bounds. magnitudes returns the magnitudes from
// a to b.
func (n *numbers) signed(low, high Bound, magnitudes func(a, b Bound) terminal.Expr) terminal.Expr {
	zero := Bound{Set: true}
	var parts []terminal.Expr
	if !high.Set || !high.Value.Negative && !(high.Value.IsZero() && high.Exclusive) {
		a := zero
		if low.Set && !low.Value.Negative {
			a = low
		}
		parts = append(parts, magnitudes(a, high))
	}
	// Minus zero is zero, so negative spellings begin at zero.
	if !low.Set || low.Value.Negative || low.Value.IsZero() && !low.Exclusive {
		a, b := zero, Bound{}
		if high.Set && (high.Value.Negative || high.Value.IsZero()) {
			a = Bound{Value: high.Value.negated(), Set: true, Exclusive: high.Exclusive}
		}
		if low.Set {
			b = Bound{Value: low.Value.negated(), Set: true, Exclusive: low.Exclusive}
		}
		parts = append(parts, n.st.Concat(n.minus, magnitudes(a, b)))
	}
	return n.st.Or(parts...)
}

// bySign returns all numbers whose sign is within inclusive bounds that are zero or absent.
func (n *numbers) bySign(s *Spec) terminal.Expr {
	st := n.st
	tail := func(fraction terminal.Expr) terminal.Expr {
		if n.as.Pointed {
			return st.Optional(st.Concat(fraction, st.Optional(n.exponent)))
		}
		return st.Concat(st.Optional(fraction), st.Optional(n.exponent))
	}
	magnitude := st.Concat(st.Or(n.zero, st.Concat(n.nonzero, n.more)), tail(n.fraction))
	zero := st.Concat(n.zero, tail(st.Concat(n.dot, st.Repeat(n.zero, 1, limits.JSONDigits))))
	positive, negative := magnitude, magnitude
	if s.Low.Set {
		negative = zero
	}
	if s.High.Set {
		positive = zero
	}
	if positive == negative {
		return st.Concat(st.Optional(n.minus), positive)
	}
	return st.Or(positive, st.Concat(n.minus, negative))
}

// integerMagnitudes returns the plain integers from a to b, at most limits.JSONDigits digits long.
func (n *numbers) integerMagnitudes(a, b Bound) terminal.Expr {
	st := n.st
	low := a.Value.String()
	if !b.Set && a.Value.IsZero() {
		return st.Or(n.zero, st.Concat(n.nonzero, n.more))
	}
	high := strings.Repeat("9", limits.JSONDigits)
	if b.Set {
		if s := b.Value.String(); len(s) <= limits.JSONDigits {
			high = s
		}
	}
	if len(low) > limits.JSONDigits || len(low) == len(high) && low > high || len(low) > len(high) {
		return terminal.Empty
	}
	if len(low) == len(high) {
		return n.between(low, high)
	}
	parts := []terminal.Expr{n.between(low, strings.Repeat("9", len(low)))}
	if len(high)-len(low) > 1 {
		parts = append(parts, st.Concat(n.nonzero, st.Repeat(n.digit, uint32(len(low)), uint32(len(high)-2))))
	}
	parts = append(parts, n.between("1"+strings.Repeat("0", len(high)-1), high))
	return st.Or(parts...)
}

// between returns the digit strings from a to b, which have the same length.
func (n *numbers) between(a, b string) terminal.Expr {
	st := n.st
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if i == len(a) {
		return st.Literal(a)
	}
	rest := len(a) - i - 1
	from, to := a[i], b[i]
	var parts []terminal.Expr
	if strings.Trim(a[i+1:], "0") != "" {
		parts = append(parts, st.Concat(st.Literal(a[i:i+1]), n.from(a[i+1:])))
		from++
	}
	if strings.Trim(b[i+1:], "9") != "" {
		parts = append(parts, st.Concat(st.Literal(b[i:i+1]), n.upTo(b[i+1:])))
		to--
	}
	if from <= to {
		parts = append(parts, st.Concat(st.Bytes(byteRange(from, to)), st.Repeat(n.digit, uint32(rest), uint32(rest))))
	}
	return st.Concat(st.Literal(a[:i]), st.Or(parts...))
}

func (n *numbers) from(a string) terminal.Expr {
	st := n.st
	e := terminal.Epsilon
	for i := len(a) - 1; i >= 0; i-- {
		e = st.Concat(st.Literal(a[i:i+1]), e)
		if a[i] < '9' {
			e = st.Or(e, st.Concat(st.Bytes(byteRange(a[i]+1, '9')), n.exactly(len(a)-1-i)))
		}
	}
	return e
}

func (n *numbers) upTo(b string) terminal.Expr {
	st := n.st
	e := terminal.Epsilon
	for i := len(b) - 1; i >= 0; i-- {
		e = st.Concat(st.Literal(b[i:i+1]), e)
		if b[i] > '0' {
			e = st.Or(e, st.Concat(st.Bytes(byteRange('0', b[i]-1)), n.exactly(len(b)-1-i)))
		}
	}
	return e
}

func (n *numbers) exactly(k int) terminal.Expr { return n.st.Repeat(n.digit, uint32(k), uint32(k)) }
