package regex

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// Parse reads a pattern. Errors are *diag.Error with the place in the pattern.
//
// The dialect is the intersection of ECMA-262 and PCRE, with the extras of each if they do not clash. A clash is an
// error that says how to write it. Details follow the stricter reading: $ and \Z are the very end of the text, not
// before a final line feed; a dot excludes the four line terminators of ECMA-262; \d \w \s and \b are ASCII. A lone
// surrogate matches nothing, because texts are valid Unicode. Classes may contain classes and operators (classset.go).
//
// m counts the work; nil counts nothing.
func Parse(m *work.Meter, pattern string) (*Node, error) {
	return parse(&parser{text: pattern, work: m})
}

// MustParse is Parse for patterns in this program.
func MustParse(pattern string) *Node {
	n, err := Parse(nil, pattern)
	if err != nil {
		panic(err)
	}
	return n
}

// ParsePlain is Parse without set operations in classes, as in ECMA-262's flag u, which JSON Schema names. It refuses
// a class that would differ with set operations.
func ParsePlain(m *work.Meter, pattern string) (*Node, error) {
	return parse(&parser{text: pattern, work: m, plain: true})
}

// ParseNewline is Parse with a dot that excludes only the line feed, as in Python and Rust: (.|\n)* is any text.
func ParseNewline(m *work.Meter, pattern string) (*Node, error) {
	return parse(&parser{text: pattern, work: m, newline: true})
}

func parse(p *parser) (*Node, error) {
	pattern := p.text
	if len(pattern) > limits.RegexBytes {
		return nil, p.fail(diag.Limit, 0, "", "a pattern may have at most %d bytes, this one has %d; write lists "+
			"of words as a choice or an enum, and repeated parts with a count", limits.RegexBytes, len(pattern))
	}
	if off := diag.InvalidUTF8(pattern); off >= 0 {
		return nil, p.fail(diag.Syntax, off, "", `a pattern must be valid UTF-8; write other bytes as \xHH`)
	}
	n, err := p.alternation()
	if err != nil {
		return nil, err
	}
	if p.at < len(p.text) { // only a closing parenthesis stops alternation early
		return nil, p.fail(diag.Syntax, p.at, ")", "there is no group for this parenthesis to close; write \\) for "+
			"the character")
	}
	if p.deepest >= limits.RegexCountedNesting {
		if x := n.tooNested(0); x != nil {
			return nil, p.fail(diag.Limit, x.Pos, "{", "counted repetitions may nest at most %d levels deep; use * "+
				"or + for the outer ones", limits.RegexCountedNesting)
		}
	}
	root := *n
	root.pattern = pattern
	return &root, nil
}

// flags are the inline flags i, m, s and x. Flag u changes nothing: characters are always code points.
type flags struct{ fold, multiline, dotAll, extended bool }

const nodeWork = 10

type parser struct {
	work       *work.Meter
	text       string
	at         int
	depth      int
	deepest    int
	flags      flags
	nodes      int
	quote      bool
	newline    bool // a dot excludes only the line feed
	plain      bool // the dialect has no set operations in classes
	sets       bool
	differs    bool              // the last class contains a difference
	loose      bool              // the last class has a hyphen beside a class escape, which flag u refuses
	scanned    int               // bytes read to check whether brackets close
	properties map[string][]rune // cached \p{…}, by the text between the braces
	chunk      []Node            // nodes are allocated in chunks, because a tree is freed as a whole
}

func (p *parser) fail(code diag.Code, at int, keyword, format string, args ...any) error {
	return failure(p.text, code, at, keyword, format, args...)
}

func failure(pattern string, code diag.Code, at int, keyword, format string, args ...any) error {
	e := diag.Errorf(code, "regex", diag.Place{}, format, args...).InText(pattern, at)
	e.Keyword = keyword
	e.Fragment = diag.Shorten(pattern[min(at, len(pattern)):], 24)
	return e
}

func (p *parser) new(n Node) *Node {
	if len(p.chunk) == cap(p.chunk) {
		p.chunk = make([]Node, 0, min(max(8, 2*cap(p.chunk)), 512))
	}
	p.chunk = append(p.chunk, n)
	p.nodes++
	p.work.Spend(nodeWork)
	return p.chunk[len(p.chunk)-1].measure()
}

func (p *parser) class(pos int, ranges []rune) *Node {
	return p.new(Node{Op: OpClass, Pos: pos, Ranges: ranges})
}

func (p *parser) more() bool { return p.at < len(p.text) }

func (p *parser) has(prefix string) bool { return strings.HasPrefix(p.text[p.at:], prefix) }

func (p *parser) alternation() (*Node, error) {
	start := p.at
	first, err := p.branch()
	if err != nil || !p.more() || p.text[p.at] != '|' {
		return first, err
	}
	branches := []*Node{first}
	for p.more() && p.text[p.at] == '|' {
		p.at++
		b, err := p.branch()
		if err != nil {
			return nil, err
		}
		branches = append(branches, b)
	}
	return alternate(start, branches...), nil
}

