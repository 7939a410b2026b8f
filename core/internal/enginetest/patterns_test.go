package enginetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/testkit/engine"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// pattern returns a pattern of `depth` operators that makes automata large: counts within counts, loops over
// overlapping sets, and look-arounds.
func pattern(r *rand.Rand, depth int) string {
	if depth == 0 {
		atoms := []string{
			".", `\w`, `\S`, `\s`, "[a-z]", "[^a]", "a", "b", `\.`, "-", `\d`, "[a-z0-9-]", "(?:ab|cd)", `\p{L}`,
			`[^\s@]`,
		}
		return atoms[r.Intn(len(atoms))]
	}
	part := func() string { return pattern(r, depth-1) }
	counts := []int{0, 1, 2, 3, 5, 10, 63, 100, 127, 255, 300, 1000}
	low, high := counts[r.Intn(len(counts))], counts[r.Intn(len(counts))]
	switch r.Intn(11) {
	case 0, 1:
		return part() + part()
	case 2:
		return "(?:" + part() + "|" + part() + ")"
	case 3:
		return "(?:" + part() + ")*"
	case 4, 5:
		return fmt.Sprintf("(?:%s){%d,%d}", part(), min(low, high), max(low, high, 1))
	case 6:
		return fmt.Sprintf("(?:%s){%d,}", part(), low)
	case 7:
		return "(?:" + part() + ")+"
	case 8:
		return "(?:" + part() + ")?" + part()
	case 9:
		return "(?=" + part() + ")" + part()
	}
	return "(?!" + part() + ")" + part()
}

// Patterns without a small automaton, with lengths: allowed tokens are accepted, others are not, and a mask beyond its
// budget or at a dead end is an error and not an empty row.
func TestHardPatterns(t *testing.T) {
	r := testkit.Seeded(t, 31)
	v := testkit.CommittedTokenizer(t)
	c := compiler.New(v, compiler.Config{})
	row := make([]uint32, v.Words())
	limits, compiled := 0, 0
	for range testkit.Rounds(120, 4000) {
		schema := map[string]any{"type": "string", "pattern": pattern(r, 1+r.Intn(4))}
		if r.Intn(3) == 0 {
			schema["maxLength"] = 1 + r.Intn(300)
		}
		if r.Intn(4) == 0 {
			schema["minLength"] = r.Intn(20)
		}
		text, err := json.Marshal(schema)
		require.NoError(t, err)
		g, err := c.Compile(source.JSONSchema, text, &source.Options{})
		if err != nil {
			continue // refused, with an error that other tests look at
		}
		compiled++
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(t, err)
		for range 12 {
			if _, err := m.Fill(row); err != nil {
				var e *diag.Error
				require.True(t, errors.As(err, &e) && (e.Code == diag.Limit || e.Code == diag.Unsatisfiable), "%v\n%s",
					err, text)
				limits++
				break
			}
			checkSome(t, r, m, row, text)
			if m.Terminated() {
				break
			}
		}
	}
	t.Logf("%d patterns, %d of them ended in an error", compiled, limits)
}

// checkSome compares a few tokens of a mask with Accept, and takes one of them.
func checkSome(t *testing.T, r *rand.Rand, m *matcher.Matcher, row []uint32, text []byte) {
	t.Helper()
	var allowed []int32
	for w, x := range row {
		for ; x != 0; x &= x - 1 {
			allowed = append(allowed, int32(w<<5+bits.TrailingZeros32(x)))
		}
	}
	require.NotEmpty(t, allowed, "an empty mask\n%s", text)
	for range 20 {
		id := int32(r.Intn(len(row) * 32))
		if r.Intn(2) == 0 {
			id = allowed[r.Intn(len(allowed))]
		}
		n, err := m.Validate([]int32{id})
		in := row[id>>5]>>(id&31)&1 == 1
		require.Equal(t, in, err == nil && n == 1, "token %d: in the mask %v, accepted %v %v\n%s", id, in, n, err, text)
	}
	n, err := m.Accept(allowed[r.Intn(len(allowed)):][:1])
	require.NoError(t, err, text)
	require.Equal(t, 1, n, text)
}

func TestAmbiguityIsWithinTheBudgetOfAMask(t *testing.T) {
	r := testkit.Seeded(t, 5)
	tokens := [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("x")}
	for range 8000 {
		text := make([]byte, 2+r.Intn(14))
		for i := range text {
			text[i] = "aabbcxz"[r.Intn(7)]
		}
		tokens = append(tokens, text)
	}
	v, err := vocab.New(vocab.Config{Tokens: tokens, EndTokens: []uint32{0}})
	require.NoError(t, err)
	c := compiler.New(v, compiler.Config{})
	_, err = c.Compile(source.EBNF, []byte(`root ::= [ab]{0,3} | (root | [a-c]{1,4}){2,12} [x-z] root | root "a" root`),
		&source.Options{})
	var refused *diag.Error
	require.ErrorAs(t, err, &refused, "the first mask takes more than a budget allows")
	require.Equal(t, diag.Limit, refused.Code)
}

// Patterns from practice for names and titles in all scripts are within the budgets, and their masks are exact.
func TestPatternsOfManyScripts(t *testing.T) {
	v := testkit.Tokenizer(t, "llama3_1")
	c := compiler.New(v, compiler.Config{})
	row := make([]uint32, v.Words())
	for _, x := range []struct {
		kind source.Kind
		text string
	}{
		{source.Regex, `[\p{L}'-]{2,30}( [\p{L}'-]{2,30}){0,4}`},
		{source.Regex, `\p{Lu}\p{Ll}{1,20}( \p{Lu}\p{Ll}{1,20}){1,3}`},
		{source.Regex, `([\p{L}\p{M}]{1,20}[ ,]){1,9}\.`},
		{source.JSONSchema, `{"type": "string", "pattern": "^[\\p{L}\\p{N} ,.'-]{1,100}$", "not": {"pattern": "null"}}`},
		{source.JSONSchema, `{"type": "string", "pattern": "^[\\p{L}'-]{2,30}( [\\p{L}'-]{2,30}){0,4}$"}`},
		{source.JSONSchema, `{"type": "string", "pattern": "^(?!\\s)(?!.*\\s$)[\\p{L}\\p{N}\\s'-]{1,80}$"}`},
	} {
		g, err := c.Compile(x.kind, []byte(x.text), &source.Options{})
		require.NoError(t, err, x.text)
		for i, text := range []string{"", "J", "Jos\u00e9", "Nul", "Jo A", "\u0421\xd0"} {
			if x.kind == source.JSONSchema {
				text = `"` + text
			}
			m, err := matcher.New(g, matcher.Options{})
			require.NoError(t, err)
			if ok, err := m.AcceptBytes([]byte(text)); !ok {
				require.NoError(t, err, "%s: %q", x.text, text)
				continue
			}
			where := func() string { return fmt.Sprintf("%s: %q", x.text, text) }
			if i == 3 {
				engine.EveryBit(t, v, m, row, where)
			} else if _, err := m.Fill(row); err != nil {
				require.Failf(t, "no mask", "%v: %s", err, where())
			}
		}
	}
}
