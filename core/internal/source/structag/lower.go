package structag

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/freetext"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// Compile compiles a document.
func Compile(st *terminal.Store, spec []byte, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
	d, err := Parse(spec, o)
	if err != nil {
		return nil, nil, err
	}
	return d.Lower(st, o)
}

// Lower returns the grammar of a document, with expressions of st, and all notes. o must equal the options of Parse.
func (d *Document) Lower(st *terminal.Store, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
	g := grammar.New()
	l := &lowering{
		st: st, g: g, o: o, notes: d.Notes, places: &places{d.tree}, contents: map[*content]grammar.RuleID{},
		lists: map[*Format]grammar.Sequence{}, tokens: map[uint32]terminal.Expr{},
	}
	defer o.Work.At(func() *diag.Error { return g.At.Place() })()
	g.Start = g.NewRule("structural_tag")
	g.Add(g.Start, l.format(d.Format, nil)...)
	if l.err != nil {
		return nil, nil, l.err
	}
	return g, l.notes, nil
}

type lowering struct {
	st       *terminal.Store
	g        *grammar.Grammar
	o        *source.Options
	notes    []diag.Note
	contents map[*content]grammar.RuleID
	lists    map[*Format]grammar.Sequence
	tokens   map[uint32]terminal.Expr
	places   *places
	err      error
}

func (l *lowering) text(s string) grammar.Sequence {
	if s == "" {
		return nil
	}
	e := l.st.Text(s, terminal.UTF8)
	l.g.Locate(e)
	return grammar.Sequence{grammar.T(e)}
}

func (l *lowering) rule(name string, alternatives ...grammar.Sequence) grammar.Symbol {
	id := l.g.NewRule(name)
	for _, a := range alternatives {
		l.g.Add(id, a...)
	}
	return grammar.N(id)
}

// format returns the symbols of f. If around is a tag, its ends are strings that free text must not contain.
func (l *lowering) format(f, around *Format) grammar.Sequence {
	defer func(around grammar.Origin) { l.g.At = around }(l.g.At)
	l.g.At = l.origin(f.at)
	switch f.Kind {
	case ConstString:
		return l.text(f.Text)
	case JSONSchema:
		return grammar.Sequence{grammar.N(l.content(f.Schema))}
	case AnyText, Triggered:
		return l.region(f, l.watchedEnds(around), nil)
	case TokenTriggered:
		return l.tokenRegion(f, around)
	case Grammar:
		first := len(l.g.Rules)
		start, err := f.Rules.Lower(l.st, l.g)
		at := l.places.tree.Get(f.at, "grammar")
		inner := &nested{f.Rules.Places(), l.origin(at)}
		for i := first; i < len(l.g.Rules); i++ {
			l.g.Rules[i].Origin.Text = inner
		}
		l.failWithin(err, at)
		if f.notes != nil {
			l.notes = appendNotes(l.notes, l.places.tree, at, f.notes())
		}
		l.g.Rules[start].Part = l.origin(at)
		return grammar.Sequence{grammar.N(start)}
	case Regex:
		e, err := regex.Lower(l.st, f.Regex, regex.Mode{Encoding: terminal.UTF8})
		l.g.Locate(e)
		l.failWithin(err, l.places.tree.Get(f.at, "pattern"))
		if err == nil && l.st.IsEmpty(e) {
			l.fail(diag.Errorf(diag.Unsatisfiable, sourceName, diag.At(l.pointer(f)+"/pattern"),
				"no text can match this pattern; check its anchors and assertions"))
		}
		return grammar.Sequence{grammar.T(e)}
	case Sequence:
		var out grammar.Sequence
		for _, sub := range f.Subs {
			out = append(out, l.format(sub, around)...)
		}
		return out
	case Or:
		alts := make([]grammar.Sequence, len(f.Subs))
		for i, sub := range f.Subs {
			alts[i] = l.format(sub, around)
		}
		return grammar.Sequence{l.rule("or", alts...)}
	case Repeat:
		return l.repeat(f, around)
	case Tag:
		return append(l.begin(f), l.closed(f)...)
	case Separated:
		seq, ok := l.lists[f]
		if !ok {
			seq = l.separated(f)
			l.lists[f] = seq
		}
		return seq
	case Token:
		return grammar.Sequence{grammar.T(l.token(f.IDs))}
	case ExcludeToken:
		return grammar.Sequence{grammar.T(l.anyToken(f.IDs, around))}
	case AnyTokens:
		return l.anyTokens(f, around)
	}
	panic("structag: a format is not lowered")
}

