package main

import "testing"

func TestGrowth(t *testing.T) {
	for live, percent := range map[uint64]int{
		0: collectAt, 10 << 20: collectAt, 128 << 20: 200, 256 << 20: 100, 400 << 20: 64, 4 << 30: collectAtLeast,
	} {
		if got := growth(live); got != percent {
			t.Errorf("%d MiB in use: %d %%, want %d", live>>20, got, percent)
		}
	}
}
