package ending

import (
	"slices"
	"sync"

	"github.com/sluice-engine/sluice/core/internal/mask"
)

// Finders holds the finders of one generation, one for each set of stop tokens. Shared and growing; safe for concurrent
// use.
type Finders struct {
	masks *mask.Masks
	mu    sync.Mutex
	kept  []*Finder // the oldest first
}

// findersKept bounds the finders of a generation. Requests with stop tokens of their own mostly have the same ones.
const findersKept = 8

// FindersOf returns the finders of m.
func FindersOf(m *mask.Masks) *Finders {
	return m.Beside(func() any { return &Finders{masks: m} }).(*Finders)
}

// Of returns the finder for stop tokens.
func (x *Finders) Of(stops Stops) *Finder {
	tokens, view := x.masks.Engine().Tokens(), x.masks.TextView()
	text := slices.DeleteFunc(slices.Clone(stops.Text), func(id uint32) bool { return tokens.Text(id, view) == nil })
	slices.Sort(text)
	stops.Text = slices.Compact(text)
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, f := range x.kept {
		if f.stops.None == stops.None && slices.Equal(f.stops.Text, stops.Text) {
			return f
		}
	}
	if len(x.kept) == findersKept {
		x.kept = slices.Delete(x.kept, 0, 1)
	}
	f := New(x.masks, stops)
	x.kept = append(x.kept, f)
	return f
}
