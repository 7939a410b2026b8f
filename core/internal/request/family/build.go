package family

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// Choice says which tools an output may or must call.
type Choice uint8

// The choices.
const (
	Auto     Choice = iota // any of them, or none
	Required               // at least one
	Named                  // exactly once the only one that there is
	None                   // none
)

// String returns the choice's name.
func (c Choice) String() string { return [...]string{"auto", "required", "named", "none"}[c] }

// Thinking says whether an output has reasoning in it.
type Thinking uint8

// Whether there is reasoning.
const (
	Off   Thinking = iota // none
	On                    // it comes first
	Maybe                 // it comes first, if there is any
)

// Tool is something that a model may call. Immutable.
type Tool struct {
	Name    string
	Index   int // among the tools of the request
	Kind    ToolKind
	Schema  string  // JSON; of its arguments
	Pointer string  // place of the schema in the request; "": it has none
	Closed  bool    // undeclared members are forbidden
	Format  *Format // of its input, if that is or was raw text; places in Schema are meaningless then
	Free    bool    // the arguments are any object, and Schema only tells readers their types
}

// ToolKind says how a tool is called.
type ToolKind uint8

// The kinds of Tool.
const (
	Function ToolKind = iota // with arguments in JSON
	Builtin                  // so, and the engine has it itself
	Raw                      // with raw text
)

// Use is a family's input for one request.
type Use struct {
	Tools     []Tool // the ones that may be called
	Choice    Choice
	Parallel  bool // more than one call
	Reasoning Thinking
	Answer    *Format // nil: free text
}

// builder is the state of one Document. One goroutine.
type builder struct {
	f          *Family
	use        *Use
	vocabulary Vocabulary         // nil: none at hand
	splits     map[string][]piece // of texts that were split
	err        error
}

// An opener is a way to begin a call, or a section of calls: a common beginning up to its last token, and tags that
// begin with text.
type opener struct {
	prefix []format
	tags   []format
}

// Document returns the structural tag for a request. v may be nil; then no text is a token.
func (f *Family) Document(u *Use, v Vocabulary) (*Document, error) {
	b := &builder{f: f, use: u, vocabulary: v, splits: map[string][]piece{}}
	if u.Reasoning == On && f.Reasoning == nil {
		return nil, diag.Errorf(diag.Argument, "options", diag.At("/reasoning"),
			`reasoning must not be "on", since the family %s has no reasoning; leave the option out`, f.Name)
	}
	out := b.message()
	if b.err != nil {
		return nil, b.err
	}
	d := write(out)
	if len(d.Text) > limits.SpecBytes {
		return nil, diag.Errorf(diag.Limit, "request", diag.At("/tools"),
			"the tools take more than %d bytes as the family %s writes them; offer fewer", limits.SpecBytes, f.Name)
	}
	return d, nil
}

func (b *builder) fail(format string, args ...any) { b.failAt("/tools", format, args...) }

// failTool records an error about one tool.
func (b *builder) failTool(t *Tool, format string, args ...any) {
	b.failAt("/tools/"+strconv.Itoa(t.Index), format, args...)
}

func (b *builder) failAt(pointer, format string, args ...any) {
	if b.err == nil {
		b.err = diag.Errorf(diag.Unsupported, "request", diag.At(pointer), format, args...)
	}
}

// special reports whether the vocabulary has a special token with this spelling.
func (b *builder) special(text string) bool { return b.vocabulary != nil && b.vocabulary.Special(text) }

func (b *builder) message() format {
	var openers []opener
	if b.use.Choice != None && len(b.use.Tools) > 0 {
		openers = b.openers()
	}
	switch {
	case b.f.Separator != "":
		return b.messages(openers)
	case b.f.Content != nil:
		return b.blocks(openers)
	}
	return sequence(append(b.reasoning(), b.region(openers)...)...)
}

