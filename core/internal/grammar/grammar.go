// Package grammar is the intermediate representation between front ends and the automaton: rules whose right-hand sides
// are sequences of terminals, rules and structured nodes. It is data only.
//
// Invariant: every index in a Symbol points into its own Grammar's tables, or is a terminal.Expr of the Store the
// front end was given. The package must not know how any text is read or how states are built. Start reading at
// Grammar.
package grammar

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Unbounded is the Max of a Repeat without an upper bound.
const Unbounded = terminal.Unbounded

// Kind says what a Symbol's Index points into.
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

// Sequence is a right-hand side: its symbols follow one another. The empty sequence matches the empty string.
type Sequence []Symbol

// Text is what a grammar was read from. Place returns the place that a front end has given a number, as an error with
// the keyword or fragment that stands there.
type Text interface {
	Place(at uint32) *diag.Error
}

// Origin is where something stands in a text; the zero Origin is nowhere.
type Origin struct {
	Text Text
	At   uint32
}

// Place returns the place as an error without a message but for the line at fault (see diag.Error.Locate), nil if it is
// not known.
func (o Origin) Place() *diag.Error {
	if o.Text == nil {
		return nil
	}
	return o.Text.Place(o.At)
}

// Rule is a nonterminal: the union of its alternatives, or, if Lazy is set, a grammar that is made when the rule is
// first entered. A rule without alternatives matches nothing.
type Rule struct {
	Name         string // for errors and printing; need not be unique
	Origin       Origin // of its text, for errors
	Alternatives []Sequence
	// Lazy returns the grammar this rule stands for, with expressions of st. It may be called several times, for
	// several stores and at the same time, must be deterministic, and the grammar must be productive and must not match
	// the empty string. Alternatives is empty then.
	Lazy func(st *terminal.Store) (*Grammar, error)
	// Doubtful says that nobody has found out yet whether the grammar behind Lazy is productive: the compiler does.
	Doubtful bool
	// Part, where it is set, is the place of a part of the constraint that the rule stands for. Such a part
	// must match something: it is an error of the constraint if it does not, even if there are alternatives to it.
	Part Origin
	// Scope, where it is set, says something about what is within the rule.
	Scope *Scope
}

// Scope is what a rule says of its text beside which it is. Rewriting takes no rule with a scope apart.
type Scope struct {
	Temperature float64 // at which what is within the rule is to be sampled, if Heated is set
	Heated      bool
	// MaxTokens, if it is not 0, is how many tokens may begin within the rule, before it ends where it can end first.
	MaxTokens uint32
	// Cut says that the rule is one sequence, and that it ends without the last symbol of that, and without what has
	// been read of it, where MaxTokens tokens have begun and what stands before that symbol can end.
	Cut bool
	// Behind, if it is not 0, is what may stand behind the rule's text while it counts as ending there, for MaxTokens.
	// Everywhere the same, or more, must follow the rule: by itself it lets text through and leads nowhere.
	Behind terminal.Expr
}

// Opaque reports whether the rule may not be replaced by its alternatives.
func (r *Rule) Opaque() bool { return r.Lazy != nil || r.Scope != nil }

// Repeat matches Body between Min and Max times. Bounds of any size cost the same: the count is a register.
type Repeat struct {
	Body     Sequence
	Min, Max uint32
}

// Object is a JSON object whose properties come in declared order: Open, then members separated by Comma, then Close.
// A member is Quote, a key, Colon, a value. Declared properties come in the order of Properties, optional ones may be
// left out; after them come members of Extra, any number, in any order.
//
// With AnyOrder, the properties from Ordered on come anywhere, each at most once. Those before Ordered come in declared
// order, and members of Extra behind the last of them that comes.
// Array items of a finite set, no two alike, are such an object too: Open and Close are brackets, Keys are the items
// with the whitespace before them, Colon, the values and, unless all items are strings, Quote are empty.
//
// What has no brackets of its own is one as well: of parameters in tags Open and Comma are what a member begins with,
// of arguments in a call Open is whitespace. Quote is empty, and Close may match the empty text. There is at least one
// member then.
type Object struct {
	AnyOrder bool
	Ordered  uint32 // with AnyOrder
	// Keys matches the rest of a declared key after its opening quote, closing quote included, and carries the index
	// into Properties as its tag (Store.Keys builds it). Empty when there are no properties.
	Keys       terminal.Expr
	Properties []Property
	// Tags, if set, are the tags of the keys of Properties, a permutation of their indices: objects that differ only in
	// the order of their properties share their Keys, and cost hardly more than one of them.
	Tags  []uint32
	Extra []Extra
	// Punctuation, with the whitespace that may stand before it.
	Open, Close, Comma, Quote, Colon terminal.Expr
	// Bounds on the number of members; 0 and Unbounded when there are none.
	MinMembers, MaxMembers uint32
}