func (l *lowering) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

func (l *lowering) failWithin(err error, at jsontext.ID) {
	if err != nil {
		l.fail(within(err, l.places.tree.Pointer(at)))
	}
}

func (l *lowering) pointer(f *Format) string { return l.places.tree.Pointer(f.at) }

func (l *lowering) origin(at jsontext.ID) grammar.Origin {
	return grammar.Origin{Text: l.places, At: uint32(at)}
}

// content returns the rule of a JSON schema. It is lowered when an output first enters it. If lowering may find
// errors, it is lowered at once: a tag that nothing can complete must not open.
func (l *lowering) content(c *content) grammar.RuleID {
	if id, ok := l.contents[c]; ok {
		return id
	}
	before := len(c.Notes())
	id, err := c.Rule(l.st, l.g)
	l.fail(err)
	if err != nil {
		return l.g.Start
	}
	l.notes = appendNotes(l.notes, l.places.tree, c.at, c.Notes()[before:])
	l.g.Rules[id].Part = l.origin(c.at)
	l.contents[c] = id
	return id
}

func (l *lowering) repeat(f, around *Format) grammar.Sequence {
	body := l.format(f.Subs[0], around)
	switch {
	case f.Max == 0:
		return nil
	case f.Min == 1 && f.Max == 1:
		return body
	case f.Min == 0 && f.Max == 1:
		return grammar.Sequence{l.rule("optional", body, nil)}
	}
	return grammar.Sequence{l.g.NewRepeat(f.Min, f.Max, body...)}
}

// token returns one token with one of these ids. It is built once, since the ends of tags are mostly one token.
func (l *lowering) token(ids []uint32) terminal.Expr {
	if len(ids) != 1 {
		return spelling.Tokens(l.st, spelling.Singles(ids...))
	}
	e, ok := l.tokens[ids[0]]
	if !ok {
		e = spelling.Tokens(l.st, spelling.Singles(ids[0]))
		l.tokens[ids[0]] = e
	}
	return e
}

// anyToken returns one token that is not in except, not an end token, and not an end of the tag around it.
func (l *lowering) anyToken(except []uint32, around *Format) terminal.Expr {
	except = slices.Concat(except, l.o.EndTokens)
	if around != nil && around.End.IsToken {
		except = append(except, around.End.IDs...)
	}
	return spelling.TokensBut(l.st, spelling.Singles(except...))
}

func (l *lowering) anyTokens(f, around *Format) grammar.Sequence {
	text := grammar.Sequence{grammar.T(l.st.Star(l.anyToken(f.IDs, around)))}
	switch f.MaxTokens {
	case 0:
		return nil
	case grammar.Unbounded:
		return text
	}
	return l.limited(f, text)
}

func (l *lowering) begin(tag *Format) grammar.Sequence {
	if tag.Begin.IsToken {
		return grammar.Sequence{grammar.T(l.token(tag.Begin.IDs))}
	}
	return l.text(tag.Begin.Texts[0])
}

func (l *lowering) end(tag *Format) grammar.Sequence {
	switch texts := tag.End.Texts; {
	case tag.End.IsToken:
		return grammar.Sequence{grammar.T(l.token(tag.End.IDs))}
	case len(texts) == 1:
		return l.text(texts[0])
	default:
		return grammar.Sequence{grammar.T(l.st.Texts(texts, terminal.UTF8, nil))}
	}
}

func (l *lowering) watchedEnds(around *Format) []string {
	if around == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(around.End.Texts), func(s string) bool { return s == "" })
}

func (l *lowering) closed(tag *Format) grammar.Sequence { return l.closing(tag.Subs[0], tag) }

