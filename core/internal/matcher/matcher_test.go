package matcher

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// letters is a vocabulary of a, b and an end token.
func letters(t *testing.T) *vocab.Vocabulary {
	v, err := vocab.New(vocab.Config{
		Tokens: [][]byte{[]byte("a"), []byte("b"), []byte("</s>")}, EndTokens: []uint32{2},
	})
	require.NoError(t, err)
	return v
}

func compile(t *testing.T, c *compiler.Compiler, pattern string) *compiled.Grammar {
	g, err := c.Compile(source.Regex, []byte(pattern), &source.Options{})
	require.NoError(t, err)
	return g
}

// A panic while the history moves to a younger generation of states frees the matcher.
func TestPanicWhileCatchingUp(t *testing.T) {
	g := compile(t, compiler.New(letters(t), compiler.Config{}), "a*")
	m, err := New(g, Options{})
	require.NoError(t, err)
	good := m.masks
	m.masks = nil // any panic on the way to the younger generation
	require.Panics(t, func() { _, _ = m.Fill(make([]uint32, 1)) })
	m.masks = good
	row := make([]uint32, 1)
	_, err = m.Fill(row)
	require.NoError(t, err)
	require.EqualValues(t, 0b101, row[0])
	require.Equal(t, State{Completed: true}, m.State())
}

// A panic inside any call leaves nobody in the matcher.
func TestPanicInACall(t *testing.T) {
	boom := func() bool { panic("injected") }
	for name, call := range map[string]func(u Until) error{
		"fill":         func(u Until) error { _, err := u.Fill(make([]uint32, 1)); return err },
		"name":         func(u Until) error { _, err := u.Name(); return err },
		"accept":       func(u Until) error { _, err := u.Accept([]int32{0}); return err },
		"validate":     func(u Until) error { _, err := u.Validate([]int32{0}); return err },
		"accept_bytes": func(u Until) error { _, err := u.AcceptBytes([]byte("a")); return err },
	} {
		m, err := New(fresh(t, "a*"), Options{}) // the caches are empty, so the call calls stop
		require.NoError(t, err)
		require.Panics(t, func() { _ = call(Until{m, boom}) }, name)
		require.NoError(t, call(Until{m, nil}), name)
	}
}

func fresh(t *testing.T, pattern string) *compiled.Grammar {
	g := compile(t, compiler.New(letters(t), compiler.Config{}), pattern)
	g.Renew(g.Current())
	return g
}

// A call that must end at once does no work, changes nothing, and returns known results.
func TestAtOnce(t *testing.T) {
	g := fresh(t, "a(ba)*")
	m, err := New(g, Options{})
	require.NoError(t, err)
	u := Until{m, func() bool { return true }}
	row := []uint32{0xDEADBEEF}
	requireUnfinished := func(err error) {
		t.Helper()
		require.Error(t, err)
		require.Equal(t, diag.Unfinished, err.(*diag.Error).Code)
		require.Equal(t, State{}, m.State())
	}
	_, err = u.Fill(row)
	requireUnfinished(err)
	require.EqualValues(t, 0xDEADBEEF, row[0])
	_, err = u.Name()
	requireUnfinished(err)
	n, err := u.Accept([]int32{0, 1, 0})
	requireUnfinished(err)
	require.Zero(t, n)
	_, err = u.Validate([]int32{0, 1, 0})
	requireUnfinished(err)
	_, err = u.AcceptBytes([]byte("aba"))
	requireUnfinished(err)
	_, err = u.ForcedBytes(nil)
	requireUnfinished(err)

	// Calls reuse the work of other calls, also partial work.
	steps := 0
	some := Until{m, func() bool { steps++; return steps > 2 }}
	_, err = some.Validate([]int32{0, 1, 0})
	requireUnfinished(err)
	n, err = u.Validate([]int32{0})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	for range 20 {
		steps = 0
		if n, err = some.Validate([]int32{0, 1, 0}); err == nil {
			break
		}
	}
	require.NoError(t, err)
	require.Equal(t, 3, n)

	_, err = m.Fill(row)
	require.NoError(t, err)
	row[0] = 0
	_, err = u.Fill(row)
	require.NoError(t, err)
	require.EqualValues(t, 1, row[0])
	name, err := u.Name()
	require.NoError(t, err)
	require.NotZero(t, name.Record)
	n, err = u.Accept([]int32{0, 1, 0})
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.Equal(t, State{Completed: true, Length: 3}, m.State())

	// A younger generation is work too.
	g.Renew(g.Current())
	_, err = u.Accept([]int32{1})
	require.Equal(t, diag.Unfinished, err.(*diag.Error).Code)
	require.Equal(t, 3, m.Len())
	require.NoError(t, m.Rollback(1))
	n, err = m.Accept([]int32{0})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	n, err = m.Accept([]int32{2})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, State{Completed: true, Terminated: true, Length: 4}, m.State())
}

