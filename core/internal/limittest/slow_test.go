package limittest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// finding is a constraint that costs too much, as in its file.
type finding struct {
	Kind       string `json:"kind"`
	Spec       string `json:"spec"`
	Options    string `json:"options,omitempty"` // as testkit.Constraint has them
	Seed       int64  `json:"seed"`              // of the walk
	Vocabulary string `json:"vocabulary"`
	Cost       cost   `json:"cost"`
	Killed     bool   `json:"killed,omitempty"` // it was not over when the search lost its patience
}

// candidate is a constraint of the search's population, with its score.
type candidate struct {
	testkit.Constraint
	score float64
}

// search grows constraints towards the slowest: it mutates one of the best, or makes a new one, and keeps it if it is
// worse than a kept one of its kind. One goroutine.
type search struct {
	r          *rand.Rand
	kinds      []source.Kind
	size       int
	population map[source.Kind][]candidate
	measure    func(c testkit.Constraint) (score float64, ok bool)
}

// allKinds are the kinds that a search draws from.
var allKinds = append(slices.Clone(testkit.ConstraintKinds), source.Request)

// populationSize is how many constraints of each kind are kept.
const populationSize = 12

// manyRules are the kinds of which the search makes constraints with 30 rules and more.
var manyRules = []source.Kind{source.EBNF, source.Lark, source.StructuralTag}

func (s *search) step() (c testkit.Constraint, score float64) {
	kind := s.kinds[s.r.Intn(len(s.kinds))]
	kept := s.population[kind]
	if len(kept) < populationSize || s.r.Intn(4) == 0 {
		c = testkit.RandomConstraint(s.r, kind, s.size)
		if slices.Contains(manyRules, kind) && s.r.Intn(8) == 0 {
			c = testkit.ManyRules(s.r, kind)
		}
	} else {
		if c = kept[s.r.Intn(len(kept))].Constraint; s.r.Intn(8) == 0 {
			c = example(s.r, kind, s.size)
		}
		for range 1 + s.r.Intn(2) {
			c = testkit.Mutate(s.r, c, s.size)
		}
	}
	score, ok := s.measure(c)
	if ok && len(c.Text) < 4000 {
		kept = append(kept, candidate{c, score})
		slices.SortStableFunc(kept, func(a, b candidate) int { return compare(b.score, a.score) })
		s.population[kind] = kept[:min(len(kept), populationSize)]
	}
	return c, score
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// forget removes a constraint from the population, so that the search looks for others.
func (s *search) forget(c testkit.Constraint) {
	s.population[c.Kind] = slices.DeleteFunc(s.population[c.Kind], func(x candidate) bool { return x.Constraint == c })
}

// TestSlowShort searches with a fixed seed and counts steps alone, so that it fails alike everywhere.
func TestSlowShort(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(true)
	require.NoError(t, err)
	var worst cost
	s := &search{
		r: testkit.Seeded(t, 1), size: 1, population: map[source.Kind][]candidate{},
		kinds: allKinds,
	}
	compilers := compiler.New(v, compiler.Config{})
	s.measure = func(c testkit.Constraint) (float64, bool) {
		m := &meter{begun: func(string, int) {}}
		ok := measure(compilers, c, 1, m)
		if m.worst.score(false) > worst.score(false) {
			worst = m.worst
		}
		return m.worst.score(false), ok
	}
	for range testkit.Rounds(160, 800) {
		if c, score := s.step(); score > 1 {
			t.Errorf("%s %q costs %.1f times what a call may", c.Kind, c.Text, score)
		}
	}
	t.Logf("the worst: %+v", worst)
	require.Positive(t, worst.Steps)
}

const (
	// slowVariable is how many seconds TestSlow searches.
	slowVariable = "SLUICE_SLOW_TIME"
	// slowFileVariable is a finding to run again.
	slowFileVariable = "SLUICE_SLOW_FILE"
	// slowFolderVariable names the folder of findings.
	slowFolderVariable = "SLUICE_SLOW_FOLDER"
	// slowVocabularyVariable names a tokenizer of the shared data, or "small": the committed one.
	slowVocabularyVariable = "SLUICE_SLOW_VOCABULARY"
	// slowKindsVariable names kinds of constraints, with commas between.
	slowKindsVariable = "SLUICE_SLOW_KINDS"
	// slowChildVariable is set in child processes: the vocabulary.
	slowChildVariable = "SLUICE_LIMITTEST_SLOW"
	// slowPatience is the CPU time of a call after which its process is killed.
	slowPatience = 1500 * time.Millisecond
)

// TestSlow searches with a real vocabulary, in child processes that can be killed, for as long as `make lab NAME=slow`
// sets.
func TestSlow(t *testing.T) {
	if file := os.Getenv(slowFileVariable); file != "" {
		runAgain(t, file)
		return
	}
	if os.Getenv(slowVariable) == "" {
		t.Skipf("skipped: `make lab NAME=slow` sets %s", slowVariable)
	}
	seconds, err := strconv.ParseFloat(os.Getenv(slowVariable), 64)
	require.NoError(t, err)
	folder := os.Getenv(slowFolderVariable)
	require.NoError(t, os.MkdirAll(folder, 0o755))
	r := testkit.Seeded(t, time.Now().Unix())
	w := &slowWorker{t: t, vocabulary: bestVocabulary()}
	defer w.stop()
	tried := 0
	var found []finding
	slowest := map[string]finding{} // by kind
	var last finding
	s := &search{r: r, kinds: slowKinds(t), population: map[source.Kind][]candidate{}}
	s.measure = func(c testkit.Constraint) (float64, bool) {
		f, ok := w.run(c, 1)
		if last = f; f.Cost.score(true) <= 1 {
			note(slowest, f)
		}
		return f.Cost.score(true), ok
	}
	for begin := time.Now(); time.Since(begin).Seconds() < seconds; tried++ {
		s.size = 1 + tried%3
		c, score := s.step()
		if score <= 1 {
			continue
		}
		s.forget(c)
		if last = w.again(last); last.Cost.score(true) <= 1 {
			note(slowest, last)
			continue
		}
		small := w.shrink(last)
		found = append(found, small)
		t.Logf("%s", small.write(t, filepath.Join(folder, fmt.Sprintf("%s-%d.json", small.Kind, len(found)))))
	}
	for _, f := range found {
		if f = w.later(f); f.Cost.score(true) > 1 {
			t.Errorf("at other moments, too, %s", f)
		} else {
			t.Logf("no finding at another moment: %s", f)
		}
	}
	for _, f := range slowest {
		t.Logf("the slowest that is no finding: %s", f)
	}
	t.Logf("%d constraints tried, %d looked at again at the end", tried, len(found))
}

// note remembers the slowest call of each kind.
func note(slowest map[string]finding, f finding) {
	if f.Cost.score(true) > slowest[f.Kind].Cost.score(true) {
		slowest[f.Kind] = f
	}
}

// slowKinds returns the kinds to search, all by default: a search among few is not drawn to the worst of all.
func slowKinds(t *testing.T) (kinds []source.Kind) {
	names := os.Getenv(slowKindsVariable)
	if names == "" {
		return allKinds
	}
	for _, name := range strings.Split(names, ",") {
		kind, ok := source.ParseKind(name)
		require.True(t, ok, "%q is no kind", name)
		kinds = append(kinds, kind)
	}
	return kinds
}

func (f finding) write(t *testing.T, path string) string {
	text, err := json.MarshalIndent(f, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o600))
	return fmt.Sprintf("%s (%s)", f, path)
}

