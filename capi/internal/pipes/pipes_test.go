package pipes

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// ends returns a pipe whose ends block, like a caller's pipe.
func ends(t *testing.T) (read *os.File, write int) {
	t.Helper()
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fds[0]), "read"), fds[1]
}

func count(t *testing.T, folder string) int {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("threads and descriptors cannot be counted: this system has no %s, which Linux has where /proc is mounted", folder)
	}
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// A pipe that nobody reads takes one thread and one descriptor; later every number is there, once, and the pipe ends.
func TestFullPipe(t *testing.T) {
	read, write := ends(t)
	const numbers = 20_000 // a pipe holds 8,192 of them
	threads, descriptors := count(t, "/proc/self/task"), count(t, "/proc/self/fd")
	done := make(chan struct{})
	for i := range uint64(numbers) {
		if err := Tell(done, write, i); err != nil {
			t.Fatal(err)
		}
	}
	if got := count(t, "/proc/self/fd"); got != descriptors+1 {
		t.Errorf("%d descriptors were opened for one pipe", got-descriptors)
	}
	close(done)
	_ = syscall.Close(write)
	time.Sleep(50 * time.Millisecond)
	if got := count(t, "/proc/self/task"); got > threads+runtime.GOMAXPROCS(0)+8 {
		t.Errorf("%d threads were made for one pipe", got-threads)
	}
	written, err := io.ReadAll(read)
	if err != nil || len(written) != 8*numbers {
		t.Fatalf("%d bytes, %v: want %d", len(written), err, 8*numbers)
	}
	var got []uint64
	for ; len(written) > 0; written = written[8:] {
		got = append(got, binary.NativeEndian.Uint64(written))
	}
	slices.Sort(got)
	for i, number := range got {
		if number != uint64(i) {
			t.Fatalf("number %d is %d", i, number)
		}
	}
	_ = read.Close()
}

// Pipes do not wait for one another, and one that has ended once may be written to again.
func TestTwoPipes(t *testing.T) {
	full, fullEnd := ends(t)
	read, write := ends(t)
	done := make(chan struct{})
	close(done)
	for i := range uint64(9_000) {
		if err := Tell(done, fullEnd, i); err != nil {
			t.Fatal(err)
		}
	}
	var written [8]byte
	for i := range uint64(3) {
		if err := Tell(done, write, i); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(read, written[:]); err != nil || binary.NativeEndian.Uint64(written[:]) != i {
			t.Fatal(written, err)
		}
	}
	_ = full.Close() // writers that wait for it get EPIPE
}

func TestRefused(t *testing.T) {
	read, write := ends(t)
	defer syscall.Close(write)
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	for _, c := range []struct {
		descriptor int
		want       error
	}{{-1, syscall.EBADF}, {1 << 30, syscall.EBADF}, {int(read.Fd()), ErrKind}, {int(file.Fd()), ErrKind}} {
		if err := Tell(done, c.descriptor, 1); !errors.Is(err, c.want) {
			t.Errorf("descriptor %d: %v, want %v", c.descriptor, err, c.want)
		}
	}
}
