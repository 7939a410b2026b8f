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
type Trial struct {
	start record
	seen  []string          // canonical forms of the earlier items
	begun []byte            // the present item at the start
	rests []string          // what Strings returns
	told  bool              // whether rests is known, as Strings returns it
	now   []byte            // the present item
	more  []string          // canonical forms of items that the text ended
	ended map[string]string // by item: its canonical form
	work  int               // what Work returns
}

// Try returns a Trial of state s.
func (v *Values) Try(s State) *Trial {
	t := &Trial{start: v.states[s], ended: map[string]string{}}
	for c := t.start.seen; c != 0; c = v.cells[c].before {
		t.seen = append(t.seen, v.named[v.cells[c].last])
	}
	t.begun = v.bytes(t.start.item)
	t.findRests()
	return t
}

// Size returns the number of earlier items plus the bytes of the present one. Making a trial takes that many steps.
func (t *Trial) Size() int { return len(t.seen) + len(t.begun) }

// Work returns about how many bytes the last call of Text has read.
func (t *Trial) Work() int { return t.work }

// Place is the position of a state, as far as it decides which texts can matter.
type Place uint8

// The places of a trial.
const (
	Anywhere       Place = iota // any byte may matter
	Between                     // no item has begun: texts with Inert do not matter
	InString                    // texts without a quote do not matter
	InNested                    // texts without a closing bracket do not matter
	InNestedString              // texts without a closing bracket and a quote do not matter
	Nowhere                     // no text matters
)

// Place returns the place of the trial's start.
func (t *Trial) Place() Place {
	switch t.start.at {
	case free, done:
		return Nowhere
	case nested:
		return InNested
	case quoted, escaping:
		if t.start.depth > 0 {
			return InNestedString
		}
		return InString
	case before, between:
		return Between
	}
	return Anywhere
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
// else the whole items. told is false in the middle of an escape, and within a nested item.
func (t *Trial) Strings() (rests []string, told bool) { return t.rests, t.told }

func (t *Trial) findRests() {
	begun := ""
	switch {
	case t.start.depth > 0:
		return
	case t.start.at == quoted || t.start.at == escaping:
		if begun, t.told = unescaped(t.begun[1:]); !t.told {
			return
		}
	}
	t.told = true
	for _, key := range t.seen {
		if rest, ok := restOf(key, begun); ok {
			t.rests = append(t.rests, rest)
		}
	}
}

// restOf returns the rest of a canonical form that is a string and begins with begun.
func restOf(key, begun string) (rest string, ok bool) {
	if key[0] != '"' {
		return "", false
	}
	_, whole, _ := strings.Cut(key[1:], `"`) // after its length
	return strings.CutPrefix(whole, begun)
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
	t.work = len(text)
	if ok, need, told := t.plain(text); told {
		return ok, need
	}
	t.now, t.more = append(t.now[:0], t.begun...), t.more[:0]
	r := t.start
	for _, b := range text {
		if r.at == free || r.at == done {
			break
		}
		if !step(t, &r, b) {
			return false, Nothing
		}
	}
	switch {
	case r.depth > 0:
	case r.at == scalar:
		r.known = known(t, &r, t.now)
	case r.at == quoted:
		r.known = known(t, &r, append(t.now, '"'))
	}
	return true, r.need()
}

// plain is Text for a text that continues a string without escapes, and then neither ends nor begins an item. told is
// false for other texts.
func (t *Trial) plain(text []byte) (ok bool, need Need, told bool) {
	if t.start.at != quoted || !t.told {
		return false, Nothing, false
	}
	end := bytes.IndexAny(text, `"\`)
	switch {
	case end < 0 && slices.Contains(t.rests, string(text)):
		return true, MoreText, true
	case end < 0:
		return true, Nothing, true
	case text[end] == '"' && slices.Contains(t.rests, string(text[:end])):
		return false, Nothing, true
	}
	rest := text[end+1:]
	return true, Nothing, text[end] == '"' && Inert(rest) && bytes.IndexByte(rest, '"') < 0
}

func (t *Trial) grow(_ *record, b byte) { t.now = append(t.now, b) }

func (t *Trial) equals(_ *record, key string) bool {
	return slices.Contains(t.seen, key) || slices.Contains(t.more, key)
}

func (t *Trial) zero(r *record) bool { return t.equals(r, "0") && zeros(t.now) }

func (t *Trial) end(r *record) bool {
	key, known := t.ended[string(t.now)] // many texts end the item alike
	if !known {
		t.work += len(t.now)
		if key, known = canonical(t.now); !known {
			return false
		}
		t.ended[string(t.now)] = key
	}
	if t.equals(r, key) {
		return false
	}
	t.more, t.now = append(t.more, key), t.now[:0]
	return true
}
