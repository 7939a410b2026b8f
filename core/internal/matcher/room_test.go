package matcher

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// samplers choose one of the tokens that are allowed.
var samplers = map[string]func(r *rand.Rand, v *vocab.Vocabulary, ids []int32) int32{
	"random": func(r *rand.Rand, _ *vocab.Vocabulary, ids []int32) int32 { return ids[r.Intn(len(ids))] },
	"longest": func(r *rand.Rand, v *vocab.Vocabulary, ids []int32) int32 {
		return slices.MaxFunc(ids, func(a, b int32) int { return len(v.Bytes(uint32(a))) - len(v.Bytes(uint32(b))) })
	},
	"never ending": func(r *rand.Rand, v *vocab.Vocabulary, ids []int32) int32 {
		score := func(id int32) int {
			text := v.Bytes(uint32(id))
			return 8*len(bytes.Trim(text, `"}]`)) - 4*len(text) + 2*bytes.Count(text, []byte("[")) + r.Intn(3)
		}
		return slices.MaxFunc(ids, func(a, b int32) int { return score(a) - score(b) })
	},
	"blanks": func(r *rand.Rand, v *vocab.Vocabulary, ids []int32) int32 {
		blank := slices.DeleteFunc(slices.Clone(ids), func(id int32) bool {
			text := v.Bytes(uint32(id))
			return len(text) == 0 || len(bytes.TrimSpace(text)) > 0
		})
		if len(blank) == 0 || r.Intn(8) == 0 {
			blank = ids
		}
		return blank[r.Intn(len(blank))]
	},
}

