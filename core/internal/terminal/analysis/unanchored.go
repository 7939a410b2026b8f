package analysis

import (
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
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
	s     *Analysis
	enc   expr.Encoding // of texts
	steps int
	bytes int // parts that were looked at for their bytes
}

// isLive reports whether x is live for texts of some encoding, and so matches something. looks is how many parts that
// took.
func (s *Analysis) isLive(x expr.Expr) (live bool, looks int) {
	for _, enc := range s.EncodingsOf(x) {
		is, took := s.IsLiveIn(x, enc)
		if looks += took; is {
			return true, looks
		}
	}
	return false, looks
}

// EncodingsOf returns the encodings of which x may let any text through: what is in ASCII takes no other texts.
func (s *Analysis) EncodingsOf(x expr.Expr) [2]expr.Encoding {
	if s.Node(x).Subset>>expr.ASCII&1 != 0 {
		return [2]expr.Encoding{expr.UTF8 | expr.ASCII, expr.JSONString | expr.ASCII}
	}
	return [2]expr.Encoding{expr.UTF8, expr.JSONString}
}

// IsLiveIn is isLive for texts of one encoding.
func (s *Analysis) IsLiveIn(x expr.Expr, enc expr.Encoding) (live bool, looks int) {
	o := openness{s: s, enc: enc, steps: unanchoredSteps}
	live = o.live(x)
	return live, unanchoredSteps - o.steps + o.bytes
}

// SingleRunes reports whether every string of x is one code point of enc.
func (s *Analysis) SingleRunes(x expr.Expr, enc expr.Encoding) bool {
	n := s.Node(x)
	if s.isAnyRune(x, enc) || n.Kind == expr.KBytes {
		return n.Subset>>enc&1 != 0
	}
	if n.Subset>>enc&1 == 0 || n.Kind != expr.KOr || n.Flags&(expr.FBoolean|expr.FCount) != 0 {
		return false
	}
	if s.SeveralRunes(x, enc) {
		return false
	}
	return s.endsAfterOne(x, enc)
}

// singleStates bounds the states that endsAfterOne visits. The sets of code points that patterns have take some dozens.
const singleStates = 1000

// endsAfterOne reports whether every string of x, which is made of whole code points, has one of them. It looks no
// further than to where a second one begins.
func (s *Analysis) endsAfterOne(x expr.Expr, enc expr.Encoding) bool {
	type within struct {
		spectrumKey
		begun bool
	}
	if s.Nullable(x) {
		return false
	}
	first := within{spectrumKey{x, PhaseBetween}, false}
	seen := map[within]bool{first: true}
	for left := []within{first}; len(left) > 0; {
		k := left[len(left)-1]
		left = left[:len(left)-1]
		f := s.fanOf(k.p)
		for b := f.alive.Next(0); b < 256; b = f.alive.Next(b + 1) {
			t := f.to(byte(b))
			if t == expr.Empty {
				continue
			}
			phase, begins := Advance(enc, k.phase, byte(b))
			if t == expr.TooHard || begins && k.begun || len(seen) > singleStates {
				return false
			}
			if next := (within{spectrumKey{t, phase}, k.begun || begins}); !seen[next] {
				seen[next] = true
				left = append(left, next)
			}
		}
	}
	return true
}

// isAnyRune reports whether x is any code point of enc, or any that is spelled in ASCII.
func (s *Analysis) isAnyRune(x expr.Expr, enc expr.Encoding) bool {
	return x == s.AnyRune[enc] || x == s.AnyRune[enc|expr.ASCII]
}

// severalLooks is how many parts SeveralRunes looks at.
const severalLooks = 200

// SeveralRunes reports whether some string of x, which is plain and made of whole code points of enc, has two of them
// or more, as far as a look tells. Of a trie of keys that is plain at once, and its lengths take a walk through it all.
func (s *Analysis) SeveralRunes(x expr.Expr, enc expr.Encoding) bool {
	looks := severalLooks
	return s.severalRunes(x, enc, &looks)
}

func (s *Analysis) severalRunes(x expr.Expr, enc expr.Encoding, looks *int) bool {
	n := s.Node(x)
	if *looks--; *looks < 0 || n.Subset>>enc&1 == 0 || n.Flags&(expr.FBoolean|expr.FCount) != 0 {
		return false
	}
	switch n.Kind {
	case expr.KText:
		return utf8.RuneCountInString(s.Texts.At(n.A).Str[n.B:]) > 1
	case expr.KConcat:
		a, b := n.Head(), n.Tail()
		if s.Node(a).Subset&s.Node(b).Subset>>enc&1 == 0 {
			return false // an escape: its parts are no code points
		}
		return s.someRune(a, enc, looks) && s.someRune(b, enc, looks) ||
			s.severalRunes(a, enc, looks) || s.severalRunes(b, enc, looks)
	case expr.KOr:
		return slices.ContainsFunc(s.List(n), func(y expr.Expr) bool { return s.severalRunes(y, enc, looks) })
	case expr.KStar:
		return s.someRune(n.Body(), enc, looks)
	}
	return false
}

