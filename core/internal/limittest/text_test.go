package limittest

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// longTexts are constraints with texts of which each byte is within the budget of a transition and expensive: a whole
// text took up to a second.
var longTexts = []struct{ spec, text string }{
	{`root ::= root root "a" root{2} | ([a-c ])`, strings.Repeat("abc ab ccab a", 40)},
	{`root ::= "a" root{7} [ ] | ("a")+`, strings.Repeat("a", 300) + strings.Repeat(" ", 40)},
	{`root ::= root root{2} "b" | "a" root{3} | [ab]`, strings.Repeat("aab", 400)},
	{`root ::= [ab] ((root*) [ab] | root){26} root{5} | ("b" | root)`, strings.Repeat("abbab", 40)},
	{"root ::= x [x] | \"a\" | Regex(\"[ ]\") root{4}\nx ::= root", strings.Repeat(" ", 14_000)},
	{`root ::= Regex("[ab]*a[ab]{900}")`, strings.Repeat("aabbabaaabab", 80)},
	{`root ::= Regex("(a{1,9}|[ab]{3,40}|b[ab]{2,7}){9,30}c")`, strings.Repeat("aabba", 40)},
}

// textBudgets are the default and a lower one.
func textBudgets() map[string]*limits.Budgets {
	full, low := limits.DefaultBudgets(), limits.DefaultBudgets()
	low.Transition, low.Text = 20_000, 20_000*limits.ClosureCost
	return map[string]*limits.Budgets{"default": &full, "low": &low}
}

// A text is refused by the cost of its transitions without caches: at the same byte in every history and in every
// generation of states. An impatient caller gets Unfinished or the same answer. The matcher does not move, and the text
// up to that byte is accepted.
func TestLongTextsAreBounded(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	refused := map[string]int{}
	for budget, b := range textBudgets() {
		transition := b.Transition
		for _, c := range longTexts {
			text := []byte(c.text)
			config := compiler.Config{Budgets: b}
			g := compileText(t, compiler.New(v, config), c.spec)
			_, err := newMatcher(g).AcceptBytes(text)
			work := g.Stats().Found // a refused call does not renew states, which would begin this anew
			want := acceptText(g, text)
			if err != nil {
				require.LessOrEqual(t, work, int64(2*transition+256*len(text)), c.spec)
				if !strings.Contains(c.spec, "Regex") { // whose work is in the terminals
					require.Greater(t, work, int64(transition/2), c.spec)
				}
			}
			require.Equal(t, want, acceptText(g, text), "again")
			require.Equal(t, want, untilDone(g, text), "by a caller who does not wait")

			other := compileText(t, compiler.New(v, config), c.spec)
			fills(other, nil)
			inPieces(other, text)
			require.Equal(t, want, acceptText(other, text), "after others took the transitions")

			require.Equal(t, want, atOnce(compileText(t, compiler.New(v, config), c.spec), text), "by four goroutines")

			config.StateCap, config.StoreBytes = 2, 1<<12
			renewed := compileText(t, compiler.New(v, config), c.spec)
			for range 3 {
				inPieces(renewed, text[:40])
				require.Equal(t, want, acceptText(renewed, text), "with states renewed all the time")
			}
			require.Positive(t, renewed.Stats().Renewals)
			if strings.Contains(want, "in several pieces") {
				refused[budget]++
			}
		}
	}
	require.GreaterOrEqual(t, refused["default"], 6)
	require.GreaterOrEqual(t, refused["low"], 6)
}

func compileText(t *testing.T, c *compiler.Compiler, spec string) *compiled.Grammar {
	g, verdict := compile(c, testkit.Constraint{Kind: source.EBNF, Text: spec})
	require.NotNil(t, g, verdict)
	return g
}

// acceptText returns the answer of a fresh matcher to a text. A matcher that refuses it does not move, and accepts the
// text before the byte of the refusal.
func acceptText(g *compiled.Grammar, text []byte) string {
	m := newMatcher(g)
	ok, err := m.AcceptBytes(text)
	if e, isLimit := err.(*diag.Error); isLimit && e.Code == diag.Limit && e.Place.Line > 0 {
		if before, err := m.AcceptBytes(text[:e.Place.Offset]); m.Len() != 1 || !before {
			return fmt.Sprintf("%v at %d, but before that byte %v, %d steps", e, e.Place.Offset, err, m.Len())
		}
		return errorText(err)
	}
	return fmt.Sprintf("%t %s %d", ok, errorText(err), m.Len())
}

// untilDone is acceptText for an impatient caller that repeats the call.
func untilDone(g *compiled.Grammar, text []byte) string {
	m := newMatcher(g)
	for calls := 1; ; calls++ {
		left := calls
		ok, err := matcher.Until{Matcher: m, Stop: func() bool { left--; return left < 0 }}.AcceptBytes(text)
		switch e, _ := err.(*diag.Error); {
		case e == nil:
			return fmt.Sprintf("%t %s %d", ok, errorText(err), m.Len())
		case e.Code != diag.Unfinished:
			return errorText(err)
		case m.Len() > 0:
			return "a call that is not finished has moved"
		}
	}
}

