package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Renew returns the same program with its terminals in store st. Both stores must extend the same base store.
// Positions and rules keep their numbers, so a Mover can carry states over. The new program has no registers, and st
// has none of the expressions that automata have added to the old store.
func (p *Program) Renew(st *terminal.Store) *Program {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := terminal.NewTranslation(p.st, st)
	q := newProgram(st)
	q.ranks, q.lists, q.start, q.accept = p.ranks, p.lists, p.start, p.accept
	q.expanded, q.joins = slices.Clone(p.expanded), p.joins
	q.heated.Store(p.heated.Load())
	q.limited.Store(p.limited.Load())
	q.code, q.starts, q.rules, q.repeats = p.code.Clone(), p.starts.Clone(), p.rules.Clone(), p.repeats.Clone()
	q.objects, q.switches, q.booleans = p.objects.Clone(), p.switches.Clone(), p.booleans.Clone()
	q.code.Each(func(in *instruction) {
		if in.op == opTerminal {
			in.arg = uint32(t.Expr(terminal.Expr(in.arg)))
		}
	})
	// Terminals have other numbers, so instructions have other hashes.
	q.codeIndex = p.codeIndex.Rehashed(func(d uint32) uint64 { return hashInstruction(*q.code.At(d)) })
	q.rules.Each(func(r *rule) {
		if r.lazy != nil {
			done := r.lazy.done.Load()
			r.lazy = &lazyRule{expand: r.lazy.expand, err: r.lazy.err}
			r.lazy.done.Store(done)
		}
	})
	q.objects.Each(func(o *object) { *o = o.renewed(t) })
	q.switches.Each(func(w *switchNode) { w.on = t.Expr(w.on) })
	return q
}

// renewed returns the object with its terminals in another store.
func (o object) renewed(t *terminal.Translation) object {
	for _, e := range []*terminal.Expr{&o.keys, &o.commaQuote, &o.open, &o.close, &o.quote} {
		*e = t.Expr(*e)
	}
	extras := make([]extra, len(o.extras))
	for i, x := range o.extras {
		extras[i] = extra{t.Expr(x.key), x.value}
	}
	o.extras = extras
	return o
}
