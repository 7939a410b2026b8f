// Package pipes writes numbers to the pipes of callers, each number when what it stands for is over.
//
// Invariant: what is written to one pipe takes one descriptor and, while the pipe is full, one thread, whatever the
// number of those who are told of: a blocked write holds its thread, and Go's runtime ends the process at 10,000. The
// package knows nothing of what the numbers mean. Start reading at Tell.
package pipes

import (
	"encoding/binary"
	"errors"
	"os"
	"sync"
	"syscall"
)

// ErrKind is the error of a descriptor that is open, but no pipe or socket that can be written to.
var ErrKind = errors.New("it is neither the end to write to of a pipe nor a socket")

// queue is what one pipe is told. It lives, with its descriptor, as long as somebody is to be told of something.
type queue struct {
	file    *os.File
	going   int      // numbers that are not written yet, waiting or not
	waiting []uint64 // those of them whose time has come; the first ones have waited longest
	writing bool     // a goroutine is at it
}

// pipe names an open pipe or socket, whatever descriptors there are of it. While a queue holds one, no other gets its
// name.
type pipe struct{ device, inode uint64 }

// The queues of the process. A C interface has no place for such state but the process.
var (
	mu     sync.Mutex
	queues = map[pipe]*queue{}
)

// Tell writes the 8 bytes of a number, as the machine has them, to a pipe or socket once done is closed. The caller may
// close his descriptor.
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

// identify finds out what a descriptor is of.
func identify(descriptor int) (pipe, error) {
	var stat syscall.Stat_t
	if err := syscall.Fstat(descriptor, &stat); err != nil {
		return pipe{}, err
	}
	kind := stat.Mode & syscall.S_IFMT
	// Both ends of a pipe are one file, so that the wrong one would take the place of the right one.
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(descriptor), syscall.F_GETFL, 0)
	switch {
	case errno != 0:
		return pipe{}, errno
	case kind != syscall.S_IFIFO && kind != syscall.S_IFSOCK, flags&syscall.O_ACCMODE == syscall.O_RDONLY:
		return pipe{}, ErrKind
	}
	return pipe{uint64(stat.Dev), stat.Ino}, nil // Dev has other types on other systems
}

// duplicate makes a descriptor that programs which the process starts do not get.
func duplicate(descriptor int) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	own, err := syscall.Dup(descriptor)
	if err == nil {
		syscall.CloseOnExec(own)
	}
	return own, err
}

// add puts a number into the queue, and writes all that is there unless somebody does.
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
		_, _ = q.file.Write(binary.NativeEndian.AppendUint64(nil, next)) // who closed the other end wants to know nothing
		mu.Lock()
		q.going--
	}
	q.writing = false
	if q.going == 0 {
		delete(queues, name)
		_ = q.file.Close()
	}
}
