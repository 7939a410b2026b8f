package tokenset

import "sync"

// beside is a value of another package beside a vocabulary.
type beside struct {
	once sync.Once
	x    any
}

// Beside returns the result of the first call's make: package ending keeps its facts beside the vocabulary.
func (b *beside) Beside(make func() any) any {
	b.once.Do(func() { b.x = make() })
	return b.x
}
