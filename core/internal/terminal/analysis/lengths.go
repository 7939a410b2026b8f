package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// spectrumStates bounds the states of one graph of lengths.
const spectrumStates = 1 << 15

// Least returns the least number of code points that complete body state p, for a counter in phase.
func (s *Analysis) Least(p expr.Expr, phase uint8, enc expr.Encoding) Shortest {
	return s.lengthsOf(p, phase, enc).Shortest()
}

// CanFit reports whether body state p with counter c can still be completed within the bounds. known is false if the
// graph of p exceeds a limit.
func (s *Analysis) CanFit(p expr.Expr, c Counter, bd expr.Bounds) (fits, known bool) {
	sp := s.lengthsOf(p, c.Phase(), bd.Enc)
	if sp.undecided(c.Count(), bd) {
		sp = s.Spectrum(p, c.Phase(), bd.Enc)
	}
	return sp.Allows(c.Count(), bd), !sp.TooHard
}

// lengthsOf returns the lengths of body state p, from its structure or its graph. Min is exact; Max and Gaps need not
// be.
func (s *Analysis) lengthsOf(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	if sp := s.known(p, phase, enc); sp != nil {
		return sp
	}
	if sp := s.structural(p, phase, enc); sp != nil {
		return sp
	}
	return s.Spectrum(p, phase, enc)
}

// Spectrum returns the exact lengths of body state p. It explores the graph of p unless its structure shows them.
func (s *Analysis) Spectrum(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	if sp := s.known(p, phase, enc); sp != nil && !sp.least {
		return sp
	}
	if sp := s.structural(p, phase, enc); sp != nil && !sp.least {
		return sp
	}
	g, whole := s.exploreBody(p, phase, enc)
	if whole {
		nearest(s.Store, g)
		longest(g)
		whole = fillGaps(s.Store, g)
	}
	if !whole {
		return s.keepSpectrum(p, Spectrum{Max: expr.Unbounded, TooHard: true, phase: phase, enc: enc})
	}
	for i := range g {
		g[i].enc = enc
		s.keepSpectrum(g[i].key.p, g[i].Spectrum)
	}
	return s.keepSpectrum(p, g[0].Spectrum)
}

// hasLoop reports whether some byte that is a code point leads from k to itself.
func (s *States) hasLoop(k spectrumKey, enc expr.Encoding) (found bool) {
	if k.phase != PhaseBetween || s.Node(k.p).Subset&expr.ExtentFinite != 0 {
		return false
	}
	s.eachByte(k.p, func(b byte, t expr.Expr) bool {
		found = found || t == k.p && b < 0x80 && (!enc.HasEscapes() || b != '\\')
		return !found && b < 0x80
	})
	return found
}

// exploreBody returns the graph of p. whole is false if it exceeds a limit.
func (s *Analysis) exploreBody(p expr.Expr, phase uint8, enc expr.Encoding) (g []spectrumNode, whole bool) {
	g = []spectrumNode{{key: spectrumKey{p, phase}}}
	index := map[spectrumKey]int32{g[0].key: 0}
	cost := 0
	for i := 0; i < len(g); i++ {
		if len(g) > spectrumStates || cost > s.Budgets.Search {
			return nil, false
		}
		cur := g[i].key
		g[i].loops = s.hasLoop(cur, enc)
		var edges map[int32]bool
		whole = s.eachEdge(cur, enc, func(k spectrumKey, begins bool) {
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
			if edges[e] {
				return
			}
			if edges == nil {
				edges = map[int32]bool{}
			}
			edges[e] = true
			g[i].succ = append(g[i].succ, e)
			g[j].pred = append(g[j].pred, int32(i))
		})
		if !whole {
			return nil, false
		}
		cost += graphNode + s.RowPrice(cur.p)
	}
	return g, true
}

// Explore explores the graphs of all intersections and complements in e, and the lengths of counted bodies that contain
// some, so that no state of e is explored later. ok is false if a graph exceeds a limit.
func (s *Analysis) Explore(e expr.Expr) (ok bool) {
	seen := map[expr.Expr]bool{}
	for left := []expr.Expr{e}; len(left) > 0; {
		x := left[len(left)-1]
		left = left[:len(left)-1]
		n := s.Node(x)
		if n.Flags&expr.FBoolean == 0 || seen[x] {
			continue
		}
		seen[x] = true
		switch n.Kind {
		case expr.KConcat, expr.KSpelled:
			left = append(left, n.Head(), n.Tail())
		case expr.KOr:
			left = append(left, s.List(n)...)
		case expr.KStar, expr.KRepeat:
			left = append(left, n.Body())
		case expr.KCount:
			left = append(left, n.Body())
			if sp := s.Spectrum(n.Body(), PhaseBetween, s.Bounds.At(n.B).Enc); sp.TooHard {
				return false
			}
		default:
			if s.decided(x, n) == expr.Unasked && s.explore(x) == expr.GivenUp {
				return false
			}
		}
	}
	return true
}
