package expr

import (
	"math/rand"
)

func newStore() *Store {
	s := &Store{}
	s.Init()
	return s
}

func newOver(below *Store) *Store {
	s := &Store{}
	s.InitOver(below)
	return s
}

// seq returns the strings that are a string of each x in turn.
func (s *Store) seq(xs ...Expr) Expr {
	all := Epsilon
	for i := len(xs) - 1; i >= 0; i-- {
		all = s.Concat(xs[i], all)
	}
	return all
}

// Literal returns exactly these bytes.
func (s *Store) Literal(text string) Expr { return s.ConcatText(text, UTF8, Epsilon) }

func set(chars string) ByteSet { return BytesOf(chars) }

func accepts(s *Store, e Expr, text string) bool {
	for i := range len(text) {
		e = s.Derive(e, text[i])
	}
	return s.Nullable(e)
}

// texts calls f with every text over the alphabet up to a length.
func texts(alphabet string, length int, f func(text string)) {
	f("")
	for i := range alphabet {
		if length > 0 {
			texts(alphabet, length-1, func(text string) { f(alphabet[i:i+1] + text) })
		}
	}
}

// randomRepeats returns a sequence of bounded repetitions of overlapping bodies, the kind of which one may contain
// another.
func randomRepeats(r *rand.Rand, s *Store) Expr {
	bodies := []Expr{s.Literal("a"), s.Literal("b"), s.Or(s.Literal("a"), s.Literal("b")), s.Literal("ab")}
	all := Epsilon
	for range 1 + r.Intn(3) {
		low := uint32(r.Intn(3))
		high := low + uint32(r.Intn(4))
		if r.Intn(4) == 0 {
			high = Unbounded
		}
		all = s.Concat(s.Repeat(bodies[r.Intn(len(bodies))], low, high), all)
		if r.Intn(3) == 0 {
			all = s.Concat(s.Literal("-"), all)
		}
	}
	return all
}
