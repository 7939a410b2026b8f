package distinct

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Trial tells what texts would do to a state, one after the other, and leaves nothing behind. One goroutine at a time;
// it may outlive changes of the Values it comes from.
//
// A text is tried with prints first, and with whole values only where a print is known already or does not tell.
type Trial struct {
	start  record
	prints prints
	values values
}

// Try returns a Trial of state s.
func (v *Values) Try(s State) *Trial {
	t := &Trial{start: v.states[s]}
	for c := t.start.seen; c != 0; c = v.cells[c].before {
		id := v.cells[c].last
		t.prints.seen = append(t.prints.seen, v.prints[id])
		t.values.seen = append(t.values.seen, v.named[id])
	}
	t.values.begun = v.bytes(t.start.item)
	for _, b := range t.values.begun {
		t.prints.begun.step(b)
	}
	return t
}

// Place says what the state is in the middle of, as far as it decides which texts can matter.
type Place uint8

// The places.
const (
	Anywhere Place = iota // any byte may matter
	Between               // no item has begun: nothing matters that Inert tells
	InString              // nothing matters before a quote
	InNested              // nothing matters before the item's brackets are closed
	Nowhere               // nothing matters
)

// Place returns where the trial starts, how many brackets of the item are open, and whether it is in a string.
func (t *Trial) Place() (p Place, brackets uint32, inString bool) {
	switch t.start.where {
	case free, done:
		return Nowhere, 0, false
	case nested:
		return InNested, t.start.depth, false
	case quoted, escaping:
		if t.start.depth > 0 {
			return InNested, t.start.depth, true
		}
		return InString, 0, true
	case before, between:
		return Between, 0, false
	}
	return Anywhere, 0, false
}

// Inert reports whether text ends no item, and begins none that its first byte decides or that may be whole, where none
// has begun; but a string that it begins may be there already, for which see Strings.
func Inert(text []byte) bool {
	opened := false
	for i, b := range text {
		switch b {
		case ' ', '\t', '\n', '\r', ',':
		case '[', '{':
			opened = true
		case ']': // the array's own, unless one has been opened
			return !opened
		case '"':
			return bytes.IndexByte(text[i+1:], '"') < 0
		default:
			return false
		}
	}
	return true
}

// Strings returns the earlier items that are strings the present item may become: what is left of each where the text
// is in the middle of one, else the whole of it. Told is false where that cannot be told, in the middle of an escape.
func (t *Trial) Strings() (rests []string, told bool) {
	begun := ""
	if t.start.where == quoted || t.start.where == escaping {
		if begun, told = unescaped(t.values.begun[1:]); !told {
			return nil, false
		}
	}
	for _, key := range t.values.seen {
		if key[0] != '"' {
			continue
		}
		_, whole, _ := strings.Cut(key[1:], `"`) // after its length
		if rest, ok := strings.CutPrefix(whole, begun); ok {
			rests = append(rests, rest)
		}
	}
	return rests, true
}

// unescaped returns the characters of a string that has begun, and false where it ends in the middle of an escape.
func unescaped(spelled []byte) (string, bool) {
	if bytes.IndexByte(spelled, '\\') < 0 {
		return string(spelled), true
	}
	whole := spelled
	for len(whole) > 0 && !utf8.Valid(whole) { // the beginning of a character
		whole = whole[:len(whole)-1]
	}
	var text string
	if json.Unmarshal([]byte(`"`+string(whole)+`"`), &text) != nil || strings.HasSuffix(text, "\uFFFD") {
		return "", false
	}
	return text + string(spelled[len(whole):]), true
}

// Text reports whether the state allows text; need is that of Values for the state after it.
func (t *Trial) Text(text []byte) (ok bool, need Need) {
	if t.prints.differ(t.start, text) {
		return true, Nothing
	}
	t.values.now, t.values.more = append(t.values.now[:0], t.values.begun...), t.values.more[:0]
	r := t.start
	if !run(&t.values, &r, text) {
		return false, Nothing
	}
	if r.where == quoted && r.depth == 0 {
		key, whole := canonical(append(t.values.now, '"'))
		r.known = whole && t.values.equals(&r, key)
	}
	return true, r.need()
}

