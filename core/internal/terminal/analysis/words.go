package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Words that a text must have ("foo" and "bar" somewhere) multiply as conditions on characters do: a state says how far
// each of them has come. Where no two words overlap, a shortest text has one after the other. Of a word that has already
// begun, it may have the end alone, at its beginning.

// maxWords is how many words are compared with each other, and wordOrders in how many orders they are tried beside what
// else is asked.
const (
	maxWords   = 8
	wordOrders = 3
)

// shortest is a text that meets conditions, and a bound on how short such a text can be.
type shortest struct {
	least  uint32   // no text has fewer
	head   string   // what it begins with, the end of words that have begun
	words  []string // in any order
	chosen []choice // characters after the words
	left   []need   // that these may not meet
}

// choice is so many of one character.
type choice struct {
	b byte
	n uint32
}

// shortestText puts together a shortest text for the conditions that have no order.
func (s *Analysis) shortestText(c *conditions) (t shortest) {
	words, apart := s.wordsOf(c)
	if !apart {
		for _, x := range c.open {
			if x.word && !x.ordered {
				t.left = append(t.left, x)
			}
		}
	}
	var used, sure expr.ByteSet // characters of words, and those that are left of them whatever has begun
	t.least, t.head, t.words = arrange(words)
	for _, w := range words {
		for i := range len(w.text) {
			used.Add(w.text[i])
		}
		least := w.least()
		for i := range len(least) {
			sure.Add(least[i])
		}
	}
	var classes []need
	for _, x := range c.open {
		switch {
		case x.word || x.ordered:
		case apart && x.n == 1 && x.of.plain.Intersects(&sure):
		case x.of.plain.Intersects(&used):
			t.left = append(t.left, x)
		default:
			classes = append(classes, x)
		}
	}
	s.choose(&t, classes, c)
	t.least = max(t.least, c.least)
	return t
}

// choose adds to t characters of classes, as far as a shortest text can be told from classes without characters in
// common: of each such class those that meet most conditions.
func (s *Analysis) choose(t *shortest, left []need, c *conditions) {
	slices.SortStableFunc(left, func(x, y need) int {
		p, q := &x.of.plain, &y.of.plain
		return cmp.Or(cmp.Compare(p.Len(), q.Len()), slices.Compare(p[:], q[:]), // by content: ids are history
			cmp.Compare(y.n, x.n))
	})
	var apart []need // no two have a character in common: each needs its own
	for _, x := range left {
		if !slices.ContainsFunc(apart, func(y need) bool { return !s.disjoint(&x, &y) }) {
			apart = append(apart, x)
			t.least = min(t.least+x.n, expr.Unbounded/2)
		}
	}
	for _, x := range apart {
		// INVARIANT: all of them are the same character, so that they are also enough where some have to be next to each
		// other.
		has := func(b int, y need) bool { return y.n <= x.n && y.of.plain.Has(byte(b)) }
		candidates := c.plainOf(&x)
		best, most := -1, 0
		for b := candidates.Next(0); b < 256; b = candidates.Next(b + 1) {
			hits := 0
			for _, y := range left {
				if has(b, y) {
					hits++
				}
			}
			if hits > most {
				best, most = b, hits
			}
		}
		if best >= 0 {
			left = slices.DeleteFunc(left, func(y need) bool { return has(best, y) })
			t.chosen = append(t.chosen, choice{byte(best), x.n})
		}
	}
	t.left = append(t.left, left...)
}

// word is a text that has to occur, and what may be left of it at the beginning, where it has begun.
type word struct {
	text  string
	heads []string
}

// least returns the shortest of what may be left of w.
func (w *word) least() string {
	least := w.text
	for _, h := range w.heads {
		if len(h) < len(least) {
			least = h
		}
	}
	return least
}

// wordsOf returns the words among conditions. It reports false if two of them may have characters in common.
func (s *Analysis) wordsOf(c *conditions) (words []word, apart bool) {
	for i := range c.open {
		x := &c.open[i]
		if !x.word || x.ordered {
			continue
		}
		if len(words) == maxWords {
			return nil, false
		}
		w := word{text: s.wordOf(x.x)}
		if x.heads != expr.Empty {
			for _, y := range s.List(s.Node(x.heads)) {
				if h := s.headOf(y); h != expr.Empty {
					w.heads = append(w.heads, s.wordOf(h))
				}
			}
		}
		words = append(words, w)
	}
	slices.SortFunc(words, func(x, y word) int { return strings.Compare(x.text, y.text) })
	for i, x := range words {
		for j, y := range words {
			if i != j && overlap(x.text, y.text) {
				return nil, false
			}
		}
	}
	return words, true
}

