package number

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// The largest exponents of limits.JSONExponent and limits.ArgumentExponent digits.
const (
	greatestExponent = 9999
	shortExponent    = 99
)

// exponents is a range of exponents with holes.
type exponents struct {
	from, to int
	without  []int
}

func (e *exponents) atLeast(n int) { e.from = max(e.from, n) }
func (e *exponents) atMost(n int)  { e.to = min(e.to, n) }
func (e *exponents) none()         { e.from, e.to = 1, 0 }

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

// exponents returns the exponents with which the digits of s are a number of the machine: a range with holes (Lemma
// 43).
func (m *numberMachine) exponents(s *numberState) exponents {
	e := m.within(s)
	if !s.nonzero && m.notZero {
		e.none()
	}
	for _, p := range m.excluded[bit(s.negative)][s.from:s.to] {
		if x := p.Exponent - s.order(); len(p.Digits) <= s.length() && !slices.Contains(e.without, x) {
			e.without = append(e.without, x)
		}
	}
	for i := range m.divisors {
		d := &m.divisors[i]
		required := m.must && i == 0
		least, divides := -m.greatest, true
		if s.nonzero {
			if least, divides = d.tens(s.rests[i]); divides {
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

func (m *numberMachine) within(s *numberState) exponents {
	e := exponents{from: -m.greatest, to: m.greatest}
	m.bound(s, &e)
	return e
}

func (m *numberMachine) bound(s *numberState, e *exponents) {
	i := 0
	if m.low.Set {
		m.bounded(s, e, i, m.low, false)
		i++
	}
	if m.high.Set {
		m.bounded(s, e, i, m.high, true)
	}
}

// bounded removes the exponents for which the number is too small or, if upper is set, too large.
func (m *numberMachine) bounded(s *numberState, e *exponents, i int, b Bound, upper bool) {
	if !s.nonzero || b.Value.IsZero() || b.Value.Negative != s.negative {
		c := 0
		switch {
		case !s.nonzero && !b.Value.IsZero():
			c = -1
			if b.Value.Negative {
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
		if c < 0 || c == 0 && b.Exclusive {
			e.none()
		}
		return
	}
	x, c := m.against(s, i)
	if upper != s.negative { // the magnitude must be at most the bound's
		if c > 0 || c == 0 && b.Exclusive {
			x--
		}
		e.atMost(x)
		return
	}
	if c < 0 || c == 0 && b.Exclusive {
		x++
	}
	e.atLeast(x)
}

func (m *numberMachine) allows(s *numberState, exponent int) bool {
	e := m.exponents(s)
	return e.some(exponent, exponent)
}

func (m *numberMachine) alive(s *numberState) bool {
	switch {
	case m.empty:
		return false
	case s.at >= afterE:
		return m.exponentAlive(s)
	case !m.undecided(s) || m.sparse:
		return m.digitsAlive(s)
	}
	name := m.Name(s)
	m.mu.Lock()
	a, ok := m.known[name]
	m.mu.Unlock()
	if ok {
		return a
	}
	a = m.digitsAlive(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= limits.SchemaNumbers {
		clear(m.known)
	}
	m.known[name] = a
	return a
}

func (m *numberMachine) exponentAlive(s *numberState) bool {
	e := m.exponents(s)
	if s.at == afterE {
		return e.some(-m.greatest, m.greatest)
	}
	least, most := int(s.exponent), int(s.exponent)
	if s.digits == 0 {
		least, most = 0, m.greatest
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

// digitsAlive is alive before any exponent: an exponent completes s, s is complete, or more digits complete it. While
// the digits begin a bound or an excluded number, it tries all continuations; then only the number of digits matters.
// Arithmetic decides about multiples.
func (m *numberMachine) digitsAlive(s *numberState) bool {
	switch s.at {
	case afterZero, inWhole, inFraction:
		if e := m.exponents(s); e.some(-m.greatest, m.greatest) {
			return true
		}
	}
	if m.sparse && s.at >= afterZero {
		return m.loose || m.multipleAhead(s)
	}
	if s.nonzero && s.at != afterPoint && !m.undecided(s) {
		return m.feasible(s)
	}
	t := m.First()
	for _, b := range []byte("0123456789.-") {
		m.Copy(&t, s)
		if m.read(&t, b) && m.alive(&t) {
			return true
		}
	}
	return false
}

// undecided reports whether the digits still begin a bound or an excluded number.
func (m *numberMachine) undecided(s *numberState) bool {
	if !s.nonzero || s.from < s.to {
		return len(m.points)+len(m.excluded[0])+len(m.excluded[1]) > 0
	}
	for i := range m.points {
		if s.marks[i] < markLess {
			return true
		}
	}
	return false
}

// feasible reports whether some number of further digits brings s within the bounds, and makes it integral if needed.
// The last digit can always avoid excluded multiples. The possible numbers of digits are a range (Lemma 44).
func (m *numberMachine) feasible(s *numberState) bool {
	excludes := len(m.divisors) > 1 || len(m.divisors) == 1 && !m.must
	e, most := exponents{from: math.MinInt32, to: math.MaxInt32}, 0
	if s.at == inWhole {
		most = limits.JSONDigits - int(s.whole)
	}
	m.bound(s, &e)
	if m.must && !excludes {
		e.atLeast(int(s.fraction) - int(s.zeros) - m.divisors[0].places)
	}
	if e.from > e.to {
		return false
	}
	for more := max(0, e.from-m.greatest); more <= min(most, e.to+m.greatest); more++ {
		after := exponents{from: max(e.from-more, -m.greatest), to: min(e.to-more, m.greatest)}
		if !excludes || m.escapes(s, &after, more) {
			return true
		}
	}
	return false
}

// escapes reports whether the last non-zero digit can be chosen so that the number with an exponent of e is no
// excluded multiple, after more further digits before the point and any number of digits after it.
func (m *numberMachine) escapes(s *numberState, e *exponents, more int) bool {
	points := s.fraction < limits.JSONDigits
	if m.must {
		// The number is integral, and this digit its last.
		return more > 0 && e.some(1-more, 0) || points && e.some(int(s.fraction)+1, limits.JSONDigits)
	}
	return more > 0 && e.from <= 0 || points && e.from < m.leastPlaces()
}

// leastPlaces returns the least exponent that gives a number with the most digits after the point that a multiple of
// an excluded divisor may have.
func (m *numberMachine) leastPlaces() int {
	least := limits.JSONDigits
	for i := range m.divisors {
		least = min(least, limits.JSONDigits-m.divisors[i].places)
	}
	return least
}

// multipleAhead reports whether more digits make s an allowed multiple. The bounds must be about the sign alone.
// Exponents supply all factors two and five, and a multiple with fewer digits equals one with more, followed by zeros.
func (m *numberMachine) multipleAhead(s *numberState) bool {
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
	switch {
	case s.negative && m.low.Set || !s.negative && m.high.Set:
		return false // only zero remained
	case m.odd.p == 1:
		return left > 0 || s.nonzero
	case left >= m.odd.digits:
		return true
	case left == 0 || !s.nonzero:
		return false
	}
	ten := uint64(1)
	for range left {
		ten *= 10
	}
	return m.odd.missing(s.rests[0]%m.odd.p, int(s.zeros)+left) < ten
}

func (m *numberMachine) room(s *numberState) int {
	left := limits.JSONDigits - int(s.fraction)
	switch s.at {
	case inWhole:
		left = limits.JSONDigits - int(s.whole)
	case inFraction:
	default:
		return 0
	}
	switch {
	case !s.nonzero || m.undecided(s) || m.empty:
		return 0
	case m.sparse:
		if s.negative && m.low.Set || !s.negative && m.high.Set {
			return 0
		}
		return max(left-m.odd.digits, 0)
	case m.must && len(m.divisors) == 1:
		return max(min(left, m.roomWithin(s)), 0)
	case !m.unbounded(s):
		return 0
	}
	return max(left-1, 0) // with one more digit the number need not be a multiple
}

// roomWithin returns how many arbitrary digits can follow before the last place; see feasible. The digits of s must
// begin no bound.
func (m *numberMachine) roomWithin(s *numberState) int {
	e := m.within(s)
	if e.from > e.to {
		return 0
	}
	return e.to + m.divisors[0].places - int(s.fraction)
}

// unbounded reports whether no bound restricts non-zero numbers with the sign of s.
func (m *numberMachine) unbounded(s *numberState) bool {
	for _, b := range [...]Bound{m.low, m.high} {
		if b.Set && !b.Value.IsZero() {
			return false
		}
	}
	return !(s.negative && m.low.Set) && !(!s.negative && m.high.Set)
}
