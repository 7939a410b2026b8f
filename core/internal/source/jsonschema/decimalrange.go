package jsonschema

import (
	"math/big"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

func bigInt(n int) *big.Int { return big.NewInt(int64(n)) }

// plainMagnitudes returns the numbers without exponent from a to b.
func (n *numbers) plainMagnitudes(a, b bound) terminal.Expr {
	st := n.st
	all := st.Concat(st.Or(n.zero, st.Concat(n.nonzero, n.more)), st.Optional(n.fraction))
	xs := []terminal.Expr{}
	if a.set && (!a.value.isZero() || a.excl) {
		xs = append(xs, n.atLeast(a))
	}
	if b.set {
		xs = append(xs, n.atMost(b))
	}
	switch len(xs) {
	case 0:
		return all
	case 1:
		return xs[0]
	}
	return st.And(xs...)
}

// split returns the digits before and after the decimal point.
func (d decimal) split() (whole, fraction string) {
	s := strings.TrimPrefix(d.String(), "-")
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// atLeast returns the plain magnitudes not below a bound: a greater whole part and any fraction, or the same and a
// fraction not below the bound's.
func (n *numbers) atLeast(a bound) terminal.Expr {
	st := n.st
	whole, fraction := a.value.split()
	if len(whole) > limits.JSONDigits {
		return terminal.Empty
	}
	greater := n.integerMagnitudes(bound{value: a.value.floor().plus(1), set: true}, bound{})
	parts := []terminal.Expr{st.Concat(greater, st.Optional(n.fraction))}
	same := st.Literal(whole)
	if fraction == "" && !a.excl {
		parts = append(parts, same)
	}
	if len(fraction) <= limits.JSONDigits {
		// From the last digit of the bound's fraction to the first: what may follow when all before was equal.
		left := limits.JSONDigits - len(fraction)
		e := terminal.Empty
		if !a.excl {
			e = st.Repeat(n.digit, 0, uint32(left))
		} else if left > 0 {
			e = st.Concat(st.Repeat(n.zero, 0, uint32(left-1)), n.nonzero, st.Repeat(n.digit, 0, uint32(left-1)))
		}
		for i := len(fraction) - 1; i >= 0; i-- {
			e = st.Concat(st.Literal(fraction[i:i+1]), e)
			if fraction[i] < '9' {
				e = st.Or(e, st.Concat(st.Bytes(byteRange(fraction[i]+1, '9')), st.Repeat(n.digit, 0, uint32(limits.JSONDigits-1-i))))
			}
		}
		if fraction == "" && !a.excl {
			e = st.Repeat(n.digit, 1, limits.JSONDigits)
		}
		parts = append(parts, st.Concat(same, n.dot, e))
	}
	return st.And(st.Or(parts...), n.fewDecimals())
}

// fewDecimals returns texts with at most limits.JSONDigits characters after a decimal point.
func (n *numbers) fewDecimals() terminal.Expr {
	return n.st.Concat(n.st.Star(n.digit), n.st.Optional(n.fraction))
}

// atMost returns the plain magnitudes not above a bound.
func (n *numbers) atMost(b bound) terminal.Expr {
	st := n.st
	whole, fraction := b.value.split()
	if len(whole) > limits.JSONDigits {
		return st.Concat(st.Or(n.zero, st.Concat(n.nonzero, n.more)), st.Optional(n.fraction))
	}
	var parts []terminal.Expr
	if floor := b.value.floor(); !floor.isZero() {
		smaller := n.integerMagnitudes(bound{set: true}, bound{value: floor.plus(-1), set: true})
		parts = append(parts, st.Concat(smaller, st.Optional(n.fraction)))
	}
	same := st.Literal(whole)
	if fraction != "" || !b.excl {
		parts = append(parts, same)
	}
	// After the point: e is what may follow when all digits before were equal to the bound's.
	e := terminal.Empty
	if !b.excl {
		e = st.Repeat(n.zero, 0, uint32(max(limits.JSONDigits-len(fraction), 0)))
	}
	if fraction == "" {
		if !b.excl {
			parts = append(parts, st.Concat(same, n.dot, st.Repeat(n.zero, 1, limits.JSONDigits)))
		}
		return st.Or(parts...)
	}
	for i := min(len(fraction), limits.JSONDigits) - 1; i >= 0; i-- {
		if i < len(fraction)-1 {
			e = st.Or(e, terminal.Epsilon) // ending before the bound's digits do is below it
		}
		e = st.Concat(st.Literal(fraction[i:i+1]), e)
		if fraction[i] > '0' {
			e = st.Or(e, st.Concat(st.Bytes(byteRange('0', fraction[i]-1)), st.Repeat(n.digit, 0, uint32(limits.JSONDigits-1-i))))
		}
	}
	return st.Or(append(parts, st.Concat(same, n.dot, e))...)
}

// allMagnitudes returns the numbers from a to b, without exponent in any spelling and with exponent in the scientific
// one: a single digit, not zero unless the number is, before the point. That is how programs write exponents, and there
// the exponent is the number's order of magnitude, so that the bounds can be told from it and the digits.
func (n *numbers) allMagnitudes(a, b bound) terminal.Expr {
	st := n.st
	parts := []terminal.Expr{n.plainMagnitudes(a, b)}
	if a.value.isZero() && !a.excl {
		zeros := st.Concat(n.zero, st.Optional(st.Concat(n.dot, st.Repeat(n.zero, 1, limits.JSONDigits))))
		parts = append(parts, st.Concat(zeros, n.exponent))
	}
	xs := []terminal.Expr{}
	if !a.value.isZero() {
		xs = append(xs, n.scientific(a, false))
	}
	if b.set {
		if b.value.isZero() {
			return st.Or(parts...)
		}
		xs = append(xs, n.scientific(b, true))
	}
	significand := st.Concat(n.nonzero, st.Optional(n.fraction))
	xs = append(xs, st.Concat(significand, n.exponent))
	parts = append(parts, st.And(xs...))
	return st.Or(parts...)
}

// scientific returns the texts d.ddde±x that are within one bound: the exponent is beyond the bound's, or it is the
// same and the digits are.
func (n *numbers) scientific(b bound, upper bool) terminal.Expr {
	st := n.st
	order := b.value.exp - 1
	significand := st.Concat(n.nonzero, st.Optional(n.fraction))
	digits := bound{value: decimal{digits: b.value.digits, exp: 1}, set: true, excl: b.excl}
	var same, beyond terminal.Expr
	if upper {
		same, beyond = n.atMost(digits), n.exponents(nil, bigInt(order-1))
	} else {
		same, beyond = n.atLeast(digits), n.exponents(bigInt(order+1), nil)
	}
	return st.Or(
		st.Concat(significand, beyond),
		st.Concat(st.And(same, significand), n.exponents(bigInt(order), bigInt(order))),
	)
}

// exponents returns the exponents between two integers, with the letter e and any spelling of the sign. Nil: no bound.
func (n *numbers) exponents(low, high *big.Int) terminal.Expr {
	st := n.st
	var parts []terminal.Expr
	if high == nil || high.Sign() >= 0 {
		var a, b bound
		if low != nil && low.Sign() > 0 {
			a = bound{value: decimalOf(low, 0), set: true}
		}
		if high != nil {
			b = bound{value: decimalOf(high, 0), set: true}
		}
		parts = append(parts, st.Concat(st.Optional(st.Literal("+")), n.exponentDigits(a, b)))
	}
	if low == nil || low.Sign() <= 0 {
		var a, b bound
		if high != nil && high.Sign() < 0 {
			a = bound{value: decimalOf(new(big.Int).Neg(high), 0), set: true}
		}
		if low != nil {
			b = bound{value: decimalOf(new(big.Int).Neg(low), 0), set: true}
		}
		parts = append(parts, st.Concat(n.minus, n.exponentDigits(a, b)))
	}
	return st.Concat(n.exponentMark, st.Or(parts...))
}

// numeral returns the spellings of a listed number: plain, with zeros after its decimals, and as the schema has it.
// Zeros after an integer are left out unless the schema writes them or all number forms are wanted.
func (l *lowerer) numeral(text string) terminal.Expr {
	st := l.st
	exact := st.Literal(text)
	d, ok := parseDecimal(text)
	if !ok || d.exp > limits.JSONDigits || d.places() > limits.JSONDigits {
		return exact
	}
	whole, fraction := d.split()
	e := st.Literal(whole)
	zeros := uint32(limits.JSONDigits - len(fraction))
	switch {
	case fraction != "":
		e = st.Concat(e, st.Literal("."+fraction), st.Repeat(st.Literal("0"), 0, zeros))
	case l.p.o.AllNumberForms || strings.ContainsAny(text, ".eE"):
		e = st.Concat(e, st.Optional(st.Concat(st.Literal("."), st.Repeat(st.Literal("0"), 1, zeros))))
	}
	switch {
	case d.isZero():
		e = st.Concat(st.Optional(st.Literal("-")), e)
	case d.neg:
		e = st.Concat(st.Literal("-"), e)
	}
	if strings.ContainsAny(text, "eE") {
		e = st.Or(e, exact)
	}
	return e
}
