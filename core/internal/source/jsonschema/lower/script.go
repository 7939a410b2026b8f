package lower

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Texts stand in quotes and with escapes in JSON, and as they are in tags, and are the same otherwise: a script says
// how their characters are spelled.
//
// Some texts must not occur in strings as they are written: ends of a value in tags, and the texts that the option
// excludes of a structural tag lists. Quotes, punctuation, numbers and tags are no part of strings. Texts of excludes
// may occur in strings with a pattern or a format, which are matched as they are; so XGrammar defines it.

// script is how texts are written.
type script struct {
	enc       terminal.Encoding // with the option ascii_only, one of ASCII
	endOfName terminal.Expr     // the quote, or the end of a name in tags
	anyString terminal.Expr     // quotes included
	anyBody   terminal.Expr
	// safe holds the texts without an end of a value, free the texts without any excluded text. Empty: all texts.
	safe, free terminal.Expr
	ends       []string              // texts that do not occur in safe, beside characters outside of alphabet
	avoided    []string              // texts that do not occur in free
	spell      func(s string) string // nil: texts are spelled as they are
	// alphabet holds the bodies that are strings, among those of JSON; Empty: all of them.
	alphabet terminal.Expr
	single   terminal.Expr // the bodies of any strings in the other quotes, Empty: there are none
	scope    jsontype.Set  // the types that are written: all, or strings alone where texts are
}

