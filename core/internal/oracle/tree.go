package oracle

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

// tree is a terminal expression as the oracle reads it: the structure of Inspect, read once. Immutable.
type tree struct {
	op       treeOp
	args     []*tree
	set      [256]bool
	enc      terminal.Encoding
	min, max uint32 // max is terminal.Unbounded when there is no upper bound
	tag      uint32
	scan     []terminal.ScanPattern
	anyBytes bool // scan: any bytes
	given    terminal.Machine
	state    string
}

type treeOp uint8

const (
	opEmpty treeOp = iota
	opEpsilon
	opSet    // one byte of set
	opConcat // args in order
	opOr
	opAnd
	opNot     // args[0], over all byte strings
	opRepeat  // args[0], min..max times
	opCounted // args[0], with min..max code points in enc
	opTag     // ε that carries tag
	opScan    // free text, see Store.Scan
	opGiven   // the texts of a terminal.Machine from a state on
)

// tags is a sorted set of the tags that a match may carry. bare stands for a match without a tag.
type tags []uint32

const bare = math.MaxUint32

func (t tags) has(x uint32) bool { _, ok := slices.BinarySearch(t, x); return ok }

func (t tags) with(x uint32) tags {
	i, ok := slices.BinarySearch(t, x)
	if ok {
		return t
	}
	return slices.Insert(slices.Clone(t), i, x)
}

func (t tags) union(u tags) tags {
	for _, x := range u {
		t = t.with(x)
	}
	return t
}

// meet returns the tags of a match that carries one of t and one of u at the same place: a tag beside no tag is the
// tag.
func (t tags) meet(u tags) tags {
	var out tags
	for _, x := range t {
		for _, y := range u {
			switch {
			case x == bare:
				out = out.with(y)
			case y == bare || x == y:
				out = out.with(x)
			default:
				out = out.with(x).with(y)
			}
		}
	}
	return out
}

// reader converts expressions to trees, each once.
type reader struct {
	st    *terminal.Store
	trees map[terminal.Expr]*tree
	depth int
}

const maxDepth = 100_000

func (r *reader) read(e terminal.Expr) *tree {
	if t, ok := r.trees[e]; ok {
		return t
	}
	if r.depth++; r.depth > maxDepth {
		panic(TooBig{"an expression nests too deeply"})
	}
	defer func() { r.depth-- }()
	n := inspect.Of(r.st, e)
	t := &tree{min: n.Min, max: n.Max, tag: n.Tag, scan: n.Scan, anyBytes: n.AnyBytes, enc: n.Enc}
	for _, a := range n.Args {
		t.args = append(t.args, r.read(a))
	}
	switch n.Op {
	case inspect.OpEmpty:
		t.op = opEmpty
	case inspect.OpEpsilon:
		t.op = opEpsilon
	case inspect.OpBytes:
		t.op = opSet
		for b := range t.set {
			t.set[b] = n.Set.Has(byte(b))
		}
	case inspect.OpLiteral:
		t = spelled(n.Text, n.Enc)
	case inspect.OpConcat:
		t.op = opConcat
	case inspect.OpOr:
		t.op = opOr
	case inspect.OpAnd:
		t.op = opAnd
	case inspect.OpNot:
		t.op = opNot
	case inspect.OpStar:
		t.op, t.min, t.max = opRepeat, 0, terminal.Unbounded
	case inspect.OpRepeat:
		t.op = opRepeat
	case inspect.OpCounted:
		t.op = opCounted
	case inspect.OpTag:
		t.op = opTag
	case inspect.OpScan:
		t.op = opScan
	case inspect.OpMachine:
		t.op, t.given, t.state = opGiven, n.Machine, n.State
		if w, ok := n.Machine.(*terminal.Words); ok {
			t = listed(w.Texts(n.State))
		}
	case inspect.OpAll:
		t.op, t.args = opNot, []*tree{{op: opEmpty}}
	default:
		panic(fmt.Sprintf("oracle: unknown expression op %d", n.Op))
	}
	r.trees[e] = t
	return t
}

func literal(text string) *tree {
	t := &tree{op: opConcat}
	for i := range len(text) {
		t.args = append(t.args, one(text[i]))
	}
	return t
}

func one(bs ...byte) *tree {
	t := &tree{op: opSet}
	for _, b := range bs {
		t.set[b] = true
	}
	return t
}

func span(lo, hi byte) *tree {
	t := &tree{op: opSet}
	for b := int(lo); b <= int(hi); b++ {
		t.set[b] = true
	}
	return t
}

func cat(args ...*tree) *tree { return &tree{op: opConcat, args: args} }
func or(args ...*tree) *tree  { return &tree{op: opOr, args: args} }

// spelled is the text with each character in any of its spellings.
func spelled(text string, enc terminal.Encoding) *tree {
	if enc == terminal.UTF8 {
		return literal(text)
	}
	t := &tree{op: opConcat}
	for _, r := range text {
		spellings := or()
		if enc.HasEscapes() {
			spellings = jsonSpellings(r, enc.IsASCII())
		} else if r < utf8.RuneSelf {
			spellings = literal(string(r))
		}
		t.args = append(t.args, spellings)
	}
	return t
}

