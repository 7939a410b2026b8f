package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// tens is the machine of a digit and then a zero as often as its name says.
type tens struct{ zeros int }

func (m tens) Start() string             { return "" }
func (m tens) Accepts(state string) bool { return len(state) == m.zeros+1 }
func (m tens) Bytes() ByteSet            { return BytesOf("0123456789") }
func (m tens) Step(s string, b byte) (string, bool) {
	return s + "0", len(s) <= m.zeros && (b == '0' || len(s) == 0 && b > '0' && b <= '9')
}

// kindExamples returns expressions of every kind, two that differ of each that has more than one.
func kindExamples(s *Store) map[Kind][]Expr {
	a, b, ab := s.Bytes(BytesOf("a")), s.Bytes(BytesOf("b")), s.Literal("ab")
	counted := func(most uint32, enc Encoding) Expr {
		return s.Intern(KCount, uint32(s.Star(s.AnyRune[UTF8])), s.InternBounds(Bounds{1, most, enc}), 0, nil)
	}
	scan := func(text string) Expr {
		return s.Intern(KScan, s.InternScan(NewScanner([]ScanPattern{{Text: text}}, nil)), 0, U8Between, nil)
	}
	machine := func(name string, zeros int) Expr {
		return s.MachineState(s.InternMachine(NamedMachine{tens{zeros}, NewText(name)}), "")
	}
	spelled := func(lead string) Expr {
		return s.Intern(KSpelled, uint32(s.Bytes(BytesOf(lead))), uint32(s.Bytes(BytesOf("\x80\x81"))), 0, nil)
	}
	return map[Kind][]Expr{
		KEmpty: {Empty}, KEps: {Epsilon}, KTooHard: {TooHard}, KTop: {s.top()},
		KBytes: {a, b}, KText: {
			ab, s.ConcatText("ac", UTF8, Epsilon), s.ConcatText("é", JSONString, Epsilon),
			s.ConcatText("éa", JSONString|ASCII, Epsilon),
		},
		KConcat: {s.Concat(s.Star(a), b), s.Concat(s.Star(b), a)},
		KOr:     {s.Or(ab, s.Star(b)), s.Or(ab, s.Star(a))},
		KAnd:    {s.And(s.Star(ab), s.Not(ab)), s.And(s.Star(a), s.Not(ab))},
		KNot:    {s.Not(ab), s.Not(a)}, KStar: {s.Star(ab), s.Star(a)},
		KRepeat: {s.Repeat(ab, 2, 3), s.Repeat(ab, 2, 4), s.Repeat(ab, 1, 3)},
		KTag:    {s.Intern(KTag, 1, 0, 0, nil), s.Intern(KTag, 2, 0, 0, nil)},
		KCount:  {counted(3, UTF8), counted(4, UTF8), counted(4, ASCII)}, KScan: {scan("ab"), scan("ac")},
		KMachine: {machine("one", 1), machine("two", 2)}, KSpelled: {spelled("\xc3"), spelled("\xc4")},
	}
}

// Every function that looks at kinds must handle a new kind, and the compiler does not report those that do not. So
// there is an example of every kind here, and for all states that examples reach:
//   - bytes with equal signatures lead to the same state, or rows are wrong;
//   - First and AllBytes contain every byte that leads somewhere;
//   - no two states have the same digest or content hash, or grammars share wrong data.
func TestEveryKindIsKnownEverywhere(t *testing.T) {
	s := newStore()
	examples := kindExamples(s)
	digests, orders := map[Digest]Expr{}, map[uint64]Expr{}
	for k := range Kinds {
		require.NotEmpty(t, examples[k], "kind %d has no example", k)
		for _, e := range examples[k] {
			require.Equal(t, k, s.Node(e).Kind)
			states := []Expr{e}
			for i := 0; i < len(states) && i < 30; i++ {
				x := states[i]
				states = append(states, bytesLeadTo(t, s, x)...)
				d, ok := s.Digest(x, DigestDepth)
				require.True(t, ok)
				if y, known := digests[d]; known {
					require.Equal(t, y, x, "two contents with one digest")
				}
				if y, known := orders[s.Node(x).order]; known && x > TooHard { // those before are fixed
					require.Equal(t, y, x, "two contents with one hash")
				}
				digests[d], orders[s.Node(x).order] = x, x
			}
		}
	}
}

// bytesLeadTo returns the states after bytes of x, and checks First, AllBytes and Sign.
func bytesLeadTo(t *testing.T, s *Store, x Expr) (to []Expr) {
	t.Helper()
	var sig [256]uint64
	s.Sign(x, &sig)
	first, all := s.First(x), ByteSet{}
	s.AllBytes(x, &all, map[Expr]bool{})
	signed := map[uint64]Expr{}
	for b := range 256 {
		y := s.Derive(x, byte(b))
		if z, known := signed[sig[b]]; known {
			require.Equal(t, z, y, "byte %#x is signed as another one that leads elsewhere", b)
		}
		signed[sig[b]] = y
		if y != Empty {
			require.True(t, first.Has(byte(b)), "First lacks byte %#x", b)
			require.True(t, all.Has(byte(b)), "AllBytes lacks byte %#x", b)
			to = append(to, y)
		}
	}
	return to
}
