package number

import (
	"encoding/binary"
	"math/big"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// numberMachine reads numbers that satisfy a spec, in any spelling; package grid reads numbers without an exponent. It
// compares the text digit by digit with bounds and excluded numbers, and divides it by the divisors. So a simple spec
// has few states, and never more than the texts that were read.
//
// Neither the order of magnitude nor the last digit is known before a number's end, so most of the work is to decide
// whether a prefix can be completed; see alive.
type numberMachine struct {
	low      Bound
	high     Bound
	points   []Decimal    // low and high, if set
	excluded [2][]Decimal // by sign, ascending by their digits
	notZero  bool
	divisors []divisor // the first must divide the number if must is set; the others must not
	must     bool
	greatest int
	sparse   bool    // arithmetic is needed to find multiples
	loose    bool    // arithmetic is postponed to a number's end
	pointed  bool    // exponents only after a decimal point; adding .0 is always possible
	empty    bool    // no number is within the bounds, or a required divisor is a multiple of an excluded one
	odd      divisor // the first without its factors two and five

	mu    sync.Mutex
	known map[string]bool // results of alive that took a search
}

type phase uint8

const (
	atStart phase = iota
	afterMinus
	afterZero // after a whole part of "0"
	inWhole
	afterPoint
	inFraction
	afterE
	afterSign
	inExponent
)

// numberState is the state after some text. marks holds the comparison with each point: the number of equal digits,
// markLess or markGreater. rests holds, for each divisor, the remainder of the digits up to the last non-zero one.
type numberState struct {
	marks    []uint16
	rests    []uint64
	from, to uint32 // the excluded numbers of its sign whose digits, followed by zeros, begin with those read
	at       phase
	negative bool
	nonzero  bool
	whole    uint8 // digits before the point, 0 for "0"
	fraction uint8
	leading  uint8 // zeros between the point and the first other digit, if the whole part is "0"
	zeros    uint8 // zeros at the end, if there are divisors or a list
	exponent int16
	minus    bool // sign of the exponent
	digits   uint8
}

const (
	markLess    = 0xFFFE
	markGreater = 0xFFFF
)

// newNumberMachine returns a machine for the numbers of those types within the spec, with divisors d. A loose one
// accepts prefixes that cannot be completed, since a test of a number is decided at its end.
func newNumberMachine(types jsontype.Set, s *Spec, d *numberDivisors, as Spelling) *numberMachine {
	m := &numberMachine{
		low: s.Low, high: s.High, divisors: d.all, must: d.must, sparse: d.sparse(), loose: as.Loose,
		pointed: as.Pointed, greatest: greatestExponent,
		known: map[string]bool{},
	}
	if as.Short {
		m.greatest = shortExponent
	}
	for _, b := range [...]Bound{s.Low, s.High} {
		if b.Set {
			m.points = append(m.points, b.Value)
		}
	}
	for _, n := range s.NotEqual {
		m.notZero = m.notZero || n.IsZero()
		if i := bit(n.Negative); !n.IsZero() {
			m.excluded[i] = append(m.excluded[i], n)
		}
	}
	for _, of := range m.excluded {
		slices.SortFunc(of, func(a, b Decimal) int { return strings.Compare(a.Digits, b.Digits) })
	}
	for i := 1; m.must && i < len(m.divisors); i++ {
		m.empty = m.empty || m.divisors[0].value().isMultipleOf(m.divisors[i].value())
	}
	for _, n := range s.NotMultiples {
		m.empty = m.empty || types == jsontype.Integer && decimalOf(big.NewInt(1), 0).isMultipleOf(n)
	}
	if m.sparse {
		m.odd, _ = newDivisor(new(big.Int).SetUint64(m.divisors[0].q), 0)
	}
	return m
}

func (m *numberMachine) First() numberState {
	return numberState{marks: make([]uint16, len(m.points)), rests: make([]uint64, len(m.divisors))}
}

func (m *numberMachine) Copy(to, from *numberState) {
	marks, rests := append(to.marks[:0], from.marks...), append(to.rests[:0], from.rests...)
	*to = *from
	to.marks, to.rests = marks, rests
}

func (m *numberMachine) Name(s *numberState) string {
	var buf [64]byte
	name := append(buf[:0], byte(s.at), byte(bit(s.negative)|bit(s.nonzero)<<1|bit(s.minus)<<2),
		s.whole, s.fraction, s.leading, s.zeros, s.digits, byte(s.exponent), byte(s.exponent>>8))
	name = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(name, s.from), s.to)
	for _, k := range s.marks {
		name = binary.LittleEndian.AppendUint16(name, k)
	}
	for _, r := range s.rests {
		name = binary.LittleEndian.AppendUint64(name, r)
	}
	return string(name)
}

