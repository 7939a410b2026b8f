//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time of this process, which other load on the machine affects least.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
