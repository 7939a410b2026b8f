package regex

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// group reads a construct that begins with a parenthesis: any group, a look-around, a comment or flags. Comments and
// flags return no node.
func (p *parser) group() (*Node, error) {
	pos := p.at
	if p.depth++; p.depth > limits.RegexNesting {
		return nil, p.fail(diag.Limit, pos, "(", "groups nest deeper than %d levels; remove groups around a single "+
			"element", limits.RegexNesting)
	}
	p.deepest = max(p.deepest, p.depth)
	defer func() { p.depth-- }()
	outer := p.flags
	p.at++
	wrap := func(x *Node) *Node { return x }
	if p.has("?") {
		p.at++
		w, done, err := p.groupKind(pos)
		if done || err != nil {
			return nil, err
		}
		wrap = w
	}
	x, err := p.alternation()
	if err != nil {
		return nil, err
	}
	if !p.more() {
		return nil, p.fail(diag.Syntax, pos, "(", "this group is never closed; add ) or write \\( for the character")
	}
	p.at++
	p.flags = outer
	return wrap(x), nil
}

// groupKind reads the text between "(?" and the group's content. done: there is no content.
func (p *parser) groupKind(pos int) (wrap func(*Node) *Node, done bool, err error) {
	plain := func(x *Node) *Node { return x }
	looking := func(prefix string, behind, negative bool) bool {
		if !p.has(prefix) {
			return false
		}
		p.at += len(prefix)
		wrap = func(x *Node) *Node {
			return p.new(Node{Op: OpLook, Behind: behind, Negative: negative, Pos: pos, Subs: []*Node{x}})
		}
		return true
	}
	if looking("=", false, false) || looking("!", false, true) || looking("<=", true, false) ||
		looking("<!", true, true) {
		return wrap, false, nil
	}
	switch {
	case p.has(":"), p.has("|"):
		p.at++
		return plain, false, nil
	case p.has(">"):
		p.at++
		return func(x *Node) *Node { return p.new(Node{Op: OpAtomic, Pos: pos, Subs: []*Node{x}}) }, false, nil
	case p.has("#"):
		end := strings.IndexByte(p.text[p.at:], ')')
		if end < 0 {
			return nil, false, p.fail(diag.Syntax, pos, "(?#", "this comment is never closed; add )")
		}
		p.at += end + 1
		return nil, true, nil
	case p.has("<"), p.has("'"):
		return plain, false, p.groupName(pos, 1)
	case p.has("P<"):
		return plain, false, p.groupName(pos, 2)
	case p.has("P="):
		return nil, false, p.backReference(pos)
	case p.more() && strings.IndexByte("R0123456789+&(CP", p.text[p.at]) >= 0,
		len(p.text) > p.at+1 && p.text[p.at] == '-' && p.text[p.at+1] >= '0' && p.text[p.at+1] <= '9':
		return nil, false, p.fail(diag.Unsupported, pos, "(?"+p.text[p.at:p.at+1],
			"recursion, conditions and callouts are not regular; write the repetition out, or use a grammar")
	}
	return p.groupFlags(pos)
}

// groupName skips the name of a capturing group, which does not change matches. skip is the length of the opener.
func (p *parser) groupName(pos, skip int) error {
	closer := byte('>')
	if p.text[p.at] == '\'' {
		closer = '\''
	}
	p.at += skip
	end := strings.IndexByte(p.text[p.at:], closer)
	if end < 0 {
		return p.fail(diag.Syntax, pos, "(?<", "the group's name is never closed; add %c", closer)
	}
	name := p.text[p.at : p.at+end]
	if name == "" || strings.ContainsAny(name, "()[]{}|\\^$*+?.,;:/<>=!# \t\r\n") {
		return p.fail(diag.Syntax, pos, "(?<", "`%s` is not a name for a group; use letters, digits and underscores",
			diag.Shorten(name, 24))
	}
	p.at += end + 1
	return nil
}

func (p *parser) groupFlags(pos int) (wrap func(*Node) *Node, done bool, err error) {
	f, on := p.flags, true
	for start := p.at; p.more(); p.at++ {
		switch c := p.text[p.at]; c {
		case 'i':
			f.fold = on
		case 'm':
			f.multiline = on
		case 's':
			f.dotAll = on
		case 'x':
			if p.has("xx") {
				return nil, false, p.fail(diag.Unsupported, p.at, "xx",
					"flag xx is not supported; use x and leave spaces out of classes")
			}
			f.extended = on
		case 'u':
		case '-':
			if !on {
				return nil, false, p.fail(diag.Syntax, p.at, "(?", "a flag group has at most one minus sign")
			}
			on = false
		case ')', ':':
			if p.at == start && c == ')' {
				return nil, false, p.fail(diag.Syntax, pos, "(?",
					`a group (?) without flags means nothing; remove it, or write \(\? for the characters`)
			}
			p.flags = f
			p.at++
			return func(x *Node) *Node { return x }, c == ')', nil
		default:
			return nil, false, p.fail(diag.Unsupported, p.at, "(?",
				"there is no such group or flag; known are (?: (?= (?! (?<= (?<! (?> (?<name> (?# and the flags i m s "+
					"u x")
		}
	}
	return nil, false, p.fail(diag.Syntax, pos, "(?", "this group is never closed; add )")
}

func (p *parser) backReference(pos int) error {
	return p.fail(diag.Unsupported, pos, "back-reference", "a back-reference is not regular; write out the texts that "+
		"the group may match, or use a grammar with a rule for each")
}
