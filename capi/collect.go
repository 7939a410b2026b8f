package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How far the heap may grow before garbage is collected. What is in use are tables without pointers, tens of MiB, that a
// collection gains little from, while a mask that has to help with one is late: against Go's default of 100 percent the
// average mask of MaskBench gains 8 %. But a process that serves thousands of schemas uses hundreds of MiB, and has other
// uses for three times as much.
const (
	collectAt      = 300       // percent of what is in use
	collectAtLeast = 50        // percent, however much is in use
	growAtMost     = 256 << 20 // bytes, else
)

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
		afterCollection(collectAt)
	}
}

// afterCollection sees to it that the percentage is set anew after the next collection, and after each one that follows.
func afterCollection(percent int) {
	runtime.AddCleanup(new([16]byte), func(percent int) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		next := growth(live[0].Value.Uint64())
		if next < percent*9/10 || next > percent*11/10 { // setting it stops the world for some microseconds
			debug.SetGCPercent(next)
			percent = next
		}
		afterCollection(percent)
	}, percent)
}

// growth returns by how many percent a heap with so many bytes in use may grow.
func growth(live uint64) int {
	return int(max(collectAtLeast, min(collectAt, growAtMost*100/max(live, 1))))
}
