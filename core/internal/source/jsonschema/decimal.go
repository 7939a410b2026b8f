package jsonschema

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// decimal is an exact number: 0.digits × 10^exp, without zeros at either end of digits. Zero has no digits. It keeps
// the digits of the text it was read from, so that most numbers of a schema cost no memory and comparing is comparing
// strings. Immutable.
type decimal struct {
	digits string
	exp    int
	neg    bool
}

// parseDecimal reads a JSON number. It fails only for exponents beyond limits.SchemaBoundExponent.
func parseDecimal(text string) (decimal, bool) {
	var d decimal
	s := text
	if s[0] == '-' {
		d.neg, s = true, s[1:]
	}
	exp := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(strings.TrimPrefix(s[i+1:], "+"))
		if err != nil || e > limits.SchemaBoundExponent || e < -limits.SchemaBoundExponent {
			return decimal{}, strings.Trim(s[:i], "0.") == "" // zero at any exponent is zero
		}
		exp, s = e, s[:i]
	}
	whole := len(s)
	if i := strings.IndexByte(s, '.'); i >= 0 {
		whole = i
		if i == 1 && s[0] == '0' {
			s, whole = s[2:], 0
		} else {
			s = s[:i] + s[i+1:]
		}
	}
	trimmed := strings.TrimLeft(s, "0")
	whole -= len(s) - len(trimmed)
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	d.exp = whole + exp
	return d, true
}

func (d decimal) isZero() bool    { return d.digits == "" }
func (d decimal) isInteger() bool { return len(d.digits) <= d.exp || d.digits == "" }

func (d decimal) negated() decimal {
	if d.digits != "" {
		d.neg = !d.neg
	}
	return d
}

// compareAbs compares magnitudes.
func (d decimal) compareAbs(e decimal) int {
	switch {
	case d.isZero() || e.isZero():
		return min(len(d.digits), 1) - min(len(e.digits), 1)
	case d.exp != e.exp:
		if d.exp < e.exp {
			return -1
		}
		return 1
	}
	return strings.Compare(d.digits, e.digits)
}

func (d decimal) compare(e decimal) int {
	if d.neg != e.neg {
		if d.neg {
			return -1
		}
		return 1
	}
	if d.neg {
		return e.compareAbs(d)
	}
	return d.compareAbs(e)
}

// scaled returns d × 10^places as an integer; d must have no more than that many decimal places.
func (d decimal) scaled(places int) *big.Int {
	n := new(big.Int)
	if d.isZero() {
		return n
	}
	n.SetString(d.digits+strings.Repeat("0", d.exp+places-len(d.digits)), 10)
	if d.neg {
		n.Neg(n)
	}
	return n
}

// places returns the number of digits after the decimal point.
func (d decimal) places() int { return max(len(d.digits)-d.exp, 0) }

// decimalOf returns n / 10^places.
func decimalOf(n *big.Int, places int) decimal {
	if n.Sign() == 0 {
		return decimal{}
	}
	s := new(big.Int).Abs(n).String()
	return decimal{digits: strings.TrimRight(s, "0"), exp: len(s) - places, neg: n.Sign() < 0}
}

// floor returns the largest integer ≤ d.
func (d decimal) floor() decimal {
	if d.isInteger() {
		return d
	}
	n := new(big.Int)
	if d.exp > 0 {
		n.SetString(d.digits[:d.exp], 10)
	}
	if d.neg {
		n.Neg(n.Add(n, big.NewInt(1)))
	}
	return decimalOf(n, 0)
}

// ceil returns the smallest integer ≥ d.
func (d decimal) ceil() decimal { return d.negated().floor().negated() }

// plus returns the integer d + delta.
func (d decimal) plus(delta int64) decimal {
	n := d.scaled(0)
	return decimalOf(n.Add(n, big.NewInt(delta)), 0)
}

// isMultipleOf says whether d is an integral multiple of m, which is not zero.
func (d decimal) isMultipleOf(m decimal) bool {
	if d.isZero() {
		return true
	}
	places := max(d.places(), m.places())
	return new(big.Int).Rem(d.scaled(places), m.scaled(places)).Sign() == 0
}

// String writes d without an exponent.
func (d decimal) String() string {
	sign := ""
	if d.neg {
		sign = "-"
	}
	switch {
	case d.isZero():
		return "0"
	case d.exp <= 0:
		return sign + "0." + strings.Repeat("0", -d.exp) + d.digits
	case len(d.digits) <= d.exp:
		return sign + d.digits + strings.Repeat("0", d.exp-len(d.digits))
	}
	return sign + d.digits[:d.exp] + "." + d.digits[d.exp:]
}

