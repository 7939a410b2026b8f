package distinct

import "slices"

// Trial tells what texts would do to a state, one after the other, and leaves nothing behind. One goroutine at a time.
type Trial struct {
	start record
	seen  map[string]bool
	begun []byte   // the present item at the start
	now   []byte   // the present item
	more  []string // canonical forms of items that the text ended
}

// Try returns a Trial of state s.
func (v *Values) Try(s State) *Trial {
	r := v.states[s]
	t := &Trial{start: r, begun: v.bytes(r.item), seen: map[string]bool{}}
	for c := r.seen; c != 0; c = v.cells[c].before {
		t.seen[v.named[v.cells[c].last]] = true
	}
	return t
}

// Place says what the state is in the middle of, as far as it decides which texts can matter.
type Place uint8

// The places.
const (
	Anywhere Place = iota // any byte may matter
	InString              // nothing matters before a quote
	InNested              // nothing matters before a closing bracket or brace
	Nowhere               // nothing matters
)

// Place returns where the trial starts.
func (t *Trial) Place() Place {
	switch t.start.where {
	case free, done:
		return Nowhere
	case nested:
		return InNested
	case quoted, escaping:
		if t.start.depth > 0 {
			return InNested
		}
		return InString
	}
	return Anywhere
}

// Text reports whether the state allows text; mustGoOn is that of Values for the state after it.
func (t *Trial) Text(text []byte) (ok, mustGoOn bool) {
	r := t.start
	t.now, t.more = append(t.now[:0], t.begun...), t.more[:0]
	for _, b := range text {
		if r.where == free || r.where == done {
			return true, false
		}
		if !step(t, &r, b) {
			return false, false
		}
	}
	return true, r.known
}

func (t *Trial) grow(_ *record, b byte) { t.now = append(t.now, b) }

func (t *Trial) text(*record) []byte { return t.now }

func (t *Trial) known(_ *record, key string) bool { return t.seen[key] || slices.Contains(t.more, key) }

func (t *Trial) add(_ *record, key string) {
	t.more = append(t.more, key)
	t.now = t.now[:0]
}
