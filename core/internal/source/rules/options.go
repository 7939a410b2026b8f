package rules

import "github.com/sluice-engine/sluice/core/internal/grammar"

// Options are the attributes of a rule.
type Options struct {
	// Lazy ends the rule as soon as a non-empty text matches. End, if set, does the same and ends the body.
	Lazy   bool
	End    *Node
	Hidden bool // captures around the rule omit the text of End
	// MaxChars bounds the characters of the body if Bounded is set. The body must be regular then.
	MaxChars uint32
	Bounded  bool
	// Capture and EndCapture name the captures of the body and of End; "": not captured.
	Capture, EndCapture string
	// Temperature is the sampling temperature within the rule, if Heated is set.
	Temperature float64
	Heated      bool
	// MaxTokens is the number of tokens that may begin in the rule, if Limited is set.
	MaxTokens uint32
	Limited   bool
}

// Written is a rule's body with its options as written.
type Written struct {
	Options
	Body *Node
}

// Written returns the options and body of a node that Rule made, nil for other nodes.
func (t *Tree) Written(n *Node) *Written { return t.written[n] }

// Rule returns the element of a rule with options and a body at a place.
func (t *Tree) Rule(at int, o *Options, body *Node) *Node {
	n := t.rule(at, o, body)
	if n != body && n != o.End {
		if t.written == nil {
			t.written = map[*Node]*Written{}
		}
		t.written[n] = &Written{*o, body}
	}
	return n
}

func (t *Tree) rule(at int, o *Options, body *Node) *Node {
	if o.Bounded {
		body = t.Node(Node{Kind: Bounded, At: at, Subs: []*Node{body}, Max: o.MaxChars})
	}
	c := Capture{Name: o.Capture, EndName: o.EndCapture}
	if o.End != nil {
		c.Body, c.End, c.Hidden = body, o.End, o.Hidden
	}
	scope := grammar.Scope{Temperature: o.Temperature, Heated: o.Heated}
	switch {
	case o.Limited && o.MaxTokens == 0:
		body = t.Sequence(at)
	case o.Limited && o.End != nil:
		body = t.limitedUpTo(at, o, body)
	default:
		body = t.upTo(at, o, body)
		scope.MaxTokens = o.MaxTokens
	}
	if scope != (grammar.Scope{}) {
		body = t.Node(Node{Kind: Scoped, At: at, Subs: []*Node{body}, Special: &Special{Scope: &scope}})
	}
	if c.Name != "" || c.EndName != "" || c.Hidden {
		body = t.Captured(at, c, body)
	}
	return body
}

func (t *Tree) upTo(at int, o *Options, body *Node) *Node {
	if o.End != nil {
		body = t.Sequence(body.At, body, o.End)
	}
	if o.Lazy || o.End != nil {
		body = t.Node(Node{Kind: Shortest, At: at, Subs: []*Node{body}})
	}
	return body
}

// limitedUpTo is upTo with a limit of tokens, after which the rule ends with its body: see addCut.
func (t *Tree) limitedUpTo(at int, o *Options, body *Node) *Node {
	body = t.Node(Node{Kind: Until, At: at, Subs: []*Node{body, o.End}})
	whole := t.Node(Node{Kind: Seq, At: at, Subs: []*Node{body, o.End}})
	scope := &grammar.Scope{MaxTokens: o.MaxTokens, Cut: true}
	return t.Node(Node{Kind: Scoped, At: at, Subs: []*Node{whole}, Special: &Special{Scope: scope}})
}
