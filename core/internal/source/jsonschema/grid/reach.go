package grid

import (
	"math/big"
	"sort"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// read makes s the state after one more byte, without checking that it can be completed.
func (m *machine) read(s *state, b byte) bool {
	digit := b >= '0' && b <= '9'
	switch s.at {
	case atStart, afterMinus:
		switch {
		case b == '-' && s.at == atStart:
			s.at, s.negative = afterMinus, true
			return true
		case !digit:
			return false
		}
		s.at = afterZero
		if b != '0' {
			s.at, s.whole = inWhole, 1
		}
		m.take(s, b)
		return true
	case afterZero, inWhole:
		switch {
		case b == '.':
			s.at, s.whole = afterPoint, 0
			return m.point
		case !digit || s.at == afterZero || int(s.whole) == m.digits:
			return false
		}
		s.whole++
		m.take(s, b)
		return true
	case afterPoint, inFraction:
		if !digit || int(s.fraction) == m.digits {
			return false
		}
		s.at = inFraction
		if s.fraction++; int(s.fraction) > m.places {
			return b == '0'
		}
		m.take(s, b)
		m.decide(s)
		return true
	}
	return false
}

func (m *machine) take(s *state, b byte) {
	if b == '0' && s.length == 0 {
		return
	}
	s.length++
	side := m.side(s)
	points := side.points
	side.narrow(s, b)
	for i := range points {
		switch p := &points[i]; {
		case s.marks[i] != same:
		case int(s.length) > len(p.digits) || b > p.digits[s.length-1]:
			s.marks[i] = greater
		case b < p.digits[s.length-1]:
			s.marks[i] = less
		}
	}
	for i := range m.divisors {
		switch d := &m.divisors[i]; {
		case s.rests[i] == never:
		case int(s.fraction) <= d.places:
			s.rests[i] = (d.times(s.rests[i], 10) + uint64(b-'0')) % d.n
		case b != '0':
			s.rests[i] = never
		}
	}
}

func (d *side) narrow(s *state, b byte) {
	if len(d.excluded) == 0 {
		return
	}
	at := int(s.length) - 1
	if at == 0 {
		s.from, s.to = 0, uint32(len(d.excluded))
	}
	of := d.excluded[s.from:s.to]
	// INVARIANT: all of them begin with the same digits, and numbers that end there come first.
	first := sort.Search(len(of), func(i int) bool { return len(of[i]) > at && of[i][at] >= b })
	last := sort.Search(len(of), func(i int) bool { return len(of[i]) > at && of[i][at] > b })
	s.from, s.to = s.from+uint32(first), s.from+uint32(last)
	if s.from == s.to {
		s.from, s.to = 0, 0
	}
}

// decide compares with points of other lengths than the number's, once its length is known.
func (m *machine) decide(s *state) {
	points := m.side(s).points
	for i := range points {
		switch m.compare(s, i, m.places-int(s.fraction)) {
		case -1:
			s.marks[i] = less
		case 1:
			s.marks[i] = greater
		}
	}
}

func (m *machine) side(s *state) *side {
	if s.negative {
		return &m.sides[1]
	}
	return &m.sides[0]
}

// compare returns -1 or 1 if s with k more digits is less or greater than point i, 0 if the digits of s are the
// point's without its last k.
func (m *machine) compare(s *state, i, k int) int {
	n := len(m.side(s).points[i].digits)
	switch length := int(s.length) + k; {
	case s.length == 0:
		if n > k {
			return -1
		}
		return 0
	case length < n:
		return -1
	case length > n:
		return 1
	}
	return [...]int{same: 0, less: -1, greater: 1}[s.marks[i]]
}

// missing returns the least x that, as k more digits, makes s a multiple of the step.
func (m *machine) missing(s *state, k int) uint64 {
	d := &m.divisors[0]
	x := d.times(s.rests[0], d.pow[k])
	if x == 0 {
		return 0
	}
	return d.n - x
}

func (m *machine) left(s *state) int { return max(m.places-int(s.fraction), 0) }

// Ends reports whether a number may end in s. It implements terminal.Reading.
func (m *machine) Ends(s *state) bool {
	if s.at != afterZero && s.at != inWhole && s.at != inFraction {
		return false
	}
	side, k := m.side(s), m.left(s)
	if side.none || m.missing(s, k) != 0 {
		return false
	}
	if i := side.low; i >= 0 {
		if c := m.compare(s, i, k); c < 0 || c == 0 && !side.points[i].endsInZeros(k) {
			return false
		}
	}
	if i := side.high; i >= 0 && m.compare(s, i, k) > 0 {
		return false
	}
	return !m.excludes || m.allowed(s, k, new(big.Int))
}

func (p *point) endsInZeros(k int) bool { return p.zeros >= min(k, len(p.digits)) }

func (m *machine) alive(s *state) bool {
	switch s.at {
	case atStart:
		negative := *s
		negative.negative = true
		return m.reaches(s, m.most) || m.reaches(&negative, m.most)
	case afterMinus:
		return m.reaches(s, m.most)
	case inWhole:
		return m.wholeAlive(s)
	}
	if int(s.fraction) > m.places {
		return m.Ends(s) // more zeros do not change the number
	}
	return m.reaches(s, m.left(s))
}

func (m *machine) wholeAlive(s *state) bool {
	side := m.side(s)
	most := m.digits
	if side.high >= 0 {
		most = min(most, len(side.points[side.high].digits)-m.places)
	}
	least := 0
	if !m.excludes {
		least = most - int(s.whole) - 1 // by Lemma 41
	}
	for more := most - int(s.whole); more >= max(least, 0); more-- {
		if m.reaches(s, more+m.places) {
			return true
		}
	}
	return false
}

func (m *machine) reaches(s *state, k int) bool {
	side := m.side(s)
	if side.none {
		return false
	}
	lowCut, highCut := false, false
	if side.low >= 0 {
		c := m.compare(s, side.low, k)
		if c < 0 {
			return false
		}
		lowCut = c == 0
	}
	if side.high >= 0 {
		c := m.compare(s, side.high, k)
		if c > 0 {
			return false
		}
		highCut = c == 0
	}
	start, count := uint64(0), m.full[k]
	switch {
	case lowCut && highCut:
		start, count = side.points[side.low].rest[k], side.between[k]
	case lowCut:
		start, count = side.points[side.low].rest[k], side.points[side.low].from[k]
	case highCut:
		count = side.points[side.high].upTo[k]
	}
	step := m.divisors[0].n
	first := m.missing(s, k)
	if first < start {
		first += step
	}
	first -= start
	switch {
	case first >= count:
		return false
	case (count-1-first)/step+1 >= side.needed:
		return true // more multiples than exclusions
	}
	return m.someAllowed(s, k, first, lowCut, highCut)
}

// someAllowed reports whether s, followed by k digits x, is an allowed multiple for some x within the bounds. The least x
// that makes a multiple is first above the least within the bounds.
func (m *machine) someAllowed(s *state, k int, first uint64, lowCut, highCut bool) bool {
	side := m.side(s)
	from, to := new(big.Int), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil)
	to.Sub(to, big.NewInt(1))
	if lowCut {
		from = side.points[side.low].suffix(k)
	}
	if highCut {
		to = side.points[side.high].suffix(k)
	}
	from.Add(from, new(big.Int).SetUint64(first))
	step := new(big.Int).SetUint64(m.divisors[0].n)
	for range side.needed {
		if from.Cmp(to) > 0 {
			return false
		}
		if m.allowed(s, k, from) {
			return true
		}
		from.Add(from, step)
	}
	return true
}

