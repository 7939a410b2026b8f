package matcher

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// tally adds up what the dear transitions of one call's text take where nothing has been found before, what several of them
// need once, as masks do. So a long text cannot take the budget of a transition for each of its bytes, and whether it is
// refused does not depend on what others have found. Transitions that are not dear cost nothing here: the length of the
// text bounds them.
type tally struct {
	limit, work int
	seen        map[uint32]struct{} // parts that have been counted, nil before the first
}

// tally returns an empty one. A text may take what one transition may. By default that is what a mask may take for all of its
// tokens, so that the text of a token that a mask allows is never refused.
func (m *Matcher) tally() tally { return tally{limit: m.masks.Engine().Store().Budgets().Transition} }

// first reports whether a part has not been counted.
func (t *tally) first(part uint32) bool {
	if _, ok := t.seen[part]; ok {
		return false
	}
	if t.seen == nil {
		t.seen = map[uint32]struct{}{}
	}
	t.seen[part] = struct{}{}
	return true
}

// spent reports whether the texts so far have taken more than they may.
func (t *tally) spent() bool { return t.work > t.limit }

// walk is walk for a text that is counted. It returns Over after the byte that spends the tally, and how many bytes it has
// taken. It asks stop before a dear transition too: to count it, it waits for others.
func (t *tally) walk(a *pushdown.Automaton, s pushdown.StateID, text []byte, stop Stop) (pushdown.StateID, int, error) {
	for n := 0; ; n++ {
		at, more := a.StepCheap(s, text[n:])
		if n += more; n == len(text) || at <= pushdown.Over {
			return at, n, nil
		}
		if stop != nil && stop() {
			return pushdown.Dead, n, unfinished
		}
		s = a.Step(at, text[n])
		if t.work += a.Charge(at, text[n], t.first); t.spent() {
			return pushdown.Over, n + 1, nil
		}
	}
}

// overText is the error where the first n bytes of text take more than a call may.
func (m *Matcher) overText(text []byte, n int) error {
	e := diag.Errorf(diag.Limit, "matcher", diag.TextPlace(string(text), n-1), "the text up to here can be read in so "+
		"many ways that following them takes more than %d steps: the grammar is ambiguous. Accept the text in "+
		"several pieces, or look for a rule that contains itself twice (s ::= s s) and write it so that each text has "+
		"one reading",
		m.masks.Engine().Store().Budgets().Transition)
	e.Fragment = strings.ToValidUTF8(string(text[max(n-fragment, 0):n]), "\uFFFD")
	return e
}

// fragment is how many bytes of a text an error quotes.
const fragment = 40
