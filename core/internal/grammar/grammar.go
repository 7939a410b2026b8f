// Package grammar is the intermediate representation between front ends and the automaton: rules whose right-hand
// sides are sequences of terminals, rules and structured nodes. It is data only.
//
// Invariant: the index of a Symbol points into its own Grammar's tables, or is a terminal.Expr of the Store that the
// front end was given. Start reading at Grammar.
package grammar

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Unbounded is the Max of a Repeat without an upper bound.
const Unbounded = terminal.Unbounded

// Kind selects the table of a Symbol's Index.
type Kind uint8

// The kinds of Symbol.
const (
	Terminal    Kind = iota + 1 // Index is a terminal.Expr
	Call                        // Index is a RuleID
	RepeatNode                  // Index into Grammar.Repeats
	ObjectNode                  // Index into Grammar.Objects
	SwitchNode                  // Index into Grammar.Switches
	BooleanNode                 // Index into Grammar.Booleans
)

// RuleID names a rule of one Grammar; zero is invalid.
type RuleID uint32

// Symbol is one element of a right-hand side.
type Symbol struct {
	Index uint32
	Kind  Kind
	// NonEmpty leaves out the empty string. The left-recursion pass sets it; front ends don't.
	NonEmpty bool
}

// T is the symbol of a terminal.
func T(e terminal.Expr) Symbol { return Symbol{Kind: Terminal, Index: uint32(e)} }

// N is the symbol of a rule.
func N(r RuleID) Symbol { return Symbol{Kind: Call, Index: uint32(r)} }

// Sequence is a right-hand side. The empty sequence matches the empty string.
type Sequence []Symbol

// Text is a grammar's source text. Place returns the place of a number that the front end assigned, as an error with
// its keyword or fragment.
type Text interface {
	Place(at uint32) *diag.Error
}

// Worded is a Text whose places have keywords.
type Worded interface {
	Text
	// Keywords returns the keywords that constrain the text at a place, with their values as they are written.
	Keywords(at uint32) []Keyword
}

// Keyword is a keyword with its value, which may be shortened.
type Keyword struct{ Name, Value string }

// Inner is a Text that belongs to a part of another.
type Inner interface {
	Text
	// Around returns the text of the part, and its place in the text around it.
	Around() (Text, Origin)
}

// Origin is a place in a text. The zero Origin is unknown.
type Origin struct {
	Text Text
	At   uint32
}

// Place returns the place as an error that has no message except the line at fault (see diag.Error.Locate). It returns
// nil for an unknown place.
func (o Origin) Place() *diag.Error {
	if o.Text == nil {
		return nil
	}
	return o.Text.Place(o.At)
}

// Rule is a nonterminal: the union of its alternatives or, if Lazy is set, a grammar that is built when the rule is
// first entered. A rule without alternatives matches nothing.
type Rule struct {
	Name         string // for errors and printing; need not be unique
	Origin       Origin // for errors
	Alternatives []Sequence
	// Lazy returns the grammar of the rule, with expressions of st. It must be deterministic and safe for concurrent
	// calls with several stores. The grammar must be productive and must not match the empty string. If Lazy is set,
	// Alternatives is empty.
	Lazy func(st *terminal.Store) (*Grammar, error)
	// Doubtful says that the compiler has to check whether the grammar behind Lazy is productive.
	Doubtful bool
	// Part is the place of a part of the constraint that must match something. If the rule matches nothing, the
	// constraint is an error, even if the rule has alternatives.
	Part Origin
	// Scope, if not nil, constrains the text of the rule.
	Scope *Scope
}

// Scope holds the temperature and the token limit of a rule. Rewriting does not expand a rule with a scope.
type Scope struct {
	Temperature float64 // for sampling within the rule, if Heated is set
	Heated      bool
	// MaxTokens, if not 0, is the number of tokens that may begin within the rule. The rule then ends at its next
	// possible end.
	MaxTokens uint32
	// Cut requires a rule with one sequence. When MaxTokens tokens have begun, the rule ends at the next possible end
	// of the sequence without its last symbol, and drops the bytes that the last symbol has read.
	Cut bool
	// Behind, if not 0, is the text that may follow the rule's text at its possible ends, for MaxTokens. The rule must
	// be followed by the same language or a larger one at each use; Behind itself allows no text.
	Behind terminal.Expr
}

