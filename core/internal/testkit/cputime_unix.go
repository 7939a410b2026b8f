//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// CPUTime returns how long this process has computed. Time on the clock says more about what else the machine does.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
