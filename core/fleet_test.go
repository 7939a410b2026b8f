package core_test

import (
	"fmt"
	"math/bits"
	"math/rand"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// fleet is many sequences of many grammars, as a server holds them.
type fleet struct {
	v        *core.Vocabulary
	matchers []*core.Matcher
	rows     [][]uint32
	seeds    []int64
}

const (
	fleetGrammars = 50
	fleetThreads  = 8
)

func newFleet(tb testing.TB, matchers int) *fleet {
	v := committedVocabulary(tb)
	c := core.NewCompiler(v, core.CompilerConfig{})
	f := &fleet{v: v}
	var grammars []*core.Grammar
	for i := range fleetGrammars {
		kind, spec := core.JSONSchema, fmt.Sprintf(`{"type":"object","properties":{"id%d":{"type":"integer","minimum":%d},
			"names":{"type":"array","items":{"type":"string","maxLength":%d}},"kind":{"enum":["a%d","b","c"]},"next":{"$ref":"#"}},"required":["id%d"]}`, i, i, 5+i, i, i)
		switch i % 5 {
		case 3:
			kind, spec = core.Regex, fmt.Sprintf(`([a-z]{2,%d} ){3,}[0-9]+`, 5+i)
		case 4:
			kind, spec = core.EBNF, fmt.Sprintf("root ::= t (\"+\" t)*\nt ::= \"x%d\" | [0-9]+ | \"(\" root \")\"", i)
		}
		g, err := c.Compile(kind, []byte(spec), nil)
		require.NoError(tb, err, spec)
		grammars = append(grammars, g)
	}
	for i := range matchers {
		m, err := core.NewMatcher(grammars[i%fleetGrammars], core.MatcherOptions{})
		require.NoError(tb, err)
		f.matchers = append(f.matchers, m)
		f.rows = append(f.rows, make([]uint32, v.Words()))
		f.seeds = append(f.seeds, int64(i))
	}
	return f
}

// step fills the row of matcher i and accepts one of its tokens; a matcher that has ended is reset.
func (f *fleet) step(i int) error {
	m, row := f.matchers[i], f.rows[i]
	if m.Terminated() {
		if err := m.Reset(); err != nil {
			return err
		}
	}
	if _, err := m.Fill(row); err != nil {
		return err
	}
	f.seeds[i] = f.seeds[i]*6364136223846793005 + 1442695040888963407
	id := pick(row, int(uint64(f.seeds[i])>>33))
	n, err := m.Accept([]int32{id})
	if err == nil && n != 1 {
		err = fmt.Errorf("token %d of its own mask is not accepted", id)
	}
	return err
}

// pick returns a token of a row: the first one in or after a word.
func pick(row []uint32, at int) int32 {
	for k := range row {
		w := (at + k) % len(row)
		if row[w] != 0 {
			return int32(w<<5 + bits.TrailingZeros32(row[w]))
		}
	}
	return -1
}

// run moves every sequence by n steps, with the sequences divided among threads.
func (f *fleet) run(tb testing.TB, threads, n int) {
	var wg sync.WaitGroup
	share := (len(f.matchers) + threads - 1) / threads
	for t := range threads {
		wg.Go(func() {
			for range n {
				for i := t * share; i < min((t+1)*share, len(f.matchers)); i++ {
					if err := f.step(i); err != nil {
						tb.Errorf("sequence %d: %v", i, err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

// 8 threads fill a thousand matchers of 50 grammars with the masks of one thread. Run with -race.
func TestFleetEqualsSerial(t *testing.T) {
	matchers, steps := 1000, 20
	if testing.Short() {
		matchers, steps = 200, 12
	}
	serial, parallel := newFleet(t, matchers), newFleet(t, matchers)
	r := rand.New(rand.NewSource(1))
	for range steps {
		serial.run(t, 1, 1)
		parallel.run(t, fleetThreads, 1)
		for i := range serial.rows {
			require.Equal(t, serial.rows[i], parallel.rows[i], "sequence %d", i)
		}
		// Sequences come and go on a server: some begin again.
		i := r.Intn(matchers)
		require.NoError(t, serial.matchers[i].Reset())
		require.NoError(t, parallel.matchers[i].Reset())
	}
}

// BenchmarkFleet measures a step of a thousand sequences, with as many threads as -cpu says and with 8, so it shows how
// filling scales with cores. The threads live for many steps, as on a server: starting them takes a tenth of a
// millisecond on an idle core.
//
//	go test ./core -run '^$' -bench Fleet -benchtime 100x -cpu 1,2
func BenchmarkFleet(b *testing.B) {
	f := newFleet(b, 1000)
	f.run(b, 1, 50)
	const steps = 50
	for b.Loop() {
		f.run(b, fleetThreads, steps)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000/steps, "ns/sequence")
}
