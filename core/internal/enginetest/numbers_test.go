package enginetest

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// numeralVocabulary has all bytes, all numbers of two digits and some of three. If mixed, it also has tokens in which
// numbers begin, end and follow one another.
func numeralVocabulary(t *testing.T, r *rand.Rand, mixed bool) *vocab.Vocabulary {
	t.Helper()
	var tokens [][]byte
	for b := range 256 {
		tokens = append(tokens, []byte{byte(b)})
	}
	for n := range 100 {
		tokens = append(tokens, fmt.Appendf(nil, "%02d", n), fmt.Appendf(nil, "%03d", r.Intn(1000)))
	}
	const letters = "00112233445566778899..--eE,,]][  "
	for mixed && len(tokens) < 900 {
		s := ""
		for range 2 + r.Intn(5) {
			s += letters[r.Intn(len(letters)):][:1]
		}
		tokens = append(tokens, []byte(s))
	}
	v, err := vocab.New(vocab.Config{Tokens: append(tokens, []byte("</s>")), EndTokens: []uint32{uint32(len(tokens))}})
	require.NoError(t, err)
	return v
}

// numberSchema returns a schema of numbers that takes arithmetic.
func numberSchema(r *rand.Rand) string {
	divisor := func() string {
		return []string{
			"60", "7", "86400", "65536", "1000000", "982451653", "0.001", "0.25", "1.2", "12345.678",
			"999999999999999989", "3e-7", "1e12", "2",
		}[r.Intn(14)]
	}
	var one func(depth int) string
	one = func(depth int) string {
		var members []string
		if r.Intn(3) > 0 {
			members = append(members, `"type":"`+[]string{"integer", "number"}[r.Intn(2)]+`"`)
		}
		if r.Intn(5) > 0 {
			members = append(members, `"multipleOf":`+divisor())
		}
		if r.Intn(2) == 0 {
			keyword := []string{"minimum", "exclusiveMinimum"}[r.Intn(2)]
			members = append(members, fmt.Sprintf("%q:%d", keyword, r.Int63n(1<<(1+r.Intn(40)))-1000))
		}
		if r.Intn(2) == 0 {
			keyword := []string{"maximum", "exclusiveMaximum"}[r.Intn(2)]
			members = append(members, fmt.Sprintf("%q:%d", keyword, r.Int63n(1<<(1+r.Intn(62)))))
		}
		if depth > 0 && r.Intn(3) == 0 {
			members = append(members, `"not":{"multipleOf":`+divisor()+`}`)
		}
		if depth > 0 && r.Intn(4) == 0 {
			keyword := []string{"anyOf", "allOf", "oneOf"}[r.Intn(3)]
			members = append(members, fmt.Sprintf("%q:[%s,%s]", keyword, one(depth-1), one(depth-1)))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return fmt.Sprintf(`{"type":"array","maxItems":3,"items":{"allOf":[{"type":["number","integer"]},%s]}}`, one(1))
}

// Masks within numbers equal a trial of every token, although looking at a token makes no states for numbers.
func TestMasksOfNumbers(t *testing.T) {
	r := testkit.Seeded(t, 29)
	vocabularies := []*vocab.Vocabulary{
		numeralVocabulary(t, r, false), numeralVocabulary(t, r, true), testkit.CommittedTokenizer(t),
	}
	compared := 0
	for round := range testkit.Rounds(80, 10_000) {
		v := vocabularies[round%2]
		if round%16 == 0 {
			v = vocabularies[2]
		}
		schema := numberSchema(r)
		o := &source.Options{AllNumberForms: r.Intn(3) == 0}
		g, err := compiler.New(v, compiler.Config{}).Compile(source.JSONSchema, []byte(schema), o)
		var e *diag.Error
		if errors.As(err, &e) && (e.Code == diag.Unsatisfiable || e.Code == diag.Unsupported) {
			continue
		}
		require.NoError(t, err, schema)
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(t, err)
		row := make([]uint32, v.Words())
		said := ""
		for range 14 {
			if !everyBitWithin(t, v, m, row, schema+" after "+said) {
				break
			}
			compared++
			id := testkit.Pick(r, row, func(id uint32) bool {
				return strings.ContainsAny(string(v.Bytes(id)), "0123456789")
			})
			if v.IsEnd(id) {
				break
			}
			said += string(v.Bytes(id))
			n, err := m.Accept([]int32{int32(id)})
			require.NoError(t, err, schema)
			require.Equal(t, 1, n, "%s after %s", schema, said)
		}
	}
	t.Logf("%d masks", compared)
	require.Greater(t, compared, 100)
}
