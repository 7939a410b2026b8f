package limittest

import (
	"bufio"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// kinds is the mix of kinds that shards are made of.
var kinds = []source.Kind{
	source.EBNF, source.Regex, source.JSONSchema, source.StructuralTag, source.EBNF,
	source.Regex, source.JSONSchema, source.Lark, source.StructuralTag, source.Choice, source.Lark, source.Request,
}

// configs are the configurations of the compilers of shards, with unchanged limits.
var configs = []struct {
	name   string
	config compiler.Config
}{
	{"the default limits", compiler.Config{}},
	{"low limits", compiler.Config{Budgets: &limits.Budgets{
		Expression: 200, Search: 15_000, Transition: 300, Booleans: 50, Mask: 20_000, Compile: 40_000,
	}}},
	{"limits between the two", compiler.Config{Budgets: &limits.Budgets{
		Expression: 2000, Search: 150_000, Transition: 3000, Booleans: 500, Mask: 300_000,
	}}},
}

// shard is a range of random subjects, each a function of the seed and its number.
type shard struct {
	seed     int64
	from, to int
	config   int // of configs
	wide     bool
	size     int
}

func (s shard) String() string {
	return fmt.Sprintf("%d %d %d %d %t %d", s.seed, s.from, s.to, s.config, s.wide, s.size)
}

func parseShard(text string) (s shard, err error) {
	_, err = fmt.Sscanf(text, "%d %d %d %d %t %d", &s.seed, &s.from, &s.to, &s.config, &s.wide, &s.size)
	return s, err
}

// make returns the shard's subjects with the answers of fresh compilers.
func (s shard) make(t testing.TB, at func(i int, what string)) (*problem, []*answers) {
	v, err := testkit.ConstraintVocabulary(s.wide)
	require.NoError(t, err)
	p := &problem{v: v, config: configs[s.config].config, r: rand.New(rand.NewSource(s.seed)), at: at}
	var want []*answers
	for i := s.from; i < s.to; i++ {
		at(i, "fresh")
		r := rand.New(rand.NewSource(s.seed*1_000_003 + int64(i)))
		x, a := choose(r, compiler.New(v, p.config), testkit.RandomConstraint(r, kinds[i%len(kinds)], s.size))
		at(i, over)
		x.number = i
		p.subjects, want = append(p.subjects, x), append(want, a)
	}
	return p, want
}

// check collects answers about all subjects in every regime and returns the differences from the expected ones.
func check(p *problem, want []*answers) (findings []string) {
	found := func(i int, format string, args ...any) {
		s := p.subjects[i]
		what := fmt.Sprintf(format, args...)
		findings = append(findings, fmt.Sprintf("%d, %s %q %s, walks %v: %s",
			s.number, s.Kind, s.Text, s.Options, s.walks, what))
	}
	for i, a := range want {
		if c := a.contradiction(p.v); c != "" {
			found(i, "fresh: %s", c)
		}
	}
	for _, g := range regimes {
		got := g.answer(p)
		for i, a := range got {
			if d := differ(want[i], a, !g.renews); d != "" {
				found(i, "%s: %s", g.name, d)
			} else if c := a.contradiction(p.v); c != "" {
				found(i, "%s: %s", g.name, c)
			}
		}
		if d := sharedNames(got); d != "" && g.name != regimes[0].name { // names belong to one compiler
			findings = append(findings, g.name+": "+d)
		}
	}
	return findings
}

const (
	// shardVariable is set in child processes: a shard, and the action on it.
	shardVariable = "SLUICE_LIMITTEST_SHARD"
	// countVariable is the number of subjects of TestDeterminismLong.
	countVariable = "SLUICE_DETERMINISM"
)

// shortRun is the number of subjects of `go test`.
var shortRun = []shard{
	{seed: 1, to: 56, size: 1},
	{seed: 2, to: 16, size: 1, wide: true},
	{seed: 1, to: 56, config: 1, size: 1},
	{seed: 2, to: 16, config: 1, size: 1, wide: true},
	{seed: 1, from: 56, to: 100, config: 2, size: 1},
}

// Two hundred constraints have the same answers in every regime, and in another process; with -short about a quarter of
// them.
func TestDeterminism(t *testing.T) {
	compiles := map[bool]int{}
	for _, s := range shortRun {
		if testing.Short() {
			s.to = s.from + (s.to-s.from)/4
		}
		p, want := s.make(t, func(int, string) {})
		for _, a := range want {
			if s.config == 0 {
				compiles[strings.HasPrefix(a.verdict, "ok")]++
			}
		}
		for _, f := range check(p, want) {
			t.Errorf("%s", f)
		}
		child := exec.Command(os.Args[0], "-test.run=^TestShard$", "-test.v")
		child.Env = append(os.Environ(), shardVariable+"=digest "+s.String(), "GOGC=20")
		out, err := child.Output()
		require.NoError(t, err, string(out))
		digests := tagged(string(out), "digest ")
		require.Len(t, digests, len(want))
		for i, a := range want {
			require.Equal(t, a.digest(), digests[i], "another process answers otherwise: %s", p.subjects[i].Text)
		}
	}
	require.Greater(t, compiles[true], compiles[false], "most constraints should compile")
}

// tagged returns the rest of the lines that begin with tag.
func tagged(text, tag string) (out []string) {
	for _, line := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(line, tag); ok {
			out = append(out, rest)
		}
	}
	return out
}

