package structag

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A region is free text that watches for strings. Those that open a tag or close the region are its goals; each goal
// begins with a stop, a string at whose first occurrence the text ends. Excluded strings kill.
type region struct {
	stops  []string // sorted, none a prefix of another, once freeText has seen them
	kills  []string
	goals  []string // begins of the tags, then the ends
	follow []grammar.Sequence
	open   bool // the text may also end anywhere
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
	r := region{kills: f.Excludes, open: closing == nil || len(ends) < len(closing.End.Texts)}
	after := make([]grammar.Sequence, len(f.Subs))
	for i, tag := range f.Subs {
		after[i] = append(l.closed(tag), rest...)
		r.goals = append(r.goals, tag.Begin.Texts[0])
	}
	r.follow = after
	r.stops = slices.Clone(f.Triggers)
	if closing != nil {
		r.stops, r.goals = append(r.stops, ends...), append(r.goals, ends...)
		r.follow = append(slices.Clone(after), make([]grammar.Sequence, len(ends))...)
	} else {
		r.kills = append(slices.Clone(r.kills), ends...)
	}
	l.g.Add(loop, l.freeText(&r)...)
	if f.AtLeastOne {
		return l.choose(f.Subs, after)
	}
	return grammar.Sequence{grammar.N(loop)}
}

// freeText returns the text of r and what may follow it.
func (l *lowering) freeText(r *region) grammar.Sequence {
	all := r.stops
	r.stops = firstStops(all)
	r.kills = slices.DeleteFunc(slices.Clone(r.kills), func(k string) bool {
		return slices.ContainsFunc(r.stops, func(s string) bool { return strings.Contains(k, s) })
	})
	if !r.plain() {
		return l.apart(r, all)
	}
	patterns := make([]terminal.ScanPattern, 0, len(r.stops)+len(r.kills))
	cases := make([]grammar.Case, 0, len(r.stops)+1)
	keys, follow := make([][]string, len(r.stops)), make([][]grammar.Sequence, len(r.stops))
	for j, g := range r.goals {
		if i := r.stopOf(g); i >= 0 {
			keys[i], follow[i] = append(keys[i], g[len(r.stops[i]):]), append(follow[i], r.follow[j])
		}
	}
	for i, s := range r.stops {
		p := terminal.ScanPattern{Text: s, Tag: uint32(i), Kill: len(keys[i]) == 0}
		patterns = append(patterns, p)
		if !p.Kill {
			cases = append(cases, grammar.Case{Tag: p.Tag, Then: l.keyed(keys[i], follow[i])})
		}
	}
	for _, k := range r.kills {
		patterns = append(patterns, terminal.ScanPattern{Text: k, Kill: true})
	}
	if r.open {
		cases = append(cases, grammar.Case{Tag: terminal.ScanEnd})
	}
	return grammar.Sequence{l.g.NewSwitch(l.st.Scan(patterns), cases...)}
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
// so it can only be the last one that does not sort after the text.
func (r *region) stopOf(text string) int {
	i, found := slices.BinarySearch(r.stops, text)
	if !found {
		i--
	}
	if i >= 0 && strings.HasPrefix(text, r.stops[i]) {
		return i
	}
	return -1
}

// plain reports whether one automaton can tell where the text ends. It can't where a stop or an excluded string lies
// inside a stop: it would be seen before that stop has been read. Two stops that end together are both seen.
func (r *region) plain() bool {
	for _, s := range r.stops {
		for _, k := range r.kills {
			if strings.Contains(s, k) {
				return false
			}
		}
		for at := 1; at < len(s); at++ {
			if i := r.stopOf(s[at:]); i >= 0 && len(r.stops[i]) < len(s)-at {
				return false
			}
		}
	}
	return true
}

// apart returns free text that contains none of the strings, and after it a goal or, where the text is open, nothing:
// the meaning in two steps, for regions whose strings lie inside one another.
func (l *lowering) apart(r *region, stops []string) grammar.Sequence {
	var patterns []terminal.ScanPattern
	for _, s := range slices.Concat(stops, r.kills) {
		patterns = append(patterns, terminal.ScanPattern{Text: s, Kill: true})
	}
	alts := []grammar.Sequence{l.keyed(r.goals, r.follow)}
	if r.open {
		alts = append(alts, nil)
	}
	then := grammar.Sequence{l.rule("after free text", alts...)}
	return grammar.Sequence{l.g.NewSwitch(l.st.Scan(patterns), grammar.Case{Tag: terminal.ScanEnd, Then: then})}
}
