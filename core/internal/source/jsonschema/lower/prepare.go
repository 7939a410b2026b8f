package lower

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// prepare sets the marks between values and the scripts of strings.
func (l *speller) prepare() {
	st, o := l.st, l.p.Options
	fixed := o.Separators != nil || o.Indent != nil
	l.scope = jsontype.All
	l.words = l.namedValues()
	gap := Gap(st, l.p, anyLevel)
	if o.WhitespacePattern != "" {
		gap = l.blanks(o.WhitespacePattern)
	}
	if l.inBrackets() {
		gap, fixed = terminal.Epsilon, false
	}
	if l.marks = l.marksAround(gap); fixed {
		separators := [2]string{",", ": "}
		if o.Separators != nil {
			separators = *o.Separators
		}
		l.comma, l.colon = st.Literal(separators[0]), st.Literal(separators[1])
	}
	l.prepareTexts()
	if o.Indent != nil && !l.inBrackets() {
		l.indented = true
		l.setDepth(0)
	}
}

func (l *speller) prepareTexts() {
	st := l.st
	l.script = script{enc: l.encoding(terminal.JSONString), endOfName: st.Literal(`"`), scope: jsontype.All}
	if l.python() {
		l.preparePython()
	}
	ends := []string(nil)
	if t := l.p.Tagged; t != nil {
		ends = t.Ends
	}
	l.avoid(ends)
	l.anyBody = l.clean(st.Star(l.anyCharacter()))
	l.anyString = l.inQuotes(l.anyBody, l.single)
	if l.p.Tagged != nil {
		l.prepareTags()
	}
}

func (l *speller) noName(name string, inTags bool) bool {
	if inTags {
		written := l.p.Tagged.Style.Written(name)
		return slices.ContainsFunc(l.p.Excludes, func(s string) bool { return strings.Contains(written, s) })
	}
	return l.mayBeUnclean(name) && l.literals([]string{name}) == terminal.Empty
}

func (l *speller) prepareTags() {
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

func (l *speller) anyName() terminal.Expr {
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
func (l *speller) nameCharacter(escapes bool) terminal.Expr {
	st, s := l.st, l.p.Tagged.Style
	never, beyond := s.Never, []rune{0x80, utf8.MaxRune}
	if l.p.Arguments { // readers remove white space; a name with its end must not be a mark
		never, beyond = never+" <>", notWhite
	}
	var set []rune
	from := rune(' ')
	for c := from; c <= 0x7F; c++ {
		if c == 0x7F || strings.ContainsRune(never, c) || strings.ContainsRune(s.Escaped, c) {
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