func (m *numberMachine) Named(name string) numberState {
	s := m.First()
	s.at, s.negative, s.nonzero, s.minus = phase(name[0]), name[1]&1 != 0, name[1]&2 != 0, name[1]&4 != 0
	s.whole, s.fraction, s.leading, s.zeros, s.digits = name[2], name[3], name[4], name[5], name[6]
	s.exponent = int16(uint16(name[7]) | uint16(name[8])<<8)
	rest := []byte(name[9:])
	s.from, s.to = binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
	rest = rest[8:]
	for i := range s.marks {
		s.marks[i] = binary.LittleEndian.Uint16(rest[2*i:])
	}
	rest = rest[2*len(s.marks):]
	for i := range s.rests {
		s.rests[i] = binary.LittleEndian.Uint64(rest[8*i:])
	}
	return s
}

func (m *numberMachine) Bytes() terminal.ByteSet { return terminal.BytesOf("0123456789.eE+-") }

func (m *numberMachine) Next(s *numberState, b byte) bool { return m.read(s, b) && m.alive(s) }

func (m *numberMachine) Room(s *numberState) (terminal.ByteSet, int) {
	return byteRange('0', '9'), m.room(s)
}

func (m *numberMachine) Ends(s *numberState) bool {
	switch s.at {
	case afterZero, inWhole, inFraction:
		return m.allows(s, 0)
	case inExponent:
		return m.allows(s, s.power())
	}
	return false
}

func (s *numberState) power() int {
	if s.minus {
		return -int(s.exponent)
	}
	return int(s.exponent)
}

// length returns the number of digits from the first non-zero one on.
func (s *numberState) length() int { return int(s.whole) + int(s.fraction) - int(s.leading) }

// order returns the exponent of ten of the digits, as 0.digits, before any exponent.
func (s *numberState) order() int {
	if s.whole == 0 {
		return -int(s.leading)
	}
	return int(s.whole)
}

// read makes s the state after one more byte, without checking that it can be completed.
func (m *numberMachine) read(s *numberState, b byte) bool {
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
	case inWhole:
		if digit {
			if s.whole == limits.JSONDigits {
				return false
			}
			s.whole++
			m.take(s, b)
			return true
		}
	case afterPoint, inFraction:
		if digit {
			if s.fraction == limits.JSONDigits {
				return false
			}
			s.at = inFraction
			s.fraction++
			if b == '0' && !s.nonzero && s.whole == 0 {
				s.leading++
			}
			m.take(s, b)
			return true
		}
	case afterE, afterSign, inExponent:
		return s.readExponent(b)
	}
	switch {
	case b == '.' && (s.at == afterZero || s.at == inWhole):
		s.at = afterPoint
		return true
	case (b == 'e' || b == 'E') && s.at != afterPoint && (s.at == inFraction || !m.pointed):
		s.at = afterE
		return true
	}
	return false
}

func (s *numberState) readExponent(b byte) bool {
	switch {
	case (b == '+' || b == '-') && s.at == afterE:
		s.at, s.minus = afterSign, b == '-'
	case b >= '0' && b <= '9' && s.at >= afterE && s.digits < limits.JSONExponent:
		s.at = inExponent
		s.digits++
		s.exponent = s.exponent*10 + int16(b-'0')
	default:
		return false
	}
	return true
}

func (m *numberMachine) take(s *numberState, b byte) {
	if b == '0' && !s.nonzero {
		return
	}
	m.narrow(s, b)
	s.nonzero = true
	for i := range m.points {
		p, k := &m.points[i], int(s.marks[i])
		switch {
		case k >= markLess:
			continue
		case p.Negative != s.negative || p.IsZero():
			k = markGreater
		case k == len(p.Digits):
			if b != '0' {
				k = markGreater
			}
		case b < p.Digits[k]:
			k = markLess
		case b > p.Digits[k]:
			k = markGreater
		default:
			k++
		}
		s.marks[i] = uint16(k)
	}
	if len(m.divisors) > 0 {
		if b == '0' {
			s.zeros++
		} else {
			for i := range m.divisors {
				s.rests[i] = m.divisors[i].next(s.rests[i], int(s.zeros), b)
			}
			s.zeros = 0
		}
	}
}

func (m *numberMachine) narrow(s *numberState, b byte) {
	all := m.excluded[bit(s.negative)]
	if len(all) == 0 {
		return
	}
	at := s.length() - 1
	if !s.nonzero {
		at, s.from, s.to = 0, 0, uint32(len(all))
	}
	of := all[s.from:s.to]
	digit := func(i int) byte {
		if at < len(of[i].Digits) {
			return of[i].Digits[at]
		}
		return '0'
	}
	first := sort.Search(len(of), func(i int) bool { return digit(i) >= b })
	last := sort.Search(len(of), func(i int) bool { return digit(i) > b })
	if s.from, s.to = s.from+uint32(first), s.from+uint32(last); s.from == s.to {
		s.from, s.to = 0, 0
	}
}

// against compares the magnitude of s, which must not be zero, with point i: it returns the exponent at which their
// orders of magnitude are equal, and the result of comparing them there.
func (m *numberMachine) against(s *numberState, i int) (exponent, c int) {
	p := &m.points[i]
	exponent = p.Exponent - s.order()
	switch k := int(s.marks[i]); {
	case k == markLess || k < len(p.Digits):
		return exponent, -1
	case k == markGreater:
		return exponent, 1
	}
	return exponent, 0
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
