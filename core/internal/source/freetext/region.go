// Package freetext lowers free text that watches for strings: strings that open a constrained region, end the text, or
// must not occur. Structural tags and the macro TagDispatch use it.
//
// Invariant: one automaton reads the text and watches for all strings. The package does not know the syntax of any
// front end. Start reading at Region; overlap.go handles overlapping strings.
package freetext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A Region is free text that watches for strings. Its goals are the strings that open a tag or close the region; each
// goal begins with a stop. The stop that begins first ends the text (see overlap.go). A stop without a goal and an
// excluded string must not occur. The text is otherwise any bytes.
type Region struct {
	Stops []string // sorted; after Lower none is a prefix of another
	Kills []string
	Ends  []string // the stops that close the region
	Goals []Goal
	Open  bool // the text may also end anywhere
	// Refuse returns an error about a tag, or about the region if the tag is negative.
	Refuse func(code diag.Code, tag int, message string) error
}

// A Goal is a string that may follow free text, with its continuation.
type Goal struct {
	Text   string
	Follow grammar.Sequence
	Tag    int // the caller's number of the tag; negative: an end of the region
	// MayBegin reports whether the continuation may begin with s, or be a prefix of s. It may return true if it does
	// not know.
	MayBegin func(s string) bool
}

type lowering struct {
	st  *terminal.Store
	g   *grammar.Grammar
	err error
}

func (l *lowering) refuse(r *Region, code diag.Code, g *Goal, format string, args ...any) {
	tag := -1
	if g != nil {
		tag = g.Tag
	}
	if l.err == nil {
		l.err = r.Refuse(code, tag, fmt.Sprintf(format, args...))
	}
}

// Lower returns the text of r with its continuations.
func Lower(st *terminal.Store, g *grammar.Grammar, r *Region) (grammar.Sequence, error) {
	l := &lowering{st: st, g: g}
	s := l.freeText(r)
	return s, l.err
}

func (l *lowering) freeText(r *Region) grammar.Sequence {
	r.Stops = firstStops(r.Stops)
	r.Kills = Excluded(r.Kills, r.Ends)
	var patterns []terminal.ScanPattern
	var cases []grammar.Case
	watch := func(text string, goals []Goal) {
		tag := uint32(len(patterns))
		patterns = append(patterns, terminal.ScanPattern{Text: text, Tag: tag, Kill: len(goals) == 0})
		if len(goals) > 0 {
			cases = append(cases, grammar.Case{Tag: tag, Then: l.goals(goals)})
		}
	}
	byStop := r.goalsByStop()
	for i, s := range r.Stops {
		watch(s, byStop[i])
	}
	overlaps := l.overlaps(r, byStop)
	known := map[string]bool{}
	for _, o := range overlaps {
		watch(o.text, o.goals)
		known[o.text] = true
	}
	for _, k := range r.Kills {
		if !known[k] {
			watch(k, nil)
		}
	}
	if r.Open {
		cases = append(cases, grammar.Case{Tag: terminal.ScanEnd})
	}
	return grammar.Sequence{l.g.NewSwitch(l.st.Scan(patterns, true), cases...)}
}

// Excluded returns the excluded strings that may occur although the first end ends a text.
func Excluded(kills, ends []string) []string {
	return slices.DeleteFunc(slices.Clone(kills), func(k string) bool {
		return slices.ContainsFunc(ends, func(e string) bool { return strings.Contains(k, e) })
	})
}

func (l *lowering) goals(goals []Goal) grammar.Sequence {
	keys, follow := make([]string, len(goals)), make([]grammar.Sequence, len(goals))
	for i, g := range goals {
		keys[i], follow[i] = g.Text, g.Follow
	}
	return Keyed(l.st, l.g, keys, follow)
}

// goalsByStop returns the goals of each stop, without the stop at their beginning. A stop that contains an excluded
// string opens no tag.
func (r *Region) goalsByStop() [][]Goal {
	out := make([][]Goal, len(r.Stops))
	for _, g := range r.Goals {
		i, _ := r.stopOf(g.Text)
		within := func(k string) bool { return strings.Contains(r.Stops[i], k) }
		if i < 0 || g.Tag >= 0 && slices.ContainsFunc(r.Kills, within) {
			continue
		}
		g.Text = g.Text[len(r.Stops[i]):]
		out[i] = append(out[i], g)
	}
	return out
}

// firstStops returns the strings without another one as a prefix, at which the text ends first.
func firstStops(all []string) []string {
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	var out []string
	for _, s := range sorted {
		// In sorted order all strings with the last stop as a prefix follow it directly.
		if n := len(out); n == 0 || !strings.HasPrefix(s, out[n-1]) {
			out = append(out, s)
		}
	}
	return out
}

// stopOf returns the index of the stop that text begins with, or -1. Stops are sorted and none is a prefix of another,
// so it can only be the last one that does not sort after the text. alike is the number of common bytes compared.
func (r *Region) stopOf(text string) (stop, alike int) {
	i, found := slices.BinarySearch(r.Stops, text)
	for _, s := range r.Stops[max(i-1, 0):min(i+1, len(r.Stops))] {
		n := 0
		for n < len(s) && n < len(text) && s[n] == text[n] {
			n++
		}
		alike = max(alike, n)
	}
	if !found {
		i--
	}
	if i >= 0 && strings.HasPrefix(text, r.Stops[i]) {
		return i, alike
	}
	return -1, alike
}
