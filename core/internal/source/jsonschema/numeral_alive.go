package jsonschema

import (
	"math/big"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// greatestExponent is what limits.JSONExponent digits can say.
const greatestExponent = 9999

// exponents is a range of exponents, without some.
type exponents struct {
	from, to int
	without  []int
}

func (e *exponents) atLeast(n int) { e.from = max(e.from, n) }
func (e *exponents) atMost(n int)  { e.to = min(e.to, n) }
func (e *exponents) none()         { e.from, e.to = 1, 0 }

// some reports whether one of the exponents is from a to b.
func (e *exponents) some(a, b int) bool {
	a, b = max(a, e.from), min(b, e.to)
	left := b - a + 1
	for _, x := range e.without {
		if x >= a && x <= b {
			left--
		}
	}
	return left > 0
}

// exponents returns the exponents that make what was read before them a number of the machine's. That is always a range
// without some, since a number grows with its exponent, and stays a multiple of what it is one of.
func (m *numberMachine) exponents(s *numberState) exponents {
	e := exponents{from: -greatestExponent, to: greatestExponent}
	if m.form != anyForm {
		e.from, e.to = 0, 0
	}
	i := 0
	if m.low.set {
		m.bounded(s, &e, i, m.low, false)
		i++
	}
	if m.high.set {
		m.bounded(s, &e, i, m.high, true)
		i++
	}
	for ; i < len(m.points); i++ {
		switch p := &m.points[i]; {
		case !s.nonzero && p.isZero():
			e.none()
		case s.nonzero && !p.isZero() && p.neg == s.negative:
			if x, c := m.against(s, i); c == 0 && !slices.Contains(e.without, x) {
				e.without = append(e.without, x)
			}
		}
	}
	for i := range m.divisors {
		d := &m.divisors[i]
		required := m.must && i == 0
		least, divides := -greatestExponent, true
		if s.nonzero {
			if least, divides = d.tens(m.remainder(s, i)); divides {
				least += int(s.fraction) - int(s.zeros) - d.places
			}
		}
		switch {
		case required && !divides:
			e.none()
		case required:
			e.atLeast(least)
		case divides:
			e.atMost(least - 1)
		}
	}
	return e
}

// bounded takes away the exponents that make the number too small or, if upper is set, too great.
func (m *numberMachine) bounded(s *numberState, e *exponents, i int, b bound, upper bool) {
	if !s.nonzero || b.value.isZero() || b.value.neg != s.negative {
		// The signs decide.
		c := 0
		switch {
		case !s.nonzero && !b.value.isZero():
			c = -1
			if b.value.neg {
				c = 1
			}
		case s.nonzero && s.negative:
			c = -1
		case s.nonzero:
			c = 1
		}
		if upper {
			c = -c
		}
		if c < 0 || c == 0 && b.excl {
			e.none()
		}
		return
	}
	x, c := m.against(s, i)
	if upper != s.negative { // the magnitude has to be at most the bound's
		if c > 0 || c == 0 && b.excl {
			x--
		}
		e.atMost(x)
		return
	}
	if c < 0 || c == 0 && b.excl {
		x++
	}
	e.atLeast(x)
}

// allows says whether the digits of s with that exponent are a number of the machine's.
func (m *numberMachine) allows(s *numberState, exponent int) bool {
	e := m.exponents(s)
	return e.some(exponent, exponent)
}

// alive reports whether what was read can be completed.
func (m *numberMachine) alive(s *numberState) bool {
	switch {
	case m.empty:
		return false
	case s.at >= afterE:
		return m.exponentAlive(s)
	}
	if a, ok := m.known[*s]; ok {
		return a
	}
	a := m.digitsAlive(s)
	m.known[*s] = a
	return a
}

func (m *numberMachine) exponentAlive(s *numberState) bool {
	e := m.exponents(s)
	if s.at == afterE {
		return e.some(-greatestExponent, greatestExponent)
	}
	least, most := int(s.exponent), int(s.exponent)
	if s.digits == 0 {
		least, most = 0, greatestExponent
	}
	for left := limits.JSONExponent - int(s.digits); ; left-- {
		a, b := least, most
		if s.minus {
			a, b = -most, -least
		}
		if e.some(a, b) {
			return true
		}
		if left <= 0 || s.digits == 0 {
			return false
		}
		least, most = least*10, most*10+9
	}
}

// digitsAlive decides for a state before any exponent: it is alive if some exponent will do, or none, or if it is alive
// with some more digits. As long as the digits are those of a bound or an excluded number, all are tried; once they are
// not, the number of digits is all that matters. Where a number has to be a multiple of a greater one, or must not be one,
// arithmetic decides.
func (m *numberMachine) digitsAlive(s *numberState) bool {
	switch s.at {
	case afterZero, inWhole, inFraction:
		if e := m.exponents(s); e.some(-greatestExponent, greatestExponent) {
			return true
		}
	}
	if m.sparse && s.at >= afterZero {
		return m.loose || m.multipleAhead(s)
	}
	if s.nonzero && s.at != afterPoint && !m.undecided(s) {
		return m.feasible(s)
	}
	for i := range numberBytes {
		b := numberAlphabet[i]
		if b == 'e' {
			break // looked at already
		}
		if t, ok := m.read(*s, b); ok && m.alive(&t) {
			return true
		}
	}
	t, ok := m.read(*s, '-')
	return ok && m.alive(&t)
}

// undecided says whether the digits are still those of a point.
func (m *numberMachine) undecided(s *numberState) bool {
	for i := range m.points {
		if s.mark(i) < markLess {
			return true
		}
	}
	return false
}

// feasible says whether some number of further digits brings what was read within the bounds, and makes it integral if it
// must be. Where multiples are excluded, the last of the digits can be chosen so that the number is none.
func (m *numberMachine) feasible(s *numberState) bool {
	excludes := len(m.divisors) > 1 || len(m.divisors) == 1 && !m.must
	t := *s
	for more := 0; ; more++ {
		e := exponents{from: -greatestExponent, to: greatestExponent}
		if m.form != anyForm {
			e.from, e.to = 0, 0
		}
		i := 0
		if m.low.set {
			m.bounded(&t, &e, i, m.low, false)
			i++
		}
		if m.high.set {
			m.bounded(&t, &e, i, m.high, true)
		}
		if m.must && !excludes {
			e.atLeast(int(s.fraction) - int(s.zeros) - more - m.divisors[0].places)
		}
		if e.from <= e.to && (!excludes || m.escapes(s, &e, more)) {
			return true
		}
		if s.at != inWhole || t.whole == limits.JSONDigits {
			return false
		}
		t.whole++
	}
}

// escapes says whether the last digit that is not a zero can be chosen, given so many more digits before the point and any
// number after it, so that the number with one of the exponents is no multiple that is excluded.
func (m *numberMachine) escapes(s *numberState, e *exponents, more int) bool {
	points := m.form != digitsForm && s.fraction < limits.JSONDigits
	if m.must {
		// The number is integral, and this digit its last.
		return more > 0 && e.some(1-more, 0) || points && e.some(int(s.fraction)+1, limits.JSONDigits)
	}
	return more > 0 && e.from <= 0 || points && e.from < m.leastPlaces()
}

// leastPlaces returns the least exponent that can make a number with as many digits after the point as there may be a
// multiple of what it must not be one of.
func (m *numberMachine) leastPlaces() int {
	least := limits.JSONDigits
	for i := range m.divisors {
		least = min(least, limits.JSONDigits-m.divisors[i].places)
	}
	return least
}

// multipleAhead says whether more digits make what was read a multiple that the machine allows, first without exponent.
func (m *numberMachine) multipleAhead(s *numberState) bool {
	d := &m.divisors[0]
	if m.form == anyForm {
		return m.multipleAtAnyExponent(s)
	}
	switch s.at {
	case afterPoint, inFraction:
		if t, ok := m.read(*s, '0'); ok && m.allows(&t, 0) {
			return true
		}
		left := d.places - int(s.fraction)
		return left > 0 && m.multipleIn(s, left)
	case afterZero:
		return d.places > 0 && m.form != digitsForm && m.multipleIn(s, d.places)
	}
	for more := 0; more <= limits.JSONDigits-int(s.whole); more++ {
		if m.multipleIn(s, more+d.places) {
			return true
		}
	}
	return false
}

// multipleAtAnyExponent is multipleAhead where bounds are about the sign alone: the exponent makes up for all factors two
// and five.
func (m *numberMachine) multipleAtAnyExponent(s *numberState) bool {
	left := limits.JSONDigits - int(s.fraction)
	if s.at == inWhole {
		left += limits.JSONDigits - int(s.whole)
	}
	if !s.nonzero && left > 0 {
		zero := *s
		if zero.at = inFraction; m.allows(&zero, 0) {
			return true
		}
	}
	if s.negative && m.low.set || !s.negative && m.high.set {
		return false // zero alone was left
	}
	q, ten := m.divisors[0], uint64(1)
	q.p = q.q
	if q.p == 1 {
		return left > 0 || s.nonzero
	}
	q.pow = make([]uint64, len(q.pow))
	q.pow[0] = 1 % q.p
	for i := 1; i < len(q.pow); i++ {
		q.pow[i] = q.times(q.pow[i-1], 10)
	}
	for more := 1; more <= left; more++ {
		if ten *= 10; ten > q.p || q.missing(m.remainder(s, 0)%q.p, int(s.zeros), more) < ten && s.nonzero {
			return true
		}
	}
	return false
}

// multipleIn says whether k more digits, of which as many come after the point as the divisor has places, make what was
// read an allowed multiple.
func (m *numberMachine) multipleIn(s *numberState, k int) bool {
	if digits, ok := m.prefix(s); ok {
		return m.multipleFrom(s, digits, k)
	}
	// No bound is at stake any more, once it is known how many digits there are.
	t := *s
	if s.at == inWhole {
		t.whole = uint8(int(s.whole) + k - m.divisors[0].places)
	}
	i := 0
	for _, b := range [...]struct {
		bound
		upper bool
	}{{m.low, false}, {m.high, true}} {
		if b.set {
			e := exponents{}
			if m.bounded(&t, &e, i, b.bound, b.upper); !e.some(0, 0) {
				return false
			}
			i++
		}
	}
	d := &m.divisors[0]
	most := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil)
	x := new(big.Int).SetUint64(d.missing(m.remainder(s, 0), int(s.zeros), k))
	step := new(big.Int).SetUint64(d.p)
	for range multiplesTried {
		if x.Cmp(most) >= 0 {
			return false
		}
		if !m.dividesOther(s, x, k) {
			return true
		}
		x.Add(x, step)
	}
	return true // one in so many is excluded: it is not believed that all are
}