// overlap reports whether y can begin within x.
func overlap(x, y string) bool {
	if strings.Contains(x, y) {
		return true
	}
	for i := 1; i < len(x); i++ {
		if strings.HasPrefix(y, x[i:]) {
			return true
		}
	}
	return false
}

// arrange returns the least number of characters that words take, none of which overlap, and which they are: what may be
// left of words at the beginning, and the other words. What the beginning begins with is there at once.
func arrange(words []word) (least uint32, head string, rest []string) {
	heads := []string{""}
	for _, w := range words {
		heads = append(heads, w.heads...)
	}
	least = expr.Unbounded
	for _, h := range heads {
		n, others := uint32(len(h)), []string{}
		for _, w := range words {
			if !slices.ContainsFunc(w.heads, func(x string) bool { return h != "" && strings.HasPrefix(h, x) }) {
				n += uint32(len(w.text))
				others = append(others, w.text)
			}
		}
		if n < least {
			least, head, rest = n, h, others
		}
	}
	return least, head, rest
}

// addBegun adds to c the word that union y asks for, if it asks for one that has begun: to find it, or to go on with it
// at once.
func (s *Analysis) addBegun(y expr.Expr, enc expr.Encoding, c *conditions) bool {
	from, at := len(c.open), -1
	members := s.List(s.Node(y))
	for i, x := range members {
		if s.headOf(x) == expr.Empty {
			if at >= 0 || !s.addSearch(x, enc, c) || len(c.open) != from+1 || !c.open[from].word || c.open[from].ordered {
				c.open = c.open[:from]
				return false
			}
			at = i
		}
	}
	if at < 0 {
		return false
	}
	text := s.wordOf(c.open[from].x)
	for i, x := range members {
		if i == at {
			continue
		}
		tail := s.Node(x).Tail()
		if !strings.HasSuffix(text, s.wordOf(s.headOf(x))) || !s.anyPlain(tail, enc, c) {
			c.open = c.open[:from]
			return false
		}
	}
	c.open[from].heads = y
	return true
}

// headOf returns the text that x begins with before a loop, Empty if x is no such sequence.
func (s *Analysis) headOf(x expr.Expr) expr.Expr {
	n := s.Node(x)
	if n.Kind != expr.KConcat || s.Node(n.Head()).Kind != expr.KText || s.Node(n.Tail()).Kind != expr.KStar {
		return expr.Empty
	}
	return n.Head()
}

// addConditions appends a text that meets the conditions among the members of intersection e, and seldom has more
// characters than it must. Each turn has another order of words. It returns how many words have an order, and false if
// there are no conditions or the text would get too long.
func (g *guesser) addConditions(e expr.Expr, turn int) (words int, ok bool) {
	s, at := g.s, len(g.text)
	add := func(text string, n uint32) {
		for ; n > 0 && len(g.text) <= guessBytes; n-- {
			g.text = append(g.text, text...)
		}
	}
	for _, enc := range s.EncodingsOf(e) {
		var buf [16]need
		c, ok := s.conditionsOf(e, enc, buf[:0], false)
		g.steps -= len(c.open) + c.others
		if !ok || slices.ContainsFunc(c.open, func(x need) bool { return !s.canBe(&c, &x) }) {
			continue
		}
		t := s.shortestText(&c)
		add(t.head, 1)
		for i := range t.words {
			add(t.words[(i+turn)%len(t.words)], 1)
		}
		for _, x := range t.chosen {
			add(string(rune(x.b)), x.n)
		}
		for _, x := range c.open {
			if x.ordered {
				t.left = append(t.left, x)
			}
		}
		for _, x := range t.left {
			if x.word {
				add(s.wordOf(x.x), x.n)
			} else {
				set := c.plainOf(&x)
				add(string(rune(plainest(&set))), x.n)
			}
		}
		for i := at; len(g.text)-at < int(c.least) && len(g.text) <= guessBytes; i++ {
			g.text = append(g.text, g.text[i]) // in turn, since what others exclude may be a character that is repeated
		}
		if len(g.text) <= guessBytes {
			return len(t.words), true
		}
		g.text = g.text[:at]
	}
	return 0, false
}
