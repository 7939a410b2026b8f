package expr

import (
	"crypto/sha256"
	"encoding/binary"
)

// DigestDepth bounds the nesting of an expression with a digest. Deeper ones, mostly rests of long texts, are seldom
// met twice.
const DigestDepth = 200

// digestBytes bounds the content of a node with a digest; digests of parts are of fixed length. Without it, the digest
// of each state within a long text would read the text to its end: 10 ms a mask for 16 MiB.
const digestBytes = 64 << 10

// Digest returns the digest of e. ok is false if a part exceeds digestBytes, or if e is nested more deeply than depth.
// After such a failure, some parts of e have no digest either.
func (s *Nodes) Digest(e Expr, depth int) (Digest, bool) {
	if d, ok := s.digests.Get(e); ok {
		return d, d != Digest{}
	}
	if depth == 0 {
		return Digest{}, false
	}
	d, ok := s.digestOf(s.Node(e), depth-1)
	s.digests.Put(e, d)
	return d, ok
}

func (s *Nodes) digestOf(n *Node, depth int) (Digest, bool) {
	var buf [256]byte
	text := append(buf[:0], byte(n.Kind))
	number := func(x uint32) { text = binary.LittleEndian.AppendUint32(text, x) }
	whole := true
	fits := func(more int) bool {
		whole = whole && len(text)+more <= digestBytes
		return whole
	}
	words := func(x string) {
		if fits(len(x)) {
			number(uint32(len(x)))
			text = append(text, x...)
		}
	}
	part := func(x Expr) {
		if fits(len(Digest{})) {
			var d Digest
			d, whole = s.Digest(x, depth)
			text = append(text, d[:]...)
		}
	}
	switch n.Kind {
	case KBytes:
		for _, w := range s.Sets.At(n.A) {
			text = binary.LittleEndian.AppendUint64(text, w)
		}
	case KConcat, KSpelled:
		part(n.Head())
		part(n.Tail())
	case KOr, KAnd:
		for _, x := range s.List(n) {
			if part(x); !whole {
				break
			}
		}
	case KNot, KStar:
		part(n.Body())
	case KRepeat:
		part(n.Body())
		number(n.B)
		number(n.C)
	case KCount:
		part(n.Body())
		bd := s.Bounds.At(n.B)
		number(bd.Min)
		number(bd.Max)
		number(uint32(bd.Enc))
	case KText:
		number(n.C)
		words(s.Texts.At(n.A).Str[n.B:])
	case KTag:
		number(n.A)
	case KScan:
		number(n.B)
		number(n.C)
		for _, p := range (*s.Scans.At(n.A)).Patterns {
			if words(p.Text); !fits(8) {
				break
			}
			kill := uint32(0)
			if p.Kill {
				kill = 1
			}
			number(p.Tag<<1 | kill)
		}
	case KMachine:
		words(s.NamedMachine(n.A).Str)
		words(s.Texts.At(n.B).Str)
	}
	if !whole {
		return Digest{}, false
	}
	sum := sha256.Sum256(text)
	return Digest(sum[:16]), true
}
