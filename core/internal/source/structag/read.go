package structag

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/ebnf"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/lark"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
)

type shape struct {
	name   string
	kind   Kind
	fields string // for errors
	read   func(r *reader, f *Format, v value)
}

func shapes() []shape {
	return []shape{
		{"const_string", ConstString, "type, value", func(r *reader, f *Format, v value) {
			f.Text = r.text(v, "value")
		}},
		{
			"json_schema", JSONSchema,
			"type, json_schema, style, any_order, closed, max_whitespace_cnt, excludes, arguments",
			(*reader).jsonSchema,
		},
		{"any_text", AnyText, "type, excludes, max_chars, max_tokens", (*reader).anyText},
		{"grammar", Grammar, "type, grammar, syntax", (*reader).grammar},
		{"regex", Regex, "type, pattern", (*reader).regex},
		{"sequence", Sequence, "type, elements", (*reader).elements},
		{"or", Or, "type, elements", (*reader).elements},
		{"optional", Repeat, "type, content", loop(0, 1)},
		{"plus", Repeat, "type, content", loop(1, grammar.Unbounded)},
		{"star", Repeat, "type, content", loop(0, grammar.Unbounded)},
		{"repeat", Repeat, "type, content, min, max", (*reader).repeat},
		{"tag", Tag, "type, begin, content, end", (*reader).tag},
		{
			"triggered_tags", Triggered, "type, triggers, tags, at_least_one, stop_after_first, excludes",
			(*reader).triggered,
		},
		{
			"token_triggered_tags", TokenTriggered,
			"type, trigger_tokens, tags, exclude_tokens, at_least_one, stop_after_first", (*reader).tokenTriggered,
		},
		{
			"tags_with_separator", Separated, "type, tags, separator, at_least_one, stop_after_first",
			(*reader).separated,
		},
		{"dispatch", Triggered, "type, rules, loop, excludes", (*reader).dispatch},
		{"token_dispatch", TokenTriggered, "type, rules, loop, exclude_tokens", (*reader).tokenDispatch},
		{"token", Token, "type, token", func(r *reader, f *Format, v value) {
			f.IDs = r.token(r.required(v, "token"))
		}},
		{"exclude_token", ExcludeToken, "type, exclude_tokens", (*reader).otherTokens},
		{"any_tokens", AnyTokens, "type, exclude_tokens, max_tokens", func(r *reader, f *Format, v value) {
			f.MaxTokens = r.most(v, "max_tokens", "tokens")
			r.otherTokens(f, v)
		}},
		{"qwen_xml_parameter", JSONSchema, "type, json_schema", func(r *reader, f *Format, v value) {
			f.Schema = r.schema(r.required(v, "json_schema"), schemaKey{style: "qwen_xml"}, f.ends, nil)
		}},
	}
}

// impliedBy gives the type of an untyped format by a field that only this type has.
var impliedBy = [][2]string{
	{"begin", "tag"},
	{"triggers", "triggered_tags"},
	{"trigger_tokens", "token_triggered_tags"},
	{"separator", "tags_with_separator"},
	{"json_schema", "json_schema"},
	{"pattern", "regex"},
	{"grammar", "grammar"},
	{"value", "const_string"},
	{"token", "token"},
}

// formatWork is the cost of reading a format, which takes some hundred bytes of memory.
const formatWork = 200

// format reads a format, nothing after a failure. Equal lists of tags whose surroundings do not change them share one
// Format: families of models offer their calls in several places.
func (r *reader) format(v value) *Format {
	r.o.Work.Spend(formatWork)
	f := &Format{at: v.id, Min: 1, Max: 1, ends: r.ends}
	r.ends = nil
	r.depth++
	defer func() { r.depth-- }()
	name := r.typeOf(v)
	switch kind := r.tree.Kind(v.id); {
	case r.depth > limits.TagNesting:
		r.failValue(diag.Limit, v, "", "formats nest deeper than %d levels; write the inner ones as a grammar or a "+
			"regex",
			limits.TagNesting)
	case kind != jsontext.Object:
		r.invalid(v, "a format must be an object with a type, not %s", kind)
	}
	at := slices.IndexFunc(r.shapes, func(s shape) bool { return s.name == name })
	if at < 0 {
		r.unknown(v, name)
	}
	if r.err != nil {
		return f
	}
	s := &r.shapes[at]
	r.checkFields(v, s.fields)
	f.Kind = s.kind
	if f.Kind != Separated {
		s.read(r, f, v)
		return f
	}
	text := r.tree.Raw(v.id)
	if known, ok := r.lists[text]; ok {
		return known
	}
	s.read(r, f, v)
	r.lists[text] = f
	return f
}

