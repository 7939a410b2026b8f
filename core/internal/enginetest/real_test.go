package enginetest

import (
	"math/rand"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/testkit/engine"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Masks on real vocabularies use the token sets of terminals, their escapes and thresholds, which small vocabularies do
// not reach.

// compileJob compiles one line of a benchmark; nil if it is refused.
func compileJob(t testing.TB, c *compiler.Compiler, j *testkit.Job) *compiled.Grammar {
	t.Helper()
	kind, ok := source.ParseKind(j.Kind)
	require.True(t, ok, j.Kind)
	g, err := c.Compile(kind, j.Spec, &source.Options{})
	if err != nil {
		return nil
	}
	return g
}

// Sampled states of MaskBench and BFCL constraints, on every kind of vocabulary: the mask equals a trial of every
// token.
func TestMaskEqualsAcceptOnRealVocabularies(t *testing.T) {
	for name, step := range map[string]int{
		"llama3_1": 230, "qwen2_5": 1100, "gemma3": 1700, "llama2": 900, "gpt4o": 1700,
	} {
		t.Run(name, func(t *testing.T) {
			v := testkit.Tokenizer(t, name)
			r := testkit.Seeded(t, 7)
			step := max(step/testkit.Rounds(1, 20), 1)
			jobs := append(testkit.Jobs(t, step, "maskbench", "dev.jsonl.gz"),
				testkit.Jobs(t, step, "bfcl", "dev.jsonl.gz")...)
			sampleMasks(t, r, v, jobs)
		})
	}
}

// The same on the committed vocabulary, which exists on every machine.
func TestMaskEqualsAcceptOnCommittedVocabulary(t *testing.T) {
	r := testkit.Seeded(t, 8)
	sampleMasks(t, r, testkit.CommittedTokenizer(t), builtinJobs())
}

func sampleMasks(t *testing.T, r *rand.Rand, v *vocab.Vocabulary, jobs []testkit.Job) {
	t.Helper()
	c := compiler.New(v, compiler.Config{})
	cut := testkit.NewTokenizing(v)
	row := make([]uint32, v.Words())
	compiled, compared := 0, 0
	for _, j := range jobs {
		g := compileJob(t, c, &j)
		if g == nil {
			continue
		}
		compiled++
		for _, text := range append(j.Accept, j.Reject...) {
			ids, ok := cut.Cut(text)
			if !ok || len(ids) == 0 {
				continue
			}
			m, err := matcher.New(g, matcher.Options{})
			require.NoError(t, err)
			at := r.Intn(len(ids))
			n, err := m.Accept(ids[:at])
			require.NoError(t, err)
			where := func() string { return j.ID + " after " + string(bytesOf(v, ids[:n])) }
			engine.EveryBit(t, v, m, row, where)
			compared++
			break
		}
	}
	t.Logf("%d of %d constraints compiled, %d masks compared bit by bit", compiled, len(jobs), compared)
	require.Positive(t, compared)
}

func bytesOf(v *vocab.Vocabulary, ids []int32) []byte {
	var b []byte
	for _, id := range ids {
		b = append(b, v.Bytes(uint32(id))...)
	}
	return b
}

// Every output that masks allow can be completed: from every state of a random walk, a search finds an end.
func TestRandomGenerationCanEnd(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	c := compiler.New(v, compiler.Config{})
	r := testkit.Seeded(t, 9)
	for _, j := range builtinJobs() {
		g := compileJob(t, c, &j)
		require.NotNil(t, g, j.ID)
		for range testkit.Rounds(2, 100) {
			m, err := matcher.New(g, matcher.Options{})
			require.NoError(t, err)
			walkAndEnd(t, r, v, g, m, j.ID)
		}
	}
}

// walkAndEnd takes random allowed tokens, looks for a completion every few tokens, and follows the last one found.
func walkAndEnd(t *testing.T, r *rand.Rand, v *vocab.Vocabulary, g *compiled.Grammar, m *matcher.Matcher, id string) {
	t.Helper()
	var said, rest []byte
	row := make([]uint32, v.Words())
	for n := range 1 + r.Intn(40) {
		engine.Fill(t, m, row, func() string { return id + " after " + string(said) })
		next := testkit.Pick(r, row, func(x uint32) bool { return len(v.Bytes(x)) > 0 && !v.IsEnd(x) })
		if v.IsEnd(next) {
			return
		}
		k, err := m.Accept([]int32{int32(next)})
		require.NoError(t, err)
		require.Equal(t, 1, k, "%s: the mask allowed token %d %q after %q", id, next, v.Bytes(next), said)
		said = append(said, v.Bytes(next)...)
		if n%5 == 0 {
			rest = engine.Completion(t, g, said, id)
			require.NotNil(t, rest, "%s: no completion of %q is near", id, said)
			f, err := m.Fork()
			require.NoError(t, err)
			ok, err := f.AcceptBytes(rest)
			require.NoError(t, err)
			require.True(t, ok && f.Completed(), "%s: %q completes %q", id, rest, said)
		}
	}
}

// Rollback by k undoes k steps; a fork is independent; cold masks equal cached ones.
func TestRollbackForkAndMemo(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	r := testkit.Seeded(t, 10)
	warm := compiler.New(v, compiler.Config{})
	for _, j := range builtinJobs() {
		g := compileJob(t, warm, &j)
		require.NotNil(t, g, j.ID)
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(t, err)
		trail := walkRows(t, r, v, m, 40)
		// Every row on the way back equals the row on the way there.
		row := make([]uint32, v.Words())
		for k := len(trail) - 1; k > 0; k -= 1 + r.Intn(3) {
			back := len(trail) - 1 - k
			f, err := m.Fork()
			require.NoError(t, err)
			require.NoError(t, f.Rollback(back))
			_, err = f.Fill(row)
			require.NoError(t, err)
			require.Equal(t, trail[k].row, row, "%s, %d steps back", j.ID, back)
		}
		// Cold: an empty compiler, and one with a cap that makes it forget.
		for _, config := range []compiler.Config{{}, {StateCap: 10, StoreBytes: 1}} {
			cold := compileJob(t, compiler.New(v, config), &j)
			require.NotNil(t, cold)
			n, err := matcher.New(cold, matcher.Options{})
			require.NoError(t, err)
			for k, s := range trail {
				_, err = n.Fill(row)
				require.NoError(t, err)
				require.Equal(t, s.row, row, "%s, cold, step %d", j.ID, k)
				if k+1 < len(trail) {
					took, err := n.Accept([]int32{s.id})
					require.NoError(t, err)
					require.Equal(t, 1, took)
				}
			}
		}
	}
}

// step is the mask before a token and the token taken.
type step struct {
	row []uint32
	id  int32
}

// walkRows takes up to n random tokens that do not end the output, and returns the masks before and after them.
func walkRows(t *testing.T, r *rand.Rand, v *vocab.Vocabulary, m *matcher.Matcher, n int) []step {
	t.Helper()
	var trail []step
	for range n {
		row := make([]uint32, v.Words())
		engine.Fill(t, m, row, func() string { return "a walk" })
		id := testkit.Pick(r, row, nil)
		if v.IsEnd(id) {
			return append(trail, step{row, -1})
		}
		k, err := m.Accept([]int32{int32(id)})
		require.NoError(t, err)
		require.Equal(t, 1, k)
		trail = append(trail, step{row, int32(id)})
	}
	row := make([]uint32, v.Words())
	engine.Fill(t, m, row, func() string { return "a walk" })
	return append(trail, step{row, -1})
}

// Many goroutines, each with its matchers, on shared grammars: masks equal the serial ones. Run with -race.
func TestConcurrentEqualsSerial(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	r := testkit.Seeded(t, 11)
	jobs := builtinJobs()
	serial := compiler.New(v, compiler.Config{})
	trails := make([][]step, len(jobs))
	for i := range jobs {
		m, err := matcher.New(compileJob(t, serial, &jobs[i]), matcher.Options{})
		require.NoError(t, err)
		trails[i] = walkRows(t, r, v, m, 25)
	}
	for _, config := range []compiler.Config{{}, {StateCap: 50, StoreBytes: 1 << 20}} {
		shared := compiler.New(v, config)
		var wg sync.WaitGroup
		for worker := range 8 {
			wg.Go(func() {
				row := make([]uint32, v.Words())
				for k := range jobs {
					i := (k + worker) % len(jobs)
					replay(t, shared, &jobs[i], trails[i], row)
				}
			})
		}
		wg.Wait()
	}
}

func replay(t *testing.T, c *compiler.Compiler, j *testkit.Job, trail []step, row []uint32) {
	m, err := matcher.New(compileJob(t, c, j), matcher.Options{})
	if err != nil {
		t.Error(err)
		return
	}
	for k, s := range trail {
		if _, err := m.Fill(row); err != nil {
			t.Errorf("%s, step %d: %v", j.ID, k, err)
			return
		}
		for w := range row {
			if row[w] != s.row[w] {
				t.Errorf("%s, step %d: word %d of the mask is %08x, alone it is %08x", j.ID, k, w, row[w], s.row[w])
				return
			}
		}
		if s.id < 0 {
			return
		}
		if n, err := m.Accept([]int32{s.id}); n != 1 || err != nil {
			t.Errorf("%s, step %d: token %d is not accepted: %v", j.ID, k, s.id, err)
			return
		}
	}
}
