package tokenset

import "sync"

// Keeper keeps a value of another package beside a vocabulary or masks.
type Keeper struct {
	once sync.Once
	x    any
}

// Beside returns the value that the first call's make returned. Package ending keeps its facts of a vocabulary and its
// finders of generations this way.
func (b *Keeper) Beside(make func() any) any {
	b.once.Do(func() { b.x = make() })
	return b.x
}