// A call that is repeated finishes eventually, even if other sequences renew the states all the time.
func TestUnfinishedCallsGoOn(t *testing.T) {
	g := fresh(t, "(ab){1,200}")
	text := []byte(strings.Repeat("ab", 150))
	for name, call := range map[string]func(u Until) (bool, error){
		"accept_bytes": func(u Until) (bool, error) { return u.AcceptBytes(text) },
		"validate":     func(u Until) (bool, error) { n, err := u.Validate(ids(text)); return n == len(text), err },
		"accept":       func(u Until) (bool, error) { n, err := u.Accept(ids(text)); return n == len(text), err },
	} {
		g.Renew(g.Current())
		m, err := New(g, Options{})
		require.NoError(t, err)
		rounds := 0
		for {
			steps := 0
			done, err := call(Until{m, func() bool { steps++; return steps > 10 }})
			if err == nil {
				require.True(t, done, name)
				break
			}
			require.Equal(t, diag.Unfinished, err.(*diag.Error).Code)
			require.Zero(t, m.Len())
			g.Renew(g.Current())
			rounds++
			require.Less(t, rounds, 100, name)
		}
		require.Greater(t, rounds, 5, name)
		// Afterwards it is in the younger generation.
		_, err = m.Fill(make([]uint32, 1))
		require.NoError(t, err)
		require.Same(t, g.Current(), m.masks)
	}
}

// ids is text as tokens of letters.
func ids(text []byte) (out []int32) {
	for _, b := range text {
		out = append(out, int32(b-'a'))
	}
	return out
}

// Errors about a dead end describe the grammar and name the bound to set.
func TestMessagesTeach(t *testing.T) {
	g := compile(t, compiler.New(letters(t), compiler.Config{}), "a")
	m, err := New(g, Options{StopTokens: []uint32{}})
	require.NoError(t, err)
	for _, c := range []struct {
		err  error
		says []string
	}{
		{m.noMask(pushdown.StateID(m.top()), true, false), []string{
			"regex:1:1: after 0 accepted tokens or texts, finding the tokens that are allowed here takes more than 7",
			"bounded repetition", "([a-z ]{1,20}){1,50}", "by * or +", "(near `a`)",
		}},
		{m.noMask(pushdown.StateID(m.top()), false, true), []string{"no token", "may not end"}},
	} {
		for _, part := range c.says {
			require.Contains(t, c.err.Error(), part)
		}
	}
	_, err = m.Accept([]int32{0})
	require.NoError(t, err)
	row := []uint32{7}
	_, err = m.Fill(row)
	require.Equal(t, diag.Unsatisfiable, err.(*diag.Error).Code)
	require.True(t, strings.Contains(err.Error(), "complete here") && strings.Contains(err.Error(), "stop tokens"))
	require.EqualValues(t, 7, row[0])
	_, err = Until{m, nil}.Name()
	require.Equal(t, diag.Unsatisfiable, err.(*diag.Error).Code)
}

