package plan

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
)

// itemAtoms returns the atoms of the item at index i.
func itemAtoms(f *Flat, i int, atoms []atom) []atom {
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
func (p *Planner) planList(f *Flat) *ListPlan {
	l := &ListPlan{Min: f.minItems, Max: f.maxItems}
	longest := 0
	for i := range f.lists {
		longest = max(longest, len(f.lists[i].prefix))
	}
	var atoms []atom
	for i := 0; i <= longest; i++ {
		atoms = itemAtoms(f, i, atoms[:0])
		g := p.goalOf(atoms...)
		if g == NoneGoal {
			l.Max = min(l.Max, uint64(i))
		}
		if i == longest || g == NoneGoal {
			l.Rest = g
			break
		}
		l.Prefix = append(l.Prefix, g)
	}
	if declared, closed := p.closedItems(f); closed {
		l.Max = min(l.Max, uint64(declared))
	}
	if len(f.counts) > 0 {
		p.planCounts(f, l, longest)
	}
	if f.unique != 0 && l.Max > 1 {
		l.Unique = f.unique
	}
	if l.Min > l.Max {
		f.restrictBy(^jsontype.Array, orElse(f.ends.items[0], f.Why.Node), f.ends.items[1], "minItems",
			"more items are required than allowed")
		return nil
	}
	return l
}

// planCounts plans how many items have to match. A count that every allowed item matches is a bound on the number of
// items. One witness has a form without dead ends, and so has a single count without other bounds. All other counts
// become tests.
func (p *Planner) planCounts(f *Flat, l *ListPlan, longest int) {
	var open []itemCount
	for _, c := range f.counts {
		if p.goalOf(c.atom.not()) == NoneGoal || c.from >= longest &&
			p.goalOf(append(itemAtoms(f, longest, nil), c.atom.not())...) == NoneGoal {
			l.Min = max(l.Min, uint64(c.from)+c.min)
			if c.max != NoMaximum {
				l.Max = min(l.Max, uint64(c.from)+c.max)
			}
			continue
		}
		open = append(open, c)
	}
	if len(open) == 1 && open[0].from == 0 && len(l.Prefix) == 0 && l.Min == 0 && l.Max == NoMaximum &&
		!open[0].witness() {
		c := &open[0]
		l.Counted = &CountPlan{Min: c.min, Max: c.max, node: c.node}
		l.Counted.Match = p.goalOf(append(itemAtoms(f, 0, nil), c.atom)...)
		l.Counted.Other = p.goalOf(append(itemAtoms(f, 0, nil), c.atom.not())...)
		return
	}
	for _, c := range open {
		if l.Witness == nil && c.witness() && p.planWitness(f, l, longest, c) {
			continue
		}
		closed := p.within(true)
		n := CountPlan{From: c.from, Min: c.min, Max: c.max, node: c.node, Match: p.goalOf(c.atom), Other: AnyGoal}
		if c.max != NoMaximum || c.min > limits.SchemaWitnessPlaces {
			n.Other = p.goalOf(c.atom.not())
		}
		closed()
		l.Counts = append(l.Counts, n)
	}
}

// planWitness plans the item that has to occur. It returns false if the item has too many possible places.
func (p *Planner) planWitness(f *Flat, l *ListPlan, longest int, w itemCount) bool {
	start := uint64(max(w.from, len(l.Prefix)))
	span := uint64(0)
	switch {
	case l.Max != NoMaximum && l.Max > start:
		span = l.Max - start
	case l.Min > start:
		span = l.Min - start
	}
	if span > limits.SchemaWitnessPlaces || w.from > limits.SchemaWitnessPlaces {
		return false
	}
	l.Witness = &witnessPlan{From: w.from}
	for i := range l.Prefix {
		l.Witness.prefix = append(l.Witness.prefix, p.goalOf(append(itemAtoms(f, i, nil), w.atom)...))
	}
	l.Witness.Rest = p.goalOf(append(itemAtoms(f, longest, nil), w.atom)...)
	possible := l.Witness.Rest != NoneGoal && l.Max > start
	for i := w.from; i < len(l.Prefix) && !possible; i++ {
		possible = l.Witness.prefix[i] != NoneGoal && uint64(i) < l.Max
	}
	if !possible {
		l.Max = 0
		l.Min = 1
	}
	return true
}
