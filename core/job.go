package core

import (
	"bytes"
	"context"
)

// Job is a compilation in the background. Safe for concurrent use.
type Job struct {
	ctx     context.Context // done when nobody wants the result any more
	cancel  context.CancelFunc
	done    chan struct{} // closed when the others are set
	grammar *Grammar
	err     error
}

// Start compiles in the background and returns at once. Cancel ends the job, and so does o.Stop. At most GOMAXPROCS
// jobs of one compiler run at a time; the others are queued.
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

// Cancel ends a job. Its compilation stops within about a millisecond of work and fails with CodeCancelled, unless it
// is done by then. Other compilations of an equal constraint continue.
func (j *Job) Cancel() { j.cancel() }

// Done returns a channel that is closed when the job is over.
func (j *Job) Done() <-chan struct{} { return j.done }

// Result waits until the job is over and returns what Compile would.
func (j *Job) Result() (*Grammar, error) {
	<-j.done
	return j.grammar, j.err
}
