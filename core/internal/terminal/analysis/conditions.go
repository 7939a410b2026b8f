package analysis

import (
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Look-aheads and patterns that ask for characters ("a digit somewhere, two letters somewhere") make an intersection of
// searches, any* C any* or (any* C){2} any*, perhaps with a loop over a class that all characters are of. It has a state
// for each set of conditions that are still open, and a search for the shortest completion of one would go through all
// those with fewer. But it is mostly plain: a text must have characters of several classes that have none in common,
// and with the right ones of those it has enough of the other classes too.

// need is a class of which a text has to have at least n characters, or a word that has to occur so often.
type need struct {
	x       expr.Expr
	of      *condition // what is known of the class; nil for a word
	n       uint32
	word    bool
	ordered bool      // it has a place among what one search asks for
	heads   expr.Expr // a union: a text that begins with the end of the word will do
}

// needBytes is what a need takes.
const needBytes = 32

// conditions are what the members of an intersection say that ask for characters.
type conditions struct {
	open   []need       // a text of plain characters that has what these ask for, in this order, meets the conditions
	class  expr.Expr    // which all its characters have to be of
	plain  expr.ByteSet // those of them that are plain
	least  uint32       // how many characters there have to be
	others int          // members that say something else
}

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

// conditionsOf returns what the members of intersection x ask for, or x itself, in the memory of open. It reports false if
// none asks for anything. With alone it also reports false, at once, if a member says something else.
func (s *Analysis) conditionsOf(x expr.Expr, enc expr.Encoding, open []need, alone bool) (c conditions, ok bool) {
	n := s.Node(x)
	c.open = open
	if n.Flags&(expr.FTag|expr.FCount) != 0 {
		return c, false
	}
	one := [1]expr.Expr{x}
	members := one[:]
	if n.Kind == expr.KAnd {
		members = s.List(n)
	}
	c.class, c.plain = s.AnyRune[enc], plainASCII
	for _, y := range members {
		if body, least, ok := s.loopOf(y); ok && s.conditionOf(body, enc).single && s.within(body, c.class, enc) {
			c.class, c.plain = body, s.conditionOf(body, enc).plain
			c.least = max(c.least, least)
		}
	}
	for _, y := range members {
		if body, least, ok := s.loopOf(y); ok && s.within(c.class, body, enc) &&
			(least == 0 || s.conditionOf(body, enc).single) {
			c.least = max(c.least, least)
		} else if from := len(c.open); !s.addMember(y, enc, &c) {
			c.open = c.open[:from]
			if c.others++; alone {
				return c, false
			}
		}
	}
	return c, len(c.open) > 0
}

// loopOf returns the body of loop y, and how often it is repeated at least.
func (s *Analysis) loopOf(y expr.Expr) (body expr.Expr, least uint32, ok bool) {
	switch n := s.Node(y); {
	case n.Kind == expr.KStar:
		return n.Body(), 0, true
	case n.Kind == expr.KRepeat && n.C == expr.Unbounded:
		return n.Body(), n.B, true
	}
	return expr.Empty, 0, false
}

// addMember adds to c what member y of an intersection asks for: a search, or the one of several that asks for least.
// The answer is remembered, because most states of a search are intersections of the same members.
func (s *Analysis) addMember(y expr.Expr, enc expr.Encoding, c *conditions) (ok bool) {
	switch s.Node(y).Kind {
	case expr.KConcat, expr.KOr, expr.KStar:
	default:
		return false
	}
	key := askedKey{y, c.class, enc}
	of, known := s.askedBy[key]
	if !known {
		from := len(c.open)
		of.ok = s.findMember(y, enc, c)
		of.needs = slices.Clone(c.open[from:])
		c.open = c.open[:from]
		remember(s, &s.askedBy, key, of)
		s.Extra.Add(int64(len(of.needs) * needBytes))
	}
	c.open = append(c.open, of.needs...)
	return of.ok
}

// askedKey is a member of an intersection, and the class that all characters of a text have to be of.
type askedKey struct {
	y, class expr.Expr
	enc      expr.Encoding
}

// asked is what a member of an intersection asks for.
type asked struct {
	needs []need
	ok    bool
}

// findMember is addMember where it is not known.
func (s *Analysis) findMember(y expr.Expr, enc expr.Encoding, c *conditions) (ok bool) {
	n := s.Node(y)
	if n.Kind != expr.KOr {
		return s.addSearch(y, enc, c)
	}
	if n.N > conditionWays {
		return false
	}
	if s.addBegun(y, enc, c) {
		return true
	}
	from, best := len(c.open), len(c.open)
	one := true // all of them ask for so many of one class, so that a text has at least as many as the least
	for _, x := range s.List(n) {
		at := len(c.open)
		if !s.addSearch(x, enc, c) {
			c.open, one = c.open[:at], false
			continue
		}
		if len(c.open) == at { // it asks for nothing
			c.open = c.open[:from]
			return true
		}
		one = one && len(c.open) == at+1 && !c.open[at].ordered && c.open[at].x == c.open[from].x
		if best == from && at == from || total(c.open[at:]) < total(c.open[from:best]) {
			best = from + copy(c.open[from:], c.open[at:])
		}
		c.open = c.open[:best]
	}
	for i := from; i < best && !one; i++ {
		c.open[i].ordered = true
	}
	return best > from
}

// total returns how many characters, or texts, needs ask for.
func total(of []need) (n uint64) {
	for _, x := range of {
		n += uint64(x.n)
	}
	return n
}

// addSearch adds to c what y asks for, if y goes on with any plain characters before and after it.
func (s *Analysis) addSearch(y expr.Expr, enc expr.Encoding, c *conditions) (ok bool) {
	from := len(c.open)
	for range conditionStarts {
		if s.anyPlain(y, enc, c) || s.addSearchFrom(y, enc, c) {
			return true
		}
		c.open = c.open[:from]
		n := s.Node(y)
		if n.Kind != expr.KConcat || s.Node(n.Head()).Flags&expr.FNullable == 0 {
			break
		}
		y = n.Tail() // what may be left out is
	}
	return false
}

const (
	conditionWays   = 8  // how many searches are looked at of which one is enough
	conditionStarts = 3  // how many parts of a search may be left out at its beginning
	conditionParts  = 32 // and how many are looked at
)

// addSearchFrom is addSearch for a y that asks for something at once.
func (s *Analysis) addSearchFrom(y expr.Expr, enc expr.Encoding, c *conditions) (ok bool) {
	from, leads := len(c.open), s.leads(y, enc, c)
	p := searchReader{s: s, enc: enc, c: c, between: plainASCII, apart: true, looks: conditionParts}
	n := s.Node(y)
	last := y
	for range conditionParts {
		m := s.Node(last)
		if m.Kind != expr.KConcat {
			break
		}
		last = m.Tail()
	}
	if !s.anyPlain(last, enc, c) {
		return false
	}
	for ; n.Kind == expr.KConcat; n = s.Node(y) {
		if !p.add(n.Head(), 1) {
			return false
		}
		y = n.Tail()
	}
	if len(c.open) == from {
		return false
	}
	search := c.open[from:]
	if len(search) == 1 && search[0].word && search[0].n == 1 {
		return leads
	}
	if slices.ContainsFunc(search, func(x need) bool { return x.word || x.x != search[0].x }) {
		for i := range search {
			search[i].ordered = true
		}
		return leads
	}
	search[0].n = uint32(min(total(search), expr.Unbounded/2)) // so many of one class
	c.open = c.open[:from+1]
	p.between.Union(&search[0].of.plain)
	return leads || p.apart && p.between.Contains(&c.plain)
}

// searchReader reads what a search asks for.
type searchReader struct {
	s     *Analysis
	enc   expr.Encoding
	c     *conditions // takes it
	looks int         // how many parts may still be looked at

	// A search for characters of one class may have loops over all other characters before each of them: the first ones
	// are found then.
	between expr.ByteSet // the plain characters of all loops
	apart   bool         // there is a loop before each character
	loop    bool         // there is one before the next
}

// add notes what so many of part x of a search ask for. It reports false for a part that may ask for something else.
func (p *searchReader) add(x expr.Expr, times uint32) (ok bool) {
	s := p.s
	n := s.Node(x)
	if p.looks--; p.looks < 0 {
		return false
	}
	switch {
	case n.Kind == expr.KStar && s.conditionOf(n.Body(), p.enc).single:
		p.between.Intersect(&s.conditionOf(n.Body(), p.enc).plain)
		p.loop = true
		return true
	case s.conditionOf(x, p.enc).single:
		p.c.open = append(p.c.open, need{x: x, of: s.conditionOf(x, p.enc), n: times})
		p.apart, p.loop = p.apart && p.loop, false
		return true
	case n.Kind == expr.KConcat:
		return p.add(n.Head(), times) && p.add(n.Tail(), times)
	case n.Kind == expr.KRepeat && n.B > 0:
		p.loop = p.loop && n.B == 1 // the next one comes after the end of one
		return p.add(n.Body(), uint32(min(uint64(times)*uint64(n.B), expr.Unbounded/2)))
	case n.Kind == expr.KText && n.Enc()|expr.ASCII == p.enc|expr.ASCII && n.Subset>>p.enc&1 != 0:
		word := s.Texts.At(n.A).Str[n.B:]
		if len(word) > conditionParts {
			return false
		}
		for i := range len(word) {
			if !plainASCII.Has(word[i]) {
				return false
			}
		}
		p.c.open = append(p.c.open, need{x: x, n: times, word: true})
		return true
	}
	p.apart = false
	return n.Flags&expr.FNullable != 0
}

// anyPlain reports whether x matches all texts of the plain characters that c allows.
func (s *Analysis) anyPlain(x expr.Expr, enc expr.Encoding, c *conditions) bool {
	n := s.Node(x)
	if n.Kind != expr.KStar {
		return false
	}
	of := s.conditionOf(n.Body(), enc)
	return of.single && of.plain.Contains(&c.plain) || s.within(c.class, n.Body(), enc)
}

// leads reports whether x begins with any plain characters, as many as there are.
func (s *Analysis) leads(x expr.Expr, enc expr.Encoding, c *conditions) bool {
	for {
		n := s.Node(x)
		switch {
		case s.anyPlain(x, enc, c):
			return true
		case n.Kind == expr.KConcat:
			x = n.Head()
		case n.Kind == expr.KRepeat && n.B > 0:
			x = n.Body()
		default:
			return false
		}
	}
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

// disjoint reports whether the classes of two needs have no character in common.
func (s *Analysis) disjoint(x, y *need) bool {
	if x.of.plain.Intersects(&y.of.plain) {
		return false
	}
	key := pairOfClasses{x.x, y.x}
	apart, ok := s.classesApart[key]
	if !ok {
		apart = s.Emptiness(s.And(x.x, y.x)) == expr.Nothing
		remember(s, &s.classesApart, key, apart)
	}
	return apart
}

// ConditionLengths returns the lengths of texts of x where all that is asked is so many characters of each of some
// classes, and words: from the shortest on, any. It returns nil where that cannot be told.
func (s *Analysis) ConditionLengths(x expr.Expr, enc expr.Encoding) *Spectrum {
	var buf [16]need
	c, ok := s.conditionsOf(x, enc, buf[:0], true)
	if !ok || slices.ContainsFunc(c.open, func(x need) bool { return x.ordered || !s.canBe(&c, &x) }) {
		return nil
	}
	if t := s.shortestText(&c); len(t.left) == 0 && t.least < expr.Unbounded/2 {
		return s.keepSpectrum(x, Spectrum{Min: t.least, Max: expr.Unbounded, phase: PhaseBetween, enc: enc})
	}
	return nil
}

// fewestCharacters returns a number of characters that no text of x has fewer of, as far as its conditions tell.
func (s *Analysis) fewestCharacters(x expr.Expr, enc expr.Encoding) (fewest uint32) {
	var buf [16]need
	if c, ok := s.conditionsOf(x, enc, buf[:0], false); ok {
		fewest = s.shortestText(&c).least
	}
	return fewest
}

// MeetsConditions reports whether intersection x is known to match something because all that it asks for are characters
// of some classes within it, and texts: one after the other they are in it.
func (s *Analysis) MeetsConditions(x expr.Expr) bool {
	if s.Node(x).Kind != expr.KAnd {
		return false
	}
	for _, enc := range s.EncodingsOf(x) {
		var buf [16]need
		c, ok := s.conditionsOf(x, enc, buf[:0], true)
		for i := 0; ok && i < len(c.open); i++ {
			ok = s.canBe(&c, &c.open[i])
		}
		if ok {
			return true
		}
	}
	return false
}

// plainOf returns the plain characters of the class that x asks for that are allowed.
func (c *conditions) plainOf(x *need) expr.ByteSet {
	set := x.of.plain
	set.Intersect(&c.plain)
	return set
}

// canBe reports whether plain characters do what x asks for.
func (s *Analysis) canBe(c *conditions, x *need) bool {
	if !x.word {
		set := c.plainOf(x)
		return !set.IsEmpty()
	}
	for _, b := range []byte(s.wordOf(x.x)) {
		if !c.plain.Has(b) {
			return false
		}
	}
	return true
}

// wordOf returns what is left of text x.
func (s *Analysis) wordOf(x expr.Expr) string {
	n := s.Node(x)
	return s.Texts.At(n.A).Str[n.B:]
}
