// Package rules holds the common form of grammars that users write: rules whose bodies consist of strings, classes,
// references, repetitions and patterns; and its lowering to a grammar. EBNF and Lark differ in syntax, not in
// expressiveness, so this package lowers both, and their masks are equally fast.
//
// Invariant: the tree represents the text element by element. The lowering alone decides which parts become one
// terminal and which become rules (fold.go). The package must not know the syntax of any text, nor states or masks.
// Start reading at Node, then Tree.Lower.
package rules

import (
	"slices"
	"strings"

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
	Nothing   Kind = iota + 1 // the empty string
	Text                      // Text, exactly
	Class                     // one code point of Pairs
	Ref                       // the rule Tree.Rules[Rule]
	Seq                       // Subs one after the other
	Alt                       // one of Subs
	Repeat                    // Subs[0] between Min and Max times
	Token                     // exactly one token of Tokens
	NotToken                  // exactly one token that is none of Tokens and ends nothing
	Pattern                   // the whole of a regular expression
	Both                      // texts that all of Subs match, which are regular
	Other                     // any text that Subs[0] does not match, which is regular
	Bounded                   // texts of Subs[0], which is regular, of at most Max characters and tokens
	Until                     // texts of Subs[0] that begin with none followed by one of Subs[1]; both are regular
	Schema                    // JSON text that Part allows
	Substring                 // a beginning-to-end run of neighbouring Chunks, or nothing
	Dispatch                  // free text without Excludes in which each of Chunks is followed by its element of Subs
	Followed                  // texts of Subs[0] that begin with one of Subs[1]; both are regular
	Shortest                  // texts of Subs[0], which is regular, that begin with no other of them but the empty one
	Captured                  // Subs[0], whose text the capture Tree.captures[Rule] speaks about; see capture.go
	Scoped                    // Subs[0], of which Scope says something
	Mark                      // the bytes of Text, which are marks: only in a tree that marked has made
)

// Node is an element of a rule's body. Immutable once the tree is built.
type Node struct {
	Kind     Kind
	serial   uint32 // counts the nodes of a Tree
	At       int    // byte offset in the text
	Text     string
	Pairs    []rune // normal form; see class.go
	Rule     int
	Subs     []*Node
	Min, Max uint32
	*Special // of Token, NotToken, Pattern, Schema, Substring, Dispatch and Scoped; nil for other kinds
}

// Special holds rare fields, so that other elements stay small: the largest texts have half a million elements.
type Special struct {
	Tokens     [][2]uint32 // ranges of ids, both ends included
	Regex      *regex.Node
	Part       *jsonschema.Part
	Chunks     []string // of a Dispatch with Max 1 at most one occurs
	Excludes   []string
	Flags      string         // Pattern: letters of i, s, u
	JSONString bool           // Pattern: quotes, backslashes and control characters are left out
	Scope      *grammar.Scope // Scoped
	Behind     []*Node        // Scoped: all that is ignored behind it, so that it may still end there
}

// Rule is one definition.
type Rule struct {
	Name string
	At   int // byte offset of the name
	Body *Node
	// Apart keeps the rule out of the terminals of others. It is one of many that refer to one another in turn, so that
	// each terminal would hold all the others.
	Apart bool
}

// Tree is a grammar as it was written. Immutable once it is built.
type Tree struct {
	Rules []Rule
	Start int

	texts
	nodes  int
	free   bool     // there are elements Shortest
	scoped bool     // there are elements Scoped
	ends   []uint32 // end tokens, which no element matches
	work   *work.Meter

	captures []Capture
	written  map[*Node]*Written // by node that Rule made
}

// New returns a tree without rules for a text of a kind of constraint. Its elements match none of the end tokens.
func New(source, text string, ends []uint32, m *work.Meter) *Tree {
	return &Tree{texts: texts{source: source, text: text}, ends: ends, work: m}
}

// texts holds the sources of a tree.
type texts struct {
	source string
	text   string
	others []other // texts that stand behind the first one in text
}

// other is a text that a grammar refers to by its name.
type other struct {
	name string
	from int // where it begins in Tree.text
}

// Attach appends a text to the earlier ones, and returns its offset: places in it are counted from there.
func (t *Tree) Attach(name, text string) (from int) {
	t.text += "\n"
	t.others = append(t.others, other{name, len(t.text)})
	t.text += text
	return len(t.text) - len(text)
}

// Text returns all texts, one behind the other.
func (t *Tree) Text() string { return t.text }