// multiplesTried is how many multiples are looked at for one that is not excluded.
const multiplesTried = 1_000

// dividesOther says whether one of the divisors that must not divide the number does, once the k digits x are added. Their
// places are brought to the first one's.
func (m *numberMachine) dividesOther(s *numberState, x *big.Int, k int) bool {
	for i := 1; i < len(m.divisors); i++ {
		d := &m.divisors[i]
		tens := d.places - m.divisors[0].places
		r := (d.p - d.missing(m.remainder(s, i), int(s.zeros), k)) % d.p
		n := new(big.Int).Add(new(big.Int).SetUint64(r), x)
		p := new(big.Int).SetUint64(d.p)
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(tens, -tens))), nil)
		if tens >= 0 {
			n.Mul(n, scale)
		} else {
			p.Mul(p, scale) // only remainders modulo p are known: a multiple of p may still not be one of this
		}
		if n.Mod(n, p).Sign() == 0 {
			return true
		}
	}
	return false
}

// prefix returns the digits read so far, if they are those of a point, so that they are known.
func (m *numberMachine) prefix(s *numberState) (*big.Int, bool) {
	if !s.nonzero {
		return new(big.Int), true
	}
	read := int(s.whole) + int(s.fraction)
	if s.whole == 0 {
		read -= int(s.leading)
	}
	for i := range m.points {
		if k := s.mark(i); k < markLess {
			n, _ := new(big.Int).SetString(m.points[i].digits[:k]+strings.Repeat("0", read-k), 10)
			return n, true
		}
	}
	return nil, false
}

