package terminal

import (
	"slices"
	"unicode/utf8"
)

// Much of what is asked of a JSON string leaves every character possible until the closing quote: that it contains
// something, that it is not one of these texts, that it has a character outside of some class. Such a state lets
// through what "any text, then a quote" does, but for the tokens with a quote in them. What follows tells such
// languages by their structure. With U for any text, a language L of texts is
//
//	live      if every text begins one of L: nothing leads to a dead end
//	dense     if every text begins one after which L takes all of U
//	closed    by a character c if L takes every text that ends in c
//
// What contains something is dense, and so is what avoids finitely many texts. The intersection of dense languages is
// dense: whatever has been written, what the first asks for can be added, then what the second asks for. That of dense
// languages and one that is live is live. What does not match any a [a-l]{10} is closed by a dash, and is not dense: a
// text may not end in such a window wherever it begins. The intersection of dense languages and of some that are closed
// by the same character is live: after what the dense ones ask for, the character ends a text of all of them.

// unanchoredSteps bounds the parts that one look at a state takes in.
const unanchoredSteps = 600

// openness is one look at a state. Whatever it does not know counts as not so.
type openness struct {
	s     *Store
	enc   Encoding // of texts
	steps int
	bytes int // parts that were looked at for their bytes
}

// isLive reports whether x is live for texts of some encoding, and so matches something. looks is how many parts that
// took.
func (s *Store) isLive(x Expr) (live bool, looks int) {
	for enc := range Encoding(len(s.anyStar)) {
		o := openness{s: s, enc: enc, steps: unanchoredSteps}
		live = o.live(x)
		if looks += unanchoredSteps - o.steps + o.bytes; live {
			break
		}
	}
	return live, looks
}

