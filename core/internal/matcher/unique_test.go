package matcher

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Outputs with distinct items are complete under limits of tokens, even if they begin copies.
func TestLimitedOutputsOfDistinctItemsAreWhole(t *testing.T) {
	samplers := map[string]func(r *rand.Rand, v *vocab.Vocabulary, ids []int32) int32{
		"random": samplers["random"], "longest": samplers["longest"],
		// Most items are copies, because they have few letters.
		"copies": func(r *rand.Rand, v *vocab.Vocabulary, ids []int32) int32 {
			best, score := ids[0], -1
			for _, id := range ids {
				s := r.Intn(4)
				switch string(v.Bytes(uint32(id))) {
				case "a", `"`, ",", "[":
					s = 4 + r.Intn(3)
				}
				if s > score {
					best, score = id, s
				}
			}
			return best
		},
	}
	comp := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	for _, text := range []string{
		`{"type": "array", "items": {"type": "string"}, "uniqueItems": true}`,
		`{"type": "array", "items": {"type": ["string", "null"], "minLength": 1}, "uniqueItems": true, "minItems": 1}`,
		`{"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}, ` +
			`"then": {"enum": ["a long text behind the items", "another"]}}, "required": ["tags", "then"], ` +
			`"additionalProperties": false}`,
		`{"type": "array", "items": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}}`,
		`{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}, ` +
			`"c": {"type": "array", "items": {"$ref": "#"}}}, "required": ["c"], "additionalProperties": false}`,
	} {
		g, err := comp.Compile(source.JSONSchema, []byte(text), &source.Options{})
		require.NoError(t, err)
		m, err := New(g, Options{})
		require.NoError(t, err)
		least, err := m.MinTokens()
		require.NoError(t, err, text)
		r := testkit.Seeded(t, 228)
		for _, more := range []int{0, 1, 2, 5, 9, 20, 60} {
			for name, sample := range samplers {
				for range testkit.Rounds(2, 40) {
					w := &wholeRun{t: t, g: g, r: r, sample: sample, most: least + more, every: 2000}
					w.where = text + " " + name
					w.run()
				}
			}
		}
	}
}

// A copy takes a byte more than the state without comparisons says, and each byte is a token: room for it is kept.
func TestLimitedCopiesAreWhole(t *testing.T) {
	c := vocab.Config{EndTokens: []uint32{256}}
	for b := range 256 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	c.Tokens = append(c.Tokens, []byte("</s>"))
	v, err := vocab.New(c)
	require.NoError(t, err)
	g, err := compiler.New(v, compiler.Config{}).Compile(source.JSONSchema,
		[]byte(`{"type": "array", "items": {"type": "string"}, "uniqueItems": true}`), &source.Options{})
	require.NoError(t, err)
	row := make([]uint32, v.Words())
	for n := 8; n < 40; n++ {
		m, err := New(g, Options{MaxTokens: n})
		require.NoError(t, err)
		const wish = `["","!","!` // the third item is a copy so far
		for i := 0; !m.Terminated(); i++ {
			_, err := m.Fill(row)
			require.NoError(t, err, "token %d of %d", i, n)
			id := int32(0)
			if i < len(wish) {
				id = int32(wish[i])
			}
			if ids := allowed(row); row[id>>5]>>(id&31)&1 == 0 {
				id = ids[len(ids)-1]
			}
			k, err := m.Accept([]int32{id})
			require.NoError(t, err)
			require.Equal(t, 1, k)
		}
	}
}

// If the shortest array has several items that differ, a limit of tokens is refused.
func TestLimitsOfSeveralDistinctItemsAreRefused(t *testing.T) {
	g, err := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{}).Compile(source.JSONSchema,
		[]byte(`{"type": "array", "items": {"type": "string"}, "uniqueItems": true, "minItems": 2}`), &source.Options{})
	require.NoError(t, err)
	_, err = New(g, Options{MaxTokens: 100})
	require.ErrorContains(t, err, "uniqueItems")
}

// Facts about one required array of distinct items need those about the next. Some 80 arrays have a least number of tokens;
// beyond, facts nest too deep, and a limit of tokens says so.
func TestLimitsOfManyDistinctArrays(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	for _, n := range []int{1, 5, 30, 80, 100} {
		var properties, required []string
		for i := range n {
			properties = append(properties, fmt.Sprintf(`"p%d": {"type": "array", "uniqueItems": true}`, i))
			required = append(required, fmt.Sprintf(`"p%d"`, i))
		}
		g := compiledWith(t, v, source.JSONSchema, fmt.Sprintf(`{"type": "object", "properties": {%s}, "required": [%s]}`,
			strings.Join(properties, ","), strings.Join(required, ",")))
		m, err := New(g, Options{})
		require.NoError(t, err)
		_, err = m.MinTokens()
		if n > 80 {
			require.ErrorContains(t, err, "no shortest output is found", "%d arrays", n)
			require.Equal(t, diag.Limit, codeOf(err))
			continue
		}
		require.NoError(t, err, "%d arrays", n)
	}
}
