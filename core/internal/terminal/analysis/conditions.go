package analysis

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Look-aheads and patterns that ask for one character each ("a digit somewhere, a letter somewhere") make an
// intersection of searches, any* C any*, perhaps with a loop over a class that all characters are of. It has a state
// for each set of conditions that are still open, and a search for the shortest completion of one would go through all
// those with fewer. But it is mostly plain: a text must have a character for each of several classes that have none in
// common, and with the right ones of those it has one of the other classes too.

// condition is what is known of a class that a text has to have a character of.
type condition struct {
	single bool         // every string of it is one code point
	plain  expr.ByteSet // the ASCII characters that stand for themselves in it
}

// plainASCII are the characters that stand for themselves in every encoding.
var plainASCII = func() (set expr.ByteSet) {
	set.AddRange(' ', '~')
	for _, b := range []byte("\"\\") {
		set[b>>6] &^= 1 << (b & 63)
	}
	return set
}()

// conditionOf returns what is known of x, which is remembered.
func (s *Analysis) conditionOf(x expr.Expr, enc expr.Encoding) *condition {
	key := conditionKey{x, enc}
	c, ok := s.conditions[key]
	if !ok {
		c = &condition{single: s.SingleRunes(x, enc) || s.isCharacter(x, enc)}
		first := s.First(x)
		for i := range c.plain {
			c.plain[i] = first[i] & plainASCII[i]
		}
		remember(s, &s.conditions, key, c)
	}
	return c
}

// isCharacter reports whether x is a text of one character.
func (s *Analysis) isCharacter(x expr.Expr, enc expr.Encoding) bool {
	n := s.Node(x)
	return n.Kind == expr.KText && n.Enc()|expr.ASCII == enc|expr.ASCII && n.Subset>>enc&1 != 0 &&
		utf8.RuneCountInString(s.Texts.At(n.A).Str[n.B:]) == 1
}

type conditionKey struct {
	x   expr.Expr
	enc expr.Encoding
}

// openConditions returns the classes of which a text of x must have a character each, in any order, and that which all
// its characters must be of (nil: any), for an x that says nothing else.
func (s *Analysis) openConditions(
	x expr.Expr, enc expr.Encoding, open []expr.Expr,
) (found []expr.Expr, body *condition, ok bool) {
	n := s.Node(x)
	if n.Kind != expr.KAnd || n.Flags&(expr.FTag|expr.FCount) != 0 {
		return nil, nil, false
	}
	class := s.AnyRune[enc]
	for _, y := range s.List(n) {
		if m := s.Node(y); m.Kind == expr.KStar && s.conditionOf(m.Body(), enc).single &&
			s.within(m.Body(), class, enc) {
			class = m.Body()
		}
	}
	for _, y := range s.List(n) {
		if s.allOf(y, class, enc) {
			continue
		}
		m := s.Node(y)
		if m.Kind != expr.KConcat || !s.allOf(m.Head(), class, enc) {
			return nil, nil, false
		}
		rest := s.Node(m.Tail())
		if rest.Kind != expr.KConcat || !s.allOf(rest.Tail(), class, enc) ||
			!s.conditionOf(rest.Head(), enc).single {
			return nil, nil, false
		}
		open = append(open, rest.Head())
	}
	if class != s.AnyRune[enc] {
		body = s.conditionOf(class, enc)
	}
	return open, body, true
}

// allOf reports whether x matches all texts of characters of a class.
func (s *Analysis) allOf(x, class expr.Expr, enc expr.Encoding) bool {
	n := s.Node(x)
	return n.Kind == expr.KStar && s.within(class, n.Body(), enc)
}

