package testkit

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// WalkMachine reads random text from a machine until nothing follows, and calls accepted for each accepted prefix.
// Every live state can be completed, so the walk ends at an accepted text.
func WalkMachine(
	t *testing.T, m terminal.Sprawling, from string, choose func(set terminal.ByteSet) byte, accepted func(text string),
) {
	t.Helper()
	s, text := m.Start(), from
	for i := range len(from) {
		next, ok := m.Step(s, from[i])
		require.True(t, ok, from[:i+1])
		s = next
	}
	for {
		if m.Accepts(s) {
			accepted(text)
		}
		set := m.Alive(s)
		for b := range 256 {
			if len(text)%8 > 0 && b != 'a' && b != '-' {
				continue
			}
			_, ok := m.Step(s, byte(b))
			require.Equal(t, set.Has(byte(b)), ok, "%q and %q", text, byte(b))
		}
		if set.IsEmpty() {
			require.True(t, m.Accepts(s), "a dead end: %q", text)
			return
		}
		if sure, n := m.Read(s).Room(0); n > 0 && len(text)%4 == 0 {
			next := s
			for range min(n, 70) {
				var ok bool
				next, ok = m.Step(next, AnyByte(sure, rand.New(rand.NewSource(int64(len(text)*n))).Intn(64)))
				require.True(t, ok, "%q has no room for %d", text, n)
			}
		}
		b := choose(set)
		s, _ = m.Step(s, b)
		text += string([]byte{b})
	}
}

// AnyByte returns the i-th of the bytes, counted round.
func AnyByte(set terminal.ByteSet, i int) byte {
	b := set.Next(0)
	for range i {
		if b = set.Next(b + 1); b > 255 {
			b = set.Next(0)
		}
	}
	return byte(b)
}
