package ebnf

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// Normal reads a grammar and prints it.
func Normal(text string, o *source.Options, token func(id uint32) string) (string, error) {
	p, err := read(text, o)
	if err != nil {
		return "", err
	}
	out, err := Print(p.Tree, o, token)
	if err != nil {
		return "", err
	}
	return out, p.resolveAheads() // changes the tree, and may refuse it
}

// Print prints a tree as a grammar that Parse reads as the same tree, with the start rule "root". It fails for
// elements without a form in EBNF. token returns the text to print for a token, or "" to print its id. Of the options
// only Work is used.
func Print(t *rules.Tree, o *source.Options, token func(id uint32) string) (string, error) {
	p := &printer{tree: t, work: o.Work, token: token, used: map[string]int{}, apart: map[*rules.Node]string{}}
	p.nameRules()
	if p.names[t.Start] != DefaultStart {
		p.put(DefaultStart, " ::= ", p.names[t.Start], "\n")
	}
	for i := range t.Rules {
		p.rule(p.names[i], t.Rules[i].Body)
	}
	for len(p.queue) > 0 && p.err == nil {
		n := p.queue[0]
		p.queue = p.queue[1:]
		p.rule(p.apart[n], n)
	}
	return p.out.String(), p.err
}

// printer prints a tree. Its methods stop after the first error.
type printer struct {
	tree  *rules.Tree
	work  *work.Meter
	token func(id uint32) string
	names []string
	used  map[string]int         // names -> number of names made from it
	apart map[*rules.Node]string // names of the rules of elements with options
	queue []*rules.Node
	out   strings.Builder
	err   error
}

func (p *printer) nameRules() {
	p.names = make([]string, len(p.tree.Rules))
	for i := range p.tree.Rules {
		name := p.tree.Rules[i].Name
		if name == DefaultStart && i != p.tree.Start || isMacro[name] {
			name += ".2"
		}
		p.names[i] = p.newName(name)
	}
}

func (p *printer) newName(like string) string {
	like = strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && isName(byte(r)) {
			return r
		}
		return '-'
	}, like)
	name := like
	for p.used[name] > 0 { // repeated only if another rule is called like.2
		p.used[like]++
		name = like + "." + strconv.Itoa(p.used[like])
	}
	p.used[name] = 1
	return name
}

func (p *printer) put(texts ...string) {
	for _, text := range texts {
		if p.err != nil {
			return
		}
		if p.out.Len()+len(text) > limits.SpecBytes {
			start := p.tree.Rules[p.tree.Start]
			p.err = p.tree.Failure(diag.Limit, start.At, start.Name, "the grammar is longer than %d bytes in EBNF; "+
				"write repeated parts as rules", limits.SpecBytes)
			return
		}
		p.out.WriteString(text)
	}
}

func (p *printer) refuse(n *rules.Node, format string, args ...any) {
	p.fail(diag.Unsupported, n, format, args...)
}

func (p *printer) fail(code diag.Code, n *rules.Node, format string, args ...any) {
	if p.err == nil {
		p.err = p.tree.Failure(code, n.At, "", format, args...)
	}
}

func (p *printer) rule(name string, body *rules.Node) {
	p.put(name)
	if body.Kind == rules.Attributed {
		body = p.options(body)
	}
	p.put(" ::= ")
	p.print(body, rules.Alt)
	p.put("\n")
}

