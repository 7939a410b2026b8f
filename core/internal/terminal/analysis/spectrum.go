package analysis

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Spectrum says how many more code points a body state can still take until it is complete: every number from Min to
// Max (Unbounded: any number from Min on), except where Gaps has a zero bit. Immutable.
type Spectrum struct {
	Min, Max uint32
	Gaps     []uint64 // nil: no gaps; else bit n is set when n is possible, for n < spectrumCap
	partial  bool     // only Min is known; Max and Gaps leave everything open
	TooHard  bool     // finding out was given up
	hard     bool     // partial, and finding out the rest was given up
	late     bool     // found by a search longer than those that need no room, see least
	phase    uint8
	enc      expr.Encoding
	cost     uint32 // of the search that finds the shortest, see Least
}

// of reports whether the lengths are those for a counter of enc that stands in phase.
func (sp *Spectrum) of(phase uint8, enc expr.Encoding) bool {
	return sp.phase == phase && sp.enc == enc
}

const (
	// spectrumCap bounds the lengths that are told apart where lengths have gaps; beyond it every length counts as
	// possible.
	spectrumCap = 4096
	// spectrumStates bounds the body states one exploration visits. A pattern that needs more has lengths nobody can
	// bound cheaply: finding them out is given up.
	spectrumStates = 1 << 15
	// gapsOfSearch is how many edges and words finding the gaps may look at for each unit of Budgets.Search:
	// 10 ms. The heaviest of the tests and of MaskBench takes a quarter of it.
	gapsOfSearch = 9
	// exploreWork is what a state that is explored counts for in the budget of a compilation, besides its edges and its
	// row.
	exploreWork = 20
)

// CanFit reports whether body state p with counter c can still be completed within the bounds. known is false if
// finding out was given up.
func (s *Analysis) CanFit(p expr.Expr, c Counter, bd expr.Bounds) (fits, known bool) {
	if s.least(p, c.Phase(), bd.Enc).Loose && s.RoomOf(p, c.Phase(), bd.Enc).Fits(c.Count(), bd) {
		return true, true
	}
	sp := s.Shortest(p, c.Phase(), bd.Enc)
	if sp.open(c.Count(), bd) {
		if s.RoomOf(p, c.Phase(), bd.Enc).Fits(c.Count(), bd) {
			return true, true
		}
		sp = s.Spectrum(p, c.Phase(), bd.Enc)
	}
	return sp.Allows(c.Count(), bd), !sp.TooHard && !(sp.hard && sp.open(c.Count(), bd))
}

// open reports whether a count needs to know more than sp tells: nothing more than the minimum of the lengths matters
// where it alone satisfies the bounds, or already exceeds them.
func (sp *Spectrum) open(count uint32, bd expr.Bounds) bool {
	return sp.partial && sp.Min != expr.Unbounded && bd.Min > count && bd.Min-count > sp.Min
}

// Allows reports whether, after count code points, some length satisfies bounds.
func (sp *Spectrum) Allows(count uint32, bd expr.Bounds) bool {
	if count > bd.Max || sp.Min == expr.Unbounded {
		return false
	}
	lo, hi := uint32(0), bd.Max
	if bd.Min > count {
		lo = bd.Min - count
	}
	if hi != expr.Unbounded {
		hi -= count
	}
	lo, hi = max(lo, sp.Min), min(hi, sp.Max)
	if lo > hi || sp.Gaps == nil {
		return lo <= hi
	}
	for n := lo; n <= hi && n < spectrumCap; n++ {
		if sp.Gaps[n>>6]>>(n&63)&1 != 0 {
			return true
		}
	}
	return hi >= spectrumCap
}

type spectrumKey struct {
	p     expr.Expr
	phase uint8
}

type spectrumNode struct {
	key   spectrumKey
	succ  []int32 // successors; negative-one complement where the edge begins a code point
	pred  []int32
	loops bool // some byte that is a code point of its own leads back here
	Spectrum
}

// Spectrum returns the lengths of body state p, exploring everything reachable from it once.
func (s *Analysis) Spectrum(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	if sp := s.structural(p, phase, enc); sp != nil {
		return sp
	}
	old := s.known(p, phase, enc)
	if old != nil && (!old.partial || old.hard) {
		return old
	}
	g, whole := s.exploreBody(p, phase, enc)
	if whole {
		nearest(s, g)
		longest(g)
		whole = fillGaps(s, g)
	}
	// Where that gave up, the others are told more if they are explored by themselves: what they are told must not
	// depend on who asked first.
	if !whole && old != nil { // what is known of them stays known
		hard := *old
		hard.hard = true
		return s.replaceSpectrum(p, hard)
	}
	if !whole {
		return s.keepSpectrum(p, Spectrum{
			Min: 0, Max: expr.Unbounded, TooHard: true, late: true, phase: phase, enc: enc,
		})
	}
	for i := range g {
		g[i].late = true
		if g[i].enc = enc; g[i].Min != expr.Unbounded {
			s.keepSpectrum(g[i].key.p, g[i].Spectrum)
		}
	}
	return s.keepSpectrum(p, g[0].Spectrum)
}

// lengthKey names the lengths of a body state that is reached in more than one phase or encoding.
type lengthKey struct {
	p     expr.Expr
	phase uint8
	enc   expr.Encoding
}

