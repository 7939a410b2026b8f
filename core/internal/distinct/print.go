package distinct

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A print is a hash that equal JSON values share (Lemma 80): the sum of the hashes of the value's strings, scalars and
// brackets. It is computed while the value is written, in any order of members. Values with the same print are
// compared in full.

const (
	printSeed   = 0xCBF29CE484222325
	printFactor = 0x100000001B3
	printObject = 0x9E3779B97F4A7C15
	printArray  = 0xC2B2AE3D27D4EB4F
)

func printByte(h uint64, b byte) uint64 { return (h ^ uint64(b)) * printFactor }

func printText(h uint64) uint64 {
	h ^= h >> 32
	h *= printObject
	return h ^ h>>29
}

func printScalar(text []byte) uint64 {
	h := uint64(printSeed) + 1
	for _, b := range text {
		h = printByte(h, b)
	}
	return printText(h)
}

func printOf(key string) (sum uint64) {
	for i := 0; i < len(key); {
		switch c := key[i]; c {
		case '"', ':':
			length, _, _ := strings.Cut(key[i+1:], string(c))
			n, _ := strconv.Atoi(length)
			i += len(length) + 2
			h := uint64(printSeed)
			for _, b := range []byte(key[i : i+n]) {
				if b < 0x80 {
					h = printByte(h, b)
				}
			}
			sum += printText(h)
			i += n
		case '{':
			sum += printObject
			i++
		case '[':
			sum += printArray
			i++
		case ']', '}', ',':
			i++
		default:
			n := strings.IndexAny(key[i:], ",]}")
			if n < 0 {
				n = len(key) - i
			}
			sum += printScalar([]byte(key[i : i+n]))
			i += n
		}
	}
	return sum
}

// printer computes the print of an item byte by byte.
type printer struct {
	text
	sum    uint64
	key    bool // the next string is the name of a member
	unsure bool // a member comes twice, so the print counts one too many
	scalar []byte
	names  []uint64 // names of members so far, in all open objects
	open   []int    // by open bracket: index of its first name, or -1 for an array
}

// text computes the hash of a string byte by byte, from its opening quote on.
type text struct {
	hash   uint64
	code   uint32 // the digits so far of a numeric escape
	digits uint8  // the number of its remaining digits
	in     inside
}

type inside uint8

const (
	structure inside = iota // brackets, numbers and literals
	inText
	backslash
	unicode
)

func (p *printer) reset() {
	*p = printer{scalar: p.scalar[:0], names: p.names[:0], open: p.open[:0]}
}

func (p *printer) copy(q *printer) {
	scalar, names, open := p.scalar, p.names, p.open
	*p = *q
	p.scalar = append(scalar[:0], q.scalar...)
	p.names = append(names[:0], q.names...)
	p.open = append(open[:0], q.open...)
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *printer) step(b byte) {
	switch {
	case p.in == structure:
		p.outside(b)
	case p.in == inText && b == '"':
		p.endText()
	default:
		p.text.step(b)
	}
}

func (t *text) step(b byte) {
	switch t.in {
	case structure:
		if b == '"' {
			t.in, t.hash = inText, printSeed
		}
	case inText:
		switch {
		case b == '\\':
			t.in = backslash
		case b == '"':
			t.in = structure
		case b < 0x80:
			t.hash = printByte(t.hash, b)
		}
	case backslash:
		if b == 'u' {
			t.in, t.code, t.digits = unicode, 0, 4
			return
		}
		t.hash, t.in = printByte(t.hash, escapes[b]), inText
	case unicode:
		switch {
		case b >= 'a':
			b -= 'a' - 10
		case b >= 'A':
			b -= 'A' - 10
		default:
			b -= '0'
		}
		t.code = t.code<<4 | uint32(b)
		if t.digits--; t.digits == 0 {
			if t.in = inText; t.code < 0x80 {
				t.hash = printByte(t.hash, byte(t.code))
			}
		}
	}
}

func (p *printer) endText() {
	n := printText(p.hash)
	p.sum += n
	p.in = structure
	if !p.key {
		return
	}
	from := p.open[len(p.open)-1]
	for _, m := range p.names[from:] {
		p.unsure = p.unsure || m == n
	}
	p.names = append(p.names, n)
	p.key = false
}

func (p *printer) outside(b byte) {
	switch b {
	case ' ', '\t', '\n', '\r', ':', ',', ']', '}':
		p.endScalar()
	}
	switch b {
	case ' ', '\t', '\n', '\r', ':':
	case '"':
		p.text.step(b)
	case '{':
		p.sum += printObject
		p.open = append(p.open, len(p.names))
		p.key = true
	case '[':
		p.sum += printArray
		p.open = append(p.open, -1)
		p.key = false
	case ',':
		p.key = len(p.open) > 0 && p.open[len(p.open)-1] >= 0
	case ']', '}':
		if n := len(p.open); n > 0 {
			if from := p.open[n-1]; from >= 0 {
				p.names = p.names[:from]
			}
			p.open = p.open[:n-1]
		}
		p.key = false
	default:
		p.scalar = append(p.scalar, b)
	}
}

func (p *printer) endScalar() {
	if len(p.scalar) > 0 {
		n, ok := p.scalarPrint()
		p.sum += n
		p.unsure = p.unsure || !ok
		p.scalar = p.scalar[:0]
	}
}

// scalarPrint returns the summand of the number or literal so far, false if it is incomplete.
func (p *printer) scalarPrint() (uint64, bool) {
	switch c := p.scalar[0]; {
	case c == 't' || c == 'f' || c == 'n':
		return printScalar(p.scalar), true
	case smallInteger(p.scalar):
		digits := p.scalar
		for len(digits) > 1 && digits[len(digits)-1] == '0' {
			digits = digits[:len(digits)-1]
		}
		if digits[0] == '0' {
			return printScalar(digits), true
		}
		var buffer [smallDigits + 3]byte
		text := append(append(buffer[:0], digits...), 'e')
		return printScalar(strconv.AppendInt(text, int64(len(p.scalar)-len(digits)), 10)), true
	case json.Valid(p.scalar):
		return printScalar([]byte(decimal(string(p.scalar)))), true
	}
	return 0, false
}

const smallDigits = 20

func smallInteger(text []byte) bool {
	if len(text) > smallDigits || text[0] == '0' && len(text) > 1 {
		return false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