func (r *reader) typeOf(v value) string {
	if t := r.tree.Get(v.id, "type"); t != 0 {
		return r.tree.Node(t).Text
	}
	for _, x := range impliedBy {
		if r.tree.Get(v.id, x[0]) != 0 {
			return x[1]
		}
	}
	return ""
}

func (r *reader) unknown(v value, name string) {
	t := r.member(v, "type")
	switch kind := r.tree.Kind(t.id); {
	case t.id == 0:
		r.invalid(v, "the field %q is missing here", "type")
	case kind != jsontext.String:
		r.invalid(t, "the type of a format must be a string, not %s", kind)
	}
	var known []string
	for i := range r.shapes {
		known = append(known, r.shapes[i].name)
	}
	r.failValue(diag.Invalid, t, name, "there is no format %q; known are %s", diag.Shorten(name, 40),
		strings.Join(known, ", "))
}

func (r *reader) anyText(f *Format, v value) {
	f.Excludes = r.texts(v, "excludes")
	f.MaxChars = r.most(v, "max_chars", "characters")
	f.MaxTokens = r.most(v, "max_tokens", "tokens")
}

func (r *reader) most(v value, field, of string) uint32 {
	most, bounded := r.number(v, field)
	switch {
	case !bounded:
		return grammar.Unbounded
	case most < 0:
		r.invalid(r.member(v, field), "%s must be 0 or more, or null", field)
	case most > limits.RuleRepeat:
		r.failValue(diag.Limit, r.member(v, field), field,
			"a text may be limited to at most %d %s; for no limit, leave %s out", limits.RuleRepeat, of, field)
	}
	return uint32(most)
}

func (r *reader) jsonSchema(f *Format, v value) {
	key := schemaKey{style: r.style(v)}
	excludes := r.texts(v, "excludes")
	if len(excludes) > 0 {
		key.excludes = r.tree.Raw(r.tree.Get(v.id, "excludes"))
	}
	key.anyOrder, key.closed, key.arguments = r.flag(v, "any_order"), r.flag(v, "closed"), r.flag(v, "arguments")
	blanks, bounded := r.number(v, "max_whitespace_cnt")
	if blanks < 0 {
		r.invalid(r.member(v, "max_whitespace_cnt"), "max_whitespace_cnt must be 0 or more, or null")
	}
	key.compact, key.blanks = bounded && blanks == 0, int(blanks)
	f.Schema = r.schema(r.required(v, "json_schema"), key, f.ends, excludes)
}

func (r *reader) style(v value) string {
	style := r.optional(v, "style")
	n := r.tree.Node(style.id)
	switch {
	case style.id == 0 || n.Kind == jsontext.String && n.Text == "json":
		return ""
	case n.Kind != jsontext.String:
		r.invalid(style, "style must be a string, not %s", n.Kind)
	case !slices.Contains(jsonschema.Styles(), n.Text):
		r.invalid(style, "there is no style %q; known are json, %s", diag.Shorten(n.Text, 40),
			strings.Join(jsonschema.Styles(), ", "))
	}
	return n.Text
}

// grammar reads EBNF or Lark. Without a field for the syntax, the text decides as in source.GrammarText.
func (r *reader) grammar(f *Format, v value) {
	text, o := r.text(v, "grammar"), *r.o
	o.StartRule = ""
	var err error
	if r.syntax(v, text) == source.Lark {
		var read *lark.Read
		if read, err = lark.Parse(text, &o); err == nil {
			f.Rules, f.notes = read.Tree(), read.Notes
		}
	} else {
		f.Rules, err = ebnf.Parse(text, &o)
	}
	if err == nil {
		err = f.Rules.RefuseCaptures()
	}
	r.failWithin(err, r.member(v, "grammar"))
}

