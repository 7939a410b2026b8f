package main

import (
	"fmt"
	"hash/crc32"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core"
)

// judge decides instances with Sluice: as bytes, and a share of them once more as tokens that the masks allow.
type judge struct {
	compiler *core.Compiler
	tokens   map[string]int32 // text tokens by their bytes
	longest  int
	row      []uint32
}

// everyTokens is the number of instances of which one is also judged by tokens and masks. The text decides which one.
const everyTokens = 16

// newJudge loads the vocabulary that the project carries.
func newJudge(root string) (*judge, error) {
	v, err := core.LoadVocabulary(filepath.Join(root, "tests", "data", "tokenizer.json.gz"), core.VocabularyOptions{})
	if err != nil {
		return nil, err
	}
	j := &judge{compiler: core.NewCompiler(v, core.CompilerConfig{}), tokens: map[string]int32{}, row: make([]uint32,
		v.Words())}
	for id := range uint32(v.Size()) {
		text, flags := v.Token(id)
		if _, known := j.tokens[string(text)]; len(text) > 0 && flags&(core.TokenSpecial|core.TokenEnd) == 0 && !known {
			j.tokens[string(text)] = int32(id)
			j.longest = max(j.longest, len(text))
		}
	}
	return j, nil
}

// The outcomes of a case that does not pass.
const (
	refused  = "refused"  // the schema is an error: none of its instances is decided
	rejected = "rejected" // a valid instance
	accepted = "accepted" // an invalid instance
	broken   = "broken"   // impossible with any schema: masks that contradict bytes, an internal error
)

// failure is a case that does not pass: a schema or an instance, its outcome, and the reason.
type failure struct {
	id, outcome string
	reason      string // a category for programs: "unsupported/uniqueItems", "declared-order"
	sentence    string // the category for people
}

// verdict is the outcome of a job.
type verdict struct {
	right, refused, rejected, accepted int // tests
	excused                            int // rejected for the default of an option alone
	isRefused                          bool
	unsatisfiable                      bool // compiling said that nothing can satisfy the schema
	failures                           []failure
}

// noReason is the category of cases that nothing explains; a person has to.
const noReason = "unexplained"

func (j *judge) judge(x *job) (v verdict) {
	g, err := j.compile(x)
	if err != nil && err.Code != core.CodeUnsatisfiable {
		v.isRefused, v.refused = true, len(x.tests)
		v.failures = []failure{{x.id, refused, reasonOf(err.Code.String(), err.Keyword), plain(err.Message)}}
		if err.Code == core.CodeInternal {
			v.failures[0].outcome = broken
		}
		return v
	}
	v.unsatisfiable = err != nil
	for _, t := range x.tests {
		id := fmt.Sprintf("%s/%d", x.id, t.index)
		ok := false
		if g != nil {
			var problem string
			if ok, problem = j.accepts(g, t.text); problem != "" {
				v.failures = append(v.failures, failure{id, broken, noReason, problem})
			}
		}
		switch {
		case ok == t.valid:
			v.right++
		case t.valid:
			v.rejected++
			f := j.explainRejected(g, x, id, t.text)
			v.failures = append(v.failures, f)
			if isExcuse(f.reason) {
				v.excused++
			}
		default:
			v.accepted++
			v.failures = append(v.failures, explain(g, id, accepted, t.text, core.Wider, core.Ignored))
		}
	}
	return v
}

// compile turns the schema into a grammar. It recovers a panic, a bug that must not end the run.
func (j *judge) compile(x *job) (g *core.Grammar, failed *core.Error) {
	defer func() {
		if r := recover(); r != nil {
			failed = core.Errorf(core.CodeInternal, "conformance", "panic: %v", r)
		}
	}()
	g, err := j.compiler.Compile(core.JSONSchema, x.schema, &x.options)
	if err != nil {
		return nil, core.AsError(err)
	}
	return g, nil
}

// accepts decides an instance. problem describes a contradiction, "" if there is none.
func (j *judge) accepts(g *core.Grammar, text string) (ok bool, problem string) {
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		return false, err.Error()
	}
	moved, err := m.AcceptBytes([]byte(text))
	if err != nil {
		return false, err.Error()
	}
	ok = moved && m.Completed()
	if crc32.ChecksumIEEE([]byte(text))%everyTokens == 0 {
		byTokens, err := j.acceptsTokens(g, text)
		if err != nil {
			return ok, err.Error()
		}
		if byTokens != ok {
			return ok, fmt.Sprintf("accepted as bytes: %v, as tokens that the masks allow: %v", ok, byTokens)
		}
	}
	return ok, ""
}