// reasoning returns the block of reasoning as the beginning of an output, or nothing.
func (b *builder) reasoning() []format {
	x := b.f.Reasoning
	if x == nil || b.use.Reasoning == Off {
		return nil
	}
	opened := x.Opened && b.use.Reasoning == On
	thought := anyText(least(x.Begin))
	if opened { // some models of such families write the begin themselves, after prompts without it
		thought = sequence(optional(b.anyOf(x.Begin)), thought)
	}
	whole := b.block(&x.Block, opened, thought)
	if x.After != nil {
		whole = sequence(whole, b.anyOf(x.After))
	}
	if b.use.Reasoning == Maybe {
		whole = optional(whole)
	}
	return []format{whole}
}

// excludes returns the texts that free text outside of reasoning must not contain: reserved texts, marks of reasoning,
// and others; triggers of calls are left out.
func (b *builder) excludes(triggers []string, others ...string) []string {
	all := slices.Concat(b.f.Reserved, others)
	if x := b.f.Reasoning; x != nil {
		all = slices.Concat(all, x.Begin, x.End)
	}
	return slices.DeleteFunc(least(all), func(x string) bool {
		return slices.ContainsFunc(triggers, func(t string) bool { return strings.HasPrefix(t, x) })
	})
}

// least returns, in order, the texts that contain no other one of them.
func least(texts []string) []string {
	all := slices.Clone(texts)
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(x string) bool {
		return slices.ContainsFunc(all, func(y string) bool { return y != x && strings.Contains(x, y) })
	})
}

// answer returns the format of text for the user.
func (b *builder) answer(others ...string) format {
	if b.use.Answer != nil {
		return b.use.Answer.foreign()
	}
	return anyText(b.excludes(nil, others...))
}

// region returns an output of text and calls side by side.
func (b *builder) region(openers []opener) []format {
	if len(openers) == 0 {
		if len(b.use.Tools) > 0 { // no call, with tools at hand
			return []format{b.answer(b.triggers()...)}
		}
		return []format{b.answer()}
	}
	if b.use.Choice == Named {
		return b.led([]format{b.one(openers)})
	}
	switch {
	case b.use.Choice == Required:
		return b.led(b.calls(openers))
	case b.use.Answer != nil:
		return []format{or(b.answer(), sequence(b.led(b.onlyCalls(openers))...))}
	case !b.f.BesideText && b.f.Triggers != nil:
		return []format{or(b.answer(b.triggers()...), sequence(b.led(b.calls(openers))...))}
	}
	return b.mixed(openers, false)
}

// triggers returns the beginnings of calls, one for each tool if its name is part of them.
func (b *builder) triggers() (out []string) {
	for _, t := range b.f.Triggers {
		if !strings.Contains(t, toolName) {
			out = append(out, t)
			continue
		}
		for i := range b.use.Tools {
			out = append(out, strings.ReplaceAll(t, toolName, b.use.Tools[i].Name))
		}
	}
	return out
}

// led returns calls behind the text that may lead to them.
func (b *builder) led(calls []format) []format {
	if b.f.Lead == "" {
		return calls
	}
	return append([]format{optional(sequence(b.fixed(b.f.Lead)...))}, calls...)
}

// calls returns the formats of at least one call, and of later calls if they may stand beside each other.
func (b *builder) calls(openers []opener) []format {
	beside := b.f.BesideText && b.f.Triggers != nil
	switch {
	case !b.several(), b.f.Calls != nil && !beside:
		return []format{b.one(openers)}
	case !beside:
		return []format{b.one(openers), star(b.one(openers))}
	}
	return b.mixed(openers, true)
}

// several reports whether an output may have several calls.
func (b *builder) several() bool {
	nameless := slices.ContainsFunc(slices.Concat(b.f.Call, b.f.Input), func(t Template) bool { return !t.named() })
	return b.use.Parallel && !nameless
}

