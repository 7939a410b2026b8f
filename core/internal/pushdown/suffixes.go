package pushdown

import "github.com/sluice-engine/sluice/core/internal/arena"

// What is left of two sequences may be the same, as after the first operand of "+" e e and of "*" e e. A frame stands
// at the first place that goes on so: otherwise a node would have a frame for each of them, and what comes after would
// be in parts that are never put together.

// shareSuffixes finds for each of the n symbols from at on, which an opEnd follows, the first place that goes on alike.
// Guarded by mu.
func (p *Program) shareSuffixes(at dot, n int) {
	rest := dot(0) // an opEnd
	p.code.At(uint32(at) + uint32(n)).same = rest
	for d := at + dot(n); d > at; {
		d--
		in := p.code.At(uint32(d))
		in.same = p.suffix(d, in, rest)
		rest = in.same
	}
}

// suffix returns the first place with instruction in before what goes on like rest, which is d if there was none.
func (p *Program) suffix(d dot, in *instruction, rest dot) dot {
	h := hashSuffix(in, rest)
	first := p.suffixes.Find(h, func(e uint32) bool {
		x := p.code.At(e)
		return x.op == in.op && x.nonEmpty == in.nonEmpty && x.arg == in.arg && p.code.At(e+1).same == rest
	})
	if first == 0 {
		first = uint32(d)
		p.suffixes.Add(h, first)
	}
	return dot(first)
}

// hashAt returns the hash of how a sequence goes on from a place.
func (p *Program) hashAt(e uint32) uint64 { return hashSuffix(p.code.At(e), p.code.At(e+1).same) }

func hashSuffix(in *instruction, rest dot) uint64 {
	h := arena.Mix(uint64(in.op), uint64(in.arg)|uint64(rest)<<32)
	if in.nonEmpty {
		h = arena.Mix(h, 1)
	}
	return h ^ h>>32
}
