// Package distinct follows JSON text and tells when an item of an array equals an earlier one, by value: numbers
// whatever their spelling, strings decoded, objects whatever the order of their members.
//
// Invariant: a State is an interned number, and equal states have equal futures, so that states can be part of other
// interned content. The package must not know grammars or automata: the text is taken to be JSON, as others enforce.
// Start reading at Values.Step.
package distinct

import "bytes"

// State is how far the text of one value has come.
type State uint32

// Start is the state before the value.
const Start State = 1

// where says what the text is in the middle of.
type where uint8

const (
	before   where = iota // the value has not begun
	free                  // the value is no array: there is nothing to follow
	between               // items: whitespace and commas
	scalar                // a number or a literal, which ends where something else begins
	nested                // an item that is an array or an object
	quoted                // a string, an item itself or within one
	escaping              // the character after a backslash in a string
	done                  // the array is closed
)

type record struct {
	seen  uint32 // the items so far
	item  uint32 // the item so far
	depth uint32 // of brackets within the item
	where where
	known bool // the scalar or string so far, ended here, equals an earlier item
}

// Need is what must still come of the present item, since it equals an earlier one so far.
type Need uint8

// The needs.
const (
	Nothing    Need = iota // it may end here, or nothing is known of it yet
	MoreNumber             // more of a number
	MoreText               // more of a string
)

func (r *record) need() Need {
	switch {
	case !r.known:
		return Nothing
	case r.where == scalar:
		return MoreNumber
	}
	return MoreText
}

// cell is one element of a list that grows at its end and shares its beginning: of bytes, or of values.
type cell struct{ before, last uint32 }

// Values holds the states, texts and values of all arrays that somebody follows. One goroutine at a time.
type Values struct {
	states []record
	cells  []cell
	texts  []text // by cell: of a string that is spelled so
	stated map[record]State
	celled map[cell]uint32
	keys   map[string]uint32 // canonical forms
	named  []string
	prints []uint64        // by the number of a canonical form
	hashed map[uint64]bool // the prints
}

// New returns Values with the start state.
func New() *Values {
	v := &Values{
		stated: map[record]State{}, celled: map[cell]uint32{},
		keys: map[string]uint32{}, hashed: map[uint64]bool{},
	}
	v.states, v.cells, v.texts = make([]record, 1), make([]cell, 1), make([]text, 1)
	v.named, v.prints = make([]string, 1), make([]uint64, 1)
	v.intern(record{}) // Start
	return v
}

// Size returns how many bytes v holds, approximately.
func (v *Values) Size() int { return len(v.states)*40 + len(v.cells)*48 + len(v.named)*80 }

func (v *Values) intern(r record) State {
	s, ok := v.stated[r]
	if !ok {
		s = State(len(v.states))
		v.states = append(v.states, r)
		v.stated[r] = s
	}
	return s
}

func (v *Values) list(before, last uint32) uint32 {
	c := cell{before, last}
	id, ok := v.celled[c]
	if !ok {
		id = uint32(len(v.cells))
		t := v.texts[before]
		t.step(byte(last))
		v.cells, v.texts = append(v.cells, c), append(v.texts, t)
		v.celled[c] = id
	}
	return id
}

// Step returns the state after byte b, and false if an item has come to an end that equals an earlier one, or cannot
// end in anything else.
func (v *Values) Step(s State, b byte) (State, bool) {
	r := v.states[s]
	if r.where == free || r.where == done {
		return s, true
	}
	if !step(v, &r, b) {
		return 0, false
	}
	return v.intern(r), true
}

// memory is where the texts and values are kept that a record refers to.
type memory interface {
	grow(r *record, b byte)                // adds a byte to the present item
	equals(r *record, literal string) bool // an earlier item is this literal
	number(r *record) bool                 // an earlier item equals the number so far, or the literal
	text(r *record) bool                   // an earlier item equals the string so far
	zero(r *record) bool                   // the number so far has no digit but zero, and an earlier item is zero
	end(r *record) bool                    // ends the present item, and reports whether no earlier one equals it
}

// step is one byte of the text.
func step(m memory, r *record, b byte) (ok bool) {
	switch r.where {
	case before:
		if b == '[' {
			r.where = between
		} else if !space(b) {
			r.where = free
		}
	case between, scalar:
		return outside(m, r, b)
	case nested:
		switch {
		case space(b):
			return true
		case b == '"':
			r.where = quoted
		case b == '[' || b == '{':
			r.depth++
		case b == ']' || b == '}':
			r.depth--
		}
		if m.grow(r, b); r.depth == 0 {
			return item(m, r)
		}
	case escaping:
		m.grow(r, b)
		r.where = quoted
		r.known = r.depth == 0 && m.text(r)
	case quoted:
		m.grow(r, b)
		switch b {
		case '\\':
			r.where, r.known = escaping, false
		case '"':
			if r.where = nested; r.depth == 0 {
				return item(m, r)
			}
		default:
			r.known = r.depth == 0 && m.text(r)
		}
	}
	return true
}

