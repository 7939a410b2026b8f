package jsonschema

import "github.com/sluice-engine/sluice/core/internal/limits"

// listPlan is what an array of one case looks like. Immutable once planned.
type listPlan struct {
	prefix   []goalID
	rest     goalID
	min, max uint64
	witness  *witnessPlan // nil: no particular item has to occur
}

// witnessPlan says that one item at index from or later satisfies more than the rest: its goals stand in for those of
// the list at that place.
type witnessPlan struct {
	from   int
	prefix []goalID // for the indexes of the list's prefix
	rest   goalID
}

// at returns what the item at index i must satisfy.
func (l *listPlan) at(i int) goalID {
	if i < len(l.prefix) {
		return l.prefix[i]
	}
	return l.rest
}

// at returns what the witness must satisfy at index i.
func (w *witnessPlan) at(l *listPlan, i int) goalID {
	if i < len(l.prefix) {
		return w.prefix[i]
	}
	return w.rest
}

// witnessAt returns the plan of the arrays whose item at index i is the witness, or nil if there are none.
func (l *listPlan) witnessAt(i int) *listPlan {
	if uint64(i) >= l.max || i < l.witness.from {
		return nil
	}
	o := &listPlan{rest: l.rest, min: max(l.min, uint64(i)+1), max: l.max}
	o.prefix = make([]goalID, max(len(l.prefix), i+1))
	for k := range o.prefix {
		o.prefix[k] = l.at(k)
	}
	o.prefix[i] = l.witness.at(l, i)
	return o
}

// itemAtoms returns what the schemas say about the item at index i.
func itemAtoms(f *flat, i int, atoms []atom) []atom {
	for k := range f.lists {
		a := f.lists[k].rest
		if i < len(f.lists[k].prefix) {
			a = f.lists[k].prefix[i]
		}
		if a != anyItem {
			atoms = append(atoms, a)
		}
	}
	return atoms
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
		atoms = itemAtoms(f, i, atoms[:0])
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
	if len(f.witnesses) > 0 {
		p.planWitness(f, l, longest)
	}
	if l.min > l.max {
		f.restrict(^tArray, f.why.node, "minItems", "more items are required than allowed")
		return nil
	}
	return l
}

// planWitness lays out the item that has to occur. Where every item that the list allows is such an item, the demand is
// a least count; what is left may be one witness only, whose place a bounded number of alternatives can say.
func (p *planner) planWitness(f *flat, l *listPlan, longest int) {
	var open []itemWitness
	for _, w := range f.witnesses {
		if w.from >= longest && p.isEmpty(p.goalOf(append(itemAtoms(f, longest, nil), w.atom.not())...)) {
			l.min = max(l.min, uint64(w.from)+1)
			continue
		}
		open = append(open, w)
	}
	if len(open) == 0 {
		return
	}
	w := open[0]
	start := uint64(max(w.from, len(l.prefix)))
	span := uint64(0)
	switch {
	case l.max != noMaximum && l.max > start:
		span = l.max - start
	case l.min > start:
		span = l.min - start
	}
	if len(open) > 1 || span > limits.SchemaWitnessPlaces || w.from > limits.SchemaWitnessPlaces {
		f.refusals = append(f.refusals, refusal{tArray, w.node, p.tree.Node(w.node).Key, "that some item matches (contains, or the opposite of items) can be enforced once in an array, with counts up to " + itoa(limits.SchemaWitnessPlaces)})
		return
	}
	l.witness = &witnessPlan{from: w.from}
	for i := range l.prefix {
		l.witness.prefix = append(l.witness.prefix, p.goalOf(append(itemAtoms(f, i, nil), w.atom)...))
	}
	l.witness.rest = p.goalOf(append(itemAtoms(f, longest, nil), w.atom)...)
	possible := l.witness.rest != noneGoal && l.max > start
	for i := w.from; i < len(l.prefix) && !possible; i++ {
		possible = l.witness.prefix[i] != noneGoal && uint64(i) < l.max
	}
	if !possible {
		l.max = 0
		l.min = 1
	}
}
