package testkit

import (
	"math/rand"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// GrammarShape selects the parts of random grammars.
type GrammarShape struct {
	Alphabet  string // bytes below 0x80
	Rules     int
	ExprDepth int  // depth of the random expressions among the terminals; 0: literals only
	Boolean   bool // And and Not in them
	Counted   bool // counters in them
	Nodes     bool // Repeat, Object, Switch
	Unclosed  bool // objects that begin with a member and may end without a sign
	Scans     bool // free text watched for patterns, in Switch nodes
	Lazy      bool // rules that are expanded when they are entered
	Ambiguous bool // loops of counted and nullable things, operators
	Spans     bool // boolean nodes, always between "(" and ")", which must not be in the alphabet
}

// Grammar returns a random grammar over st. Alternatives are short, rules call one another freely: left and right
// recursion, empty and unproductive rules and ambiguity all turn up, and sometimes the whole language is empty.
func Grammar(r *rand.Rand, st *terminal.Store, s GrammarShape) *grammar.Grammar {
	g := &grammarGen{r: r, st: st, s: s, g: grammar.New()}
	var ids []grammar.RuleID
	for i := range 1 + r.Intn(s.Rules) {
		ids = append(ids, g.g.NewRule(string(rune('A'+i))))
	}
	g.rules = len(ids)
	for _, id := range ids {
		for range 1 + r.Intn(3) {
			if s.Ambiguous && r.Intn(3) == 0 {
				g.g.Add(id, g.operator(id)...)
				continue
			}
			g.g.Add(id, g.sequence(r.Intn(4), 2)...)
		}
	}
	g.g.Start = ids[0]
	return g.g
}

type grammarGen struct {
	r     *rand.Rand
	st    *terminal.Store
	s     GrammarShape
	g     *grammar.Grammar
	rules int
}

func (g *grammarGen) sequence(n, depth int) grammar.Sequence {
	q := grammar.Sequence{}
	for range n {
		q = append(q, g.symbol(depth))
	}
	return q
}

func (g *grammarGen) symbol(depth int) grammar.Symbol {
	n := g.r.Intn(12)
	if depth > 0 && g.s.Nodes {
		switch n {
		case 0:
			lo := uint32(g.r.Intn(3))
			hi := lo + uint32(g.r.Intn(3))
			if g.r.Intn(3) == 0 {
				hi = grammar.Unbounded
			}
			return g.g.NewRepeat(lo, hi, g.sequence(1+g.r.Intn(2), depth-1)...)
		case 1:
			return g.object(depth - 1)
		case 2:
			return g.choice(depth - 1)
		}
	}
	if depth > 0 && g.s.Ambiguous && g.r.Intn(4) == 0 {
		return g.loop(depth - 1)
	}
	if depth > 0 && g.s.Spans && g.r.Intn(4) == 0 {
		return g.span(depth - 1)
	}
	if n == 3 && g.s.Lazy {
		return g.lazy()
	}
	if n < 7 {
		return grammar.N(grammar.RuleID(1 + g.r.Intn(g.rules)))
	}
	return grammar.T(g.terminal())
}

// loop returns a repetition of something that can follow itself: words of a counted class, alternatives that produce
// each other's texts, sequences of optional parts.
func (g *grammarGen) loop(depth int) grammar.Symbol {
	lo := uint32(g.r.Intn(3))
	hi := uint32(grammar.Unbounded)
	if g.r.Intn(4) == 0 {
		hi = lo + uint32(g.r.Intn(4))
	}
	part := func() grammar.Symbol {
		switch g.r.Intn(4) {
		case 0:
			return grammar.T(g.st.Optional(g.terminal()))
		case 1:
			return g.symbol(depth)
		}
		return grammar.T(g.word1())
	}
	if g.r.Intn(2) == 0 {
		body := grammar.Sequence{part()}
		for range g.r.Intn(3) {
			body = append(body, part())
		}
		return g.g.NewRepeat(lo, hi, body...)
	}
	any := g.g.NewRule("loop")
	for range 1 + g.r.Intn(3) {
		alt := grammar.Sequence{part()}
		for range g.r.Intn(2) {
			alt = append(alt, part())
		}
		g.g.Add(any, alt...)
	}
	return g.g.NewRepeat(lo, hi, grammar.N(any))
}

// word1 returns a word of a class, of few letters or of many, counted or written out.
func (g *grammarGen) word1() terminal.Expr {
	x := exprGen{g.r, g.st, ExprShape{Alphabet: g.s.Alphabet}}
	class, lo := x.oneOf(), uint32(g.r.Intn(4))
	switch hi := lo + uint32(g.r.Intn(4)); g.r.Intn(4) {
	case 0:
		return g.st.Repeat(class, lo, hi)
	case 1:
		return g.st.Plus(class)
	default:
		return g.st.Counted(g.st.Star(class), terminal.UTF8, lo, hi)
	}
}

// operator is an alternative of rule id that begins or ends with it, or both.
func (g *grammarGen) operator(id grammar.RuleID) grammar.Sequence {
	self, other := grammar.N(id), grammar.T(g.terminal())
	switch g.r.Intn(10) {
	case 0:
		return grammar.Sequence{self, self}
	case 1:
		return grammar.Sequence{self, other, self}
	case 2:
		return grammar.Sequence{other, self}
	case 3:
		return grammar.Sequence{self, other}
	case 4:
		return grammar.Sequence{self, self, self}
	case 5:
		return grammar.Sequence{self, g.loop(0), self}
	case 6:
		return grammar.Sequence{other, self, self}
	case 7:
		return grammar.Sequence{other, self, grammar.T(g.terminal()), self}
	case 8:
		lo := uint32(g.r.Intn(4))
		return grammar.Sequence{g.g.NewRepeat(lo, lo+uint32(g.r.Intn(3)), self)}
	}
	inner := g.g.NewRule("inner")
	g.g.Add(inner, self, other, self)
	g.g.Add(inner, other)
	return grammar.Sequence{grammar.T(g.st.Star(g.terminal())), grammar.N(inner), grammar.T(g.st.Star(g.terminal()))}
}

// span returns a boolean node between parentheses, which make its end unambiguous, as required.
func (g *grammarGen) span(depth int) grammar.Symbol {
	inside := g.boolean(depth)
	if g.r.Intn(4) == 0 { // next to another one, or to an ordinary symbol
		any := g.g.NewRule("any")
		g.g.Add(any, inside)
		if g.r.Intn(2) == 0 {
			g.g.Add(any, g.boolean(depth))
		} else {
			g.g.Add(any, g.side(depth))
		}
		inside = grammar.N(any)
	}
	return g.g.NewRepeat(1, 1, grammar.T(g.st.Literal("(")), inside, grammar.T(g.st.Literal(")")))
}

func (g *grammarGen) boolean(depth int) grammar.Symbol {
	b := grammar.Boolean{Left: g.side(depth), Is: grammar.Both}
	switch g.r.Intn(5) {
	case 0, 1:
		b.Is = grammar.Without
	case 2:
		b.Is = grammar.Distinct
	}
	if b.Is == grammar.Distinct {
		item := g.g.NewRule("item")
		for range 1 + g.r.Intn(3) {
			g.g.Add(item, grammar.T(g.st.Literal([]string{
				"1", "10", "1.0", "true", `"a"`, `"\u0061"`, `"b"`, "[1]", "[]",
			}[g.r.Intn(9)])))
		}
		if g.r.Intn(2) == 0 {
			var digit terminal.ByteSet
			digit.AddRange('0', '1')
			g.g.Add(item, grammar.T(g.st.Literal("1")), grammar.T(g.st.Star(g.st.Bytes(digit))))
		}
		comma := g.g.NewRepeat(0, uint32(1+g.r.Intn(4)), grammar.T(g.st.Literal(",")), grammar.N(item))
		b.Left = g.g.NewRepeat(1, 1, grammar.T(g.st.Literal("[")), grammar.N(item), comma, grammar.T(g.st.Literal("]")))
	} else {
		b.Right = g.side(depth)
	}
	return g.g.NewBoolean(b)
}

func (g *grammarGen) side(depth int) grammar.Symbol {
	if g.r.Intn(3) == 0 {
		return grammar.N(grammar.RuleID(1 + g.r.Intn(g.rules)))
	}
	side := g.g.NewRule("side")
	for range 1 + g.r.Intn(3) {
		g.g.Add(side, g.sequence(1+g.r.Intn(3), depth)...)
	}
	return grammar.N(side)
}

func (g *grammarGen) terminal() terminal.Expr {
	if g.s.ExprDepth > 0 && g.r.Intn(2) == 0 {
		return Expr(g.r, g.st, ExprShape{Alphabet: g.s.Alphabet, Depth: g.r.Intn(g.s.ExprDepth +
			1), Boolean: g.s.Boolean, Counted: g.s.Counted})
	}
	return g.st.Literal(g.word(1, 2))
}

// word is min to max letters.
func (g *grammarGen) word(least, most int) string {
	var b strings.Builder
	for range least + g.r.Intn(most-least+1) {
		b.WriteByte(g.s.Alphabet[g.r.Intn(len(g.s.Alphabet))])
	}
	return b.String()
}

// object returns an Object over the alphabet: its punctuation may clash with its keys and values, which real objects
// never do and which must not matter. It is never empty, as Object demands.
func (g *grammarGen) object(depth int) grammar.Symbol {
	o := grammar.Object{Keys: terminal.Empty, MaxMembers: grammar.Unbounded, AnyOrder: g.r.Intn(3) == 0}
	punct := func() terminal.Expr {
		if g.r.Intn(3) == 0 {
			return g.st.Concat(g.st.Optional(g.st.Literal(g.word(1, 1))), g.st.Literal(g.word(1, 1)))
		}
		return g.st.Literal(g.word(1, 1))
	}
	o.Open, o.Close, o.Comma, o.Quote, o.Colon = punct(), punct(), punct(), punct(), punct()
	var keys []string
	for range g.r.Intn(4) {
		keys = append(keys, g.word(1, 2))
		o.Properties = append(o.Properties, grammar.Property{Value: g.symbol(depth), Required: g.r.Intn(3) == 0})
	}
	if o.AnyOrder {
		o.Ordered = uint32(g.r.Intn(len(keys) + 1))
	}
	if len(keys) > 0 {
		o.Keys = g.st.Keys(keys, terminal.UTF8, g.st.Literal(g.word(0, 1)))
	}
	for range g.r.Intn(3) {
		o.Extra = append(o.Extra, grammar.Extra{Key: g.st.Concat(g.terminal(),
			g.st.Literal(g.word(1, 1))), Value: g.symbol(depth)})
	}
	if g.r.Intn(3) == 0 {
		o.MinMembers = uint32(g.r.Intn(4))
		o.MaxMembers = o.MinMembers + uint32(g.r.Intn(3))
	}
	if g.s.Unclosed && g.r.Intn(2) == 0 {
		o.Open, o.Quote, o.Close = o.Comma, terminal.Epsilon, g.st.Optional(o.Close)
		o.MinMembers, o.MaxMembers = max(1, o.MinMembers), max(1, o.MaxMembers)
	}
	return g.g.NewObject(o)
}

func (g *grammarGen) choice(depth int) grammar.Symbol {
	if g.s.Scans && g.r.Intn(2) == 0 {
		return g.scan(depth)
	}
	var cases []grammar.Case
	var on []terminal.Expr
	for tag := range uint32(1 + g.r.Intn(3)) {
		on = append(on, g.st.Concat(g.terminal(), g.st.Tag(tag)))
		cases = append(cases, grammar.Case{Tag: tag, Then: g.sequence(g.r.Intn(3), depth)})
	}
	if g.r.Intn(2) == 0 {
		return g.g.NewSwitch(g.st.Or(on...), cases...)
	}
	var keys []string
	var tags []uint32
	equal := false
	for tag := range cases {
		key := g.word(1, 2)
		equal = equal || slices.Contains(keys, key)
		keys, tags = append(keys, key), append(tags, uint32(tag))
	}
	if !equal && g.r.Intn(2) == 0 {
		return g.g.NewSwitch(g.st.Words(keys, terminal.UTF8, tags), cases...)
	}
	return g.g.NewSwitch(g.st.Keys(keys, terminal.UTF8, terminal.Epsilon), cases...)
}

func (g *grammarGen) scan(depth int) grammar.Symbol {
	var patterns []terminal.ScanPattern
	cases := []grammar.Case{{Tag: terminal.ScanEnd, Then: g.sequence(g.r.Intn(2), depth)}}
	for tag := range uint32(1 + g.r.Intn(2)) {
		patterns = append(patterns, terminal.ScanPattern{Text: g.word(1, 3), Tag: tag})
		cases = append(cases, grammar.Case{Tag: tag, Then: g.sequence(g.r.Intn(3), depth)})
	}
	if g.r.Intn(3) == 0 {
		patterns = append(patterns, terminal.ScanPattern{Text: g.word(1, 3), Tag: 9, Kill: true})
	}
	if g.r.Intn(2) == 0 {
		return g.g.NewSwitch(g.st.Scan(patterns, true), cases...)
	}
	return g.g.NewSwitch(g.st.Scan(patterns, false), cases...)
}

// lazy returns a rule whose grammar is made from a fixed seed on demand: it is productive and not empty, as Rule.Lazy
// demands.
func (g *grammarGen) lazy() grammar.Symbol {
	text, more := g.word(1, 2), g.word(1, 1)
	return grammar.N(g.g.NewLazy("lazy "+text, func(st *terminal.Store) (*grammar.Grammar, error) {
		sub := grammar.New()
		a := sub.NewRule("sub")
		sub.Add(a, grammar.T(st.Literal(text)))
		sub.Add(a, grammar.N(a), grammar.T(st.Literal(more)))
		sub.Start = a
		return sub, nil
	}))
}
