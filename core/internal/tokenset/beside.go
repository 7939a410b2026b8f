package tokenset

import "sync"

// beside is a value of another package beside a vocabulary.
type beside struct {
	once sync.Once
	x    any
}

// Beside returns the result of the first call's make: package ending keeps its facts beside the vocabulary.
func (t *Tokens) Beside(make func() any) any {
	t.beside.once.Do(func() { t.beside.x = make() })
	return t.beside.x
}
