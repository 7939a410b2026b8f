package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

const (
	// patience is the CPU time of a call for which the parent waits, in ticks of 10 ms: enough to distinguish slow from
	// endless.
	patience = 500
	// mostMemory is the resident memory at which a child is killed, in pages of 4 KiB.
	mostMemory = 2 << 30 / 4096
)

// worker is a child process that measures, restarted after it was killed. One goroutine.
type worker struct {
	command  []string
	patience int // in ticks
	child    *exec.Cmd
	in       io.WriteCloser
	lines    chan string
}

func (w *worker) start() (err error) {
	w.child = exec.Command(w.command[0], w.command[1:]...)
	w.child.Stderr = os.Stderr
	if w.in, err = w.child.StdinPipe(); err != nil {
		return err
	}
	out, err := w.child.StdoutPipe()
	if err != nil {
		return err
	}
	if err := w.child.Start(); err != nil {
		return err
	}
	w.lines = make(chan string)
	go func(lines chan<- string) {
		defer close(lines)
		s := bufio.NewScanner(out)
		s.Buffer(nil, 1<<26)
		for s.Scan() {
			lines <- s.Text()
		}
	}(w.lines)
	return nil
}

func (w *worker) stop() {
	if w.child == nil {
		return
	}
	_ = w.child.Process.Kill() // it may be gone
	for range w.lines {
	}
	_ = w.child.Wait() // it was killed
	w.child = nil
}

// run measures one input. If a call does not end or takes all memory, that is its outcome.
func (w *worker) run(i int, name string) (*outcome, error) {
	if w.child == nil {
		if err := w.start(); err != nil {
			return nil, err
		}
	}
	if _, err := fmt.Fprintln(w.in, i); err != nil {
		return nil, err
	}
	o := &outcome{Name: name, Verdict: "killed"}
	call := ""
	ticks, _ := w.usage()
	for {
		select {
		case line, open := <-w.lines:
			if !open {
				w.stop()
				o.Killed = "the process died in " + call
				return o, nil
			}
			if text, over := strings.CutPrefix(line, "done "); over {
				o = new(outcome)
				return o, json.Unmarshal([]byte(text), o)
			}
			if rest, begins := strings.CutPrefix(line, "begin "); begins {
				call = rest
				ticks, _ = w.usage()
			}
		case <-time.After(100 * time.Millisecond):
			now, pages := w.usage()
			switch {
			case pages > mostMemory:
				o.Killed = fmt.Sprintf("%s was killed at %d MiB", call, pages/256)
			case call != "" && now-ticks > w.patience:
				o.Killed = fmt.Sprintf("%s was killed after %d s", call, (now-ticks)/100)
			default:
				continue
			}
			w.stop()
			return o, nil
		}
	}
}

// usage returns the CPU time of the child in ticks and its resident memory in pages, zeros if /proc does not say.
func (w *worker) usage() (ticks, pages int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.child.Process.Pid))
	_, rest, ok := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if err != nil || !ok || len(fields) < 22 {
		return 0, 0
	}
	number := func(i int) int {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return 0
		}
		return n
	}
	return number(11) + number(12), number(21)
}
