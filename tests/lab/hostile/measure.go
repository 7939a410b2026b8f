package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

type outcome struct {
	Name    string             `json:"name"`
	Calls   map[string]float64 `json:"calls"`   // milliseconds of CPU time, the longest of each call
	MiB     float64            `json:"mib"`     // of the process, at most: vocabulary and text too
	Verdict string             `json:"verdict"` // of compile: ok, or the code
	Errors  []said             `json:"errors"`  // of all calls, each once
	Killed  string             `json:"killed"`  // why the process was killed, in which call
}

type said struct {
	Call, Code, Text string
	Placed, Named    bool // it has a place, it has a keyword or a fragment
}

// measurer runs inputs, one after the other. One goroutine.
type measurer struct {
	v         *core.Vocabulary
	tokenizer *corpus.Tokenizer
	begun     func(call string) // called before every call
	out       *outcome
}

func cpu() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

// call makes a call of the library and adds its cost.
func (m *measurer) call(name string, f func() error) {
	m.begun(name)
	begin := cpu()
	err := f()
	m.out.Calls[name] = max(m.out.Calls[name], cpu()-begin)
	if err == nil {
		return
	}
	e := core.AsError(err)
	placed := e.Place.HasPointer || e.Place.Line > 0
	named := e.Keyword != "" || e.Fragment != "" || strings.HasSuffix(e.Message, "^") // a line with a caret below
	s := said{name, e.Code.String(), err.Error(), placed, named}
	for _, x := range m.out.Errors {
		if x == s {
			return
		}
	}
	m.out.Errors = append(m.out.Errors, s)
}

// enough is the CPU time in milliseconds after which a walk ends: the longest call is sought.
const enough = 3000

// run measures every call for the input, cold: a call that needs an empty cache has a compiler of its own.
func (m *measurer) run(x input) *outcome {
	m.out = &outcome{Name: x.name, Calls: map[string]float64{}, Verdict: "ok"}
	m.begun("making the constraint")
	spec := []byte(x.spec())
	for i, use := range []func(g *core.Grammar, text string){m.walk, m.validate, m.acceptBytes} {
		c := core.NewCompiler(m.v, core.CompilerConfig{})
		debug.FreeOSMemory()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
			m.out.Killed = "the peak of what was before cannot be cleared: " + err.Error()
			return m.out
		}
		var g *core.Grammar
		compile := func() (err error) {
			g, err = c.Compile(x.kind, spec, x.options)
			return err
		}
		if i == 0 {
			m.call("compile", compile)
			if x.kind == core.EBNF || x.kind == core.Lark {
				m.call("to_ebnf", func() error { _, err := core.ToEBNF(x.kind, spec, x.options); return err })
			}
		} else if err := compile(); err != nil {
			panic(err) // it has compiled before
		}
		if g != nil {
			use(g, x.text)
		}
		m.out.MiB = max(m.out.MiB, peak())
		if g == nil {
			m.out.Verdict = m.out.Errors[0].Code
			break
		}
	}
	return m.out
}

// walk follows the text byte by byte.
func (m *measurer) walk(g *core.Grammar, text string) {
	at := begin(g)
	row := make([]uint32, m.v.Words())
	start := cpu()
	for i := 0; ; i++ {
		if i < 16 || i%8 == 0 {
			m.call("fill", func() error { _, err := at.Fill(row); return err })
			m.call("forced_bytes", func() error { _, err := at.ForcedBytes(nil); return err })
		}
		if i == len(text) || cpu()-start > enough {
			break
		}
		ok := false
		m.call("accept one byte", func() (err error) { ok, err = at.AcceptBytes([]byte(text[i : i+1])); return err })
		if !ok {
			break
		}
	}
	m.call("fork", func() error { _, err := at.Fork(); return err })
	m.call("rollback", func() error { return at.Rollback(at.Len()) })
}

// validate looks at all tokens of the text in one call.
func (m *measurer) validate(g *core.Grammar, text string) {
	if ids, ok := m.tokenizer.Cut([]string{text}, 1<<20); ok {
		at := begin(g)
		m.call("validate", func() error { _, err := at.Validate(ids); return err })
	}
}

func (m *measurer) acceptBytes(g *core.Grammar, text string) {
	at := begin(g)
	m.call("accept_bytes", func() error { _, err := at.AcceptBytes([]byte(text)); return err })
}

func begin(g *core.Grammar) *core.Matcher {
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		panic(err) // without options there is nothing to refuse
	}
	return m
}

// peak returns the most MiB of the process that were resident since the last reset, 0 if /proc does not say.
func peak() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kib float64
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kib); err == nil {
			return kib / 1024
		}
	}
	return 0
}
