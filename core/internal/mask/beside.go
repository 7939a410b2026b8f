package mask

import "sync"

// beside is a value that another package keeps in masks.
type beside struct {
	once sync.Once
	x    any
}

// Beside returns the value that the first call's make returned. Package ending keeps a generation's finder so.
func (b *beside) Beside(make func() any) any {
	b.once.Do(func() { b.x = make() })
	return b.x
}