// Tag returns the tag of the key of the property at index i.
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
}

// Extra is a class of undeclared keys: Key matches the rest of the key after its opening quote, closing quote included.
type Extra struct {
	Key   terminal.Expr
	Value Symbol
}

// Switch matches On, a terminal that ends in tags, and continues with the case of the tag it ended in. A tag without a
// case ends in failure, so every tag that On can carry should have one.
type Switch struct {
	On    terminal.Expr
	Cases []Case
	Scope *Scope // of the text of On, nil if it has none of its own
}

// Case is what follows one tag of a Switch.
type Case struct {
	Tag  uint32
	Then Sequence
}

// Condition is what a Boolean asks of a text that Left matches.
type Condition uint8

// The conditions.
const (
	Both     Condition = iota + 1 // Right matches it as well
	Without                       // Right does not match it
	Distinct                      // it is a JSON array whose items all differ in value; Right is not used
)

// Boolean matches the texts of Left, other than the empty one, that meet a condition. Neither side may begin with the
// node itself. What follows the node must begin with a byte that cannot continue any text that a side has matched, as
// what follows a JSON value does: where the node ends is then plain, and both sides can be run in step.
type Boolean struct {
	Left, Right Symbol
	Is          Condition
}

// Capture is what is to be told about a part of an output.
type Capture struct {
	Name string // of its text, without what ends it; "" if that is not asked for
	// If Ends is set, the part is a text of Body with one of End behind it: where there are several ways to cut it,
	// Body is as short as can be.
	Body, End terminal.Expr
	Ends      bool
	EndName   string // of the text of End; "" if that is not asked for
	Hidden    bool   // the text of End is left out of captures around the part
	Ignored   bool   // the part does not belong to what ends with it: white space behind a token
}

// Grammar is a context-free grammar with structured nodes. A front end builds it with the New methods; afterwards it is
// immutable and may be shared.
type Grammar struct {
	Rules    []Rule // Rules[0] is unused: RuleID zero is invalid
	Repeats  []Repeat
	Objects  []Object
	Switches []Switch
	Booleans []Boolean
	Start    RuleID

	// Marked, if something is to be captured, returns the grammar's twin, with expressions of st: it matches the same
	// texts with marks in them, which say where rules begin and end (see terminal.MarkOpen), and Captures says what
	// they mean. It may be called several times, for several stores and at the same time, and must be deterministic.
	Marked   func(st *terminal.Store) (*Grammar, error)
	Captures []Capture // of a twin, by the numbers of its marks

	// At is the origin of what is being added; front ends move it.
	At Origin
	// Terminals says where terminals come from that stand in rules of another origin.
	Terminals map[terminal.Expr]Origin
}

// Locate notes that e comes from the text at At.
func (g *Grammar) Locate(e terminal.Expr) {
	if g.Terminals == nil {
		g.Terminals = map[terminal.Expr]Origin{}
	}
	if _, ok := g.Terminals[e]; !ok {
		g.Terminals[e] = g.At
	}
}

// New returns a grammar without rules.
func New() *Grammar { return &Grammar{Rules: make([]Rule, 1, 8)} }

// NewRule adds a rule, to be filled by Add; it may be referred to before it is filled.
func (g *Grammar) NewRule(name string) RuleID {
	g.Rules = append(g.Rules, Rule{Name: name, Origin: g.At})
	return RuleID(len(g.Rules) - 1)
}

// Add gives rule r one more alternative.
func (g *Grammar) Add(r RuleID, seq ...Symbol) {
	g.Rules[r].Alternatives = append(g.Rules[r].Alternatives, seq)
}

// NewRepeat returns the symbol of a new Repeat node.
func (g *Grammar) NewRepeat(minimum, maximum uint32, body ...Symbol) Symbol {
	g.Repeats = append(g.Repeats, Repeat{Body: body, Min: minimum, Max: maximum})
	return Symbol{Kind: RepeatNode, Index: uint32(len(g.Repeats) - 1)}
}

// NewObject returns the symbol of a new Object node. MaxMembers must be set (Unbounded for no bound).
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
