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
	Ignored   bool // whitespace behind a token, which is not part of captures that end with it

	captured bool // with the capture Node.Rule
	marked   bool // in a tree of marked: no scope, and the end of a cut rule may be missing
}

// Rule returns the element of a rule with options and a body at a place.
func (t *Tree) Rule(at int, o *Options, body *Node) *Node {
	x := *o
	subs := []*Node{body}
	if o.End != nil {
		subs, x.Lazy = append(subs, o.End), false // the end makes it lazy
	}
	x.Hidden = x.Hidden && o.End != nil
	x.captured = x.Capture != "" || x.EndCapture != "" || x.Hidden || x.Ignored
	if !x.captured && !x.Lazy && !x.Bounded && !x.Heated && !x.Limited && o.End == nil {
		return body
	}
	n := t.Node(Node{Kind: Attributed, At: at, Subs: subs, Special: &Special{Options: &x}})
	if x.captured {
		n.Rule = len(t.captures)
		t.captures = append(t.captures, *n)
	}
	return n
}

// OneToken reports whether the options of n, of kind Attributed, require a regular body without ignored text.
func (n *Node) OneToken() bool { return n.Lazy || n.Bounded || n.Options.End != nil }

// none reports whether n allows no token, so that its text is empty.
func (n *Node) none() bool { return n.Limited && n.MaxTokens == 0 }

func (n *Node) hasScope() bool {
	return n.Kind == Attributed && !n.marked && (n.Heated || n.Limited && n.MaxTokens > 0)
}

// bare returns the element inside n if the options of n only capture it, else n.
func (n *Node) bare() *Node {
	for n.Kind == Attributed && !n.OneToken() && !n.none() && !n.hasScope() {
		n = n.Subs[0]
	}
	return n
}

// Inside returns n with f(x) in place of x, the element inside the captures and scope of n.
func (t *Tree) Inside(n *Node, f func(x *Node) *Node) *Node {
	switch {
	case n.Kind != Attributed:
		return f(n)
	case !n.OneToken() && !n.none():
		return t.around(n, f(n.Subs[0]))
	case n.none():
		return t.around(n, f(t.Sequence(n.At)))
	case n.Limited && n.Options.End != nil: // is never empty; see lowering.cut
		return n
	}
	inner := *n
	inner.Special = &Special{Options: &Options{
		Lazy: n.Lazy, End: n.Options.End, MaxChars: n.MaxChars, Bounded: n.Bounded,
	}}
	return t.around(n, f(t.Node(inner)))
}

// around returns part with the captures and scope of n.
func (t *Tree) around(n, part *Node) *Node {
	x, special, o := *n, *n.Special, *n.Options
	o.Lazy, o.Bounded, o.End, o.Limited = false, false, nil, n.Limited && n.MaxTokens > 0
	x.Subs, x.Special, special.Options = []*Node{part}, &special, &o
	return t.Node(x)
}

// scope returns the scope of n, if it has one.
func (n *Node) scope() *grammar.Scope {
	return &grammar.Scope{Temperature: n.Temperature, Heated: n.Heated, MaxTokens: n.MaxTokens}
}
