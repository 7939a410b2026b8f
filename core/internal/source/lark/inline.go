package lark

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// inline reads what stands in a rule as a directive: %json, %regex or %lark.
func (p *parser) inline(t *token) (*rules.Node, error) {
	switch t.text {
	case "%lark", "%json", "%regex":
		return nil, p.failure(diag.Unsupported, t.at, t.text, "%s is not read yet; write its content as rules", t.text)
	case "%if":
		return nil, p.failure(diag.Unsupported, t.at, "%if",
			"rules with a number as parameter are not supported; write a rule for each of its values")
	}
	return nil, p.failure(diag.Invalid, t.at, t.text,
		"there is no %s; inside rules there are %%json, %%regex and %%lark", t.text)
}
