package analysis

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// Whether an expression matches one short text can be told from its structure: for each part, where in the text its
// matches end. That makes no new expressions, as derivatives would, and takes a fraction of their time.

const (
	// textPlaces bounds the texts of a matching, whose places are bits of a word.
	textPlaces = 64
	// matchSteps bounds the parts that one matching looks at; beyond them nothing is known.
	matchSteps = 2000
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
	fits, _ := s.matchTexts(e, text, len(text))
	return fits != 0
}

// matchTexts says which of the beginnings of a text e matches, bounds of counters aside: bit n stands for that of
// least+n bytes. looked is how many parts it has looked at.
func (s *Analysis) matchTexts(e expr.Expr, text []byte, least int) (fits uint64, looked int) {
	if len(text) < textPlaces {
		m := matching{s: s, text: text, steps: matchSteps}
		fits = m.ends(e, 0) >> least
		if looked = matchSteps - m.steps; !m.lost {
			return fits, looked
		}
	}
	fits = 0
	for n := 0; ; n++ {
		if n >= least && s.Maybe(e) {
			fits |= 1 << (n - least)
		}
		if n == len(text) {
			return fits, looked
		}
		looked += looksAtOne * deriveCost * s.Weight(e)
		if e = s.Derive(e, text[n]); e == expr.Empty {
			return fits, looked
		}
	}
}

// ends returns the places at which strings of e that begin at place i end, a bit for each.
func (m *matching) ends(e expr.Expr, i int) uint64 {
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
		return 1 << i
	case expr.KBytes:
		if i < len(m.text) && s.Sets.At(n.A).Has(m.text[i]) {
			return 2 << i
		}
		return 0
	case expr.KText:
		return m.literal(s.Texts.At(n.A).Str[n.B:], n.Enc(), i)
	case expr.KConcat, expr.KSpelled:
		return m.after(m.ends(n.Head(), i), n.Tail())
	case expr.KOr:
		all := uint64(0)
		for _, x := range s.List(n) {
			all |= m.ends(x, i)
		}
		return all
	case expr.KAnd:
		all := ^uint64(0)
		for _, x := range s.List(n) {
			if all &= m.ends(x, i); all == 0 {
				break
			}
		}
		return all
	case expr.KNot:
		return m.from(i) &^ m.ends(n.Body(), i)
	case expr.KStar:
		return m.repeated(n.Body(), 0, expr.Unbounded, i)
	case expr.KRepeat:
		return m.repeated(n.Body(), n.B, n.C, i)
	case expr.KCount:
		return m.ends(n.Body(), i)
	case expr.KTop:
		return m.from(i)
	}
	m.lost = true
	return 0
}

// from returns all places from i on.
func (m *matching) from(i int) uint64 { return (2<<len(m.text) - 1) &^ (1<<i - 1) }

// after returns the places at which strings of e end that begin at one of starts.
func (m *matching) after(starts uint64, e expr.Expr) uint64 {
	ends := uint64(0)
	for i := 0; starts>>i != 0; i++ {
		if starts>>i&1 != 0 {
			ends |= m.ends(e, i)
		}
	}
	return ends
}

// literal is ends of a text, which an escape in m.text might spell in another way.
func (m *matching) literal(t string, enc expr.Encoding, i int) uint64 {
	for k := range len(t) {
		if i+k == len(m.text) {
			return 0
		}
		if enc.HasEscapes() && m.text[i+k] == '\\' {
			m.lost = true
			return 0
		}
		if m.text[i+k] != t[k] || !expr.RawByte(t[k], enc) {
			return 0
		}
	}
	return 1 << (i + len(t))
}

// repeated is ends of low to high strings of e.
func (m *matching) repeated(e expr.Expr, low, high uint32, i int) uint64 {
	starts, ends := uint64(1)<<i, uint64(0)
	if low == 0 {
		ends = starts
	}
	// Every string but the empty one takes the starts further, so that there are none left after as many as the text is
	// long.
	for k := uint32(1); starts != 0 && k <= high && k <= low+textPlaces; k++ {
		if starts = m.after(starts, e); k >= low {
			starts &^= ends
			ends |= starts
		}
	}
	return ends
}