func space(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// outside steps over a byte of the array itself, or of a number or literal in it.
func outside(m memory, r *record, b byte) (ok bool) {
	if r.where == scalar {
		if !space(b) && b != ',' && b != ']' {
			if (b == 'e' || b == 'E') && m.zero(r) {
				return false // no exponent makes another number of it
			}
			scalarByte(m, r, b)
			return true
		}
		if !item(m, r) {
			return false
		}
	}
	switch b {
	case ' ', '\t', '\n', '\r', ',':
	case ']':
		*r = record{where: done}
	case '"':
		r.where = quoted
		m.grow(r, b)
		r.known = m.text(r)
	case '[', '{':
		r.where, r.depth = nested, 1
		m.grow(r, b)
	default:
		// Literals are decided by their first letter, so that none is begun that cannot end.
		for _, l := range [...]string{"true", "false", "null"} {
			if b == l[0] && m.equals(r, l) {
				return false
			}
		}
		r.where = scalar
		scalarByte(m, r, b)
	}
	return true
}

// zeros reports whether the text is that of a number that has no digit but zero.
func zeros(text []byte) bool { return len(bytes.Trim(text, "-0.")) == 0 }

func scalarByte(m memory, r *record, b byte) {
	m.grow(r, b)
	r.known = m.number(r)
}

// item ends the present item.
func item(m memory, r *record) (ok bool) {
	if !m.end(r) {
		return false
	}
	r.where, r.depth, r.known = between, 0, false
	return true
}

func (v *Values) grow(r *record, b byte) { r.item = v.list(r.item, uint32(b)) }

func (v *Values) equals(r *record, key string) bool { return v.has(r.seen, v.keys[key]) }

func (v *Values) number(r *record) bool {
	key, ok := canonical(v.bytes(r.item))
	return ok && v.equals(r, key)
}

func (v *Values) text(r *record) bool {
	t := &v.texts[r.item]
	if t.in != inText || !v.hashed[printText(t.hash)] {
		return false
	}
	key, ok := canonical(append(v.bytes(r.item), '"'))
	return ok && v.equals(r, key)
}

func (v *Values) zero(r *record) bool { return v.equals(r, "0") && zeros(v.bytes(r.item)) }

func (v *Values) end(r *record) bool {
	key, ok := canonical(v.bytes(r.item))
	if !ok || v.equals(r, key) {
		return false
	}
	r.seen, r.item = v.list(r.seen, v.name(key)), 0
	return true
}

// name returns the number of a canonical form.
func (v *Values) name(key string) uint32 {
	id, ok := v.keys[key]
	if !ok {
		id = uint32(len(v.named))
		v.named = append(v.named, key)
		v.prints = append(v.prints, printOf(key))
		v.hashed[v.prints[id]] = true
		v.keys[key] = id
	}
	return id
}

func (v *Values) has(seen, id uint32) bool {
	for ; seen != 0 && id != 0; seen = v.cells[seen].before {
		if v.cells[seen].last == id {
			return true
		}
	}
	return false
}

func (v *Values) bytes(text uint32) []byte {
	n := 0
	for t := text; t != 0; t = v.cells[t].before {
		n++
	}
	out := make([]byte, n)
	for t := text; t != 0; t = v.cells[t].before {
		n--
		out[n] = byte(v.cells[t].last)
	}
	return out
}

// Need returns what must come of the item that the text is in the middle of.
func (v *Values) Need(s State) Need { return v.states[s].need() }

// Mover carries states of one Values over to another. Lists share their beginnings, and are carried over once.
type Mover struct {
	from, to    *Values
	texts, seen map[uint32]uint32
}

// NewMover returns a Mover between two Values.
func NewMover(from, to *Values) *Mover {
	return &Mover{from: from, to: to, texts: map[uint32]uint32{}, seen: map[uint32]uint32{}}
}

// Move returns the state that equals state s.
func (m *Mover) Move(s State) State {
	r := m.from.states[s]
	r.item = m.list(r.item, m.texts, func(b uint32) uint32 { return b })
	r.seen = m.list(r.seen, m.seen, func(id uint32) uint32 { return m.to.name(m.from.named[id]) })
	return m.to.intern(r)
}

func (m *Mover) list(list uint32, moved map[uint32]uint32, element func(uint32) uint32) uint32 {
	var rest []uint32
	to, ok := uint32(0), false
	for ; list != 0; list = m.from.cells[list].before {
		if to, ok = moved[list]; ok {
			break
		}
		rest = append(rest, list)
	}
	for i := len(rest) - 1; i >= 0; i-- {
		to = m.to.list(to, element(m.from.cells[rest[i]].last))
		moved[rest[i]] = to
	}
	return to
}
