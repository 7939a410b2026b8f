package family

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

const sourceName = "family"

// styles are the ways to write arguments that structural tags have.
var styles = []string{
	"json", "qwen_xml", "mimo_xml", "minimax_xml", "minimax_m3_xml", "deepseek_xml", "deepseek_v4_1_xml", "glm_xml", "cohere_xml",
	"kimi_k3_xml", "python", "gemma_4", "function_gemma",
}

// reader reads one file and keeps the first error. One goroutine.
type reader struct {
	tree jsontext.Tree
	err  error
}

// Read reads a family's file and checks it. Errors are *diag.Error values with a place in the file.
func Read(text []byte) (*Family, error) {
	if len(text) > limits.FamilyBytes {
		return nil, diag.Errorf(diag.Limit, sourceName, diag.Place{},
			"the file of a family has %d bytes, more than the limit of %d; shorten it", len(text), limits.FamilyBytes)
	}
	r := &reader{}
	root, err := r.tree.Read(text, sourceName)
	if err != nil {
		return nil, err
	}
	f := &Family{BesideText: true, Arguments: "json"}
	r.members(root, map[string]func(jsontext.ID){
		"name":        func(id jsontext.ID) { f.Name = r.text(id) },
		"aliases":     func(id jsontext.ID) { f.Aliases = r.texts(id) },
		"models":      func(id jsontext.ID) { f.Models = r.text(id) },
		"model_names": func(id jsontext.ID) { f.ModelNames = r.texts(id) },
		"needs":       func(id jsontext.ID) { f.Needs = r.texts(id) },
		"tokens":      func(id jsontext.ID) { f.Tokens = r.texts(id) },
		"reasoning":   func(id jsontext.ID) { f.Reasoning = r.reasoning(id) },
		"preamble":    func(id jsontext.ID) { f.Preamble = r.block(id) },
		"content":     func(id jsontext.ID) { f.Content = r.block(id) },
		"calls":       func(id jsontext.ID) { f.Calls = r.section(id) },
		"call":        func(id jsontext.ID) { f.Call = r.templates(id, Arguments) },
		"builtin":     func(id jsontext.ID) { f.Builtin = r.templates(id, Arguments) },
		"input":       func(id jsontext.ID) { f.Input = r.templates(id, Input) },
		"arguments":   func(id jsontext.ID) { f.Arguments = r.style(id) },
		"names":       func(id jsontext.ID) { f.Names = r.pattern(id) },
		"triggers":    func(id jsontext.ID) { r.few(id); f.Triggers = r.texts(id) },
		"reserved":    func(id jsontext.ID) { f.Reserved = r.texts(id) },
		"lead":        func(id jsontext.ID) { f.Lead = r.text(id) },
		"beside_text": func(id jsontext.ID) { f.BesideText = r.flag(id) },
		"separator":   func(id jsontext.ID) { f.Separator = r.text(id) },
		"finish":      func(id jsontext.ID) { f.Finish = r.text(id) },
	}, "name", "call")
	if r.err == nil {
		r.check(root, f)
	}
	if r.err != nil {
		return nil, r.err
	}
	return f, nil
}

// check checks the fields together.
func (r *reader) check(root jsontext.ID, f *Family) {
	at := func(field string) jsontext.ID { return r.tree.Get(root, field) }
	for _, n := range append([]string{f.Name}, f.Aliases...) {
		if strings.ContainsFunc(n, func(c rune) bool { return c <= ' ' || c == '{' }) {
			r.wrong(at("name"), "the names and aliases of a family must not contain spaces or braces")
		}
	}
	for _, n := range f.Needs {
		if !slices.Contains(f.Tokens, n) {
			r.wrong(at("needs"), "every element of needs must also be in tokens, but %q is not", diag.Shorten(n, 40))
		}
	}
	switch {
	case f.Separator != "" && f.Content == nil:
		r.wrong(at("separator"), "a family with a separator must have a content; add it")
	case f.Preamble != nil && f.Separator == "":
		r.wrong(at("preamble"), "a family with a preamble must have a separator; add it")
	case f.Lead != "" && f.Content != nil:
		r.wrong(at("lead"), "a family with a content must not have a lead; remove one")
	case f.Triggers != nil && f.Content != nil:
		r.wrong(at("triggers"), "a family with a content must not have triggers; remove one")
	}
	named := func(t string) bool { return strings.Contains(t, toolName) }
	if f.BesideText && slices.ContainsFunc(f.Triggers, named) {
		r.wrong(at("triggers"), "triggers with %s do not mark where text turns into a call, so beside_text must be "+
			"false", toolName)
	}
	for _, h := range f.heads() {
		opened := func(trigger string) bool {
			before, _, named := strings.Cut(trigger, toolName)
			return !named && strings.HasPrefix(h, trigger) || named && strings.HasPrefix(before, h)
		}
		if f.Triggers != nil && !slices.ContainsFunc(f.Triggers, opened) {
			r.wrong(at("triggers"), "every call must begin with one of the triggers, but %q does not",
				diag.Shorten(h, 40))
		}
	}
}

// heads returns the beginnings of sections, or of calls if nothing precedes them.
func (f *Family) heads() []string {
	if f.Calls != nil && !slices.Contains(f.Calls.Begin, "") {
		return f.Calls.Begin
	}
	var out []string
	for _, list := range [][]Template{f.Call, f.Builtin, f.Input} {
		for _, t := range list {
			out = append(out, t.head())
		}
	}
	return out
}