// keepSpectrum writes down the lengths of p, unless they are known and not partial. What is known is not forgotten.
func (s *Analysis) keepSpectrum(p expr.Expr, sp Spectrum) *Spectrum {
	old := s.known(p, sp.phase, sp.enc)
	if old != nil {
		if (!old.partial || sp.partial) && (!old.late || sp.late) {
			return old
		}
		late, cost := old.late && sp.late, sp.cost
		if !old.late {
			cost = old.cost
		}
		if !old.partial && !old.TooHard {
			sp = *old // it says more
		}
		sp.late, sp.cost, sp.hard = late, cost, sp.hard || old.hard
	}
	return s.replaceSpectrum(p, sp)
}

// replaceSpectrum writes down the lengths of p, whatever is known.
func (s *Analysis) replaceSpectrum(p expr.Expr, sp Spectrum) *Spectrum {
	at := s.lengths.Append(sp)
	s.Extra.Add(int64(len(sp.Gaps) * 8))
	switch i := s.Fact(p, expr.FactLength); {
	case i == 0, s.lengths.At(i-1).of(sp.phase, sp.enc):
		s.SetFact(p, expr.FactLength, at+1)
	default:
		s.lengthOf.Put(lengthKey{p, sp.phase, sp.enc}, at)
	}
	return s.lengths.At(at)
}

func (s *Analysis) exploreBody(p expr.Expr, phase uint8, enc expr.Encoding) ([]spectrumNode, bool) {
	g := []spectrumNode{{key: spectrumKey{p, phase}}}
	index := map[spectrumKey]int32{g[0].key: 0}
	cost := 0
	var met expr.Numbers
	for i := 0; i < len(g); i++ {
		if len(g) > spectrumStates || cost > s.Budgets.Search {
			return nil, false
		}
		cur := g[i].key
		var last expr.Expr
		var lastPhase uint8
		f := s.fanOf(cur.p)
		for b := f.alive.Next(0); b < 256; b = f.alive.Next(b + 1) {
			t := f.to(byte(b))
			if t == expr.Empty {
				continue
			}
			if t == expr.TooHard {
				return nil, false
			}
			ph, begins := Advance(enc, cur.phase, byte(b))
			if t == cur.p && ph == PhaseBetween && begins && b < 0x80 {
				g[i].loops = true
			}
			if t == last && ph == lastPhase && len(g[i].succ) > 0 {
				continue
			}
			last, lastPhase = t, ph
			k := spectrumKey{t, ph}
			j, ok := index[k]
			if !ok {
				j = int32(len(g))
				index[k] = j
				g = append(g, spectrumNode{key: k})
			}
			e := j
			if begins {
				e = ^j
			}
			if slices.Contains(g[i].succ, e) {
				continue
			}
			g[i].succ = append(g[i].succ, e)
			g[j].pred = append(g[j].pred, int32(i))
		}
		own, _, asked := s.RowParts(cur.p)
		cost += limits.SearchVisit + own + s.QuestionCost(asked, met.Add)
		s.Work.Spend(exploreWork + f.alive.Len()) // making its row is charged there
	}
	return g, true
}

func edge(e int32) (to int32, weight uint32) {
	if e < 0 {
		return ^e, 1
	}
	return e, 0
}

// nearest computes Min by a 0-1 breadth-first search backwards from the complete states.
func nearest(s *Analysis, g []spectrumNode) {
	var cur, next []int32
	for i := range g {
		g[i].Min = expr.Unbounded
		g[i].phase = g[i].key.phase
		if g[i].key.phase == PhaseBetween && s.Nullable(g[i].key.p) {
			g[i].Min = 0
			cur = append(cur, int32(i))
		}
	}
	for d := uint32(0); len(cur) > 0; d++ {
		for k := 0; k < len(cur); k++ {
			i := cur[k]
			if g[i].Min != d {
				continue
			}
			for _, p := range g[i].pred {
				for _, e := range g[p].succ {
					to, w := edge(e)
					if to != i || g[p].Min <= d+w {
						continue
					}
					g[p].Min = d + w
					if w == 0 {
						cur = append(cur, p)
					} else {
						next = append(next, p)
					}
				}
			}
		}
		cur, next = next, cur[:0]
	}
}

// longest computes Max: states from which a cycle can be reached have none; the others are peeled off from the end.
func longest(g []spectrumNode) {
	left := make([]int, len(g))
	var ready []int32
	for i := range g {
		g[i].Max = expr.Unbounded
		for _, e := range g[i].succ {
			if to, _ := edge(e); g[to].Min != expr.Unbounded {
				left[i]++
			}
		}
		if left[i] == 0 && g[i].Min != expr.Unbounded {
			ready = append(ready, int32(i))
		}
	}
	for k := 0; k < len(ready); k++ {
		i := ready[k]
		g[i].Max = g[i].Min
		for _, e := range g[i].succ {
			if to, w := edge(e); g[to].Min != expr.Unbounded {
				g[i].Max = max(g[i].Max, g[to].Max+w)
			}
		}
		for _, p := range g[i].pred {
			// INVARIANT: p stands in pred once for each of its edges to i, so that each is counted once.
			if left[p]--; left[p] == 0 && g[p].Min != expr.Unbounded {
				ready = append(ready, p)
			}
		}
	}
}
