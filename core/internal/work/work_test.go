package work

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// endedBy returns the panic of f.
func endedBy(t *testing.T, f func()) (e Ended) {
	defer func() {
		var ok bool
		e, ok = recover().(Ended)
		require.True(t, ok, "it goes on")
	}()
	f()
	return e
}

func TestBudget(t *testing.T) {
	m := New(3*lookEvery, nil)
	for range 3 * lookEvery / 10 {
		m.Spend(10)
	}
	m.Look() // exactly the budget
	require.Zero(t, m.Left())
	m.Spend(1)
	require.Equal(t, Ended{}, endedBy(t, m.Look))
	require.NotPanics(t, func() { New(0, nil).Spend(1 << 40) }, "no budget")
	var none *Meter
	none.Spend(1)
	none.Look()
	require.False(t, none.Stopped(1))
	none.At(nil)()
}

func TestPlace(t *testing.T) {
	m := New(1, nil)
	at := func(pointer string) func() *diag.Error {
		return func() *diag.Error { return diag.Errorf(diag.Limit, "", diag.At(pointer), "") }
	}
	outer := m.At(at("/a"))
	inner := m.At(at("/a/b"))
	m.Spend(2)
	require.Equal(t, "/a/b", endedBy(t, m.Look).At.Place.Pointer)
	inner()
	require.Equal(t, "/a", endedBy(t, m.Look).At.Place.Pointer)
	outer()
	require.Nil(t, endedBy(t, m.Look).At)
}

func TestFlag(t *testing.T) {
	asked, up := 0, false
	m := New(0, func() bool { asked++; return up })
	for range 10 * lookEvery {
		m.Spend(1)
	}
	require.Equal(t, 10, asked)
	up = true
	require.True(t, endedBy(t, func() {
		for range lookEvery {
			m.Spend(1)
		}
	}).Stopped)

	up, asked = false, 0
	m = New(5*lookEvery, func() bool { asked++; return up })
	m.Quiet()
	for range 10 * lookEvery {
		require.False(t, m.Stopped(1), "quiet work is not counted")
	}
	require.Equal(t, 11, asked, "but stopped as soon")
	require.True(t, m.Counted())
	require.Equal(t, 5*lookEvery, m.Left())
	m.Quiet()
	up = true
	for range lookEvery {
		m.Stopped(1)
	}
	up = false
	require.True(t, m.Stopped(1), "for good")
	require.False(t, m.Counted())
	m.End()
	require.NotPanics(t, m.Look)
	require.NotPanics(t, func() { m.Spend(1 << 40) })
}
