package pattern

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Texts returns the texts that a pattern matches, if they are few.
func (b *Book) Texts(q *Pattern) ([]string, bool) {
	if !q.listed {
		q.listed = true
		q.texts, q.few = b.findTexts(q)
	}
	return q.texts, q.few
}

// findTexts computes Texts.
func (b *Book) findTexts(q *Pattern) ([]string, bool) {
	if q.Simple {
		return []string{q.prefix}, q.WholeMatch
	}
	st := b.questions()
	e, err := regex.Lower(st, q.Syntax(), q.Mode(terminal.UTF8))
	if err != nil {
		return nil, false
	}
	w := speller{st: st, onPath: map[terminal.Expr]bool{}}
	few := w.spell(e, nil)
	b.Options.Work.Spend(spellWork * w.steps)
	if !few {
		return nil, false
	}
	return w.texts, true
}

// Costs of the texts of patterns, in the budget of a compilation.
const (
	spellWork    = 8 // a step of a speller
	matchWork    = 4 // matching a byte against a pattern
	textsPerUnit = 4 // comparing a text with a unit's worth of texts
)

// textsOverlap is Overlap by trying the texts of a pattern in with that matches few. Known is false if none does.
// Without it, 60 keys such as "^(a|b)(c|d)1$" cost 99 million steps instead of 2 million.
func (b *Book) textsOverlap(with, without []*Pattern) (some, known bool) {
	for _, q := range with {
		if q.Format || !strings.HasPrefix(q.Text, "^") || !strings.HasSuffix(q.Text, "$") {
			continue // hardly ever few
		}
		texts, few := b.Texts(q)
		if !few {
			continue
		}
		return slices.ContainsFunc(texts, func(text string) bool {
			found := func(q *Pattern) bool { return b.found(q, text) }
			return !slices.ContainsFunc(with, func(q *Pattern) bool { return !found(q) }) &&
				!slices.ContainsFunc(without, found)
		}), true
	}
	return false, false
}

// found reports whether a text matches a pattern, by its texts if they are few.
func (b *Book) found(q *Pattern, text string) bool {
	if q.few {
		b.Options.Work.Spend(1 + len(q.texts)/textsPerUnit)
		return slices.Contains(q.texts, text)
	}
	b.Options.Work.Spend(matchWork * (1 + len(text)))
	return b.Matches(q, text)
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
