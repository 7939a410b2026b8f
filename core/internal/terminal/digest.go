package terminal

import (
	"crypto/sha256"
	"encoding/binary"
)

// Digest names the content of an expression, the same in every store. No two contents have the same one, as far as
// anybody can find them: what is kept by it may be shared among users who do not trust each other.
type Digest [16]byte

// Digest returns the digest of e. ok is false where e is nested too deeply.
func (s *Store) Digest(e Expr) (d Digest, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.digest(e, digestDepth)
}

// digestDepth bounds how deep the parts of an expression that has a digest are nested. Texts that go on for longer are
// seldom met twice.
const digestDepth = 200

func (s *Store) digest(e Expr, depth int) (Digest, bool) {
	if d, ok := s.digests.get(e); ok {
		return d, d != Digest{}
	}
	if depth == 0 {
		return Digest{}, false
	}
	d, ok := s.digestOf(s.node(e), depth-1)
	s.digests.put(e, d)
	return d, ok
}

func (s *Store) digestOf(n *node, depth int) (Digest, bool) {
	var buf [256]byte
	text := append(buf[:0], byte(n.kind))
	number := func(x uint32) { text = binary.LittleEndian.AppendUint32(text, x) }
	whole := true
	words := func(x string) {
		number(uint32(len(x)))
		text = append(text, x...)
	}
	part := func(x Expr) {
		d, ok := s.digest(x, depth)
		whole = whole && ok
		text = append(text, d[:]...)
	}
	switch n.kind {
	case kBytes:
		for _, w := range s.sets.At(n.a) {
			text = binary.LittleEndian.AppendUint64(text, w)
		}
	case kConcat, kSpelled:
		part(Expr(n.a))
		part(Expr(n.b))
	case kOr, kAnd:
		for _, x := range s.list(n) {
			part(x)
		}
	case kNot, kStar:
		part(Expr(n.a))
	case kRepeat:
		part(Expr(n.a))
		number(n.b)
		number(n.c)
	case kCount:
		part(Expr(n.a))
		bd := s.bounds.At(n.b)
		number(bd.min)
		number(bd.max)
		number(uint32(bd.enc))
	case kText:
		number(n.c)
		text = append(text, s.texts.At(n.a).string[n.b:]...)
	case kTag:
		number(n.a)
	case kScan:
		number(n.b)
		number(n.c)
		for _, p := range (*s.scans.At(n.a)).patterns {
			words(p.Text)
			number(p.Tag << 1)
			if p.Kill {
				number(1)
			}
		}
	case kMachine:
		words(s.namedMachine(n.a).string)
		words(s.texts.At(n.b).string)
	}
	if !whole {
		return Digest{}, false
	}
	sum := sha256.Sum256(text)
	return Digest(sum[:16]), true
}
