package jsonschema

// listPlan is what an array of one case looks like. Immutable once planned.
type listPlan struct {
	prefix   []goalID
	rest     goalID
	min, max uint64
}

// at returns what the item at index i must satisfy.
func (l *listPlan) at(i int) goalID {
	if i < len(l.prefix) {
		return l.prefix[i]
	}
	return l.rest
}

// planList lays out the arrays of a case. If no array is possible it takes that type away from f and returns nil.
func (p *planner) planList(f *flat) *listPlan {
	l := &listPlan{min: f.minItems, max: f.maxItems}
	longest := 0
	for i := range f.lists {
		longest = max(longest, len(f.lists[i].prefix))
	}
	var atoms []atom
	for i := 0; i <= longest; i++ {
		atoms = atoms[:0]
		for k := range f.lists {
			switch lf := &f.lists[k]; {
			case i < len(lf.prefix):
				atoms = append(atoms, positive(lf.prefix[i]))
			case lf.rest != 0:
				atoms = append(atoms, positive(lf.rest))
			}
		}
		g := p.goalOf(atoms...)
		if g == noneGoal {
			l.max = min(l.max, uint64(i))
		}
		if i == longest || g == noneGoal {
			l.rest = g
			break
		}
		l.prefix = append(l.prefix, g)
	}
	if l.min > l.max {
		f.restrict(^tArray, f.why.node, "minItems", "more items are required than allowed")
		return nil
	}
	return l
}
