package jsonschema

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/grid"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// number returns the numbers of a case of those types.
func (l *lowerer) number(a *alternative, types typeMask) terminal.Expr {
	types &= tNumber
	return l.numbersOf(a, types, &a.flat.number)
}

// numbersOf is number for numbers that a case is left with in the end.
func (l *lowerer) numbersOf(a *alternative, types typeMask, spec *numberSpec) terminal.Expr {
	e, err := l.numbersWithin(types, spec, l.allForms())
	if err != nil {
		l.fail(l.p.errorAt(diag.Unsupported, a.flat.why.node, "multipleOf", "%s", err.Error()))
	}
	if text := spellingNote(types, spec, l.allForms()); text != "" && !l.wide {
		l.note(a, "", diag.Narrower, text)
	}
	return e
}

// numbersWithin returns the numbers of those types within the spec. They are kept by their meaning, because the same
// bounds come again and again.
func (l *lowerer) numbersWithin(types typeMask, s *numberSpec, all bool) (terminal.Expr, error) {
	key := numberKey(types, s, all)
	loose := l.wide && spellingNote(types, s, all) != ""
	if loose {
		key += " loose"
	}
	return l.st.Memo(key, func() (terminal.Expr, error) {
		n := numbers{st: l.st, name: key, loose: loose}
		n.prepare()
		return n.build(types, s, all)
	})
}

// numberKey names the numbers of a spec: equal keys, equal languages.
func numberKey(types typeMask, s *numberSpec, all bool) string {
	if s.isFree() && !all {
		switch types {
		case tNumber:
			return "json number"
		case tInteger:
			return "json integer"
		}
	}
	var b strings.Builder
	b.WriteString("json number ")
	b.WriteByte('0' + byte(types>>2))
	if all {
		b.WriteByte('a')
	}
	for i, x := range [...]bound{s.low, s.high} {
		if x.set {
			b.WriteString([...]string{" >", " <"}[i])
			if !x.excl {
				b.WriteByte('=')
			}
			b.WriteString(x.value.key())
		}
	}
	for _, m := range s.multiples {
		b.WriteString(" *" + m.key())
	}
	for _, m := range s.notMultiples {
		b.WriteString(" !" + m.key())
	}
	for _, d := range s.notEqual {
		b.WriteString(" #" + d.key())
	}
	return b.String()
}

// spellingNote says which spellings of allowed numbers are left out.
func spellingNote(types typeMask, s *numberSpec, all bool) string {
	if types == tInteger && !all || len(s.multiples) == 0 || s.signOnly() && len(s.notMultiples) == 0 &&
		types != tFraction {
		return ""
	}
	if d, ok := leastCommonDivisor(s.multiples, types == tInteger); ok && d.p == 1 &&
		(d.places == 0 || len(s.notMultiples) == 0 && types != tFraction) {
		return ""
	}
	return "a number that has to be a multiple and within bounds is written without an exponent here"
}

// signOnly says that the bounds are about the sign alone (or absent): any spelling can be told apart by its digits.
func (s *numberSpec) signOnly() bool {
	return len(s.notEqual) == 0 && (!s.low.set || s.low.value.isZero()) && (!s.high.set || s.high.value.isZero())
}

// numbers builds expressions of decimal numbers. A magnitude is a number without its sign.
type numbers struct {
	st                         *terminal.Store
	name                       string // says which numbers
	loose                      bool   // every spelling, whether a number that was begun can be completed or not
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
	n.exponent = st.Concat(n.exponentMark, st.Optional(n.signs), st.Repeat(n.digit, 1, limits.JSONExponent))
}

func byteRange(lo, hi byte) (set terminal.ByteSet) {
	set.AddRange(lo, hi)
	return set
}

// build returns the numbers of the given types within the spec: as an expression where that is small, else by a
// machine.
func (n *numbers) build(types typeMask, s *numberSpec, all bool) (terminal.Expr, error) {
	plain := len(s.multiples)+len(s.notMultiples)+len(s.notEqual) == 0
	switch {
	case plain && types == tInteger && !all:
		low, high := s.integerRange()
		return n.signed(low, high, n.integerMagnitudes), nil
	case plain && types == tNumber && s.signOnly() && !s.low.excl && !s.high.excl:
		return n.bySign(s), nil
	}
	digits := types == tInteger && !all
	d, err := divisorsOf(types, s, digits)
	switch {
	case err != nil:
		return terminal.Empty, err
	case types&s.possible() == 0:
		return terminal.Empty, nil
	case digits || d.onGrid(s) && !n.loose:
		m := grid.New(gridOf(s, &d, !digits))
		if m == nil {
			return terminal.Empty, nil
		}
		return n.st.Machine(n.name, m), nil
	}
	m := newNumberMachine(types, s, &d, n.loose)
	first := m.first()
	if !m.alive(&first) {
		return terminal.Empty, nil
	}
	if d.many(s) {
		return n.st.Machine(n.name, sprawlingNumbers{m}), nil
	}
	return n.st.Machine(n.name, m), nil
}

// signed puts together the non-negative and the negative numbers between two bounds. magnitudes returns those from a to
// b.
func (n *numbers) signed(low, high bound, magnitudes func(a, b bound) terminal.Expr) terminal.Expr {
	zero := bound{set: true}
	var parts []terminal.Expr
	if !high.set || !high.value.neg && !(high.value.isZero() && high.excl) {
		a := zero
		if low.set && !low.value.neg {
			a = low
		}
		parts = append(parts, magnitudes(a, high))
	}
	// Minus zero is zero: the negative spellings run from zero on.
	if !low.set || low.value.neg || low.value.isZero() && !low.excl {
		a, b := zero, bound{}
		if high.set && (high.value.neg || high.value.isZero()) {
			a = bound{value: high.value.negated(), set: true, excl: high.excl}
		}
		if low.set {
			b = bound{value: low.value.negated(), set: true, excl: low.excl}
		}
		parts = append(parts, n.st.Concat(n.minus, magnitudes(a, b)))
	}
	return n.st.Or(parts...)
}

// bySign returns all numbers whose sign is within inclusive bounds that are zero or absent.
func (n *numbers) bySign(s *numberSpec) terminal.Expr {
	st := n.st
	tail := st.Concat(st.Optional(n.fraction), st.Optional(n.exponent))
	magnitude := st.Concat(st.Or(n.zero, st.Concat(n.nonzero, n.more)), tail)
	zero := st.Concat(n.zero, st.Optional(st.Concat(n.dot, st.Repeat(n.zero, 1, limits.JSONDigits))),
		st.Optional(n.exponent))
	positive, negative := magnitude, magnitude
	if s.low.set {
		negative = zero
	}
	if s.high.set {
		positive = zero
	}
	if positive == negative {
		return st.Concat(st.Optional(n.minus), positive)
	}
	return st.Or(positive, st.Concat(n.minus, negative))
}

// integerMagnitudes returns the plain integers from a to b, at most limits.JSONDigits digits long.
func (n *numbers) integerMagnitudes(a, b bound) terminal.Expr {
	st := n.st
	low := a.value.String()
	if !b.set && a.value.isZero() {
		return st.Or(n.zero, st.Concat(n.nonzero, n.more))
	}
	high := strings.Repeat("9", limits.JSONDigits)
	if b.set {
		if s := b.value.String(); len(s) <= limits.JSONDigits {
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

// from returns the digit strings of a's length that are not below a.
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

// upTo returns the digit strings of b's length that are not above b.
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