// An error about a hard state names the construct that the output is in.
func TestWhyItIsTooHard(t *testing.T) {
	c := compiler.New(letters(t), compiler.Config{})
	for _, x := range []struct {
		kind             source.Kind
		spec, text, says string
	}{
		{source.Regex, "([a-c]{1,3}x){1,5}", "a", "one text can be divided in very many ways"},
		{
			source.EBNF, `root ::= [ab] "c" root "d" | [bc] "c" root "e" | "b" root root | "z"`,
			"bc", "the text can be read in very many ways",
		},
		{source.JSONSchema, `{"type": "array", "uniqueItems": true}`, "[[1", "several schemas are tested side by side"},
	} {
		g, err := c.Compile(x.kind, []byte(x.spec), &source.Options{})
		require.NoError(t, err)
		m, err := New(g, Options{})
		require.NoError(t, err)
		ok, err := m.AcceptBytes([]byte(x.text))
		require.NoError(t, err)
		require.True(t, ok)
		m.push(uint32(pushdown.Over)) // as if the second step had spent a budget
		e := m.overBudget("following this token").(*diag.Error)
		require.Contains(t, e.Message,
			"after 1 accepted tokens or texts, following this token takes more than 590000 steps: "+x.says)
		require.Equal(t, diag.Limit, e.Code)
		require.Equal(t, x.kind.String(), e.Source)
		require.True(t, e.Place.HasPointer || e.Place.Line == 1)
		require.NotEmpty(t, e.Fragment)
	}
}

// A long history is carried to a younger generation of states over several impatient calls. Each calls stop soon and
// continues after the last one; rollbacks meanwhile are fine.
func TestCatchingUpInPieces(t *testing.T) {
	g := fresh(t, "[ab]*a[ab]{6}")
	ids := make([]int32, 2000)
	for i := range ids {
		ids[i] = int32(i / 3 % 7 % 2)
	}
	m, err := New(g, Options{})
	require.NoError(t, err)
	whole, err := New(g, Options{})
	require.NoError(t, err)
	for _, x := range []*Matcher{m, whole} {
		n, err := x.Accept(ids)
		require.NoError(t, err)
		require.Equal(t, len(ids), n)
	}
	before := m.masks
	g.Renew(g.Current())
	require.NotSame(t, before, g.Current())

	asked, calls, row := 0, 0, make([]uint32, 1)
	hurried := Until{m, func() bool { asked++; return asked%3 == 0 }}
	for ; m.masks == before; calls++ {
		carried := 0
		if m.carrying != nil {
			carried = len(m.carrying.moved)
		}
		if _, err = hurried.Fill(row); m.masks != before {
			break
		}
		require.Equal(t, diag.Unfinished, err.(*diag.Error).Code)
		require.LessOrEqual(t, len(m.carrying.moved)-carried, 3*carriedAtOnce)
		if calls == 4 {
			require.NoError(t, m.Rollback(1700))
			require.NoError(t, whole.Rollback(1700))
		}
	}
	require.Greater(t, calls, 4)
	want := make([]uint32, 1)
	_, err = whole.Fill(want)
	require.NoError(t, err)
	_, err = m.Fill(row)
	require.NoError(t, err)
	require.Equal(t, want, row)
	require.Equal(t, whole.history, m.history)
	n, err := m.Accept(ids[300:])
	require.NoError(t, err)
	require.Equal(t, 1700, n)
}

// A token that one sequence has followed as text is no text for another sequence with it as a stop token, in either
// order; and calls with several tokens lead to the states of single calls.
func TestTokensThatWereFollowedBefore(t *testing.T) {
	g := compile(t, compiler.New(letters(t), compiler.Config{}), "(a|b)*a")
	free, err := New(g, Options{})
	require.NoError(t, err)
	for range 3 { // the second time it was followed before
		for _, one := range [][]int32{{0, 1, 0}, {1, 1, 0}} {
			for k, id := range one {
				n, err := free.Validate(one[k:])
				require.NoError(t, err)
				require.Equal(t, len(one)-k, n)
				n, err = free.Accept([]int32{id})
				require.NoError(t, err)
				require.Equal(t, 1, n)
			}
			require.True(t, free.Completed())
			whole, err := New(g, Options{})
			require.NoError(t, err)
			n, err := whole.Accept(one)
			require.NoError(t, err)
			require.Equal(t, len(one), n)
			require.Equal(t, whole.State(), free.State())
			require.Equal(t, whole.history, free.history)
			require.NoError(t, free.Reset())
		}
		stops, err := New(g, Options{StopTokens: []uint32{1}})
		require.NoError(t, err)
		n, err := stops.Accept([]int32{1})
		require.NoError(t, err)
		require.Zero(t, n, "a stop token is no text")
	}
}

