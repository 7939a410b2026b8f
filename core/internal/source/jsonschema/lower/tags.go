package lower

import (
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Members in tags are an object of the grammar: the opening tag is the comma, the end of the name the end of the key,
// and the end of the value part of the value. An array in elements is a list without commas.

type role uint8

const (
	isJSON   role = iota
	aValue        // one of the forms after a name, with its end
	aBody         // the members of an array or object, with their end
	rootBody      // at least one member, and whitespace
)

type tags struct {
	texts, names script
	open, value  terminal.Expr // before a name, before a form
	stop, end    terminal.Expr // ends of a value, without and with whitespace before it
	early        terminal.Expr // texts with an end before their last byte; Empty: none
	item, comma  terminal.Expr
	around, last terminal.Expr // gaps around JSON in templates, and after the last member
	inside       role          // role of the current body; isJSON outside of bodies
}

func (l *lowerer) inBrackets() bool { return l.p.Tagged != nil && l.p.Tagged.Style.Brackets }

func (l *lowerer) prepareTags() {
	st, s := l.st, l.p.Tagged.Style
	ws := l.ws
	if l.p.Options.WhitespacePattern == "" {
		ws = Gap(st, l.p, tagLevel)
	}
	gap, before := ws, ws // of members, of the end of a value
	t := tags{
		last: ws, value: terminal.Epsilon, stop: terminal.Epsilon, end: terminal.Epsilon,
		early: terminal.Empty, around: terminal.Epsilon,
	}
	if l.p.Laid() {
		gap, t.around = st.Optional(st.Literal(s.Between)), st.Optional(st.Literal(s.Around))
		t.last, before = gap, t.around
	}
	mark := func(text string) terminal.Expr { return st.Concat(gap, st.Literal(text)) }
	t.open, t.comma = mark(s.Open), mark(s.Open)
	switch {
	case s.Comma != "" && !l.p.Laid():
		t.comma = st.Concat(l.comma, t.open)
	case s.Comma != "":
		t.comma, t.last = st.Concat(st.Literal(s.Comma), t.open), terminal.Epsilon
	}
	if l.p.Laid() && !s.Nests() { // the call contains a template's text before the first member
		t.open = st.Literal(s.Open)
	}
	if len(l.p.Tagged.Ends) > 0 {
		t.stop = st.Texts(l.p.Tagged.Ends, terminal.UTF8, nil)
		t.end = st.Concat(before, t.stop)
	}
	if s.Brackets {
		t.end, t.open, t.comma = terminal.Epsilon, terminal.Epsilon, l.comma
	}
	if l.p.Tagged.Alone && style.Overlap(l.p.Tagged.Ends) {
		any := st.Star(st.AnyRune(terminal.UTF8))
		t.early = st.Concat(any, t.stop, st.AnyRune(terminal.UTF8), any)
	}
	if s.Value != "" {
		t.value = mark(s.Value)
	}
	if s.Item != "" {
		t.item = mark(s.Item)
	}
	json := l.script
	l.script = script{enc: l.encoding(terminal.UTF8), endOfName: terminal.Epsilon, scope: jsontype.String}
	l.avoid(l.p.Tagged.Ends)
	l.anyBody = l.clean(st.Star(l.anyCharacter()))
	l.anyString = l.anyBody
	t.texts = l.script
	l.script = script{
		enc: l.encoding(terminal.UTF8), endOfName: st.Literal(s.Named), scope: jsontype.String, spell: s.Written,
	}
	l.avoid(nil)
	l.anyBody = l.clean(l.anyName())
	t.names = l.script
	l.script, l.tags = json, t
}

func (l *lowerer) anyName() terminal.Expr {
	st, s := l.st, l.p.Tagged.Style
	if !s.Python && !s.Brackets {
		return st.Plus(l.nameCharacter(s.Escapes != nil))
	}
	first, later := terminal.BytesOf("_"), terminal.BytesOf("_"+s.Also)
	if s.Python && l.p.Arguments {
		first = terminal.ByteSet{}
	}
	for _, set := range []*terminal.ByteSet{&first, &later} {
		set.AddRange('a', 'z')
		set.AddRange('A', 'Z')
	}
	later.AddRange('0', '9')
	if s.Brackets {
		return st.Plus(st.Bytes(later))
	}
	any := st.Concat(st.Bytes(first), st.Star(st.Bytes(later)))
	return st.And(any, st.Excluded(s.Keywords(), terminal.UTF8))
}

// nameCharacter returns a character of an undeclared name, without control characters and characters that end the
// name.
func (l *lowerer) nameCharacter(escapes bool) terminal.Expr {
	st, s := l.st, l.p.Tagged.Style
	never, beyond := s.Never, []rune{0x80, utf8.MaxRune}
	if l.p.Arguments { // readers remove white space; a name with its end must not be a mark
		never, beyond = never+" <>", notWhite
	}
	var set []rune
	from := rune(' ')
	for c := from; c <= 0x7F; c++ {
		if c == 0x7F || containsRune(never, c) || containsRune(s.Escaped, c) {
			if from < c {
				set = append(set, from, c-1)
			}
			from = c + 1
		}
	}
	any := st.Runes(append(set, beyond...), l.encoding(terminal.UTF8))
	if !escapes {
		return any
	}
	var texts []string
	for _, c := range s.Escaped {
		texts = append(texts, s.Written(string(c)))
	}
	return st.Or(any, st.Texts(texts, terminal.UTF8, nil))
}

var notWhite = []rune{
	0xA1, 0x167F, 0x1681, 0x1FFF, 0x200B, 0x2027, 0x202A, 0x202E, 0x2030, 0x205E, 0x2060, 0x2FFF, 0x3001, utf8.MaxRune,
}

func containsRune(set string, c rune) bool {
	for _, r := range set {
		if r == c {
			return true
		}
	}
	return false
}

func (l *lowerer) in(s script, f func()) {
	defer func(before script) { l.script = before }(l.script)
	l.script = s
	f()
}

func (l *lowerer) symbolOf(g plan.GoalID) grammar.Symbol {
	if l.tags.inside == isJSON {
		return l.symbol(g)
	}
	return l.valueIn(g)
}

func (l *lowerer) valueIn(g plan.GoalID) grammar.Symbol {
	m := l.memo(g)
	if s, ok := m.values[g]; ok {
		return s
	}
	if m.values == nil {
		m.values = map[plan.GoalID]grammar.Symbol{}
	}
	m.values[g] = l.newRole("parameter", g, aValue)
	return m.values[g]
}

func (l *lowerer) bodyOf(g plan.GoalID, as role) grammar.Symbol {
	m := l.memo(g)
	if s, ok := m.bodies[g]; ok && as == aBody {
		return s
	}
	s := l.newRole("members", g, as)
	if as == aBody {
		if m.bodies == nil {
			m.bodies = map[plan.GoalID]grammar.Symbol{}
		}
		m.bodies[g] = s
	}
	return s
}

func (l *lowerer) newRole(name string, g plan.GoalID, as role) grammar.Symbol {
	defer func(around grammar.Origin) { l.g.At = around }(l.g.At)
	l.at(g)
	r := l.g.NewRule(name)
	l.queue = append(l.queue, pending{rule: r, goal: g, depth: -1, wide: l.isWide(g), role: as})
	return grammar.N(r)
}

func (l *lowerer) fillRole(r grammar.RuleID, g plan.GoalID, as role) {
	l.p.WorkOn(g)
	l.at(g)
	if as != aValue {
		l.fillBody(r, g, as)
		return
	}
	t, st := l.p.Tagged, l.st
	for i, n := range t.Forms[g] {
		f := &t.Style.Forms[i]
		open := st.Literal(f.Open)
		switch {
		case n == plan.NoneGoal:
		case f.How == style.AsText:
			for _, e := range l.textsOf(n) {
				l.g.Add(r, grammar.T(l.lead(open, e)))
			}
		case f.How == style.AsMembers && l.solved.Bodies[n]:
			l.g.Add(r, grammar.T(open), l.bodyOf(n, aBody))
		case f.How == style.AsJSON && l.solved.Satisfied[n]:
			l.g.Add(r, grammar.T(l.st.Concat(open, l.tags.around)), l.jsonIn(n), grammar.T(l.tags.end))
		}
	}
}

func (l *lowerer) jsonIn(g plan.GoalID) grammar.Symbol {
	if l.p.Laid() && !l.indented {
		return l.symbolAfter(g, terminal.Epsilon)
	}
	return l.symbol(g)
}

func (l *lowerer) fillBody(r grammar.RuleID, g plan.GoalID, as role) {
	for i := range l.p.Goals[g].Cases {
		a := &l.p.Goals[g].Cases[i]
		if !a.Flat.HasValues {
			l.addBody(r, a, as)
			continue
		}
		for _, v := range a.Flat.Values {
			if b := l.p.Tagged.Listed[v]; b != nil {
				c := &plan.Alternative{Object: b.Object, List: b.List}
				c.Flat.Types = l.p.TypeOf(v)
				l.addBody(r, c, as)
			}
		}
	}
}

func (l *lowerer) addBody(r grammar.RuleID, a *plan.Alternative, as role) {
	defer func(before tags, marks layout, within []bool, inTags bool) {
		l.tags, l.layout, l.solved.Within, l.solved.InTags = before, marks, within, inTags
	}(l.tags, l.layout, l.solved.Within, l.solved.InTags)
	l.tags.inside = as
	l.solved.Within, l.solved.InTags = l.solved.Values, true
	if !l.inBrackets() {
		end := l.st.Concat(l.tags.last, l.tags.stop)
		l.openList, l.comma, l.close, l.endList = terminal.Epsilon, terminal.Epsilon, end, end
	}
	if as == rootBody {
		l.close, l.endList = l.tags.last, l.tags.last
	}
	ws := l.ws
	if l.solved.List(a) {
		if l.ws = terminal.Epsilon; as == rootBody {
			a = atLeastOne(a)
		}
		if a.List.Min <= a.List.Max {
			l.testedList(r, a, terminal.Epsilon)
		}
		l.ws = ws
	}
	if l.solved.Object(a) {
		if s, ok := l.bodyObject(a.Object, as); ok {
			l.g.Add(r, l.testedBy(a, jsontype.Object, s, terminal.Epsilon))
		}
	}
}

func atLeastOne(a *plan.Alternative) *plan.Alternative {
	c := *a
	list := *a.List
	list.Min = max(list.Min, 1)
	c.List = &list
	return &c
}

func (l *lowerer) bodyObject(o *plan.ObjectPlan, as role) (grammar.Symbol, bool) {
	r := l.g.NewRule("object")
	bare := as == rootBody || !l.inBrackets()
	empty := as == aBody && o.Min == 0 && o.Required == 0
	if empty && bare {
		l.g.Add(r, grammar.T(l.tags.stop))
	}
	node := grammar.Object{
		Open: l.tags.open, Comma: l.tags.comma, Quote: terminal.Epsilon, Colon: l.tags.value, Close: l.close,
		MinMembers: max(1, bound32(o.Min)), MaxMembers: bound32(o.Max),
	}
	if !bare {
		node.Open, node.MinMembers = l.open, bound32(o.Min)
	}
	if o.Min <= uint64(o.Required) && o.Required > 0 {
		node.MinMembers = 0
	}
	some := l.members(&node, o)
	if some {
		for _, s := range l.inOrders(node, o) {
			l.g.Add(r, s)
		}
	} else if empty && !bare {
		l.g.Add(r, grammar.T(l.open), grammar.T(l.close))
	}
	return grammar.N(r), some || empty
}

// closedWith returns a value, followed by the name if the style repeats it.
func (l *lowerer) closedWith(value grammar.Symbol, name string) grammar.Symbol {
	if l.tags.inside == isJSON || !l.p.Tagged.Style.Repeats() {
		return value
	}
	s := l.p.Tagged.Style
	r := l.g.NewRule("element")
	l.g.Add(r, value, grammar.T(l.st.Literal(s.Close+name+s.Closed)))
	return grammar.N(r)
}

func (l *lowerer) itemOf(g plan.GoalID) grammar.Symbol {
	if l.tags.inside == isJSON {
		return l.symbol(g)
	}
	if l.inBrackets() {
		return l.valueIn(g)
	}
	r := l.g.NewRule("item")
	seq := grammar.Sequence{grammar.T(l.tags.item), l.valueIn(g)}
	if end := l.p.Tagged.Style.ItemClose; end != "" {
		seq = append(seq, grammar.T(l.st.Literal(end)))
	}
	l.g.Add(r, seq...)
	return grammar.N(r)
}

func (l *lowerer) noteUnescaped() {
	text := "names with one of the characters " + schema.Quote(l.p.Tagged.Style.Escaped) +
		" are left out where a pattern or propertyNames applies to them"
	for _, n := range l.more {
		if n.Text == text {
			return
		}
	}
	l.more = append(l.more, diag.Note{Keyword: "propertyNames", Effect: diag.Narrower, Text: text})
}
