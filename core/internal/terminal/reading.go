package terminal

// Reading is a language given by states of type S. A state determines the future of the text read. Immutable, safe for
// concurrent use.
type Reading[S any] interface {
	// First returns the state before the first byte.
	First() S
	// Copy copies a state, without sharing memory.
	Copy(to, from *S)
	// Next replaces s by the state after byte b. It reports false if no text of the language continues so.
	Next(s *S, b byte) bool
	// Ends reports whether a text of the language ends in the state.
	Ends(s *S) bool
	// Room returns a set of bytes and a length: Next succeeds along every text of such bytes up to that length.
	Room(s *S) (bytes ByteSet, n int)
	// Bytes returns the bytes that occur in texts of the language.
	Bytes() ByteSet
	// Name returns a name of the state, and Named its inverse.
	Name(s *S) string
	Named(name string) S
}

// NewMachine returns a language's Machine.
func NewMachine[S any](r Reading[S]) Machine { return machine[S]{r} }

// NewSprawling returns the Machine of a language with about one state for each text.
func NewSprawling[S any](r Reading[S]) Sprawling { return sprawling[S]{machine[S]{r}} }

type machine[S any] struct{ Reading[S] }

func (m machine[S]) Start() string {
	s := m.First()
	return m.Name(&s)
}

func (m machine[S]) Accepts(state string) bool {
	s := m.Named(state)
	return m.Ends(&s)
}

func (m machine[S]) Step(state string, b byte) (next string, ok bool) {
	s := m.Named(state)
	if !m.Next(&s, b) {
		return "", false
	}
	return m.Name(&s), true
}

type sprawling[S any] struct{ machine[S] }

// Alive implements Sprawling. It does not try the bytes of Room.
func (m sprawling[S]) Alive(state string) ByteSet {
	r := reader[S]{m.Reading, []S{m.Named(state)}}
	alive, n := m.Room(&r.at[0])
	if n == 0 {
		alive = ByteSet{}
	}
	all := m.Bytes()
	for b := all.Next(0); b < 256; b = all.Next(b + 1) {
		if !alive.Has(byte(b)) && r.Step(0, byte(b)) {
			alive.Add(byte(b))
		}
	}
	return alive
}

func (m sprawling[S]) Read(state string) Reader { return &reader[S]{m.Reading, []S{m.Named(state)}} }

// reader implements Reader. It holds one state for each depth.
type reader[S any] struct {
	Reading[S]
	at []S
}

func (r *reader[S]) Step(depth int, b byte) bool {
	if len(r.at) == depth+1 {
		r.at = append(r.at, r.First())
	}
	s := &r.at[depth+1]
	r.Copy(s, &r.at[depth])
	return r.Next(s, b)
}

func (r *reader[S]) Accepts(depth int) bool { return r.Ends(&r.at[depth]) }

func (r *reader[S]) Room(depth int) (bytes ByteSet, n int) { return r.Reading.Room(&r.at[depth]) }
