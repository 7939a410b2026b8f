package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Spectrum holds the numbers of code points that complete a body state: every number from Min to Max, except those
// with a zero bit in Gaps. Immutable.
type Spectrum struct {
	Min, Max uint32   // Max: Unbounded if there is no longest; Min: Unbounded if nothing completes the state
	Gaps     []uint64 // nil: no gaps; otherwise bit n is set if n is possible, for n < spectrumCap
	least    bool     // only Min is exact; Max and Gaps leave everything open
	TooHard  bool     // the graph exceeds a limit
	phase    uint8
	enc      expr.Encoding
}

const (
	// spectrumCap bounds the lengths that are distinguished if lengths have gaps; beyond it every length counts as
	// possible.
	spectrumCap = 4096
	// spectrumStates bounds the body states of one graph of lengths.
	spectrumStates = 1 << 15
	// nearStates bounds the states that are visited to find the shortest completion of a state whose shortest
	// completion passes a loop: a few bytes lead there in real patterns.
	nearStates = 4096
	// exploreWork is the cost of a state of a graph in the budget of a compilation, besides its edges and its row.
	exploreWork = 20
)

// Shortest says how few code points complete a counted state.
type Shortest struct {
	N       uint32 // Unbounded: none do
	Regular bool   // every greater number does, too
	Known   bool   // false: the graph exceeds a limit
}

// Least returns how few code points complete body state p, for a counter in phase.
func (s *Analysis) Least(p expr.Expr, phase uint8, enc expr.Encoding) Shortest {
	return s.lengthsOf(p, phase, enc).Shortest()
}

// Shortest returns the least length and whether all greater ones are possible.
func (sp *Spectrum) Shortest() Shortest {
	return Shortest{N: sp.Min, Regular: sp.Regular(), Known: !sp.TooHard}
}

// Regular reports whether every length from the least one on is possible.
func (sp *Spectrum) Regular() bool {
	return !sp.least && !sp.TooHard && sp.Gaps == nil && sp.Max == expr.Unbounded
}

// of reports whether the lengths are those for a counter of enc in phase.
func (sp *Spectrum) of(phase uint8, enc expr.Encoding) bool {
	return sp.phase == phase && sp.enc == enc
}

// CanFit reports whether body state p with counter c can still be completed within the bounds. known is false if the
// graph of p exceeds a limit.
func (s *Analysis) CanFit(p expr.Expr, c Counter, bd expr.Bounds) (fits, known bool) {
	sp := s.lengthsOf(p, c.Phase(), bd.Enc)
	if sp.open(c.Count(), bd) {
		sp = s.Spectrum(p, c.Phase(), bd.Enc)
	}
	return sp.Allows(c.Count(), bd), !sp.TooHard
}

