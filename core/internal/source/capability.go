package source

// Support says how a construct is enforced. The names are those of notes and errors.
type Support string

// The kinds of support. A note reports narrower, wider and ignored constructs; an unsupported one is an error.
const (
	Exact       Support = "exact"
	Narrower    Support = "narrower"
	Wider       Support = "wider"
	Ignored     Support = "ignored"
	Unsupported Support = "unsupported"
)

// Capability is the support of one construct of a front end, for programs and for the documentation. The examples are
// constraints of that front end; a test compiles all of them, so that the table stays true. Immutable.
type Capability struct {
	Name     string   `json:"name"` // as it is written: "uniqueItems", "date-time", "triggered_tags"
	Support  Support  `json:"support"`
	Sentence string   `json:"sentence,omitempty"` // its meaning, or how the meaning differs
	Dialects []string `json:"dialects,omitempty"` // where the construct exists, if not everywhere
	Example  string   `json:"example"`            // shows the support: exact ones compile without a note about it
	Except   string   `json:"except,omitempty"`   // the part that is unsupported
	Refused  string   `json:"refused,omitempty"`  // an example of that
}

// Does returns the capability of a construct that is enforced exactly.
func Does(name, example, sentence string) Capability {
	return Capability{Name: name, Support: Exact, Example: example, Sentence: sentence}
}

// DoesNot returns the capability of a construct that is an error; the sentence is the way out.
func DoesNot(name, example, sentence string) Capability {
	return Capability{Name: name, Support: Unsupported, Example: example, Sentence: sentence}
}

// But returns the capability with a part that is unsupported, and an example of it.
func (c Capability) But(except, refused string) Capability {
	c.Except, c.Refused = except, refused
	return c
}