// inPieces accepts text byte by byte, as far as it goes.
func inPieces(g *compiled.Grammar, text []byte) {
	m := newMatcher(g)
	for i := range text {
		if ok, _ := m.AcceptBytes(text[i : i+1]); !ok {
			return
		}
	}
}

// atOnce is acceptText on four goroutines that begin together; it returns a difference between them.
func atOnce(g *compiled.Grammar, text []byte) string {
	var answers [4]string
	var wg sync.WaitGroup
	for i := range answers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			answers[i] = acceptText(g, text)
		}()
	}
	wg.Wait()
	for _, a := range answers[1:] {
		if a != answers[0] {
			return strings.Join(answers[:], " | ")
		}
	}
	return answers[0]
}

// The tokens of one call are bounded like a text: the call ends before the token that would exceed the budget, which is
// accepted in a call of its own, in every history.
func TestTokensOfOneCallAreBounded(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	byText := map[string]int32{}
	for id := range uint32(v.Size()) {
		byText[string(v.Bytes(id))] = int32(id)
	}
	refused := 0
	for budget, b := range textBudgets() {
		for _, c := range longTexts {
			ids := make([]int32, len(c.text))
			for i := range ids {
				ids[i] = byText[c.text[i:i+1]]
			}
			grammar := func() *compiled.Grammar {
				return compileText(t, compiler.New(v, compiler.Config{Budgets: b}), c.spec)
			}
			fresh := func() *matcher.Matcher { return newMatcher(grammar()) }
			g := grammar()
			m := newMatcher(g)
			n, err := m.Accept(ids)
			require.Equal(t, n, m.Len())
			alone := newMatcher(g) // so each token is known from a call of its own
			for ok := 1; ok == 1 && alone.Len() < len(ids); {
				ok, _ = alone.Accept(ids[alone.Len():][:1])
			}
			require.Greater(t, alone.Len(), n/2)
			for range 3 {
				again, err2 := newMatcher(g).Accept(ids)
				require.Equal(t, n, again, "%s: known", c.spec)
				require.Equal(t, errorText(err), errorText(err2))
			}
			validated, err2 := fresh().Validate(ids)
			require.Equal(t, n, validated, "%s: validated", c.spec)
			require.Equal(t, errorText(err), errorText(err2))
			if n == len(ids) || err == nil {
				continue
			}
			require.ErrorContains(t, err, "in a call of its own", "%s %s", budget, c.spec)
			_, inOne := fresh().AcceptBytes([]byte(c.text))
			require.Equal(t, n, inOne.(*diag.Error).Place.Offset, c.spec)
			more, err := m.Accept(ids[n : n+1])
			require.NoError(t, err)
			require.Equal(t, 1, more)
			refused++
		}
	}
	require.GreaterOrEqual(t, refused, 6)
}

// The text of a token that a mask allows is also accepted as text: the mask was charged for the same transitions.
func TestTextsOfAllowedTokens(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(true)
	require.NoError(t, err)
	asked := 0
	for _, c := range longTexts {
		g := compileText(t, compiler.New(v, compiler.Config{}), c.spec)
		m, row := newMatcher(g), make([]uint32, v.Words())
		for i := range 12 {
			if _, err := m.Fill(row); err == nil {
				for id := range uint32(v.Size()) {
					if row[id>>5]>>(id&31)&1 == 0 || v.IsEnd(id) {
						continue
					}
					ok, err := m.AcceptBytes(v.Bytes(id))
					require.True(t, ok, "%s: token %q after %d bytes: %v", c.spec, v.Bytes(id), i, err)
					require.NoError(t, m.Rollback(1))
					asked++
				}
			}
			if ok, _ := m.AcceptBytes([]byte{c.text[i%len(c.text)]}); !ok {
				break
			}
		}
	}
	require.Greater(t, asked, 100)
}

// Forced text ends at the budget of a text, so it can be accepted in one call.
func TestForcedTextIsAccepted(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	var spec strings.Builder
	spec.WriteString("root ::= r0")
	for i := 1; i < 300; i++ {
		fmt.Fprintf(&spec, " | r%d", i)
	}
	for i := range 300 {
		fmt.Fprintf(&spec, "\nr%d ::= \"a\" r%d \"b%d\" | \"a\" (\"a\"{400} r%d)", i, i, i, i)
		fmt.Fprintf(&spec, " | \"a\"{500} \"c%d\"", i)
	}
	lengths := map[string]int{}
	for budget, b := range textBudgets() {
		g := compileText(t, compiler.New(v, compiler.Config{Budgets: b}), spec.String())
		forced, err := newMatcher(g).ForcedBytes(nil)
		require.NoError(t, err)
		ok, err := newMatcher(g).AcceptBytes(forced)
		require.True(t, ok, "%v", err)
		again, err := newMatcher(g).ForcedBytes(nil)
		require.NoError(t, err)
		require.Equal(t, forced, again)
		lengths[budget] = len(forced)
		_, err = newMatcher(g).AcceptBytes([]byte(strings.Repeat("a", 450)))
		require.ErrorContains(t, err, "in several pieces")
	}
	require.Positive(t, lengths["low"])
	require.Less(t, lengths["low"], lengths["default"])
}