// TestShard is the test that child processes run.
func TestShard(t *testing.T) {
	what, text, _ := strings.Cut(os.Getenv(shardVariable), " ")
	if what == "" {
		t.Skip("skipped: it runs in child processes of the other tests")
	}
	s, err := parseShard(text)
	require.NoError(t, err)
	p, want := s.make(t, func(i int, what string) { fmt.Println("at", i, what) })
	if what == "digest" {
		for _, a := range want {
			fmt.Println("digest", a.digest())
		}
		return
	}
	p.at = func(i int, what string) { fmt.Println("at", i, what) }
	for _, f := range check(p, want) {
		fmt.Println("finding", f)
	}
}

// A child process tells which subjects it is asking about, so that its parent leaves out the right one: as many as
// there are goroutines, and none at the end.
func TestRunningSubjects(t *testing.T) {
	p, want := shard{seed: 3, to: 4, size: 1}.make(t, func(int, string) {})
	var mu sync.Mutex
	running, most := map[int]int{}, 0
	p.at = func(i int, what string) {
		mu.Lock()
		defer mu.Unlock()
		if what != over {
			running[i]++
		} else if running[i]--; running[i] == 0 {
			delete(running, i)
		}
		sum := 0
		for _, n := range running {
			sum += n
		}
		most = max(most, sum)
	}
	for _, workers := range []int{1, 4} {
		most = 0
		require.Len(t, p.together(p.config, workers), len(want))
		require.Empty(t, running)
		require.Positive(t, most)
		require.LessOrEqual(t, most, workers)
	}
}

const (
	shardSize = 40
	// patience is the longest silence of a child process: a slower constraint is a matter for TestSlow, and is skipped.
	patience = time.Minute
)

// TestDeterminismLong checks as many subjects as `make lab NAME=determinism` sets, of all sizes, in child processes.
func TestDeterminismLong(t *testing.T) {
	if os.Getenv(countVariable) == "" {
		t.Skipf("skipped: `make lab NAME=determinism` sets %s", countVariable)
	}
	count, err := strconv.Atoi(os.Getenv(countVariable))
	require.NoError(t, err)
	seed := testkit.Seeded(t, time.Now().Unix()).Int63n(1 << 31)
	findings, slow := 0, 0
	for from := 0; from < count; from += shardSize {
		n := from / shardSize
		size := n / len(configs) % 3
		s := shard{seed, from, from + shardSize, n % len(configs), size == 2, 1 + size}
		found, left := s.checkInParts(t)
		for _, f := range found {
			t.Errorf("%s: %s", configs[s.config].name, f)
		}
		for _, i := range left {
			r := rand.New(rand.NewSource(s.seed*1_000_003 + int64(i)))
			c := testkit.RandomConstraint(r, kinds[i%len(kinds)], s.size)
			t.Logf("left out, as it takes longer than %v: %s %q %s", patience, c.Kind, c.Text, c.Options)
		}
		findings, slow = findings+len(found), slow+len(left)
	}
	t.Logf("%d constraints asked about, %d findings, %d left out", count, findings, slow)
}

// checkInParts returns the findings of a shard, and the subjects that it leaves out because they take too long. It
// checks all others, before and after such a subject, in child processes of their own.
func (s shard) checkInParts(t *testing.T) (findings []string, left []int) {
	if s.from == s.to {
		return nil, nil
	}
	findings, stuck := s.run(t)
	if stuck < 0 {
		return findings, nil
	}
	before, after := s, s
	before.to, after.from = stuck, stuck+1
	findings, left = before.checkInParts(t)
	more, leftMore := after.checkInParts(t)
	return append(findings, more...), append(append(left, stuck), leftMore...)
}

// run runs a shard in a child process and returns its findings, and the subject at which it got stuck, or -1. Of the
// subjects of several goroutines it is the one that began first.
func (s shard) run(t *testing.T) (findings []string, stuck int) {
	child := exec.Command(os.Args[0], "-test.run=^TestShard$", "-test.v")
	child.Env = append(os.Environ(), shardVariable+"=check "+s.String())
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	child.Stderr = os.Stderr
	require.NoError(t, child.Start())
	lines := make(chan string)
	go read(out, lines)
	var running []int
	silent := time.NewTimer(patience)
	for {
		select {
		case line, open := <-lines:
			if !open {
				require.NoError(t, child.Wait())
				return findings, -1
			}
			silent.Reset(patience)
			if rest, ok := strings.CutPrefix(line, "at "); ok {
				number, what, _ := strings.Cut(rest, " ")
				i, err := strconv.Atoi(number)
				require.NoError(t, err)
				if what != over {
					running = append(running, i)
				} else if k := slices.Index(running, i); k >= 0 {
					running = slices.Delete(running, k, k+1)
				}
			} else if f, ok := strings.CutPrefix(line, "finding "); ok {
				findings = append(findings, f)
			}
		case <-silent.C:
			require.NoError(t, child.Process.Kill())
			for range lines { // until the pipe is closed
			}
			_ = child.Wait() // it was killed
			require.NotEmpty(t, running, "the process is silent, but asks about no constraint: %s", s)
			return findings, running[0]
		}
	}
}

func read(in io.Reader, lines chan<- string) {
	defer close(lines)
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		lines <- strings.TrimSuffix(line, "\n")
	}
}
