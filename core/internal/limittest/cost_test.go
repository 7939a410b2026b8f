package limittest

import (
	"math/rand"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

type cost struct {
	Call  string  `json:"call"`
	After int     `json:"after"` // tokens
	Steps int64   `json:"steps"`
	CPU   float64 `json:"cpu_ms"`
}

// The most that a call may cost: in steps, and in CPU time for the long search, for which the machine is the measure.
const (
	compileSteps = 20_000_000
	callSteps    = 15_000_000
	compileCPU   = 1000.0 // milliseconds
	callCPU      = 100.0
	draftSteps   = 22_000_000 // half as much again as a mask, and the last mask
	draftCPU     = 150.0
)

// score is the cost of the call divided by the allowed cost, by steps or by time.
func (c cost) score(byTime bool) float64 {
	steps, cpu := float64(callSteps), callCPU
	switch c.Call {
	case "compile":
		steps, cpu = compileSteps, compileCPU
	case "fill_chain":
		steps, cpu = draftSteps, draftCPU
	}
	if byTime {
		return c.CPU / cpu
	}
	return float64(c.Steps) / steps
}

// steps is the counted work for a grammar so far: derivatives, nodes of the trie, rows and states. Uncounted work shows
// in the CPU time of the long search alone.
func steps(g *compiled.Grammar) int64 {
	s := g.Stats()
	return s.Visited + s.Work + int64(s.Rows) + int64(s.States) + 10*s.Found
}

// cpu is the processor time of the process in milliseconds.
func cpu() float64 { return testkit.CPUTime().Seconds() * 1e3 }

// meter measures calls about one grammar and keeps the worst. One goroutine.
type meter struct {
	g      *compiled.Grammar // the one whose steps are counted, nil until it is compiled
	byTime bool
	begun  func(call string, after int) // called before every call
	worst  cost
}

func (m *meter) call(name string, after int, f func()) {
	m.begun(name, after)
	steps0, cpu0 := int64(0), cpu()
	if m.g != nil {
		steps0 = steps(m.g)
	}
	f()
	c := cost{Call: name, After: after, CPU: cpu() - cpu0}
	if m.g != nil {
		c.Steps = steps(m.g) - steps0
	}
	if c.score(m.byTime) > m.worst.score(m.byTime) {
		m.worst = c
	}
}

// measure compiles a constraint and makes every call along a walk that follows its masks.
func measure(c *compiler.Compiler, t testkit.Constraint, seed int64, m *meter) (ok bool) {
	m.call("compile", 0, func() { m.g, _ = compile(c, t) })
	if m.g == nil {
		return false
	}
	r := rand.New(rand.NewSource(seed))
	v := m.g.Vocabulary()
	row, at := make([]uint32, v.Words()), newMatcher(m.g)
	var walk []int32
	for len(walk) < 20 && !at.Terminated() {
		var err error
		m.call("fill", len(walk), func() { _, err = at.Fill(row) })
		m.call("forced_bytes", len(walk), func() { _, _ = at.ForcedBytes(nil) })
		id := int32(r.Intn(v.Size()))
		if err == nil {
			id = int32(testkit.Pick(r, row, func(id uint32) bool { return !v.IsEnd(id) }))
		}
		n := 0
		m.call("accept", len(walk), func() { n, _ = at.Accept([]int32{id}) })
		if n == 0 {
			break
		}
		walk = append(walk, id)
	}
	text := make([]byte, 0, 4096)
	for range 20 {
		for _, id := range walk {
			text = append(text, v.Bytes(uint32(id))...)
		}
	}
	again := newMatcher(m.g)
	m.call("validate", 0, func() { _, _ = again.Validate(walk) })
	m.call("accept_bytes", 0, func() { _, _ = again.AcceptBytes(text) })
	m.g.Renew(m.g.Current())
	rows := matcher.Rows{Words: make([]uint32, (len(walk)+1)*len(row)), Stride: len(row), Width: len(row)}
	drafts, _ := newMatcher(m.g).Hold()
	m.call("fill_chain", 0, func() { _, _ = drafts.FillChain(walk, rows, nil) })
	m.call("fork", len(walk), func() {
		f, err := at.Fork()
		if err == nil {
			_ = f.Reset() // a fork is worth something only if it can be used
		}
	})
	m.call("rollback", len(walk), func() { rollback(at, len(walk)) })
	return true
}

func rollback(m *matcher.Matcher, n int) {
	if m.Rollback(n) != nil {
		panic("a matcher cannot take back the steps that it made")
	}
}
