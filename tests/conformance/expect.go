package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// expectation lists the cases that are known not to pass in a run: the content of a file of expected/, one fact a line.
//
//	total   tests=927 right=876 refused=46 rejected=5 accepted=0
//	reason  unsupported/uniqueItems: that items differ cannot be enforced …
//	case    uniqueItems.json#0 refused unsupported/uniqueItems
//
// A case is a schema (refused) or one of its instances (id/number). If nothing explains a case, a person replaces
// "unexplained" by a category that begins with "known/", and writes its sentence; both stay when the file is rewritten.
type expectation struct {
	total   string
	reasons map[string]string // category → sentence
	cases   map[string]expected
}

// byHand begins the categories that people write.
const byHand = "known/"

// expected is a case's outcome and category.
type expected struct{ outcome, reason string }

func expectationPath(root, run string) string {
	return filepath.Join(root, "tests", "conformance", "expected", run+".txt")
}

// readExpectation reads a file; one that is not there expects everything to pass.
func readExpectation(path string) (*expectation, error) {
	e := &expectation{reasons: map[string]string{}, cases: map[string]expected{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(text), "\n") {
		what, rest, _ := strings.Cut(line, " ")
		fields := strings.Fields(rest)
		switch {
		case line == "" || line[0] == '#':
		case what == "total":
			e.total = rest
		case what == "reason" && strings.Contains(rest, ": "):
			category, sentence, _ := strings.Cut(rest, ": ")
			e.reasons[category] = sentence
		case what == "case" && len(fields) == 3:
			e.cases[fields[0]] = expected{fields[1], fields[2]}
		default:
			return nil, fmt.Errorf("%s:%d: neither total, reason nor case: %s", path, i+1, line)
		}
	}
	return e, nil
}

// expectation returns the result of the run as an expectation. It keeps reasons that a person wrote if the outcome is
// the same.
func (r *result) expectation(old *expectation) *expectation {
	e := &expectation{
		total: fmt.Sprintf("%s=%d right=%d refused=%d rejected=%d accepted=%d", r.unit, r.counts.all, r.counts.right,
			r.counts.refused, r.counts.rejected, r.counts.accepted),
		reasons: map[string]string{}, cases: map[string]expected{},
	}
	sentences := map[string]map[string]int{}
	for _, f := range r.failed {
		reason, sentence := f.reason, f.sentence
		if was := old.cases[f.id]; reason == noReason && was.outcome == f.outcome &&
			strings.HasPrefix(was.reason, byHand) {
			reason, sentence = was.reason, old.reasons[was.reason]
		}
		e.cases[f.id] = expected{f.outcome, reason}
		if sentences[reason] == nil {
			sentences[reason] = map[string]int{}
		}
		sentences[reason][sentence]++
	}
	for category, texts := range sentences {
		// The most frequent sentence speaks for its category.
		e.reasons[category] = slices.MaxFunc(slices.Sorted(maps.Keys(texts)),
			func(a, b string) int { return texts[a] - texts[b] })
	}
	return e
}

// unexplained returns the cases without a reason.
func (e *expectation) unexplained() (ids []string) {
	for id, c := range e.cases {
		if c.reason == noReason || e.reasons[c.reason] == "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// diff returns the differences from the expectation, for the jobs that were judged.
func (e *expectation) diff(got *expectation, r *result) (lines []string) {
	ids := map[string]bool{}
	for id := range e.cases {
		if r.judged[jobOf(id)] || !r.sampled {
			ids[id] = true
		}
	}
	for id := range got.cases {
		ids[id] = true
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		want, is := e.cases[id], got.cases[id]
		switch {
		case want == is:
		case want.outcome == "":
			lines = append(lines, fmt.Sprintf("%s is %s (%s), which was not expected: %s", id, is.outcome, is.reason,
				got.reasons[is.reason]))
		case is.outcome == "":
			lines = append(lines, fmt.Sprintf("%s passes, but was expected to be %s (%s)", id, want.outcome,
				want.reason))
		default:
			lines = append(lines, fmt.Sprintf("%s is %s (%s), but was expected to be %s (%s)", id, is.outcome,
				is.reason, want.outcome, want.reason))
		}
	}
	if !r.sampled && e.total != got.total {
		lines = append(lines, fmt.Sprintf("the totals are %s; expected: %s", got.total, e.total))
	}
	return lines
}

// jobOf returns the id of a case's job: instances have "/" and a number behind it.
func jobOf(id string) string {
	if i := strings.LastIndexByte(id, '/'); i >= 0 && strings.Trim(id[i+1:], "0123456789") == "" {
		return id[:i]
	}
	return id
}

func (e *expectation) printCases(out io.Writer) {
	for _, id := range slices.Sorted(maps.Keys(e.cases)) {
		fmt.Fprintf(out, "%s %s %s\n", id, e.cases[id].outcome, e.cases[id].reason)
	}
}

func (e *expectation) write(path string) error {
	var b strings.Builder
	b.WriteString("# What does not pass, and why: written by `make conformance-update`, read by every run. See " +
		"expect.go.\n")
	fmt.Fprintf(&b, "total %s\n", e.total)
	for _, category := range slices.Sorted(maps.Keys(e.reasons)) {
		fmt.Fprintf(&b, "reason %s: %s\n", category, e.reasons[category])
	}
	e.printCases(prefixed{&b, "case "})
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// prefixed writes a prefix before each line; every Write must be one line.
type prefixed struct {
	to     io.Writer
	prefix string
}

// Write implements io.Writer.
func (p prefixed) Write(line []byte) (int, error) {
	_, err := fmt.Fprintf(p.to, "%s%s", p.prefix, line)
	return len(line), err
}
