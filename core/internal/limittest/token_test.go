package limittest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// One token costs no more than a call may, for any length: vocabularies have tokens of a hundred blanks and more, and
// each byte may cost as much as a transition may. Beyond the budget the mask decides whether the token is allowed.
func TestOneLongTokenIsBounded(t *testing.T) {
	texts := strings.Split(`{|"|:|t|}| |`+strings.Repeat(" ", 150)+"|<end>", "|")
	var tokens [][]byte
	for _, text := range texts {
		tokens = append(tokens, []byte(text))
	}
	end := uint32(len(texts) - 1)
	v, err := vocab.New(vocab.Config{Tokens: tokens, Special: []uint32{end}, EndTokens: []uint32{end}})
	require.NoError(t, err)
	budgets := limits.DefaultBudgets()
	budgets.Text = 100_000
	var all []string
	for i := range 100 {
		all = append(all, fmt.Sprintf(`{"properties": {"type": {"const": "t%d"}, "v": {"properties": {"x%d": {}}}}, `+
			`"required": ["type"], "additionalProperties": false, "type": "object"}`, i, i))
	}
	g, verdict := compile(compiler.New(v, compiler.Config{Budgets: &budgets}), testkit.Constraint{
		Kind: source.JSONSchema, Text: `{"anyOf": [` + strings.Join(all, ", ") + "]}",
		Options: `{"MaxWhitespace": 3000}`,
	})
	require.NotNil(t, g, verdict)
	m, row, blanks := newMatcher(g), make([]uint32, v.Words()), []int32{6}
	ok, err := m.AcceptBytes([]byte(`{"type":`))
	require.True(t, ok, "%v", err)
	_, err = m.Fill(row)
	require.NoError(t, err)
	require.NotZero(t, row[0]>>6&1, "the mask allows the blanks")
	n, err := m.Validate(blanks)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	n, err = m.Accept(blanks)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	_, err = m.Fill(row)
	require.ErrorContains(t, err, "takes more than")
	require.NoError(t, m.Rollback(1))
	_, err = m.Fill(row)
	require.NoError(t, err)
}

// Steps of the sides of boolean nodes are charged to a text: dozens of sides take a dozen microseconds a byte, and
// within nested arrays no state recurs.
func TestSidesOfBooleanNodesAreCharged(t *testing.T) {
	var all []string
	for i := range 14 {
		all = append(all, fmt.Sprintf(`{"contains": {"const": %d}, "maxContains": %d}`, i%10, 1+i%5))
	}
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	g, verdict := compile(compiler.New(v, compiler.Config{}), testkit.Constraint{
		Kind: source.JSONSchema, Text: `{"type": "array", "allOf": [` + strings.Join(all, ", ") + "]}",
	})
	require.NotNil(t, g, verdict)
	_, err = newMatcher(g).AcceptBytes([]byte("[0, 1, 2, 3, 3" + strings.Repeat(", [4", 5000)))
	require.ErrorContains(t, err, "takes more than")
	require.Less(t, g.Stats().States, 100_000)
	ok, err := newMatcher(g).AcceptBytes([]byte("[0, 1, 2, 3, 3" + strings.Repeat(", [4", 20)))
	require.NoError(t, err)
	require.True(t, ok)
}

// A byte may cost as much as a mask may: with equal questions from the items of a state, or with a compiler that allows
// little for searches, a token of a mask within its budget is accepted, and so is the mask after it.
func TestTokensOfMasksAreWithinWhatAByteMayTake(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(true)
	require.NoError(t, err)
	var starts, terminals []string
	for i := range 30 {
		starts = append(starts, fmt.Sprintf("A%d", i))
		terminals = append(terminals, fmt.Sprintf("A%d: S \"%d\"\n", i, i))
	}
	for _, c := range []struct {
		name, spec string
		search     int // parts that a search may look at, 0: the default
	}{
		{name: "one question", spec: "start: " + strings.Join(starts, " start | ") + "\n" + strings.Join(terminals, "") +
			"S: /(?=.*ab)(?=.*ba)(?=.*xa)[abx]{3,40}/\n"},
		{name: "little search", spec: "start: /[0-9]{1,9}/ | \"(\" start \")\" | start \"+\" start\n", search: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			budgets := limits.DefaultBudgets()
			if c.search > 0 {
				budgets.Search = c.search
			}
			allowed := func() (accepted int, err error) {
				g, verdict := compile(compiler.New(v, compiler.Config{Budgets: &budgets}),
					testkit.Constraint{Kind: source.Lark, Text: c.spec})
				if g == nil {
					return 0, fmt.Errorf("%s", verdict)
				}
				m, row := newMatcher(g), make([]uint32, v.Words())
				if _, err := m.Fill(row); err != nil {
					return 0, err
				}
				for id := range uint32(v.Size()) {
					if row[id>>5]>>(id&31)&1 == 0 || v.IsEnd(id) {
						continue
					}
					n, err := m.Accept([]int32{int32(id)})
					require.NoError(t, err)
					require.Equal(t, 1, n)
					_, err = m.Fill(make([]uint32, v.Words()))
					require.NotContains(t, errorText(err), "following the output so far", "token %q", v.Bytes(id))
					require.NoError(t, m.Rollback(1))
					accepted++
				}
				return accepted, nil
			}
			n, err := allowed()
			require.NoError(t, err)
			require.Positive(t, n)
			// the least budget with which the first mask succeeds
			low, high := 0, budgets.Mask
			for low+1 < high {
				budgets.Mask = (low + high) / 2
				if _, err := allowed(); err != nil {
					low = budgets.Mask
				} else {
					high = budgets.Mask
				}
			}
			t.Logf("%d tokens, within %d steps", n, high)
			budgets.Mask = high
			n, err = allowed()
			require.NoError(t, err)
			require.Positive(t, n)
		})
	}
}
