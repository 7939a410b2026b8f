package expr

import (
	"math"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// Unresolved stands in a row for a target that is rarely needed and made on demand: the state after the backslash of an
// escape for a character that needs none, and most targets of sprawling machines.
const Unresolved Expr = 1<<32 - 1

// Row is the transition table of one node: a map from bytes to classes, and a target for each class.
type Row struct {
	Classes uint32 // index into ClassMaps
	Targets uint32 // index into Tables.Targets
	Alive   uint32 // index into Sets: bytes whose target is not Empty
	N       uint32 // of targets
	Price   uint32 // of making it, in parts; 0: derived from the weight
}

// Tables holds the transitions of expressions.
type Tables struct {
	ClassMaps arena.Table[[256]uint8]
	classOf   Dict[[256]uint8, uint32]
	Rows      arena.Table[Row]
	Targets   arena.Table[Expr]
}

// initOver begins with the tables of below.
func (t *Tables) initOver(below *Tables) {
	t.ClassMaps, t.classOf = arena.Over(&below.ClassMaps), Over(&below.classOf)
	t.Rows, t.Targets = arena.Over(&below.Rows), arena.Over(&below.Targets)
}

// size returns about how many bytes of memory the tables take.
func (t *Tables) size() int {
	return t.ClassMaps.Cap()*256 + t.Rows.Cap()*20 + t.Targets.Cap()*4 + len(t.classOf.Own)*2*(256+4)
}

// InternClasses returns the number of a map from bytes to classes.
func (t *Tables) InternClasses(classes *[256]uint8) uint32 {
	id, ok := t.classOf.Get(*classes)
	if !ok {
		id = t.ClassMaps.Append(*classes)
		t.classOf.Put(*classes, id)
	}
	return id
}

// AddRow adds a row with these classes, targets by class, live bytes and price, and returns its number.
func (t *Tables) AddRow(classes uint32, targets []Expr, alive uint32, price int) uint32 {
	at := t.Targets.Span(len(targets))
	copy(t.Targets.Slice(at, len(targets)), targets)
	return t.Rows.Append(Row{classes, at, alive, uint32(len(targets)), uint32(min(price, math.MaxInt32))})
}

// Lookup returns the target of row r for byte b.
func (s *Tables) Lookup(r uint32, b byte) Expr {
	rw := s.Rows.At(r)
	return *s.Targets.At(rw.Targets + uint32(s.ClassMaps.At(rw.Classes)[b]))
}