// Opaque reports whether rewriting must keep the rule.
func (r *Rule) Opaque() bool { return r.Lazy != nil || r.Scope != nil }

// Repeat matches Body between Min and Max times. The count is a register, so the size of a bound has no cost.
type Repeat struct {
	Body     Sequence
	Min, Max uint32
	At       Origin // of the body's last symbol, if it differs from the rule's
}

// Object is a JSON object: Open, members separated by Comma, Close. A member is Quote, a key, Colon, a value. Declared
// properties come in the order of Properties, and optional ones may be missing. Any number of members of Extra
// follows, in any order.
//
// With AnyOrder, the properties from Ordered on come anywhere, each at most once. The ones before Ordered come in
// declared order, and members of Extra come behind the last of them.
//
// Two other texts are such objects:
//
//   - An array of distinct items of a finite set. Open and Close are brackets, Keys are the items with the whitespace
//     before them. Colon and the values are empty, and so is Quote unless all items are strings.
//   - Members without brackets, with an empty Quote and at least one member; Close may match the empty text. For
//     parameters in tags, Open and Comma begin a member. For arguments of a call, Open is whitespace.
type Object struct {
	AnyOrder bool
	Ordered  uint32 // first property in any order, with AnyOrder
	// Keys matches the rest of a declared key after its opening quote, closing quote included. Its tag is the index
	// into Properties (Store.Keys builds it). Empty if there are no properties.
	Keys       terminal.Expr
	Properties []Property
	// Tags, if set, are the tags of the keys of Properties, a permutation of their indices. Objects that differ only
	// in the order of their properties then share Keys.
	Tags  []uint32
	Extra []Extra
	// Punctuation, with the whitespace before it.
	Open, Close, Comma, Quote, Colon terminal.Expr
	// MinMembers and MaxMembers bound the number of members; 0 and Unbounded if there is no bound.
	MinMembers, MaxMembers uint32
	List                   bool // the members are items of a list: for explanations
}

// Tag returns the tag of property i's key.
func (o *Object) Tag(i uint32) uint32 {
	if o.Tags == nil {
		return i
	}
	return o.Tags[i]
}

// Property is a declared property of an Object. Value begins with its own leading whitespace.
type Property struct {
	Value    Symbol
	Required bool
	Name     string // as the output's value has it, without quotes and escapes
	At       Origin // of the value
}

// Extra is a class of undeclared keys: Key matches the rest of the key after its opening quote, closing quote included.
type Extra struct {
	Key   terminal.Expr
	Value Symbol
	At    Origin // of the value
}

// Switch matches On, a terminal that ends in tags, and continues with the case of the tag that it ended in. A tag
// without a case fails.
type Switch struct {
	On    terminal.Expr
	Cases []Case
	Scope *Scope // for the text of On; nil: no scope
}

// Case is the continuation of one tag of a Switch.
type Case struct {
	Tag  uint32
	Then Sequence
}

// Condition combines the two sides of a Boolean.
type Condition uint8

// The conditions.
const (
	Both     Condition = iota + 1 // Right matches the text too
	Without                       // Right does not match the text
	Distinct                      // the text is a JSON array of distinct values; Right is unused
)

// Boolean matches the non-empty texts of Left that meet a condition. Neither side may begin with the node itself. The
// text after the node must begin with a byte that continues no text of either side, as after a JSON value. The node's
// end is then unique, and both sides run in step.
type Boolean struct {
	Left, Right Symbol
	Is          Condition
	Few         bool // Distinct: the shortest texts of Left have at most one item
}

