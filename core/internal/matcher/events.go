package matcher

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/events"
	"github.com/sluice-engine/sluice/core/internal/events/value"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// reading is how far the events of an output have been found. It begins with the first call of Events, reads the log, and
// costs nothing before.
type reading struct {
	r        *events.Reader
	at       int        // steps that it has read
	places   []place    // earlier ones, the start first; see mark
	shared   bool       // their memory is also a fork's
	low      int        // the fewest steps of the output since the last call
	rest     []byte     // the end of their text, which waits because it may become a stop string, or does; immutable
	final    bool       // the output was read as one that has ended
	reported int        // how many events the caller has
	kept     int        // how many of these are valid, if that is less
	pending  value.Sink // the events behind them
	text     []byte
}

// place is an earlier state of a reading. Immutable.
type place struct {
	r     *events.Reader
	at    int
	rest  []byte
	count int // events up to there
}

// A rollback goes back to a copy of the reader, which is kept every few steps. Beyond `places` of them they are thinned
// out: the older, the fewer. So a rollback by n steps voids the events of at most some 2n + placeSteps more.
const (
	placeSteps = 16
	places     = 64
)

// mark keeps the present place. PERF: with a copy at each step, events of a token of JSON take 0.42 µs instead of 0.16
// (go test ./core -run '^$' -bench BenchmarkEvents/json).
func (d *reading) mark() {
	if d.shared {
		d.places, d.shared = slices.Clone(d.places), false
	}
	d.places = append(d.places, place{d.r.Clone(), d.at, d.rest, d.kept + len(d.pending.Events)})
	if len(d.places) <= places {
		return
	}
	few := d.places[:1]
	for i := 2; i < places/2; i += 2 {
		few = append(few, d.places[i])
	}
	few = append(few, d.places[places/2:]...)
	clear(d.places[len(few):])
	d.places = few
}

// back goes back to a place that is right for an output of n steps.
func (d *reading) back(n int) {
	low := min(d.low, n)
	if d.at <= low && !(d.final && n > d.at) {
		return
	}
	for d.places[len(d.places)-1].at > low {
		d.places = d.places[:len(d.places)-1]
	}
	last := &d.places[len(d.places)-1]
	d.r, d.at, d.rest, d.final = last.r.Clone(), last.at, last.rest, false
	d.kept = min(d.kept, last.count)
	d.pending.Events = d.pending.Events[:last.count-d.kept]
}

// clone returns the reading of a second sequence.
func (d *reading) clone() *reading {
	if d == nil {
		return nil
	}
	d.shared = true
	c := *d
	c.r, c.text = d.r.Clone(), nil
	c.pending = value.Sink{Events: slices.Clone(d.pending.Events)}
	return &c
}

// Events passes to take the events of the output since the last call. If take returns false, the next call passes them
// again. If steps were taken back whose events take has got, the first is a Rewind. final: the output has ended here,
// also without an end token. The list is valid until take returns.
//
// Errors are Busy, Argument for a matcher that does not keep its output, Invalid if the output has not the format of its
// constraint, and Limit for values that are nested too deep.
func (m *Matcher) Events(final bool, take func([]value.Event) bool) error {
	if err := m.claim(); err != nil {
		return err
	}
	defer m.leave()
	if !m.options.KeepOutput {
		return argument("this matcher does not keep its output, from which events are read: set the option for it when the " +
			"matcher is made")
	}
	if m.reading == nil {
		m.reading = &reading{r: events.NewReader(m.options.Events())}
		m.reading.mark()
	}
	d, n := m.reading, m.written()
	final = final || m.top()&ended != 0
	d.back(n)
	d.low = len(m.log.steps)
	if err := m.read(n, final); err != nil {
		return err
	}
	list := d.pending.Events
	if d.kept < d.reported {
		list = append([]value.Event{{Kind: value.Rewind, Call: -1, Kept: d.kept}}, list...)
	}
	if take(list) {
		d.kept += len(d.pending.Events)
		d.reported, d.pending.Events = d.kept, d.pending.Events[:0]
	}
	return nil
}

// read finds the events of the output up to step n.
func (m *Matcher) read(n int, final bool) error {
	d, at := m.reading, m.reading.at
	if at == 0 {
		at = min(m.reasoned(), n)
	}
	if n > at {
		d.text = m.textOf(append(d.text[:0], d.rest...), at, n)
		fed := max(len(d.text)-m.unsaid(n), 0)
		d.at, d.rest = n, slices.Clone(d.text[fed:])
		if err := d.r.Feed(d.text[:fed], &d.pending); err != nil {
			return err
		}
	}
	finishes := final && !d.final
	if last := d.places[len(d.places)-1].at; d.at-last >= placeSteps || finishes && d.at > last {
		d.mark()
	}
	if err := d.r.Err(); err != nil || !finishes {
		return err
	}
	d.final = true
	if m.here().node != stopped {
		if err := d.r.Feed(d.rest, &d.pending); err != nil {
			return err
		}
	}
	return d.r.Finish(&d.pending)
}

// textOf appends the bytes of steps.
func (m *Matcher) textOf(dst []byte, from, to int) []byte {
	for _, step := range m.log.steps[from:to] {
		switch {
		case step < 0:
			dst = append(dst, spelling.Untext(m.log.texts[^step])...)
		default: // one of the two is nil
			v, id := m.g.Vocabulary(), uint32(step)
			dst = append(append(dst, v.Bytes(id)...), v.SpecialBytes(id)...)
		}
	}
	return dst
}