func (p *printer) options(n *rules.Node) *rules.Node {
	w := n.Options
	if w.Ignored {
		p.refuse(n, "captures beside %%ignore have no form in EBNF; write the ignored text into the rules")
	}
	body, lazy, end := n.Subs[0], w.Lazy && w.End == nil, ""
	switch {
	case w.End == nil:
	case w.End.Kind == rules.Text:
		end = w.End.Text
	case w.Capture != "" || w.EndCapture != "" || w.Hidden || w.Bounded:
		p.refuse(n, "in EBNF only a string can end a rule that is captured or has max_chars; write the end as a "+
			"string")
	default: // a part of a lazy rule
		body, lazy = p.tree.Sequence(n.At, body, w.End), true
	}
	sep := "["
	option := func(set bool, name, value string) {
		if set {
			p.put(sep, name, value)
			sep = ", "
		}
	}
	option(lazy, "lazy", "")
	option(w.Capture != "", "capture=", quoted(w.Capture))
	option(end != "" && w.Hidden, "stop=", quoted(end))
	option(end != "" && !w.Hidden, "suffix=", quoted(end))
	option(w.EndCapture != "", "stop_capture=", quoted(w.EndCapture))
	option(w.Bounded, "max_chars=", strconv.FormatUint(uint64(w.MaxChars), 10))
	if w.Limited && n.Behind != nil {
		p.refuse(n, "max_tokens beside %%ignore has no form in EBNF; write the ignored text into the rules")
	}
	option(w.Limited, "max_tokens=", strconv.FormatUint(uint64(w.MaxTokens), 10))
	option(w.Heated, "temperature=", strconv.FormatFloat(w.Temperature, 'f', -1, 64))
	p.put("]")
	return body
}

// print writes n, in parentheses if it binds more loosely than within.
func (p *printer) print(n *rules.Node, within rules.Kind) {
	if p.err != nil {
		return
	}
	p.work.Spend(rules.NodeWork)
	if n.Kind == rules.Attributed {
		p.put(p.ownRule(n))
		return
	}
	ahead := n.Kind == rules.Followed && n.Subs[0] != nil // two elements
	group := n.Kind == rules.Alt && within != rules.Alt ||
		(n.Kind == rules.Seq || ahead) && (within == rules.Repeat || within == rules.Seq) ||
		n.Kind == rules.Repeat && within == rules.Repeat
	if group {
		p.put("(")
		defer p.put(")")
	}
	switch n.Kind {
	case rules.Nothing:
		p.put(`""`)
	case rules.Text:
		p.put(quoted(n.Text))
	case rules.Class:
		p.put(class(n.Pairs))
	case rules.Ref:
		p.put(p.names[n.Rule])
	case rules.Seq:
		p.list(n.Subs, " ", rules.Seq)
	case rules.Alt:
		if len(n.Subs) == 0 {
			p.refuse(n, "a part that matches nothing has no form in EBNF; leave it out")
		}
		p.list(n.Subs, " | ", rules.Nothing)
	case rules.Repeat:
		p.print(n.Subs[0], rules.Repeat)
		p.put(quantifier(n.Min, n.Max))
	case rules.Followed:
		p.put("(= ")
		p.print(n.Subs[1], rules.Alt)
		p.put(")")
		if ahead {
			p.put(" ")
			p.print(n.Subs[0], rules.Seq)
		}
	default:
		p.macro(n)
	}
}

func (p *printer) list(subs []*rules.Node, between string, within rules.Kind) {
	for i, sub := range subs {
		if i > 0 {
			p.put(between)
		}
		p.print(sub, within)
	}
}

func (p *printer) ownRule(n *rules.Node) string {
	if p.apart[n] == "" {
		p.apart[n] = p.newName("part")
		p.queue = append(p.queue, n)
	}
	return p.apart[n]
}

func (p *printer) macro(n *rules.Node) {
	switch n.Kind {
	case rules.Pattern:
		p.pattern(n)
	case rules.Substring:
		p.put("Substring(", quotedList(n.Chunks), ")")
	case rules.Dispatch:
		p.dispatch(n)
	case rules.Token:
		p.tokens("Token(", n)
	case rules.NotToken:
		p.tokens("ExcludeToken(", n)
	case rules.Both, rules.Other:
		p.refuse(n, "& and ~, and ignored text behind a terminal that may be empty, have no form in EBNF; write a "+
			"regular expression")
	case rules.Schema:
		p.refuse(n, "%%json has no form in EBNF; write the JSON as rules, or keep the grammar in Lark")
	default:
		p.refuse(n, "this has no form in EBNF")
	}
}

func (p *printer) pattern(n *rules.Node) {
	text, flags := n.Text, n.Flags
	if strings.ContainsAny(flags, "xm") {
		before, behind := rules.FlagGroup(flags)
		text, flags = before+text+behind, ""
	}
	for _, text := range []string{text, withoutDots(text)} {
		before, behind := rules.FlagGroup(flags)
		re, err := regex.Parse(p.work, before+text+behind)
		if err != nil || !regex.Same(re, n.Regex) {
			continue
		}
		p.put("Regex(", quoted(text))
		if n.JSONString {
			p.put(", json_string=true")
		}
		if flags != "" {
			p.put(", flags=", quoted(flags))
		}
		p.put(")")
		return
	}
	p.refuse(n, `in EBNF a dot leaves out all line ends, so this pattern would change its meaning; write [^\n] `+
		"for the dot")
}

