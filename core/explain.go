package core

import (
	"encoding/json"

	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/reasons"
)

// Explanation says whether a token or a text may come next. It describes the place at Offset: the byte that is refused,
// or the end of an allowed token or text. Immutable.
type Explanation struct {
	Allowed bool // the matcher would accept it
	// Offset is the first byte of the token's text, or of the text, that no output has there. It is the length if the
	// whole is allowed, and 0 for a token that is refused for another reason than its text.
	Offset   int
	Ends     bool          // the output may end at the offset
	Bytes    string        // the bytes that may come there, as a class such as "[0-9]"; "" if there are none
	Expected []Expectation // the parts of the constraint that may come there, at most 8, the most specific first
	Missing  []Missing     // the parts that every output still writes from there on, at most 8, in their order
	Forced   []byte        // the text that every output continues with there, as ForcedBytes returns it
	Sentence string        // all of it for people to read; its wording changes between versions
}

// String returns the sentence.
func (x *Explanation) String() string { return x.Sentence }

// Expectation is a part of the constraint that may come next.
type Expectation struct {
	Text  string // in words: a quoted text, a class of bytes, the names of properties
	Place Reason // of the part
}

// Missing is a part of the constraint that every output still has to write.
type Missing struct {
	// Kind is "text", "characters", "property", "properties", "items", or "part" for anything else.
	Kind  string
	Text  string // in words
	Name  string // the name of a property, else ""
	Count int    // the number of characters, properties or items, else 0
	Place Reason // the part, or the object or array around it
}

// Reason is the place in the constraint that a part comes from. Its zero value is an unknown place.
type Reason struct {
	Source     string // the kind of the constraint, as errors name it
	Pointer    string // a JSON pointer (RFC 6901), if HasPointer is set
	HasPointer bool   // distinguishes Pointer "" from no pointer
	Keyword    string // the keyword at the pointer, or the type of the element of a structural tag; "" if there is none
	Value      string // the keyword's value as it is written, shortened
	Rule       string // the rule of a grammar, "" if there is none
	Line       int    // of the rule or the pattern, from 1; 0 if there is none
	Column     int    // from 1, in code points
}

func ofReasons(p reasons.Place) Reason { return Reason(p) }

// Explain says why token id may come next or why not: the byte of the token that is refused, and the parts of the
// constraint that are expected there. Use it for refusals and to debug a constraint. It is slow, and the first call for
// a grammar takes as long as a compilation. Errors are CodeArgument if id ≥ PaddedSize, CodeBusy and CodeLimit.
func (m *Matcher) Explain(id int32) (_ *Explanation, err error) {
	defer m.g.caught(&err)
	return ofExplanation(m.m.Explain(id, m.g.move))
}

// ExplainText is Explain for a text, as AcceptBytes would take it.
func (m *Matcher) ExplainText(text []byte) (_ *Explanation, err error) {
	defer m.g.caught(&err)
	return ofExplanation(m.m.ExplainText(text, m.g.move))
}

func ofExplanation(x *matcher.Explanation, err error) (*Explanation, error) {
	if err != nil {
		return nil, err
	}
	return &Explanation{
		Allowed: x.Allowed, Offset: x.Offset, Ends: x.Ends, Bytes: x.Bytes, Forced: x.Forced, Sentence: x.Sentence,
		Expected: converted(x.Expected, func(e reasons.Expectation) Expectation {
			return Expectation{e.Text, ofReasons(e.Place)}
		}),
		Missing: converted(x.Missing, func(k reasons.Missing) Missing {
			return Missing{k.Kind, k.Text, k.Name, k.Count, ofReasons(k.Place)}
		}),
	}, nil
}

// JSON returns the explanation as an object with the members allowed, offset, ends, bytes, expected, missing, forced
// (in base64) and sentence. An element of expected has the members text, source, pointer (null if there is none),
// keyword, value, rule, line and column; one of missing also has kind, name and count.
func (x *Explanation) JSON() []byte {
	place := func(text string, p Reason) map[string]any {
		out := map[string]any{
			"text": text, "source": p.Source, "pointer": nil, "keyword": p.Keyword, "value": p.Value, "rule": p.Rule,
			"line": p.Line, "column": p.Column,
		}
		if p.HasPointer {
			out["pointer"] = p.Pointer
		}
		return out
	}
	expected, missing := []any{}, []any{}
	for _, e := range x.Expected {
		expected = append(expected, place(e.Text, e.Place))
	}
	for _, k := range x.Missing {
		o := place(k.Text, k.Place)
		o["kind"], o["name"], o["count"] = k.Kind, k.Name, k.Count
		missing = append(missing, o)
	}
	forced := x.Forced
	if forced == nil {
		forced = []byte{}
	}
	text, err := json.Marshal(map[string]any{
		"allowed": x.Allowed, "offset": x.Offset, "ends": x.Ends, "bytes": x.Bytes, "expected": expected,
		"missing": missing, "forced": forced, "sentence": x.Sentence,
	})
	if err != nil {
		panic(err) // all members have a form in JSON
	}
	return text
}
