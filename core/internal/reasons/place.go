// Package reasons says in words which parts of a constraint a state waits for: rules with their line, pointers with
// their keyword, tags.
//
// Invariant: equal questions have equal answers, in all histories of the automaton. Start reading at Of.
package reasons

import (
	"fmt"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// Place is a place in the constraint, in the words of its language. A value.
type Place struct {
	Source     string // the language of the constraint; "": the place is not known
	Pointer    string // RFC 6901, of a constraint in JSON, if HasPointer is set
	HasPointer bool
	Keyword    string // the keyword at the pointer, or the type of the element of a structural tag; "" if none
	Value      string // the keyword's value as it is written, shortened
	Rule       string // the rule of a grammar; "" if none
	Line       int    // from 1, of the rule or pattern; 0 if there is none
	Column     int    // from 1, in code points
}

// String returns the place as errors write it, "" if it is not known.
func (p Place) String() string {
	var b strings.Builder
	b.WriteString(p.Source)
	if p.HasPointer && p.Pointer != "" {
		b.WriteString(":" + p.Pointer)
	}
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	if p.Rule != "" {
		b.WriteString(" " + p.Rule)
	}
	if p.Keyword != "" {
		b.WriteString(" " + p.Keyword)
		if p.Value != "" {
			b.WriteString(" " + p.Value)
		}
	}
	return b.String()
}

// located is a place with all keywords of its pointer.
type located struct {
	Place
	keywords []grammar.Keyword
}

// has selects the first of names that is a keyword of the place, and reports whether there is one.
func (l *located) has(names ...string) bool {
	for _, name := range names {
		for _, k := range l.keywords {
			if k.Name == name {
				l.Keyword, l.Value = k.Name, k.Value
				return true
			}
		}
	}
	return false
}

// locate returns a place in the whole constraint: a pointer or line of a part is moved to the constraint around it.
func locate(p pushdown.Place) located {
	l := within(p.Origin)
	if p.Outer == nil {
		return l
	}
	outer := locate(*p.Outer)
	if outer.Source == "" {
		return l
	}
	if l.HasPointer && outer.HasPointer {
		l.Pointer = diag.At(l.Pointer).Within(outer.Pointer).Pointer
	} else if outer.HasPointer {
		l.Pointer, l.HasPointer = outer.Pointer, true
	}
	if outer.Line > 0 {
		l.Line, l.Column, l.Rule = outer.Line, outer.Column, outer.Rule
	}
	if l.Source == "" {
		l.keywords, l.Keyword, l.Value = outer.keywords, outer.Keyword, outer.Value
	}
	l.Source = outer.Source
	return l
}

// within returns the place of an origin. The text of an Inner one is a part of another text.
func within(o grammar.Origin) (l located) {
	if o.Text == nil {
		return l
	}
	if n, ok := o.Text.(grammar.Inner); ok {
		text, around := n.Around()
		l = within(grammar.Origin{Text: text, At: o.At})
		outer := within(around)
		l.Source, l.Pointer, l.HasPointer = outer.Source, outer.Pointer, outer.HasPointer
		return l
	}
	e := o.Place()
	l.Source = e.Source
	l.Pointer, l.HasPointer = e.Place.Pointer, e.Place.HasPointer
	if e.Place.Line > 0 {
		l.Line, l.Column, l.Rule = e.Place.Line, e.Place.Column, e.Keyword
	}
	if w, ok := o.Text.(grammar.Worded); ok {
		if l.keywords = w.Keywords(o.At); len(l.keywords) > 0 {
			l.Keyword, l.Value = l.keywords[0].Name, l.keywords[0].Value
		}
	}
	return l
}
