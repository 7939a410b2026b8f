package analysis

import (
	"bytes"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// guess returns a string of e and the states that it leads through, e first, or nil where the first string that comes
// to mind is not one of e's. It is the shortest of what e does not exclude, or little more. cost is what it took, in
// the unit of the budget of a search. A guess ends where it gets longer than most code points.
func (s *Analysis) guess(e expr.Expr, most uint32) (text []byte, path []expr.Expr, cost int) {
	g := guesser{s: s, steps: guessSteps, most: most}
	found := g.add(e)
	if cost = g.cost() / looksAtOne; !found {
		return nil, nil, cost
	}
	for n := range g.text {
		at := g.walk.state(s, e, g.text[:n])
		cost += deriveCost * s.Weight(at)
		path = append(path, at)
		if g.walk.state(s, e, g.text[:n+1]) == expr.Empty {
			return nil, nil, cost
		}
	}
	end := g.walk.state(s, e, g.text)
	if !s.Maybe(end) {
		return nil, nil, cost
	}
	return g.text, append(path, end), cost
}

const (
	// guessSteps bounds the nodes that a guess looks at, guessBytes how long it may get, and guessTexts how many texts
	// are compared with intersections on the way.
	guessSteps = 400
	guessBytes = 160
	guessTexts = 100
	// looksAtOne is how many looks of comparisons with a text cost one.
	looksAtOne = 3
	// deriveCost is what one derivative costs for each part that it looks at, where nothing has been made before. A part
	// takes some 30 ns then.
	deriveCost = 2
)

// guesser puts together a short string of an expression, whatever that excludes.
type guesser struct {
	s     *Analysis
	text  []byte
	steps int
	texts int // compared with intersections
	most  uint32

	looked int // at parts, for these comparisons
	walk   walk
}

// cost returns how many parts it has looked at.
func (g *guesser) cost() int { return guessSteps - g.steps + g.looked }

// add appends a string of e. It returns false if there is none, or none to be had cheaply.
func (g *guesser) add(e expr.Expr) bool {
	s := g.s
	n := s.Node(e)
	if g.steps--; g.steps < 0 || len(g.text) > guessBytes {
		return false
	}
	if n.Flags&expr.FNullable != 0 && n.Flags&expr.FBoolean == 0 {
		return true
	}
	switch n.Kind {
	case expr.KEps, expr.KTag, expr.KTop, expr.KStar:
		return true
	case expr.KBytes:
		g.text = append(g.text, plainest(s.Sets.At(n.A)))
		return true
	case expr.KText:
		for _, c := range []byte(s.Texts.At(n.A).Str[n.B:]) {
			if !expr.RawByte(c, n.Enc()) {
				return false
			}
			g.text = append(g.text, c)
		}
		return true
	case expr.KConcat, expr.KSpelled:
		return g.add(n.Head()) && g.add(n.Tail())
	case expr.KCount:
		return g.add(n.Body())
	case expr.KRepeat:
		for range n.B {
			if !g.add(n.Body()) {
				return false
			}
		}
		return true
	case expr.KOr:
		return g.addShortest(s.List(n))
	case expr.KAnd:
		at := len(g.text)
		for turn := 0; ; turn++ {
			words, ok := g.addConditions(e, turn)
			if ok && g.agree(e, at) {
				return true
			}
			if g.text = g.text[:at]; turn >= min(words, wordOrders)-1 {
				break
			}
		}
		most := g.mostAsking(s.List(n))
		return (most == expr.Empty || g.add(most)) && g.agree(e, at) // the others may agree
	case expr.KNot:
		return g.agree(e, len(g.text))
	}
	return false
}

// agree reports whether e matches the text from place at on. What is too short for e may do with one or two more of the
// extras, the shorter text if both do.
func (g *guesser) agree(e expr.Expr, at int) bool {
	end := len(g.text)
	if g.matches(e, at, end) != 0 {
		return true
	}
	if g.tooLong() {
		return false
	}
	twice := -1
	for i, b := range []byte(extras) {
		g.text = append(g.text[:end], b)
		one := g.tooLong()
		if !one {
			g.text = append(g.text, b)
		}
		switch fits := g.matches(e, at, end+1); {
		case fits&1 != 0:
			g.text = g.text[:end+1]
			return true
		case fits != 0 && twice < 0:
			twice = i
		}
	}
	if twice >= 0 {
		g.text = append(g.text[:end], extras[twice], extras[twice])
	}
	return twice >= 0
}

// extras are characters that texts are made longer with.
const extras = "a0A.-/"

// tooLong reports whether one more character would be too many.
func (g *guesser) tooLong() bool {
	return len(g.text) >= int(g.most) && !bytes.Contains(g.text, []byte{'\\'}) && utf8.RuneCount(g.text) >= int(g.most)
}

// matches says which texts e is known to match that begin at place at and end at place end (bit 0) or later.
func (g *guesser) matches(e expr.Expr, at, end int) uint64 {
	if g.texts++; g.texts > guessTexts {
		return 0
	}
	fits, looked := g.s.matchTexts(e, g.text[at:], end-at, &g.walk)
	g.looked += looked
	return fits
}

// mostAsking returns the member of an intersection whose strings are longest, Empty if all of them exclude.
func (g *guesser) mostAsking(members []expr.Expr) expr.Expr {
	best, most := expr.Empty, uint32(0)
	for _, x := range members {
		if g.s.Node(x).Kind == expr.KNot {
			continue
		}
		if n := g.s.lowest(x, expr.UTF8, &g.steps); best == expr.Empty || n > most {
			best, most = x, n
		}
	}
	return best
}

// addShortest appends the shortest of the strings of several members.
func (g *guesser) addShortest(members []expr.Expr) bool {
	at := len(g.text)
	var best []byte
	for _, x := range members {
		if g.add(x) && (best == nil || len(g.text)-at < len(best)) {
			best = append([]byte{}, g.text[at:]...)
		}
		g.text = g.text[:at]
	}
	g.text = append(g.text, best...)
	return best != nil
}

// plainest returns the byte of a set that is least likely to mean something to an exclusion.
func plainest(set *expr.ByteSet) byte {
	for _, b := range []byte("a0A_ ") {
		if set.Has(b) {
			return b
		}
	}
	if b := set.Next('!'); b < 256 {
		return byte(b)
	}
	return byte(set.Next(0))
}

// lowest returns a number of code points that no string of e has fewer of, for a text between code points. It only
// looks at what e is made of: exclusions count for nothing.
func (s *Analysis) lowest(e expr.Expr, enc expr.Encoding, steps *int) uint32 {
	n := s.Node(e)
	if *steps--; *steps < 0 || n.Flags&(expr.FNullable|expr.FMaybe) != 0 {
		return 0
	}
	switch n.Kind {
	case expr.KBytes:
		if s.Sets.At(n.A).Next(0x80) < 0xC0 {
			return 0 // within a code point
		}
		return 1
	case expr.KText:
		t := s.Texts.At(n.A).Str[n.B:]
		for len(t) > 0 && !utf8.RuneStart(t[0]) {
			t = t[1:]
		}
		if enc.HasEscapes() && !n.Enc().HasEscapes() {
			return min(1, uint32(len(t))) // it may be the spelling of an escape
		}
		return uint32(utf8.RuneCountInString(t))
	case expr.KConcat, expr.KSpelled:
		if a := s.Node(n.Head()); enc.HasEscapes() && a.Kind == expr.KBytes && s.Sets.At(a.A).Has('\\') {
			return 1 // what follows is an escape
		}
		low := s.lowest(n.Head(), enc, steps)
		return low + s.lowest(n.Tail(), enc, steps)
	case expr.KRepeat:
		return uint32(min(uint64(n.B)*uint64(s.lowest(n.Body(), enc, steps)), uint64(spectrumCap)))
	case expr.KOr:
		low := uint32(expr.Unbounded)
		for _, x := range s.List(n) {
			low = min(low, s.lowest(x, enc, steps))
		}
		return low
	case expr.KAnd:
		low := uint32(0)
		for _, x := range s.List(n) {
			low = max(low, s.lowest(x, enc, steps))
		}
		if first := s.First(e); low == 0 && first.Next(0x80) >= 0xC0 {
			low = 1 // it does not match the empty string, and begins with a code point
		}
		return low
	}
	return 0
}
