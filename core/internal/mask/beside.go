package mask

import "sync"

// beside is a value of another package beside masks.
type beside struct {
	once sync.Once
	x    any
}

// Beside returns the result of the first call's make: package ending keeps its finder beside a generation's masks.
func (b *beside) Beside(make func() any) any {
	b.once.Do(func() { b.x = make() })
	return b.x
}