// Within returns the text that a place is in, and the place there; name is "" for the first text.
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

// Failure makes an error about a place of the tree's texts; see the function Failure.
func (t *Tree) Failure(code diag.Code, place int, keyword, format string, args ...any) *diag.Error {
	name, text, at := t.Within(place)
	if name != "" {
		format, args = "in the grammar %q: "+format, append([]any{diag.Shorten(name, limits.RuleFragment)}, args...)
	}
	return Failure(code, t.source, text, at, keyword, format, args...)
}

// places holds the places of a tree's rules. A grammar keeps it instead of the tree, whose elements are not needed
// after lowering.
type places struct {
	texts
	rules []place
}

type place struct {
	name string
	at   int
}

// Places returns the places of the rules by their indices, without the tree.
func (t *Tree) Places() grammar.Text {
	p := &places{t.texts, make([]place, len(t.Rules))}
	for i := range t.Rules {
		p.rules[i] = place{t.Rules[i].Name, t.Rules[i].At}
	}
	return p
}

// Place returns the place of a rule. The message is the end of an error's message: the line with its caret.
func (p *places) Place(rule uint32) *diag.Error {
	r := &p.rules[rule]
	_, text, at := p.Within(r.at)
	return Failure(diag.Limit, p.source, text, at, r.name, "")
}

// NodeWork is the cost of a node of the tree, or a token of its text, for each visit.
const NodeWork = 10

// Node returns a new node of the tree. Each is allocated by itself: readers drop many of them, and in a block those in use
// would keep the dropped ones in memory.
func (t *Tree) Node(n Node) *Node {
	n.serial = uint32(t.nodes)
	t.nodes++
	t.free, t.scoped = t.free || n.Kind == Shortest, t.scoped || n.Kind == Scoped
	t.work.Spend(NodeWork)
	return &n
}

// Sequence returns the node of subs one after the other.
func (t *Tree) Sequence(at int, subs ...*Node) *Node { return t.several(Seq, at, subs) }

// Choice returns the node of one of subs.
func (t *Tree) Choice(at int, subs ...*Node) *Node { return t.several(Alt, at, subs) }

func (t *Tree) several(k Kind, at int, subs []*Node) *Node {
	switch len(subs) {
	case 0:
		return t.Node(Node{Kind: Nothing, At: at})
	case 1:
		return subs[0]
	}
	return t.Node(Node{Kind: k, At: at, Subs: subs})
}

// Failure makes an error whose message ends in the line at fault with a caret below the place.
func Failure(code diag.Code, source, text string, at int, keyword, format string, args ...any) *diag.Error {
	e := diag.Errorf(code, source, diag.TextPlace(text, at), format, args...)
	e.Keyword = diag.Shorten(keyword, limits.RuleFragment)
	e.Message += "\n" + diag.Caret(text, at, limits.RuleFragment)
	return e
}

// Room returns tokens with room for one more, where the first read bytes of a text of size bytes have been read. There
// is room for what follows, too, if that has as many tokens a byte, so that the tokens of a large text are not copied
// again and again. What follows is at most eight times what has been read: a dense beginning before a long comment says
// little about the comment.
func Room[T any](tokens []T, read, size int) []T {
	n := len(tokens)
	if n < cap(tokens) {
		return tokens
	}
	most := limits.RuleElements + 1 - n // and the end
	rest := 16 + min((size-read)/6, 4096)
	if n > 16 {
		follows := min(size-read, 8*read+4096)
		rest = 16 + int(int64(follows)*int64(n)/int64(max(read, 1)))
	}
	return slices.Grow(tokens, max(min(rest+n/16, most), 1))
}

// Stack holds the elements of all sequences and choices that are being read, from outside to inside. A reader keeps one:
// lists that grow one by one each would take several times the memory.
type Stack []*Node

// Take takes the elements away that came after the first so many, and returns them in a list of their own.
func (s *Stack) Take(outside int) []*Node {
	subs := slices.Clone((*s)[outside:])
	clear((*s)[outside:])
	*s = (*s)[:outside]
	return subs
}

// PlainString returns the string up to its closing quote, where rest is the text behind the opening quote. ok is false
// if it has escapes, or no end on its line.
func PlainString(rest string) (text string, ok bool) {
	n := strings.IndexAny(rest, "\"\\\n")
	if n < 0 || rest[n] != '"' {
		return "", false
	}
	return rest[:n], true
}
