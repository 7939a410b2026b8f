package jsonschema

import (
	"encoding/binary"
	"math/big"
	"strings"
	"sync"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// numberForm says how numbers may be spelled.
type numberForm uint8

const (
	anyForm    numberForm = iota
	plainForm             // without an exponent
	digitsForm            // nothing but digits
)

// numberDigits is how many digits a number can have before its exponent.
const numberDigits = 2 * limits.JSONDigits

// numberMachine reads numbers that satisfy a spec. What it has read so far is compared with the numbers that matter
// (bounds, and those excluded) digit by digit, and divided by the divisors; so its states are few where little is asked,
// and are never more than the texts that were read.
//
// Before a number's end neither its order of magnitude nor its last digit is known, so that most of the work is to know
// whether a number that was begun can be completed; see alive.
type numberMachine struct {
	form     numberForm
	low      bound
	high     bound
	points   []decimal // low and high, if set, then the excluded ones
	divisors []divisor // the first must divide the number if must is set; the others must not
	must     bool
	sparse   bool // which numbers are multiples takes arithmetic to know
	loose    bool // what takes arithmetic is not asked before a number's end
	empty    bool // no number is within the bounds, or what must divide it is a multiple of what must not

	mu     sync.Mutex
	ids    map[numberState]uint32
	states []numberState
	rows   [][numberBytes]int32 // by state and byte: 0 not known, -1 dead, else the next state plus one
	known  map[numberState]bool // alive, for states with digits but no exponent
	scaled map[bool][2]*big.Int // by sign: see scaledBounds
}

// phase is where in a number a state is.
type phase uint8

const (
	atStart phase = iota
	afterMinus
	afterZero // a whole part of "0"
	inWhole
	afterPoint
	inFraction
	afterE
	afterSign
	inExponent
)

// numberState is what was read. Marks holds, for each point, how the digits compare with its digits: how many were equal
// so far, or markLess or markGreater; then, for each divisor, the remainder of the digits up to the last that is not zero.
type numberState struct {
	marks    string
	at       phase
	negative bool
	nonzero  bool  // a digit that is not zero was read
	whole    uint8 // digits before the point, 0 if that is "0"
	fraction uint8 // digits after the point
	leading  uint8 // zeros between the point and the first other digit, if the whole part is "0"
	zeros    uint8 // zeros at the end, if something is divided
	exponent int16
	minus    bool // of the exponent
	digits   uint8
}

const (
	markLess    = 0xFFFE
	markGreater = 0xFFFF
)

const numberAlphabet = "0123456789.eE+-"

const numberBytes = len(numberAlphabet)

// newNumberMachine returns a machine for the numbers of those types within the spec. A loose one lets numbers be begun that
// cannot be completed: where it is tested what a number is, that is known at its end.
func newNumberMachine(types typeMask, s *numberSpec, form numberForm, loose bool) (*numberMachine, bool) {
	m := &numberMachine{form: form, loose: loose, low: s.low, high: s.high, empty: types&s.possible() == 0, ids: map[numberState]uint32{}, known: map[numberState]bool{}}
	for _, b := range [...]bound{s.low, s.high} {
		if b.set {
			m.points = append(m.points, b.value)
		}
	}
	m.points = append(m.points, s.notEqual...)
	ok := true
	add := func(all []decimal, integral bool) {
		d, small := leastCommonDivisor(all, integral)
		ok = ok && small && d.places <= limits.JSONDigits
		m.divisors = append(m.divisors, d)
	}
	if integral := types == tInteger && form != digitsForm; integral || len(s.multiples) > 0 {
		m.must = true
		add(s.multiples, types == tInteger)
	}
	for _, n := range s.notMultiples {
		add([]decimal{n}, false)
	}
	if types == tFraction {
		add(nil, true)
	}
	m.sparse = m.must && (m.divisors[0].p > 1 || m.divisors[0].places > 0 && len(m.divisors) > 1)
	if m.sparse && form == anyForm && !loose && (!s.signOnly() || len(m.divisors) > 1) {
		m.form = plainForm
	}
	if !ok {
		return nil, false
	}
	for i := 1; m.must && i < len(m.divisors); i++ {
		m.empty = m.empty || m.divisors[0].value().isMultipleOf(m.divisors[i].value())
	}
	for _, n := range s.notMultiples {
		m.empty = m.empty || types == tInteger && decimalOf(big.NewInt(1), 0).isMultipleOf(n)
	}
	m.intern(numberState{marks: string(make([]byte, 2*len(m.points)+8*len(m.divisors)))})
	return m, true
}

// Start implements terminal.Machine.
func (m *numberMachine) Start() uint32 { return 0 }

// Bytes implements terminal.Machine.
func (m *numberMachine) Bytes() (set terminal.ByteSet) {
	for i := range numberBytes {
		set.Add(numberAlphabet[i])
	}
	return set
}

// Accepts implements terminal.Machine.
func (m *numberMachine) Accepts(state uint32) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &m.states[state]
	switch s.at {
	case afterZero, inWhole, inFraction:
		return m.allows(s, 0)
	case inExponent:
		return m.allows(s, s.power())
	}
	return false
}

