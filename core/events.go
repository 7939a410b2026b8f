package core

import (
	"strings"
	"sync"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/events"
	"github.com/sluice-engine/sluice/core/internal/events/value"
	"github.com/sluice-engine/sluice/core/internal/request"
	"github.com/sluice-engine/sluice/core/internal/request/family"
)

// EventKind is the subject of an event.
type EventKind uint8

// The kinds of Event. The first six are values.
const (
	ObjectEvent EventKind = iota + 1
	ArrayEvent
	StringEvent
	NumberEvent
	BooleanEvent
	NullEvent
	TextEvent      // text outside of calls and values
	ReasoningEvent // text of the reasoning
	CallEvent      // a call; Text is the tool's name
	InputEvent     // raw text as the input of a call
	RewindEvent    // earlier events are void; see Event.Kept
)

// Event is a step of an output: a value, text or call begins, grows or ends. Immutable.
type Event struct {
	Kind   EventKind // the subject
	Begins bool      // the first event of this value, text or call
	Ends   bool      // the last one: the value, text or call is complete
	Call   int       // the number of the call that the event belongs to, from 0; -1 outside of calls
	// Text is the addition to the value or text: characters of a string, decoded; digits of a number; true, false or null;
	// text; or the name of a call. Strings have whole characters, and U+FFFD for half of a surrogate pair. Text of other
	// kinds has the bytes of the output.
	Text string
	// JSON is the addition to the JSON text of the document, or of the arguments of the call. All additions together are
	// a text without whitespace between tokens, for every format of outputs.
	JSON string
	Kept int // of RewindEvent: how many of the events so far remain valid

	path *value.Path
}

// Pointer returns the place of a value within the document or the arguments, as a JSON pointer (RFC 6901). If a name comes
// twice in an object, its value begins again at the same place, and the last one counts.
func (e *Event) Pointer() string { return e.path.Pointer() }

func eventOf(e *value.Event) Event {
	return Event{EventKind(e.Kind), e.Begins, e.Ends, e.Call, e.Text, e.JSON, e.Kept, e.Path}
}

func eventsOf(all []value.Event) []Event {
	list := make([]Event, len(all))
	for i := range all {
		list[i] = eventOf(&all[i])
	}
	return list
}

// Events appends to dst the events of the output since the last call: values of a JSON document, or texts and calls of a
// request with tools. Any other output is text. Each call reads the new tokens only. A matcher on which nobody calls Events
// pays nothing. The matcher must keep its output (MatcherOptions.KeepOutput). Events leaves out the reasoning of
// MatcherOptions.Reasoning, as Output does.
//
// Text that may still begin a call, and incomplete characters, wait for their rest. Set final if the output has ended
// without an end token. Then Events reports the waiting text, too.
//
// If a rollback has voided reported events, the first event is a RewindEvent. Drop all but the first Kept events of this
// matcher, and go on with those that follow. Reset rewinds as well. A fork continues the events of its parent.
//
// Errors are CodeArgument for a matcher that does not keep its output, CodeBusy, CodeLimit for values nested deeper than
// 512, and CodeInvalid if the output does not have the format of its constraint.
func (m *Matcher) Events(dst []Event, final bool) (list []Event, err error) {
	defer m.g.caught(&err)
	err = m.m.Events(final, func(all []value.Event) bool {
		for i := range all {
			dst = append(dst, eventOf(&all[i]))
		}
		return true
	})
	return dst, err
}

// TakeEvents is Events for callers that copy events into memory of their own. It calls take with the list, which is valid
// until take returns. If take returns false, the next call has the same events again.
func (m *Matcher) TakeEvents(final bool, take func([]Event) bool) (err error) {
	defer m.g.caught(&err)
	return m.m.Events(final, func(all []value.Event) bool { return take(eventsOf(all)) })
}

// programOf returns a function for the format of a grammar's outputs. Its first call makes the program.
func programOf(kind Kind, f *family.Family, u *family.Use) func() *events.Program {
	if f != nil {
		u = events.Kept(f, u)
		if len(u.Tools) == 0 {
			u.Choice = family.None
		}
	}
	return sync.OnceValue(func() *events.Program {
		switch {
		case f != nil:
			return events.New(f, u)
		case kind == JSONSchema, kind == JSONObject, kind == AnyJSON:
			return events.JSON()
		}
		return events.Text()
	})
}

// ParsedCall is a call that was found in an output.
type ParsedCall struct {
	Name      string // of the tool
	Arguments string // JSON; the raw text of a call whose input is raw
	Raw       bool   // the input is raw
}

// ParsedOutput is a finished output, taken apart.
type ParsedOutput struct {
	Text      string       // for the user
	Reasoning string       // without its marks
	Calls     []ParsedCall // in their order
}

// ParseCalls takes a finished output apart, by the code of Matcher.Events. The option Family names the format of calls, and
// Reasoning says whether the output may have reasoning. All other options are ignored. body is the request that the output
// answers. Its tools tell names from other text, and strings from numbers in styles that write both alike. Without tools,
// calls may have any name. The error is of CodeInvalid if the output does not have the family's format, with the place, or
// if it ends within the arguments of a call.
func ParseCalls(text, body []byte, o *Options) (_ *ParsedOutput, err error) {
	defer caught(&err)
	list, err := ParseEvents(text, body, o)
	if err != nil {
		return nil, err
	}
	out := &ParsedOutput{}
	var plain, reasoning, input strings.Builder
	for i := range list {
		switch e := &list[i]; {
		case e.Kind == TextEvent:
			plain.WriteString(e.Text)
		case e.Kind == ReasoningEvent:
			reasoning.WriteString(e.Text)
		case e.Kind == InputEvent:
			input.WriteString(e.Text)
			out.Calls[e.Call].Raw = true
		case e.Kind == CallEvent && e.Begins:
			out.Calls = append(out.Calls, ParsedCall{Name: e.Text})
		case e.Kind == CallEvent:
			out.Calls[e.Call].Arguments = input.String()
			input.Reset()
		default:
			input.WriteString(e.JSON)
		}
	}
	out.Text, out.Reasoning = plain.String(), reasoning.String()
	return out, nil
}

// ParseEvents returns the events of a finished output; see ParseCalls.
func ParseEvents(text, body []byte, o *Options) (_ []Event, err error) {
	defer caught(&err)
	if o == nil {
		o = new(Options)
	}
	f, u, err := request.ReadCalls(body, o.engine())
	if err != nil {
		return nil, err
	}
	r, out := events.NewReader(events.New(f, u)), &value.Sink{}
	if err := r.Feed(text, out); err != nil {
		return nil, err
	}
	if err := r.Finish(out); err != nil {
		return nil, err
	}
	if r.Open() {
		return nil, diag.Errorf(diag.Invalid, "events", diag.Place{}, "the output ends within the arguments of a call; "+
			"read it as far as it goes with the events of a matcher")
	}
	return eventsOf(out.Events), nil
}
