package structag

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// Stops may overlap. Of those that occur the one that begins first ends the text, and the scanner sees to that where
// they end together. Where a stop ends inside another one that has begun before it, as bc does in abcd, what comes next
// has to tell: after abc, a d completes the outer stop, and anything else means that the text ended at bc. Such a
// beginning of the outer stop (abc) is an overlap: a pattern of its own, after which the rests of all goals that are
// still possible are read as one set of keys.
//
// An excluded string wins over every trigger, even one that contains it, as soon as it is complete. Only an end of the
// region wins over the excluded strings that it contains.

// overlap is a text at which a stop or an excluded string is complete while a longer stop may still come about.
type overlap struct {
	text  string
	goals []goal // without what text has of them; none: the text must not occur
}

// pairWork is what looking at a pair of strings counts for, and alikeBytes is for how many bytes that they share it counts
// 1 besides.
const (
	pairWork   = 2
	alikeBytes = 8
)

// candidate is a stop of which an overlap has the first have bytes.
type candidate struct {
	stop, have int
	excluded   bool // what it opens or closes: an excluded string has come first
}

// overlaps returns the overlaps of r, sorted by text.
func (l *lowering) overlaps(r *region, byStop [][]goal) []overlap {
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
					l.fail(diag.Errorf(diag.Limit, sourceName, diag.At(""),
						"the triggers and ends overlap in too many ways, as %q does; "+
							"use strings that do not contain parts of one another", diag.Shorten(text, limits.TagFragment)))
					return nil
				}
				rest := r.stops[c.stop][c.have:]
				if g.tag != nil && r.excludedIn(text, rest) {
					continue
				}
				g.text = rest + g.text
				if l.reachable(r, candidates, c, g) {
					o.goals = append(o.goals, g)
				}
			}
		}
		out = append(out, o)
	}
	return out
}

// overlapping returns the texts of r's overlaps, sorted.
func (l *lowering) overlapping(r *region) []string {
	found := map[string]bool{}
	for i, s := range r.stops {
		for at := 0; at < len(s); at++ {
			j, alike := r.stopOf(s[at:])
			if j >= 0 && j != i && at+len(r.stops[j]) < len(s) {
				found[s[:at+len(r.stops[j])]] = true
			}
			l.st.Work().Spend(alike / alikeBytes)
			l.st.Work().Spend(pairWork * (10 + len(r.kills)))
			for _, k := range r.kills {
				if strings.HasPrefix(s[at:], k) && at+len(k) < len(s) {
					found[s[:at+len(k)]] = true
				}
			}
		}
	}
	// Behind the beginning of an excluded string an overlap is another one.
	texts := slices.Sorted(maps.Keys(found))
	for _, k := range r.kills {
		for end := 1; end < len(k); end++ {
			l.st.Work().Spend(pairWork * (1 + len(texts)))
			if slices.ContainsFunc(texts, func(t string) bool { return strings.HasSuffix(k[:end], t) }) {
				found[k[:end]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// candidates returns the stops that may end a text that ends in an overlap, those that begin first first.
func (l *lowering) candidates(r *region, text string) []candidate {
	excluded := 0
	l.st.Work().Spend(pairWork * len(r.kills))
	for _, k := range r.kills {
		if strings.HasSuffix(text, k) {
			excluded = max(excluded, len(k))
		}
	}
	var out []candidate
	for have := len(text); have > 0; have-- {
		begun := text[len(text)-have:]
		from := sort.SearchStrings(r.stops, begun)
		for i := from; i < len(r.stops) && strings.HasPrefix(r.stops[i], begun); i++ {
			l.st.Work().Spend(pairWork)
			out = append(out, candidate{i, have, have < excluded || excluded > 0 && !r.isEnd(i)})
			if len(r.stops[i]) == have {
				return out
			}
		}
	}
	return out
}

// isEnd reports whether an end of the region begins with stop i.
func (r *region) isEnd(i int) bool {
	return slices.ContainsFunc(r.ends, func(e string) bool { return strings.HasPrefix(e, r.stops[i]) })
}

// excludedIn reports whether an excluded string becomes complete while rest is read after text.
func (r *region) excludedIn(text, rest string) bool {
	all := text + rest
	for end := len(text) + 1; end <= len(all); end++ {
		if slices.ContainsFunc(r.kills, func(k string) bool { return strings.HasSuffix(all[:end], k) }) {
			return true
		}
	}
	return false
}

// reachable reports whether g, of candidate c, can be what follows the overlap, or whether its text completes a stop
// that begins before c. Where that depends on what follows g, the overlap is refused; an end may be followed by
// anything.
func (l *lowering) reachable(r *region, candidates []candidate, c candidate, g goal) bool {
	for _, first := range candidates {
		if first.have <= c.have {
			break
		}
		rest := r.stops[first.stop][first.have:]
		if strings.HasPrefix(g.text, rest) {
			return false
		}
		if g.tag != nil && strings.HasPrefix(rest, g.text) && g.tag.Subs[0].mayBegin(rest[len(g.text):]) {
			e := diag.Errorf(diag.Unsupported, sourceName, diag.At(g.tag.Pointer+"/begin"),
				"this begin ends inside the trigger or end %q, and the content of its tag may go on in the same way; "+
					"use strings that do not contain one another", diag.Shorten(r.stops[first.stop], limits.TagFragment))
			e.Fragment = diag.Shorten(g.tag.Begin.Texts[0], limits.TagFragment)
			l.fail(e)
		}
	}
	return true
}

// mayBegin reports whether a text of the format may begin with s, or be a beginning of it. True is the careful answer.
func (f *Format) mayBegin(s string) bool {
	switch f.Kind {
	case ConstString:
		return strings.HasPrefix(s, f.Text) || strings.HasPrefix(f.Text, s)
	case JSONSchema:
		return strings.IndexByte(`{["-0123456789tfn`, s[0]) >= 0
	}
	return true
}
