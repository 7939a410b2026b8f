package jsonschema_test

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// shared returns a path in the folder of data beside the repository, or skips.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "..", "..", "shared", "data"}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the data beside the repository is not here: %v", err)
	}
	return path
}

// dump writes a value with ", " and ": ", characters as they are, numbers as they were written: the text that the
// harness beside the data measures engines with.
func dump(b *strings.Builder, t *jsontext.Tree, v jsontext.ID) {
	n := t.Node(v)
	switch n.Kind {
	case jsontext.String:
		quoteInto(b, n.Text)
	case jsontext.Array, jsontext.Object:
		open, end := "[", "]"
		if n.Kind == jsontext.Object {
			open, end = "{", "}"
		}
		b.WriteString(open)
		for c := n.First; c != 0; c = t.Node(c).Next {
			if c != n.First {
				b.WriteString(", ")
			}
			if n.Kind == jsontext.Object {
				quoteInto(b, t.Node(c).Key)
				b.WriteString(": ")
			}
			dump(b, t, c)
		}
		b.WriteString(end)
	default:
		b.WriteString(t.Raw(v))
	}
}

func quoteInto(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case '\b':
			b.WriteString(`\b`)
		case '\f':
			b.WriteString(`\f`)
		default:
			if r < 0x20 {
				fmt.Fprintf(b, `\u%04x`, r)
			} else {
				b.WriteRune(r)
			}
		}
	}
	b.WriteByte('"')
}

// runner compiles schemas and runs instances through the automaton.
type runner struct {
	st *terminal.Store
	a  *pushdown.Automaton
}

func (r *runner) accepts(text string) bool {
	return r.a.Accepts(r.a.StepBytes(r.a.Start(), []byte(text)))
}

// reach returns how many bytes of text are accepted.
func (r *runner) reach(text string) int {
	s := r.a.Start()
	for i := range len(text) {
		if s = r.a.Step(s, text[i]); s == pushdown.Dead {
			return i
		}
	}
	return len(text)
}

func compile(st *terminal.Store, schema string, o *source.Options) (*runner, []diag.Note, error) {
	g, notes, err := jsonschema.Compile(st, []byte(schema), o)
	if err != nil {
		return nil, nil, err
	}
	p, err := pushdown.NewProgram(st, g)
	if err != nil {
		return nil, nil, fmt.Errorf("linking: %w", err)
	}
	return &runner{st, pushdown.NewAutomaton(p)}, notes, nil
}

// hasWider says whether a note admits that more is accepted than was written. That undeclared keys may come twice is no
// excuse here: no instance has one twice.
func hasWider(notes []diag.Note) bool {
	return slices.ContainsFunc(notes, func(n diag.Note) bool {
		return n.Effect == diag.Wider && !strings.Contains(n.Text, "may come twice")
	})
}

type job struct {
	id, schema string
	texts      []string
	valid      []bool
}

func readJobs(t testing.TB, path string) []job {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	in := bufio.NewReaderSize(z, 1<<20)
	var jobs []job
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 {
			return jobs
		}
		if err == nil {
			line = line[:len(line)-1]
		}
		var tree jsontext.Tree
		root, err := tree.Read(line, "job")
		if err != nil {
			continue // an instance that is no JSON text (half a surrogate pair)
		}
		j := job{id: tree.Node(tree.Get(root, "id")).Text}
		var b strings.Builder
		dump(&b, &tree, tree.Get(root, "schema"))
		j.schema = b.String()
		for c := tree.Node(tree.Get(root, "tests")).First; c != 0; c = tree.Node(c).Next {
			b.Reset()
			dump(&b, &tree, tree.Get(c, "data"))
			j.texts = append(j.texts, b.String())
			j.valid = append(j.valid, tree.Kind(tree.Get(c, "valid")) == jsontext.True)
		}
		jobs = append(jobs, j)
	}
}

// TestMaskBench compiles every schema of the benchmark and checks its instances. SLUICE_REPORT=file writes a line for
// every schema that is not fully right.
func TestMaskBench(t *testing.T) {
	t.Run("declared order", func(t *testing.T) { runMaskBench(t, nil) })
	t.Run("any order", func(t *testing.T) { runMaskBench(t, &source.Options{AnyOrder: true}) })
}

func runMaskBench(t *testing.T, o *source.Options) {
	if testing.Short() {
		t.Skip("takes half a minute; run without -short")
	}
	jobs := readJobs(t, shared(t, "maskbench", "dev.jsonl.gz"))
	var report *os.File
	if name := os.Getenv("SLUICE_REPORT"); name != "" {
		var err error
		if o != nil {
			name += ".any"
		}
		report, err = os.Create(name)
		require.NoError(t, err)
		defer report.Close()
	}
	say := func(format string, args ...any) {
		if report != nil {
			fmt.Fprintf(report, format+"\n", args...)
		}
	}
	counts := map[string]int{}
	var times []time.Duration
	st := terminal.NewStore()
	for _, j := range jobs {
		if st.Len() > 2_000_000 {
			st = terminal.NewStore()
		}
		start := time.Now()
		_, _, err := jsonschema.Compile(st, []byte(j.schema), o)
		took := time.Since(start)
		if took > 50*time.Millisecond {
			say("SLOW %s %v %d bytes", j.id, took, len(j.schema))
		}
		var d *diag.Error
		if errors.As(err, &d) {
			counts["refused: "+d.Code.String()]++
			say("REFUSED %s %v", j.id, err)
			continue
		}
		require.NoError(t, err)
		times = append(times, took)
		r, notes, err := compile(st, j.schema, o)
		if err != nil {
			counts["not linked"]++
			say("LINK %s %v", j.id, err)
			continue
		}
		right := true
		for i, text := range j.texts {
			ok := r.accepts(text)
			if ok == j.valid[i] {
				continue
			}
			if right {
				right = false
				if j.valid[i] {
					counts["valid rejected"]++
					n := r.reach(text)
					say("REJECTED %s at %d: %s<<<%s", j.id, n, text[max(0, n-60):n], text[n:min(len(text), n+30)])
				} else if hasWider(notes) {
					counts["invalid accepted, with notes"]++
					say("NOTED %s %s %v", j.id, text, notes)
				} else {
					counts["invalid accepted"]++
					say("ACCEPTED %s %s", j.id, text)
				}
			}
		}
		if right {
			counts["fully right"]++
		}
	}
	slices.Sort(times)
	var lines []string
	for k, n := range counts {
		lines = append(lines, fmt.Sprintf("%6d %5.1f%% %s", n, 100*float64(n)/float64(len(jobs)), k))
	}
	slices.Sort(lines)
	t.Logf("%d schemas\n%s", len(jobs), strings.Join(lines, "\n"))
	at := func(p float64) time.Duration { return times[int(p*float64(len(times)-1))] }
	t.Logf("compile p50 %v p90 %v p99 %v p99.9 %v max %v", at(.5), at(.9), at(.99), at(.999), at(1))
	require.Zero(t, counts["invalid accepted"])
}