func (f finding) String() string {
	over := ""
	if f.Killed {
		over = "more than "
	}
	return fmt.Sprintf("%s after %d tokens took %s%.0f ms, %d steps: %s %q %s",
		f.Cost.Call, f.Cost.After, over, f.Cost.CPU, f.Cost.Steps, f.Kind, f.Spec, f.Options)
}

func (f finding) constraint() testkit.Constraint {
	kind, _ := source.ParseKind(f.Kind)
	return testkit.Constraint{Kind: kind, Text: f.Spec, Options: f.Options}
}

func runAgain(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var f finding
	require.NoError(t, json.Unmarshal(text, &f))
	require.NotZero(t, f.constraint().Kind, "%q is no kind", f.Kind)
	w := &slowWorker{t: t, vocabulary: f.Vocabulary}
	defer w.stop()
	now, _ := w.run(f.constraint(), f.Seed)
	t.Logf("then %+v\nnow %+v, killed: %t", f.Cost, now.Cost, now.Killed)
	require.LessOrEqual(t, now.Cost.score(true), 1.0)
}

// bestVocabulary returns the name of the vocabulary: the given one, else Llama 3.1's if the data exists, else the
// committed one.
func bestVocabulary() string {
	if name := os.Getenv(slowVocabularyVariable); name != "" {
		return name
	}
	if files, _ := filepath.Glob("../../../../shared/data/tokenizers/llama3_1.json.gz"); len(files) > 0 {
		return "llama3_1"
	}
	return "small"
}

func loadVocabulary(t *testing.T, name string) *vocab.Vocabulary {
	if name == "small" {
		return testkit.CommittedTokenizer(t)
	}
	return testkit.Tokenizer(t, name)
}

// question is a question to a child process.
type question struct {
	testkit.Constraint
	Seed int64
}

