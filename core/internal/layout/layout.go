// Package layout predicts the gaps of JSON text, its whitespace, from the gaps before.
//
// Invariant: a prediction depends on the bytes so far and nothing else. It may be wrong; a caller checks it.
//
// The package knows no grammar and no tokens. Start reading at Reader.
package layout

// Reader follows JSON text within any other text. The zero value is at the start of a text. A copy is independent.
type Reader struct {
	quoted, escaped bool
	depth           int    // of brackets; 0: outside of JSON
	arrays          uint64 // by level, the innermost in bit 0, at most 64: it is an array
	last            byte   // the last character outside of strings and gaps; '"' for a string
	gap             gap    // after last
	line            gap    // the indentation of the line
	unit            gap    // the indentation of one level more
	newline         gap    // a line end
	gaps            [2][places]style
}

// Places of gaps, for objects and for arrays.
const (
	afterOpen = iota
	afterComma
	beforeClose
	afterColon
	places
)

// style is the look of a gap.
type style struct {
	known bool
	lines bool // a line end and an indentation
	text  gap  // if there is no line end
}

// gapLength bounds the gaps that are predicted.
const gapLength = 40

// gap is whitespace.
type gap struct {
	n    int
	text [gapLength]byte
}

func (g *gap) add(b byte) {
	if g.n < gapLength {
		g.text[g.n] = b
	}
	g.n++
}

func (g *gap) bytes() []byte { return g.text[:min(g.n, gapLength)] }

// IsGap reports whether a character is JSON's whitespace.
func IsGap(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// Read moves over text.
func (r *Reader) Read(text []byte) {
	for _, b := range text {
		r.read(b)
	}
}

func (r *Reader) read(b byte) {
	switch {
	case r.depth == 0:
		if b == '{' || b == '[' {
			r.line = gap{}
			r.open(b)
		}
	case r.quoted:
		switch {
		case r.escaped:
			r.escaped = false
		case b == '\\':
			r.escaped = true
		case b == '"':
			r.quoted = false
		case b < ' ': // no JSON string, so the text before was no JSON
			*r = Reader{gaps: r.gaps, unit: r.unit, newline: r.newline}
		}
	case IsGap(b):
		r.gap.add(b)
	default:
		r.character(b)
	}
}

// character reads a character outside of strings and gaps.
func (r *Reader) character(b byte) {
	closes := b == '}' || b == ']'
	switch {
	case r.last == '{' || r.last == '[':
		if !closes {
			r.note(afterOpen)
		}
	case r.last == ',':
		r.note(afterComma)
	case r.last == ':':
		r.note(afterColon)
	case closes:
		r.note(beforeClose)
	}
	r.gap = gap{}
	switch {
	case closes:
		r.depth--
		r.arrays >>= 1
		r.last = b
	case b == '{' || b == '[':
		r.open(b)
	case b == '"':
		r.quoted, r.last = true, b
	default:
		r.last = b
	}
}

func (r *Reader) open(b byte) {
	r.depth++
	r.arrays <<= 1
	if b == '[' {
		r.arrays |= 1
	}
	r.last, r.gap = b, gap{}
}

// note remembers the gap that has been read as the style of a place.
func (r *Reader) note(place int) {
	if r.gap.n > gapLength {
		return
	}
	text := r.gap.bytes()
	end := lineEnd(text)
	s := &r.gaps[r.arrays&1][place]
	s.known, s.lines = true, end > 0
	if end == 0 {
		s.text = r.gap
		return
	}
	r.newline.set(text[:end])
	indent := text[end:]
	if old := r.line.bytes(); place == afterOpen && len(indent) > len(old) {
		r.unit.set(indent[len(old):])
	}
	r.line.set(indent)
}

func (g *gap) set(text []byte) { g.n = copy(g.text[:], text) }

// lineEnd returns the length of the text up to its last line end.
func lineEnd(text []byte) int {
	for i := len(text); i > 0; i-- {
		if text[i-1] == '\n' {
			return i
		}
	}
	return 0
}

// Structural reports whether the text is inside of JSON and outside of its strings.
func (r *Reader) Structural() bool { return r.depth > 0 && !r.quoted }

// Next predicts the rest of the gap that the text is in. closes says that a closing bracket comes behind the gap. Next
// returns the next byte of the gap, or done if the gap is complete. ok is false if no gap is known, or the gap so far
// is another one.
func (r *Reader) Next(closes bool) (b byte, done, ok bool) {
	var want [2*gapLength + 2]byte
	text, ok := r.predict(want[:0], closes)
	have := r.gap.bytes()
	if !ok || len(have) > len(text) || string(text[:len(have)]) != string(have) {
		return 0, false, false
	}
	if len(have) == len(text) {
		return 0, true, true
	}
	return text[len(have)], false, true
}

// predict appends the whole gap behind the last character.
func (r *Reader) predict(dst []byte, closes bool) ([]byte, bool) {
	kind := r.arrays & 1
	place := beforeClose
	switch {
	case r.last == ':':
		place = afterColon
	case r.last == ',':
		place = afterComma
	case r.last == '{' || r.last == '[':
		if closes {
			return dst, true // empty brackets
		}
		place = afterOpen
	case !closes: // before a comma or a colon
		return dst, true
	}
	s, ok := r.style(kind, place)
	if !s.lines {
		return append(dst, s.text.bytes()...), ok
	}
	dst = append(dst, r.newline.bytes()...)
	line := r.line.bytes()
	switch place {
	case afterOpen:
		return append(append(dst, line...), r.unit.bytes()...), true
	case beforeClose:
		return append(dst, line[:max(0, len(line)-r.unit.n)]...), true
	}
	return append(dst, line...), true
}

// style returns the style of a gap: of its own place, else of a place that writers lay out alike, else as in Python's
// json.dumps and the chat templates of models.
func (r *Reader) style(kind uint64, place int) (_ style, ok bool) {
	own, other := &r.gaps[kind], &r.gaps[1-kind]
	if own[place].known {
		return own[place], true
	}
	space := style{text: gap{n: 1, text: [gapLength]byte{' '}}}
	colon := r.gaps[0][afterColon]
	switch place {
	case afterColon:
		return space, true
	case afterOpen, beforeClose:
		for _, s := range [...]style{own[afterOpen], other[afterOpen], own[beforeClose], other[place]} {
			if s.known {
				return s, true
			}
		}
		return style{}, colon.known
	}
	switch {
	case other[place].known && (!own[afterOpen].known || own[afterOpen].lines == other[place].lines):
		return other[place], true
	case own[afterOpen].lines:
		return own[afterOpen], true
	case colon.known: // on one line both have a space or none
		return colon, true
	}
	return space, true
}
