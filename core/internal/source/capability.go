package source

// Support is the way in which a construct is enforced, named as in notes and errors.
type Support string

// The kinds of support. A note reports narrower, wider and ignored constructs; an unsupported construct is an error.
const (
	Exact       Support = "exact"
	Narrower    Support = "narrower"
	Wider       Support = "wider"
	Ignored     Support = "ignored"
	Unsupported Support = "unsupported"
)

// Capability describes the support of one construct of a front end. A test compiles its examples. Immutable.
type Capability struct {
	Name     string   `json:"name"` // as written: "uniqueItems", "date-time", "triggered_tags"
	Support  Support  `json:"support"`
	Sentence string   `json:"sentence,omitempty"` // the meaning, or its difference from the standard
	Dialects []string `json:"dialects,omitempty"` // dialects with the construct; empty: all
	Example  string   `json:"example"`            // an exact example compiles without a note about the construct
	Except   string   `json:"except,omitempty"`   // the unsupported part
	Refused  string   `json:"refused,omitempty"`  // an example of the unsupported part
}

// Does returns the capability of an exact construct.
func Does(name, example, sentence string) Capability {
	return Capability{Name: name, Support: Exact, Example: example, Sentence: sentence}
}

// DoesNot returns the capability of a construct that is an error. The sentence says what to write instead.
func DoesNot(name, example, sentence string) Capability {
	return Capability{Name: name, Support: Unsupported, Example: example, Sentence: sentence}
}

// But returns the capability with an unsupported part and an example of it.
func (c Capability) But(except, refused string) Capability {
	c.Except, c.Refused = except, refused
	return c
}