// TestSlowChild answers questions, a line each, until there are no more.
func TestSlowChild(t *testing.T) {
	name := os.Getenv(slowChildVariable)
	if name == "" {
		t.Skip("skipped: it runs in child processes of TestSlow")
	}
	v := loadVocabulary(t, name)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	c := compiler.New(v, compiler.Config{})
	for in.Scan() {
		var q question
		require.NoError(t, json.Unmarshal(in.Bytes(), &q))
		c.Forget()
		runtime.GC() // garbage of earlier questions is not collected during this one
		m := &meter{byTime: true, begun: func(call string, after int) { fmt.Println("begin", call, after) }}
		ok := measure(c, q.Constraint, q.Seed, m)
		answer, err := json.Marshal(m.worst)
		require.NoError(t, err)
		fmt.Println("done", ok, string(answer))
	}
}

// slowWorker sends questions to a child process and kills it if a call does not end. One goroutine.
type slowWorker struct {
	t          *testing.T
	vocabulary string
	child      *exec.Cmd
	ask        *json.Encoder
	lines      chan string
}

func (w *slowWorker) start() {
	w.child = exec.Command(os.Args[0], "-test.run=^TestSlowChild$", "-test.v")
	w.child.Env = append(os.Environ(), slowChildVariable+"="+w.vocabulary, "GOMEMLIMIT=2GiB", "GOMAXPROCS=1")
	in, err := w.child.StdinPipe()
	require.NoError(w.t, err)
	out, err := w.child.StdoutPipe()
	require.NoError(w.t, err)
	require.NoError(w.t, w.child.Start())
	w.ask, w.lines = json.NewEncoder(in), make(chan string)
	go read(out, w.lines)
}

// cpu returns the CPU time of the child, in the ticks of /proc, or the time of day without /proc.
func (w *slowWorker) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.child.Process.Pid))
	_, rest, ok := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if err != nil || !ok || len(fields) < 13 {
		return time.Duration(time.Now().UnixNano())
	}
	ticks := 0
	for _, f := range fields[11:13] { // user and system
		n, err := strconv.Atoi(f)
		require.NoError(w.t, err)
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}

func (w *slowWorker) stop() {
	if w.child == nil {
		return
	}
	_ = w.child.Process.Kill() // it may be gone already
	for range w.lines {
	}
	_ = w.child.Wait() // it was killed
	w.child = nil
}

// again measures a finding three times, each in a process of its own, and returns the cheapest: garbage of other
// constraints does not count.
func (w *slowWorker) again(f finding) finding {
	best := f
	for range 3 {
		w.stop()
		now, _ := w.run(f.constraint(), f.Seed)
		if now.Cost.score(true) < best.Cost.score(true) {
			best = now
		}
	}
	return best
}

// later measures a finding again after the search, at several moments, and returns the cheapest: the work of a call is
// constant, while a shared machine may be slower by half for minutes.
func (w *slowWorker) later(f finding) finding {
	for i := 0; i < laterMoments && f.Cost.score(true) > 1; i++ {
		time.Sleep(laterPause)
		f = w.again(f)
	}
	return f
}

// The number of later measurements, and the pause before each.
const (
	laterMoments = 5
	laterPause   = 20 * time.Second
)

// run measures a constraint. ok is false if it does not compile.
func (w *slowWorker) run(c testkit.Constraint, seed int64) (f finding, ok bool) {
	if w.child == nil {
		w.start()
	}
	f = finding{Kind: c.Kind.String(), Spec: c.Text, Options: c.Options, Seed: seed, Vocabulary: w.vocabulary}
	require.NoError(w.t, w.ask.Encode(question{c, seed}))
	spent := w.cpu()
	for {
		select {
		case line, open := <-w.lines:
			require.True(w.t, open, "the child process died of %s %q, in %+v", c.Kind, c.Text, f.Cost)
			if rest, begins := strings.CutPrefix(line, "begin "); begins {
				spent = w.cpu()
				_, err := fmt.Sscan(rest, &f.Cost.Call, &f.Cost.After)
				require.NoError(w.t, err)
			} else if rest, over := strings.CutPrefix(line, "done "); over {
				done, answer, _ := strings.Cut(rest, " ")
				require.NoError(w.t, json.Unmarshal([]byte(answer), &f.Cost))
				return f, done == "true"
			}
		case <-time.After(slowPatience / 4):
			now := w.cpu()
			if f.Cost.Call == "" || now-spent < slowPatience {
				continue // the machine is busy with something else
			}
			w.stop()
			f.Killed, f.Cost.CPU = true, float64((now - spent).Milliseconds())
			return f, true
		}
	}
}

// shrinkTime is how long smaller constraints are tried for one finding.
const shrinkTime = 40 * time.Second

// shrink returns the smallest constraint found that still costs too much.
func (w *slowWorker) shrink(f finding) finding {
	for begin, smaller := time.Now(), true; smaller; {
		smaller = false
		for _, c := range testkit.Shrink(f.constraint()) {
			if time.Since(begin) > shrinkTime {
				break
			}
			if now, _ := w.run(c, f.Seed); now.Cost.score(true) > 1 {
				f, smaller = now, true
				break
			}
		}
	}
	return f
}
