package terminal

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
		if n.flags&fNullable == 0 {
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
	return dst, n.flags&fNullable != 0
}

// Tagged reports whether e contains tags.
func (s *Store) Tagged(e Expr) bool { return s.node(e).flags&fTag != 0 }

// ReachableTags calls f with every tag that a string of e may end in; a tag may come more than once.
func (s *Store) ReachableTags(e Expr, f func(tag uint32)) {
	n := s.node(e)
	if n.flags&fTag == 0 {
		return
	}
	switch n.kind {
	case kTag:
		f(n.a)
	case kScan:
		f(ScanEnd)
		for _, p := range (*s.scans.At(n.a)).patterns {
			if !p.Kill {
				f(p.Tag)
			}
		}
	case kConcat:
		s.ReachableTags(Expr(n.b), f)
	case kOr:
		for _, x := range s.list(n) {
			s.ReachableTags(x, f)
		}
	}
}
