package oracle

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
)

// booleans computes the matches of boolean nodes at place i from the current row, and reports whether they are new. A
// text does not match only if the complete row lacks it, so the row is filled anew with each answer. Nodes that do not
// begin with themselves settle, the innermost first.
//
// The oracle does not decide whether both sides can be completed by the same text: alive means that each of them can.
func (c *chart) booleans(i int, now []reach) (news bool) {
	for k := range now {
		b := &c.g.Booleans[k]
		left := c.symbol(b.Left, i)
		r := reach{ends: make([]bool, c.n+1), alive: left.alive}
		for j := i + 1; j <= c.n; j++ {
			switch b.Is {
			case grammar.Both:
				r.ends[j] = left.ends[j] && c.symbol(b.Right, i).ends[j]
			case grammar.Without:
				r.ends[j] = left.ends[j] && !c.symbol(b.Right, i).ends[j]
			case grammar.Distinct:
				r.ends[j] = left.ends[j] && allDistinct(c.text[i:j])
			}
		}
		if b.Is == grammar.Both {
			r.alive = r.alive && c.symbol(b.Right, i).alive
		}
		r.alive = r.alive || r.ends[c.n]
		if r.alive != now[k].alive || !slices.Equal(r.ends, now[k].ends) {
			now[k], news = r, true
		}
	}
	return news
}

// allDistinct reports whether the text is no JSON array, or an array whose items differ. It compares numbers as floats,
// which distinguishes all numbers that tests write.
func allDistinct(text []byte) bool {
	var items []any
	if json.Unmarshal(text, &items) != nil {
		return true
	}
	for i := range items {
		for j := range i {
			if reflect.DeepEqual(items[i], items[j]) {
				return false
			}
		}
	}
	return true
}
