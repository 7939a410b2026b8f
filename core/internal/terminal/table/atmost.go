package table

import (
	"encoding/binary"
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// atMost is a machine that counts code points in its states. A state is the count in four bytes, and a state of m. It
// implements expr.Machine.
type atMost struct {
	m     *machine
	begin string
	most  uint32
}

const countBytes = 4

// AtMost implements expr.Measured.
func (m *machine) AtMost(state string, most uint32) (expr.NamedMachine, string) {
	c := &atMost{m, string(make([]byte, countBytes)) + state, most}
	name := fmt.Sprintf("%s, %d at most", m.name(), most)
	return expr.NamedMachine{Machine: c, Text: expr.NewText(name)}, c.begin
}

// Start implements expr.Machine.
func (c *atMost) Start() string { return c.begin }

// Step implements expr.Machine.
func (c *atMost) Step(s string, b byte) (next string, ok bool) {
	count := binary.LittleEndian.Uint32([]byte(s[:countBytes]))
	p := named(s[countBytes:])
	if p.escape == "" && !isContinuation(b) {
		count++
	}
	if p = c.m.step(p, b); p.state == 0 {
		return "", false
	}
	if least := c.m.least(p); count > c.most || least > c.most-count {
		return "", false
	}
	return string(binary.LittleEndian.AppendUint32(nil, count)) + p.name(), true
}

// Accepts implements expr.Machine.
func (c *atMost) Accepts(s string) bool { return c.m.Accepts(s[countBytes:]) }

// Bytes implements expr.Machine.
func (c *atMost) Bytes() expr.ByteSet { return c.m.Bytes() }