// Capture names the parts of an output that a mark records.
type Capture struct {
	Name string // name of its text without End; "": not captured
	// If Ends is set, the part is a text of Body followed by a text of End. Body is as short as possible.
	Body, End terminal.Expr
	Ends      bool
	EndName   string // name of the text of End; "": not captured
	Hidden    bool   // captures around the part omit the text of End
	Ignored   bool   // the part is ignored text behind a token, and not part of rules that end with it
}

// Grammar is a context-free grammar with structured nodes. A front end builds it with the New methods. Afterwards it
// is immutable and may be shared.
type Grammar struct {
	Rules    []Rule // Rules[0] is unused
	Repeats  []Repeat
	Objects  []Object
	Switches []Switch
	Booleans []Boolean
	Start    RuleID

	// Marked returns the capture grammar, with expressions of st: the same texts with marks at the ends of captured
	// rules (see terminal.MarkOpen), and with Captures. It must be deterministic and safe for concurrent calls with
	// several stores. nil if nothing is captured.
	Marked   func(st *terminal.Store) (*Grammar, error)
	Captures []Capture // of a capture grammar, by record number of the marks

	// At is the origin of rules and terminals that are added next.
	At Origin
	// Terminals holds the origins of terminals that differ from the origin of their rule.
	Terminals map[terminal.Expr]Origin
	// Common holds the terminals with several places, the first of which is in Terminals.
	Common map[terminal.Expr]bool
}

// Locate records At as the origin of e.
func (g *Grammar) Locate(e terminal.Expr) {
	if g.Terminals == nil {
		g.Terminals = map[terminal.Expr]Origin{}
	}
	if first, ok := g.Terminals[e]; !ok {
		g.Terminals[e] = g.At
	} else if first != g.At {
		if g.Common == nil {
			g.Common = map[terminal.Expr]bool{}
		}
		g.Common[e] = true
	}
}

// New returns a grammar without rules.
func New() *Grammar { return &Grammar{Rules: make([]Rule, 1, 8)} }

// NewRule adds a rule without alternatives. Symbols may refer to it before Add fills it.
func (g *Grammar) NewRule(name string) RuleID {
	g.Rules = append(g.Rules, Rule{Name: name, Origin: g.At})
	return RuleID(len(g.Rules) - 1)
}

// Add adds an alternative to rule r.
func (g *Grammar) Add(r RuleID, seq ...Symbol) {
	g.Rules[r].Alternatives = append(g.Rules[r].Alternatives, seq)
}

// NewRepeat returns the symbol of a new Repeat node.
func (g *Grammar) NewRepeat(minimum, maximum uint32, body ...Symbol) Symbol {
	g.Repeats = append(g.Repeats, Repeat{Body: body, Min: minimum, Max: maximum})
	return Symbol{Kind: RepeatNode, Index: uint32(len(g.Repeats) - 1)}
}

// NewObject returns the symbol of a new Object node. MaxMembers must be set, to Unbounded for no bound.
func (g *Grammar) NewObject(o Object) Symbol {
	g.Objects = append(g.Objects, o)
	return Symbol{Kind: ObjectNode, Index: uint32(len(g.Objects) - 1)}
}

// NewSwitch returns the symbol of a new Switch node.
func (g *Grammar) NewSwitch(on terminal.Expr, cases ...Case) Symbol {
	g.Switches = append(g.Switches, Switch{On: on, Cases: cases})
	return Symbol{Kind: SwitchNode, Index: uint32(len(g.Switches) - 1)}
}

// NewBoolean returns the symbol of a new Boolean node.
func (g *Grammar) NewBoolean(b Boolean) Symbol {
	g.Booleans = append(g.Booleans, b)
	return Symbol{Kind: BooleanNode, Index: uint32(len(g.Booleans) - 1)}
}

// NewLazy adds a rule that is expanded when it is first entered; see Rule.Lazy.
func (g *Grammar) NewLazy(name string, expand func(st *terminal.Store) (*Grammar, error)) RuleID {
	g.Rules = append(g.Rules, Rule{Name: name, Origin: g.At, Lazy: expand})
	return RuleID(len(g.Rules) - 1)
}