func run(m memory, r *record, text []byte) (ok bool) {
	for _, b := range text {
		if r.where == free || r.where == done {
			return true
		}
		if !step(m, r, b) {
			return false
		}
	}
	return true
}

// prints remembers the prints of items.
type prints struct {
	seen       []uint64
	begun, now printer  // of the item at the start, of the present item
	more       []uint64 // of items that the text ended
	unsure     bool     // prints don't tell
}

// differ reports whether no item that text ends or goes on with can equal another one.
func (p *prints) differ(r record, text []byte) bool {
	if r.where == quoted && r.depth == 0 && p.begun.in == inText {
		if rest, plain := p.endString(text); plain && Inert(rest) && bytes.IndexByte(rest, '"') < 0 {
			return true
		}
	}
	p.now.copy(&p.begun)
	p.more, p.unsure = p.more[:0], false
	if !run(p, &r, text) || p.unsure {
		return false
	}
	switch {
	case r.where == quoted && r.depth == 0:
		return p.now.in != inText || !p.has(printText(p.now.hash))
	case r.where != scalar:
		return true
	}
	sum, whole := p.now.scalarPrint()
	return !whole || !p.has(sum)
}

// endString returns what follows the string that the text begins in the middle of, and false where that takes a closer
// look or the string, ended there or where the text ends, equals another item.
func (p *prints) endString(text []byte) (rest []byte, plain bool) {
	h := p.begun.hash
	for i, b := range text {
		switch {
		case b == '"':
			return text[i+1:], !p.begun.unsure && !slices.Contains(p.seen, p.begun.sum+printText(h))
		case b == '\\':
			return nil, false
		case b < 0x80:
			h = printByte(h, b)
		}
	}
	return nil, !p.begun.unsure && !slices.Contains(p.seen, p.begun.sum+printText(h))
}

func (p *prints) has(sum uint64) bool {
	return slices.Contains(p.seen, sum) || slices.Contains(p.more, sum)
}

func (p *prints) grow(_ *record, b byte) { p.now.step(b) }

func (p *prints) equals(_ *record, literal string) bool { return p.has(printScalar([]byte(literal))) }

func (p *prints) number(*record) bool { return false } // only where the text ends, which is when it is asked

func (p *prints) text(*record) bool { return false } // so with strings

func (p *prints) zero(*record) bool {
	p.unsure = p.unsure || p.has(printScalar([]byte("0")))
	return false
}

func (p *prints) end(*record) bool {
	p.now.endScalar()
	p.unsure = p.unsure || p.now.unsure || p.has(p.now.sum)
	p.more = append(p.more, p.now.sum)
	p.now.reset()
	return !p.unsure
}

// values remembers items themselves.
type values struct {
	seen  []string // canonical forms
	begun []byte   // the present item at the start
	now   []byte   // the present item
	more  []string // canonical forms of items that the text ended
}

func (v *values) grow(_ *record, b byte) { v.now = append(v.now, b) }

func (v *values) equals(_ *record, key string) bool {
	return slices.Contains(v.seen, key) || slices.Contains(v.more, key)
}

func (v *values) number(r *record) bool {
	key, ok := canonical(v.now)
	return ok && v.equals(r, key)
}

func (v *values) text(*record) bool { return false } // asked where the text ends

func (v *values) zero(r *record) bool { return v.equals(r, "0") && zeros(v.now) }

func (v *values) end(r *record) bool {
	key, ok := canonical(v.now)
	if !ok || v.equals(r, key) {
		return false
	}
	v.more, v.now = append(v.more, key), v.now[:0]
	return true
}
