package reasons

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// Expectation is a part of the constraint that may come next. A value.
type Expectation struct {
	Text string // the expected text in words
	Place
}

// Missing is a part of the constraint that every output still has to write. A value.
type Missing struct {
	Kind  string // "text", "characters", "property", "properties", "items", "part"
	Text  string // in words
	Name  string // of a property
	Count int    // of characters, properties, items; else 0
	Place
}

// Reasons describes a state.
type Reasons struct {
	Expected []Expectation // the most specific first
	Missing  []Missing     // in the order of the output
}

// Of describes state s, neither Dead nor Over, in the words of the constraint. x has its places. source is its language,
// for places without one.
func Of(a *pushdown.Automaton, s pushdown.StateID, x *pushdown.Places, source string) Reasons {
	w := &writer{a.Program().Store(), source}
	var r Reasons
	for _, spot := range a.Spots(s, x) {
		if e := w.expectation(spot); !slices.Contains(r.Expected, e) {
			r.Expected = append(r.Expected, e)
		}
	}
	slices.SortFunc(r.Expected, func(a, b Expectation) int {
		return cmp.Or(
			-cmp.Compare(strings.Count(a.Pointer, "/"), strings.Count(b.Pointer, "/")),
			cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Keyword, b.Keyword),
			cmp.Compare(a.Value, b.Value), cmp.Compare(a.Source, b.Source))
	})
	r.Expected = r.Expected[:min(len(r.Expected), limits.Expectations)]
	for _, l := range a.Lacks(s, x) {
		r.Missing = append(r.Missing, w.missing(l))
		if len(r.Missing) == limits.Expectations {
			break
		}
	}
	return r
}

type writer struct {
	st     *terminal.Store
	source string
}

func (w *writer) locate(p pushdown.Place) located {
	l := locate(p)
	if l.Source == "" {
		l.Source = w.source
	}
	return l
}

func (w *writer) expectation(s pushdown.Spot) Expectation {
	l := w.locate(s.Place)
	text, _ := w.text(s.Item.Terminal, s.Item.Counter)
	switch s.Role {
	case pushdown.Opening:
		l.has("type")
	case pushdown.Closing:
		l.has("maxProperties", "required", "additionalProperties", "properties", "type")
	case pushdown.Member, pushdown.Declared:
		what := "a property"
		if s.Role == pushdown.Declared {
			what = "the property name"
		}
		switch names := names(s.Keys); {
		case names == "":
			text = what + " of another name"
			l.has("patternProperties", "additionalProperties", "propertyNames", "type")
		case s.Role == pushdown.Member && s.Extra:
			text = what + " " + names + " or of another name"
			l.has("properties")
		default:
			text = what + " " + names
			l.has("properties")
		}
		if l.HasPointer && (l.Keyword == "properties" || l.Keyword == "patternProperties") {
			l.Value = "" // the names are in the text
		}
	case pushdown.Other:
		text = "another property name"
		l.has("propertyNames", "patternProperties", "additionalProperties", "type")
	case pushdown.Plain:
		w.plain(&l, s.Item, text)
	}
	return Expectation{text, l.Place}
}

// plain selects the most specific keyword of a place for an item with this text.
func (w *writer) plain(l *located, it pushdown.Item, text string) {
	if least, most, ok := counters.Bounds(w.st, it.Terminal); ok {
		n := it.Counter.Count()
		if n < least && l.has("minLength") || most != terminal.Unbounded && n >= most && l.has("maxLength") {
			return
		}
	}
	if counters.Accepts(w.st, it.Terminal, it.Counter) && (l.Keyword == "minimum" || l.Keyword == "exclusiveMinimum") {
		l.has("maximum", "exclusiveMaximum") // the number so far is large enough
		return
	}
	switch text {
	case `"["`:
		l.has("type", "items")
	case `"]"`:
		l.has("maxItems", "prefixItems", "items", "type")
	case `","`:
		l.has("minItems", "items", "type")
	default:
		if !l.has("const", "enum") {
			l.has("prefixItems", "items")
		}
	}
}