// Unanchored reports whether no code point can lead from state e to a dead end before tail, one literal byte: e differs
// from the returned "any text, then tail" only in where the tail is possible.
func (s *Store) Unanchored(e Expr) (anyText Expr, tail byte, ok bool) {
	if s.node(e).flags&(fTag|fCount) != 0 {
		return Empty, 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	end, whole := s.lastOf(e, containedDepth)
	if !whole || s.node(end).kind != kBytes || s.sets.At(s.node(end).a).Len() != 1 {
		return Empty, 0, false
	}
	o := openness{s: s, enc: JSONString, steps: unanchoredSteps}
	if !o.live(e) {
		return Empty, 0, false
	}
	return s.concat(s.anyStar[JSONString], end), byte(s.sets.At(s.node(end).a).Next(0)), true
}

// lastOf returns the last part of concatenations, and whether it is the same for all members of unions, and all before
// it is made of whole code points of JSON strings.
func (s *Store) lastOf(x Expr, depth int) (last Expr, whole bool) {
	n := s.node(x)
	for ; n.kind == kConcat; n = s.node(x) {
		if s.node(Expr(n.a)).subset>>JSONString&1 == 0 {
			return Empty, false
		}
		x = Expr(n.b)
	}
	if n.kind != kOr {
		return x, true
	}
	if depth == 0 {
		return Empty, false
	}
	for i, y := range s.list(n) {
		end, ok := s.lastOf(y, depth-1)
		if !ok || i > 0 && end != last {
			return Empty, false
		}
		last = end
	}
	return last, true
}

// singleRunes reports whether every string of x is one code point of enc.
func (s *Store) singleRunes(x Expr, enc Encoding) bool {
	n := s.node(x)
	if x == s.anyRune[enc] || n.kind == kBytes {
		return n.subset>>enc&1 != 0
	}
	if n.subset>>enc&1 == 0 || n.kind != kOr || n.flags&(fBoolean|fCount) != 0 {
		return false
	}
	if s.severalRunes(x, enc, severalParts) {
		return false
	}
	sp := s.spectrum(x, phBetween, enc)
	return !sp.partial && sp.Min == 1 && sp.Max == 1
}

// severalParts bounds how deep severalRunes looks.
const severalParts = 8

// severalRunes reports whether some string of x, which is plain and made of whole code points of enc, has two of them
// or more, as far as a look tells. Of a trie of keys that is plain at once, and its lengths take a walk through it all.
func (s *Store) severalRunes(x Expr, enc Encoding, depth int) bool {
	n := s.node(x)
	if depth == 0 || n.subset>>enc&1 == 0 || n.flags&(fBoolean|fCount) != 0 {
		return false
	}
	switch n.kind {
	case kText:
		return utf8.RuneCountInString(s.texts.At(n.a).string[n.b:]) > 1
	case kConcat:
		a, b := Expr(n.a), Expr(n.b)
		if s.node(a).subset&s.node(b).subset>>enc&1 == 0 {
			return false // an escape: its parts are no code points
		}
		return s.someRune(a, enc, depth-1) && s.someRune(b, enc, depth-1) ||
			s.severalRunes(a, enc, depth-1) || s.severalRunes(b, enc, depth-1)
	case kOr:
		return slices.ContainsFunc(s.list(n), func(y Expr) bool { return s.severalRunes(y, enc, depth-1) })
	}
	return false
}

// someRune reports whether x, which is part of a plain expression, is made of whole code points and not all of its
// strings are empty, as far as a look tells.
func (s *Store) someRune(x Expr, enc Encoding, depth int) bool {
	n := s.node(x)
	if depth == 0 || n.subset>>enc&1 == 0 {
		return false
	}
	switch n.kind {
	case kText, kBytes:
		return true
	case kConcat:
		return true
	case kOr:
		return slices.ContainsFunc(s.list(n), func(y Expr) bool { return s.someRune(y, enc, depth-1) })
	}
	return false
}

// look counts a part, and returns its node unless there were too many.
func (o *openness) look(x Expr) *node {
	if o.steps--; o.steps < 0 {
		return o.s.node(Empty)
	}
	return o.s.node(x)
}

// text reports whether every string of x is a text: made of whole code points.
func (o *openness) text(x Expr) bool { return o.s.node(x).subset>>o.enc&1 != 0 }

// some reports whether x matches something.
func (o *openness) some(x Expr) bool {
	n := o.s.node(x)
	return n.flags&fBoolean == 0 || n.subset&extentInfinite != 0 || o.live(x)
}

// live reports whether x is live.
func (o *openness) live(x Expr) bool {
	s, n := o.s, o.look(x)
	switch n.kind {
	case kConcat:
		return o.live(Expr(n.a)) && o.some(Expr(n.b)) || s.nullable(Expr(n.a)) && o.live(Expr(n.b))
	case kOr:
		return slices.ContainsFunc(s.list(n), o.live)
	case kAnd:
		return o.allLive(s.list(n))
	case kRepeat:
		return n.c > 0 && o.live(Expr(n.a)) && o.some(Expr(n.a))
	}
	if o.dense(x) {
		return true
	}
	ends := o.closers(x)
	return !ends.IsEmpty()
}

// allLive reports whether the intersection of members is live.
func (o *openness) allLive(members []Expr) bool {
	others, ends := 0, stranger
	last := Empty
	for _, y := range members {
		if o.dense(y) {
			continue
		}
		others, last = others+1, y
		if others > 1 && ends.IsEmpty() {
			return false
		}
		own := o.closers(y)
		ends.Intersect(&own)
	}
	return !ends.IsEmpty() || others == 1 && o.text(last) && o.live(last)
}

// closers returns characters, one byte each, that x is closed by.
func (o *openness) closers(x Expr) (set ByteSet) {
	s, n := o.s, o.look(x)
	switch n.kind {
	case kOr:
		for _, y := range s.list(n) {
			own := o.closers(y)
			set.Union(&own)
		}
	case kNot:
		w := lastWalk{s: s, seen: map[Expr]bool{}}
		w.visit(Expr(n.a))
		o.bytes += len(w.seen)
		for i := range set {
			set[i] = stranger[i] &^ w.set[i]
		}
	}
	return set
}

// lastWalk gathers the bytes that strings of an expression can end in, or more.
type lastWalk struct {
	s    *Store
	set  ByteSet
	seen map[Expr]bool
}

func (w *lastWalk) visit(x Expr) {
	if w.seen[x] {
		return
	}
	w.seen[x] = true
	s := w.s
	switch n := s.node(x); n.kind {
	case kBytes:
		w.set.Union(s.sets.At(n.a))
	case kText:
		t := s.texts.At(n.a).string
		w.set.Add(t[len(t)-1])
		if Encoding(n.c) != UTF8 {
			w.escaped()
		}
	case kConcat, kSpelled:
		if w.visit(Expr(n.b)); s.maybe(Expr(n.b)) {
			w.visit(Expr(n.a))
		}
	case kOr, kAnd:
		for _, y := range s.list(n) {
			w.visit(y)
		}
	case kStar, kRepeat, kCount:
		w.visit(Expr(n.a))
	case kNot, kTop, kScan, kMachine:
		w.set.AddRange(0, 255)
	}
}

// escaped adds what escapes end in.
func (w *lastWalk) escaped() {
	for b := range 256 {
		if !stranger.Has(byte(b)) {
			w.set.Add(byte(b))
		}
	}
}

// dense reports whether x is dense.
func (o *openness) dense(x Expr) bool {
	s, n := o.s, o.look(x)
	switch n.kind {
	case kTop:
		return true
	case kStar:
		return x == s.anyStar[o.enc]
	case kConcat:
		if s.nullable(Expr(n.a)) && o.dense(Expr(n.b)) {
			return true
		}
		return o.text(Expr(n.a)) && o.text(Expr(n.b)) && o.live(Expr(n.a)) && o.ideal(Expr(n.b))
	case kOr:
		return slices.ContainsFunc(s.list(n), o.dense)
	case kAnd:
		return !slices.ContainsFunc(s.list(n), func(y Expr) bool { return !o.dense(y) })
	case kNot:
		return o.avoidable(Expr(n.a))
	}
	return false
}

// ideal reports whether x takes all of U after some string.
func (o *openness) ideal(x Expr) bool {
	s, n := o.s, o.look(x)
	switch n.kind {
	case kConcat:
		return o.some(Expr(n.a)) && o.ideal(Expr(n.b))
	case kOr:
		return slices.ContainsFunc(s.list(n), o.ideal)
	}
	return o.dense(x)
}

// avoidable reports whether every text begins one after which x takes no text at all: whether ¬x is dense.
func (o *openness) avoidable(x Expr) bool {
	s, n := o.s, o.look(x)
	if o.steps > 0 && n.subset&extentFinite != 0 {
		return true
	}
	switch n.kind {
	case kOr:
		return !slices.ContainsFunc(s.list(n), func(y Expr) bool { return !o.avoidable(y) })
	case kAnd:
		return slices.ContainsFunc(s.list(n), o.avoidable)
	case kNot:
		return o.dense(Expr(n.a))
	case kStar, kRepeat, kConcat:
		return o.lacksByte(x) || s.lacksRune(x, o.enc)
	}
	return false
}

// strangers are bytes that stand for themselves in a JSON string and in no escape.
const strangers = "~!#$%&'()*+,-.:;<=>?@[]^_`{|}GHIJKLMNOPQRSTVWXYZghijklmopqsvwxyz"

// stranger are the bytes of strangers.
var stranger = func() (set ByteSet) {
	for _, b := range []byte(strangers) {
		set.Add(b)
	}
	return set
}()

// lacksByte reports whether some character is in no string of x, however it may be written there.
func (o *openness) lacksByte(x Expr) bool {
	var bytes ByteSet
	seen := map[Expr]bool{}
	o.s.allBytes(x, &bytes, seen)
	o.bytes += len(seen)
	for _, b := range []byte(strangers) {
		if !bytes.Has(b) {
			return true
		}
	}
	return false
}

// strangeRunes are spellings of code points that classes often leave out, by encoding.
var strangeRunes = [2][]string{UTF8: {"\n", "\r", "~", "a", " "}, JSONString: {`\n`, `\r`, "~", "a", " "}}

// lacksRune reports whether x is a sequence of code points of one class that has not all spellings of all of them.
func (s *Store) lacksRune(x Expr, enc Encoding) bool {
	body := Empty
	for last := false; !last; {
		part, n := x, s.node(x)
		if last = n.kind != kConcat; !last {
			part, x = Expr(n.a), Expr(n.b)
		}
		if n := s.node(part); n.kind == kStar || n.kind == kRepeat {
			part = Expr(n.a)
		}
		if body != Empty && part != body {
			return false
		}
		body = part
	}
	if !s.singleRunes(body, enc) {
		return false
	}
	for _, spelled := range strangeRunes[enc] {
		if !s.matchesText(body, []byte(spelled)) {
			return true
		}
	}
	return false
}
