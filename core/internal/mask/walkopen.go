package mask

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// openRuns returns the runs of bytes that are all let through by state x, if it is open, no token that begins with
// one of these bytes is anything but a run, and they are few; else nil.
func (e *Engine) openRuns(x terminal.Expr, w *scratch) *tokenset.Runs {
	if !e.Store().View().IsOpen(x) || e.Store().View().Tagged(x) {
		return nil
	}
	parts, _ := e.Store().Open(x)
	for _, o := range parts {
		bytes, room := o.Reader.Room(0)
		if room == 0 {
			continue
		}
		r := e.RunsOf(bytes)
		if r == nil || r.Deepest > 0 || int(r.Longest) > room || len(r.Tokens) > tokenset.SparseTokens {
			continue
		}
		if w.text || !slices.ContainsFunc(r.Tokens, func(id uint32) bool { return e.Tokens().IsSpec[id] }) {
			return r
		}
	}
	return nil
}

// walkOpen is walkItemAt for a frame whose state x is open.
func (e *Engine) walkOpen(a *pushdown.Automaton, it *pushdown.Item, x terminal.Expr, i uint32, level int, w *scratch) {
	nodes := w.trie.Nodes
	within := func(t terminal.Expr, i, end uint32) {
		item, start := pushdown.Item{Terminal: t, After: it.After}, w.FrameOf(t, 0)
		for frame := w.Items[nodes[i].Depth-1]; i < end && !w.Over; i = nodes[i].End {
			if start.Alive.Has(nodes[i].Byte) {
				e.walkItemAt(a, &item, start, i, level, w)
				w.Items[nodes[i].Depth-1] = frame
			}
		}
	}
	parts, rest := e.Store().Open(x)
	within(rest, i, nodes[i].End)
	for _, o := range parts {
		if o.Reader.Accepts(0) {
			within(o.Tail, i, nodes[i].End)
		}
		v := tokenset.OpenWalk{Trie: &w.trie.Trie, W: w.Scratch, Reader: o.Reader}
		v.After = func(i, end uint32, depth int) bool {
			tail := o.End(e.Store(), depth)
			within(tail, i, end)
			if e.Store().View().Nullable(tail) {
				s, ok := w.afterEnd(a, tail, e.Store().View().Tagged(tail), it.After)
				if ok && s > pushdown.Over && a.Width(s) > 0 {
					e.walkAfter(a, s, i, end, level+1, w)
				}
			}
			return !w.Spent()
		}
		v.From(i)
	}
}