// closing returns f followed by the end of the tag. If f ends in free text, text and end are one automaton: the text
// ends at the first occurrence of the end.
func (l *lowering) closing(f, tag *Format) grammar.Sequence {
	if tag.End.IsToken {
		return append(l.format(f, tag), l.end(tag)...)
	}
	switch {
	case f.Kind == AnyText || f.Kind == Triggered:
		return l.region(f, l.watchedEnds(tag), tag)
	case f.Kind == JSONSchema && f.Schema.Closes():
		return l.format(f, tag)
	case f.Kind == Sequence:
		last := len(f.Subs) - 1
		var out grammar.Sequence
		for _, sub := range f.Subs[:last] {
			out = append(out, l.format(sub, tag)...)
		}
		return append(out, l.closing(f.Subs[last], tag)...)
	case f.Kind == Or:
		alts := make([]grammar.Sequence, len(f.Subs))
		for i, sub := range f.Subs {
			alts[i] = l.closing(sub, tag)
		}
		return grammar.Sequence{l.rule("or", alts...)}
	case f.Kind == Repeat && f.Min == 0 && f.Max == 1:
		return grammar.Sequence{l.rule("optional", l.closing(f.Subs[0], tag), l.end(tag))}
	}
	return append(l.format(f, tag), l.end(tag)...)
}

// choose returns one of the tags' begins with its continuation. Begins share a trie, so a thousand tools are one
// terminal. Equal begins are one key with several continuations, and a begin may be a prefix of another.
func (l *lowering) choose(tags []*Format, after []grammar.Sequence) grammar.Sequence {
	var keys []string
	var follow []grammar.Sequence
	var alts []grammar.Sequence
	tokens := map[terminal.Expr]grammar.RuleID{}
	for i, t := range tags {
		if !t.Begin.IsToken {
			keys, follow = append(keys, t.Begin.Texts[0]), append(follow, after[i])
			continue
		}
		begin := l.token(t.Begin.IDs)
		id, ok := tokens[begin]
		if !ok {
			id = l.g.NewRule("after a token")
			tokens[begin] = id
			alts = append(alts, append(l.begin(t), grammar.N(id)))
		}
		l.g.Add(id, after[i]...)
	}
	if len(keys) > 0 {
		alts = append(alts, freetext.Keyed(l.st, l.g, keys, follow))
	}
	if len(alts) == 1 {
		return alts[0]
	}
	return grammar.Sequence{l.rule("tags", alts...)}
}

func (l *lowering) separated(f *Format) grammar.Sequence {
	item := l.g.NewRule("tag")
	var more grammar.Sequence
	if !f.StopAfterFirst {
		more = grammar.Sequence{l.rule("more tags", nil, append(l.text(f.Text), grammar.N(item)))}
	}
	after := make([]grammar.Sequence, len(f.Subs))
	for i, t := range f.Subs {
		after[i] = append(l.closed(t), more...)
	}
	l.g.Add(item, l.choose(f.Subs, after)...)
	if f.AtLeastOne {
		return grammar.Sequence{grammar.N(item)}
	}
	return grammar.Sequence{l.rule("tags", grammar.Sequence{grammar.N(item)}, nil)}
}

type places struct{ tree *jsontext.Tree }

func (p *places) Place(at uint32) *diag.Error {
	pointer := p.tree.Pointer(jsontext.ID(at))
	e := diag.Errorf(diag.Limit, sourceName, diag.At(pointer), "")
	e.Keyword = pointer[strings.LastIndexByte(pointer, '/')+1:]
	return e
}

// Keywords returns the type of the element with the texts that it is known by.
func (p *places) Keywords(at uint32) []grammar.Keyword {
	name, value := "tag", ""
	for c := range p.tree.Children(jsontext.ID(at)) {
		switch n := p.tree.Node(c); n.Key {
		case "type":
			name = n.Text
		case "begin", "value", "pattern":
			value = diag.Shorten(p.tree.Raw(c), limits.TagFragment)
		}
	}
	return []grammar.Keyword{{Name: name, Value: value}}
}

type nested struct {
	inner grammar.Text
	whole grammar.Origin
}

// Place returns the place of the grammar, with a fragment from the place within it.
func (n *nested) Place(at uint32) *diag.Error {
	e := n.inner.Place(at)
	e.Place = n.whole.Place().Place
	return e
}

// Around returns the text of the grammar and its place in the structural tag.
func (n *nested) Around() (grammar.Text, grammar.Origin) { return n.inner, n.whole }
