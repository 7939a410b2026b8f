package ebnf

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// isMacro holds the names of macros. They are macros only before a parenthesis, if no rule has the name.
var isMacro = map[string]bool{
	"Token": true, "ExcludeToken": true, "Regex": true,
	"TagDispatch": true, "TokenTagDispatch": true, "Substring": true,
}

func (p *parser) macro(t *token) (*rules.Node, error) {
	p.pos++
	switch t.text {
	case "Regex":
		return p.regexMacro(t)
	case "Substring":
		return p.substring(t)
	case "TagDispatch":
		return p.tagDispatch(t)
	case "TokenTagDispatch":
		return p.tokenTagDispatch(t)
	}
	n := p.Tree.Node(rules.Node{Kind: rules.Token, At: t.at, Special: new(rules.Special)})
	if t.text == "ExcludeToken" {
		n.Kind = rules.NotToken
	}
	for p.peek().kind != tClose {
		ids, err := p.tokenArgument(t)
		if err != nil {
			return nil, err
		}
		n.Tokens = append(n.Tokens, ids...)
		if err := p.separator(t); err != nil {
			return nil, err
		}
	}
	p.pos++
	if n.Kind == rules.Token && len(n.Tokens) == 0 {
		return nil, p.Failure(diag.Invalid, t.at, t.text, "Token() names no token, so nothing matches it; give "+
			"it at least one id")
	}
	return n, nil
}

func (p *parser) tokenArgument(macro *token) ([][2]uint32, error) {
	a := p.peek()
	p.pos++
	switch a.kind {
	case tName:
		return p.tokenID(a.at, a.text)
	case tString:
		return p.tokensOf(a.at, a.text)
	}
	return nil, p.Syntax(a.at, "%s takes token ids or the texts of tokens, separated by commas", macro.text)
}

func (p *parser) separator(macro *token) error {
	switch t := p.peek(); t.kind {
	case tComma:
		p.pos++
	case tClose:
	default:
		return p.Syntax(t.at, "expected ',' or ')' in the arguments of %s", macro.text)
	}
	return nil
}

func (p *parser) tokenID(at int, digits string) ([][2]uint32, error) {
	id, err := p.TokenID(at, digits)
	return spelling.Singles(id), err
}

func (p *parser) tokensOf(at int, text string) ([][2]uint32, error) {
	ids, err := p.TokensOf(at, text)
	return spelling.Singles(ids...), err
}

func (p *parser) mark(t *token) (*rules.Node, error) {
	n := p.Tree.Node(rules.Node{Kind: rules.Token, At: t.at, Special: new(rules.Special)})
	if t.negated {
		n.Kind = rules.NotToken
	}
	var err error
	if inner := t.text; strings.HasPrefix(inner, "[") && strings.HasSuffix(inner, "]") && len(inner) > 1 {
		n.Tokens, err = p.tokenID(t.at, inner[1:len(inner)-1])
	} else {
		n.Tokens, err = p.tokensOf(t.at, p.src[t.end-len(inner)-2:t.end])
	}
	return n, err
}

func (p *parser) regexMacro(t *token) (*rules.Node, error) {
	pattern := p.peek()
	if pattern.kind != tString {
		return nil, p.Syntax(pattern.at, "Regex takes the pattern as a string: Regex(\"[a-z]+\")")
	}
	p.pos++
	x := new(rules.Special)
	if err := p.separator(t); err != nil {
		return nil, err
	}
	for p.peek().kind != tClose {
		if err := p.regexOption(x); err != nil {
			return nil, err
		}
		if err := p.separator(t); err != nil {
			return nil, err
		}
	}
	p.pos++
	before, behind := rules.FlagGroup(x.Flags)
	re, err := regex.Parse(p.O.Work, before+pattern.text+behind)
	if err != nil {
		return nil, p.InPattern(pattern.at, pattern.at+1, len(before), pattern.text, err)
	}
	x.Regex = re
	return p.Pattern(t.at, pattern.text, x), nil
}

func (p *parser) regexOption(x *rules.Special) error {
	name, equals := p.peek(), &p.toks[min(p.pos+1, len(p.toks)-1)]
	value := &p.toks[min(p.pos+2, len(p.toks)-1)]
	if name.kind != tName || equals.kind != tEquals {
		return p.Syntax(name.at, "expected json_string=true or flags=\"…\" in the arguments of Regex")
	}
	p.pos += 3
	switch {
	case name.text == "json_string" && value.kind == tName && (value.text == "true" || value.text == "false"):
		x.JSONString = value.text == "true"
		return nil
	case name.text == "flags" && value.kind == tString && strings.Trim(value.text, "isu") == "":
		x.Flags = value.text
		return nil
	case name.text == "json_string" || name.text == "flags":
		return p.Syntax(value.at, "json_string must be true or false, and flags a string of the letters i, s and u")
	}
	return p.Failure(diag.Unsupported, name.at, name.text, "Regex has no option %q; known are json_string and "+
		"flags", name.text)
}
