package lower

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A script says how characters of strings are spelled: with escapes in JSON, as themselves in tags.
//
// Strings must not contain some texts in their written form: ends of a value in tags, and a structural tag's excludes.
// Quotes, punctuation, numbers and tags are not part of strings. As in XGrammar, strings with a pattern or a format
// may contain texts of excludes.

type script struct {
	enc       terminal.Encoding // of ASCII with the option ascii_only
	endOfName terminal.Expr     // the quote, or the end of a name in tags
	anyString terminal.Expr     // with quotes
	anyBody   terminal.Expr
	// safe is the set of texts without an end of a value, free the set without excluded texts. Empty: all texts.
	safe, free terminal.Expr
	ends       []string              // texts excluded from safe, besides characters outside of alphabet
	avoided    []string              // texts excluded from free
	spell      func(s string) string // nil: texts are spelled as they are
	// alphabet holds the bodies that are strings, among JSON's bodies; Empty: all of them.
	alphabet terminal.Expr
	single   terminal.Expr // bodies of any strings in the other quotes; Empty: none
	scope    jsontype.Set  // types in this script: all, or only strings for texts
}

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

func (l *lowerer) encoding(enc terminal.Encoding) terminal.Encoding {
	if l.p.Options.ASCIIOnly {
		return enc | terminal.ASCII
	}
	return enc
}

func (l *lowerer) anyCharacter() terminal.Expr {
	if l.alphabet != terminal.Empty {
		return l.pythonCharacter('"')
	}
	return l.st.AnyRune(l.enc)
}

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

func (l *lowerer) withoutTexts(texts []string) terminal.Expr {
	st := l.st
	any := st.Not(terminal.Empty) // texts may contain parts of escapes
	return st.Not(st.Concat(any, st.Texts(texts, terminal.UTF8, nil), any))
}

// clean restricts an expression to free texts. If texts are given, the expression is their spellings.
func (l *lowerer) clean(e terminal.Expr, texts ...string) terminal.Expr {
	if l.free == terminal.Empty || texts != nil && !slices.ContainsFunc(texts, l.mayBeUnclean) {
		return e
	}
	if e = l.st.And(e, l.free); texts != nil && l.st.IsEmpty(e) {
		return terminal.Empty
	}
	return e
}

// mayBeUnclean reports whether some spelling of a text contains something forbidden.
func (l *lowerer) mayBeUnclean(text string) bool {
	if l.alphabet != terminal.Empty && !sameInPython(text) {
		return true
	}
	return slices.ContainsFunc(l.avoided, func(s string) bool {
		return l.enc.HasEscapes() && !style.Plain(s) || strings.Contains(text, s)
	})
}

// anyPatterned reports whether strings include all matches of a pattern or format.
func (l *lowerer) anyPatterned() bool {
	return l.safe == terminal.Empty && l.enc.HasEscapes()
}

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

// spelling returns the encoding for texts that a schema lists. Tests and patterns beside them recognise any spelling.
func (l *lowerer) spelling() terminal.Encoding {
	if l.wide || l.patterned || l.p.Options.AnyEscapes {
		return l.enc
	}
	return l.encoding(terminal.JSONWritten)
}

func (l *lowerer) plainLiterals(texts []string) terminal.Expr {
	return l.st.Texts(l.plainTexts(texts), l.enc, nil)
}

func (l *lowerer) literals(texts []string) terminal.Expr {
	if !l.enc.HasEscapes() {
		return l.plainLiterals(texts)
	}
	return l.clean(l.st.Texts(texts, l.spelling(), nil), texts...)
}

// except returns the bodies of strings other than the texts, in any spelling.
func (l *lowerer) except(texts []string) terminal.Expr {
	if !l.enc.HasEscapes() {
		return l.st.Excluded(l.plainTexts(texts), l.enc)
	}
	return l.st.Excluded(texts, l.enc)
}

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

// findTexts computes the facts for the solver that depend on expressions of texts.
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

func (l *lowerer) noName(name string, inTags bool) bool {
	if inTags {
		written := l.p.Tagged.Style.Written(name)
		return slices.ContainsFunc(l.p.Excludes, func(s string) bool { return strings.Contains(written, s) })
	}
	return l.mayBeUnclean(name) && l.literals([]string{name}) == terminal.Empty
}
