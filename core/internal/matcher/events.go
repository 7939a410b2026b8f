package matcher

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/events"
	"github.com/sluice-engine/sluice/core/internal/events/value"
)

// reading is the progress of the events of an output. The first call of Events makes it, so a matcher without events pays
// nothing. It reads the log.
type reading struct {
	r        *events.Reader
	at       int        // the number of steps that r has read
	places   []place    // earlier states of the reading, the start first; see mark
	shared   bool       // their memory is also a fork's
	low      int        // the fewest steps that the output has had since the last call
	rest     []byte     // the end of the text: it is, or may become, a stop string, so r has not read it; immutable
	final    bool       // the output was read to its end
	end      int        // of a final reading: the number of steps up to this end, the end token included
	reported int        // the number of events that the caller has
	kept     int        // the number of these that are still valid
	pending  value.Sink // the events behind the valid ones
	text     []byte
}

// place is an earlier state of a reading. Immutable.
type place struct {
	r     *events.Reader
	at    int
	rest  []byte
	count int // the number of events up to there
}

// After a rollback, reading goes on from a copy of the reader, of which one is kept every placeSteps steps. If there are
// more than `places` copies, every second one of the older half is dropped. So a rollback by n steps voids the events of at
// most about 2n + placeSteps further steps.
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
	if d.at <= low && !(d.final && (n > d.at || d.low < d.end)) {
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

// Events calls take with the events of the output since the last call. The list is valid until take returns. If take
// returns false, the next call passes the same events again. If a rollback has voided events that take got, the first event
// is a Rewind. final: the output ends here, even without an end token.
//
// Errors are Busy, Argument for a matcher that does not keep its output, Invalid if the output does not have the format of
// its constraint, and Limit for values that are nested too deeply.
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
	if h := m.top(); at == 0 && !final && h&(ended|gated|undecided) == gated|undecided {
		at = n // these steps wait, since reasoning may begin with them
	} else if at == 0 {
		at = min(m.reasoned(), n)
	}
	if n > at || !d.final && len(d.rest) > m.unsaid(n) {
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
	d.final, d.end = true, min(n+1, len(m.log.steps))
	if m.here().node != stopped {
		if err := d.r.Feed(d.rest, &d.pending); err != nil {
			return err
		}
	}
	return d.r.Finish(&d.pending)
}

// textOf appends the bytes of steps, and the names of special tokens.
func (m *Matcher) textOf(dst []byte, from, to int) []byte {
	for _, step := range m.log.steps[from:to] {
		if dst = append(dst, m.textOfStep(step)...); step >= 0 {
			dst = append(dst, m.g.Vocabulary().SpecialBytes(uint32(step))...)
		}
	}
	return dst
}
