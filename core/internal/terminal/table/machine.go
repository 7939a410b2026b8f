package table

import (
	"fmt"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Expr returns the texts of t in every spelling of enc, as states of a machine.
func (t *Table) Expr(st *terminal.Store, enc terminal.Encoding) terminal.Expr {
	if enc.IsASCII() && !enc.HasEscapes() { // texts beyond ASCII have no spelling: nothing may lead to them
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

// machine implements expr.Machine and expr.Measured: a table, read as an encoding spells its texts. The name of a state
// is that of the table's state, and of what is pending of an escape.
type machine struct {
	t   *Table
	enc terminal.Encoding
}

// pending is what was read of an escape of JSON: a backslash, "u" and up to three digits, or all of this for the first
// half of a surrogate pair.
type pending struct {
	phase phase
	high  uint32 // ten bits of the first half of a pair
	value uint32 // of the digits so far
}

type phase uint8

const (
	between   phase = iota
	backslash       // \
	digits          // \u; digits+1 to digits+3 are behind one to three digits
	paired    phase = iota + 3
	pairedU         // \uD83D\
	low             // \uD83D\u; low+1 to low+3 are behind digits
)

func name(state uint32, p pending) string {
	b := []byte{byte(state), byte(state >> 8), byte(state >> 16)}
	if p.phase != between {
		b = append(b, byte(p.phase), byte(p.high), byte(p.high>>8), byte(p.value), byte(p.value>>8))
	}
	return string(b)
}

func named(s string) (state uint32, p pending) {
	state = uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16
	if len(s) > 3 {
		p = pending{phase(s[3]), uint32(s[4]) | uint32(s[5])<<8, uint32(s[6]) | uint32(s[7])<<8}
	}
	return state, p
}

// Start implements expr.Machine.
func (m *machine) Start() string { return name(start, pending{}) }

// Step implements expr.Machine.
func (m *machine) Step(s string, b byte) (next string, ok bool) {
	state, p := named(s)
	if state, p = m.step(state, p, b); state == 0 {
		return "", false
	}
	return name(state, p), true
}

// Accepts implements expr.Machine.
func (m *machine) Accepts(s string) bool {
	state, p := named(s)
	return p.phase == between && m.t.final[state]
}

// Bytes implements expr.Machine.
func (m *machine) Bytes() (set terminal.ByteSet) {
	for b := range 256 {
		for state := start; state < len(m.t.final); state++ {
			if m.raw(byte(b)) && m.t.to(uint32(state), byte(b)) != 0 {
				set.Add(byte(b))
				break
			}
		}
	}
	if m.enc.HasEscapes() {
		escapes := terminal.BytesOf("\\\"/bfnrtu0123456789abcdefABCDEF")
		set.Union(&escapes)
	}
	return set
}

// Sign implements expr.Measured.
func (m *machine) Sign(s string, sign func(b byte, next uint64)) {
	state, p := named(s)
	for b := range 256 {
		if to, q := m.step(state, p, byte(b)); to != 0 {
			sign(byte(b), uint64(to)|uint64(q.phase)<<24|uint64(q.high)<<32|uint64(q.value)<<44)
		}
	}
}

// Least implements expr.Measured.
func (m *machine) Least(s string) uint32 {
	state, p := named(s)
	return m.least(state, p)
}

// Size implements expr.Measured.
func (m *machine) Size() int { return 4*len(m.t.next) + 5*len(m.t.final) + len(m.t.class) }

// raw reports whether a byte of UTF-8 stands for itself.
func (m *machine) raw(b byte) bool {
	if b >= utf8.RuneSelf {
		return !m.enc.IsASCII()
	}
	return expr.RawByte(b, m.enc)
}

// step returns the state after byte b, 0 if no text goes on like that.
func (m *machine) step(state uint32, p pending, b byte) (uint32, pending) {
	switch {
	case p.phase != between:
		return m.escape(state, p, b)
	case b == '\\' && m.enc.HasEscapes():
		return m.ifAlive(state, pending{phase: backslash})
	case m.raw(b):
		return m.t.to(state, b), pending{}
	}
	return 0, pending{}
}

func (m *machine) escape(state uint32, p pending, b byte) (uint32, pending) {
	switch p.phase {
	case backslash:
		if b == 'u' {
			return m.ifAlive(state, pending{phase: digits})
		}
		if r, ok := short(b); ok {
			return m.read(state, r), pending{}
		}
		return 0, pending{}
	case paired, pairedU:
		if b != "\\u"[p.phase-paired] {
			return 0, pending{}
		}
		p.phase++
		return state, p
	}
	d, ok := digit(b)
	if !ok {
		return 0, pending{}
	}
	p.value = p.value<<4 | d
	switch p.phase++; {
	case p.phase == low+4:
		if p.value>>10 != 0xDC00>>10 {
			return 0, pending{}
		}
		return m.read(state, rune(0x10000+p.high<<10+p.value&0x3FF)), pending{}
	case p.phase != digits+4:
		return m.ifAlive(state, p)
	case p.value>>10 == 0xD800>>10:
		return m.ifAlive(state, pending{phase: paired, high: p.value & 0x3FF})
	}
	return m.read(state, rune(p.value)), pending{}
}

func (m *machine) ifAlive(state uint32, p pending) (uint32, pending) {
	if m.least(state, p) == never {
		return 0, pending{}
	}
	return state, p
}

// read returns the state after code point r, 0 if no text goes on with it.
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

// least returns the fewest code points that begin on a way from a state to the end. One that is pending has begun.
func (m *machine) least(state uint32, p pending) uint32 {
	reach := func(from, to uint32) uint32 { return m.t.reach(state, from, to) }
	switch p.phase {
	case between:
		return m.t.least[state]
	case backslash:
		return reach(0, utf8.MaxRune)
	case paired, pairedU:
		return reach(0x10000+p.high<<10, 0x10000+p.high<<10+0x3FF)
	}
	begun := p.phase - digits
	if p.phase >= low {
		begun = p.phase - low
	}
	free := 4 * (4 - uint32(begun))
	from, to := p.value<<free, (p.value+1)<<free-1
	if p.phase >= low {
		if from, to = max(from, 0xDC00), min(to, 0xDFFF); from > to {
			return never
		}
		return reach(0x10000+p.high<<10+from&0x3FF, 0x10000+p.high<<10+to&0x3FF)
	}
	fewest := reach(from, to)
	if from, to = max(from, 0xD800), min(to, 0xDBFF); from <= to {
		fewest = min(fewest, reach(0x10000+from&0x3FF<<10, 0x10000+to&0x3FF<<10+0x3FF))
	}
	return fewest
}

// reach returns the smallest distance to the end behind a code point from low to high.
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

// within is reach for code points that go on with a byte of a mark and n bytes after it, where low and high are what
// these bytes spell.
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

// short returns the character of an escape of one letter.
func short(b byte) (rune, bool) {
	switch b {
	case '"', '\\', '/':
		return rune(b), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	}
	return 0, false
}

func digit(b byte) (uint32, bool) {
	switch {
	case '0' <= b && b <= '9':
		return uint32(b - '0'), true
	case 'a' <= b|0x20 && b|0x20 <= 'f':
		return uint32(b|0x20-'a') + 10, true
	}
	return 0, false
}