// Step implements terminal.Machine.
func (m *numberMachine) Step(state uint32, b byte) (uint32, bool) {
	i := strings.IndexByte(numberAlphabet, b)
	if i < 0 {
		return 0, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if next := m.rows[state][i]; next != 0 {
		return uint32(next - 1), next > 0
	}
	next := int32(-1)
	if t, ok := m.read(m.states[state], b); ok && m.alive(&t) {
		next = int32(m.intern(t)) + 1
	}
	m.rows[state][i] = next
	return uint32(next - 1), next > 0
}

func (m *numberMachine) intern(s numberState) uint32 {
	id, ok := m.ids[s]
	if !ok {
		id = uint32(len(m.states))
		m.ids[s] = id
		m.states = append(m.states, s)
		m.rows = append(m.rows, [numberBytes]int32{})
	}
	return id
}

// power returns the exponent of a state that is in one.
func (s *numberState) power() int {
	if s.minus {
		return -int(s.exponent)
	}
	return int(s.exponent)
}

// order returns the exponent of ten that the digits, as 0.digits, have before any exponent.
func (s *numberState) order() int {
	if s.whole == 0 {
		return -int(s.leading)
	}
	return int(s.whole)
}

func (s *numberState) mark(i int) int {
	return int(binary.LittleEndian.Uint16([]byte(s.marks[2*i : 2*i+2])))
}

func (m *numberMachine) remainder(s *numberState, i int) uint64 {
	at := 2*len(m.points) + 8*i
	return binary.LittleEndian.Uint64([]byte(s.marks[at : at+8]))
}

// read returns the state after one more byte, whether it can be completed or not.
func (m *numberMachine) read(s numberState, b byte) (numberState, bool) {
	digit := b >= '0' && b <= '9'
	switch s.at {
	case atStart, afterMinus:
		switch {
		case b == '-' && s.at == atStart:
			s.at, s.negative = afterMinus, true
			return s, true
		case !digit:
			return s, false
		}
		s.at = afterZero
		if b != '0' {
			s.at, s.whole = inWhole, 1
		}
		m.take(&s, b)
		return s, true
	case inWhole:
		if digit {
			if s.whole == limits.JSONDigits {
				return s, false
			}
			s.whole++
			m.take(&s, b)
			return s, true
		}
	case afterPoint, inFraction:
		if digit {
			if s.fraction == limits.JSONDigits {
				return s, false
			}
			s.at = inFraction
			s.fraction++
			if b == '0' && !s.nonzero && s.whole == 0 {
				s.leading++
			}
			m.take(&s, b)
			return s, true
		}
	case afterE, afterSign, inExponent:
		return s.readExponent(b)
	}
	switch {
	case b == '.' && (s.at == afterZero || s.at == inWhole) && m.form != digitsForm:
		s.at = afterPoint
		return s, true
	case (b == 'e' || b == 'E') && s.at != afterPoint && m.form == anyForm:
		s.at = afterE
		return s, true
	}
	return s, false
}

func (s numberState) readExponent(b byte) (numberState, bool) {
	switch {
	case (b == '+' || b == '-') && s.at == afterE:
		s.at, s.minus = afterSign, b == '-'
	case b >= '0' && b <= '9' && s.at >= afterE && s.digits < limits.JSONExponent:
		s.at = inExponent
		s.digits++
		s.exponent = s.exponent*10 + int16(b-'0')
	default:
		return s, false
	}
	return s, true
}

// take compares and divides with one more digit.
func (m *numberMachine) take(s *numberState, b byte) {
	if b == '0' && !s.nonzero {
		return
	}
	s.nonzero = true
	marks := []byte(s.marks)
	for i, p := range m.points {
		k := s.mark(i)
		switch {
		case k >= markLess:
			continue
		case p.neg != s.negative || p.isZero():
			k = markGreater
		case k == len(p.digits):
			if b != '0' {
				k = markGreater
			}
		case b < p.digits[k]:
			k = markLess
		case b > p.digits[k]:
			k = markGreater
		default:
			k++
		}
		binary.LittleEndian.PutUint16(marks[2*i:], uint16(k))
	}
	if len(m.divisors) > 0 {
		if b == '0' {
			s.zeros++
		} else {
			for i := range m.divisors {
				r := m.divisors[i].next(m.remainder(s, i), int(s.zeros), b)
				binary.LittleEndian.PutUint64(marks[2*len(m.points)+8*i:], r)
			}
			s.zeros = 0
		}
	}
	s.marks = string(marks)
}

// against compares the digits of s with point i at exponent zero, both as they are without sign: it returns the exponent
// at which their orders of magnitude are equal, and how they compare there. Only for numbers that are not zero.
func (m *numberMachine) against(s *numberState, i int) (exponent, c int) {
	p := &m.points[i]
	exponent = p.exp - s.order()
	switch k := s.mark(i); {
	case k == markLess || k < len(p.digits):
		return exponent, -1
	case k == markGreater:
		return exponent, 1
	}
	return exponent, 0
}
