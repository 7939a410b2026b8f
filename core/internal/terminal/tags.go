package terminal

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// ReachableTags returns the sorted tags of strings of e. It takes no lock once they are known. The store owns the
// slice.
func (s *Store) ReachableTags(e Expr) []uint32 {
	e = s.x.LastPart(e)
	if s.x.Node(e).Flags&expr.FTag == 0 {
		return nil
	}
	if i := s.x.Fact(e, expr.FactTags); i != 0 {
		return *s.tagSets.At(i - 1)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reachableTags(e)
}

func (s *Store) reachableTags(e Expr) []uint32 {
	e = s.x.LastPart(e)
	n := s.x.Node(e)
	if n.Flags&expr.FTag == 0 {
		return nil
	}
	if i := s.x.Fact(e, expr.FactTags); i != 0 {
		return *s.tagSets.At(i - 1)
	}
	var tags []uint32
	shared := false // the list belongs to another expression and is not counted again
	switch n.Kind {
	case expr.KTag:
		tags = []uint32{n.A}
	case expr.KScan:
		tags, shared = (*s.x.Scans.At(n.A)).Reachable(n.B, n.C)
	case expr.KMachine:
		tags = s.x.WordTags(n)
	case expr.KOr:
		for _, x := range s.x.List(n) {
			if s.a.Emptiness(x) != expr.Nothing {
				tags, shared = uniteTags(tags, s.reachableTags(x), shared)
			}
		}
	}
	if !shared {
		s.x.Extra.Add(int64(len(tags) * 4))
	}
	s.x.SetFact(e, expr.FactTags, s.tagSets.Append(tags)+1)
	return tags
}

// uniteTags returns the union of two sorted lists, without a copy if one contains the other. shared reports that the
// returned list belongs to another expression too. xShared says this about x; y always belongs to another one.
func uniteTags(x, y []uint32, xShared bool) (union []uint32, shared bool) {
	holds := func(x, y []uint32) bool {
		for _, t := range y {
			i, found := slices.BinarySearch(x, t)
			if !found {
				return false
			}
			x = x[i+1:]
		}
		return true
	}
	switch {
	case holds(y, x):
		return y, true
	case holds(x, y):
		return x, xShared
	}
	union = slices.Concat(x, y)
	slices.Sort(union)
	return slices.Compact(union), false
}
