package pushdown

// NewBounded is NewAutomaton with lower limits.
func NewBounded(p *Program, work, depth, sides int) *Automaton {
	return newAutomaton(p, bounds{work, depth, sides, 1 << 30})
}