// wrong records an error about the value id, if it is the first.
func (r *reader) wrong(id jsontext.ID, format string, args ...any) {
	if r.err != nil {
		return
	}
	pointer := r.tree.Pointer(id)
	e := diag.Errorf(diag.Invalid, sourceName, diag.At(pointer), format, args...)
	e.Keyword = pointer[strings.LastIndexByte(pointer, '/')+1:]
	e.Fragment = diag.Shorten(r.tree.Raw(id), 60)
	r.err = e
}

// called returns how errors name the value id.
func (r *reader) called(id jsontext.ID) string {
	switch n := r.tree.Node(id); {
	case n.Key != "":
		return n.Key
	case n.Parent != 0:
		return "every element of " + r.tree.Node(n.Parent).Key
	}
	return "a family"
}

// members reads the members of an object, each by its own function. An unknown member is an error, and so is the
// absence of one in must.
func (r *reader) members(object jsontext.ID, known map[string]func(jsontext.ID), must ...string) {
	if k := r.tree.Kind(object); k != jsontext.Object {
		r.wrong(object, "%s must be an object, not %s", r.called(object), k)
		return
	}
	for c := range r.tree.Children(object) {
		key := r.tree.Node(c).Key
		if read := known[key]; read != nil {
			read(c)
			must = slices.DeleteFunc(must, func(m string) bool { return m == key })
			continue
		}
		names := make([]string, 0, len(known))
		for n := range known {
			names = append(names, n)
		}
		slices.Sort(names)
		r.wrong(c, "there is no such field here; %s", diag.Choices(key, names))
	}
	if len(must) > 0 {
		r.wrong(object, "the field %q is missing here; add it", must[0])
	}
}

// text reads a string with at least one character.
func (r *reader) text(id jsontext.ID) string {
	n := r.tree.Node(id)
	if n.Kind != jsontext.String || n.Text == "" {
		r.wrong(id, "%s must be a string with at least one character", r.called(id))
	}
	return n.Text
}

// maybe reads a string that may be empty.
func (r *reader) maybe(id jsontext.ID) string {
	n := r.tree.Node(id)
	if n.Kind != jsontext.String {
		r.wrong(id, "%s must be a string, not %s", r.called(id), n.Kind)
	}
	return n.Text
}

func (r *reader) flag(id jsontext.ID) bool {
	k := r.tree.Kind(id)
	if k != jsontext.True && k != jsontext.False {
		r.wrong(id, "%s must be true or false, not %s", r.called(id), k)
	}
	return k == jsontext.True
}

// texts reads a list of strings; one string is a list of one.
func (r *reader) texts(id jsontext.ID) (out []string) {
	r.each(id, func(c jsontext.ID) { out = append(out, r.text(c)) })
	return out
}

// maybes is texts for a list that may be empty.
func (r *reader) maybes(id jsontext.ID) (out []string) {
	r.each(id, func(c jsontext.ID) { out = append(out, r.maybe(c)) })
	return out
}

// each calls f for the elements of a list, or for a value that is no list.
func (r *reader) each(id jsontext.ID, f func(jsontext.ID)) {
	n := r.tree.Node(id)
	if n.Kind != jsontext.Array {
		f(id)
		return
	}
	if n.Count == 0 {
		r.wrong(id, "%s must have at least one element", r.called(id))
	}
	for c := range r.tree.From(n.First) {
		f(c)
	}
}

// few refuses a list of more forms than there may be.
func (r *reader) few(id jsontext.ID) {
	if n := r.tree.Node(id); n.Kind == jsontext.Array && n.Count > limits.FamilyForms {
		r.wrong(id, "%s has %d elements, more than the limit of %d; remove some", n.Key, n.Count, limits.FamilyForms)
	}
}

func (r *reader) templates(id jsontext.ID, content PartKind) (out []Template) {
	r.few(id)
	r.each(id, func(c jsontext.ID) {
		t, wrong := parseTemplate(r.text(c), content)
		if wrong != "" {
			r.wrong(c, "%s", wrong)
		}
		out = append(out, t)
	})
	return out
}

// pattern reads a regular expression, which must match whole names.
func (r *reader) pattern(id jsontext.ID) string {
	text := r.text(id)
	if _, err := regexp.Compile(text); err != nil {
		r.wrong(id, "names must be a regular expression (RE2): %s", err)
	}
	return text
}

func (r *reader) style(id jsontext.ID) string {
	s := r.text(id)
	if !slices.Contains(styles, s) {
		r.wrong(id, "there is no such style of arguments; %s", diag.Choices(s, styles))
	}
	return s
}

func (r *reader) block(id jsontext.ID) *Block {
	b := &Block{}
	r.members(id, b.fields(r), "begin", "end")
	return b
}

func (b *Block) fields(r *reader) map[string]func(jsontext.ID) {
	return map[string]func(jsontext.ID){
		"begin":  func(id jsontext.ID) { r.few(id); b.Begin = r.texts(id) },
		"end":    func(id jsontext.ID) { r.few(id); b.End = r.texts(id) },
		"opened": func(id jsontext.ID) { b.Opened = r.flag(id) },
	}
}

func (r *reader) reasoning(id jsontext.ID) *Reasoning {
	x := &Reasoning{}
	fields := x.fields(r)
	fields["after"] = func(id jsontext.ID) { r.few(id); x.After = r.maybes(id) }
	r.members(id, fields, "begin", "end")
	return x
}

func (r *reader) section(id jsontext.ID) *Section {
	s := &Section{}
	r.members(id, map[string]func(jsontext.ID){
		"begin":     func(id jsontext.ID) { r.few(id); s.Begin = r.maybes(id) },
		"separator": func(id jsontext.ID) { s.Separator = r.maybe(id) },
		"end":       func(id jsontext.ID) { r.few(id); s.End = r.maybes(id) },
	}, "begin", "end")
	return s
}
