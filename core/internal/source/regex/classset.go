package regex

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// A class may contain classes and the operators && (intersection) and -- (difference). ECMA-262's flag v and Java read
// them so; ECMA-262's flag u, Python and PCRE read the same characters as members of a plain class. The reading is
// chosen so:
//
//   - A class with an unclosed inner bracket, or an operator without a side, is a plain class: [a-z[] or [&&x].
//   - Otherwise Parse reads sets, but refuses classes that dialects with sets read differently.
//   - ParsePlain, whose dialect has no sets, refuses the class if flag v accepts it, or if it contains both a class
//     and an operator. Flag v wants many characters escaped and operands in brackets, so this affects few plain
//     classes in practice.

type setReading struct {
	nested   bool
	operated bool
	missing  bool
	strict   bool // flag v accepts the class as written
}

// setSigns reports whether the class at p.at may contain a class or an operator before its first closing bracket.
func (p *parser) setSigns() (nested, operator bool) {
	for i := p.at + 1; i < len(p.text); i++ {
		switch c := p.text[i]; c {
		case '\\':
			i++
		case ']':
			return nested, operator
		case '[':
			if n := p.posixLength(i); n > 0 {
				i += n - 1
				continue
			}
			nested = true
		case '&', '-', '~':
			operator = operator || i+1 < len(p.text) && p.text[i+1] == c
		}
	}
	return nested, operator
}

// posixLength returns the length of [:name:] at index i of the text, 0 if there is none.
func (p *parser) posixLength(i int) int {
	if !strings.HasPrefix(p.text[i:], "[:") {
		return 0
	}
	name := p.text[i+2:]
	n := 0
	for n < len(name) && (name[n] >= 'a' && name[n] <= 'z' || n == 0 && name[n] == '^') {
		n++
	}
	if strings.TrimPrefix(name[:n], "^") == "" || !strings.HasPrefix(name[n:], ":]") {
		return 0
	}
	return n + len("[::]")
}

