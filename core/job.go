package core

import (
	"bytes"
	"context"
)

// Job is a compilation that goes on while its caller does something else. Safe for concurrent use.
type Job struct {
	ctx     context.Context // done when nobody wants the result any more
	cancel  context.CancelFunc
	done    chan struct{} // closed when the others are set
	grammar *Grammar
	err     error
}

// Start begins to compile and returns at once; what o.Stop says besides Cancel ends the compilation too. Jobs of one
// compiler run side by side, at most as many as the process may use threads; the others wait for their turn.
func (c *Compiler) Start(kind Kind, spec []byte, o *Options) *Job {
	j := &Job{done: make(chan struct{})}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	var own Options
	if o != nil {
		own = *o
	}
	asked := own.Stop
	own.Stop = func() bool { return j.ctx.Err() != nil || asked != nil && asked() }
	go j.run(c, kind, bytes.Clone(spec), &own)
	return j
}

// run compiles.
func (j *Job) run(c *Compiler, kind Kind, spec []byte, o *Options) {
	defer close(j.done)
	defer j.cancel()
	defer func() {
		if j.err != nil && j.ctx.Err() != nil && AsError(j.err).Code == CodeUnfinished {
			j.err = cancelled()
		}
	}()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
		j.grammar, j.err = c.Compile(kind, spec, o)
	case <-j.ctx.Done():
		j.err = cancelled()
	}
}

func cancelled() error {
	return Errorf(CodeCancelled, "job", "the job was cancelled before it was done")
}

// Cancel ends a job that nobody needs any more: its compilation stops within about a millisecond of work, unless it is
// done by then, and fails as CodeCancelled. Others who wait for an equal constraint are not disturbed.
func (j *Job) Cancel() { j.cancel() }

// Done returns a channel that is closed when the job is over.
func (j *Job) Done() <-chan struct{} { return j.done }

// Result waits until the job is over, and returns what Compile would.
func (j *Job) Result() (*Grammar, error) {
	<-j.done
	return j.grammar, j.err
}
