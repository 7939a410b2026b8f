package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// Causes of a mask or a transition that is too hard, each with its remedy.
const (
	testsMultiply = "several schemas are tested side by side on one value here (anyOf within allOf, oneOf, not, if, " +
		"contains, uniqueItems), and their combinations multiply. List the intended combinations as one anyOf of whole " +
		"schemas, or leave out some of the tests"
	readingsMultiply = "the text can be read in very many ways: the grammar is ambiguous here, or many of its " +
		"alternatives begin alike. Look for a rule that contains itself twice (s ::= s s), a repetition of a part that " +
		"may be empty or matches one text in several ways, or words that may follow each other without a separator. " +
		"Write it so that each text has one reading, join alternatives that begin alike, or bound the nesting"
	divisionsMultiply = "one text can be divided in very many ways between the parts of a pattern. Either a bounded " +
		"repetition stands within another repetition, as in ([a-z ]{1,20}){1,50}, or several patterns apply to one " +
		"string. Replace the inner or the outer bounds by * or +, separate the parts by a character that they do " +
		"not contain, or combine fewer patterns"
)

// Cause explains why the mask and the transitions of state s are expensive.
func (m *Masks) Cause(s pushdown.StateID) string {
	items, heaviest, all := m.a.Items(s), 0, 0
	if len(m.a.BooleanItems(s)) > 0 {
		return testsMultiply
	}
	for _, it := range items {
		weight := prices.Weight(m.e.Store(), it.Terminal)
		heaviest, all = max(heaviest, weight), all+weight
	}
	if len(items) > 1 && 2*heaviest < all {
		return readingsMultiply
	}
	return divisionsMultiply
}