// someRune reports whether x, which is part of a plain expression, is made of whole code points and not all of its
// strings are empty, as far as a look tells.
func (s *Analysis) someRune(x expr.Expr, enc expr.Encoding, looks *int) bool {
	n := s.Node(x)
	if *looks--; *looks < 0 || n.Subset>>enc&1 == 0 {
		return false
	}
	switch n.Kind {
	case expr.KText, expr.KBytes:
		return true
	case expr.KConcat:
		return true
	case expr.KOr:
		return slices.ContainsFunc(s.List(n), func(y expr.Expr) bool { return s.someRune(y, enc, looks) })
	case expr.KStar:
		return s.someRune(n.Body(), enc, looks)
	}
	return false
}

// look counts a part, and returns its node unless there were too many.
func (o *openness) look(x expr.Expr) *expr.Node {
	if o.steps--; o.steps < 0 {
		return o.s.Node(expr.Empty)
	}
	return o.s.Node(x)
}

// text reports whether every string of x is a text: made of whole code points.
func (o *openness) text(x expr.Expr) bool { return o.s.Node(x).Subset>>o.enc&1 != 0 }

// some reports whether x matches something.
func (o *openness) some(x expr.Expr) bool {
	n := o.s.Node(x)
	return n.Flags&expr.FBoolean == 0 || n.Subset&expr.ExtentInfinite != 0 || o.live(x)
}

// live reports whether x is live.
func (o *openness) live(x expr.Expr) bool {
	s, n := o.s, o.look(x)
	switch n.Kind {
	case expr.KConcat:
		return o.live(n.Head()) && o.some(n.Tail()) || s.Nullable(n.Head()) && o.live(n.Tail())
	case expr.KOr:
		return slices.ContainsFunc(s.List(n), o.live)
	case expr.KAnd:
		return o.allLive(s.List(n))
	case expr.KRepeat:
		return n.C > 0 && o.live(n.Body()) && o.some(n.Body())
	}
	if o.dense(x) {
		return true
	}
	ends := o.closers(x)
	return !ends.IsEmpty()
}

