package plan

import (
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// atom is a subschema or its negation: the node's ID and a sign in the lowest bit.
type atom uint32

func positive(id jsontext.ID) atom { return atom(id << 1) }

func negative(id jsontext.ID) atom { return atom(id<<1 | 1) }

func (a atom) Node() jsontext.ID { return jsontext.ID(a >> 1) }

func (a atom) negated() bool { return a&1 != 0 }

func (a atom) not() atom { return a ^ 1 }

func signed(id jsontext.ID, n bool) atom {
	if n {
		return negative(id)
	}
	return positive(id)
}

func nodesOf(atoms []atom) []jsontext.ID {
	nodes := make([]jsontext.ID, len(atoms))
	for i, a := range atoms {
		nodes[i] = a.Node()
	}
	return nodes
}

// GoalID names a goal, which is a conjunction of atoms: the demands on one place of the output. To merge schemas is to
// put their nodes into one goal, and since goals are interned, recursion through merged schemas ends.
type GoalID uint32

const (
	AnyGoal  GoalID = 0 // no atoms: any JSON value
	NoneGoal GoalID = 1 // no value at all
)

// operation is the effect of a literal on a conjunction.
type operation uint8

const (
	opAtom        operation = iota // the atom holds
	opTypes                        // the value is of one of the types
	opRequire                      // an object with the property name
	opForbid                       // an object without it
	opProperty                     // an object with it, and its value satisfies the atom
	opNotValues                    // none of the values of the list node
	opNumber                       // a number within the bound
	opNotMultiple                  // a number that is no multiple of the node's
	opLength                       // a string of between low and high code points
	opPattern                      // a string that does (not) match
	opItems                        // an array of between low and high items
	opItemAt                       // an array whose item at index from satisfies the atom
	opCount                        // an array in which between low and high items at index from or later satisfy the atom
	opProps                        // an object of between low and high members
	opExtra                        // an object with an undeclared key that violates additionalProperties of node
	opTest                         // a value of the types that does not satisfy the atom, as a test
)

// typesOf holds the types to which an operation restricts the value; zero: none, or the literal's own.
var typesOf = [...]jsontype.Set{
	opRequire: jsontype.Object, opForbid: jsontype.Object, opProperty: jsontype.Object, opProps: jsontype.Object,
	opExtra: jsontype.Object, opNumber: jsontype.Number, opNotMultiple: jsontype.Number, opLength: jsontype.String,
	opPattern: jsontype.String, opItems: jsontype.Array, opItemAt: jsontype.Array, opCount: jsontype.Array, opTest: 0,
}

// literal is one demand of a branch. Immutable.
type literal struct {
	op        operation
	types     jsontype.Set
	lower     bool // opNumber: the bound is a lower one
	atom      atom
	node      jsontext.ID
	name      string
	bound     number.Bound
	from      int
	low, high uint64
	use       PatternUse
}

// branch is one alternative of a choice: all its literals hold.
type branch []literal

func atomBranch(atoms ...atom) branch {
	b := make(branch, len(atoms))
	for i, a := range atoms {
		b[i] = literal{op: opAtom, atom: a, node: a.Node()}
	}
	return b
}

// choice is a keyword with alternatives that has not been decided yet. Node is the keyword's value, the negated schema
// for schema.Not, and the entry of one property for schema.Dependencies. Path is the path of its schema.
type choice struct {
	keyword  schema.Keyword
	node     jsontext.ID
	path     int32
	branches []branch // decided when the choice was made (negations); else derived from keyword and node
}

// pathNode is an applied atom with a link up to the atom that led to it for the same value. The planner follows these
// links to detect a schema that refers to itself without a property or item in between.
type pathNode struct {
	atom  atom
	up    int32
	depth int32
	as    how
}

// how says why an atom is applied below another one.
type how uint8

const (
	demanded   how = iota // holds in every case
	onlyBranch            // as the only alternative, for example in the opposite of an anyOf
	oneBranch             // as one of several alternatives
)

// noPath is the path above the atoms of a goal. Lists made from the opposite of a keyword have it too, and so do the
// facets of unevaluatedProperties and unevaluatedItems.
const noPath = -1

// PatternUse is a pattern or format that the string must match, or must not.
type PatternUse struct {
	Node    jsontext.ID
	Text    string
	Format  bool
	Negated bool
}

// Work of the planner, in the unit of the budget of a compilation.
const (
	goalWork  = 100 // expanding a goal, making its rule
	applyWork = 40  // applying a schema, forking a case
	nameWork  = 5   // visiting the name of a property, a key, a value, a member of a list
)
