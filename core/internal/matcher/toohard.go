package matcher

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// What makes a mask or a token too hard, and the way out.
const (
	testsMultiply = "several schemas are tested side by side on one value here (anyOf within allOf, oneOf, not, if, " +
		"contains, uniqueItems), and their combinations multiply. Write the combinations that are meant as one anyOf " +
		"of whole schemas, or leave some of the tests out"
	readingsMultiply = "the text can be read in very many ways: the grammar is ambiguous here, or many of its " +
		"alternatives begin alike. Look for a rule that contains itself twice (s ::= s s), or a repetition of " +
		"something that may be empty or that matches one text in several ways; write it so that each text has one " +
		"reading, join what begins alike, or bound how deep it nests"
	divisionsMultiply = "one text can be divided in very many ways between the parts of a pattern: a part that is " +
		"repeated between bounds stands within a repetition, as in ([a-z ]{1,20}){1,50}, or patterns on one string " +
		"multiply. Replace the inner or the outer bounds by * or +, separate the parts by a character that they do " +
		"not contain, or combine fewer patterns"
)

// tooHard is the error where a budget was spent on what, which takes more than most steps. Its place is that of the
// constraint as a whole, for states don't know where they come from. The rest depends on the state.
func (m *Matcher) tooHard(what string, most int) error {
	whole := m.g.Whole()
	s, steps := m.lastState()
	e := diag.Errorf(diag.Limit, whole.Source, whole.Place, "after %d accepted tokens or texts, %s takes more than %d "+
		"steps: %s", steps, what, most, m.why(s))
	e.Keyword, e.Fragment = whole.Keyword, whole.Fragment
	return e
}

// lastState returns the last state of the history that is within budgets, and how many steps led there.
func (m *Matcher) lastState() (s pushdown.StateID, steps int) {
	steps = len(m.history) - 1
	for steps > 0 && pushdown.StateID(m.history[steps]) == pushdown.Over {
		steps--
	}
	return m.stateOf(m.history[steps]), steps
}

// why says what makes a state's transitions dear: it looks at what the state is in the middle of.
func (m *Matcher) why(s pushdown.StateID) string {
	a := m.masks.Automaton()
	items, heaviest, all := a.Items(s), 0, 0
	if len(a.BooleanItems(s)) > 0 {
		return testsMultiply
	}
	for _, it := range items {
		weight := prices.Weight(m.masks.Engine().Store(), it.Terminal)
		heaviest, all = max(heaviest, weight), all+weight
	}
	if len(items) > 1 && 2*heaviest < all {
		return readingsMultiply
	}
	return divisionsMultiply
}
