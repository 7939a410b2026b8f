// Package rules holds the common tree of grammars that users write as rules, and its lowering to a grammar. EBNF and
// Lark differ only in syntax, so their masks are equally fast.
//
// Invariant: the tree represents the text element by element; only the lowering decides which parts become one
// terminal and which become rules (fold.go). The package does not know the syntax of any text.
//
// Each file uses only files before it: tree, components, nullable, nonempty and ignored (trees); folder, attributed, free,
// fold and joined (terminals); sequence, lower and capture (rules). Start reading at Node, then fold.go and Tree.Lower.
package rules

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// Kind is the kind of a Node.
type Kind uint8

// The kinds of Node.
const (
	Nothing    Kind = iota + 1 // the empty string
	Text                       // exactly Text
	Class                      // one code point of Pairs
	Ref                        // the rule Tree.Rules[Rule]
	Seq                        // Subs in order
	Alt                        // one of Subs
	Repeat                     // Subs[0] between Min and Max times
	Token                      // exactly one token of Tokens
	NotToken                   // exactly one token, neither of Tokens nor an end token
	Pattern                    // the whole of a regular expression
	Both                       // texts of all of Subs, which are regular
	Other                      // texts that are not in Subs[0], which is regular
	Schema                     // JSON text of the schema Part
	Substring                  // a run of neighbouring Chunks, or nothing
	Dispatch                   // free text without Excludes in which each of Chunks is followed by its element of Subs
	Followed                   // texts of Subs[0] that begin with one of Subs[1]; both are regular
	Attributed                 // Subs[0], up to Subs[1] if Options have an End, with Options; see Tree.Rule
	Mark                       // the marks Text: only in a tree of marked
)

// Node is an element of a rule's body. Immutable once the tree is built.
type Node struct {
	Kind     Kind
	serial   uint32 // number of the node in its Tree
	At       int
	Text     string
	Pairs    []rune // of charclass.OfText
	Rule     int
	Subs     []*Node
	Min, Max uint32
	*Special // nil for most kinds
}

// Special holds rare fields, so that other nodes stay small: the largest texts have half a million nodes.
type Special struct {
	*Options               // Attributed
	Tokens     [][2]uint32 // ranges of ids, both ends included
	Regex      *regex.Node
	Part       *jsonschema.Part
	Chunks     []string // in a Dispatch with Max 1 at most one occurs
	Excludes   []string
	Flags      string  // Pattern: letters of i, s, u
	JSONString bool    // Pattern: excludes quotes, backslashes and control characters
	Behind     []*Node // Attributed: ignored text that may follow
}

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

// Rule is one definition.
type Rule struct {
	Name string
	At   int
	Body *Node
	// Apart keeps the rule out of other rules' terminals. It is one of many that refer to one another in turn, so each
	// terminal would contain all the others.
	Apart bool
}

// Tree is a written grammar. Immutable once it is built.
type Tree struct {
	Rules []Rule
	Start int

	texts
	nodes  int
	free   bool
	scoped bool
	ends   []uint32 // end tokens, which no element matches
	work   *work.Meter

	captures []Node // elements with captures
	// Uncut holds the places of the rules with the note Uncut, once the tree has been lowered.
	Uncut []int
}

// New returns a tree without rules for a text of kind source. No element matches an end token of ends.
func New(source, text string, ends []uint32, m *work.Meter) *Tree {
	return &Tree{texts: texts{source: source, text: text}, ends: ends, work: m}
}

type texts struct {
	source string
	text   string
	others []other // texts behind the first one in text
}

type other struct {
	name string
	from int // offset in Tree.text
}

// Attach appends a text and returns its offset, from which places in it count.
func (t *Tree) Attach(name, text string) (from int) {
	t.text += "\n"
	t.others = append(t.others, other{name, len(t.text)})
	t.text += text
	return len(t.text) - len(text)
}

// Text returns all texts, one behind the other.
func (t *Tree) Text() string { return t.text }

// Within returns the text that contains a place, and the place in it; name is "" for the first text.
func (t *texts) Within(place int) (name, text string, at int) {
	end := len(t.text) + 1
	for i := len(t.others) - 1; i >= 0; i-- {
		x := t.others[i]
		if place >= x.from {
			return x.name, t.text[x.from : end-1], place - x.from
		}
		end = x.from
	}
	return "", t.text[:end-1], place
}

// Failure returns an error about a place of the tree's texts; see the function Failure.
func (t *Tree) Failure(code diag.Code, place int, keyword, format string, args ...any) *diag.Error {
	name, text, at := t.Within(place)
	if name != "" {
		format, args = "in the grammar %q: "+format, append([]any{diag.Shorten(name, limits.RuleFragment)}, args...)
	}
	return Failure(code, t.source, text, at, keyword, format, args...)
}

// places holds the places of a tree's rules. A grammar keeps it, so that the tree can be freed after lowering.
type places struct {
	texts
	rules []place
}

type place struct {
	name string
	at   int
}

// Places returns the places of the rules by index, without the tree.
func (t *Tree) Places() grammar.Text {
	p := &places{t.texts, make([]place, len(t.Rules))}
	for i := range t.Rules {
		p.rules[i] = place{t.Rules[i].Name, t.Rules[i].At}
	}
	return p
}

// Place returns the place of a rule. The message is the line with its caret.
func (p *places) Place(rule uint32) *diag.Error {
	r := &p.rules[rule]
	_, text, at := p.Within(r.at)
	return Failure(diag.Limit, p.source, text, at, r.name, "")
}

// NodeWork is the cost of visiting a node of the tree, or of reading a token.
const NodeWork = 10

// Node returns a new node of the tree. Nodes are separate allocations, because readers drop many of them.
func (t *Tree) Node(n Node) *Node {
	n.serial = uint32(t.nodes)
	t.nodes++
	t.free, t.scoped = t.free || n.Kind == Attributed && n.OneToken(), t.scoped || n.hasScope()
	t.work.Spend(NodeWork)
	return &n
}

// Sequence returns the node of subs in order.
func (t *Tree) Sequence(at int, subs ...*Node) *Node { return t.several(Seq, at, subs) }

// Choice returns the node of one of subs.
func (t *Tree) Choice(at int, subs ...*Node) *Node { return t.several(Alt, at, subs) }

// either returns the node of one of subs that are not nil, nil if all are.
func (t *Tree) either(at int, subs ...*Node) *Node {
	subs = slices.DeleteFunc(subs, func(n *Node) bool { return n == nil })
	if len(subs) == 0 {
		return nil
	}
	return t.Choice(at, subs...)
}

func (t *Tree) several(k Kind, at int, subs []*Node) *Node {
	switch len(subs) {
	case 0:
		return t.Node(Node{Kind: Nothing, At: at})
	case 1:
		return subs[0]
	}
	return t.Node(Node{Kind: k, At: at, Subs: subs})
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

// Failure returns an error whose message ends in the line at fault with a caret.
func Failure(code diag.Code, source, text string, at int, keyword, format string, args ...any) *diag.Error {
	e := diag.Errorf(code, source, diag.TextPlace(text, at), format, args...)
	e.Keyword = diag.Shorten(keyword, limits.RuleFragment)
	e.Message += "\n" + diag.Caret(text, at, limits.RuleFragment)
	return e
}
