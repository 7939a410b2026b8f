package regex

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

func (p *parser) bracket() (*Node, error) {
	if nested, operator := p.setSigns(); nested || operator {
		n, plain, err := p.setClass(nested)
		if !plain {
			return n, err
		}
	}
	return p.plainClass()
}

func (p *parser) plainClass() (*Node, error) {
	pos := p.at
	p.at++
	negative := p.has("^")
	if negative {
		p.at++
	}
	if p.has("]") {
		return p.emptyClass(pos, negative)
	}
	set := make([]rune, 0, 16) // extended by flag i
	var fixed []rune           // exempt from flag i
	for {
		if !p.more() {
			return nil, p.unclosed(pos)
		}
		if p.text[p.at] == ']' {
			p.at++
			break
		}
		if len(set)+len(fixed) > 2*limits.RegexClassRanges {
			return nil, p.fail(diag.Limit, pos, "[", "a character class may have at most %d ranges; join those that "+
				"touch, or use \\p{…}", limits.RegexClassRanges)
		}
		lo, hi, class, isFixed, err := p.member()
		switch {
		case err != nil:
			return nil, err
		case isFixed:
			fixed = append(fixed, class...)
		case class != nil:
			set = append(set, class...)
		default:
			set = append(set, lo, hi)
		}
	}
	return p.class(pos, p.finishClass(set, fixed, negative)), nil
}

// member reads one member of a class: a range of characters or, class ≠ nil, a class escape. fixed: flag i does not
// apply.
func (p *parser) member() (lo, hi rune, class []rune, fixed bool, err error) {
	at := p.at
	lo, class, fixed, err = p.classAtom()
	if err != nil || class != nil || fixed {
		p.loose = p.loose || p.has("-") && !p.has("-]")
		return lo, lo, class, fixed, err
	}
	hi = lo
	if p.has("-") && !p.has("-]") && p.at+1 < len(p.text) && !(p.sets && p.has("--")) {
		back := p.at
		p.at++
		if p.sets && p.opensClass(p.at) {
			p.at = back
			return lo, hi, nil, false, nil
		}
		c, r, _, err := p.classAtom()
		switch {
		case err != nil:
			return lo, hi, nil, false, err
		case r != nil: // [a-\d] contains a, the hyphen and the digits
			p.loose = true
			p.at = back
		case c < lo:
			return lo, hi, nil, false, p.fail(diag.Syntax, at, "[",
				"the range ends before it begins: U+%04X is above U+%04X; write the lower character first", lo, c)
		default:
			hi = c
		}
	}
	return lo, hi, nil, false, nil
}

func (p *parser) finishClass(set, fixed []rune, negative bool) []rune {
	p.work.Spend(len(set))
	set = charclass.Normalize(set)
	if p.flags.fold && len(set) > 0 {
		set = p.foldClass(set)
	}
	if len(fixed) > 0 {
		set = charclass.Normalize(append(set, fixed...))
	}
	if negative {
		set = charclass.Complement(set)
	}
	return set
}

func (p *parser) classAtom() (c rune, r []rune, fixed bool, err error) {
	if p.text[p.at] == '\\' {
		return p.classEscape(true)
	}
	if n := p.posixLength(p.at); n > 0 {
		r, err := p.posixClass(p.text[p.at+2 : p.at+n-2])
		p.at += n
		return -1, r, true, err
	}
	c, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	return c, nil, false, nil
}

func (p *parser) posixClass(name string) ([]rune, error) {
	bare := strings.TrimPrefix(name, "^")
	r, ok := posixClasses[bare]
	if !ok {
		return nil, p.fail(diag.Syntax, p.at, "[:",
			"there is no class [:%s:]; known are alnum alpha ascii blank cntrl digit graph lower print punct space "+
				"upper word xdigit", diag.Shorten(bare, 24))
	}
	if p.flags.fold && (bare == "upper" || bare == "lower") {
		r = posixClasses["alpha"]
	}
	if name != bare {
		r = charclass.Complement(r)
	}
	return r, nil
}

// emptyClass reads a class that closes at once. In ECMA-262 [] matches nothing and [^] any character; in PCRE and
// Python the bracket is the first member. If a later bracket makes both readings possible, the class is an error.
func (p *parser) emptyClass(pos int, negative bool) (*Node, error) {
	for i := p.at + 1; i < len(p.text); i++ {
		switch p.text[i] {
		case '\\':
			i++
		case ']':
			return nil, p.fail(diag.Unsupported, pos, "[]", "dialects differ about a ] at the start of a class: write "+
				"\\] for the character, [\\s\\S] for any character")
		}
	}
	p.at++
	if negative {
		return p.class(pos, anyRanges), nil
	}
	return p.class(pos, []rune{}), nil
}