// While a matcher is held, only its holder's calls work, and State returns the state before.
func TestHeld(t *testing.T) {
	m, err := New(fresh(t, "ab*"), Options{})
	require.NoError(t, err)
	h, ok := m.Hold()
	require.True(t, ok)
	_, again := m.Hold()
	require.False(t, again)
	_, err = m.Accept([]int32{0})
	var busy *diag.Error
	require.ErrorAs(t, err, &busy)
	require.Equal(t, diag.Busy, busy.Code)
	n, err := h.Accept([]int32{0}, nil)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, State{}, m.State())
	require.Equal(t, State{Completed: true, Length: 1}, h.State())
	row := make([]uint32, 1)
	_, err = h.Fill(row, nil)
	require.NoError(t, err)
	require.EqualValues(t, 0b110, row[0])
	require.Panics(t, func() { _, _ = h.Accept([]int32{1, 1, 1}, func() bool { panic("injected") }) })
	require.NoError(t, h.Rollback(1))
	h.Release()
	h.Release()
	require.False(t, h.OK())
	require.Equal(t, State{}, m.State())
	_, err = m.Fill(row)
	require.NoError(t, err)
	require.EqualValues(t, 0b1, row[0])
}

// A stopped call continues when it is repeated, with prices or with counting, and returns the same result.
func TestLongCallsGoOn(t *testing.T) {
	text := []byte(strings.Repeat("ab b", 40_000))
	ids := slices.Repeat([]int32{0, 1, 1}, 40_000)
	for _, budget := range []int{3000, 1 << 40} { // prices exceed it, exact costs do not; and no limit
		for name, call := range map[string]func(u Until) (any, error){
			"accept_bytes": func(u Until) (any, error) { return u.AcceptBytes(text) },
			"accept":       func(u Until) (any, error) { return u.Accept(ids) },
			"validate":     func(u Until) (any, error) { return u.Validate(ids) },
		} {
			m, err := New(fresh(t, "[^x]*"), Options{})
			require.NoError(t, err)
			m.g.Budgets().Text = budget
			want, err := call(Until{m, nil})
			require.NoError(t, err, name)
			after := m.State()
			if name != "validate" {
				require.NoError(t, m.Rollback(m.Len()))
			}
			calls, came := 0, 0
			for m.g.Renew(m.g.Current()); ; calls++ {
				asked := 0
				got, err := call(Until{m, func() bool { asked++; return asked > 5000 }})
				if err == nil {
					require.Equal(t, want, got, name)
					break
				}
				require.ErrorIs(t, err, error(unfinished), name)
				require.Zero(t, m.Len())
				require.NotNil(t, m.going, name)
				at := m.going.first + m.going.done + m.going.n
				require.Greater(t, at, came, name)
				require.LessOrEqual(t, len(m.going.text), len(text))
				came = at
			}
			require.Equal(t, after, m.State(), name)
			require.Nil(t, m.going, name)
			require.Empty(t, m.walks, name)
			if budget == 3000 {
				require.Greater(t, calls, 5, name)
			}
			require.Less(t, calls, 100, name)
		}
	}
}

// A long unknown text is walked once, however often its call is stopped.
func TestWalkingGoesOn(t *testing.T) {
	text := strings.Repeat("ab", 30_000)
	m, err := New(fresh(t, "x|"+text), Options{})
	require.NoError(t, err)
	for calls := 0; ; calls++ {
		asked := 0
		ok, err := Until{m, func() bool { asked++; return asked > 100 }}.AcceptBytes([]byte(text))
		if err == nil {
			require.True(t, ok)
			require.Greater(t, calls, 500)
			break
		}
		require.ErrorIs(t, err, error(unfinished))
		if n := 100 * (calls + 1); n >= longText {
			require.NotNil(t, m.going)
			require.Len(t, m.going.text, n)
		}
	}
	require.Nil(t, m.going)
	require.True(t, m.State().Completed)
}

