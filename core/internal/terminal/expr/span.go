package expr

import "math"

// Most unions are of repetitions none of which contains another: X{9}R beside X{8}R, where R is what is left of a long
// sequence. To find that out takes as many comparisons as may be made of a pair. The lengths of their strings tell it
// at once: what contains another language has a string as short as its shortest, and one as long as its longest.

// span is how many bytes the shortest and the longest strings of an expression have. Expressions that have no
// intersections, complements, counters or machines in them match something, and then it is exact up to spanMost.
type span struct{ least, most uint16 }

const (
	spanMost    = math.MaxUint16 - 1 // so many or more
	spanUnknown = math.MaxUint16     // as least: nothing is known
)

// cannotContain reports whether an expression has no strings as short, or none as long, as another one has.
func (x span) cannotContain(y span) bool {
	return x.least != spanUnknown && y.least != spanUnknown && (x.least > y.least || x.most < y.most)
}

// spanOf returns the span of a new node.
func (s *Store) spanOf(k Kind, a, b, c uint32, list []Expr) span {
	child := func(e uint32) span { return s.Node(Expr(e)).span }
	switch k {
	case KEps, KTag:
		return span{}
	case KBytes:
		return span{1, 1}
	case KText:
		if !Encoding(c).HasEscapes() {
			return repeatSpan(span{1, 1}, uint32(len(s.Texts.At(a).Str))-b, uint32(len(s.Texts.At(a).Str))-b)
		}
	case KTop:
		return span{0, spanMost}
	case KConcat, KSpelled:
		x, y := child(a), child(b)
		if x.least != spanUnknown && y.least != spanUnknown {
			return span{addSpans(x.least, y.least), addSpans(x.most, y.most)}
		}
	case KOr:
		all := span{spanMost, 0}
		for _, e := range list {
			x := s.Node(e).span
			if x.least == spanUnknown {
				return x
			}
			all = span{min(all.least, x.least), max(all.most, x.most)}
		}
		return all
	case KStar:
		return repeatSpan(child(a), 0, Unbounded)
	case KRepeat:
		return repeatSpan(child(a), b, c)
	}
	return span{least: spanUnknown}
}

func addSpans(x, y uint16) uint16 { return uint16(min(uint32(x)+uint32(y), spanMost)) }

// repeatSpan returns the span of low to high strings with span x.
func repeatSpan(x span, low, high uint32) span {
	if x.least == spanUnknown {
		return x
	}
	times := func(n uint16, k uint32) uint16 { return uint16(min(uint64(n)*uint64(k), spanMost)) }
	return span{times(x.least, low), times(x.most, high)}
}
