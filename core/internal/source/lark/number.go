package lark

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// A rule may have a 64-bit number as its parameter: name::_ : …. It stands for one rule for each number in use, and
// only these are read. A rule's number determines its alternatives and the numbers of the rules that it uses.

func (p *parser) numbered() bool { return p.args != nil && p.args.of.numbered }

func (p *parser) useNumbered(t *token, d *definition) (*rules.Node, error) {
	if !d.numbered {
		return nil, p.Failure(diag.Invalid, t.at, t.text, "%s takes no number, but is used with one; define it as "+
			"%s::_ : …, or write %s alone", t.text, t.text, t.text)
	}
	if err := p.mayRefer(t); err != nil {
		return nil, err
	}
	p.pos += 2
	n, err := p.number()
	if err != nil {
		return nil, err
	}
	key := strconv.Itoa(p.in.from) + ":" + d.name + "\x00" + strconv.FormatUint(n, 16)
	x := p.instances[key]
	if x == nil {
		x = &instance{id: len(p.instances) + 1, of: d, number: n, rule: p.rule(d, d.name, nil)}
		if p.args != nil {
			x.depth = p.args.depth
		}
		if x.id > limits.LarkInstances {
			return nil, p.Failure(diag.Limit, t.at, t.text, "rules are used with more than %d different numbers, "+
				"and each number makes a rule; let %s count to less, or write it without a number",
				limits.LarkInstances, t.text)
		}
		p.Tree.Rules[x.rule].Apart = true
		p.instances[key] = x
		p.queue = append(p.queue, x)
	}
	return p.ref(t.at, x.rule), nil
}

func (p *parser) number() (uint64, error) {
	t := p.peek()
	if t.kind == tNumber {
		return p.literal()
	}
	if t.kind != tName || p.numberOf(t) == nil {
		return 0, p.Syntax(t.at, "expected a number here, or one of _, set_bit(k), clear_bit(k), bit_and(n), "+
			"bit_or(n), incr([x:y]) and decr([x:y])")
	}
	if !p.numbered() {
		return 0, p.Failure(diag.Invalid, t.at, t.text, "%s is computed from the number of the rule around it, "+
			"which has none; write a number", t.text)
	}
	p.pos++
	return p.numberOf(t)(p.args.number)
}

// numberOf returns the function with the name t, from a rule's number to the number of the rule it uses.
func (p *parser) numberOf(t *token) func(n uint64) (uint64, error) {
	bit := func(change func(n, bit uint64) uint64) func(n uint64) (uint64, error) {
		return func(n uint64) (uint64, error) {
			k, err := inParentheses(p, func() (uint64, error) { return p.below(64) })
			return change(n, 1<<k), err
		}
	}
	whole := func(change func(n, v uint64) uint64) func(n uint64) (uint64, error) {
		return func(n uint64) (uint64, error) {
			v, err := inParentheses(p, func() (uint64, error) { return p.literal() })
			return change(n, v), err
		}
	}
	count := func(change func(n uint64, s span) uint64) func(n uint64) (uint64, error) {
		return func(n uint64) (uint64, error) {
			s, err := inParentheses(p, p.bitSpan)
			return change(n, s), err
		}
	}
	switch t.text {
	case "_":
		return func(n uint64) (uint64, error) { return n, nil }
	case "set_bit":
		return bit(func(n, bit uint64) uint64 { return n | bit })
	case "clear_bit":
		return bit(func(n, bit uint64) uint64 { return n &^ bit })
	case "bit_and":
		return whole(func(n, v uint64) uint64 { return n & v })
	case "bit_or":
		return whole(func(n, v uint64) uint64 { return n | v })
	case "incr":
		return count(func(n uint64, s span) uint64 {
			if s.of(n) == s.ones() {
				return n
			}
			return n + 1<<s.from
		})
	case "decr":
		return count(func(n uint64, s span) uint64 {
			if s.of(n) == 0 {
				return n
			}
			return n - 1<<s.from
		})
	}
	return nil
}

type span struct{ from, to uint64 }

func (s span) ones() uint64 { return ^uint64(0) >> (64 - (s.to - s.from)) }

func (s span) of(n uint64) uint64 { return n >> s.from & s.ones() }

// bitSpan reads [x:y], or _ for all bits.
func (p *parser) bitSpan() (s span, err error) {
	open := p.peek()
	if open.kind == tName && open.text == "_" {
		p.pos++
		return span{0, 64}, nil
	}
	form := func() error {
		return p.Syntax(open.at, "bits of a number are written [x:y], from bit x up to but not including bit y, or _ "+
			"for all 64")
	}
	if !open.is('[') {
		return s, form()
	}
	p.pos++
	if s.from, err = p.below(64); err != nil || !p.peek().is(':') {
		return s, form()
	}
	p.pos++
	if s.to, err = p.below(65); err != nil || !p.peek().is(']') || s.from >= s.to {
		return s, form()
	}
	p.pos++
	return s, nil
}

