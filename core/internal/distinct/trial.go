package distinct

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Trial tests the effect of texts on a state, one after another, and changes nothing. One goroutine at a time; the
// Values may change during its life.
//
// It tests prints first, and whole values only if a print is known already or uncertain.
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

// Size returns the number of earlier items plus the bytes of the present one. Making a trial takes that many steps.
func (t *Trial) Size() int { return len(t.values.seen) + len(t.values.begun) }

// Place is the position of a state, as far as it decides which texts can matter.
type Place uint8

// The places of a trial.
const (
	Anywhere Place = iota // any byte may matter
	Between               // no item has begun: texts with Inert do not matter
	InString              // texts without a quote do not matter
	InNested              // texts that do not close the item's brackets do not matter
	Nowhere               // no text matters
)

// Place returns the start of the trial, the number of the item's open brackets, and whether it is in a string.
func (t *Trial) Place() (p Place, brackets uint32, inString bool) {
	switch t.start.at {
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

// Inert reports whether text, between items, neither ends an item nor begins one that is decided by its first byte or
// may be complete. Strings that it begins may still equal an earlier item; see Strings.
func Inert(text []byte) bool {
	opened := false
	for i, b := range text {
		switch b {
		case ' ', '\t', '\n', '\r', ',':
		case '[', '{':
			opened = true
		case ']': // the array's own, unless text opened one
			return !opened
		case '"':
			return bytes.IndexByte(text[i+1:], '"') < 0
		default:
			return false
		}
	}
	return true
}

// Strings returns the earlier items that the present string may become: their remaining characters within a string,
// else the whole items. told is false in the middle of an escape.
func (t *Trial) Strings() (rests []string, told bool) {
	begun := ""
	if t.start.at == quoted || t.start.at == escaping {
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

// unescaped returns the characters of an unfinished string. It returns false if an escape is unfinished.
func unescaped(spelled []byte) (string, bool) {
	if bytes.IndexByte(spelled, '\\') < 0 {
		return string(spelled), true
	}
	whole := spelled
	for len(whole) > 0 && !utf8.Valid(whole) { // an unfinished character
		whole = whole[:len(whole)-1]
	}
	var text string
	if json.Unmarshal([]byte(`"`+string(whole)+`"`), &text) != nil || strings.HasSuffix(text, "\uFFFD") {
		return "", false
	}
	return text + string(spelled[len(whole):]), true
}

// Text reports whether the state allows text. need is Values.Need of the state after text.
func (t *Trial) Text(text []byte) (ok bool, need Need) {
	if t.prints.differ(t.start, text) {
		return true, Nothing
	}
	t.values.now, t.values.more = append(t.values.now[:0], t.values.begun...), t.values.more[:0]
	r := t.start
	if !run(&t.values, &r, text) {
		return false, Nothing
	}
	if r.at == quoted && r.depth == 0 {
		key, whole := canonical(append(t.values.now, '"'))
		r.known = whole && t.values.equals(&r, key)
	}
	return true, r.need()
}

func run(m memory, r *record, text []byte) (ok bool) {
	for _, b := range text {
		if r.at == free || r.at == done {
			return true
		}
		if !step(m, r, b) {
			return false
		}
	}
	return true
}

type prints struct {
	seen       []uint64
	begun, now printer  // of the item at the start; of the present item
	more       []uint64 // of items that the text ended
	unsure     bool     // prints are inconclusive
}

// differ reports whether prints prove that no item of text equals another one.
func (p *prints) differ(r record, text []byte) bool {
	if r.at == quoted && r.depth == 0 && p.begun.in == inText {
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
	case r.at == quoted && r.depth == 0:
		return p.now.in != inText || !p.has(printText(p.now.hash))
	case r.at != scalar:
		return true
	}
	sum, whole := p.now.scalarPrint()
	return !whole || !p.has(sum)
}

// endString returns the text after the end of the string in which text begins. It returns false if the string contains
// an escape or its print, at its end or at the end of text, equals the print of another item: then whole values decide.
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

func (p *prints) number(*record) bool { return false } // called only at the end of the text

func (p *prints) text(*record) bool { return false } // like number

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

type values struct {
	seen  []string
	begun []byte // the present item at the start
	now   []byte
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

func (v *values) text(*record) bool { return false } // called only at the end of the text

func (v *values) zero(r *record) bool { return v.equals(r, "0") && zeros(v.now) }

func (v *values) end(r *record) bool {
	key, ok := canonical(v.now)
	if !ok || v.equals(r, key) {
		return false
	}
	v.more, v.now = append(v.more, key), v.now[:0]
	return true
}
