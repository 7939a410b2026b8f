package enginetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// run takes text through e with the store's transitions. It returns whether e accepts the text, and whether it is alive
// after it.
func run(st *terminal.Store, e terminal.Expr, text string) (accepted, alive bool) {
	var c counters.Counter
	for i := range len(text) {
		if e, c = counters.Step(st, e, c, text[i]); e == terminal.Empty {
			return false, false
		}
	}
	return counters.Accepts(st, e, c), !st.IsEmpty(e)
}

// Every expression of a random sample, on every short text: derivatives accept and stay alive as the oracle says.
func TestExpressionsAgreeWithOracle(t *testing.T) {
	shapes := []testkit.ExprShape{
		{Alphabet: "ab", Depth: 3},
		{Alphabet: "ab", Depth: 3, Boolean: true},
		{Alphabet: "ab", Depth: 3, Counted: true},
		{Alphabet: "ab", Depth: 4, Boolean: true, Counted: true},
	}
	texts := testkit.Strings("ab", 7)
	for _, shape := range shapes {
		t.Run(fmt.Sprintf("%+v", shape), func(t *testing.T) {
			r := testkit.Seeded(t, 3)
			st := terminal.NewStore()
			for range testkit.Rounds(150, 20_000) {
				checkExpr(t, st, testkit.Expr(r, st, shape), texts)
			}
		})
	}
}

// The same in every encoding: inside JSON strings, with several spellings of a code point, and in ASCII. An expression
// that claims to consist of whole code points matches nothing else.
func TestEscapedExpressionsAgreeWithOracle(t *testing.T) {
	r := testkit.Seeded(t, 4)
	pieces := []string{
		`a`, `"`, `\`, `\u0061`, `\u006`, `\n`, `\"`, `\\`, `\ud83d`, `\ude00`, `\ud83d\ude00`, "😀", "é", "\xc3",
		`\u00e9`, `\u00E9`, `\/`, `/`,
	}
	var texts []string
	for range 400 {
		s := ""
		for range r.Intn(5) {
			s += pieces[r.Intn(len(pieces))]
		}
		texts = append(texts, s)
	}
	st := terminal.NewStore()
	encodings := []terminal.Encoding{
		terminal.JSONString, terminal.ASCII, terminal.JSONString | terminal.ASCII, terminal.UTF8,
	}
	var any []*oracle.Terminal
	for _, enc := range encodings {
		any = append(any, oracle.NewTerminal(st, st.Star(st.AnyRune(enc))))
	}
	for _, alphabet := range []string{"a\n\"/", "aé😀\""} {
		for i := range testkit.Rounds(60, 5_000) {
			shape := testkit.ExprShape{Alphabet: alphabet, Depth: 3, Boolean: true, Counted: true, Enc: encodings[i%4]}
			e := testkit.Expr(r, st, shape)
			checkExpr(t, st, e, texts)
			o := oracle.NewTerminal(st, e)
			for k, enc := range encodings {
				if st.View().Node(e).Subset>>enc&1 == 0 {
					continue
				}
				for _, s := range texts {
					if o.Accepts([]byte(s)) {
						require.True(t, any[k].Accepts([]byte(s)), "%q in %s", s, oracle.Describe(st, e))
					}
				}
			}
		}
	}
}

func checkExpr(t *testing.T, st *terminal.Store, e terminal.Expr, texts []string) {
	t.Helper()
	o := oracle.NewTerminal(st, e)
	for _, s := range texts {
		wantAccept, wantLive := o.Accepts([]byte(s)), o.Prefix([]byte(s))
		accepted, alive := run(st, e, s)
		if accepted != wantAccept || alive != wantLive {
			require.Failf(t, "disagreement", "%q: engine accepts %v and is alive %v, oracle %v and %v, in\n%s",
				s, accepted, alive, wantAccept, wantLive, oracle.Describe(st, e))
		}
	}
}
