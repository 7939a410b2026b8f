package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
)

const (
	// absorbSteps bounds the instructions and terminals that one comparison looks at.
	absorbSteps = 256
	// absorbParts bounds the parts of these terminals that it compares.
	absorbParts = 4096
	// absorbUnits bounds the alternatives of a loop's body.
	absorbUnits = 64
	// absorbedMost bounds the results that a program keeps, in a quarter of a megabyte.
	absorbedMost = 1 << 12
	// absorbWork is the number of steps or parts that cost as much as an item.
	absorbWork = 8
	// absorbedBytes is the size of a result that is kept.
	absorbedBytes = 2 * (8 + 16)
)

// absorber decides whether a loop reads every text of a sequence. Of a rule or repetition that it visits again, it
// assumes that the loop reads it (Lemma 152).
type absorber struct {
	p              *Program
	units          []dot // the alternatives of the loop's body
	terminals      []terminal.Expr
	rules, repeats []uint32 // parts of the loop, or assumed to be read
	steps, parts   int      // that are left of absorbSteps and absorbParts
}

// absorbs reports whether rounds of repetition loop read every text of sequence seq: each text that a frame at seq
// reads before the node below it. A false result decides nothing.
func (p *Program) absorbs(loop uint32, seq dot) absorbed {
	key := absorption{loop, seq}
	p.pairMu.Lock()
	defer p.pairMu.Unlock()
	answer, known := p.absorbed[key]
	if known {
		return answer
	}
	b := absorber{p: p, repeats: []uint32{loop}, steps: absorbSteps, parts: absorbParts}
	if b.body(p.repeats.At(loop).body) {
		if in := *p.code.At(uint32(seq)); in.op == opRepeatNext {
			answer.found = b.instruction(in)
		} else {
			answer.found = b.sequence(seq)
		}
	}
	answer.steps = absorbSteps - b.steps + absorbParts - max(b.parts, 0)
	if len(p.absorbed) == absorbedMost {
		clear(p.absorbed)
		p.grown.Add(-absorbedMost * absorbedBytes)
	}
	p.absorbed[key] = answer
	p.grown.Add(absorbedBytes)
	return answer
}

// body adds the alternatives of a round. It returns false if there are too many.
func (b *absorber) body(at dot) bool {
	b.units = append(b.units, at)
	for i := 0; i < len(b.units); i++ {
		in := *b.p.code.At(uint32(b.units[i]))
		if in.nonEmpty || in.op != opTerminal && in.op != opCall || in.rest != end {
			continue
		}
		if in.op == opTerminal {
			b.terminals = append(b.terminals, relax.AsStar(b.p.st, terminal.Expr(in.arg)))
			continue
		}
		r := b.p.rules.At(in.arg)
		if r.lazy != nil || r.scope != nil || slices.Contains(b.rules, in.arg) {
			continue
		}
		if len(b.units)+int(r.count) > absorbUnits {
			return false
		}
		b.rules = append(b.rules, in.arg)
		b.units = append(b.units, b.p.starts.Slice(r.alternatives, int(r.count))...)
	}
	return true
}

// sequence reports whether the loop reads every text of the sequence at d.
func (b *absorber) sequence(d dot) bool {
	if slices.Contains(b.units, d) {
		return true
	}
	for ; d != end; d = b.p.code.At(uint32(d)).rest {
		if !b.instruction(*b.p.code.At(uint32(d))) {
			return false
		}
	}
	return true
}

// reads reports whether a terminal of the loop contains e.
func (b *absorber) reads(e terminal.Expr) bool {
	return slices.ContainsFunc(b.terminals, func(x terminal.Expr) bool {
		b.steps--
		return b.steps >= 0 && inspect.ContainsWithin(b.p.st, &b.parts, x, e)
	})
}

// instruction reports whether the loop reads every text of in.
func (b *absorber) instruction(in instruction) bool {
	if b.steps--; b.steps < 0 {
		return false
	}
	switch in.op {
	case opTerminal:
		return b.reads(terminal.Expr(in.arg))
	case opCall:
		r := b.p.rules.At(in.arg)
		if slices.Contains(b.rules, in.arg) {
			return true
		}
		if r.lazy != nil || r.scope != nil {
			return false
		}
		b.rules = append(b.rules, in.arg)
		for i := range r.count {
			if !b.sequence(*b.p.starts.At(r.alternatives + i)) {
				return false
			}
		}
		return true
	case opRepeat, opRepeatNext:
		if slices.Contains(b.repeats, in.arg) {
			return true
		}
		b.repeats = append(b.repeats, in.arg)
		return b.sequence(b.p.repeats.At(in.arg).body)
	}
	return false
}

// absorbsFrame is absorbs for frame g, and pays for it.
func (st *stacks) absorbsFrame(loop uint32, g frame) bool {
	switch st.p.code.At(uint32(g.dot)).op {
	case opTerminal, opCall, opRepeat, opRepeatNext:
		answer := st.p.absorbs(loop, g.dot)
		st.spend(1 + answer.steps/absorbWork)
		return answer.found
	}
	return false
}
