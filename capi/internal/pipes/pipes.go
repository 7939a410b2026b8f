// Package pipes writes numbers to the pipes of callers, each number when its job is over.
//
// Invariant: one pipe takes one descriptor and, while it is full, one thread, for any number of jobs. A blocked
// write holds its thread, and Go's runtime ends the process at 10,000 threads. The package does not know the
// meaning of the numbers. Start reading at Tell.
package pipes

import (
	"encoding/binary"
	"errors"
	"os"
	"sync"
	"syscall"
)

// ErrKind is the error of an open descriptor that is not a writable pipe or socket.
var ErrKind = errors.New("it is neither the end to write to of a pipe nor a socket")

// queue holds the numbers for one pipe. It lives, with its descriptor, while numbers are left to write.
type queue struct {
	file    *os.File
	going   int      // numbers that are not written yet, waiting or not
	waiting []uint64 // numbers whose job is over, the oldest first
	writing bool     // a goroutine writes
}

// pipe identifies an open pipe or socket, independently of its descriptors. While a queue holds one, no other gets its
// identity.
type pipe struct{ device, inode uint64 }

// The queues of the process. A C interface can keep such state only in globals.
var (
	mu     sync.Mutex
	queues = map[pipe]*queue{}
)

// Tell writes the 8 bytes of a number, in the machine's byte order, to a pipe or socket once done is closed. The caller
// may close its descriptor.
func Tell(done <-chan struct{}, descriptor int, number uint64) error {
	name, err := identify(descriptor)
	if err != nil {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	q := queues[name]
	if q == nil {
		own, err := duplicate(descriptor)
		if err != nil {
			return err
		}
		q = &queue{file: os.NewFile(uintptr(own), "pipe")}
		queues[name] = q
	}
	q.going++
	go func() {
		<-done
		q.add(name, number)
	}()
	return nil
}

// identify returns the pipe or socket of a descriptor.
func identify(descriptor int) (pipe, error) {
	var stat syscall.Stat_t
	if err := syscall.Fstat(descriptor, &stat); err != nil {
		return pipe{}, err
	}
	kind := stat.Mode & syscall.S_IFMT
	// Both ends of a pipe are one file, so the read end would replace the write end.
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(descriptor), syscall.F_GETFL, 0)
	switch {
	case errno != 0:
		return pipe{}, errno
	case kind != syscall.S_IFIFO && kind != syscall.S_IFSOCK, flags&syscall.O_ACCMODE == syscall.O_RDONLY:
		return pipe{}, ErrKind
	}
	return pipe{uint64(stat.Dev), stat.Ino}, nil // Dev has other types on other systems
}

// duplicate makes a descriptor that child processes do not inherit.
func duplicate(descriptor int) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	own, err := syscall.Dup(descriptor)
	if err == nil {
		syscall.CloseOnExec(own)
	}
	return own, err
}

// add puts a number into the queue, and writes all waiting numbers unless another goroutine does.
func (q *queue) add(name pipe, number uint64) {
	mu.Lock()
	defer mu.Unlock()
	q.waiting = append(q.waiting, number)
	if q.writing {
		return
	}
	q.writing = true
	for len(q.waiting) > 0 {
		next := q.waiting[0]
		q.waiting = q.waiting[1:]
		mu.Unlock()
		_, _ = q.file.Write(binary.NativeEndian.AppendUint64(nil, next)) // fails if the caller has closed the other end
		mu.Lock()
		q.going--
	}
	q.writing = false
	if q.going == 0 {
		delete(queues, name)
		_ = q.file.Close()
	}
}
