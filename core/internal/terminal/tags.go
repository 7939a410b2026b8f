package terminal

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// ReachableTags returns the tags that strings of e may end in, sorted. Lock-free once known. The slice is the store's.
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
	switch n.Kind {
	case expr.KTag:
		tags = []uint32{n.A}
	case expr.KScan:
		tags = (*s.x.Scans.At(n.A)).Reachable(n.B, n.C, nil)
	case expr.KOr:
		for _, x := range s.x.List(n) {
			if s.a.Emptiness(x) != expr.Nothing {
				tags = append(tags, s.reachableTags(x)...)
			}
		}
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	s.x.Extra.Add(int64(len(tags) * 4))
	s.x.SetFact(e, expr.FactTags, s.tagSets.Append(tags)+1)
	return tags
}