func (p *parser) closes() (bool, error) {
	depth := 0
	for i := p.at; i < len(p.text); i++ {
		if p.scanned++; p.scanned > limits.RegexClassScan {
			return false, p.fail(diag.Limit, p.at, "[",
				"the pattern has too many unclosed brackets inside character classes; write \\[ for the character")
		}
		switch p.text[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

// setClass reads the class at p.at with sets if it may have some. plain means that it is a plain class.
func (p *parser) setClass(nested bool) (n *Node, plain bool, err error) {
	pos := p.at
	if nested {
		closed, err := p.closes()
		if err == nil && !closed && !p.plain && p.openIntersection() {
			err = p.unclosed(pos)
		}
		if err != nil || !closed {
			return nil, err == nil, err
		}
	}
	r := &setReading{strict: true}
	p.sets, p.differs = true, false
	set, err := p.classSet(r)
	p.sets = false
	end := p.at
	p.at = pos
	switch {
	case p.plain && !r.strict && !(r.nested && r.operated):
		return nil, true, nil
	case p.plain && r.nested:
		return nil, false, p.fail(diag.Unsupported, pos, "[",
			"dialects differ about a bracket inside a character class, and ECMA-262's flag u refuses it; write \\[ "+
				"for the character, or list all members in one class")
	case r.missing && !r.nested && !p.plain && p.operators() > 1:
		err = p.fail(diag.Unsupported, pos, "[",
			"dialects differ about && and -- at the start or end of a character class with several of them; write "+
				"\\& or \\- for the character")
	case r.missing && !r.nested || err == nil && !r.nested && !r.operated:
		return nil, true, nil
	case err == nil && !r.nested:
		err = p.samePlain(set)
	}
	if err != nil {
		return nil, false, err
	}
	p.at = end
	return p.class(pos, set), false, nil
}

// samePlain returns an error if the class at p.at, which has operators but no inner class, differs from set when it is
// read as a plain class.
func (p *parser) samePlain(set []rune) error {
	if !p.plain && !p.differs {
		return nil // flag v and Java agree about &&
	}
	pos := p.at
	p.loose = false
	n, err := p.plainClass()
	p.at = pos
	switch {
	case err != nil && p.plain:
		return err
	case err != nil || p.loose && !p.plain || slices.Equal(n.Ranges, set):
		return nil
	case !p.differs:
		return p.fail(diag.Unsupported, pos, "&&",
			"dialects differ about && inside a character class; write \\& for the character, or list the members")
	case p.plain:
		return p.fail(diag.Unsupported, pos, "--",
			"dialects differ about -- inside a character class; write \\- for the character, or list the members")
	}
	return p.fail(diag.Unsupported, pos, "--",
		"dialects differ about -- inside a character class; write \\- for the character, [[a-z]--[aeiou]] for a "+
			"difference")
}

func (p *parser) openIntersection() bool { return strings.Contains(p.classText(), "&&[") }

func (p *parser) operators() int {
	text := p.classText()
	return strings.Count(text, "&&") + strings.Count(text, "--")
}

func (p *parser) classText() string {
	text := p.text[p.at:]
	if end := strings.IndexByte(text, ']'); end >= 0 {
		text = text[:end]
	}
	return text
}

func (p *parser) unclosed(pos int) error {
	return p.fail(diag.Syntax, pos, "[", "this character class is never closed; add ] or write \\[ for the character")
}

// classSet reads a class with sets. Negation applies to the whole class.
func (p *parser) classSet(r *setReading) ([]rune, error) {
	pos := p.at
	if p.depth++; p.depth > limits.RegexNesting {
		return nil, p.fail(diag.Limit, pos, "[", "character classes nest deeper than %d levels; write the inner ones "+
			"out", limits.RegexNesting)
	}
	defer func() { p.depth-- }()
	p.at++
	negative := p.has("^")
	if negative {
		p.at++
	}
	if p.has("]") {
		return nil, p.fail(diag.Unsupported, pos, "[]",
			"dialects differ about a ] at the start of a class: write \\] for the character, [\\s\\S] for any "+
				"character")
	}
	set, classes, others, err := p.setOperand(r)
	if err != nil {
		return nil, err
	}
	r.strict = r.strict && (p.has("]") || classes+others == 1)
	operator := ""
	for !p.has("]") {
		at := p.at
		next := p.text[at : at+2]
		p.at += 2
		r.operated = true
		right, err := p.rightOperand(r)
		switch {
		case err != nil:
			return nil, err
		case next == "~~":
			return nil, p.fail(diag.Unsupported, at, "~~",
				"dialects differ about ~~ inside a character class; write \\~ for the character, or [[ab]--[b]] and "+
					"[[bc]--[b]] in a class for a symmetric difference")
		case operator != "" && operator != next:
			return nil, p.fail(diag.Unsupported, at, next,
				"dialects differ about whether && or -- binds first; put one of the two operations into brackets "+
					"of its own")
		case next == "&&":
			set = charclass.Intersect(set, right)
		default:
			p.differs = true
			set = charclass.Intersect(set, charclass.Complement(right))
		}
		operator = next
	}
	p.at++
	if negative {
		set = charclass.Complement(set)
	}
	return set, nil
}

// rightOperand reads the right operand of an operator. It refuses a part of a class and further members, which Java
// accepts there.
func (p *parser) rightOperand(r *setReading) ([]rune, error) {
	at := p.at
	if p.more() && p.text[at] == p.text[at-1] { // a third character of the operator
		r.missing = true
		return nil, p.fail(diag.Unsupported, at-2, p.text[at-2:at],
			"an operator of a character class must not be followed by its own character; write a backslash before "+
				"the character")
	}
	set, classes, others, err := p.setOperand(r)
	r.strict = r.strict && classes+others == 1
	if err == nil && classes > 0 && classes+others > 1 {
		err = p.fail(diag.Unsupported, at, "[",
			"dialects differ about several members, one of them a class, after an operator; put them into brackets "+
				"of their own")
	}
	return set, err
}

// setOperand reads the members of a class up to an operator or the end, and counts inner classes and other members.
func (p *parser) setOperand(r *setReading) (all []rune, classes, others int, err error) {
	start := p.at
	set, fixed := make([]rune, 0, 16), []rune(nil)
	for {
		if !p.more() {
			return nil, 0, 0, p.unclosed(start)
		}
		if p.text[p.at] == ']' || p.operatorNext() {
			break
		}
		if len(set)+len(fixed) > 2*limits.RegexClassRanges {
			return nil, 0, 0, p.fail(diag.Limit, start, "[",
				"a character class may have at most %d ranges; join those that touch, or use \\p{…}",
				limits.RegexClassRanges)
		}
		if p.opensClass(p.at) {
			inner, err := p.innerClass(r)
			if err != nil {
				return nil, 0, 0, err
			}
			classes++
			fixed = append(fixed, inner...)
			continue
		}
		if p.text[p.at] == '-' && p.opensClass(p.at+1) {
			r.nested, r.operated = true, true
			return nil, 0, 0, p.fail(diag.Unsupported, p.at, "-[",
				"dialects differ about -[ inside a character class; write [[a-z]--[aeiou]] for a difference, \\- for "+
					"the character")
		}
		r.strict = r.strict && !p.reserved()
		others++
		lo, hi, class, isFixed, err := p.member()
		switch {
		case err != nil:
			return nil, 0, 0, err
		case isFixed:
			fixed = append(fixed, class...)
		case class != nil:
			set = append(set, class...)
		default:
			if lo < hi {
				others++ // flag v wants a range beside an operator in its own brackets
			}
			set = append(set, lo, hi)
		}
	}
	if p.at == start {
		r.missing = true
		return nil, 0, 0, p.fail(diag.Syntax, start, p.text[start:start+1],
			"an operator of a character class needs members on both sides; write a backslash before the characters")
	}
	return p.finishClass(set, fixed, false), classes, others, nil
}

func (p *parser) opensClass(i int) bool {
	return i < len(p.text) && p.text[i] == '[' && p.posixLength(i) == 0
}

func (p *parser) operatorNext() bool {
	return p.has("&&") || p.has("--") || p.has("~~") && !p.plain
}

func (p *parser) reserved() bool {
	c := p.text[p.at]
	if p.at+1 < len(p.text) && p.text[p.at+1] == c && strings.IndexByte("&!#$%*+,.:;<=>?@^`~", c) >= 0 {
		return true
	}
	return strings.IndexByte("()[{}/-|", c) >= 0
}

func (p *parser) innerClass(r *setReading) ([]rune, error) {
	at := p.at
	r.nested = true
	if at+1 < len(p.text) && !p.plain {
		if c := p.text[at+1]; c == '.' || c == '=' {
			end := strings.IndexByte(p.text[at+2:], ']')
			if end > 1 && p.text[at+2+end-1] == c {
				return nil, p.fail(diag.Unsupported, at, "["+string(c),
					"collating elements and equivalence classes depend on a locale; list the characters")
			}
		}
	}
	return p.classSet(r)
}