// onlyCalls is calls with nothing but whitespace between and after them.
func (b *builder) onlyCalls(openers []opener) []format {
	if !b.several() || !b.f.BesideText || b.f.Triggers == nil {
		return b.calls(openers)
	}
	if b.f.Calls != nil {
		return []format{b.one(openers)}
	}
	blank := pattern(`[ \t\r\n]*`)
	return []format{b.one(openers), star(sequence(blank, b.one(openers))), blank}
}

// mixed returns free text with calls in it, or a call and then such text.
func (b *builder) mixed(openers []opener, call bool) []format {
	if b.f.Triggers == nil {
		b.fail(`the family %s does not mark where text turns into a call; set tool_choice to "required"`, b.f.Name)
		return nil
	}
	if b.f.Calls != nil {
		return b.around(openers, call)
	}
	var texts []format
	var tokens []opener
	for _, o := range openers {
		if len(o.prefix) == 0 {
			texts = append(texts, o.tags...)
		} else {
			tokens = append(tokens, o)
		}
	}
	text := anyText(b.excludes(nil))
	if len(texts) > 0 {
		first := call && len(tokens) == 0
		text = triggered(openedBy(b.f.Triggers, texts), texts, first, !b.several(), b.excludes(b.f.Triggers))
	}
	switch {
	case len(tokens) == 0:
		return []format{text}
	case call:
		return []format{b.one(openers), text, star(sequence(b.one(tokens), text))}
	case b.several():
		return []format{text, star(sequence(b.one(tokens), text))}
	case len(texts) == 0:
		return []format{text, optional(b.one(tokens))}
	}
	return []format{or(text, sequence(anyText(b.excludes(nil)), b.one(tokens)))}
}

// around returns free text with one section of calls in it, or such a section followed by text. Readers look for one
// section, which may hold several calls; if nothing marks its end, they take later text for calls.
func (b *builder) around(openers []opener, call bool) []format {
	text := anyText(b.excludes(nil, b.triggers()...))
	section := []format{b.one(openers)}
	if b.several() && !slices.Contains(b.f.Calls.End, "") {
		section = append(section, text)
	}
	if call {
		return section
	}
	return []format{text, optional(sequence(section...))}
}

// openedBy returns the triggers that begin some tag: others may be tokens.
func openedBy(triggers []string, tags []format) []string {
	return slices.DeleteFunc(slices.Clone(triggers), func(t string) bool {
		return !slices.ContainsFunc(tags, func(f format) bool {
			begin, ok := f[1].value.(string) // see tag
			return ok && strings.HasPrefix(begin, t)
		})
	})
}

// blocks returns an output whose text has a block of its own, before the calls or instead of them.
func (b *builder) blocks(openers []opener) format {
	parts := b.reasoning()
	opened := b.f.Content.Opened && b.use.Reasoning == Off
	content := b.block(b.f.Content, opened, b.answer())
	var calls format
	if len(openers) > 0 {
		calls = b.one(openers)
		if b.f.Calls == nil && b.use.Parallel && b.use.Choice != Named {
			calls = sequence(calls, star(calls))
		}
	}
	switch {
	case calls == nil:
		parts = append(parts, content)
	case !b.f.BesideText && b.use.Choice == Auto:
		parts = append(parts, or(content, calls))
	case !b.f.BesideText:
		parts = append(parts, calls)
	case b.use.Choice == Auto:
		parts = append(parts, content, optional(calls))
	default:
		parts = append(parts, content, calls)
	}
	return sequence(append(parts, b.fixed(b.f.Finish)...)...)
}

