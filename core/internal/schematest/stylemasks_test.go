package schematest

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/testkit/engine"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// styleVocabulary has all bytes, the punctuation of the style's members, whole and cut anywhere, and tokens in which
// tags and values meet.
func styleVocabulary(t *testing.T, r *rand.Rand, s *tagStyle) *vocab.Vocabulary {
	t.Helper()
	var tokens [][]byte
	for b := range 256 {
		tokens = append(tokens, []byte{byte(b)})
	}
	add := func(text string) { tokens = append(tokens, []byte(text)) }
	tail := func() string {
		if s.echoes {
			return s.tail + "</" + testkit.SchemaKeys[r.Intn(len(testkit.SchemaKeys))] + ">"
		}
		return s.tail
	}
	var plain []string
	for _, text := range testkit.SchemaStrings {
		plain = append(plain, text, `"`+text+`"`)
	}
	plain = append(plain, "0", "12", "-1", ".5", "true", "false", "null", "{}", "[]", `{"`, `":`, "[1", "]", "}", "\n")
	for _, text := range plain {
		add(text)
	}
	for _, text := range []string{s.tail, tail(), tail(), "</a>", "<end>"} {
		add(text)
	}
	for len(tokens) < 420 {
		key := testkit.SchemaKeys[r.Intn(len(testkit.SchemaKeys))]
		text := s.body(r, map[string]any{key: testkit.Decode([]byte(testkit.Value(r, 2)))})
		text += s.body(r, map[string]any{key: testkit.Decode([]byte(testkit.Value(r, 1)))}) + "</a>"
		from := r.Intn(len(text))
		add(text[from:min(len(text), from+2+r.Intn(24))])
	}
	n := uint32(len(tokens))
	add("<special>")
	add(s.tail)
	add("</s>")
	v, err := vocab.New(vocab.Config{Tokens: tokens, Special: []uint32{n, n + 1, n + 2}, EndTokens: []uint32{n + 2}})
	require.NoError(t, err)
	return v
}

// styleRoot returns a schema for a walk. A union, an intersection or a negation at the root has nothing around it that
// ends it.
func styleRoot(r *rand.Rand) string {
	object := func() string {
		required := []string{`"a"`, `"x1"`, ``}[r.Intn(3)]
		others := []string{`true`, `false`, `{"type": ["integer", "string"], "maxLength": 3}`}[r.Intn(3)]
		return fmt.Sprintf(`{"type": "object", "properties": {"a": %s, "x1": %s}, "required": [%s], `+
			`"additionalProperties": %s}`, schemaWithoutRefs(r), schemaWithoutRefs(r), required, others)
	}
	switch r.Intn(8) {
	case 0:
		return testkit.Schema(r)
	case 1:
		return fmt.Sprintf(`{"anyOf": [%s, %s]}`, object(), object())
	case 2:
		return fmt.Sprintf(`{"oneOf": [%s, %s]}`, object(), object())
	case 3:
		return fmt.Sprintf(`{"allOf": [%s, {"not": %s}]}`, object(), object())
	case 4:
		return fmt.Sprintf(`{"type": "object", "not": %s}`, object())
	case 5:
		return fmt.Sprintf(`{"if": %s, "then": %s, "else": %s}`, object(), object(), object())
	case 6:
		return fmt.Sprintf(`{"type": "object", "anyOf": [{"required": ["a"]}, {"not": {"required": ["b"]}}], `+
			`"properties": {"a": %s, "b": %s}}`, schemaWithoutRefs(r), schemaWithoutRefs(r))
	}
	return object()
}

// schemaWithoutRefs returns a schema that may stand within another one.
func schemaWithoutRefs(r *rand.Rand) string {
	for {
		if s := testkit.Schema(r); !strings.Contains(s, "$ref") {
			return s
		}
	}
}

