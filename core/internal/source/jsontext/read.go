package jsontext

import (
	"bytes"
	"math"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// frame is an open array or object. The reader keeps frames in a slice, so that deep nesting cannot overflow the
// stack.
type frame struct {
	node, last ID
}

const nodeWork = 10

type reader struct {
	t      *Tree
	s      string
	i      int
	source string
}

// Read adds the document src and returns its root. Errors are *diag.Error values with line and column; source is their
// kind of input.
func (t *Tree) Read(src []byte, source string) (ID, error) {
	if len(src) > limits.SpecBytes || len(src) > math.MaxInt32 {
		return 0, diag.Errorf(diag.Limit, source, diag.Place{}, "the document has %d bytes, more than the limit of "+
			"%d; remove parts that constrain nothing, or split it", len(src), limits.SpecBytes)
	}
	text := string(src)
	r := &reader{t: t, s: text, source: source}
	if at := diag.InvalidUTF8(text); at >= 0 {
		r.i = at
		return 0, r.errorf("JSON must be UTF-8 text, but this byte is not part of a valid sequence")
	}
	if strings.HasPrefix(text, "\uFEFF") {
		e := r.errorf("the document begins with a byte order mark (U+FEFF), which JSON does not allow; remove it")
		e.Fragment = "" // never shown
		return 0, e
	}
	if t.nodes == nil {
		most := min(mostNodes(src), limits.JSONValues)
		t.Work.Ahead(nodeWork * most)
		t.nodes = make([]Node, 1, 2+most)
	}
	root := ID(len(t.nodes))
	t.docs = append(t.docs, document{root, text})
	t.stack = t.stack[:0]
	if err := r.document(); err != nil {
		t.nodes, t.docs = t.nodes[:root], t.docs[:len(t.docs)-1]
		return 0, err
	}
	t.read = ID(len(t.nodes))
	return root, nil
}

// mostNodes returns a bound on the number of values: each but the outermost begins after a comma or an opening
// bracket. Counting takes a hundredth of the time of reading, and distinguishes a long string from many short ones.
func mostNodes(src []byte) int {
	return 1 + bytes.Count(src, []byte{','}) + bytes.Count(src, []byte{'['}) + bytes.Count(src, []byte{'{'})
}

func (r *reader) errorf(format string, args ...any) *diag.Error {
	e := diag.Errorf(diag.Syntax, r.source, diag.Place{}, format, args...).InText(r.s, r.i)
	if r.i < len(r.s) {
		e.Fragment = diag.Shorten(r.s[r.i:], 24)
	}
	return e
}

func (r *reader) space() {
	s, i := r.s, r.i
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	r.i = i
}

// document reads values until the outermost one is closed. INVARIANT: at the top of the loop a value is expected, and
// the top of the stack is its container.
func (r *reader) document() error {
	t := r.t
	base := len(t.stack)
	for {
		r.space()
		if len(t.nodes) > limits.JSONValues {
			e := r.errorf("the document has more than %d values; remove parts that constrain nothing, or split it",
				limits.JSONValues)
			e.Code = diag.Limit
			return e
		}
		key := ""
		if n := len(t.stack); n > base && t.nodes[t.stack[n-1].node].Kind == Object {
			k, err := r.key()
			if err != nil {
				return err
			}
			key = k
		}
		opened, err := r.value(key, base)
		if err != nil {
			return err
		}
		if opened {
			continue
		}
		more, err := r.after(base)
		if err != nil || !more {
			return err
		}
	}
}

func (r *reader) after(base int) (bool, error) {
	t := r.t
	for {
		r.space()
		if len(t.stack) == base {
			if r.i < len(r.s) {
				return false, r.errorf("text follows the end of the document; remove it")
			}
			return false, nil
		}
		top := t.stack[len(t.stack)-1]
		n := &t.nodes[top.node]
		closing := byte(']')
		if n.Kind == Object {
			closing = '}'
		}
		switch {
		case r.i < len(r.s) && r.s[r.i] == ',':
			r.i++
			r.space()
			if r.i < len(r.s) && r.s[r.i] == closing {
				return false, r.errorf("a comma must be followed by another element; JSON has no trailing commas")
			}
			return true, nil
		case r.i < len(r.s) && r.s[r.i] == closing:
			r.i++
			if err := r.closed(top.node); err != nil {
				return false, err
			}
			t.stack = t.stack[:len(t.stack)-1]
		default:
			return false, r.errorf("expected ',' or '%c' here to continue or close %s", closing, n.Kind)
		}
	}
}

func (r *reader) closed(id ID) error {
	n := &r.t.nodes[id]
	n.end = uint32(r.i)
	if n.Kind != Object || n.Count < 2 {
		return nil
	}
	if twice := r.t.duplicate(n); twice != 0 {
		d := &r.t.nodes[twice]
		r.i = int(d.start)
		e := r.errorf("the key %q is given twice in one object; remove one of the two", diag.Shorten(d.Key, 40))
		e.Place.Pointer, e.Place.HasPointer = r.t.Pointer(twice), true
		return e
	}
	return nil
}

// duplicate returns a member with a repeated key, or zero. It compares pairs of few keys, which beats hashing for most
// objects, and hashes many.
func (t *Tree) duplicate(n *Node) ID {
	if n.Count <= 24 {
		for a := n.First; a != 0; a = t.nodes[a].Next {
			key := t.nodes[a].Key
			for b := t.nodes[a].Next; b != 0; b = t.nodes[b].Next {
				if t.nodes[b].Key == key {
					return b
				}
			}
		}
		return 0
	}
	seen := make(map[string]struct{}, n.Count)
	for a := n.First; a != 0; a = t.nodes[a].Next {
		if _, ok := seen[t.nodes[a].Key]; ok {
			return a
		}
		seen[t.nodes[a].Key] = struct{}{}
	}
	return 0
}

func (r *reader) key() (string, error) {
	if r.i >= len(r.s) || r.s[r.i] != '"' {
		return "", r.errorf("expected a key in double quotes here")
	}
	key, err := r.str()
	if err != nil {
		return "", err
	}
	r.space()
	if r.i >= len(r.s) || r.s[r.i] != ':' {
		return "", r.errorf("expected ':' after the key %q", diag.Shorten(key, 40))
	}
	r.i++
	r.space()
	return key, nil
}

func (r *reader) add(kind Kind, key, text string, start, base int) ID {
	t := r.t
	id := ID(len(t.nodes))
	t.Work.Spend(nodeWork + (r.i-start)/4)
	t.nodes = append(t.nodes, Node{Kind: kind, Key: key, Text: text, start: uint32(start), end: uint32(r.i)})
	if n := len(t.stack); n > base {
		top := &t.stack[n-1]
		parent := &t.nodes[top.node]
		parent.Count++
		t.nodes[id].Parent = top.node
		if top.last == 0 {
			parent.First = id
		} else {
			t.nodes[top.last].Next = id
		}
		top.last = id
	}
	return id
}

// value reads a scalar, an empty container, or the opening of a container (then opened is true).
func (r *reader) value(key string, base int) (opened bool, err error) {
	if r.i >= len(r.s) {
		return false, r.errorf("the document ends where a value is expected")
	}
	start := r.i
	switch c := r.s[r.i]; c {
	case '{', '[':
		return r.open(c, key, base)
	case '"':
		text, err := r.str()
		if err != nil {
			return false, err
		}
		r.add(String, key, text, start, base)
		return false, nil
	case 't':
		return false, r.word("true", True, key, base)
	case 'f':
		return false, r.word("false", False, key, base)
	case 'n':
		return false, r.word("null", Null, key, base)
	default:
		if c != '-' && (c < '0' || c > '9') {
			return false, r.errorf("expected a JSON value here")
		}
		if err := r.number(); err != nil {
			return false, err
		}
		r.add(Number, key, r.s[start:r.i], start, base)
		return false, nil
	}
}

func (r *reader) open(c byte, key string, base int) (bool, error) {
	kind, closing := Array, byte(']')
	if c == '{' {
		kind, closing = Object, '}'
	}
	if len(r.t.stack)-base >= limits.Nesting {
		e := r.errorf("values nest more than %d levels deep here; write the inner part as a definition, and refer "+
			"to it",
			limits.Nesting)
		e.Code = diag.Limit
		return false, e
	}
	start := r.i
	r.i++
	r.space()
	if r.i < len(r.s) && r.s[r.i] == closing {
		r.i++
		r.add(kind, key, "", start, base)
		return false, nil
	}
	r.t.stack = append(r.t.stack, frame{node: r.add(kind, key, "", start, base)})
	return true, nil
}

func (r *reader) word(w string, kind Kind, key string, base int) error {
	if !strings.HasPrefix(r.s[r.i:], w) {
		return r.errorf("expected a JSON value here; words other than true, false and null need quotes")
	}
	start := r.i
	r.i += len(w)
	r.add(kind, key, "", start, base)
	return nil
}

func (r *reader) digits() int {
	start := r.i
	for r.i < len(r.s) && r.s[r.i]-'0' <= 9 {
		r.i++
	}
	return r.i - start
}

// number checks JSON's number grammar; the text itself is the value.
func (r *reader) number() error {
	if r.s[r.i] == '-' {
		r.i++
	}
	start := r.i
	switch n := r.digits(); {
	case n == 0:
		return r.errorf("a number needs a digit here")
	case n > 1 && r.s[start] == '0':
		r.i = start
		return r.errorf("a number must not begin with a zero that another digit follows; remove the zero")
	}
	if r.i < len(r.s) && r.s[r.i] == '.' {
		r.i++
		if r.digits() == 0 {
			return r.errorf("a decimal point needs a digit after it")
		}
	}
	if r.i < len(r.s) && r.s[r.i]|0x20 == 'e' {
		r.i++
		if r.i < len(r.s) && (r.s[r.i] == '+' || r.s[r.i] == '-') {
			r.i++
		}
		if r.digits() == 0 {
			return r.errorf("an exponent needs a digit here")
		}
	}
	return nil
}

// str reads a string that begins at r.i. Without escapes it is a slice of the document.
func (r *reader) str() (string, error) {
	s := r.s
	start := r.i + 1
	for i := start; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			r.i = i + 1
			return s[start:i], nil
		case c == '\\':
			return r.escaped(start, i)
		case c < 0x20:
			r.i = i
			return "", r.errorf("a control character in a string must be escaped as \\u%04x", c)
		}
	}
	return "", r.errorf("this string is not closed")
}