// acceptsTokens decides an instance like an engine: every token must be in the mask at its place, and an end token
// after the last one. The text is cut into the longest tokens.
func (j *judge) acceptsTokens(g *core.Grammar, text string) (bool, error) {
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		return false, err
	}
	allows := func(id int32) (bool, error) {
		if _, err := m.Fill(j.row); err != nil {
			if core.AsError(err).Code == core.CodeUnsatisfiable && announcesDeadEnds(g) {
				return false, nil
			}
			return false, err
		}
		return j.row[id>>5]>>(id&31)&1 == 1, nil
	}
	for len(text) > 0 {
		n := min(len(text), j.longest)
		for n > 1 && j.tokens[text[:n]] == 0 {
			n--
		}
		id := j.tokens[text[:n]]
		if ok, err := allows(id); !ok || err != nil {
			return false, err
		}
		if k, err := m.Accept([]int32{id}); k != 1 {
			return false, fmt.Errorf("the mask allows token %d, which is then not accepted (%v)", id, err)
		}
		text = text[n:]
	}
	return allows(int32(g.Vocabulary().EndTokens()[0]))
}

// excuses are the narrowings of the default contract, each with the option that lifts it.
var excuses = []struct {
	reason, sentence string
	lift             func(o *core.Options)
}{
	{"number-form", "an integer is written 1.0 or 1e2, which the option number_forms " +
		"allows", func(o *core.Options) { o.AllNumberForms = true }},
	{"declared-order", "keys are in another order than the schema declares them, which the option any_order " +
		"allows", func(o *core.Options) { o.AnyOrder = true }},
	{"declared-order+number-form", "two options are needed, any_order and " +
		"number_forms", func(o *core.Options) { o.AllNumberForms, o.AnyOrder = true, true }},
}

func isExcuse(reason string) bool {
	for _, e := range excuses {
		if reason == e.reason {
			return true
		}
	}
	return false
}

// announcesDeadEnds reports whether a note says that some prefix of an accepted text has no completion.
func announcesDeadEnds(g *core.Grammar) bool {
	return slices.ContainsFunc(g.Notes(), func(n core.Note) bool { return n.Effect == core.DeadEnd })
}

// explainRejected says why a valid instance is rejected.
func (j *judge) explainRejected(g *core.Grammar, x *job, id, text string) failure {
	if g == nil {
		return failure{id, rejected, noReason, "compiling says that nothing can satisfy the schema"}
	}
	for _, e := range excuses {
		free := *x
		if e.lift(&free.options); free.options.AnyOrder == x.options.AnyOrder &&
			free.options.AllNumberForms == x.options.AllNumberForms {
			continue
		}
		if wide, err := j.compile(&free); err == nil {
			if ok, _ := j.accepts(wide, text); ok {
				return failure{id, rejected, e.reason, e.sentence}
			}
		}
	}
	return explain(g, id, rejected, text, core.Narrower)
}

// explain names the note that announced such a mistake.
func explain(g *core.Grammar, id, outcome, text string, effects ...core.Effect) failure {
	for _, n := range g.Notes() {
		if slices.Contains(effects, n.Effect) && speaksOf(n, text) {
			return failure{id, outcome, reasonOf(n.Effect.String(), n.Keyword), plain(n.Text)}
		}
	}
	return failure{id, outcome, noReason, ""}
}

var exponent = regexp.MustCompile(`[0-9][eE][-+0-9]`)

// speaksOf reports whether a note can be about this instance. A note about repeated undeclared keys is none: no
// instance has one twice.
func speaksOf(n core.Note, text string) bool {
	return !strings.Contains(n.Text, "twice") && (!strings.Contains(n.Text, "exponent") || exponent.MatchString(text))
}

func reasonOf(what, keyword string) string {
	if keyword == "" {
		return what
	}
	return what + "/" + keyword
}

var quoted = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|“[^”]*”")

// plain returns a message without its quotations of the schema.
func plain(message string) string { return quoted.ReplaceAllString(message, "…") }