func (p *parser) below(bound uint64) (uint64, error) {
	t := p.peek()
	n, err := p.literal()
	if err == nil && n >= bound {
		err = p.Failure(diag.Invalid, t.at, t.text, "there is no bit %s; the number of a rule has bits 0 to 63", t.text)
	}
	return min(n, bound-1), err
}

func (p *parser) literal() (uint64, error) {
	t := p.peek()
	if t.kind != tNumber {
		return 0, p.Syntax(t.at, "expected a number here")
	}
	p.pos++
	digits, base := t.text, 10
	if hex, ok := strings.CutPrefix(digits, "0x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return 0, p.Syntax(t.at, "%s is not a whole number of 64 bits", t.text)
	}
	return n, nil
}

func inParentheses[T any](p *parser, read func() (T, error)) (out T, err error) {
	if !p.peek().is('(') {
		return out, p.Syntax(p.peek().at, "expected arguments in parentheses here")
	}
	p.pos++
	if out, err = read(); err == nil && !p.peek().is(')') {
		err = p.Syntax(p.peek().at, "expected a closing parenthesis here")
	}
	p.pos++
	return out, err
}

// conditionAhead finds the condition behind the alternative here. It returns whether it holds and the token behind it,
// 0 without a condition.
func (p *parser) conditionAhead() (holds bool, behind int, err error) {
	from, depth := p.pos, 0
	defer func() { p.pos = from }()
	for ; depth >= 0 && !p.bodyEnds(); p.pos++ {
		p.O.Work.Spend(1)
		switch t := p.peek(); {
		case t.is('(') || t.is('['):
			depth++
		case t.is(')') || t.is(']'):
			depth--
		case t.is('{'):
			p.pos = int(t.more)
		case depth > 0:
		case t.is('|') || t.is(',') || t.is('}'):
			return true, 0, nil
		case t.kind == tDirective && t.text == "%if":
			p.pos++
			holds, err = p.condition()
			return holds, p.pos, err
		}
	}
	return true, 0, nil
}

func (p *parser) condition() (holds bool, err error) {
	t := p.peek()
	if p.depth++; p.depth > limits.RuleNesting {
		return false, p.tooDeep(t)
	}
	defer func() { p.depth-- }()
	p.pos++
	n := p.args.number
	switch t.text {
	case "true":
		if !p.peek().is('(') {
			return true, nil
		}
		return inParentheses(p, func() (bool, error) { return true, nil })
	case "bit_clear", "bit_set":
		k, err := inParentheses(p, func() (uint64, error) { return p.below(64) })
		return n>>k&1 == 1 == (t.text == "bit_set"), err
	case "is_ones", "is_zeros":
		s, err := inParentheses(p, p.bitSpan)
		return t.text == "is_ones" && s.of(n) == s.ones() || t.text == "is_zeros" && s.of(n) == 0, err
	case "not":
		c, err := inParentheses(p, p.condition)
		return !c, err
	case "and", "or":
		both, err := inParentheses(p, p.conditions)
		return both[0] && both[1] || t.text == "or" && (both[0] || both[1]), err
	}
	name, counts := strings.CutPrefix(t.text, "bit_count_")
	compare := comparisons[name]
	if t.kind != tName || compare == nil {
		return false, p.Failure(diag.Syntax, t.at, t.text, "a condition is true, bit_clear(k), bit_set(k), "+
			"is_ones([x:y]), is_zeros([x:y]), eq([x:y], n) or ne, lt, le, gt, ge, bit_count_eq([x:y], k) or the same, "+
			"and(c, c), or(c, c) or not(c)")
	}
	return inParentheses(p, func() (bool, error) {
		s, err := p.bitSpan()
		if err == nil {
			err = p.comma()
		}
		if err != nil {
			return false, err
		}
		v, err := p.literal()
		if counts {
			return compare(uint64(bits.OnesCount64(s.of(n))), v), err
		}
		return compare(s.of(n), v), err
	})
}

var comparisons = map[string]func(a, b uint64) bool{
	"eq": func(a, b uint64) bool { return a == b },
	"ne": func(a, b uint64) bool { return a != b },
	"lt": func(a, b uint64) bool { return a < b },
	"le": func(a, b uint64) bool { return a <= b },
	"gt": func(a, b uint64) bool { return a > b },
	"ge": func(a, b uint64) bool { return a >= b },
}

func (p *parser) conditions() (both [2]bool, err error) {
	for i := range both {
		if i > 0 {
			if err = p.comma(); err != nil {
				return both, err
			}
		}
		if both[i], err = p.condition(); err != nil {
			return both, err
		}
	}
	return both, nil
}

func (p *parser) comma() error {
	if !p.peek().is(',') {
		return p.Syntax(p.peek().at, "expected a comma here")
	}
	p.pos++
	return nil
}