// multipleFrom is multipleIn where the digits are known.
func (m *numberMachine) multipleFrom(s *numberState, digits *big.Int, k int) bool {
	d := &m.divisors[0]
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil)
	from := new(big.Int).Mul(digits, scale)
	to := new(big.Int).Add(from, scale)
	to.Sub(to, big.NewInt(1))
	spec := numberSpec{low: m.low, high: m.high}
	least, most := m.scaledBounds(s.negative)
	if least != nil && from.Cmp(least) < 0 {
		from.Set(least)
	}
	if most != nil && to.Cmp(most) > 0 {
		to.Set(most)
	}
	step := new(big.Int).SetUint64(d.p)
	x := new(big.Int).Add(from, step)
	x.Sub(x, big.NewInt(1))
	x.Sub(x, new(big.Int).Mod(x, step))
	for range multiplesTried {
		if x.Cmp(to) > 0 {
			return false
		}
		v := decimalOf(x, d.places)
		if s.negative {
			v = v.negated()
		}
		if spec.contains(v) && !m.excluded(v) {
			return true
		}
		x.Add(x, step)
	}
	return true
}

// excluded says whether a number is one of those, or a multiple of one of those, that must not be.
func (m *numberMachine) excluded(v decimal) bool {
	bounds := 0
	if m.low.set {
		bounds++
	}
	if m.high.set {
		bounds++
	}
	for _, p := range m.points[bounds:] {
		if p.compare(v) == 0 {
			return true
		}
	}
	for i := 1; i < len(m.divisors); i++ {
		if v.isMultipleOf(m.divisors[i].value()) {
			return true
		}
	}
	return false
}

// scaledBounds returns the least and greatest magnitude of numbers of a sign, times ten to the divisor's places and
// rounded outwards; nil where there is no bound.
func (m *numberMachine) scaledBounds(negative bool) (least, most *big.Int) {
	if b, ok := m.scaled[negative]; ok {
		return b[0], b[1]
	}
	low, high := m.low, m.high
	if negative {
		low, high = m.high, m.low
	}
	round := func(b bound) *big.Int {
		if !b.set {
			return nil
		}
		v := b.value
		if negative {
			v = v.negated()
		}
		v.exp += m.divisors[0].places
		return v.floor().scaled(0)
	}
	least, most = round(low), round(high)
	if m.scaled == nil {
		m.scaled = map[bool][2]*big.Int{}
	}
	m.scaled[negative] = [2]*big.Int{least, most}
	return least, most
}
