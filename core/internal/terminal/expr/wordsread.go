package expr

import (
	"encoding/binary"
	"unicode/utf8"
)

// wordState is a place in a list of words, and the escape begun there, with its backslash.
type wordState struct {
	at     wordPlace
	length uint8
	escape [LongestEscape]byte
}

// name returns the state as a text, wordStateOf its inverse.
func (s *wordState) name() string {
	buf := make([]byte, 0, 8+len(s.escape))
	buf = binary.BigEndian.AppendUint32(buf, s.at.node)
	buf = binary.BigEndian.AppendUint32(buf, s.at.read)
	return string(append(buf, s.escape[:s.length]...))
}

func wordStateOf(name string) (s wordState) {
	s.at.node = binary.BigEndian.Uint32([]byte(name[:4]))
	s.at.read = binary.BigEndian.Uint32([]byte(name[4:8]))
	s.length = uint8(copy(s.escape[:], name[8:]))
	return s
}

// next replaces s by the state after byte b, and reports whether a text continues so. If not, s is undefined.
func (w *Words) next(s *wordState, b byte) (ok bool) {
	switch {
	case s.length > 0 || b == '\\' && w.enc.HasEscapes():
		if s.length == 0 && !w.between(s.at) || int(s.length) == len(s.escape) {
			return false
		}
		s.escape[s.length] = b
		s.length++
		return w.escaped(s)
	case !RawByte(b, w.enc&^written):
		return false
	}
	s.at, ok = w.step(s.at, b)
	return ok
}

// between reports whether a place is not within a code point.
func (w *Words) between(at wordPlace) bool {
	f := w.following(at)
	return len(f) == 0 || utf8.RuneStart(f[0])
}

// escaped reports whether a text continues with a code point that has a spelling beginning with the escape of s. A
// complete escape makes s the state after it.
func (w *Words) escaped(s *wordState) bool {
	ranges, whole := SpelledBy(s.escape[:s.length])
	for _, r := range ranges {
		for low := r.Low; low <= r.High; {
			var first, room [utf8.UTFMax]byte
			char, after, ok := w.codePoint(s.at, first[:utf8.EncodeRune(first[:], low)], room[:0])
			if !ok {
				break
			}
			c, _ := utf8.DecodeRune(char)
			if c > r.High {
				break
			}
			if w.enc&written != 0 && c < utf8.RuneSelf && isPlain(byte(c)) {
				low = c + 1
				continue
			}
			if whole {
				*s = wordState{at: after}
			}
			return true
		}
	}
	return false
}

// Start implements Machine.
func (w *Words) Start() string { return (&wordState{}).name() }

// Step implements Machine.
func (w *Words) Step(state string, b byte) (next string, ok bool) {
	s := wordStateOf(state)
	if !w.next(&s, b) {
		return "", false
	}
	return s.name(), true
}

// Accepts implements Machine. Texts with tags end in a tag instead, see Store.MachineState.
func (w *Words) Accepts(state string) bool { return w.tags == nil && w.ends(state) }

// ends reports whether a text ends in the state.
func (w *Words) ends(state string) bool {
	s := wordStateOf(state)
	return s.length == 0 && w.end(s.at)
}

// Bytes implements Machine.
func (w *Words) Bytes() ByteSet { return w.bytes }

// Alive implements Sprawling.
func (w *Words) Alive(state string) (alive ByteSet) {
	s := wordStateOf(state)
	if s.length == 0 && !w.enc.HasEscapes() {
		for _, c := range w.following(s.at) {
			if RawByte(c, w.enc) {
				alive.Add(c)
			}
		}
		return alive
	}
	for b := w.bytes.Next(0); b < 256; b = w.bytes.Next(b + 1) {
		if next := s; w.next(&next, byte(b)) {
			alive.Add(byte(b))
		}
	}
	return alive
}

// Read implements Sprawling.
func (w *Words) Read(state string) Reader { return &wordReader{w, []wordState{wordStateOf(state)}} }

// wordReader implements Reader. It holds one state for each depth.
type wordReader struct {
	w  *Words
	at []wordState
}

// Step implements Reader.
func (r *wordReader) Step(depth int, b byte) bool {
	if len(r.at) == depth+1 {
		r.at = append(r.at, wordState{})
	}
	s := &r.at[depth+1]
	*s = r.at[depth]
	return r.w.next(s, b)
}

// Accepts implements Reader, also for texts with tags.
func (r *wordReader) Accepts(depth int) bool {
	s := &r.at[depth]
	return s.length == 0 && r.w.end(s.at)
}

// Room implements Reader: no byte is sure to continue.
func (r *wordReader) Room(int) (bytes ByteSet, n int) { return ByteSet{}, 0 }

// Tag returns the tag of the text that ends at depth. ok is false if texts carry none.
func (r *wordReader) Tag(depth int) (tag uint32, ok bool) {
	if r.w.tags == nil {
		return 0, false
	}
	return r.w.tags[r.at[depth].at.node], true
}

// subsetOfWords returns the encodings in which all strings of a state consist of whole code points.
func (w *Words) subsetOfWords(state string) uint8 {
	s := wordStateOf(state)
	if s.length > 0 || !w.between(s.at) {
		return 0
	}
	return w.subset
}

// WordTexts is the content of a list of texts, for the oracle.
type WordTexts struct {
	Texts []string
	Tags  []uint32 // of the texts; nil: none
	Enc   Encoding
	Plain bool // plain characters of ASCII have one spelling, see JSONWritten
}

// Texts returns the continuations of texts from a state outside escapes.
func (w *Words) Texts(state string) WordTexts {
	list := WordTexts{Enc: w.enc &^ written, Plain: w.enc&written != 0}
	s := wordStateOf(state)
	w.below(s.at, "", &list)
	return list
}

// below appends, in order, the texts that begin with text and continue from a place.
func (w *Words) below(at wordPlace, text string, list *WordTexts) {
	n := &w.nodes[at.node]
	text += string(w.labels[n.label+at.read : n.label+n.size])
	if n.ends {
		if list.Texts = append(list.Texts, text); w.tags != nil {
			list.Tags = append(list.Tags, w.tags[at.node])
		}
	}
	for i := range uint32(n.count) {
		w.below(wordPlace{node: n.child + i}, text, list)
	}
}

// tagsBelow appends the tags of the texts that continue from a place, in the order of the texts.
func (w *Words) tagsBelow(at wordPlace, dst []uint32) []uint32 {
	n := &w.nodes[at.node]
	if n.ends {
		dst = append(dst, w.tags[at.node])
	}
	for i := range uint32(n.count) {
		dst = w.tagsBelow(wordPlace{node: n.child + i}, dst)
	}
	return dst
}
