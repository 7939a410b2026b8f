package plan

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// namesOf returns the keys of a class of undeclared ones, if they are few: listed by propertyNames, or the texts that a
// pattern allows.
func (p *Planner) namesOf(c *ExtraPlan) (names []string, few bool) {
	var candidates []string
	switch listed, ok := p.listedNames(c.Names); {
	case ok:
		candidates = listed
	case len(c.With) > 0:
		if candidates, ok = p.textsOf(c.With[0]); !ok {
			return nil, false
		}
	default:
		return nil, false
	}
	for _, name := range candidates {
		if p.inKeyClass(c, name) {
			names = append(names, name)
		}
	}
	return names, true
}

// listedNames returns the strings of a goal whose every case lists its values.
func (p *Planner) listedNames(g GoalID) (names []string, ok bool) {
	if g == AnyGoal {
		return nil, false
	}
	p.expand(g)
	for a := range p.CasesOf(g) {
		f := &a.Flat
		if f.Types&jsontype.String == 0 {
			continue
		}
		if !f.HasValues || len(names)+len(f.Values) > limits.SchemaFewNames {
			return nil, false
		}
		for _, v := range f.Values {
			if p.TypeOf(v) == jsontype.String {
				names = append(names, p.Tree.Node(v).Text)
			}
		}
	}
	return names, true
}

// textsOf returns the texts that a pattern matches, if they are few.
func (p *Planner) textsOf(q *Pattern) ([]string, bool) {
	if !q.listed {
		q.listed = true
		q.texts, q.few = p.findTexts(q)
	}
	return q.texts, q.few
}

// findTexts is textsOf for the first time.
func (p *Planner) findTexts(q *Pattern) ([]string, bool) {
	if q.simple {
		return []string{q.prefix}, q.WholeMatch
	}
	st := p.questions()
	e, err := regex.Lower(st, q.Syntax(), q.Mode(terminal.UTF8))
	if err != nil {
		return nil, false
	}
	w := speller{st: st, onPath: map[terminal.Expr]bool{}}
	few := w.spell(e, nil)
	p.Options.Work.Spend(spellWork * w.steps)
	if !few {
		return nil, false
	}
	return w.texts, true
}

// Costs of the texts of patterns, in the budget of a compilation.
const (
	spellWork    = 8 // a step of a speller
	matchWork    = 4 // a byte of a text that is matched against a pattern
	textsPerUnit = 4 // listed texts that a text is compared with
)

// textsOverlap reports whether a text matches all of with and none of without, as overlap does, by trying the texts of
// a pattern in with that matches few. known is false if none does. It avoids the complement automaton of many patterns,
// which is large.
func (p *Planner) textsOverlap(with, without []*Pattern) (some, known bool) {
	for _, q := range with {
		if q.Format || !strings.HasPrefix(q.Text, "^") || !strings.HasSuffix(q.Text, "$") {
			continue // hardly ever few
		}
		texts, few := p.textsOf(q)
		if !few {
			continue
		}
		return slices.ContainsFunc(texts, func(text string) bool {
			found := func(q *Pattern) bool { return p.found(q, text) }
			return !slices.ContainsFunc(with, func(q *Pattern) bool { return !found(q) }) &&
				!slices.ContainsFunc(without, found)
		}), true
	}
	return false, false
}

// found reports whether a text matches a pattern. It compares where the texts of the pattern have been listed.
func (p *Planner) found(q *Pattern, text string) bool {
	if q.few {
		p.Options.Work.Spend(1 + len(q.texts)/textsPerUnit)
		return slices.Contains(q.texts, text)
	}
	p.Options.Work.Spend(matchWork * (1 + len(text)))
	return p.nameMatches(q, text)
}

// speller writes out the texts of an expression.
type speller struct {
	st     *terminal.Store
	texts  []string
	onPath map[terminal.Expr]bool
	steps  int
}

// spell adds the texts of e after those bytes. It reports false when they are too many, too long, or without end.
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
