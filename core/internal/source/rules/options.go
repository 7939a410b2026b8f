package rules

import "unicode/utf8"

// Options is what the attributes of a rule say beside its body.
type Options struct {
	// Lazy says that the rule ends as soon as a text that is not empty matches. It does so too if End is set, which
	// then ends the body.
	Lazy   bool
	End    *Node
	Hidden bool // the text of End is left out of captures around the rule
	// MaxChars bounds the characters of the body, which is regular then, if Bounded is set.
	MaxChars uint32
	Bounded  bool
	// Capture is the name under which the text of the body is told, and EndCapture that of End; "" if it is not.
	Capture, EndCapture string
}

// IsToken reports whether the rule is one token: its body is regular.
func (o *Options) IsToken() bool { return o.Lazy || o.End != nil || o.Bounded }

// Rule returns what a rule with options matches, whose body is at a place.
func (t *Tree) Rule(at int, o *Options, body *Node) *Node {
	if o.Bounded {
		any := t.Node(Node{Kind: Class, At: at, Pairs: Normal([]rune{0, utf8.MaxRune})})
		few := t.Node(Node{Kind: Repeat, At: at, Subs: []*Node{any}, Max: o.MaxChars})
		body = t.Node(Node{Kind: Both, At: at, Subs: []*Node{body, few}})
	}
	c := Capture{Name: o.Capture, EndName: o.EndCapture}
	if o.End != nil {
		c.Body, c.End, c.Hidden = body, o.End, o.Hidden
		body = t.Sequence(body.At, body, o.End)
	}
	if o.Lazy || o.End != nil {
		body = t.Node(Node{Kind: Shortest, At: at, Subs: []*Node{body}})
	}
	if c.Name != "" || c.EndName != "" || c.Hidden {
		body = t.Captured(at, c, body)
	}
	return body
}
