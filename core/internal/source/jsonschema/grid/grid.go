// Package grid reads decimal numbers, written without an exponent, that lie on a grid: multiples of a step, between
// two bounds, without some of them.
//
// Invariant: a state is the remainder of the digits by the step, their comparison with the bounds, the excluded numbers
// that begin with them, and the count of digits, but never the digits. Arithmetic decides whether a prefix can be
// completed (Lemmas 40 to 42). A step costs some divisions, and one for each of needed multiples beside exclusions.
//
// All numbers are integers here, in units of the last place of the step. Tables hold everything that depends only on
// the number of digits to come. Start reading at New, then reach.go.
package grid

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Spec describes the numbers of a machine. Integers are in units of 10^-Places.
type Spec struct {
	Digits    int      // most digits before the point, and after it
	Places    int      // of Step, at most Digits
	Step      *big.Int // positive; numbers are multiples of it
	Low, High *big.Int // inclusive; nil: none
	NotEqual  []*big.Int
	Not       []Multiple // divisors of excluded numbers
	Point     bool       // allows digits after the point
}

// Multiple is a positive number in units of 10^-Places, which is at most the Spec's Places.
type Multiple struct {
	Places int
	Of     *big.Int
}

type machine struct {
	digits       int // most before the point, and after it
	places, most int // most: digits of a number, including those after the point up to places
	point        bool
	excludes     bool      // some multiples of the step are excluded
	divisors     []divisor // the step, then the excluded divisors
	full         []uint64  // 10^k, at most the largest integer
	sides        [2]side   // non-negative numbers, and negated negative ones
	marks        int
}

type divisor struct {
	n      uint64
	places int
	pow    []uint64 // 10^k modulo n
}

// never is the remainder of digits that cannot become a multiple: a digit other than 0 follows the divisor's places.
const never = math.MaxUint64

// side holds the bounds and exclusions for the magnitudes of numbers of one sign.
type side struct {
	none      bool // there are no such numbers
	points    []point
	low, high int      // their indexes, -1 if not set
	excluded  []string // digits of single excluded numbers, ascending as texts; "" for zero
	between   []uint64
	needed    uint64 // so many consecutive multiples contain an allowed one (Lemma 42)
	apart     int    // any 10^apart consecutive numbers contain needed multiples
}

// point is a number that others are compared with. Its last k digits are S(k).
type point struct {
	digits string // "" for zero
	zeros  int    // at the end of digits
	rest   []uint64
	upTo   []uint64 // S(k) + 1, at most the largest integer
	from   []uint64 // 10^k - S(k), at most the largest integer
}

// Fits reports whether n can be a divisor: 62 bits hold any 18 digits.
func Fits(n *big.Int) bool { return n.BitLen() <= 62 }

// New returns the machine of a spec, nil if there are no such numbers. Step and Not must fit.
func New(spec *Spec) terminal.Sprawling {
	m := &machine{digits: spec.Digits, places: spec.Places, most: spec.Digits + spec.Places, point: spec.Point}
	m.divisors = append(m.divisors, m.newDivisor(spec.Step, spec.Places))
	for _, n := range spec.Not {
		if m.divides(n, spec.Step) {
			return nil // it excludes them all
		}
		m.divisors = append(m.divisors, m.newDivisor(n.Of, n.Places))
	}
	ten := big.NewInt(1)
	for range m.most + 1 {
		m.full = append(m.full, saturated(ten))
		ten.Mul(ten, big.NewInt(10))
	}
	ten.Quo(ten, big.NewInt(10))
	low, high := m.snapped(spec.Low, ten, true), m.snapped(spec.High, ten, false)
	if low != nil && low.CmpAbs(ten) >= 0 && low.Sign() > 0 || high != nil && high.CmpAbs(ten) >= 0 && high.Sign() < 0 {
		return nil
	}
	m.sides = [2]side{m.newSide(low, high, spec, false), m.newSide(opposite(high), opposite(low), spec, true)}
	for i := range m.sides {
		m.marks = max(m.marks, len(m.sides[i].points))
	}
	first := m.First()
	if !m.alive(&first) {
		return nil
	}
	return terminal.NewSprawling(m)
}

func (m *machine) divides(n Multiple, step *big.Int) bool {
	scaled := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(m.places-n.Places)), nil)
	return new(big.Int).Rem(step, scaled.Mul(scaled, n.Of)).Sign() == 0
}

func (m *machine) newDivisor(n *big.Int, places int) divisor {
	d := divisor{n: n.Uint64(), places: places, pow: make([]uint64, m.most+1)}
	d.pow[0] = 1 % d.n
	for i := 1; i < len(d.pow); i++ {
		d.pow[i] = d.times(d.pow[i-1], 10)
	}
	return d
}

func (d *divisor) times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi == 0 {
		return lo % d.n
	}
	return bits.Rem64(hi, lo, d.n)
}

// snapped returns the first multiple of the step from a bound on, nil if every number below ten is before it.
func (m *machine) snapped(bound, ten *big.Int, up bool) *big.Int {
	if bound == nil || bound.CmpAbs(ten) >= 0 && (bound.Sign() < 0) == up {
		return nil
	}
	step := new(big.Int).SetUint64(m.divisors[0].n)
	q, rest := new(big.Int).DivMod(bound, step, new(big.Int)) // rounds towards minus infinity
	if up && rest.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Mul(q, step)
}

func opposite(n *big.Int) *big.Int {
	if n == nil {
		return nil
	}
	return new(big.Int).Neg(n)
}

