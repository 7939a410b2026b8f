package plan

import (
	"encoding/binary"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Cases of a goal may describe the same objects or arrays: opposites of schemas do that, one case for each way to fail,
// most of them about something else. What a case adds nothing to is taken out of it, since the automaton would follow
// all of them side by side.

// dropCovered takes objects and arrays out of cases where another case allows the same or any. Cases that are left with
// nothing go.
func (p *Planner) dropCovered(cases []Alternative) []Alternative {
	if len(cases) < 2 {
		return cases
	}
	for _, t := range [...]jsontype.Set{jsontype.Object, jsontype.Array} {
		whole := slices.IndexFunc(cases, func(a Alternative) bool {
			return a.Flat.Types&t != 0 && a.whole()&t != 0 && a.TestedTypes()&t == 0
		})
		first := map[string]int{} // the case to keep; before others one that tests nothing
		for i := range cases {
			a := &cases[i]
			if whole >= 0 || a.Flat.Types&t == 0 || a.Flat.HasValues {
				continue
			}
			key := a.key(t)
			p.Options.Work.Spend(2 * len(key))
			if _, ok := first[key+a.testKey(t)]; !ok {
				first[key+a.testKey(t)] = i
			}
			if _, ok := first[key]; !ok && a.TestedTypes()&t == 0 {
				first[key] = i
			}
		}
		for i := range cases {
			a := &cases[i]
			switch {
			case a.Flat.Types&t == 0 || i == whole:
				continue
			case whole >= 0:
			case a.Flat.HasValues:
				continue
			default:
				key := a.key(t)
				if k, ok := first[key]; ok && k == i || !ok && first[key+a.testKey(t)] == i {
					continue
				}
			}
			a.Flat.Types &^= t
			p.valuesOfTypes(&a.Flat)
		}
	}
	return slices.DeleteFunc(cases, func(a Alternative) bool { return a.Flat.Types == 0 })
}

// testKey names the tests that values of a type have to pass.
func (a *Alternative) testKey(t jsontype.Set) string {
	var b []byte
	for i := range a.Tests {
		if q := &a.Tests[i]; q.Types&t != 0 {
			b = binary.AppendUvarint(append(b, byte(truth(q.Without))+1), uint64(q.Goal))
		}
	}
	return string(b)
}

// key names the objects or arrays of a case, leaving tests aside: equal keys, equal values.
func (a *Alternative) key(t jsontype.Set) string {
	b := make([]byte, 0, 256)
	add := func(numbers ...uint64) {
		for _, n := range numbers {
			b = binary.AppendUvarint(b, n)
		}
	}
	goals := func(list []GoalID) {
		add(uint64(len(list)))
		for _, g := range list {
			add(uint64(g))
		}
	}
	for _, v := range a.Flat.NotValues {
		add(uint64(v))
	}
	add(0)
	if t == jsontype.Object {
		return a.Object.appendKey(b)
	}
	l := a.List
	goals(l.Prefix)
	add(uint64(l.Rest), l.Min, l.Max, uint64(l.Unique))
	counts := l.Counts
	if l.Counted != nil {
		add(1)
		counts = append(Clip(counts), *l.Counted)
	}
	for i := range counts {
		c := &counts[i]
		add(2, uint64(c.From), c.Min, c.Max, uint64(c.Match), uint64(c.Other))
	}
	if w := l.Witness; w != nil {
		add(3, uint64(w.From), uint64(w.Rest))
		goals(w.prefix)
	}
	return string(b)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// appendKey adds what an object is to a key.
func (o *ObjectPlan) appendKey(b []byte) string {
	add := func(n uint64) { b = binary.AppendUvarint(b, n) }
	text := func(s string) {
		add(uint64(len(s)))
		b = append(b, s...)
	}
	add(o.Min)
	add(o.Max)
	add(uint64(len(o.Properties)))
	add(uint64(o.Ordered))
	for i := range o.Properties {
		q := &o.Properties[i]
		text(q.Name)
		add(uint64(q.Goal))
		add(truth(q.Required))
	}
	for i := range o.Extras {
		e := &o.Extras[i]
		add(uint64(e.Names))
		add(uint64(e.Goal))
		for k, list := range [...][]*Pattern{e.With, e.Without} {
			for _, q := range list {
				add(uint64(k) + 1)
				text(q.MemoKey(terminal.JSONString))
			}
		}
		add(0)
	}
	for _, order := range o.Orders {
		for _, i := range order {
			add(uint64(i))
		}
	}
	return string(b)
}
