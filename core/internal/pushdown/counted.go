package pushdown

// Counted names a charge that a text or mask pays once: a kind and an id. A part (meter.go) has kind 0, so its number
// is its name.
type Counted = uint64

const (
	_ Counted = iota << 32 // a part
	countedStep
	countedRow
	countedSide
	countedEnds  // a terminal, by Shortest
	countedBound // a side, by Shortest
	countedFact  // and all numbers from it on
)

// FactOf names the charge for a fact about state s. The package that keeps the facts numbers their kinds.
func FactOf(kind uint8, s StateID) Counted { return countedFact + Counted(kind)<<32 | Counted(s) }