func (r *reader) syntax(v value, text string) source.Kind {
	syntax := r.optional(v, "syntax")
	if syntax.id == 0 {
		return source.GrammarText.Resolve([]byte(text))
	}
	n := r.tree.Node(syntax.id)
	kind := map[string]source.Kind{"ebnf": source.EBNF, "lark": source.Lark}[n.Text]
	if kind == 0 || n.Kind != jsontext.String {
		r.invalid(syntax, `the syntax of a grammar must be "ebnf" or "lark"`)
	}
	return kind
}

func (r *reader) regex(f *Format, v value) {
	var err error
	f.Regex, err = regex.Parse(r.o.Work, r.text(v, "pattern"))
	r.failWithin(err, r.member(v, "pattern"))
}

func (r *reader) failWithin(err error, v value) {
	if err != nil {
		r.fail(within(err, r.pointer(v)))
	}
}

// within gives an error of an embedded text or schema its place in the document. The place inside goes into the
// message.
func within(err error, pointer string) error {
	var e *diag.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	moved := *e
	moved.Source = sourceName
	moved.Place = e.Place.Within(pointer)
	if e.Other.HasPointer {
		moved.Other = e.Other.Within(pointer)
	}
	if !e.Place.HasPointer && e.Place.Line > 0 {
		moved.Message = "line " + strconv.Itoa(e.Place.Line) + ", column " + strconv.Itoa(e.Place.Column) + ": " +
			e.Message
	}
	return &moved
}

func (r *reader) elements(f *Format, v value) {
	list := r.list(v, "elements")
	for i, e := range list {
		if f.Kind == Or || i == len(list)-1 {
			r.ends = f.ends
		}
		f.Subs = append(f.Subs, r.format(e))
	}
}

func loop(least, most uint32) func(r *reader, f *Format, v value) {
	return func(r *reader, f *Format, v value) {
		f.Min, f.Max = least, most
		if least == 0 && most == 1 {
			r.ends = f.ends
		}
		r.content(f, v)
	}
}

func (r *reader) repeat(f *Format, v value) {
	r.required(v, "min")
	least, ok := r.number(v, "min")
	if least < 0 || !ok {
		r.invalid(r.member(v, "min"), "min must be a whole number of 0 or more")
	}
	r.required(v, "max")
	most, bounded := r.number(v, "max")
	if most < -1 {
		r.invalid(r.member(v, "max"), "max must be a whole number of 0 or more; for no limit, write -1 or null")
	}
	if !bounded || most < 0 {
		most = grammar.Unbounded
	}
	if least > most {
		r.invalid(v, "min %d is above max %d; write the smaller number as min", least, most)
	}
	loop(uint32(least), uint32(most))(r, f, v)
}

func (r *reader) content(f *Format, v value) {
	f.Subs = []*Format{r.format(r.required(v, "content"))}
}

func (r *reader) tag(f *Format, v value) {
	r.marks(f, v)
	if !f.End.IsToken && !slices.Contains(f.End.Texts, "") {
		r.ends = f.End.Texts
	}
	r.content(f, v)
}

func (r *reader) marks(f *Format, v value) {
	f.Begin = r.mark(r.required(v, "begin"), false)
	f.End = r.mark(r.required(v, "end"), true)
}

// mark reads a string, a token format, or, for an end, a list of strings.
func (r *reader) mark(v value, end bool) Mark {
	m := Mark{at: v.id}
	switch n := r.tree.Node(v.id); {
	case n.Kind == jsontext.String:
		m.Texts = []string{n.Text}
	case n.Kind == jsontext.Object && r.typeOf(v) != "token":
		r.invalid(v, `a begin or end must be a string or {"type": "token", "token": …}`)
	case n.Kind == jsontext.Object:
		m.IsToken = true
		if f := r.format(v); r.err == nil {
			m.IDs = f.IDs
		}
		m.Texts = r.spellings(r.tree.Node(r.tree.Get(v.id, "token")), m.IDs)
	case n.Kind == jsontext.Array && end && n.Count > 0:
		for _, c := range r.children(v) {
			s := r.tree.Node(c.id)
			if s.Kind != jsontext.String {
				r.invalid(c, "every end in the list must be a string, not %s", s.Kind)
			}
			m.Texts = append(m.Texts, s.Text)
		}
	case end:
		r.invalid(v, "end must be a string, a list of at least one string, or a token format")
	default:
		r.invalid(v, "begin must be a string or a token format, not %s", n.Kind)
	}
	return m
}

