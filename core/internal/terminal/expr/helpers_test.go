package expr

func newStore() *Store {
	s := &Store{}
	s.Init()
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
