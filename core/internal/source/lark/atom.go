package lark

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

func (p *parser) atom() (*rules.Node, error) {
	t := p.peek()
	p.pos++
	switch t.kind {
	case tString:
		return p.text(t)
	case tRegex:
		return p.regex(t)
	case tName:
		return p.name(t)
	case tMark:
		return p.mark(t)
	case tDirective:
		return p.inline(t)
	case tNumber:
		return nil, p.Syntax(t.at, "a number has no meaning here; put it in double quotes to match it")
	case tDots:
		return nil, p.Syntax(t.at, "a range is written \"a\"..\"z\"")
	}
	switch t.sign {
	case '(', '[':
		return p.group(t)
	case '@':
		return p.other(t)
	case '*', '+', '?':
		return nil, p.Syntax(t.at, "this quantifier has nothing before it to repeat")
	case ':':
		return nil, p.Syntax(t.at, "a colon may only follow the name of a rule, the first word on its line")
	}
	return nil, p.Syntax(t.at, "%q cannot stand here; put it in double quotes to match it", t.text)
}

func (p *parser) group(open *token) (*rules.Node, error) {
	if p.depth++; p.depth > limits.RuleNesting {
		return nil, p.tooDeep(open)
	}
	n, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	closing := byte(')')
	if open.is('[') {
		closing = ']'
	}
	if !p.peek().is(closing) {
		return nil, p.Syntax(open.at, "this '%c' is not closed before the rule ends", open.sign)
	}
	p.pos++
	p.depth--
	if closing == ')' {
		return n, nil
	}
	return p.Tree.Node(rules.Node{Kind: rules.Repeat, At: open.at, Subs: []*rules.Node{n}, Max: 1}), nil
}

func (p *parser) lexeme(token *rules.Node) *rules.Node {
	if p.regular || token == nil || p.in.ignore == nil {
		return token
	}
	rules.EndsBefore(token, p.in.ignore)
	n := p.Tree.Sequence(token.At, token, p.in.ignore)
	p.lexemes = append(p.lexemes, lexeme{n, token, p.in.ignore, false})
	return n
}

func (p *parser) grammarLexeme(whole *rules.Node) *rules.Node {
	n := p.lexeme(whole)
	if n != whole {
		p.lexemes[len(p.lexemes)-1].grammar = true
	}
	return n
}

func (p *parser) text(t *token) (*rules.Node, error) {
	if p.peek().kind == tDots {
		return p.characters(t)
	}
	switch {
	case t.more > 0:
		n, err := p.pattern(t.at, quote(t.text), p.flags(t))
		return p.lexeme(n), err
	case t.text == "":
		return p.Tree.Sequence(t.at), nil
	}
	return p.lexeme(p.Tree.Node(rules.Node{Kind: rules.Text, At: t.at, Text: t.text})), nil
}

func quote(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf && r > ' ' && !isDigit(byte(r)) && !isLetter(byte(r)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (p *parser) characters(first *token) (*rules.Node, error) {
	p.pos++
	last := p.peek()
	if last.kind != tString || p.flags(first) != "" || p.flags(last) != "" ||
		utf8.RuneCountInString(first.text) != 1 || utf8.RuneCountInString(last.text) != 1 {
		return nil, p.Syntax(first.at, "a range is written \"a\"..\"z\", with one character on either side")
	}
	p.pos++
	lo, _ := utf8.DecodeRuneInString(first.text)
	hi, _ := utf8.DecodeRuneInString(last.text)
	if lo > hi {
		return nil, p.Syntax(first.at, "the range ends before it begins; write the lower character first")
	}
	return p.lexeme(p.Tree.Node(rules.Node{Kind: rules.Class, At: first.at, Pairs: charclass.OfText([]rune{lo, hi})})), nil
}

func (p *parser) regex(t *token) (*rules.Node, error) {
	if strings.Contains(p.flags(t), "l") {
		return nil, p.Failure(diag.Unsupported, t.at, "l", "a regular expression has no flag l; its flags are i, "+
			"m, s, u and x. Put a space before a name that begins with l")
	}
	// Characters are always code points.
	n, err := p.pattern(t.at, t.text, strings.ReplaceAll(p.flags(t), "u", ""))
	return p.lexeme(n), err
}

func (p *parser) pattern(at int, pattern, flags string) (*rules.Node, error) {
	before, behind := rules.FlagGroup(flags)
	re, err := regex.ParseNewline(p.O.Work, before+pattern+behind)
	if err != nil {
		within := at
		if strings.HasPrefix(p.src[at:], "/") {
			within++
		}
		return nil, p.InPattern(at, within, len(before), pattern, err)
	}
	return p.Pattern(at, pattern, &rules.Special{Regex: re, Flags: flags}), nil
}

func (p *parser) name(t *token) (*rules.Node, error) {
	if n := p.argument(t.text); n != nil {
		return n, nil
	}
	d := p.in.defs[t.text]
	if d == nil {
		return nil, p.undefined(t)
	}
	if next := p.peek(); next.is('{') && p.toks[p.pos+1].kind != tNumber && !p.toks[p.pos+1].is(',') {
		return p.template(t, d)
	}
	if p.peek().is(':') && p.toks[p.pos+1].is(':') {
		return p.useNumbered(t, d)
	}
	if d.numbered {
		return nil, p.Failure(diag.Invalid, t.at, t.text, "%s has a number as parameter; name it: %s::0", t.text,
			t.text)
	}
	if d.params != nil {
		return nil, p.Failure(diag.Invalid, t.at, t.text, "%s is a template; give it its arguments: %s{…}", t.text,
			t.text)
	}
	if isTerminal(d.name) {
		return p.lexeme(p.ref(t.at, d.rule)), nil
	}
	if err := p.mayRefer(t); err != nil {
		return nil, err
	}
	return p.ref(t.at, d.rule), nil
}

func (p *parser) mayRefer(t *token) error {
	switch {
	case !p.regular || p.inside != nil && !isTerminal(p.inside.name) && p.in.ignore == nil:
		return nil
	case p.inside != nil && isTerminal(p.inside.name):
		return p.Failure(diag.Invalid, t.at, t.text, "terminal %s refers to the rule %s, but only rules may do "+
			"that; write both names in lower case, or both in upper case", p.inside.name, t.text)
	}
	return p.Failure(diag.Invalid, t.at, t.text,
		"%s is a rule, but this place is inside one token, where no ignored text may stand; use terminals "+
			"here", t.text)
}

func (p *parser) undefined(t *token) error {
	hint := "define it: " + t.text + ": …"
	if _, ok := common[t.text]; ok {
		hint = "write %import common." + t.text
	}
	return p.Undefined(t.at, t.text, t.text, hint, func(yield func(string) bool) {
		for i := 0; i < len(p.in.order) && yield(p.in.order[i].name); i++ {
		}
	})
}