// messages returns an output of several messages: reasoning, preambles and calls, and at the end an answer or a call.
func (b *builder) messages(openers []opener) format {
	var before, last []format
	var thought format
	if x := b.f.Reasoning; x != nil && b.use.Reasoning != Off {
		thought = b.block(&x.Block, false, anyText(b.excludes(nil)))
		before = append(before, thought)
	}
	if x := b.f.Preamble; x != nil {
		before = append(before, b.block(x, false, anyText(b.excludes(nil))))
	}
	if b.use.Choice == Auto || len(openers) == 0 {
		last = append(last, b.block(b.f.Content, false, b.answer()))
	}
	if len(openers) > 0 {
		call := b.one(openers)
		last = append(last, call)
		if b.use.Parallel && b.use.Choice != Named {
			before = append(before, call)
		}
	}
	var parts []format
	if len(before) > 0 {
		parts = append(parts, star(sequence(append([]format{or(before...)}, b.fixed(b.f.Separator)...)...)))
	}
	if b.use.Reasoning == On {
		parts = append(append([]format{thought}, b.fixed(b.f.Separator)...), parts...)
	}
	return sequence(append(parts, or(last...))...)
}

// one returns exactly one call, or one section of calls.
func (b *builder) one(openers []opener) format {
	var alternatives []format
	for _, o := range openers {
		choice := o.tags[0]
		if len(o.tags) > 1 {
			choice = separated(o.tags, "", true)
		}
		alternatives = append(alternatives, sequence(append(slices.Clone(o.prefix), choice)...))
	}
	return or(alternatives...)
}

// openers returns how an output turns to calls.
func (b *builder) openers() []opener {
	var calls []opener
	if b.checkNames(); b.err != nil {
		return nil
	}
	offered := slices.Clone(b.use.Tools)
	if len(b.f.Input) == 0 {
		for i := range offered {
			offered[i] = asFunction(offered[i])
		}
	}
	for _, x := range []struct {
		kind      ToolKind
		templates []Template
		what      string
	}{
		{Function, b.f.Call, "functions"},
		{Builtin, b.f.Builtin, "tools of the engine"},
		{Raw, b.f.Input, "tools whose input is text of a grammar"},
	} {
		tools := slices.DeleteFunc(slices.Clone(offered), func(t Tool) bool { return t.Kind != x.kind })
		if len(tools) == 0 {
			continue
		}
		if len(x.templates) == 0 {
			b.failTool(&tools[0], "the family %s has no form for calls of %s such as %q; remove this tool", b.f.Name,
				x.what, tools[0].Name)
			return nil
		}
		for i := range x.templates {
			calls = append(calls, b.opener(&x.templates[i], tools))
		}
	}
	switch {
	case b.err != nil:
		return nil // openers without a call
	case b.f.Calls != nil:
		return b.sections(b.f.Calls, calls)
	}
	return calls
}

// asFunction returns a tool with text input as a function with one string argument: engines offer it in this form to
// models that write all arguments as JSON.
func asFunction(t Tool) Tool {
	if t.Kind != Raw || t.Format.Type != "any_text" && t.Format.Type != "regex" {
		return t
	}
	pattern := ""
	if t.Format.Type == "regex" {
		var text string
		if json.Unmarshal([]byte(t.Format.Value), &text) != nil {
			return t
		}
		whole, err := json.Marshal("^(?:" + text + ")$")
		if err != nil {
			return t
		}
		pattern = `,"pattern":` + string(whole)
	}
	t.Kind, t.Pointer = Function, t.Format.Pointer
	t.Schema = `{"type":"object","properties":{"input":{"type":"string"` + pattern +
		`}},"required":["input"],"additionalProperties":false}`
	return t
}

func (b *builder) opener(t *Template, tools []Tool) (o opener) {
	if !t.named() && len(tools) > 1 {
		b.fail("calls of the family %s do not name the tool; offer one tool, or name one in tool_choice", b.f.Name)
		return o
	}
	head := b.split(t.head())
	prefix := 0
	for i, p := range head {
		if p.token {
			prefix = i + 1
		}
	}
	for _, p := range head[:prefix] {
		o.prefix = append(o.prefix, p.asFormat())
	}
	for i := range tools {
		o.tags = append(o.tags, b.call(t, &tools[i], prefix))
	}
	return o
}

