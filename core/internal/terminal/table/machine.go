package table

import (
	"fmt"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Expr returns the texts of t in every spelling of enc, as states of a machine.
func (t *Table) Expr(st *terminal.Store, enc terminal.Encoding) terminal.Expr {
	if enc.IsASCII() && !enc.HasEscapes() { // other texts have no spelling: nothing may lead to them
		t = t.inASCII()
	}
	if t.IsEmpty() {
		return terminal.Empty
	}
	m := &machine{t, enc}
	return st.Machine(m.name(), m)
}

func (m *machine) name() string { return fmt.Sprintf("%s in encoding %d", m.t.name, m.enc) }

// inASCII returns the texts of t that are in ASCII.
func (t *Table) inASCII() *Table {
	st := terminal.NewStore()
	in, _ := t.And(st, st.Star(st.Runes([]rune{0, utf8.RuneSelf - 1}, terminal.UTF8)), false) // no more states than t
	return in
}

// machine implements expr.Machine and expr.Measured for a table whose texts are spelled in an encoding. The name of a
// state is the number of the table's state in three bytes, and the escape read so far, with its backslash.
type machine struct {
	t   *Table
	enc terminal.Encoding
}

// place is a state of a machine.
type place struct {
	state  uint32 // 0: dead
	escape string
}

const stateBytes = 3

func (p place) name() string {
	return string([]byte{byte(p.state), byte(p.state >> 8), byte(p.state >> 16)}) + p.escape
}

func named(s string) place {
	return place{uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16, s[stateBytes:]}
}

// Start implements expr.Machine.
func (m *machine) Start() string { return place{state: start}.name() }

// Step implements expr.Machine.
func (m *machine) Step(s string, b byte) (next string, ok bool) {
	p := m.step(named(s), b)
	return p.name(), p.state != 0
}

// Accepts implements expr.Machine.
func (m *machine) Accepts(s string) bool {
	p := named(s)
	return p.escape == "" && m.t.final[p.state]
}

// Bytes implements expr.Machine.
func (m *machine) Bytes() (set terminal.ByteSet) {
	for b := range 256 {
		if expr.RawByte(byte(b), m.enc) && m.t.Has(byte(b)) {
			set.Add(byte(b))
		}
	}
	if m.enc.HasEscapes() {
		set.Union(&expr.EscapeBytes)
	}
	return set
}

// Sign implements expr.Measured.
func (m *machine) Sign(s string, sign func(b byte, next uint64)) {
	from := named(s)
	for b := range 256 {
		if p := m.step(from, byte(b)); p.state != 0 {
			next := uint64(p.state)
			if n := len(p.escape); n > 0 {
				next |= (uint64(p.escape[n-1]) + 1) << 32 // earlier bytes are the same for all b
			}
			sign(byte(b), next)
		}
	}
}

// Least implements expr.Measured.
func (m *machine) Least(s string) uint32 { return m.least(named(s)) }

// Size implements expr.Measured.
func (m *machine) Size() int { return 4*len(m.t.next) + 5*len(m.t.final) + len(m.t.class) }

func (m *machine) step(p place, b byte) place {
	if p.escape == "" && (b != '\\' || !m.enc.HasEscapes()) {
		if !expr.RawByte(b, m.enc) {
			return place{}
		}
		return place{state: m.t.to(p.state, b)}
	}
	if len(p.escape) == expr.LongestEscape {
		return place{}
	}
	if 'A' <= b && b <= 'F' && len(p.escape) > 1 {
		b |= 0x20 // digits of either case lead to one state
	}
	p.escape += string([]byte{b})
	if ranges, whole := expr.SpelledBy([]byte(p.escape)); whole {
		return place{state: m.read(p.state, ranges[0].Low)}
	}
	if m.least(p) == never {
		return place{}
	}
	return p
}

// read returns the state after code point r, 0 if there is none.
func (m *machine) read(state uint32, r rune) uint32 {
	if !utf8.ValidRune(r) {
		return 0
	}
	var buf [utf8.UTFMax]byte
	for _, b := range buf[:utf8.EncodeRune(buf[:], r)] {
		state = m.t.to(state, b)
	}
	return state
}

// least returns the fewest code points that begin between p and an end. The code point of an escape has begun.
func (m *machine) least(p place) uint32 {
	if p.escape == "" {
		return m.t.least[p.state]
	}
	fewest := uint32(never)
	ranges, _ := expr.SpelledBy([]byte(p.escape))
	for _, r := range ranges {
		fewest = min(fewest, m.t.reach(p.state, uint32(r.Low), uint32(r.High)))
	}
	return fewest
}

// reach returns the least distance to the end after a code point from low to high.
func (t *Table) reach(state, low, high uint32) uint32 {
	fewest := uint32(never)
	for r := low; r <= min(high, utf8.RuneSelf-1); r++ {
		fewest = min(fewest, t.least[t.to(state, byte(r))])
	}
	begins := [...]uint32{2: 0x80, 3: 0x800, 4: 0x10000, 5: utf8.MaxRune + 1}
	marks := [...]byte{2: 0xC0, 3: 0xE0, 4: 0xF0}
	for n := 2; n <= utf8.UTFMax; n++ {
		if from, to := max(low, begins[n]), min(high, begins[n+1]-1); from <= to {
			fewest = min(fewest, t.within(state, marks[n], n-1, from, to))
		}
	}
	return fewest
}

// within is reach for code points that continue with a byte of mark and then n bytes; low and high are the bits in
// these bytes.
func (t *Table) within(state uint32, mark byte, n int, low, high uint32) uint32 {
	fewest := uint32(never)
	rest := uint32(1)<<(6*n) - 1
	for v := low >> (6 * n); v <= high>>(6*n); v++ {
		to := t.to(state, mark|byte(v))
		from, last := max(low, v<<(6*n)), min(high, v<<(6*n)|rest)
		switch {
		case t.least[to] == never:
		case last-from == rest:
			fewest = min(fewest, t.least[to])
		default:
			fewest = min(fewest, t.within(to, 0x80, n-1, from&rest, last&rest))
		}
	}
	return fewest
}