// allLive reports whether the intersection of members is live.
func (o *openness) allLive(members []expr.Expr) bool {
	others, ends := 0, stranger
	last := expr.Empty
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
func (o *openness) closers(x expr.Expr) (set expr.ByteSet) {
	s, n := o.s, o.look(x)
	switch n.Kind {
	case expr.KOr:
		for _, y := range s.List(n) {
			own := o.closers(y)
			set.Union(&own)
		}
	case expr.KNot:
		e := s.endingOf(n.Body())
		o.bytes += e.parts
		for i := range set {
			set[i] = stranger[i] &^ e.set[i]
		}
	}
	return set
}

// ending is what strings of an expression can end in, or more, and how many parts show it. It is kept: a side of one
// intersection is one of many others, too.
type ending struct {
	set   expr.ByteSet
	parts int
}

func (s *Analysis) endingOf(x expr.Expr) ending {
	e, ok := s.endings[x]
	if !ok {
		w := lastWalk{s: s, seen: map[expr.Expr]bool{}}
		w.visit(x)
		e = ending{w.set, len(w.seen)}
		remember(s, &s.endings, x, e)
	}
	return e
}

// lastWalk gathers the bytes that strings of an expression can end in, or more.
type lastWalk struct {
	s    *Analysis
	set  expr.ByteSet
	seen map[expr.Expr]bool
}

func (w *lastWalk) visit(x expr.Expr) {
	if w.seen[x] {
		return
	}
	w.seen[x] = true
	s := w.s
	switch n := s.Node(x); n.Kind {
	case expr.KBytes:
		w.set.Union(s.Sets.At(n.A))
	case expr.KText:
		t := s.Texts.At(n.A).Str
		w.set.Add(t[len(t)-1])
		if n.Enc().HasEscapes() {
			w.escaped()
		}
	case expr.KConcat, expr.KSpelled:
		if w.visit(n.Tail()); s.Maybe(n.Tail()) {
			w.visit(n.Head())
		}
	case expr.KOr, expr.KAnd:
		for _, y := range s.List(n) {
			w.visit(y)
		}
	case expr.KStar, expr.KRepeat, expr.KCount:
		w.visit(n.Body())
	case expr.KEmpty, expr.KEps, expr.KTag:
	default:
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
func (o *openness) dense(x expr.Expr) bool {
	s, n := o.s, o.look(x)
	switch n.Kind {
	case expr.KTop:
		return true
	case expr.KStar:
		return x == s.AnyText[o.enc]
	case expr.KConcat:
		if s.Nullable(n.Head()) && o.dense(n.Tail()) {
			return true
		}
		return o.text(n.Head()) && o.text(n.Tail()) && o.live(n.Head()) && o.ideal(n.Tail())
	case expr.KOr:
		return slices.ContainsFunc(s.List(n), o.dense)
	case expr.KAnd:
		return !slices.ContainsFunc(s.List(n), func(y expr.Expr) bool { return !o.dense(y) })
	case expr.KNot:
		return o.avoidable(n.Body())
	}
	return false
}

// ideal reports whether x takes all of U after some string.
func (o *openness) ideal(x expr.Expr) bool {
	s, n := o.s, o.look(x)
	switch n.Kind {
	case expr.KConcat:
		return o.some(n.Head()) && o.ideal(n.Tail())
	case expr.KOr:
		return slices.ContainsFunc(s.List(n), o.ideal)
	}
	return o.dense(x)
}

// avoidable reports whether every text begins one after which x takes no text at all: whether ¬x is dense.
func (o *openness) avoidable(x expr.Expr) bool {
	s, n := o.s, o.look(x)
	if o.steps > 0 && n.Subset&expr.ExtentFinite != 0 {
		return true
	}
	switch n.Kind {
	case expr.KOr:
		return !slices.ContainsFunc(s.List(n), func(y expr.Expr) bool { return !o.avoidable(y) })
	case expr.KAnd:
		return slices.ContainsFunc(s.List(n), o.avoidable)
	case expr.KNot:
		return o.dense(n.Body())
	case expr.KStar, expr.KRepeat, expr.KConcat:
		return o.lacksByte(x) || s.lacksRune(x, o.enc)
	}
	return false
}

// strangers are bytes that stand for themselves in a JSON string and in no escape.
const strangers = "~!#$%&'()*+,-.:;<=>?@[]^_`{|}GHIJKLMNOPQRSTVWXYZghijklmopqsvwxyz"

// stranger are the bytes of strangers.
var stranger = func() (set expr.ByteSet) {
	for _, b := range []byte(strangers) {
		set.Add(b)
	}
	return set
}()

// lacksByte reports whether some character is in no string of x, however it may be written there.
func (o *openness) lacksByte(x expr.Expr) bool {
	i := o.s.insideOf(x)
	o.bytes += i.parts
	return i.lacks
}

// inside is whether some stranger is in no string of an expression, and how many parts show it. It is kept as endings
// are.
type inside struct {
	lacks bool
	parts int
}

func (s *Analysis) insideOf(x expr.Expr) inside {
	i, ok := s.insides[x]
	if !ok {
		var bytes expr.ByteSet
		seen := map[expr.Expr]bool{}
		s.AllBytes(x, &bytes, seen)
		i.parts = len(seen)
		for k := range stranger {
			i.lacks = i.lacks || stranger[k]&^bytes[k] != 0
		}
		remember(s, &s.insides, x, i)
	}
	return i
}

// strangeRunes are spellings of code points that classes often leave out, by encoding.
var strangeRunes = [expr.Encodings][]string{
	expr.UTF8:                    {"\n", "\r", "~", "a", " "},
	expr.JSONString:              {`\n`, `\r`, "~", "a", " "},
	expr.ASCII:                   {"\n", "\r", "~", "a", " "},
	expr.JSONString | expr.ASCII: {`\n`, `\r`, "~", "a", " "},
}

// lacksRune reports whether x is a sequence of code points of one class that has not all spellings of all of them.
func (s *Analysis) lacksRune(x expr.Expr, enc expr.Encoding) bool {
	body := expr.Empty
	for last := false; !last; {
		part, n := x, s.Node(x)
		if last = n.Kind != expr.KConcat; !last {
			part, x = n.Head(), n.Tail()
		}
		if n := s.Node(part); n.Kind == expr.KStar || n.Kind == expr.KRepeat {
			part = n.Body()
		}
		if body != expr.Empty && part != body {
			return false
		}
		body = part
	}
	if !s.SingleRunes(body, enc) {
		return false
	}
	for _, spelled := range strangeRunes[enc] {
		if !s.matchesText(body, []byte(spelled)) {
			return true
		}
	}
	return false
}
