package main

import (
	"slices"
	"syscall"
	"time"
	"unsafe"
)

// clockThread is Linux's CLOCK_THREAD_CPUTIME_ID.
const clockThread = 3

// threadTime returns the CPU time of this thread in nanoseconds. getrusage counts a thread's time in ticks of
// milliseconds.
func threadTime() int64 {
	var t syscall.Timespec
	// SAFETY: the kernel writes one timespec, which outlives the call.
	_, _, e := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockThread, uintptr(unsafe.Pointer(&t)), 0)
	if e != 0 {
		panic(e)
	}
	return t.Nano()
}

// clockCost returns how long the clock sees itself.
func clockCost() int64 {
	list := make([]int64, 10_001)
	for i := range list {
		begin := threadTime()
		list[i] = threadTime() - begin
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// processTime returns the CPU time of the process, its garbage collector included.
func processTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory returns the most memory that the process ever had, in bytes.
func peakMemory() int64 { return usage().Maxrss << 10 }

func usage() (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u
}
