package pushdown

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
	i := hashSuffix(in, rest) & uint64(len(p.suffixes)-1)
	for ; p.suffixes[i] != 0; i = (i + 1) & uint64(len(p.suffixes)-1) {
		e := p.suffixes[i]
		x := p.code.At(e)
		if x.op == in.op && x.nonEmpty == in.nonEmpty && x.arg == in.arg && p.code.At(e+1).same == rest {
			return dot(e)
		}
	}
	p.suffixes[i] = uint32(d)
	if p.suffixCount++; p.suffixCount*2 > len(p.suffixes) {
		p.placeSuffixes(len(p.suffixes) * 2)
	}
	return d
}

// placeSuffixes puts all places into a new table with room for so many.
func (p *Program) placeSuffixes(room int) {
	old := p.suffixes
	p.suffixes = make([]uint32, room)
	for _, e := range old {
		if e != 0 {
			place(p.suffixes, hashSuffix(p.code.At(e), p.code.At(e+1).same), e)
		}
	}
}

func hashSuffix(in *instruction, rest dot) uint64 {
	h := mix(uint64(in.op), uint64(in.arg)|uint64(rest)<<32)
	if in.nonEmpty {
		h = mix(h, 1)
	}
	return h ^ h>>32
}
