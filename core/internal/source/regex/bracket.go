package regex

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// bracket reads a character class.
func (p *parser) bracket() (*Node, error) {
	pos := p.at
	p.at++
	negative := p.has("^")
	if negative {
		p.at++
	}
	if p.has("]") {
		return p.emptyClass(pos, negative)
	}
	set := make([]rune, 0, 16) // what flag i extends
	var fixed []rune           // what it does not
	for {
		if !p.more() {
			return nil, p.fail(diag.Syntax, pos, "[", "this character class is never closed; add ] or write \\[ for the character")
		}
		if p.text[p.at] == ']' {
			p.at++
			break
		}
		if len(set)+len(fixed) > 2*limits.RegexClassRanges {
			return nil, p.fail(diag.Limit, pos, "[", "a character class may have at most %d ranges", limits.RegexClassRanges)
		}
		at := p.at
		lo, r, isFixed, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		switch {
		case isFixed:
			fixed = append(fixed, r...)
			continue
		case r != nil:
			set = append(set, r...)
			continue
		}
		hi := lo
		if p.has("-") && !p.has("-]") && p.at+1 < len(p.text) {
			back := p.at
			p.at++
			c, r, _, err := p.classAtom()
			switch {
			case err != nil:
				return nil, err
			case r != nil: // [a-\d] lists a, the hyphen and the digits
				p.at = back
			case c < lo:
				return nil, p.fail(diag.Syntax, at, "[", "the range runs backwards: its first character, U+%04X, is greater than its last, U+%04X", lo, c)
			default:
				hi = c
			}
		}
		set = append(set, lo, hi)
	}
	return p.class(pos, p.finishClass(set, fixed, negative)), nil
}

func (p *parser) finishClass(set, fixed []rune, negative bool) []rune {
	set = normalize(set)
	if p.flags.fold && len(set) > 0 {
		set = foldClass(set)
	}
	if len(fixed) > 0 {
		set = normalize(append(set, fixed...))
	}
	if negative {
		set = negate(set)
	}
	return set
}

// classAtom reads one character or one class inside a class.
func (p *parser) classAtom() (c rune, r []rune, fixed bool, err error) {
	if p.text[p.at] == '\\' {
		return p.classEscape(true)
	}
	if p.has("[:") {
		if end := strings.Index(p.text[p.at:], ":]"); end >= len("[:") {
			name := p.text[p.at+2 : p.at+end]
			if bare := strings.TrimPrefix(name, "^"); isLowerWord(bare) {
				r, ok := posixClasses[bare]
				if !ok {
					return -1, nil, false, p.fail(diag.Syntax, p.at, "[:", "there is no class [:%s:]; known are alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit", diag.Shorten(bare, 24))
				}
				p.at += end + 2
				if p.flags.fold && (bare == "upper" || bare == "lower") {
					r = posixClasses["alpha"]
				}
				if name != bare {
					r = negate(r)
				}
				return -1, r, true, nil
			}
		}
	}
	c, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	return c, nil, false, nil
}

func isLowerWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return s != ""
}

// emptyClass reads a class that closes at once. To ECMA-262 [] is nothing and [^] anything; to PCRE and Python the
// bracket is the first member. Where a later bracket makes both readings possible, the author has to say.
func (p *parser) emptyClass(pos int, negative bool) (*Node, error) {
	for i := p.at + 1; i < len(p.text); i++ {
		switch p.text[i] {
		case '\\':
			i++
		case ']':
			return nil, p.fail(diag.Unsupported, pos, "[]", "dialects differ about a ] at the start of a class: write \\] for the character, [\\s\\S] for any character")
		}
	}
	p.at++
	if negative {
		return p.class(pos, anyRanges), nil
	}
	return p.class(pos, []rune{}), nil
}