func (m *machine) newSide(low, high *big.Int, spec *Spec, negative bool) side {
	s := side{low: -1, high: -1}
	if high != nil && high.Sign() < 0 {
		s.none = true
		return s
	}
	if low != nil && low.Sign() > 0 {
		s.low = len(s.points)
		s.points = append(s.points, m.newPoint(low))
	}
	if high != nil {
		s.high = len(s.points)
		s.points = append(s.points, m.newPoint(high))
	}
	for _, n := range spec.NotEqual {
		if (n.Sign() == 0 || n.Sign() < 0 == negative) && new(big.Int).Rem(n, spec.Step).Sign() == 0 {
			s.excluded = append(s.excluded, digitsOf(n))
		}
	}
	if s.low >= 0 && s.high >= 0 {
		for k := range m.most + 1 {
			a, b := s.points[s.low].suffix(k), s.points[s.high].suffix(k)
			b.Sub(b, a)
			s.between = append(s.between, saturated(b.Add(b, big.NewInt(1))))
		}
	}
	s.needed = 1
	slices.Sort(s.excluded)
	s.excluded = slices.Compact(s.excluded)
	if len(s.excluded)+len(spec.Not) > 0 {
		m.excludes = true
		s.needed = uint64(len(s.excluded)) + min(uint64(1)<<min(len(spec.Not), 62), limits.SchemaMultiples)
	}
	if n := new(big.Int).Mul(spec.Step, new(big.Int).SetUint64(s.needed)); n.Sub(n, big.NewInt(1)).Sign() > 0 {
		s.apart = len(n.String())
	}
	return s
}

func digitsOf(n *big.Int) string {
	if n.Sign() == 0 {
		return ""
	}
	return new(big.Int).Abs(n).String()
}

func (m *machine) newPoint(n *big.Int) point {
	p := point{digits: digitsOf(n)}
	for p.zeros < len(p.digits) && p.digits[len(p.digits)-1-p.zeros] == '0' {
		p.zeros++
	}
	d := &m.divisors[0]
	sum, ten, one := new(big.Int), big.NewInt(1), big.NewInt(1)
	rest, x := uint64(0), new(big.Int)
	for k := range m.most + 1 {
		p.rest = append(p.rest, rest)
		p.upTo = append(p.upTo, saturated(x.Add(sum, one)))
		p.from = append(p.from, saturated(x.Sub(ten, sum)))
		if k < len(p.digits) {
			digit := uint64(p.digits[len(p.digits)-1-k] - '0')
			rest = (rest + d.times(d.pow[k], digit)) % d.n
			sum.Add(sum, x.Mul(ten, x.SetUint64(digit)))
		}
		ten.Mul(ten, big.NewInt(10))
	}
	return p
}

func (p *point) suffix(k int) *big.Int {
	n := new(big.Int)
	if k = min(k, len(p.digits)); k > 0 {
		n.SetString(p.digits[len(p.digits)-k:], 10)
	}
	return n
}

func saturated(n *big.Int) uint64 {
	switch {
	case n.Sign() < 0:
		return 0
	case n.IsUint64():
		return n.Uint64()
	}
	return math.MaxUint64
}

type phase uint8

const (
	atStart phase = iota
	afterMinus
	afterZero // after a whole part of "0"
	inWhole
	afterPoint
	inFraction
)

// state is the state after some digits. Its digits end at the last place of the step.
type state struct {
	at       phase
	negative bool
	whole    uint8 // digits before the point, until the point
	fraction uint8
	length   uint8  // digits from the first non-zero one on
	from, to uint32 // the range of the side's excluded numbers that begin with the digits
	marks    []mark // by point of the sign's side
	rests    []uint64
}

type mark uint8

const (
	same mark = iota
	less
	greater
)

func (m *machine) First() state {
	return state{marks: make([]mark, m.marks), rests: make([]uint64, len(m.divisors))}
}

func (m *machine) Copy(to, from *state) {
	marks, rests := append(to.marks[:0], from.marks...), append(to.rests[:0], from.rests...)
	*to = *from
	to.marks, to.rests = marks, rests
}

func (m *machine) Name(s *state) string {
	var buf [64]byte
	name := append(buf[:0], byte(s.at), 0, s.whole, s.fraction, s.length)
	if s.negative {
		name[1] = 1
	}
	name = binary.LittleEndian.AppendUint32(name, s.from)
	name = binary.LittleEndian.AppendUint32(name, s.to)
	for _, k := range s.marks {
		name = append(name, byte(k))
	}
	for _, r := range s.rests {
		name = binary.LittleEndian.AppendUint64(name, r)
	}
	return string(name)
}

func (m *machine) Named(name string) state {
	s := m.First()
	s.at, s.negative, s.whole, s.fraction, s.length = phase(name[0]), name[1] == 1, name[2], name[3], name[4]
	s.from, s.to = binary.LittleEndian.Uint32([]byte(name[5:9])), binary.LittleEndian.Uint32([]byte(name[9:13]))
	name = name[13:]
	for i := range s.marks {
		s.marks[i] = mark(name[i])
	}
	name = name[len(s.marks):]
	for i := range s.rests {
		s.rests[i] = binary.LittleEndian.Uint64([]byte(name[8*i : 8*i+8]))
	}
	return s
}

func (m *machine) Bytes() terminal.ByteSet { return terminal.BytesOf("-.0123456789") }

func (m *machine) Next(s *state, b byte) bool { return m.read(s, b) && m.alive(s) }