// names returns the names of properties, "" if there are none.
func names(list []grammar.Property) string {
	var b strings.Builder
	for i, p := range list {
		switch {
		case i == limits.ExpectedNames:
			fmt.Fprintf(&b, " or %d others", len(list)-i)
			return b.String()
		case i > 0 && i == len(list)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(p.Name))
	}
	return b.String()
}

// text describes the texts of a terminal in a state: their common beginning in quotes, or the bytes that may come first.
// It leaves out whitespace before them. whole: there is one text, and it is quoted.
func (w *writer) text(e terminal.Expr, c counters.Counter) (text string, whole bool) {
	var out []byte
	var last terminal.ByteSet
	for len(out) < limits.ExpectedText {
		if len(out) > 0 && counters.Accepts(w.st, e, c) {
			break
		}
		next, only := w.after(e, c)
		if only < 0 {
			last = next
			break
		}
		out = append(out, byte(only))
		e, c = counters.Step(w.st, e, c, byte(only))
	}
	if len(out) > 0 && out[0] == terminal.TokenMark || last.Has(terminal.TokenMark) && len(out) == 0 {
		return "a token that the constraint names", false
	}
	whole = len(out) > 0 && counters.Accepts(w.st, e, c) && !w.st.GoesOn(e)
	switch text = strings.TrimLeft(string(out), " \t\r\n"); {
	case len(out) == 0:
		return "one of " + last.String(), false
	case text == "":
		return strconv.Quote(string(out)), whole
	case whole:
		return strconv.Quote(text), true
	default:
		return strconv.Quote(text) + "…", false
	}
}

var space = terminal.BytesOf(" \t\r\n")

// after returns the bytes that may follow, and the byte if there is only one, else −1. It leaves out whitespace unless all
// of them are whitespace.
func (w *writer) after(e terminal.Expr, c counters.Counter) (next terminal.ByteSet, only int) {
	var blank terminal.ByteSet
	alive := w.st.Alive(e)
	n, nBlank, last, lastBlank := 0, 0, -1, -1
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		if t, _ := counters.Step(w.st, e, c, byte(b)); t == terminal.Empty {
			continue
		}
		if space.Has(byte(b)) {
			blank.Add(byte(b))
			nBlank++
			lastBlank = b
			continue
		}
		next.Add(byte(b))
		n++
		last = b
	}
	if n == 0 {
		next, n, last = blank, nBlank, lastBlank
	}
	if n != 1 {
		last = -1
	}
	return next, last
}

func (w *writer) missing(k pushdown.Lack) Missing {
	l := w.locate(k.Place)
	m := Missing{Count: int(k.Count), Name: k.Name}
	switch k.Kind {
	case pushdown.LacksText:
		m.Count = 0
		l.has("type")
		var whole bool
		if m.Text, whole = w.text(k.Terminal, k.Counter); whole {
			m.Kind = "text"
		} else if m.Kind, m.Text = "part", "a text"; k.Inside {
			m.Text = "the rest of a text"
		}
	case pushdown.LacksCharacters:
		m.Kind, m.Text = "characters", plural(m.Count, "character", "characters")
		l.has("minLength")
	case pushdown.LacksProperty:
		m.Kind, m.Text = "property", "the required property "+strconv.Quote(k.Name)
		l.has("required")
	case pushdown.LacksMembers:
		m.Kind, m.Text = "properties", plural(m.Count, "property", "properties")
		l.has("minProperties")
	case pushdown.LacksRounds:
		m.Kind, m.Text = "items", plural(m.Count, "item", "items")
		l.has("minItems")
	case pushdown.LacksPart:
		m.Kind, m.Text, m.Count = "part", "a part", 0
	}
	m.Place = l.Place
	return m
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 more " + one
	}
	return fmt.Sprintf("%d more %s", n, many)
}
