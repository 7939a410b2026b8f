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
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
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

// Of describes state s, neither Dead nor Over, in the words of the constraint. next are the bytes that may come. x has its
// places. source is its language, for places without one.
func Of(a *pushdown.Automaton, s pushdown.StateID, next terminal.ByteSet, x *pushdown.Places, source string) Reasons {
	w := &writer{a.Program().Store(), source, limits.ExplainSteps / 4}
	var r Reasons
	for _, spot := range a.Spots(s, next, x) {
		if !w.onlySpace(spot) {
			r.Expected = append(r.Expected, w.expectation(spot))
		}
	}
	if w.left < 0 { // the order of spots varies
		r.Expected = nil
	}
	w.left = limits.ExplainSteps / 4
	slices.SortFunc(r.Expected, func(a, b Expectation) int {
		return cmp.Or(
			-cmp.Compare(strings.Count(a.Pointer, "/"), strings.Count(b.Pointer, "/")),
			cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Keyword, b.Keyword),
			cmp.Compare(a.Value, b.Value), cmp.Compare(a.Source, b.Source))
	})
	r.Expected = slices.Compact(r.Expected)
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
	left   int // bytes that it may still look at
}

// onlySpace reports whether the other side of a boolean node leaves of a spot only the whitespace before it.
func (w *writer) onlySpace(s pushdown.Spot) bool {
	return s.Side && !s.First.Intersects(&visible) && w.st.Alive(s.Item.Terminal).Intersects(&visible)
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
	most := limits.ExpectedText
	if s.Side {
		most = 1
	}
	text, _ := w.text(s.Item.Terminal, s.Item.Counter, s.First, most)
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

// text describes the texts of a terminal in a state that begin with a byte of first: the first bytes of all of them in
// quotes, at most so many, or the bytes that may come first. It leaves out whitespace that may come before them. whole:
// each text is the quoted one, behind such whitespace.
func (w *writer) text(
	e terminal.Expr, c counters.Counter, first terminal.ByteSet, most int,
) (text string, whole bool) {
	first = w.withoutSpace(e, c, first)
	var out []byte
	for next := first; next.Len() == 1 && !next.Has(terminal.TokenMark) && len(out) < most; next = w.after(e, c) {
		b := byte(next.Next(0))
		out = append(out, b)
		if e, c = counters.Step(w.st, e, c, b); counters.Accepts(w.st, e, c) {
			break
		}
	}
	switch {
	case len(out) == 0:
		return OneOf(first, w.onlyNames(e, c)), false
	case counters.Accepts(w.st, e, c) && !w.st.GoesOn(e):
		return strconv.Quote(string(out)), true
	}
	return strconv.Quote(string(out)) + "…", false
}

// onlyNames reports whether terminal.TokenMark stands for tokens by name in a state, and not for the byte 0xFF of a text.
func (w *writer) onlyNames(e terminal.Expr, c counters.Counter) bool {
	for _, b := range spelling.Text([]byte{terminal.TokenMark}) {
		e, c = counters.Step(w.st, e, c, b)
	}
	return e == terminal.Empty
}

// OneOf returns the bytes that may come, in words. named: terminal.TokenMark stands for tokens by name.
func OneOf(next terminal.ByteSet, named bool) string {
	if !named || !next.Has(terminal.TokenMark) {
		return "one of " + next.String()
	}
	if next.Remove(terminal.TokenMark); next.IsEmpty() {
		return "a token that the constraint names"
	}
	return "one of " + next.String() + " or a token that the constraint names"
}

// after returns the bytes that may come in a state.
func (w *writer) after(e terminal.Expr, c counters.Counter) (next terminal.ByteSet) {
	alive := w.st.Alive(e)
	w.left -= 1 + alive.Len()
	for b := alive.Next(0); b < 256 && w.left >= 0; b = alive.Next(b + 1) {
		if t, _ := counters.Step(w.st, e, c, byte(b)); t != terminal.Empty {
			next.Add(byte(b))
		}
	}
	return next
}

var visible = func() (set terminal.ByteSet) { // all bytes but whitespace
	set.AddRange(0, 0xFF)
	space := terminal.BytesOf(" \t\r\n")
	for i := range set {
		set[i] &^= space[i]
	}
	return set
}()

// withoutSpace returns first, bytes that may come in a state, without whitespace if other bytes may come too. If that is
// only one, the whitespace stays, unless it means nothing.
func (w *writer) withoutSpace(e terminal.Expr, c counters.Counter, first terminal.ByteSet) terminal.ByteSet {
	rest := first
	rest.Intersect(&visible)
	if n := rest.Len(); n == 0 || n == 1 && rest != first && !w.skips(e, c, byte(rest.Next(0))) {
		return first
	}
	return rest
}

// spaceStates bounds the states of one run of whitespace that skips looks at.
const spaceStates = 2 * limits.JSONWhitespace

// skips reports whether byte only, and no other, follows any whitespace in a state, and leads to the same state behind all
// of it.
func (w *writer) skips(e terminal.Expr, c counters.Counter, only byte) bool {
	type state struct {
		e terminal.Expr
		c counters.Counter
	}
	step := func(s state, b byte) state {
		t, n := counters.Step(w.st, s.e, s.c, b)
		return state{t, n}
	}
	behind := step(state{e, c}, only)
	seen := map[state]bool{}
	for list := []state{{e, c}}; len(list) > 0; list = list[1:] {
		s := list[0]
		if seen[s] {
			continue
		}
		if w.left < 0 || len(seen) == spaceStates || len(seen) > 0 && counters.Accepts(w.st, s.e, s.c) {
			return false
		}
		seen[s] = true
		next := w.after(s.e, s.c)
		for b := next.Next(0); b < 256; b = next.Next(b + 1) {
			t := step(s, byte(b))
			if !visible.Has(byte(b)) {
				list = append(list, t)
			} else if byte(b) != only || t != behind {
				return false
			}
		}
	}
	return true
}

func (w *writer) missing(k pushdown.Lack) Missing {
	l := w.locate(k.Place)
	m := Missing{Count: int(k.Count), Name: k.Name}
	switch k.Kind {
	case pushdown.LacksText:
		m.Count = 0
		l.has("type")
		var whole bool
		if m.Text, whole = w.text(k.Terminal, k.Counter, w.after(k.Terminal, k.Counter), limits.ExpectedText); whole {
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