// listed is one of the texts of a list, each with its tag.
func listed(list terminal.WordTexts) *tree {
	t := or()
	for i, text := range list.Texts {
		word := spelled(text, list.Enc)
		if list.Plain {
			word = cat()
			for _, r := range text {
				if strings.ContainsRune(plain, r) {
					word.args = append(word.args, literal(string(r)))
				} else {
					word.args = append(word.args, jsonSpellings(r, list.Enc.IsASCII()))
				}
			}
		}
		if list.Tags != nil {
			word = cat(word, &tree{op: opTag, tag: list.Tags[i]})
		}
		t.args = append(t.args, word)
	}
	return t
}

// plain is the set of characters that no writer of JSON escapes.
const plain = " -._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// jsonSpellings is every way to write r between the quotes of a JSON string (RFC 8259, section 7), or every one in
// ASCII.
func jsonSpellings(r rune, ascii bool) *tree {
	t := or()
	if r >= 0x20 && !(ascii && r >= utf8.RuneSelf) && r != '"' && r != '\\' {
		t.args = append(t.args, literal(string(r)))
	}
	const short, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	for i := range len(short) {
		if rune(meant[i]) == r {
			t.args = append(t.args, literal(`\`+short[i:i+1]))
		}
	}
	if r < 0x10000 {
		t.args = append(t.args, unicodeEscape(uint32(r)))
	} else {
		v := uint32(r) - 0x10000
		t.args = append(t.args, cat(unicodeEscape(0xD800+v>>10), unicodeEscape(0xDC00+v&0x3FF)))
	}
	return t
}

func unicodeEscape(unit uint32) *tree {
	t := literal(`\u`)
	for _, d := range fmt.Sprintf("%04x", unit) {
		if d >= 'a' {
			t.args = append(t.args, one(byte(d), byte(d-'a'+'A')))
		} else {
			t.args = append(t.args, one(byte(d)))
		}
	}
	return t
}

// anyRune is one code point in enc, surrogates excluded.
func anyRune(enc terminal.Encoding) *tree {
	t := or()
	if !enc.IsASCII() {
		t = or(multibyte()...)
	}
	if !enc.HasEscapes() {
		t.args = append(t.args, span(0, 0x7F))
		return t
	}
	plain := span(0x20, 0x7F)
	plain.set['"'], plain.set['\\'] = false, false
	hex := or(span('0', '9'), span('a', 'f'), span('A', 'F'))
	d := or(one('d', 'D'))
	high := cat(d, one('8', '9', 'a', 'b', 'A', 'B'), hex, hex)
	low := cat(d, or(span('c', 'f'), span('C', 'F')), hex, hex)
	notD := or(span('0', '9'), span('a', 'c'), one('e', 'f'), span('A', 'C'), one('E', 'F'))
	single := or(cat(notD, hex, hex, hex), cat(d, span('0', '7'), hex, hex))
	t.args = append(t.args, plain,
		cat(one('\\'), one([]byte(`"\/bfnrt`)...)),
		cat(literal(`\u`), single),
		cat(literal(`\u`), high, literal(`\u`), low))
	return t
}

// multibyte is the table of well-formed UTF-8 sequences of more than one byte (Unicode, table 3-7).
func multibyte() []*tree {
	tail := span(0x80, 0xBF)
	return []*tree{
		cat(span(0xC2, 0xDF), tail),
		cat(one(0xE0), span(0xA0, 0xBF), tail),
		cat(span(0xE1, 0xEC), tail, tail),
		cat(one(0xED), span(0x80, 0x9F), tail),
		cat(span(0xEE, 0xEF), tail, tail),
		cat(one(0xF0), span(0x90, 0xBF), tail, tail),
		cat(span(0xF1, 0xF3), tail, tail, tail),
		cat(one(0xF4), span(0x80, 0x8F), tail, tail),
	}
}

// codePoints counts the code points of text in enc; ok is false unless text consists of whole code points.
func codePoints(text []byte, enc terminal.Encoding) (n int, ok bool) {
	for len(text) > 0 {
		size := 0
		if enc.IsASCII() && text[0] >= utf8.RuneSelf {
			return 0, false
		}
		if enc.HasEscapes() {
			size = jsonCharacter(text)
		} else if r, k := utf8.DecodeRune(text); r != utf8.RuneError || k > 1 {
			size = k
		}
		if size == 0 {
			return 0, false
		}
		text = text[size:]
		n++
	}
	return n, true
}

// jsonCharacter is the length of the spelling of one character at the start of text, 0 if there is none.
func jsonCharacter(text []byte) int {
	switch {
	case text[0] < 0x20 || text[0] == '"':
		return 0
	case text[0] != '\\':
		r, k := utf8.DecodeRune(text)
		if r == utf8.RuneError && k == 1 {
			return 0
		}
		return k
	}
	if len(text) < 2 {
		return 0
	}
	if slices.Contains([]byte(`"\/bfnrt`), text[1]) {
		return 2
	}
	unit, ok := escapeUnit(text)
	switch {
	case !ok || unit >= 0xDC00 && unit <= 0xDFFF:
		return 0
	case unit < 0xD800 || unit > 0xDFFF:
		return 6
	}
	if low, ok := escapeUnit(text[6:]); ok && low >= 0xDC00 && low <= 0xDFFF {
		return 12
	}
	return 0
}

func escapeUnit(text []byte) (unit uint32, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | uint32(c-'0')
		case c >= 'a' && c <= 'f':
			unit = unit<<4 | uint32(c-'a'+10)
		case c >= 'A' && c <= 'F':
			unit = unit<<4 | uint32(c-'A'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}