// prepareTexts makes the scripts.
func (l *lowerer) prepareTexts() {
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

// encoding returns an encoding, restricted to ASCII if the options ask for that.
func (l *lowerer) encoding(enc terminal.Encoding) terminal.Encoding {
	if l.p.Options.ASCIIOnly {
		return enc | terminal.ASCII
	}
	return enc
}

// anyCharacter returns one character of a string.
func (l *lowerer) anyCharacter() terminal.Expr {
	if l.alphabet != terminal.Empty {
		return l.pythonCharacter('"')
	}
	return l.st.AnyRune(l.enc)
}

// avoid sets the texts that must not occur: ends of a value, and excluded texts.
func (l *lowerer) avoid(ends []string) {
	l.safe, l.free, l.ends = terminal.Empty, terminal.Empty, ends
	l.avoided = slices.Concat(ends, l.p.Excludes)
	if len(ends) > 0 {
		l.safe = l.withoutTexts(ends)
	}
	if len(l.avoided) > 0 {
		l.free = l.withoutTexts(l.avoided)
	}
	if l.alphabet == terminal.Empty {
		return
	}
	for _, e := range []*terminal.Expr{&l.safe, &l.free} {
		if *e == terminal.Empty {
			*e = l.alphabet
		} else {
			*e = l.st.And(*e, l.alphabet)
		}
	}
}

// withoutTexts returns the texts in which none of those occurs.
func (l *lowerer) withoutTexts(texts []string) terminal.Expr {
	st := l.st
	any := st.Not(terminal.Empty) // an escape may be part of one
	return st.Not(st.Concat(any, st.Texts(texts, terminal.UTF8, nil), any))
}

// clean restricts an expression to free texts; if texts are given, it stands for spellings of these.
func (l *lowerer) clean(e terminal.Expr, texts ...string) terminal.Expr {
	if l.free == terminal.Empty || texts != nil && !slices.ContainsFunc(texts, l.mayBeUnclean) {
		return e
	}
	if e = l.st.And(e, l.free); texts != nil && l.st.IsEmpty(e) {
		return terminal.Empty
	}
	return e
}

// mayBeUnclean says whether some spelling of a text has something in it that must not occur.
func (l *lowerer) mayBeUnclean(text string) bool {
	if l.alphabet != terminal.Empty && !sameInPython(text) {
		return true
	}
	return slices.ContainsFunc(l.avoided, func(s string) bool {
		return l.enc.HasEscapes() && !plan.SpelledApart(s) || strings.Contains(text, s)
	})
}

// anyPatterned reports whether all matches of a pattern or format are strings: nothing is excluded from them.
func (l *lowerer) anyPatterned() bool {
	return l.safe == terminal.Empty && l.enc.HasEscapes()
}

// plainTexts returns texts as they are written, without those that contain an excluded text.
func (l *lowerer) plainTexts(texts []string) []string {
	kept := make([]string, 0, len(texts))
	for _, t := range texts {
		if l.spell != nil {
			t = l.spell(t)
		}
		if !l.mayBeUnclean(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

// spelling returns the spelling in JSON of texts that a schema lists. Tests beside them recognise any spelling, and so
// do patterns.
func (l *lowerer) spelling() terminal.Encoding {
	if l.wide || l.patterned || l.p.Options.AnyEscapes {
		return l.enc
	}
	return l.encoding(terminal.JSONWritten)
}

// plainLiterals returns texts as they are.
func (l *lowerer) plainLiterals(texts []string) terminal.Expr {
	return l.st.Texts(l.plainTexts(texts), l.enc, nil)
}

// literals returns the bodies of strings that mean one of the texts, as far as they are written.
func (l *lowerer) literals(texts []string) terminal.Expr {
	if !l.enc.HasEscapes() {
		return l.plainLiterals(texts)
	}
	return l.clean(l.st.Texts(texts, l.spelling(), nil), texts...)
}

// except returns the bodies of strings that mean none of the texts, whatever their spelling.
func (l *lowerer) except(texts []string) terminal.Expr {
	if !l.enc.HasEscapes() {
		return l.st.Excluded(l.plainTexts(texts), l.enc)
	}
	return l.st.Excluded(texts, l.enc)
}

// keys returns the rest of a key after its opening quote, each with its index among the names as its tag.
func (l *lowerer) keys(names []string) terminal.Expr {
	st := l.st
	if l.tags.inside != isJSON {
		written := make([]string, len(names))
		for i, name := range names {
			written[i] = l.tags.names.spell(name)
		}
		return st.Keys(written, terminal.UTF8, l.tags.names.endOfName)
	}
	if l.python() {
		return l.pythonKeys(names)
	}
	if !slices.ContainsFunc(names, l.mayBeUnclean) {
		return st.Keys(names, l.spelling(), l.endOfName)
	}
	xs := make([]terminal.Expr, len(names))
	for i, name := range names {
		xs[i] = st.Concat(l.literals([]string{name}), l.endOfName, st.Tag(uint32(i)))
	}
	return st.Or(xs...)
}

// findTexts builds the facts about texts that only expressions tell, and returns them for the solver.
func (l *lowerer) findTexts() *plan.Found {
	l.buildStrings()
	if l.p.Tagged != nil {
		l.buildTexts()
	}
	f := &plan.Found{NoString: l.noString, NoText: l.noEnded, NoValue: func(*plan.Alternative) bool { return false }}
	f.NoName = func(string, bool) bool { return false }
	if len(l.avoided) > 0 {
		f.NoName = l.noName
		none := map[*plan.Alternative]bool{}
		for _, g := range l.c.Reached {
			for i := range l.p.Goals[g].Cases {
				a := &l.p.Goals[g].Cases[i]
				if a.Flat.HasValues && len(a.Flat.Values) > 0 && !l.anyReorders(a.Flat.Values) {
					none[a] = l.values(a) == terminal.Empty
				}
			}
		}
		f.NoValue = func(a *plan.Alternative) bool { return none[a] }
	}
	return f
}

// noName says whether a name cannot be written, in JSON or in tags.
func (l *lowerer) noName(name string, inTags bool) bool {
	if inTags {
		written := l.p.Tagged.Style.Written(name)
		return slices.ContainsFunc(l.p.Excludes, func(s string) bool { return strings.Contains(written, s) })
	}
	return l.mayBeUnclean(name) && l.literals([]string{name}) == terminal.Empty
}
