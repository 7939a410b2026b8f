package freetext

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// Stops may overlap. The stop that begins first ends the text; the scanner decides between stops that end together. If
// a stop ends inside an earlier one, as bc in abcd, the next byte decides: after abc, a d completes the outer stop,
// and anything else means that the text ended at bc. The prefix abc is then an overlap: a pattern of its own, followed
// by one set of keys, the rests of all possible goals.
//
// A complete excluded string wins over every trigger, even one that contains it. Only an end of the region wins over
// excluded strings within it.

// overlap is a text that completes a stop or an excluded string while a longer stop is still possible.
type overlap struct {
	text  string
	goals []Goal // without the prefix in text; empty: the text must not occur
}

// pairWork is the cost of comparing two strings; each alikeBytes common bytes cost 1 more.
const (
	pairWork   = 2
	alikeBytes = 8
)

// candidate is a stop whose first have bytes end an overlap.
type candidate struct {
	stop, have int
	excluded   bool // replaced by an excluded string that is complete first
}

func (l *lowering) overlaps(r *Region, byStop [][]Goal) []overlap {
	var out []overlap
	work := 0
	for _, text := range l.overlapping(r) {
		o := overlap{text: text}
		candidates := l.candidates(r, text)
		for _, c := range candidates {
			for _, g := range byStop[c.stop] {
				if c.excluded {
					break
				}
				l.st.Work().Spend(pairWork * len(candidates))
				if work += len(candidates); work > limits.TagOverlaps {
					l.refuse(r, diag.Limit, nil, "the triggers and ends overlap in too many ways, as %q does; use "+
						"strings that do not contain parts of one another", diag.Shorten(text, limits.TagFragment))
					return nil
				}
				rest := r.Stops[c.stop][c.have:]
				if g.Tag >= 0 && r.excludedIn(text, rest) {
					continue
				}
				g.Text = rest + g.Text
				if l.reachable(r, candidates, c, g) {
					o.goals = append(o.goals, g)
				}
			}
		}
		out = append(out, o)
	}
	return out
}

func (l *lowering) overlapping(r *Region) []string {
	found := map[string]bool{}
	for i, s := range r.Stops {
		for at := 0; at < len(s); at++ {
			j, alike := r.stopOf(s[at:])
			if j >= 0 && j != i && at+len(r.Stops[j]) < len(s) {
				found[s[:at+len(r.Stops[j])]] = true
			}
			l.st.Work().Spend(alike / alikeBytes)
			l.st.Work().Spend(pairWork * (10 + len(r.Kills)))
			for _, k := range r.Kills {
				if strings.HasPrefix(s[at:], k) && at+len(k) < len(s) {
					found[s[:at+len(k)]] = true
				}
			}
		}
	}
	// The beginning of an excluded string before an overlap makes another overlap.
	texts := slices.Sorted(maps.Keys(found))
	for _, k := range r.Kills {
		for end := 1; end < len(k); end++ {
			l.st.Work().Spend(pairWork * (1 + len(texts)))
			if slices.ContainsFunc(texts, func(t string) bool { return strings.HasSuffix(k[:end], t) }) {
				found[k[:end]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// candidates returns the stops that may end a text that ends in an overlap, in the order of their beginnings.
func (l *lowering) candidates(r *Region, text string) []candidate {
	excluded := 0
	l.st.Work().Spend(pairWork * len(r.Kills))
	for _, k := range r.Kills {
		if strings.HasSuffix(text, k) {
			excluded = max(excluded, len(k))
		}
	}
	var out []candidate
	for have := len(text); have > 0; have-- {
		begun := text[len(text)-have:]
		from := sort.SearchStrings(r.Stops, begun)
		for i := from; i < len(r.Stops) && strings.HasPrefix(r.Stops[i], begun); i++ {
			l.st.Work().Spend(pairWork)
			out = append(out, candidate{i, have, have < excluded || excluded > 0 && !r.isEnd(i)})
			if len(r.Stops[i]) == have {
				return out
			}
		}
	}
	return out
}

func (r *Region) isEnd(i int) bool {
	return slices.ContainsFunc(r.Ends, func(e string) bool { return strings.HasPrefix(e, r.Stops[i]) })
}

// excludedIn reports whether an excluded string becomes complete while rest is read after text.
func (r *Region) excludedIn(text, rest string) bool {
	all := text + rest
	for end := len(text) + 1; end <= len(all); end++ {
		if slices.ContainsFunc(r.Kills, func(k string) bool { return strings.HasSuffix(all[:end], k) }) {
			return true
		}
	}
	return false
}

// reachable reports whether g, of candidate c, can follow the overlap. It cannot if its text completes a stop that
// begins before c. If that depends on the continuation of g, it fails the lowering; an end may be followed by
// anything.
func (l *lowering) reachable(r *Region, candidates []candidate, c candidate, g Goal) bool {
	for _, first := range candidates {
		if first.have <= c.have {
			break
		}
		rest := r.Stops[first.stop][first.have:]
		if strings.HasPrefix(g.Text, rest) {
			return false
		}
		if g.Tag >= 0 && strings.HasPrefix(rest, g.Text) && g.MayBegin(rest[len(g.Text):]) {
			l.refuse(r, diag.Unsupported, &g,
				"this begin ends inside the trigger or end %q, and the content of its tag may continue it; use "+
					"strings that do not contain one another",
				diag.Shorten(r.Stops[first.stop], limits.TagFragment))
		}
	}
	return true
}
