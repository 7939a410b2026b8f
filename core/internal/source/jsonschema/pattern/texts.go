package pattern

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// textsOf returns the texts of an expression, if they are few, and the steps of listing them.
func textsOf(st *terminal.Store, e terminal.Expr) (texts []string, steps int, few bool) {
	w := speller{st: st, onPath: map[terminal.Expr]bool{}}
	if !w.spell(e, nil) {
		return nil, w.steps, false
	}
	return w.texts, w.steps, true
}

// speller lists the texts of an expression.
type speller struct {
	st     *terminal.Store
	texts  []string
	onPath map[terminal.Expr]bool
	steps  int
}

// spell adds the texts of e after the bytes before. It reports false if they are too many, too long, or endless.
func (w *speller) spell(e terminal.Expr, before []byte) bool {
	w.steps++
	if w.onPath[e] || len(w.texts) > limits.SchemaFewNames || len(before) > limits.SchemaFewNames ||
		w.steps > 64*limits.SchemaFewNames {
		return false
	}
	if w.st.View().Nullable(e) {
		w.texts = append(w.texts, string(before))
	}
	w.onPath[e] = true
	defer delete(w.onPath, e)
	alive := w.st.Alive(e)
	if alive.Len() > 64 {
		return false // a class of characters, not names
	}
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		if !w.spell(w.st.Delta(e, byte(b)), append(before[:len(before):len(before)], byte(b))) {
			return false
		}
	}
	return true
}
