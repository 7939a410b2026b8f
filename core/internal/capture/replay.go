package capture

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

type span struct{ from, to int }

// replayed turns the events of a finished search into captures.
type replayed struct {
	s       *search
	text    []byte
	open    []int  // the places at which unfinished rules begin
	ignored []span // ordered by end; none is empty
	hidden  []span // ends that stay out of the captures around them
	out     []Capture
	bytes   int
}

func (s *search) replay() ([]Capture, error) {
	r := &replayed{s: s, text: make([]byte, 0, s.texts[len(s.pieces)])}
	for _, p := range s.pieces {
		r.text = append(r.text, p.Text...)
	}
	for _, e := range s.events {
		switch e.way {
		case wayOpen, wayLate:
			r.open = append(r.open, e.place)
		case wayClose:
			r.open = r.open[:len(r.open)-1]
		default:
			if err := r.record(e.way-wayRecord, span{r.open[len(r.open)-1], e.place}); err != nil {
				return nil, err
			}
		}
	}
	return r.out, nil
}

// record adds capture k, whose rule has the text at a span.
func (r *replayed) record(k int, at span) error {
	c := &r.s.t.captures[k]
	if c.Ignored {
		if at.from < at.to {
			r.ignored = append(r.ignored, at)
		}
		return nil
	}
	for i := len(r.ignored) - 1; i >= 0 && r.ignored[i].to >= at.to && r.ignored[i].from >= at.from; i-- {
		at.to = min(at.to, r.ignored[i].from)
	}
	whole := at
	if c.Ends {
		cut, ends, err := r.cut(k, at)
		if err != nil {
			return err
		}
		at.to = cut
		if ends {
			if err := r.add(c.EndName, span{cut, whole.to}); err != nil {
				return err
			}
		}
	}
	if err := r.add(c.Name, at); err != nil {
		return err
	}
	if c.Hidden && at.to < whole.to {
		r.hidden = append(r.hidden, span{at.to, whole.to})
	}
	return nil
}

// cut returns the place at which the end of capture k begins. ends is false if a limit of tokens ended the capture instead.
func (r *replayed) cut(k int, at span) (to int, ends bool, err error) {
	cut := r.s.t.cuts[k]
	state := cut.body.Start()
	for i := at.from; ; i++ {
		if cut.body.Accepts(state) {
			to, err := r.s.follow(cut.end, cut.end.Start(), r.text[i:at.to])
			if err != nil {
				return 0, false, err
			}
			if cut.end.Accepts(to) {
				return i, true, nil
			}
		}
		if i == at.to {
			return i, false, nil
		}
		if state, err = r.s.follow(cut.body, state, r.text[i:i+1]); err != nil {
			return 0, false, err
		}
	}
}

func (r *replayed) add(name string, at span) error {
	if name == "" {
		return nil
	}
	if r.bytes += at.to - at.from; r.bytes > limits.CaptureBytes {
		return diag.Errorf(diag.Limit, "capture", diag.Place{}, "what is captured has more than %d bytes: rules that "+
			"are captured stand within each other; capture the inner ones only", limits.CaptureBytes)
	}
	r.out = append(r.out, Capture{Name: name, Text: r.visible(at)})
	return nil
}

// visible returns a part of the text without its hidden parts. It copies the text only if it has hidden parts.
func (r *replayed) visible(at span) []byte {
	first := len(r.hidden)
	for first > 0 && r.hidden[first-1].from >= at.from {
		first--
	}
	var parts []byte
	for _, h := range r.hidden[first:] {
		if h.to <= at.to {
			parts = append(parts, r.text[at.from:h.from]...)
			at.from = h.to
		}
	}
	if parts == nil {
		return r.text[at.from:at.to:at.to]
	}
	return append(parts, r.text[at.from:at.to]...)
}