// Random schemas in every style, walked along their masks: a mask equals a trial of every token, none is empty, and an
// independent reader finds a valid value in every finished output.
func TestMasksInStyles(t *testing.T) {
	r := testkit.Seeded(t, 79)
	counts := map[string]int{}
	for _, s := range tagStyles {
		v := styleVocabulary(t, r, s)
		c := compiler.New(v, compiler.Config{})
		for range testkit.Rounds(8, 400) {
			schema := styleRoot(r)
			inTag := r.Intn(4) == 0
			spec := fmt.Sprintf(`{"type": "json_schema", "style": %q, "json_schema": %s}`, s.name, schema)
			if inTag {
				spec = fmt.Sprintf(`{"type": "tag", "begin": "", "content": %s, "end": ["</a>", "<end>"]}`, spec)
			}
			spec = `{"type": "structural_tag", "format": ` + spec + `}`
			g, err := c.Compile(source.StructuralTag, []byte(spec), &source.Options{
				AnyOrder: r.Intn(2) == 0, AllNumberForms: r.Intn(2) == 0,
			})
			if err != nil {
				counts["refused"]++
				continue // whether rightly is another test's business
			}
			w := &styleWalk{
				t: t, r: r, v: v, s: s, g: g, cut: testkit.NewTokenizing(v), counts: counts,
				spec: spec, judge: testkit.NewValidator(schema), inTag: inTag,
			}
			w.walk()
			w.walk()
		}
	}
	t.Log(counts)
	require.Greater(t, counts["masks"], 100)
	require.NotZero(t, counts["finished"])
}

// styleWalk walks along the masks of a schema in a style.
type styleWalk struct {
	t      *testing.T
	r      *rand.Rand
	v      *vocab.Vocabulary
	s      *tagStyle
	g      *compiled.Grammar
	cut    *testkit.Tokenizing
	counts map[string]int
	spec   string
	judge  *testkit.Validator
	inTag  bool
}

// walk follows a text of the style while the masks allow that, deviates now and then, and after some tokens prefers
// tokens that close tags and values.
func (w *styleWalk) walk() {
	w.t.Helper()
	m, err := matcher.New(w.g, matcher.Options{})
	require.NoError(w.t, err)
	row := make([]uint32, w.v.Words())
	said := ""
	where := func() string { return fmt.Sprintf("after %q in %s", said, w.spec) }
	var planned []int32
	for step := range 60 {
		if !everyBitIfBounded(w.t, w.v, m, row, where) {
			w.counts["limit"]++
			return
		}
		w.counts["masks"]++
		if step%12 == 0 {
			value := testkit.Decode([]byte(testkit.Value(w.r, 2)))
			if _, ok := value.(map[string]any); !ok {
				value = map[string]any{testkit.SchemaKeys[w.r.Intn(len(testkit.SchemaKeys))]: value}
			}
			planned, _ = w.cut.Cut([]byte(w.s.body(w.r, value)))
		}
		id := w.next(row, planned, step)
		if len(planned) > 0 && uint32(planned[0]) == id {
			planned = planned[1:]
		} else {
			planned = nil
		}
		n, err := m.Accept([]int32{int32(id)})
		require.NoError(w.t, err, where())
		require.Equal(w.t, 1, n, where())
		if w.v.IsEnd(id) {
			w.finish(said)
			return
		}
		said += string(w.v.Bytes(id))
	}
}

// next picks a token of the mask.
func (w *styleWalk) next(row []uint32, planned []int32, step int) uint32 {
	if len(planned) > 0 && w.r.Intn(12) > 0 {
		if id := planned[0]; row[id>>5]>>(id&31)&1 == 1 {
			return uint32(id)
		}
	}
	late := step > 20
	return testkit.Pick(w.r, row, func(id uint32) bool {
		text := string(w.v.Bytes(id))
		if late && w.v.IsEnd(id) {
			return true
		}
		closes := strings.HasSuffix(text, w.s.tail) || text == "</a>" || text == "<end>"
		if late {
			closes = closes || text == `"` || text == "}" || text == "]"
		}
		return closes
	})
}

// finish checks that the output is a valid value in the style.
func (w *styleWalk) finish(said string) {
	w.t.Helper()
	w.counts["finished"]++
	for _, n := range w.g.Notes() {
		if n.Effect == diag.Wider {
			return
		}
	}
	if w.inTag {
		body, ok := strings.CutSuffix(said, "</a>")
		if !ok {
			body, ok = strings.CutSuffix(said, "<end>")
		}
		require.True(w.t, ok, "%q in %s", said, w.spec)
		if w.judge.Valid(body) { // a string that stands alone
			return
		}
		said = body
	}
	if w.s.repeats(said) {
		return
	}
	w.counts["read"]++
	valid, _ := w.s.reads(said, w.judge.Valid)
	require.True(w.t, valid, "%q is no valid value of %s", said, w.spec)
}

// everyBitIfBounded compares a mask with a trial of every token, and reports false if a limit stops either.
func everyBitIfBounded(
	t *testing.T, v *vocab.Vocabulary, m *matcher.Matcher, row []uint32, where func() string,
) bool {
	t.Helper()
	var e *diag.Error
	if _, err := m.Fill(row); errors.As(err, &e) && e.Code == diag.Limit {
		return false
	}
	engine.EveryBit(t, v, m, row, where)
	return true
}
