package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
)

// split is a pre-tokenizer's regular expression as a program of a backtracking matcher. Its matches cover every text,
// so each piece is a match and begins at the end of the last one.
//
// Tokenizers mean the match of a backtracking matcher, not the longest one, so the automata of package terminal cannot
// find it.
type split struct {
	code    []instruction
	classes []class
	follow  []uint64    // by class: the classes of the next character in one match
	ascii   [128]uint64 // by character: its classes
}

type class struct {
	ranges []rune
	ascii  [2]uint64
}

func (c *class) has(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r/64]>>(r%64)&1 != 0
	}
	return charclass.Has(c.ranges, r)
}

type opcode uint8

const (
	opClass  opcode = iota // a character of class x
	opSplit                // continues at x, and at y if that fails
	opJump                 // continues at x
	opLook                 // the code from the next instruction on matches; continues at x
	opNot                  // the code from the next instruction on does not match; continues at x
	opAtomic               // the first match of the code from the next instruction on; continues at x
	opEnd                  // the end of the pattern, or of the code of opLook, opNot and opAtomic
)

type instruction struct {
	op   opcode
	x, y int
}

// newSplit reads a pattern as the tokenizers library and tiktoken mean it: \s, \S and \d are Unicode's.
func newSplit(pattern, pointer string) (*split, error) {
	fail := func(format string, args ...any) error {
		e := diag.Errorf(diag.Unsupported, source, diag.At(pointer), format, args...)
		e.Fragment = diag.Shorten(pattern, limits.VocabularyFragment)
		return e
	}
	unicode, ok := unicodeEscapes(pattern)
	if !ok {
		return nil, fail("the pre-tokenizer's pattern has \\w or \\W, which are not supported here")
	}
	n, err := regex.Parse(nil, unicode)
	if err != nil {
		return nil, fail("the pre-tokenizer's pattern is not supported: %v", err)
	}
	s := &split{}
	if err := s.compile(n); err != "" {
		return nil, fail("the pre-tokenizer's pattern is not supported: it has %s", err)
	}
	s.emit(opEnd, 0)
	if !s.link() {
		return nil, fail("the pre-tokenizer's pattern is not supported: some character is no match of it")
	}
	return s, nil
}

// unicodeEscapes writes \s, \S, \d and \D as properties. It reports false for \w and \W.
func unicodeEscapes(pattern string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '\\' || i+1 == len(pattern) {
			b.WriteByte(pattern[i])
			continue
		}
		i++
		switch pattern[i] {
		case 's':
			b.WriteString(`\p{White_Space}`)
		case 'S':
			b.WriteString(`\P{White_Space}`)
		case 'd':
			b.WriteString(`\p{Nd}`)
		case 'D':
			b.WriteString(`\P{Nd}`)
		case 'w', 'W':
			return "", false
		default:
			b.WriteByte('\\')
			b.WriteByte(pattern[i])
		}
	}
	return b.String(), true
}

func (s *split) emit(op opcode, x int) int {
	s.code = append(s.code, instruction{op: op, x: x})
	return len(s.code) - 1
}

// compile appends the code of a pattern. It returns the name of a part that is not supported, or "".
func (s *split) compile(n *regex.Node) string {
	if len(s.code) > limits.SplitCode {
		return "too many parts"
	}
	switch n.Op {
	case regex.OpEmpty:
	case regex.OpLiteral:
		for _, r := range n.Text {
			s.emit(opClass, s.class([]rune{r, r}))
		}
	case regex.OpClass:
		s.emit(opClass, s.class(n.Ranges))
	case regex.OpConcat:
		for _, sub := range n.Subs {
			if err := s.compile(sub); err != "" {
				return err
			}
		}
	case regex.OpAlternate:
		return s.alternate(n)
	case regex.OpRepeat:
		return s.repeat(n)
	case regex.OpAtomic:
		return s.inner(opAtomic, n.Subs[0])
	case regex.OpLook:
		switch {
		case n.Behind:
			return "a look-behind"
		case n.Negative:
			return s.inner(opNot, n.Subs[0])
		}
		return s.inner(opLook, n.Subs[0])
	default:
		return "an anchor or a word boundary"
	}
	return ""
}

func (s *split) inner(op opcode, n *regex.Node) string {
	at := s.emit(op, 0)
	err := s.compile(n)
	s.emit(opEnd, 0)
	s.code[at].x = len(s.code)
	return err
}

func (s *split) alternate(n *regex.Node) string {
	var jumps []int
	for i, sub := range n.Subs {
		at := -1
		if i+1 < len(n.Subs) {
			at = s.emit(opSplit, len(s.code)+1)
		}
		if err := s.compile(sub); err != "" {
			return err
		}
		if at >= 0 {
			jumps = append(jumps, s.emit(opJump, 0))
			s.code[at].y = len(s.code)
		}
	}
	for _, at := range jumps {
		s.code[at].x = len(s.code)
	}
	return ""
}

func (s *split) repeat(n *regex.Node) string {
	sub := n.Subs[0]
	if shortest, _ := sub.Length(); shortest == 0 {
		return "a repetition of a part that may be empty"
	}
	for range n.Min {
		if err := s.compile(sub); err != "" {
			return err
		}
	}
	fork := func() int {
		at := s.emit(opSplit, 0)
		s.code[at].x, s.code[at].y = at+1, -1
		return at
	}
	var forks []int
	if n.Max == regex.Unbounded {
		at := fork()
		if err := s.compile(sub); err != "" {
			return err
		}
		s.emit(opJump, at)
		forks = []int{at}
	} else {
		for range n.Max - n.Min {
			forks = append(forks, fork())
			if err := s.compile(sub); err != "" {
				return err
			}
		}
	}
	for _, at := range forks {
		s.code[at].y = len(s.code)
		if n.Lazy {
			s.code[at].x, s.code[at].y = s.code[at].y, s.code[at].x
		}
	}
	return ""
}

