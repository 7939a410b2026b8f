package lower

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A script says how characters of strings are spelled: with escapes in JSON, as themselves in tags.
//
// Strings must not contain some texts in their written form: ends of a value in tags, and a structural tag's excludes.
// A text may still occur across quotes, punctuation, numbers and tags, which are no parts of strings. As in XGrammar,
// strings with a pattern or a format may contain texts of excludes.

type script struct {
	enc       terminal.Encoding // of ASCII with the option ascii_only
	endOfName terminal.Expr     // the quote, or the end of a name in tags
	anyString terminal.Expr     // with quotes
	anyBody   terminal.Expr
	// safe holds the texts without an end of a value. free holds safe texts without excluded ones. The expression Empty
	// stands for all texts.
	safe, free terminal.Expr
	ends       []string              // texts excluded from safe, besides characters outside of alphabet
	avoided    []string              // texts excluded from free
	spell      func(s string) string // nil: texts are spelled as they are
	// alphabet holds the bodies of JSON strings that are strings of the script too; Empty: all of them.
	alphabet terminal.Expr
	single   terminal.Expr // bodies of any strings in the other quotes; Empty: none
	scope    jsontype.Set  // types in this script: all, or only strings for texts
}

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

// speller writes listed values, names and numbers.
type speller struct {
	layouter
	script
	tags      tags
	wide      bool // see write
	patterned bool // some texts being lowered come from a pattern
	loose     bool // the numbers being lowered are integral, but no type says integer
}

func (l *speller) avoid(ends []string) {
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

// clean restricts an expression to free texts. If texts are given, the expression is their spellings.
func (l *speller) clean(e terminal.Expr, texts ...string) terminal.Expr {
	if l.free == terminal.Empty || texts != nil && !slices.ContainsFunc(texts, l.mayBeUnclean) {
		return e
	}
	if e = l.st.And(e, l.free); texts != nil && l.st.IsEmpty(e) {
		return terminal.Empty
	}
	return e
}

// mayBeUnclean reports whether some spelling of a text contains something forbidden.
func (l *speller) mayBeUnclean(text string) bool {
	if l.alphabet != terminal.Empty && !sameInPython(text) {
		return true
	}
	return slices.ContainsFunc(l.avoided, func(s string) bool {
		return l.enc.HasEscapes() && !style.Plain(s) || strings.Contains(text, s)
	})
}

// anyPatterned reports whether strings include all matches of a pattern or format.
func (l *speller) anyPatterned() bool {
	return l.safe == terminal.Empty && l.enc.HasEscapes()
}

func (l *speller) plainTexts(texts []string) []string {
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
func (l *speller) spelling() terminal.Encoding {
	if l.wide || l.patterned || l.p.Options.AnyEscapes {
		return l.enc
	}
	return l.encoding(terminal.JSONWritten)
}

func (l *speller) plainLiterals(texts []string) terminal.Expr {
	return l.st.Texts(l.plainTexts(texts), l.enc, nil)
}

func (l *speller) literals(texts []string) terminal.Expr {
	if !l.enc.HasEscapes() {
		return l.plainLiterals(texts)
	}
	return l.clean(l.st.Texts(texts, l.spelling(), nil), texts...)
}

// except returns the bodies of strings other than the texts, in any spelling.
func (l *speller) except(texts []string) terminal.Expr {
	if !l.enc.HasEscapes() {
		return l.st.Excluded(l.plainTexts(texts), l.enc)
	}
	return l.st.Excluded(texts, l.enc)
}

func (l *speller) in(s script, f func()) {
	defer func(before script) { l.script = before }(l.script)
	l.script = s
	f()
}

// The output has fewer spellings than JSON allows: properties in declared order, integers without fraction, no escapes
// of letters. The other side of a test needs all of them: a value must be excluded in every order, and a tested value
// may be in any. So tests are written wide, in every order, with all forms of numbers and all escapes, with any
// options.

func (l *speller) write(wide bool) { l.wide = wide }

func (l *speller) anyOrder() bool { return l.wide || l.p.Options.AnyOrder }

func (l *speller) allForms() bool { return l.wide || l.loose || l.p.Options.AllNumberForms }

// sameInPython reports whether every spelling of a text in JSON means the same in Python.
func sameInPython(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c == '/' || c > 0xFFFF })
}