func (r *reader) escaped(start, i int) (string, error) {
	s := r.s
	var b strings.Builder
	b.WriteString(s[start:i])
	for i < len(s) {
		switch c := s[i]; {
		case c == '"':
			r.i = i + 1
			return b.String(), nil
		case c < 0x20:
			r.i = i
			return "", r.errorf("a control character in a string must be escaped as \\u%04x", c)
		case c != '\\':
			b.WriteByte(c)
			i++
		default:
			r.i = i
			c, n, err := r.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(c)
			i += n
		}
	}
	r.i = start - 1
	return "", r.errorf("this string is not closed")
}

func (r *reader) escape() (rune, int, error) {
	s := r.s[r.i:]
	if len(s) < 2 {
		return 0, 0, r.errorf("the document ends inside an escape")
	}
	switch s[1] {
	case '"', '\\', '/':
		return rune(s[1]), 2, nil
	case 'b':
		return '\b', 2, nil
	case 'f':
		return '\f', 2, nil
	case 'n':
		return '\n', 2, nil
	case 'r':
		return '\r', 2, nil
	case 't':
		return '\t', 2, nil
	case 'u':
		return r.unicodeEscape(s)
	}
	return 0, 0, r.errorf("JSON has no escape \\%c; a backslash itself is written \\\\", s[1])
}

func (r *reader) unicodeEscape(s string) (rune, int, error) {
	c, ok := hex4(s)
	if !ok {
		return 0, 0, r.errorf("\\u needs four hexadecimal digits")
	}
	if c < 0xD800 || c > 0xDFFF {
		return c, 6, nil
	}
	if c < 0xDC00 && len(s) >= 12 {
		if low, ok := hex4(s[6:]); ok && low >= 0xDC00 && low <= 0xDFFF {
			return 0x10000 + (c-0xD800)<<10 + (low - 0xDC00), 12, nil
		}
	}
	return 0, 0, r.errorf("half of a surrogate pair is not a character, so no UTF-8 text can contain it; write " +
		"both halves")
}

func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var c rune
	for _, d := range []byte(s[2:6]) {
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			d = (d | 0x20) - 'a' + 10
		default:
			return 0, false
		}
		c = c<<4 | rune(d)
	}
	return c, true
}
