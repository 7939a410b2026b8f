// Package distinct follows JSON text and detects array items that equal an earlier item by value: numbers in any
// spelling, strings decoded, objects with members in any order.
//
// Invariant: a State is an interned number, and equal states have equal futures, so that other interned content may
// contain states. The caller ensures that the text is JSON. Start reading at Values.Step.
package distinct

import "bytes"

// State is a prefix of one value's text, interned.
type State uint32

// Start is the state before the value.
const Start State = 1

type position uint8

const (
	before   position = iota // the value has not begun
	free                     // the value is not an array, so any text is allowed
	between                  // between items: whitespace and commas
	scalar                   // in a number or a literal, which the next other byte ends
	nested                   // in an item that is an array or an object
	quoted                   // in a string that is an item or within one
	escaping                 // after a backslash in a string
	done                     // the array is closed
)

type record struct {
	seen  uint32 // list of the complete items
	item  uint32 // list of the bytes of the present item
	depth uint32 // open brackets within the item
	at    position
	known bool // the scalar or string so far, ended here, equals an earlier item
	fresh bool // no earlier string begins with the string so far
}

// Need is a lower bound on the rest of the present item, which so far equals an earlier one.
type Need uint8

// The needs of an item.
const (
	Nothing    Need = iota // it may end here, or nothing is known
	MoreNumber             // more of a number
	MoreText               // more of a string
)

func (r *record) need() Need {
	switch {
	case !r.known:
		return Nothing
	case r.at == scalar:
		return MoreNumber
	}
	return MoreText
}

// cell is one element of a list of bytes or values. Lists grow at the end and share their beginnings.
type cell struct{ before, last uint32 }

// Values holds the states, texts and values of all arrays that are being followed. One goroutine at a time.
type Values struct {
	states []record
	cells  []cell
	stated map[record]State
	celled map[cell]uint32
	keys   map[string]uint32 // canonical form -> number
	named  []string
}

// New returns Values with the start state.
func New() *Values {
	v := &Values{stated: map[record]State{}, celled: map[cell]uint32{}, keys: map[string]uint32{}}
	v.states, v.cells, v.named = make([]record, 1), make([]cell, 1), make([]string, 1)
	v.intern(record{})
	return v
}

// Size returns the approximate bytes that v holds.
func (v *Values) Size() int { return len(v.states)*40 + len(v.cells)*24 + len(v.named)*80 }

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
		v.cells = append(v.cells, c)
		v.celled[c] = id
	}
	return id
}

// Step returns the state after byte b. It returns false if b ends an item that equals an earlier one, or if every end
// of the present item does.
func (v *Values) Step(s State, b byte) (State, bool) {
	r := v.states[s]
	if r.at == free || r.at == done {
		return s, true
	}
	if !step(v, &r, b) {
		return 0, false
	}
	switch {
	case r.depth > 0:
	case r.at == scalar:
		r.known = known(v, &r, v.bytes(r.item))
	case r.at == quoted:
		r.known = v.text(&r)
	}
	return v.intern(r), true
}

// memory holds the texts and values that a record refers to.
type memory interface {
	grow(r *record, b byte)                // adds a byte to the present item
	equals(r *record, literal string) bool // an earlier item is this literal
	zero(r *record) bool                   // all digits so far are zero, and an earlier item is zero
	end(r *record) bool                    // ends the present item; reports whether no earlier item equals it
}

func step(m memory, r *record, b byte) (ok bool) {
	r.known = false
	switch r.at {
	case before:
		if b == '[' {
			r.at = between
		} else if !space(b) {
			r.at = free
		}
	case between, scalar:
		return outside(m, r, b)
	case nested:
		switch {
		case space(b):
			return true
		case b == '"':
			r.at = quoted
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
		r.at = quoted
	case quoted:
		m.grow(r, b)
		switch b {
		case '\\':
			r.at = escaping
		case '"':
			if r.at = nested; r.depth == 0 {
				return item(m, r)
			}
		}
	}
	return true
}

func space(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func outside(m memory, r *record, b byte) (ok bool) {
	if r.at == scalar {
		if !space(b) && b != ',' && b != ']' {
			if (b == 'e' || b == 'E') && m.zero(r) {
				return false // zero with any exponent is zero
			}
			m.grow(r, b)
			return true
		}
		if !item(m, r) {
			return false
		}
	}
	switch b {
	case ' ', '\t', '\n', '\r', ',':
	case ']':
		*r = record{at: done}
	case '"':
		r.at = quoted
		m.grow(r, b)
	case '[', '{':
		r.at, r.depth = nested, 1
		m.grow(r, b)
	default:
		// The first letter of a literal decides, because its end is then certain.
		for _, l := range [...]string{"true", "false", "null"} {
			if b == l[0] && m.equals(r, l) {
				return false
			}
		}
		r.at = scalar
		m.grow(r, b)
	}
	return true
}

func zeros(text []byte) bool { return len(bytes.Trim(text, "-0.")) == 0 }

func item(m memory, r *record) (ok bool) {
	if !m.end(r) {
		return false
	}
	r.at, r.depth, r.fresh = between, 0, false
	return true
}

func (v *Values) grow(r *record, b byte) { r.item = v.list(r.item, uint32(b)) }

func (v *Values) equals(r *record, key string) bool { return v.has(r.seen, v.keys[key]) }

// text reports whether an earlier item equals the string so far. It sets fresh if none begins with it.
func (v *Values) text(r *record) bool {
	if r.fresh {
		return false
	}
	spelled := v.bytes(r.item)
	if begun, told := unescaped(spelled[1:]); told {
		r.fresh = true
		for c := r.seen; c != 0 && r.fresh; c = v.cells[c].before {
			_, begins := restOf(v.named[v.cells[c].last], begun)
			r.fresh = !begins
		}
		if r.fresh {
			return false
		}
	}
	return known(v, r, append(spelled, '"'))
}

// known reports whether an earlier item equals item.
func known(m memory, r *record, item []byte) bool {
	key, ok := canonical(item)
	return ok && m.equals(r, key)
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

func (v *Values) name(key string) uint32 {
	id, ok := v.keys[key]
	if !ok {
		id = uint32(len(v.named))
		v.named = append(v.named, key)
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

// Need returns the need of the present item in state s.
func (v *Values) Need(s State) Need { return v.states[s].need() }

// Mover copies states of one Values to another. It copies shared beginnings of lists once.
type Mover struct {
	from, to    *Values
	texts, seen map[uint32]uint32
}

// NewMover returns a Mover between two Values.
func NewMover(from, to *Values) *Mover {
	return &Mover{from: from, to: to, texts: map[uint32]uint32{}, seen: map[uint32]uint32{}}
}

// Move returns the copy of state s.
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
