package analysis

import (
	"math/bits"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Whether an expression matches one short text can be told from its structure: for each part, where in the text its
// matches end. That makes no new expressions, as derivatives would, and takes a fraction of their time.

const (
	// textPlaces bounds the texts of a matching, whose places are bits of a word.
	textPlaces = 64
	// matchSteps bounds the parts that one matching looks at; beyond them nothing is known.
	matchSteps = 2000
	// placesAtOne is of how many places in the text the comparison costs as much as one look at a part.
	placesAtOne = 8
)

// matching looks for parts of expressions in one text.
type matching struct {
	s     *Analysis
	text  []byte
	steps int
	lost  bool // some part cannot be told
}

// matchesText reports whether e, bounds of counters aside, matches a text.
func (s *Analysis) matchesText(e expr.Expr, text []byte) bool {
	fits, _ := s.matchTexts(e, text, len(text), &walk{})
	return fits != 0
}

// matchTexts says which of the beginnings of a text e matches, bounds of counters aside: bit n stands for that of
// least+n bytes. looked is how many parts it has looked at, those of derivatives that w has at hand included.
func (s *Analysis) matchTexts(e expr.Expr, text []byte, least int, w *walk) (fits uint64, looked int) {
	if len(text) < textPlaces {
		m := matching{s: s, text: text, steps: matchSteps}
		fits = m.ends(e, 1) >> least
		if looked = matchSteps - m.steps; !m.lost {
			return fits, looked
		}
	}
	fits = 0
	for n := 0; ; n++ {
		at := w.state(s, e, text[:n])
		if n >= least && s.Maybe(at) {
			fits |= 1 << (n - least)
		}
		if n == len(text) || at == expr.Empty {
			return fits, looked
		}
		looked += looksAtOne * deriveCost * s.Weight(at)
	}
}

// walk remembers the states along one text of one expression.
//
// PERF: a guess that is too short tries half a dozen characters at its end. Each try derived the whole text again, which
// took a quarter of a second of one compilation, with intersections of a hundred members.
type walk struct {
	e    expr.Expr
	text []byte
	path []expr.Expr // the state after each number of bytes of text
}

// state returns the state of e after text. The caller must have asked for the state after text without its last byte
// just before, so it begins with the empty text.
func (w *walk) state(s *Analysis, e expr.Expr, text []byte) expr.Expr {
	last := len(text) - 1
	switch {
	case last < 0:
		if w.e != e || len(w.path) == 0 {
			*w = walk{e: e, text: w.text[:0], path: append(w.path[:0], e)}
		}
	case last < len(w.text) && w.text[last] == text[last]:
	default:
		w.text = append(w.text[:last], text[last])
		w.path = append(w.path[:last+1], s.Derive(w.path[last], text[last]))
	}
	return w.path[last+1]
}

// ends returns the places at which strings of e end that begin at one of starts, a bit for each.
func (m *matching) ends(e expr.Expr, starts uint64) uint64 {
	if starts == 0 {
		return 0
	}
	if m.steps--; m.steps < 0 {
		m.lost = true
		return 0
	}
	s := m.s
	n := s.Node(e)
	switch n.Kind {
	case expr.KEmpty:
		return 0
	case expr.KEps, expr.KTag:
		return starts
	case expr.KBytes:
		return m.bytes(s.Sets.At(n.A), starts)
	case expr.KText:
		return m.literal(s.Texts.At(n.A).Str[n.B:], n.Enc(), starts)
	case expr.KConcat, expr.KSpelled:
		return m.ends(n.Tail(), m.ends(n.Head(), starts))
	case expr.KOr:
		all := uint64(0)
		for _, x := range s.List(n) {
			all |= m.ends(x, starts)
		}
		return all
	case expr.KAnd:
		return m.each(starts, func(start uint64) uint64 {
			all := ^uint64(0)
			for _, x := range s.List(n) {
				if all &= m.ends(x, start); all == 0 {
					break
				}
			}
			return all
		})
	case expr.KNot:
		return m.each(starts, func(start uint64) uint64 { return m.from(start) &^ m.ends(n.Body(), start) })
	case expr.KStar:
		return m.repeated(n.Body(), 0, expr.Unbounded, starts)
	case expr.KRepeat:
		return m.repeated(n.Body(), n.B, n.C, starts)
	case expr.KCount:
		return m.ends(n.Body(), starts)
	case expr.KTop:
		return m.from(starts)
	}
	m.lost = true
	return 0
}

// each returns the places that f returns for each start alone: a string of an intersection, or of what is excluded,
// must begin where the others do.
func (m *matching) each(starts uint64, f func(start uint64) uint64) (ends uint64) {
	for ; starts != 0; starts &= starts - 1 {
		ends |= f(starts & -starts)
	}
	return ends
}

// from returns all places from the first of starts on.
func (m *matching) from(starts uint64) uint64 {
	return (2<<len(m.text) - 1) &^ (starts&-starts - 1)
}

// bytes is ends of the bytes of set.
func (m *matching) bytes(set *expr.ByteSet, starts uint64) (ends uint64) {
	m.steps -= bits.OnesCount64(starts) / placesAtOne
	for ; starts != 0; starts &= starts - 1 {
		if i := bits.TrailingZeros64(starts); i < len(m.text) && set.Has(m.text[i]) {
			ends |= 2 << i
		}
	}
	return ends
}

// literal is ends of a text, which an escape in m.text might spell in another way.
func (m *matching) literal(t string, enc expr.Encoding, starts uint64) uint64 {
	for k := 0; k < len(t) && starts != 0; k++ {
		m.steps -= bits.OnesCount64(starts) / placesAtOne
		here := starts
		for starts = 0; here != 0; here &= here - 1 {
			i := bits.TrailingZeros64(here)
			if i == len(m.text) {
				break
			}
			if enc.HasEscapes() && m.text[i] == '\\' {
				m.lost = true
				return 0
			}
			if m.text[i] == t[k] && expr.RawByte(t[k], enc) {
				starts |= 2 << i
			}
		}
	}
	return starts
}

// repeated is ends of low to high strings of e.
func (m *matching) repeated(e expr.Expr, low, high uint32, starts uint64) uint64 {
	ends := uint64(0)
	if low == 0 {
		ends = starts
	}
	single, only := m.single(e)
	// Every string but the empty one takes the starts further, so that there are none left after as many as the text is
	// long.
	for k := uint32(1); starts != 0 && k <= high && k <= low+textPlaces; k++ {
		if only {
			starts = starts & single << 1
		} else {
			starts = m.ends(e, starts)
		}
		if k >= low {
			starts &^= ends
			ends |= starts
		}
	}
	return ends
}

// single returns the places at which strings of e stand that are one byte long. only reports whether it has found out
// that no other strings of e are in the text, as of a class of characters where the text is ASCII.
func (m *matching) single(e expr.Expr) (places uint64, only bool) {
	s := m.s
	n := s.Node(e)
	all := m.from(1)
	switch n.Kind {
	case expr.KBytes:
		return m.bytes(s.Sets.At(n.A), all) >> 1, true
	case expr.KOr:
		for _, x := range s.List(n) {
			switch part := s.Node(x); part.Kind {
			case expr.KBytes:
				places |= m.bytes(s.Sets.At(part.A), all) >> 1
			case expr.KConcat:
				if m.ends(x, all) != 0 {
					return 0, false
				}
			default:
				return 0, false
			}
		}
		return places, true
	}
	return 0, false
}