// withoutDots replaces the dots outside of classes by their meaning in Python and Rust.
func withoutDots(pattern string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			b.WriteByte(c)
			i++
		case c == '[':
			depth++
		case c == ']' && depth > 0:
			depth--
		case c == '.' && depth == 0:
			b.WriteString(`[^\n]`)
			continue
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}

func (p *printer) dispatch(n *rules.Node) {
	p.put("TagDispatch(")
	for i, sub := range n.Subs {
		p.put("(", quoted(n.Chunks[i]), ", ", p.names[sub.Rule], "), ")
	}
	p.put("loop_after_dispatch=", strconv.FormatBool(n.Max != 1))
	if len(n.Excludes) > 0 {
		p.put(", excludes=(", quotedList(n.Excludes), ")")
	}
	p.put(")")
}

// tokens writes single ids, because EBNF has no ranges of them.
func (p *printer) tokens(name string, n *rules.Node) {
	count, sep := uint64(0), ""
	for _, ids := range n.Tokens {
		count += uint64(ids[1]-ids[0]) + 1
	}
	if count > limits.RuleElements/2 { // with a comma behind each
		p.fail(diag.Limit, n, "EBNF lists each token of a range, and this range has %d, more than the limit of %d; "+
			"name fewer tokens",
			count, limits.RuleElements/2)
		return
	}
	p.put(name)
	for _, ids := range n.Tokens {
		for id := uint64(ids[0]); id <= uint64(ids[1]); id++ {
			text := p.token(uint32(id))
			if text != "" {
				text = quoted(text)
			} else {
				text = strconv.FormatUint(id, 10)
			}
			p.put(sep, text)
			sep = ", "
		}
	}
	p.put(")")
}

func quotedList(texts []string) string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = quoted(text)
	}
	return strings.Join(out, ", ")
}

func quantifier(minimum, maximum uint32) string {
	for c, q := range simpleQuantifiers {
		if q == [2]uint32{minimum, maximum} {
			return string(rune(c))
		}
	}
	switch maximum {
	case minimum:
		return fmt.Sprintf("{%d}", minimum)
	case grammar.Unbounded:
		return fmt.Sprintf("{%d,}", minimum)
	}
	return fmt.Sprintf("{%d,%d}", minimum, maximum)
}

func quoted(text string) string {
	b := []byte{'"'}
	for _, r := range text {
		b = appendRune(b, r, `"\`)
	}
	return string(append(b, '"'))
}

func class(pairs []rune) string {
	b := []byte{'['}
	if pairs[len(pairs)-1] == utf8.MaxRune {
		b, pairs = append(b, '^'), charclass.OthersOfText(pairs)
	}
	for i := 0; i < len(pairs); i += 2 {
		b = appendRune(b, pairs[i], `]\-^`)
		if pairs[i] == pairs[i+1] {
			continue
		}
		if pairs[i]+1 < pairs[i+1] {
			b = append(b, '-')
		}
		b = appendRune(b, pairs[i+1], `]\-^`)
	}
	return string(append(b, ']'))
}

func appendRune(b []byte, r rune, special string) []byte {
	switch {
	case r < 0x7F && strings.IndexByte(special, byte(r)) >= 0:
		return append(b, '\\', byte(r))
	case r == '\n':
		return append(b, `\n`...)
	case r == '\r':
		return append(b, `\r`...)
	case r == '\t':
		return append(b, `\t`...)
	case unicode.IsPrint(r) && !unicode.IsMark(r):
		return utf8.AppendRune(b, r)
	}
	letter, digits := byte('u'), 4
	if r > 0xFFFF {
		letter, digits = 'U', 8
	}
	b = append(b, '\\', letter)
	for digits--; digits >= 0; digits-- {
		b = append(b, "0123456789ABCDEF"[r>>(4*digits)&0xF])
	}
	return b
}