func asClass(n *Node) ([]rune, bool) {
	switch {
	case n.Op == OpClass:
		return n.Ranges, true
	case n.Op == OpLiteral && n.shortest == 1:
		c, _ := utf8.DecodeRuneInString(n.Text)
		return []rune{c, c}, true
	}
	return nil, false
}

func (p *parser) branch() (*Node, error) {
	start := p.at
	var items []*Node
	var buf [8]*Node
	items = buf[:0]
	var lit []byte
	litAt := 0
	flush := func() {
		if len(lit) > 0 {
			items = append(items, p.new(Node{Op: OpLiteral, Pos: litAt, Text: string(lit)}))
			lit = lit[:0]
		}
	}
	for {
		p.skipIgnored()
		if !p.more() || !p.quote && (p.text[p.at] == '|' || p.text[p.at] == ')') {
			break
		}
		pos := p.at
		if p.nodes > limits.RegexNodes {
			return nil, p.fail(diag.Limit, pos, "", "the pattern has more than %d parts; write lists of words as a "+
				"choice or an enum, and repeated parts with a count", limits.RegexNodes)
		}
		c, n, err := p.item()
		if err != nil {
			return nil, err
		}
		p.skipIgnored()
		if n == nil && c >= 0 {
			if !p.quantifierNext() {
				if r := p.folded(c); r != nil {
					flush()
					items = append(items, p.class(pos, r))
					continue
				}
				if len(lit) == 0 {
					litAt = pos
				}
				lit = utf8.AppendRune(lit, c)
				continue
			}
			r := p.folded(c)
			if r == nil {
				r = []rune{c, c}
			}
			n = p.class(pos, r)
		}
		flush()
		if n == nil { // a comment or flags cannot be repeated
			continue
		}
		if n, err = p.quantified(n, pos); err != nil {
			return nil, err
		}
		items = p.push(items, n)
	}
	flush()
	if len(items) > 1 || len(items) == 1 && items[0].Op == OpConcat {
		items = append([]*Node(nil), items...)
	}
	return concat(start, items...), nil
}

// push appends an item. It joins two classes that spell a surrogate pair.
func (p *parser) push(items []*Node, n *Node) []*Node {
	if len(items) > 0 && n.Op == OpClass && len(n.Ranges) > 0 && n.Ranges[0] >= 0xDC00 {
		if last := items[len(items)-1]; last.Op == OpClass {
			if joined, ok := joinSurrogates(last.Ranges, n.Ranges); ok {
				items[len(items)-1] = p.class(last.Pos, joined)
				return items
			}
		}
	}
	return append(items, n)
}

// folded returns the class of a character under flag i, nil if it is only the character itself. A lone surrogate is a
// class, so that push can join it.
func (p *parser) folded(c rune) []rune {
	if c >= 0xD800 && c <= 0xDFFF {
		return []rune{c, c}
	}
	if p.flags.fold {
		if r := foldRune(c); len(r) > 2 || r[0] != r[1] {
			return r
		}
	}
	return nil
}

func (p *parser) skipIgnored() {
	for p.flags.extended && !p.quote && p.more() {
		switch c := p.text[p.at]; {
		case c == ' ' || c >= '\t' && c <= '\r':
			p.at++
		case c == '#':
			if end := strings.IndexByte(p.text[p.at:], '\n'); end >= 0 {
				p.at += end + 1
			} else {
				p.at = len(p.text)
			}
		default:
			return
		}
	}
}

func (p *parser) item() (c rune, n *Node, err error) {
	pos := p.at
	if p.quote {
		return p.quoted()
	}
	switch ch := p.text[pos]; ch {
	case '(':
		n, err = p.group()
		return -1, n, err
	case '[':
		n, err = p.bracket()
		return -1, n, err
	case '\\':
		return p.escape()
	case '.':
		p.at++
		switch {
		case p.flags.dotAll:
			return -1, p.class(pos, anyRanges), nil
		case p.newline:
			return -1, p.class(pos, newlineRanges), nil
		}
		return -1, p.class(pos, dotRanges), nil
	case '^', '$':
		p.at++
		op := OpBegin
		switch {
		case ch == '^' && p.flags.multiline:
			op = OpLineBegin
		case ch == '$' && p.flags.multiline:
			op = OpLineEnd
		case ch == '$':
			op = OpEnd
		}
		return -1, p.new(Node{Op: op, Pos: pos}), nil
	case '*', '+', '?':
		return -1, nil, p.fail(diag.Syntax, pos, string(ch), "there is nothing before this quantifier to repeat; "+
			"write \\%c for the character", ch)
	case '{':
		if p.quantifierNext() {
			return -1, nil, p.fail(diag.Syntax, pos, "{", "there is nothing before this quantifier to repeat; write "+
				"\\{ for the character")
		}
	}
	c, size := utf8.DecodeRuneInString(p.text[pos:])
	p.at += size
	return c, nil, nil
}

func (p *parser) quoted() (rune, *Node, error) {
	if p.has(`\E`) {
		p.at += 2
		p.quote = false
		return -1, nil, nil
	}
	c, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	if p.has(`\E`) { // skipped now, so that a following quantifier applies to this character
		p.at += 2
		p.quote = false
	}
	return c, nil, nil
}
