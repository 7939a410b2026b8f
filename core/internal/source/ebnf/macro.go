package ebnf

import (
	"errors"
	"strconv"
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
	n := p.tree.Node(rules.Node{Kind: rules.Token, At: t.at, Special: new(rules.Special)})
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
		return nil, failure(diag.Invalid, p.src, t.at, t.text, "Token() names no token, so nothing matches it; give "+
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
	return nil, p.syntax(a.at, "%s takes token ids or the texts of tokens, separated by commas", macro.text)
}

func (p *parser) separator(macro *token) error {
	switch t := p.peek(); t.kind {
	case tComma:
		p.pos++
	case tClose:
	default:
		return p.syntax(t.at, "expected ',' or ')' in the arguments of %s", macro.text)
	}
	return nil
}

func (p *parser) tokenID(at int, digits string) ([][2]uint32, error) {
	id, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return nil, p.syntax(at, "%q is not a token id; write a decimal number, or the token's text in double quotes",
			digits)
	}
	if n := p.o.TokenCount; n > 0 && id >= uint64(n) {
		return nil, failure(diag.Invalid, p.src, at, digits, "token id %d does not exist; the vocabulary has ids below "+
			"%d", id, n)
	}
	return spelling.Singles(uint32(id)), nil
}

func (p *parser) tokensOf(at int, text string) ([][2]uint32, error) {
	if p.o.TokenIDs == nil {
		return nil, failure(diag.Invalid, p.src, at, text, "a token's text can only be looked up in a vocabulary; "+
			"write its id")
	}
	ids := p.o.TokenIDs(text)
	if ids == nil {
		return nil, failure(diag.Invalid, p.src, at, text, "the vocabulary has no special or added token %q; write the "+
			"token's id, or put ordinary text in double quotes", text)
	}
	return spelling.Singles(ids...), nil
}

func (p *parser) mark(t *token) (*rules.Node, error) {
	n := p.tree.Node(rules.Node{Kind: rules.Token, At: t.at, Special: new(rules.Special)})
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
		return nil, p.syntax(pattern.at, "Regex takes the pattern as a string: Regex(\"[a-z]+\")")
	}
	p.pos++
	n := p.tree.Node(rules.Node{Kind: rules.Pattern, At: t.at, Text: pattern.text, Special: new(rules.Special)})
	if err := p.separator(t); err != nil {
		return nil, err
	}
	for p.peek().kind != tClose {
		if err := p.regexOption(n); err != nil {
			return nil, err
		}
		if err := p.separator(t); err != nil {
			return nil, err
		}
	}
	p.pos++
	text, before := flagged(n.Text, n.Flags)
	re, err := regex.Parse(p.o.Work, text)
	if err != nil {
		return nil, p.inPattern(pattern, before, err)
	}
	n.Regex = re
	return n, nil
}

// flagged returns a pattern that sets the flags itself, and the number of bytes before the original pattern.
func flagged(pattern, flags string) (text string, before int) {
	flags = strings.ReplaceAll(flags, "u", "") // characters are always code points
	if flags == "" {
		return pattern, 0
	}
	return "(?" + flags + ":" + pattern + ")", len(flags) + len("(?:")
}

func (p *parser) regexOption(n *rules.Node) error {
	name, equals := p.peek(), &p.toks[min(p.pos+1, len(p.toks)-1)]
	value := &p.toks[min(p.pos+2, len(p.toks)-1)]
	if name.kind != tName || equals.kind != tEquals {
		return p.syntax(name.at, "expected json_string=true or flags=\"…\" in the arguments of Regex")
	}
	p.pos += 3
	switch {
	case name.text == "json_string" && value.kind == tName && (value.text == "true" || value.text == "false"):
		n.JSONString = value.text == "true"
		return nil
	case name.text == "flags" && value.kind == tString && strings.Trim(value.text, "isu") == "":
		n.Flags = value.text
		return nil
	case name.text == "json_string" || name.text == "flags":
		return p.syntax(value.at, "json_string must be true or false, and flags a string of the letters i, s and u")
	}
	return failure(diag.Unsupported, p.src, name.at, name.text, "Regex has no option %q; known are json_string and "+
		"flags", name.text)
}

// inPattern gives an error of the regular expression its place in the grammar: the exact one if the string has no
// escapes, else its beginning. before is the number of bytes before the pattern.
func (p *parser) inPattern(t *token, before int, err error) error {
	var e *diag.Error
	if !errors.As(err, &e) {
		return err
	}
	at := t.at
	if off := e.Place.Offset - before; p.src[t.at+1:t.end-1] == t.text && off >= 0 && off <= len(t.text) {
		at += 1 + off
	}
	return failure(e.Code, p.src, at, e.Keyword, "in the pattern %q: %s", diag.Shorten(t.text, 40), e.Message)
}
