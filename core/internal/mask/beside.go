package mask

import "sync"

// beside is a value of another package beside masks.
type beside struct {
	once sync.Once
	x    any
}

// Beside returns the result of the first call's make: package ending keeps its finder beside a generation's masks.
func (m *Masks) Beside(make func() any) any {
	m.beside.once.Do(func() { m.beside.x = make() })
	return m.beside.x
}

// TextView reports whether special tokens count as the text that they spell.
func (m *Masks) TextView() bool { return m.text }

// Hold adds bytes to Size, for memory that is kept beside the masks.
func (m *Masks) Hold(bytes int) { m.bytes.Add(int64(bytes)) }