// within reports whether class y has all characters of class x.
func (s *Analysis) within(x, y expr.Expr, enc expr.Encoding) bool {
	other := enc ^ expr.ASCII
	if x == y || y == s.AnyRune[enc] || y == s.AnyRune[other] && s.Node(x).Subset>>other&1 != 0 {
		return true
	}
	key := pairOfClasses{x, y}
	in, ok := s.classesWithin[key]
	if !ok {
		in = s.Node(x).Flags&expr.FCount == 0 && s.Node(y).Flags&(expr.FTag|expr.FCount) == 0 &&
			s.Emptiness(s.And(x, s.Not(y))) == expr.Nothing
		remember(s, &s.classesWithin, key, in)
	}
	return in
}

type pairOfClasses struct{ x, y expr.Expr }

// fewestCharacters returns how many characters the shortest text has that has one of each class, all of them of body,
// if that can be told from classes without characters in common.
func (s *Analysis) fewestCharacters(open []expr.Expr, body *condition, enc expr.Encoding) (n uint32, ok bool) {
	plain := func(x expr.Expr) expr.ByteSet {
		set := s.conditionOf(x, enc).plain
		if body != nil {
			for i := range set {
				set[i] &= body.plain[i]
			}
		}
		return set
	}
	slices.SortStableFunc(open, func(x, y expr.Expr) int {
		c, d := &s.conditionOf(x, enc).plain, &s.conditionOf(y, enc).plain
		return cmp.Or(cmp.Compare(c.Len(), d.Len()), slices.Compare(c[:], d[:])) // by content: ids are history
	})
	var apart []expr.Expr // no two have a character in common: each needs one of its own
	for _, x := range open {
		if !slices.ContainsFunc(apart, func(y expr.Expr) bool { return !s.disjoint(x, y, enc) }) {
			apart = append(apart, x)
		}
	}
	left := slices.Clone(open)
	for _, x := range apart {
		candidates := plain(x)
		best, most := -1, 0
		for b := candidates.Next(0); b < 256; b = candidates.Next(b + 1) {
			hits := 0
			for _, y := range left {
				if s.conditionOf(y, enc).plain.Has(byte(b)) {
					hits++
				}
			}
			if hits > most {
				best, most = b, hits
			}
		}
		if best < 0 {
			return 0, false
		}
		left = slices.DeleteFunc(left, func(y expr.Expr) bool { return s.conditionOf(y, enc).plain.Has(byte(best)) })
	}
	return uint32(len(apart)), len(left) == 0
}

// disjoint reports whether two classes have no character in common.
func (s *Analysis) disjoint(x, y expr.Expr, enc expr.Encoding) bool {
	c, d := s.conditionOf(x, enc), s.conditionOf(y, enc)
	if c.plain.Intersects(&d.plain) {
		return false
	}
	key := pairOfClasses{x, y}
	apart, ok := s.classesApart[key]
	if !ok {
		apart = s.Emptiness(s.And(x, y)) == expr.Nothing
		remember(s, &s.classesApart, key, apart)
	}
	return apart
}

// ConditionLengths returns the lengths of texts of x where all that is asked is a character of each of some classes:
// from the shortest on, any. It returns nil where that cannot be told.
func (s *Analysis) ConditionLengths(x expr.Expr, enc expr.Encoding) *Spectrum {
	var buf [32]expr.Expr
	open, body, ok := s.openConditions(x, enc, buf[:0])
	if !ok || len(open) == 0 {
		return nil
	}
	if least, ok := s.fewestCharacters(open, body, enc); ok {
		return s.keepSpectrum(x, Spectrum{Min: least, Max: expr.Unbounded, phase: PhaseBetween, enc: enc})
	}
	return nil
}

// MeetsConditions reports whether x is known to match something because all that it asks for are characters of some
// classes within it.
func (s *Analysis) MeetsConditions(x expr.Expr) bool {
	for _, enc := range s.EncodingsOf(x) {
		var buf [32]expr.Expr
		open, body, ok := s.openConditions(x, enc, buf[:0])
		ok = ok && len(open) > 0
		for i := 0; ok && i < len(open); i++ {
			c := s.conditionOf(open[i], enc)
			ok = c.plain.Next(0) < 256 && (body == nil || c.plain.Intersects(&body.plain))
		}
		if ok {
			return true
		}
	}
	return false
}
