package tokenset

import "sync"

// Keeper keeps a value of another package beside a vocabulary or masks.
type Keeper struct {
	once sync.Once
	x    any
}

// Beside returns the value that the first call's make returned. Package ending keeps its lexicon beside a vocabulary
// this way, and its Finders beside the masks of a generation.
func (b *Keeper) Beside(make func() any) any {
	b.once.Do(func() { b.x = make() })
	return b.x
}