// allowed returns the tokens of a row.
func allowed(row []uint32) (ids []int32) {
	for id := range int32(len(row) * 32) {
		if row[id>>5]>>(id&31)&1 != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// TestLimitedOutputsAreWhole makes outputs under limits from the least on, with draft chains and rollbacks, and follows
// each without a limit: all are complete, and so is the mask, for each token of which accept says the same.
func TestLimitedOutputsAreWhole(t *testing.T) {
	rounds := int64(4)
	if n, err := strconv.ParseInt(os.Getenv("SLUICE_TEST_WHOLE"), 10, 64); err == nil {
		rounds = n
	} else if testing.Short() {
		rounds = 2
	}
	outputs, limited := 0, 0
	for _, wide := range []bool{false, true} {
		v, err := testkit.ConstraintVocabulary(wide)
		require.NoError(t, err)
		comp := compiler.New(v, compiler.Config{})
		for _, kind := range testkit.ConstraintKinds {
			for seed := range rounds {
				c := testkit.RandomConstraint(rand.New(rand.NewSource(seed)), kind, 2)
				g, err := comp.Compile(c.Kind, []byte(c.Text), c.SourceOptions())
				if err != nil {
					continue
				}
				m, err := New(g, Options{})
				require.NoError(t, err)
				least, err := m.MinTokens()
				if err != nil {
					require.Equal(t, diag.Limit, codeOf(err), "%s %s", c.Text, err)
					limited++
					continue
				}
				if least > 1 {
					require.Equal(t, diag.Unsatisfiable, codeOf(m.SetMaxTokens(least-1)))
				}
				r := rand.New(rand.NewSource(seed))
				for _, more := range []int{0, 1, 3, 8, 40} {
					for name, sample := range samplers {
						w := &wholeRun{t: t, g: g, r: r, sample: sample, most: least + more}
						w.where = c.Text + " " + c.Options + " " + name + " " + strconv.Itoa(w.most)
						w.run()
						outputs++
					}
				}
			}
		}
	}
	t.Logf("%d outputs; of %d constraints no shortest output was found", outputs, limited)
}

// With budgets for endings that many masks exceed, outputs are complete too, and accept agrees with the mask.
func TestNarrowOutputsAreWhole(t *testing.T) {
	outputs, limited := 0, 0
	for _, wide := range []bool{false, true} {
		v, err := testkit.ConstraintVocabulary(wide)
		require.NoError(t, err)
		for _, budget := range []int{5_000, 30_000, 200_000, 600_000} {
			b := limits.DefaultBudgets()
			b.Ending = budget
			comp := compiler.New(v, compiler.Config{Budgets: &b})
			for _, kind := range testkit.ConstraintKinds {
				for seed := range int64(testkit.Rounds(4, 100)) {
					c := testkit.RandomConstraint(rand.New(rand.NewSource(seed)), kind, 2)
					g, err := comp.Compile(c.Kind, []byte(c.Text), c.SourceOptions())
					if err != nil {
						continue
					}
					m, err := New(g, Options{})
					require.NoError(t, err)
					least, err := m.MinTokens()
					if err != nil {
						require.Equal(t, diag.Limit, codeOf(err), "%s %s", c.Text, err)
						limited++
						continue
					}
					r := rand.New(rand.NewSource(seed))
					for _, more := range []int{0, 2, 20} {
						for name, sample := range samplers {
							w := &wholeRun{t: t, g: g, r: r, sample: sample, most: least + more}
							w.where = c.Text + " " + c.Options + " " + name + " " + strconv.Itoa(w.most)
							w.run()
							outputs++
						}
					}
				}
			}
		}
	}
	t.Logf("%d outputs; of %d constraints no shortest output was found", outputs, limited)
}

// wholeRun is one output.
type wholeRun struct {
	t      *testing.T
	g      *compiled.Grammar
	r      *rand.Rand
	sample func(r *rand.Rand, v *vocab.Vocabulary, ids []int32) int32
	most   int
	where  string
	every  int // steps between two comparisons of a mask with accept, on average; 0: 8
	ids    []int32
}

func (w *wholeRun) run() {
	t := w.t
	m, err := New(w.g, Options{MaxTokens: w.most})
	require.NoError(t, err, w.where)
	words := w.g.Vocabulary().Words()
	row := make([]uint32, words)
	for !m.Terminated() {
		require.Less(t, len(w.ids), w.most, w.where)
		_, err := m.Fill(row)
		if err != nil && codeOf(err) == diag.Limit {
			free, freeErr := m.Fork()
			require.NoError(t, freeErr)
			require.NoError(t, free.SetMaxTokens(0))
			_, freeErr = free.Fill(row)
			require.Equal(t, err, freeErr, "%s %v: the limit of tokens alone takes too much", w.where, w.ids)
			return
		}
		require.NoError(t, err, "%s %v", w.where, w.ids)
		ids := allowed(row)
		if w.r.Intn(cmp.Or(w.every, 8)) == 0 {
			w.everyToken(m, row)
		}
		id := w.sample(w.r, w.g.Vocabulary(), ids)
		if w.r.Intn(6) == 0 {
			w.chain(m, row, id)
		}
		n, err := m.Accept([]int32{id})
		require.NoError(t, err, w.where)
		require.Equal(t, 1, n, "%s %v %d", w.where, w.ids, id)
		w.ids = append(w.ids, id)
		if w.r.Intn(9) == 0 {
			back := w.r.Intn(len(w.ids) + 1)
			require.NoError(t, m.Rollback(back))
			w.ids = w.ids[:len(w.ids)-back]
			if w.r.Intn(2) == 0 {
				m, err = m.Fork()
				require.NoError(t, err)
			}
		}
	}
	free, err := New(w.g, Options{})
	require.NoError(t, err)
	n, err := free.Accept(w.ids)
	if err != nil && codeOf(err) == diag.Limit { // one call has one budget
		free.Reset()
		for n = 0; n < len(w.ids); n++ {
			if _, err = free.Accept(w.ids[n : n+1]); err != nil {
				break
			}
		}
	}
	require.NoError(t, err, w.where)
	require.Equal(t, len(w.ids), n, w.where)
	require.True(t, free.Terminated(), w.where)
}

// everyToken compares a mask with accept.
func (w *wholeRun) everyToken(m *Matcher, row []uint32) {
	for id := range int32(w.g.Vocabulary().Size()) {
		n, err := m.Validate([]int32{id})
		require.NoError(w.t, err)
		require.Equal(w.t, int(row[id>>5]>>(id&31)&1), n, "%s %v %d", w.where, w.ids, id)
	}
}

// chain compares the rows of a draft chain, of which row is the first, with the rows of a matcher that follows it.
func (w *wholeRun) chain(m *Matcher, row []uint32, id int32) {
	words := len(row)
	f, err := m.Fork()
	require.NoError(w.t, err)
	draft := []int32{id}
	var want []uint32
	for len(draft) < 4 {
		n, err := f.Accept(draft[len(draft)-1:])
		require.NoError(w.t, err)
		require.Equal(w.t, 1, n)
		next := make([]uint32, words)
		if _, err := f.Fill(next); err != nil {
			return
		}
		want = append(want, next...)
		if f.Terminated() {
			break
		}
		ids := allowed(next)
		draft = append(draft, ids[w.r.Intn(len(ids))])
	}
	draft = draft[:len(want)/words]
	rows := Rows{Words: make([]uint32, words*(len(draft)+1)), Stride: words, Width: words}
	n, err := fillChain(m, draft, rows)
	if err != nil && codeOf(err) == diag.Limit {
		return
	}
	require.NoError(w.t, err, w.where)
	require.Equal(w.t, len(draft), n, w.where)
	require.Equal(w.t, row, rows.row(0), w.where)
	require.Equal(w.t, want, rows.Words[words:], w.where)
}

// A text is longer than every token, so a state from which all tokens leave room may have texts that do not.
func TestLimitedTextsAreWhole(t *testing.T) {
	var c vocab.Config
	for b := range 256 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	c.Tokens, c.EndTokens = append(c.Tokens, []byte("</s>")), []uint32{256}
	v, err := vocab.New(c)
	require.NoError(t, err)
	g, err := compiler.New(v, compiler.Config{}).Compile(source.EBNF, []byte(`root ::= "[" root "]" | "x"`), &source.Options{})
	require.NoError(t, err)
	for n := 10; n < 200; n += 10 {
		m, err := New(g, Options{MaxTokens: n})
		require.NoError(t, err)
		for _, k := range []int{n - 1, n, n + 5, 2 * n} {
			ok, err := m.AcceptBytes(bytes.Repeat([]byte("["), k))
			require.NoError(t, err)
			least, err := m.MinTokens()
			require.NoError(t, err)
			require.LessOrEqual(t, least, n-m.Len(), "limit %d, text of %d", n, k)
			if ok {
				require.NoError(t, m.Rollback(1))
			}
		}
	}
}

// An object has as many required keys as its schema says. The keys' terminal is shared by all of them, so shortest
// outputs with hundreds of them are found.
func TestLimitedObjectsOfManyKeysAreWhole(t *testing.T) {
	comp := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	object := func(n int) *compiled.Grammar {
		var properties, required []string
		for i := range n {
			properties = append(properties, fmt.Sprintf(`"property_%d": {"type": "string"}`, i))
			required = append(required, fmt.Sprintf(`"property_%d"`, i))
		}
		g, err := comp.Compile(source.JSONSchema, []byte(`{"type": "object", "properties": {`+
			strings.Join(properties, ",")+`}, "required": [`+strings.Join(required, ",")+`]}`), &source.Options{})
		require.NoError(t, err)
		return g
	}
	g, r := object(90), rand.New(rand.NewSource(1))
	m, err := New(g, Options{})
	require.NoError(t, err)
	least, err := m.MinTokens()
	require.NoError(t, err)
	m, err = New(g, Options{MaxTokens: least + 3})
	require.NoError(t, err)
	row := make([]uint32, g.Vocabulary().Words())
	for range least + 3 {
		if _, err := m.Fill(row); m.Terminated() {
			break
		} else {
			require.NoError(t, err)
		}
		ids := allowed(row)
		n, err := m.Accept([]int32{ids[r.Intn(len(ids))]})
		require.NoError(t, err)
		require.Equal(t, 1, n)
	}
	require.True(t, m.Terminated())

	m, err = New(object(800), Options{})
	require.NoError(t, err)
	_, err = m.MinTokens()
	require.NoError(t, err)
}

// The search for the end of a long output adds more states than a grammar keeps. They stay, so later calls do not search
// again.
func TestLongEndsAreFoundOnce(t *testing.T) {
	comp := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{StateCap: 64})
	g, err := comp.Compile(source.JSONSchema, []byte(`{"type": "object", "required": ["first", "second"], "properties": {`+
		`"first": {"type": "string", "minLength": 200}, "second": {"type": "string", "minLength": 200}}}`), &source.Options{})
	require.NoError(t, err)
	for range 2 {
		m, err := New(g, Options{MaxTokens: 1000})
		require.NoError(t, err)
		row := make([]uint32, g.Vocabulary().Words())
		for range 20 {
			_, err := m.Fill(row)
			require.NoError(t, err)
			n, err := m.Accept(allowed(row)[:1])
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
	}
	require.Greater(t, g.Current().Automaton().Len(), 2*64)
	require.Zero(t, g.Stats().Renewals)
}

// A pattern without anchors takes a limit of tokens also beside a greatest length.
func TestLimitedPatternsBesideALength(t *testing.T) {
	comp := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	spec := `{"type": "string", "pattern": "sha256:[0-9a-f]{64}", "maxLength": 200}`
	g, err := comp.Compile(source.JSONSchema, []byte(spec), &source.Options{})
	require.NoError(t, err)
	m, err := New(g, Options{})
	require.NoError(t, err)
	least, err := m.MinTokens()
	require.NoError(t, err)
	require.Less(t, least, 70)
}
