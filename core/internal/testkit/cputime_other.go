//go:build !unix

package testkit

import "time"

var started = time.Now()

// CPUTime returns the time on the clock since the process began, since this system has no getrusage.
func CPUTime() time.Duration { return time.Since(started) }