// open reports whether the decision needs more than the least length: that alone decides if it satisfies the bounds or
// exceeds them.
func (sp *Spectrum) open(count uint32, bd expr.Bounds) bool {
	return sp.least && sp.Min != expr.Unbounded && bd.Min > count && bd.Min-count > sp.Min
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

// lengthKey names the lengths of a body state that is reached in more than one phase or encoding.
type lengthKey struct {
	p     expr.Expr
	phase uint8
	enc   expr.Encoding
}

// lengthsOf returns lengths of body state p of which at least Min is exact. The structure of p tells them, or a short
// way to the end that passes a loop, or the graph of p.
func (s *Analysis) lengthsOf(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	if sp := s.known(p, phase, enc); sp != nil {
		return sp
	}
	if sp := s.structural(p, phase, enc); sp != nil {
		return sp
	}
	if n, ok := s.near(p, phase, enc); ok {
		return s.keepSpectrum(p, Spectrum{Min: n, Max: expr.Unbounded, phase: phase, enc: enc})
	}
	return s.Spectrum(p, phase, enc)
}

// Spectrum returns the lengths of body state p, and explores the graph of p unless its structure tells them.
func (s *Analysis) Spectrum(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	if sp := s.known(p, phase, enc); sp != nil && !sp.least {
		return sp
	}
	if sp := s.structural(p, phase, enc); sp != nil && !sp.least {
		return sp
	}
	g, whole := s.exploreBody(p, phase, enc)
	if whole {
		nearest(s, g)
		longest(g)
		whole = fillGaps(s, g)
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

// known returns the lengths of body state p that are kept, nil if there are none.
func (s *Analysis) known(p expr.Expr, phase uint8, enc expr.Encoding) *Spectrum {
	i := s.Fact(p, expr.FactLength)
	if i == 0 {
		return nil
	}
	if sp := s.lengths.At(i - 1); sp.of(phase, enc) {
		return sp
	}
	if i, ok := s.lengthOf.Get(lengthKey{p, phase, enc}); ok {
		return s.lengths.At(i)
	}
	return nil
}

// keepSpectrum keeps the lengths of p, unless more is known.
func (s *Analysis) keepSpectrum(p expr.Expr, sp Spectrum) *Spectrum {
	if old := s.known(p, sp.phase, sp.enc); old != nil && !old.least {
		return old
	}
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

// near returns the length of the shortest completion of p if it passes a loop of one code point, after which every
// greater length is possible. It searches breadth first by code points, so the first end that it finds is nearest. ok
// is false if there is none within nearStates, or its way passes no loop.
func (s *Analysis) near(p expr.Expr, phase uint8, enc expr.Encoding) (n uint32, ok bool) {
	type visit struct {
		spectrumKey
		looped bool
	}
	first := spectrumKey{p, phase}
	seen := map[spectrumKey]bool{first: true}
	now, next := []visit{{first, false}}, []visit(nil)
	for n = 0; len(now) > 0; n++ {
		for i := 0; i < len(now); i++ {
			v := now[i]
			if len(seen) > nearStates {
				return 0, false
			}
			v.looped = v.looped || s.hasLoop(v.spectrumKey, enc)
			if v.phase == PhaseBetween && s.Nullable(v.p) {
				return n, v.looped
			}
			whole := s.eachEdge(v.spectrumKey, enc, func(to spectrumKey, begins bool) {
				switch {
				case seen[to]:
				case begins:
					seen[to], next = true, append(next, visit{to, v.looped})
				default:
					seen[to], now = true, append(now, visit{to, v.looped})
				}
			})
			if !whole {
				return 0, false
			}
		}
		now, next = next, now[:0]
	}
	return 0, false
}

// eachEdge calls f with the states that bytes lead to from k, at least once each, and whether the byte begins a code
// point. It returns false if a transition is not known.
func (s *Analysis) eachEdge(k spectrumKey, enc expr.Encoding, f func(to spectrumKey, begins bool)) bool {
	var last expr.Expr
	var lastPhase uint8
	row := s.fanOf(k.p)
	for b := row.alive.Next(0); b < 256; b = row.alive.Next(b + 1) {
		t := row.to(byte(b))
		if t == expr.TooHard {
			return false
		}
		ph, begins := Advance(enc, k.phase, byte(b))
		if t == expr.Empty || t == last && ph == lastPhase && b != 0x80 && b != 0xC0 {
			continue
		}
		last, lastPhase = t, ph
		f(spectrumKey{t, ph}, begins)
	}
	s.Work.Spend(exploreWork + row.alive.Len()) // the row is charged separately
	return true
}

// hasLoop reports whether some byte that is a code point of its own leads from a state to itself.
func (s *Analysis) hasLoop(k spectrumKey, enc expr.Encoding) bool {
	if k.phase != PhaseBetween || s.Node(k.p).Subset&expr.ExtentFinite != 0 {
		return false
	}
	f := s.fanOf(k.p)
	for b := f.alive.Next(0); b < 0x80; b = f.alive.Next(b + 1) {
		if (!enc.HasEscapes() || b != '\\') && f.to(byte(b)) == k.p {
			return true
		}
	}
	return false
}

// spectrumKey is a body state and the phase of its counter.
type spectrumKey struct {
	p     expr.Expr
	phase uint8
}

// spectrumNode is a state of a graph of lengths.
type spectrumNode struct {
	key   spectrumKey
	succ  []int32 // successors; the complement of one if the edge begins a code point
	pred  []int32
	loops bool // some byte that is a code point of its own leads back here
	Spectrum
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