// allowed reports whether s, followed by k digits x, is neither an excluded number nor an excluded multiple.
func (m *machine) allowed(s *state, k int, x *big.Int) bool {
	excluded := m.side(s).excluded
	if s.length > 0 {
		excluded = excluded[s.from:s.to]
	}
	for _, digits := range excluded {
		same := s.length == 0 && len(digits) <= k || s.length > 0 && len(digits) == int(s.length)+k
		if p := (&point{digits: digits}); same && p.suffix(k).Cmp(x) == 0 {
			return false
		}
	}
	for i := 1; i < len(m.divisors); i++ {
		d := &m.divisors[i]
		if s.rests[i] == never {
			continue
		}
		after := min(k, m.places-d.places) // digits that must be zeros
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(after)), nil)
		q, rest := new(big.Int).QuoRem(x, scale, new(big.Int))
		if rest.Sign() != 0 {
			continue
		}
		q.Add(q, new(big.Int).SetUint64(d.times(s.rests[i], d.pow[k-after])))
		if q.Rem(q, new(big.Int).SetUint64(d.n)).Sign() == 0 {
			return false
		}
	}
	return true
}

func (m *machine) Room(s *state) (digits terminal.ByteSet, n int) {
	digits.AddRange('0', '9')
	return digits, m.room(s)
}

// room returns how many arbitrary digits can follow. A number can be completed if more unbounded digits are to come
// than the distance of multiples has.
func (m *machine) room(s *state) int {
	side := m.side(s)
	switch {
	case s.at == inWhole:
		most := m.digits
		if side.high >= 0 {
			most = min(most, len(side.points[side.high].digits)-m.places-1)
		}
		if side.low >= 0 && most+m.places <= len(side.points[side.low].digits) {
			return 0
		}
		return max(min(most, most+m.places-side.apart)-int(s.whole), 0)
	case s.at == inFraction && s.length > 0:
		k := m.left(s)
		for _, i := range [...]int{side.low, side.high} {
			if i >= 0 && m.compare(s, i, k) == 0 {
				return 0
			}
		}
		return max(k-side.apart, 0)
	}
	return 0
}