// class returns the number of a class.
func (s *split) class(ranges []rune) int {
	for i := range s.classes {
		if slices.Equal(s.classes[i].ranges, ranges) {
			return i
		}
	}
	c := class{ranges: ranges}
	for r := range rune(utf8.RuneSelf) {
		if charclass.Has(ranges, r) {
			c.ascii[r/64] |= 1 << (r % 64)
		}
	}
	s.classes = append(s.classes, c)
	return len(s.classes) - 1
}

// link finds which characters can be neighbours within a match. It reports false for too many classes, or if a match
// cannot consist of any one character.
func (s *split) link() bool {
	if len(s.classes) > 64 {
		return false
	}
	var single []rune
	s.follow = make([]uint64, len(s.classes))
	first, _ := s.after(0)
	for at, in := range s.code {
		if in.op != opClass {
			continue
		}
		next, ends := s.after(at + 1)
		for i := range next {
			s.follow[in.x] |= 1 << s.code[i].x
		}
		if first[at] && ends {
			single = charclass.Union(single, s.classes[in.x].ranges)
		}
	}
	for r := range s.ascii {
		for i := range s.classes {
			if s.classes[i].has(rune(r)) {
				s.ascii[r] |= 1 << i
			}
		}
	}
	return charclass.Disjoint(charclass.Complement(single), []rune{0, 0xD7FF, 0xE000, utf8.MaxRune})
}

// after returns the class instructions that may come next at an instruction, and whether the match may end without an
// assertion. Look-aheads read characters of the next match; they are left out.
func (s *split) after(at int) (next map[int]bool, ends bool) {
	next = map[int]bool{}
	type place struct {
		at   int
		asks bool // an assertion has been met on the way
	}
	seen := map[place]bool{}
	for list := []place{{at: at}}; len(list) > 0; {
		p := list[len(list)-1]
		list = list[:len(list)-1]
		if seen[p] {
			continue
		}
		seen[p] = true
		switch in := s.code[p.at]; in.op {
		case opClass:
			next[p.at] = true
		case opSplit:
			list = append(list, place{in.x, p.asks}, place{in.y, p.asks})
		case opJump:
			list = append(list, place{in.x, p.asks})
		case opLook, opNot:
			list = append(list, place{in.x, true})
		case opAtomic:
			list = append(list, place{p.at + 1, p.asks})
		case opEnd:
			if p.at+1 == len(s.code) {
				ends = ends || !p.asks
			} else { // the end of an atomic group, whose code ends with this instruction
				list = append(list, place{p.at + 1, p.asks})
			}
		}
	}
	return next, ends
}

// parts reports whether a match always ends between two characters.
func (s *split) parts(a, b rune) bool {
	of, next := s.of(a), s.of(b)
	for i := 0; of != 0; i, of = i+1, of>>1 {
		if of&1 != 0 && s.follow[i]&next != 0 {
			return false
		}
	}
	return true
}

func (s *split) of(r rune) (set uint64) {
	if r < utf8.RuneSelf {
		return s.ascii[r]
	}
	for i := range s.classes {
		if s.classes[i].has(r) {
			set |= 1 << i
		}
	}
	return set
}

// run is the memory of a backtracking matcher.
type run struct {
	stack []thread
	steps int  // of all matches of one text
	hit   bool // the match depends on later text, or takes too many steps
}

type thread struct{ at, pos int }

// next returns the end of the match at an offset. It reports false if the match depends on text behind, unless ends
// says that there is none, or if the matcher has taken too many steps.
func (s *split) next(r *run, text []byte, at int, ends bool) (end int, ok bool) {
	r.stack, r.hit = r.stack[:0], false
	end, ok = s.match(r, text, 0, at, ends)
	return end, ok && !r.hit && end > at
}

// match returns the end of the first match of the code from an instruction on.
func (s *split) match(r *run, text []byte, at, pos int, ends bool) (end int, ok bool) {
	base := len(r.stack)
	r.stack = append(r.stack, thread{at, pos})
	defer func() { r.stack = r.stack[:base] }()
	for len(r.stack) > base && !r.hit {
		t := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		at, pos := t.at, t.pos
	thread:
		for {
			if r.steps++; r.steps > limits.SplitSteps {
				r.hit = true
				return 0, false
			}
			in := &s.code[at]
			switch in.op {
			case opClass:
				if pos >= len(text) {
					r.hit = r.hit || !ends
					break thread
				}
				c, n := rune(text[pos]), 1
				if c >= utf8.RuneSelf {
					c, n = utf8.DecodeRune(text[pos:])
				}
				if !s.classes[in.x].has(c) {
					break thread
				}
				at, pos = at+1, pos+n
			case opSplit:
				r.stack = append(r.stack, thread{in.y, pos})
				at = in.x
			case opJump:
				at = in.x
			case opLook, opNot:
				_, found := s.match(r, text, at+1, pos, ends)
				if r.hit || found != (in.op == opLook) {
					break thread
				}
				at = in.x
			case opAtomic:
				to, found := s.match(r, text, at+1, pos, ends)
				if r.hit || !found {
					break thread
				}
				at, pos = in.x, to
			case opEnd:
				return pos, true
			}
		}
	}
	return 0, false
}
