// Package value reads one value while it is written, in JSON or in a style of arguments, and turns each piece of text into
// events.
//
// Invariant: a text has the same events however it was cut into pieces. Only strings and numbers get an event for each
// piece. A reader keeps its open containers and an incomplete mark, and no text that it has reported. It reads values as
// package lower writes them, by the same rows of package style. It knows no family, no grammar and no token. Start
// reading at Reader.Feed.
package value

import (
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Kind is the subject of an event.
type Kind uint8

// The kinds. The first six are values.
const (
	Object Kind = iota + 1
	Array
	String
	Number
	Boolean
	Null
	Text      // text for the user
	Reasoning // text of the reasoning
	Call      // a call; Text is the tool's name
	Input     // raw text as the input of a call
	Rewind    // earlier events are void, see Event.Kept
)

// Event is a step of an output. Immutable.
type Event struct {
	Kind   Kind
	Begins bool  // the first event of this value, text or call
	Ends   bool  // the last one: it is complete
	Call   int   // the call that the event belongs to, from 0; -1 outside of calls
	Path   *Path // of a value: its place in the document or the arguments
	Text   string
	JSON   string // of a value: the addition to the JSON text of the whole
	Kept   int    // of Rewind: the number of the first events that remain valid
}

// Path is the place of a value. nil is the root. Immutable.
type Path struct {
	up    *Path
	key   string
	index int  // among the members or items of up
	item  bool // of an array
}

// Pointer returns the place as a JSON pointer (RFC 6901).
func (p *Path) Pointer() string {
	if p == nil {
		return ""
	}
	return string(p.append(make([]byte, 0, 64)))
}

func (p *Path) append(dst []byte) []byte {
	if p.up != nil {
		dst = p.up.append(dst)
	}
	dst = append(dst, '/')
	if p.item {
		return strconv.AppendInt(dst, int64(p.index), 10)
	}
	return append(dst, jsontext.EscapePointer(shown([]byte(p.key)))...)
}

// Sink collects events. One goroutine.
type Sink struct {
	Events []Event
	Call   int    // of the next events
	text   []byte // decoded, not reported yet; half of a surrogate pair takes three bytes, see isHalf
}

func (s *Sink) add(e Event) {
	e.Call = s.Call
	s.Events = append(s.Events, e)
}

// appendJSON appends text as the inside of a JSON string.
func appendJSON(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	from := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(append(dst, text[from:i]...), '\\', c)
		case c == '\n':
			dst = append(append(dst, text[from:i]...), '\\', 'n')
		case c < ' ':
			dst = append(append(dst, text[from:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case isHalf(text[i:]):
			half := 0xD000 | uint16(text[i+1]&0x3F)<<6 | uint16(text[i+2]&0x3F)
			dst = append(append(dst, text[from:i]...), '\\', 'u')
			for shift := 12; shift >= 0; shift -= 4 {
				dst = append(dst, hex[half>>shift&15])
			}
			i += 2
		default:
			continue
		}
		from = i + 1
	}
	return append(dst, text[from:]...)
}

// isHalf reports whether a text begins with half of a surrogate pair. appendHalf writes it as UTF-8 would, which forbids it.
func isHalf(text []byte) bool {
	return len(text) > 2 && text[0] == 0xED && text[1] >= 0xA0
}

func appendHalf(dst []byte, half uint16) []byte {
	return append(dst, 0xED, 0x80|byte(half>>6&0x3F), 0x80|byte(half&0x3F))
}

// shown returns text for users: U+FFFD for halves of surrogate pairs, which UTF-8 cannot have.
func shown(text []byte) string {
	var out []byte
	for from := 0; ; {
		i := from
		for i < len(text) && !isHalf(text[i:]) {
			i++
		}
		if i == len(text) {
			return string(append(out, text[from:]...))
		}
		out = append(append(out, text[from:i]...), "\uFFFD"...)
		from = i + 3
	}
}

// Whole returns the length of text without an incomplete character at its end.
func Whole(text []byte) int {
	for n := 1; n <= min(3, len(text)); n++ {
		switch c := text[len(text)-n]; {
		case c >= 0xF0 && c < 0xF8, c >= 0xE0 && c < 0xF0 && n < 3, c >= 0xC0 && c < 0xE0 && n < 2:
			return len(text) - n
		case c&0xC0 != 0x80:
			return len(text)
		}
	}
	return len(text)
}
