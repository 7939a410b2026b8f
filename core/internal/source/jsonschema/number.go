package jsonschema

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// number returns the numbers of a case. They are kept by their meaning, because the same bounds come again and again.
func (l *lowerer) number(a *alternative, types typeMask) terminal.Expr {
	types &= tNumber
	spec := &a.flat.number
	key := numberKey(types, spec, l.p.o.AllNumberForms)
	e, err := l.st.Memo(key, func() (terminal.Expr, error) {
		n := numbers{st: l.st, all: l.p.o.AllNumberForms}
		n.prepare()
		return n.build(types, spec)
	})
	if err != nil {
		l.fail(l.p.errorAt(diag.Unsupported, a.flat.why.node, "multipleOf", "%s", err.Error()))
	}
	if text := spellingNote(types, spec, l.p.o.AllNumberForms); text != "" {
		l.note(a, "", diag.Narrower, text)
	}
	return e
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
	switch {
	case types == tInteger && !all:
		return "" // integers are plain digits by contract
	case len(s.multiples)+len(s.notMultiples) > 0 || types == tFraction:
		return "numbers are written without an exponent here"
	case s.signOnly():
		if types == tInteger {
			return "an integer is not written with a negative exponent here"
		}
		return ""
	}
	return "a number with an exponent has one digit before the decimal point here"
}

// signOnly says that the bounds are about the sign alone (or absent): any spelling can be told apart by its digits.
func (s *numberSpec) signOnly() bool {
	return len(s.notEqual) == 0 && (!s.low.set || s.low.value.isZero()) && (!s.high.set || s.high.value.isZero())
}

// numbers builds expressions of decimal numbers. A magnitude is a number without its sign.
type numbers struct {
	st                         *terminal.Store
	all                        bool
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

// build returns the numbers of the given types within the spec.
func (n *numbers) build(types typeMask, s *numberSpec) (terminal.Expr, error) {
	e, err := n.within(types, s)
	for _, d := range s.notEqual {
		// The spellings that within uses are few enough that all those of one number are known.
		same := bound{value: d, set: true}
		e = n.st.And(e, n.st.Not(n.signed(same, same, n.allMagnitudes)))
	}
	return e, err
}

// within returns the numbers of the given types within the bounds, and with the divisors asked for.
func (n *numbers) within(types typeMask, s *numberSpec) (terminal.Expr, error) {
	st := n.st
	if types == tInteger && !n.all {
		low, high := s.integerRange()
		e := n.signed(low, high, n.integerMagnitudes)
		return n.divisors(e, s)
	}
	if len(s.multiples)+len(s.notMultiples) > 0 || types == tFraction {
		plain := n.signed(s.low, s.high, n.plainMagnitudes)
		switch types {
		case tInteger:
			plain = st.And(plain, n.integralPlain())
		case tFraction:
			plain = st.And(plain, st.Concat(st.Star(n.any("-.0123456789")), n.nonzero, st.Star(n.zero)), st.Concat(st.Star(n.any("-0123456789")), n.fraction))
		}
		return n.divisors(plain, s)
	}
	if s.signOnly() {
		e := n.bySign(s)
		if types == tInteger {
			e = st.And(e, n.integral())
		}
		return e, nil
	}
	e := n.signed(s.low, s.high, n.allMagnitudes)
	if types == tInteger {
		e = st.And(e, n.integral())
	}
	return e, nil
}

func (n *numbers) any(set string) terminal.Expr {
	var b terminal.ByteSet
	for i := range len(set) {
		b.Add(set[i])
	}
	return n.st.Bytes(b)
}

// signed puts together the non-negative and the negative numbers between two bounds. magnitudes returns those from a to b.
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

// bySign returns all numbers whose sign is within bounds that are zero or absent.
func (n *numbers) bySign(s *numberSpec) terminal.Expr {
	st := n.st
	tail := st.Concat(st.Optional(n.fraction), st.Optional(n.exponent))
	whole := st.Or(n.zero, st.Concat(n.nonzero, n.more))
	anyMagnitude := st.Concat(whole, tail)
	if s.isFree() {
		return st.Concat(st.Optional(n.minus), anyMagnitude)
	}
	zeros := st.Concat(n.zero, st.Optional(st.Concat(n.dot, st.Repeat(n.zero, 1, limits.JSONDigits))), st.Optional(n.exponent))
	// A magnitude that is not zero: a digit before the exponent is not '0'.
	nonzero := st.And(anyMagnitude, st.Concat(st.Star(n.any("0.")), n.nonzero, st.Star(n.any("0123456789.eE+-"))))
	var parts []terminal.Expr
	allowsZero := !(s.low.set && s.low.excl) && !(s.high.set && s.high.excl)
	if allowsZero {
		parts = append(parts, st.Concat(st.Optional(n.minus), zeros))
	}
	if !s.high.set {
		parts = append(parts, nonzero)
	}
	if !s.low.set {
		parts = append(parts, st.Concat(n.minus, nonzero))
	}
	return st.Or(parts...)
}

// integral returns the spellings of integers: plain, with zeros after the point, or with an exponent that shifts all
// decimals away.
func (n *numbers) integral() terminal.Expr {
	st := n.st
	whole := st.Or(n.zero, st.Concat(n.nonzero, n.more))
	zeros := st.Concat(n.dot, st.Repeat(n.zero, 1, limits.JSONDigits))
	up := st.Concat(n.exponentMark, st.Optional(st.Literal("+")))
	parts := []terminal.Expr{st.Concat(whole, st.Optional(zeros), st.Optional(st.Concat(up, st.Repeat(n.digit, 1, limits.JSONExponent))))}
	for k := 1; k <= limits.JSONDigits; k++ {
		// k decimals, the last of which is not zero, then zeros, and an exponent of at least k.
		decimals := st.Concat(st.Repeat(n.digit, uint32(k-1), uint32(k-1)), n.nonzero, st.Repeat(n.zero, 0, uint32(limits.JSONDigits-k)))
		least := decimalOf(bigInt(k), 0)
		parts = append(parts, st.Concat(whole, n.dot, decimals, up, n.exponentDigits(bound{value: least, set: true}, bound{})))
	}
	return st.Concat(st.Optional(n.minus), st.Or(parts...))
}

// integralPlain returns integers that may have zeros after the point.
func (n *numbers) integralPlain() terminal.Expr {
	st := n.st
	zeros := st.Concat(n.dot, st.Repeat(n.zero, 1, limits.JSONDigits))
	return st.Concat(st.Optional(n.minus), st.Or(n.zero, st.Concat(n.nonzero, n.more)), st.Optional(zeros))
}

// exponentDigits returns the digits of exponents between two non-negative integers, with or without leading zeros.
func (n *numbers) exponentDigits(low, high bound) terminal.Expr {
	st := n.st
	var parts []terminal.Expr
	for width := 1; width <= limits.JSONExponent; width++ {
		most := strings.Repeat("9", width)
		if high.set {
			if h := high.value.String(); len(h) <= width {
				most = strings.Repeat("0", width-len(h)) + h
			}
		}
		least := strings.Repeat("0", width)
		if low.set {
			l := low.value.String()
			if len(l) > width {
				continue
			}
			least = strings.Repeat("0", width-len(l)) + l
		}
		if least <= most {
			parts = append(parts, n.between(least, most))
		}
	}
	return st.Or(parts...)
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
