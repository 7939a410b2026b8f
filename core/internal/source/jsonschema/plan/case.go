package plan

import (
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/pattern"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// goal is a conjunction and, once expanded, the cases that satisfy it. A value satisfies the goal exactly if it
// satisfies one of the cases.
type goal struct {
	Atoms []atom
	open  bool // see closed.go
	Cases []Alternative
	why   Conflict // set when there are no cases
	state goalState
}

type goalState uint8

const (
	goalNew goalState = iota
	goalExpanding
	goalExpanded
)

// Alternative is one case of a goal: a conjunction without choices, with its objects and arrays laid out.
type Alternative struct {
	Flat   Flat
	Object *ObjectPlan // nil when objects are not possible
	List   *ListPlan   // nil when arrays are not possible
	Tests  []testPlan
}

// Divisor returns the last multipleOf of a case. If only its tests have a divisor, it returns the first keyword that
// applyAssertion applied, 0 if there is none.
func (a *Alternative) Divisor() jsontext.ID { return orElse(a.Flat.divisor, a.Flat.Why.Node) }

// Children calls visit for every goal that a case leads to.
func (a *Alternative) Children(visit func(GoalID)) {
	for i := range a.Tests {
		visit(a.Tests[i].Goal)
	}
	a.members(visit)
}

// members calls visit for the goals of items and properties. Listed values need them too: they are checked against
// them.
func (a *Alternative) members(visit func(GoalID)) {
	if l := a.List; l != nil && a.Flat.Types&jsontype.Array != 0 {
		for _, g := range l.Prefix {
			visit(g)
		}
		if l.Max > uint64(len(l.Prefix)) {
			visit(l.Rest)
		}
		if w := l.Witness; w != nil {
			for _, g := range w.prefix {
				visit(g)
			}
			visit(w.Rest)
		}
		if l.Counted != nil {
			visit(l.Counted.Match)
			visit(l.Counted.Other)
		}
		for i := range l.Counts {
			visit(l.Counts[i].Match)
			visit(l.Counts[i].Other)
		}
	}
	if o := a.Object; o != nil && a.Flat.Types&jsontype.Object != 0 {
		for i := range o.Properties {
			visit(o.Properties[i].Goal)
		}
		for i := range o.Extras {
			visit(o.Extras[i].Goal)
		}
	}
}

// testPlan is a planned test of a case: values of these types satisfy the goal, or do not if Without is set.
type testPlan struct {
	Types   jsontype.Set
	Goal    GoalID
	Without bool
	room    bool        // it excludes a few of many values
	node    jsontext.ID // the node of the test
	keyword string
}

// TestedTypes returns the types whose values have tests to pass.
func (a *Alternative) TestedTypes() jsontype.Set {
	types := jsontype.Set(0)
	for i := range a.Tests {
		types |= a.Tests[i].Types
	}
	return types
}

// ListPlan describes the arrays of one case. Immutable once planned.
type ListPlan struct {
	Prefix   []GoalID
	Rest     GoalID
	Min, Max uint64
	Witness  *witnessPlan  // nil: no particular item has to occur
	Counted  *CountPlan    // not nil: the list has no other bounds than this count
	Counts   []CountPlan   // other counts, each a test of its own
	Unique   jsontext.ID   // not 0: no two items are alike
	Items    []jsontext.ID // with Unique: all possible items, if they can be listed
	Free     bool          // some of Items are texts of a pattern
}

// CountPlan bounds how many items at index From or later satisfy Match, by Min and Max. The others satisfy Other.
type CountPlan struct {
	From         int
	Min, Max     uint64
	Match, Other GoalID
	node         jsontext.ID
}

// witnessPlan demands that one item at index From or later, the witness, satisfies its goals instead of the list's.
type witnessPlan struct {
	From   int
	prefix []GoalID // for the indexes of the list's prefix
	Rest   GoalID
}

// At returns the goal of the item at index i.
func (l *ListPlan) At(i int) GoalID {
	if i < len(l.Prefix) {
		return l.Prefix[i]
	}
	return l.Rest
}

// at returns the goal of the witness at index i.
func (w *witnessPlan) at(l *ListPlan, i int) GoalID {
	if i < len(l.Prefix) {
		return w.prefix[i]
	}
	return w.Rest
}

// WitnessAt returns the plan of the arrays whose item at index i is the witness, or nil if there are none.
func (l *ListPlan) WitnessAt(i int) *ListPlan {
	if uint64(i) >= l.Max || i < l.Witness.From {
		return nil
	}
	o := &ListPlan{Rest: l.Rest, Min: max(l.Min, uint64(i)+1), Max: l.Max, Unique: l.Unique}
	o.Prefix = make([]GoalID, max(len(l.Prefix), i+1))
	for k := range o.Prefix {
		o.Prefix[k] = l.At(k)
	}
	o.Prefix[i] = l.Witness.at(l, i)
	return o
}

// hasRoom reports whether items can always be added.
func (l *ListPlan) hasRoom() bool { return l.Rest != NoneGoal && l.Max == NoMaximum }

// ObjectPlan describes the objects of one case. Immutable once planned.
type ObjectPlan struct {
	Properties []PropertyPlan // in the order they have to be written
	Ordered    int            // the number of properties that have an order; they come first
	Required   int            // the number of required properties, with or without an order
	Extras     []ExtraPlan    // classes of other keys, without overlap
	Min, Max   uint64
	Free       bool           // some properties are the keys that a pattern allows, listed
	Orders     [][]int        // further orders in which the properties may come; see planOrders
	index      map[string]int // name to properties, when there are many
}

// PropertyPlan is a property known by name. Its goal is NoneGoal if it is forbidden.
type PropertyPlan struct {
	Name     string
	Goal     GoalID
	node     jsontext.ID // the node that requires it, else the one that declares it, if any
	Required bool
}

// ExtraPlan is a class of undeclared keys: keys that match all of with, none of without, and satisfy names.
type ExtraPlan struct {
	With, Without []*pattern.Pattern
	Names         GoalID
	Goal          GoalID
}

// find returns the index of the property with that name, or -1.
func (o *ObjectPlan) find(name string) int {
	if o.index != nil {
		if i, ok := o.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range o.Properties {
		if o.Properties[i].Name == name {
			return i
		}
	}
	return -1
}

// hasRoom reports whether keys can always be added.
func (o *ObjectPlan) hasRoom() bool { return len(o.Extras) > 0 && o.Max == NoMaximum }

// numbers are the numbers of a goal, if they are known.
type numbers struct {
	cases []number.Case
	known bool
}

// tagged is the plan of a style.
type tagged struct {
	Style  *style.Style
	Ends   []string            // texts that end a value: Style.Stop, or if Alone the ends of the tag around it
	Alone  bool                // the outermost value is a text
	Forms  map[GoalID][]GoalID // by goal of a value: the goal of each form, NoneGoal if it has no values
	Values []GoalID
	bodies map[GoalID]bool
	Listed map[jsontext.ID]*Alternative // the plans of listed arrays and objects that are written as bodies
	parts  map[part]GoalID
}

// part names the values of a goal that have some types.
type part struct {
	goal  GoalID
	types jsontype.Set
}