// spellings returns the texts of a token that n names by text or id. Free text excludes them like the token.
func (r *reader) spellings(n *jsontext.Node, ids []uint32) (texts []string) {
	if n.Kind == jsontext.String {
		return []string{n.Text}
	}
	if r.o.TokenText == nil {
		return nil
	}
	for _, id := range ids {
		if text := r.o.TokenText(id); text != "" && utf8.ValidString(text) {
			texts = append(texts, text)
		}
	}
	return texts
}

func (r *reader) tags(f *Format, v value) {
	for _, t := range r.list(v, "tags") {
		sub := r.format(t)
		if sub.Kind != Tag {
			r.invalid(t, "every element of tags must be a format of type tag")
		}
		f.Subs = append(f.Subs, sub)
	}
}

func (r *reader) bounds(f *Format, v value) {
	f.AtLeastOne = r.flag(v, "at_least_one")
	f.StopAfterFirst = r.flag(v, "stop_after_first")
}

func (r *reader) separated(f *Format, v value) {
	r.tags(f, v)
	f.Text = r.text(v, "separator")
	r.bounds(f, v)
}

func (r *reader) triggered(f *Format, v value) {
	f.Excludes = r.texts(v, "excludes")
	r.tags(f, v)
	r.triggers(f, v)
	r.excluded(f, v)
}

// excluded checks that no trigger of f begins with an excluded string. A trigger may contain one: it can begin a tag
// before any text (at_least_one); within a text the excluded string wins.
func (r *reader) excluded(f *Format, v value) {
	at := r.member(v, "excludes")
	for i, x := range f.Excludes {
		for _, t := range f.Triggers {
			if strings.HasPrefix(t, x) {
				r.failPointer(diag.Invalid, r.pointer(at)+"/"+strconv.Itoa(i), at.id, "", "the trigger %q begins with "+
					"this excluded string, so that its tags could never be opened; remove one of the two",
					diag.Shorten(t, 40))
			}
		}
	}
}

// triggers reads the triggers and flags of f, whose tags have been read, and checks that each tag has its trigger.
func (r *reader) triggers(f *Format, v value) {
	r.list(v, "triggers")
	f.Triggers = r.texts(v, "triggers")
	known := map[string]bool{}
	var lengths []int
	for _, t := range f.Triggers {
		known[t] = true
		lengths = append(lengths, len(t))
	}
	slices.Sort(lengths)
	lengths = slices.Compact(lengths)
	for _, tag := range f.Subs {
		if r.err != nil {
			return
		}
		if tag.Begin.IsToken {
			r.failPointer(diag.Invalid, r.tree.Pointer(tag.Begin.at), v.id, "begin", "a tag that begins with a token "+
				"cannot have a string as its trigger; give its text, or use token_triggered_tags")
			return
		}
		// The shortest of several matching triggers ends the text, so a begin may have several.
		begin := tag.Begin.Texts[0]
		if slices.ContainsFunc(lengths, func(n int) bool { return n <= len(begin) && known[begin[:n]] }) {
			continue
		}
		e := diag.Errorf(diag.Invalid, sourceName, diag.At(r.tree.Pointer(tag.at)+"/begin"),
			"this begin starts with none of the triggers; add a trigger with which it starts")
		e.Fragment = diag.Shorten(strings.TrimSpace(begin), limits.TagFragment)
		r.fail(e)
	}
	r.bounds(f, v)
}

func (r *reader) otherTokens(f *Format, v value) { f.IDs = r.tokens(v, "exclude_tokens") }