// call returns the call of one tool as a tag, without the first pieces of the template.
func (b *builder) call(t *Template, tool *Tool, skip int) format {
	var pieces []piece
	text := func(s string) {
		if n := len(pieces); n > 0 && pieces[n-1].format == nil && !pieces[n-1].token {
			pieces[n-1].text += s
			return
		}
		pieces = append(pieces, piece{text: s})
	}
	for _, p := range t.parts {
		switch p.Kind {
		case Literal:
			for _, x := range b.split(p.Text) {
				if x.token {
					pieces = append(pieces, x)
				} else {
					text(x.text)
				}
			}
		case ToolName:
			text(tool.Name)
		case Index:
			pieces = append(pieces, piece{format: pattern(`0|[1-9][0-9]{0,5}`)})
		case ID:
			pieces = append(pieces, piece{format: pattern(`[a-zA-Z0-9]{9}`)})
		case Arguments:
			pieces = append(pieces, piece{format: b.arguments(tool)})
		case Input:
			pieces = append(pieces, piece{format: tool.Format.foreign()})
		}
	}
	pieces = pieces[skip:]
	begin, end := any(""), any("")
	if p := pieces[0]; p.format == nil && !p.token {
		begin, pieces = p.text, pieces[1:]
	}
	if p := pieces[len(pieces)-1]; p.token {
		end, pieces = token(p.text), pieces[:len(pieces)-1]
	} else if p.format == nil {
		end, pieces = p.text, pieces[:len(pieces)-1]
	}
	content := make([]format, len(pieces))
	for i, p := range pieces {
		content[i] = p.asFormat()
	}
	return tag(begin, end, sequence(content...))
}

func (b *builder) arguments(tool *Tool) format {
	schema := raw{tool.Schema, tool.Pointer, tool.Format != nil}
	if tool.Free {
		schema = raw{text: `{"type":"object"}`}
	}
	f := format{{"type", "json_schema"}, {"json_schema", schema}, {"arguments", true}}
	if tool.Closed {
		f = append(f, field{"closed", true})
	}
	if b.f.Arguments != "json" {
		f = append(f, field{"style", b.f.Arguments})
	}
	marks := b.f.Reserved // readers look for them without regard to strings
	if b.f.Marked() {
		text := func(t string) bool { return !b.special(t) }
		marks = slices.Concat(marks, slices.DeleteFunc(slices.Clone(b.f.Tokens), text))
	}
	if len(marks) > 0 {
		f = append(f, field{"excludes", least(marks)})
	}
	return f
}

// sections returns the sections of an output that hold its calls, one for each way to begin one.
func (b *builder) sections(s *Section, calls []opener) (out []opener) {
	list := b.list(s, calls)
	end, inner := b.mark(s.End, true)
	content := sequence(append([]format{list}, inner...)...)
	for _, text := range s.Begin {
		begin := b.split(text)
		var o opener
		last := ""
		if n := len(begin); n > 0 && !begin[n-1].token {
			last, begin = begin[n-1].text, begin[:n-1]
		}
		for _, p := range begin {
			o.prefix = append(o.prefix, p.asFormat())
		}
		o.tags = []format{tag(last, end, content)}
		out = append(out, o)
	}
	return out
}

func (b *builder) list(s *Section, calls []opener) format {
	single := !b.use.Parallel || b.use.Choice == Named
	bare := !slices.ContainsFunc(calls, func(o opener) bool { return len(o.prefix) > 0 })
	switch {
	case bare && !b.hasToken(s.Separator):
		var tags []format
		for _, o := range calls {
			tags = append(tags, o.tags...)
		}
		return separated(tags, s.Separator, single)
	case single:
		return b.one(calls)
	}
	return sequence(b.one(calls), star(sequence(append(b.fixed(s.Separator), b.one(calls))...)))
}