// key is a short exact name of d, for memo keys and messages about numbers of any size.
func (d decimal) key() string {
	if d.isZero() {
		return "0"
	}
	sign := ""
	if d.neg {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.Itoa(d.exp)
}

// bound is one end of a range.
type bound struct {
	value     decimal
	set, excl bool
}

// tighterLow returns the stronger of two lower bounds.
func tighterLow(a, b bound) bound {
	if !a.set {
		return b
	}
	if !b.set {
		return a
	}
	switch c := a.value.compare(b.value); {
	case c > 0 || c == 0 && a.excl:
		return a
	}
	return b
}

// tighterHigh returns the stronger of two upper bounds.
func tighterHigh(a, b bound) bound {
	if !a.set {
		return b
	}
	if !b.set {
		return a
	}
	switch c := a.value.compare(b.value); {
	case c < 0 || c == 0 && a.excl:
		return a
	}
	return b
}

// numberSpec is what keywords say about a number. An absent bound is unset.
type numberSpec struct {
	low, high    bound
	multiples    []decimal
	notMultiples []decimal
	notEqual     []decimal
}

func (s *numberSpec) isFree() bool {
	return !s.low.set && !s.high.set && len(s.multiples) == 0 && len(s.notMultiples) == 0 && len(s.notEqual) == 0
}

// contains says whether d satisfies the spec.
func (s *numberSpec) contains(d decimal) bool {
	if s.low.set {
		if c := d.compare(s.low.value); c < 0 || c == 0 && s.low.excl {
			return false
		}
	}
	if s.high.set {
		if c := d.compare(s.high.value); c > 0 || c == 0 && s.high.excl {
			return false
		}
	}
	for _, m := range s.multiples {
		if !d.isMultipleOf(m) {
			return false
		}
	}
	for _, m := range s.notMultiples {
		if d.isMultipleOf(m) {
			return false
		}
	}
	for _, e := range s.notEqual {
		if d.compare(e) == 0 {
			return false
		}
	}
	return true
}

// integerRange returns the bounds as inclusive integers.
func (s *numberSpec) integerRange() (low, high bound) {
	if s.low.set {
		low = bound{value: s.low.value.ceil(), set: true}
		if s.low.excl && s.low.value.isInteger() {
			low.value = low.value.plus(1)
		}
	}
	if s.high.set {
		high = bound{value: s.high.value.floor(), set: true}
		if s.high.excl && s.high.value.isInteger() {
			high.value = high.value.plus(-1)
		}
	}
	return low, high
}

// possible returns which of the number types some number within the bounds has.
func (s *numberSpec) possible() typeMask {
	if s.isFree() {
		return tNumber
	}
	types := tNumber
	if s.low.set && s.high.set {
		switch c := s.low.value.compare(s.high.value); {
		case c > 0 || c == 0 && (s.low.excl || s.high.excl):
			return 0
		case c == 0 && s.low.value.isInteger():
			types = tInteger
		case c == 0:
			types = tFraction
		}
	}
	if low, high := s.integerRange(); low.set && high.set && !s.hasInteger(low.value, high.value) {
		types &^= tInteger
	}
	if types == tFraction && s.low.set && s.high.set && !s.contains(s.low.value) &&
		s.low.value.compare(s.high.value) == 0 {
		types = 0
	}
	if len(s.multiples) == 0 {
		return types
	}
	return types & s.possibleMultiples()
}

// hasInteger says whether an integer from low to high is not excluded by notEqual. With fewer exclusions than integers
// some are left.
func (s *numberSpec) hasInteger(low, high decimal) bool {
	d := low
	for range len(s.notEqual) + 1 {
		if d.compare(high) > 0 {
			return false
		}
		excluded := false
		for _, e := range s.notEqual {
			excluded = excluded || e.compare(d) == 0
		}
		if !excluded {
			return true
		}
		d = d.plus(1)
	}
	return d.compare(high) <= 0
}

// possibleMultiples says of which types there are multiples of all the divisors within the bounds.
func (s *numberSpec) possibleMultiples() typeMask {
	places := 0
	for _, m := range s.multiples {
		places = max(places, m.places())
	}
	if s.low.set {
		places = max(places, s.low.value.places())
	}
	if s.high.set {
		places = max(places, s.high.value.places())
	}
	step := s.leastCommon(places)
	types := s.hasMultiple(step, places, tNumber)
	one := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	whole := lcm(step, one)
	types &= tFraction | s.hasMultiple(whole, places, tInteger)
	if whole.Cmp(step) == 0 {
		types &^= tFraction // every multiple is integral
	}
	return types
}

// leastCommon returns the least common multiple of the divisors, times 10^places.
func (s *numberSpec) leastCommon(places int) *big.Int {
	step := s.multiples[0].scaled(places)
	for _, m := range s.multiples[1:] {
		step = lcm(step, m.scaled(places))
	}
	return step
}

func lcm(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return new(big.Int).Mul(a, new(big.Int).Div(b, g))
}

// hasMultiple returns types if a multiple of step lies within the bounds (all scaled by 10^places), else nothing.
func (s *numberSpec) hasMultiple(step *big.Int, places int, types typeMask) typeMask {
	if !s.low.set || !s.high.set {
		return types
	}
	low, high := s.low.value.scaled(places), s.high.value.scaled(places)
	if s.low.excl {
		low.Add(low, big.NewInt(1))
	}
	if s.high.excl {
		high.Sub(high, big.NewInt(1))
	}
	// The largest multiple ≤ high must not be below low.
	q := new(big.Int).Div(high, step) // Euclidean: rounds towards minus infinity for a positive step
	if q.Mul(q, step).Cmp(low) < 0 {
		return 0
	}
	return types
}
