package structag

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A region is free text that watches for strings. Those that open a tag or close the region are its goals; each goal
// begins with a stop. Of the stops that occur, the one that begins first ends the text (overlap.go says how). A stop
// without a goal and an excluded string must not occur.
type region struct {
	stops []string // sorted, none a prefix of another, once freeText has seen them
	kills []string
	ends  []string // of the tag around
	goals []goal
	open  bool // the text may also end anywhere
}

// A goal is a string that may follow free text, and what follows it.
type goal struct {
	text   string
	follow grammar.Sequence
	tag    *Format // whose begin it is; nil: an end of the region
}

// region returns free text with its tags. Ends must not occur in the text; if closing is a tag, they end the region and
// are part of it, else the region ends before whatever follows it.
func (l *lowering) region(f *Format, ends []string, closing *Format) grammar.Sequence {
	loop := l.g.NewRule("free text")
	rest := grammar.Sequence{grammar.N(loop)} // after a tag
	if f.StopAfterFirst {
		rest = nil
		if closing != nil {
			rest = l.end(closing)
		}
	}
	r := region{
		kills: f.Excludes, stops: slices.Concat(f.Triggers, ends), ends: ends,
		open: closing == nil || len(ends) < len(closing.End.Texts),
	}
	after := make([]grammar.Sequence, len(f.Subs))
	for i, tag := range f.Subs {
		after[i] = append(l.closed(tag), rest...)
		r.goals = append(r.goals, goal{tag.Begin.Texts[0], after[i], tag})
	}
	if closing != nil {
		for _, e := range ends {
			r.goals = append(r.goals, goal{text: e})
		}
	}
	l.g.Add(loop, l.freeText(&r)...)
	if f.AtLeastOne {
		return l.choose(f.Subs, after)
	}
	return grammar.Sequence{grammar.N(loop)}
}

// freeText returns the text of r and what may follow it.
func (l *lowering) freeText(r *region) grammar.Sequence {
	r.stops = firstStops(r.stops)
	r.kills = slices.DeleteFunc(slices.Clone(r.kills), func(k string) bool {
		return slices.ContainsFunc(r.ends, func(e string) bool { return strings.Contains(k, e) })
	})
	var patterns []terminal.ScanPattern
	var cases []grammar.Case
	watch := func(text string, goals []goal) {
		tag := uint32(len(patterns))
		patterns = append(patterns, terminal.ScanPattern{Text: text, Tag: tag, Kill: len(goals) == 0})
		if len(goals) > 0 {
			cases = append(cases, grammar.Case{Tag: tag, Then: l.goals(goals)})
		}
	}
	byStop := r.goalsByStop()
	for i, s := range r.stops {
		watch(s, byStop[i])
	}
	overlaps := l.overlaps(r, byStop)
	known := map[string]bool{}
	for _, o := range overlaps {
		watch(o.text, o.goals)
		known[o.text] = true
	}
	for _, k := range r.kills {
		if !known[k] {
			watch(k, nil)
		}
	}
	if r.open {
		cases = append(cases, grammar.Case{Tag: terminal.ScanEnd})
	}
	return grammar.Sequence{l.g.NewSwitch(l.st.Scan(patterns), cases...)}
}

// goals returns one of the goals' texts, followed by its continuation.
func (l *lowering) goals(goals []goal) grammar.Sequence {
	keys, follow := make([]string, len(goals)), make([]grammar.Sequence, len(goals))
	for i, g := range goals {
		keys[i], follow[i] = g.text, g.follow
	}
	return l.keyed(keys, follow)
}

// goalsByStop returns the goals of each stop, without the stop at the beginning of their texts. A stop that contains an
// excluded string opens no tag.
func (r *region) goalsByStop() [][]goal {
	out := make([][]goal, len(r.stops))
	for _, g := range r.goals {
		i, _ := r.stopOf(g.text)
		within := func(k string) bool { return strings.Contains(r.stops[i], k) }
		if i < 0 || g.tag != nil && slices.ContainsFunc(r.kills, within) {
			continue
		}
		g.text = g.text[len(r.stops[i]):]
		out[i] = append(out[i], g)
	}
	return out
}

// firstStops returns the strings that have no other as a prefix: at those the text ends first.
func firstStops(all []string) []string {
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	var out []string
	for _, s := range sorted {
		// In sorted order everything that has the last stop as a prefix follows it directly.
		if n := len(out); n == 0 || !strings.HasPrefix(s, out[n-1]) {
			out = append(out, s)
		}
	}
	return out
}

// stopOf returns the index of the stop that text begins with, or -1. Stops are sorted and none is a prefix of another,
// so it can only be the last one that does not sort after the text. Alike is how many bytes the text and a stop share:
// that many are compared.
func (r *region) stopOf(text string) (stop, alike int) {
	i, found := slices.BinarySearch(r.stops, text)
	for _, s := range r.stops[max(i-1, 0):min(i+1, len(r.stops))] {
		n := 0
		for n < len(s) && n < len(text) && s[n] == text[n] {
			n++
		}
		alike = max(alike, n)
	}
	if !found {
		i--
	}
	if i >= 0 && strings.HasPrefix(text, r.stops[i]) {
		return i, alike
	}
	return -1, alike
}
