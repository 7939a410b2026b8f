package regex

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// quantifierNext reports whether a quantifier follows. Any other brace is an ordinary character.
func (p *parser) quantifierNext() bool {
	if !p.more() || p.quote {
		return false
	}
	switch p.text[p.at] {
	case '*', '+', '?':
		return true
	case '{':
		_, _, end, _ := p.braces()
		return end > 0
	}
	return false
}

// noMaximum is the maximum of {n,}; written numbers saturate below it.
const noMaximum = 1 << 50

// braces reads {n}, {n,} or {n,m} without consuming it; end is 0 if there is none. Counts saturate.
func (p *parser) braces() (minimum, maximum uint64, end int, upTo bool) {
	i := p.at + 1
	number := func() (v uint64, ok bool) {
		for ; i < len(p.text) && p.text[i] >= '0' && p.text[i] <= '9'; i++ {
			v, ok = min(v*10+uint64(p.text[i]-'0'), 1<<40), true
		}
		return v, ok
	}
	minimum, okMin := number()
	maximum, okMax := minimum, okMin
	if i < len(p.text) && p.text[i] == ',' {
		i++
		if maximum, okMax = number(); !okMax {
			maximum, okMax = noMaximum, okMin
		}
	}
	if i >= len(p.text) || p.text[i] != '}' || !okMax {
		return 0, 0, 0, false
	}
	return minimum, maximum, i + 1, !okMin
}

func (p *parser) quantified(n *Node, pos int) (*Node, error) {
	if !p.quantifierNext() {
		return n, nil
	}
	at := p.at
	minimum, maximum := uint32(0), uint32(Unbounded)
	switch p.text[p.at] {
	case '+':
		minimum = 1
	case '?':
		maximum = 1
	case '{':
		lo, hi, end, upTo := p.braces()
		if upTo {
			return nil, p.fail(diag.Syntax, at, "{,m}", "dialects differ about {,%d}: write {0,%d} for at most that "+
				"many, \\{ for the character", hi, hi)
		}
		if hi == noMaximum {
			hi = Unbounded
		} else if hi > limits.RegexRepeat {
			lo = hi
		}
		if lo > limits.RegexRepeat {
			return nil, p.fail(diag.Limit, at, "{n,m}", "a repetition may count to at most %d; for no limit, leave "+
				"the maximum out: {n,}", uint32(limits.RegexRepeat))
		}
		if lo > hi {
			return nil, p.fail(diag.Syntax, at, "{n,m}", "the minimum %d is above the maximum %d; write the "+
				"smaller number first", lo, hi)
		}
		minimum, maximum = uint32(lo), uint32(hi)
		p.at = end - 1
	}
	p.at++
	lazy, possessive := false, false
	if p.more() {
		switch p.text[p.at] {
		case '?':
			lazy = true
			p.at++
		case '+':
			possessive = true
			p.at++
		}
	}
	p.skipIgnored()
	if p.quantifierNext() {
		return nil, p.fail(diag.Syntax, p.at, p.text[p.at:p.at+1],
			"a quantifier cannot follow another one; to repeat a repetition, put it into (?: )")
	}
	switch {
	case minimum == 1 && maximum == 1 && possessive:
		return p.new(Node{Op: OpAtomic, Pos: pos, Subs: []*Node{n}}), nil
	case minimum == 1 && maximum == 1:
		return n, nil
	case maximum == 0:
		return p.new(Node{Op: OpEmpty, Pos: pos}), nil
	}
	r := p.new(Node{Op: OpRepeat, Pos: pos, Subs: []*Node{n}, Min: minimum, Max: maximum, Lazy: lazy})
	if possessive {
		r = p.new(Node{Op: OpAtomic, Pos: pos, Subs: []*Node{r}})
	}
	return r, nil
}
