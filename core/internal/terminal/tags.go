package terminal

import "slices"

// Tags appends the tags that state e carries where it is complete, sorted, and reports whether it is also complete
// without a tag.
func (s *Store) Tags(e Expr, dst []uint32) (tags []uint32, bare bool) {
	n := s.node(e)
	switch n.kind {
	case kTag:
		return append(dst, n.a), false
	case kScan:
		if n.flags&fNullable != 0 {
			return append(dst, ScanEnd), false
		}
		return dst, false
	case kConcat:
		if n.flags&fMaybe == 0 {
			return dst, false
		}
		return s.Tags(Expr(n.b), dst)
	case kOr:
		for _, x := range s.list(n) {
			var b bool
			dst, b = s.Tags(x, dst)
			bare = bare || b
		}
		return dst, bare
	}
	return dst, n.flags&fMaybe != 0
}

// Tagged reports whether e contains tags.
func (s *Store) Tagged(e Expr) bool { return s.node(e).flags&fTag != 0 }

// ReachableTags returns the tags that strings of e may end in, sorted. Lock-free once known. The slice is the store's.
func (s *Store) ReachableTags(e Expr) []uint32 {
	e = s.lastPart(e)
	if s.node(e).flags&fTag == 0 {
		return nil
	}
	if i := s.fact(e, factTags); i != 0 {
		return *s.tagSets.At(i - 1)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reachableTags(e)
}

// lastPart returns what e ends with, if it is a concatenation: tags stand nowhere else.
func (s *Store) lastPart(e Expr) Expr {
	for n := s.node(e); n.kind == kConcat; n = s.node(e) {
		e = Expr(n.b)
	}
	return e
}

func (s *Store) reachableTags(e Expr) []uint32 {
	e = s.lastPart(e)
	n := s.node(e)
	if n.flags&fTag == 0 {
		return nil
	}
	if i := s.fact(e, factTags); i != 0 {
		return *s.tagSets.At(i - 1)
	}
	var tags []uint32
	switch n.kind {
	case kTag:
		tags = []uint32{n.a}
	case kScan:
		tags = (*s.scans.At(n.a)).reachable(n.b, n.c, nil)
	case kOr:
		for _, x := range s.list(n) {
			if s.emptiness(x) != empty {
				tags = append(tags, s.reachableTags(x)...)
			}
		}
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	s.extra.Add(int64(len(tags) * 4))
	s.setFact(e, factTags, s.tagSets.Append(tags)+1)
	return tags
}
