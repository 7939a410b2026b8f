package testkit

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Shared returns the path of a file of the data folder ../shared beside the checkout. It looks for it from the test's
// folder upwards, and skips the test, with the reason printed, if there is none.
func Shared(t testing.TB, path ...string) string {
	t.Helper()
	name := filepath.Join(append([]string{"shared"}, path...)...)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return filepath.Join(dir, name)
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skipf("skipped: there is no %s beside the checkout", name)
		}
		dir = up
	}
}

// Tokenizer loads a vocabulary of ../shared/data/tokenizers, for example "llama3_1".
func Tokenizer(t testing.TB, name string) *vocab.Vocabulary {
	t.Helper()
	v, err := vocab.FromFile(Shared(t, "data", "tokenizers", name+".json.gz"), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// CommittedTokenizer loads the 32k vocabulary that the project carries.
func CommittedTokenizer(t testing.TB) *vocab.Vocabulary {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		path := filepath.Join(dir, "tests", "data", "tokenizer.json.gz")
		if _, err := os.Stat(path); err == nil {
			v, err := vocab.FromFile(path, vocab.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("tests/data/tokenizer.json.gz is missing from the checkout")
		}
		dir = up
	}
}

// Job is one line of MaskBench or of BFCL: a constraint, and outputs that it must accept or reject.
type Job struct {
	ID     string
	Kind   string // "json_schema" or "structural_tag"
	Spec   []byte
	Accept [][]byte
	Reject [][]byte
}

// Jobs reads every step-th line of a file of ../shared/data, "maskbench/dev.jsonl.gz" or "bfcl/dev.jsonl.gz", beginning
// with the first.
func Jobs(t testing.TB, step int, path ...string) []Job {
	t.Helper()
	f, err := os.Open(Shared(t, append([]string{"data"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReaderSize(z, 1<<20)
	var jobs []Job
	for n := 0; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 && n%step == 0 {
			jobs = append(jobs, readJob(t, line))
		}
		if err == io.EOF {
			return jobs
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func readJob(t testing.TB, line []byte) Job {
	t.Helper()
	var raw struct {
		ID     string          `json:"id"`
		Schema json.RawMessage `json:"schema"`
		Kind   string          `json:"kind"`
		Spec   string          `json:"spec"`
		Tests  []struct {
			Valid bool            `json:"valid"`
			Data  json.RawMessage `json:"data"`
			Text  *string         `json:"text"`
		} `json:"tests"`
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		t.Fatal(err)
	}
	j := Job{ID: raw.ID, Kind: raw.Kind, Spec: []byte(raw.Spec)}
	if raw.Schema != nil {
		j.Kind, j.Spec = "json_schema", raw.Schema
	}
	for _, x := range raw.Tests {
		text := Separated(x.Data)
		if x.Text != nil {
			text = []byte(*x.Text)
		}
		if x.Valid {
			j.Accept = append(j.Accept, text)
		} else {
			j.Reject = append(j.Reject, text)
		}
	}
	return j
}

// Separated returns JSON text with one space after each comma and colon and no other whitespace, the form of
// MaskBench's instances. Members keep their order, and strings and numbers their spelling.
func Separated(text []byte) []byte {
	var b bytes.Buffer
	quoted, escaped := false, false
	for _, c := range text {
		switch {
		case quoted:
			b.WriteByte(c)
			if c == '"' && !escaped {
				quoted = false
			}
			escaped = c == '\\' && !escaped
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
		default:
			b.WriteByte(c)
			quoted = c == '"'
			if c == ',' || c == ':' {
				b.WriteByte(' ')
			}
		}
	}
	return b.Bytes()
}