// A call calls stop also while it follows known text.
func TestKnownTextIsAsked(t *testing.T) {
	m, err := New(fresh(t, "[ab]*"), Options{})
	require.NoError(t, err)
	_, err = m.AcceptBytes([]byte("abab"))
	require.NoError(t, err)
	text := bytes.Repeat([]byte("ab"), textAtOnce)
	_, err = Until{m, func() bool { return true }}.AcceptBytes(text)
	require.ErrorIs(t, err, error(unfinished))
	require.Equal(t, textAtOnce, m.going.n)
	ok, err := m.AcceptBytes(text)
	require.NoError(t, err)
	require.True(t, ok)
}

// Calls that begin like a stopped one and differ later return the results of fresh calls.
func TestStoppedCallsHelpNoOther(t *testing.T) {
	r := testkit.Seeded(t, 17)
	pieces := []string{"ab b", "aab", "b b", "bbbb"}
	random := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteString(pieces[r.Intn(len(pieces))])
		}
		return b.String()
	}
	g := fresh(t, "(a|b|[ab]{2,5} )*b?")
	g.Budgets().Text = 4000
	same := random(longText * 2)
	for range testkit.Rounds(60, 5000) {
		m, err := New(g, Options{})
		require.NoError(t, err)
		cut := func() string { return same[:r.Intn(len(same))] }
		call := func(u Until, text string, kind int) (any, error) {
			ids := make([]int32, len(text))
			for i, b := range []byte(text) {
				if b != 'a' {
					ids[i] = 1
				}
			}
			switch kind {
			case 0:
				return u.AcceptBytes([]byte(text))
			case 1:
				return u.Accept(ids)
			case 2:
				return u.Validate(ids)
			}
			return u.ForcedBytes(nil)
		}
		for range 3 {
			text, kind, asked, most := cut()+random(r.Intn(200)), r.Intn(4), 0, 1+r.Intn(40_000)
			_, err = call(Until{m, func() bool { asked++; return asked > most }}, text, kind)
			if err == nil {
				require.NoError(t, m.Rollback(m.Len()))
			}
		}
		text, kind := cut()+random(r.Intn(200)), r.Intn(4)
		got, err := call(Until{m, nil}, text, kind)
		alone, _ := New(g, Options{})
		want, wrong := call(Until{alone, nil}, text, kind)
		require.Equal(t, want, got)
		require.Equal(t, wrong, err)
		require.Equal(t, alone.State(), m.State())
	}
}

// Counts of a stopped call do not count in another call, even with the same beginning.
func TestCountingOfAnotherCall(t *testing.T) {
	g := fresh(t, "([ab ]*a[ab]{6}c)|(a|b)*")
	g.Budgets().Text = 14_000
	same := slices.Repeat([]int32{0, 1, 1}, 20_000)
	other := append(slices.Clone(same[:30_000]), slices.Repeat([]int32{0}, 30_000)...)
	stopped, err := New(g, Options{})
	require.NoError(t, err)
	asked := 0
	_, err = Until{stopped, func() bool { asked++; return asked > 40_000 }}.Accept(same)
	require.ErrorIs(t, err, error(unfinished))
	require.Greater(t, len(stopped.going.ids), 30_000)
	_, err = Until{stopped, func() bool { return true }}.Accept(other) // stop is called, as by any other call
	require.ErrorIs(t, err, error(unfinished))
	require.Less(t, stopped.going.done, 100)
	got, err := stopped.Accept(other)
	require.NoError(t, err)
	alone, err := New(g, Options{})
	require.NoError(t, err)
	want, err := alone.Accept(other)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, alone.State(), stopped.State())
}
