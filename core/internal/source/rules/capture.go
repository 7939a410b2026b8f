package rules

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// Captures do not change which texts match. A tree is lowered without them. The capture grammar has each captured
// element between marks, bytes that no text contains (terminal.MarkOpen and the others):
//
//	x[capture]: body     becomes     MarkOpen body MarkRecord(k) MarkClose
//
// A left-recursive rule would have to open an unknown number of times before its first character. All these captures
// begin at one place, so the user of the rule opens once, and the rule records without opening (Lemma 20):
//
//	e[capture]: e "+" t | t     becomes     e: MarkOpen e' MarkClose,  e': (e' "+" t | t) MarkRecord(k)

// named returns the index of the first capture with a name, -1 if there is none.
func (t *Tree) named() int {
	return slices.IndexFunc(t.captures, func(c Node) bool { return c.Capture != "" || c.EndCapture != "" })
}

// RefuseCaptures returns an error if something is captured, for callers that cannot report captures.
func (t *Tree) RefuseCaptures() error {
	i := t.named()
	if i < 0 {
		return nil
	}
	return t.Failure(diag.Unsupported, t.captures[i].At, "capture",
		"a grammar inside a structural tag cannot have captures; remove the option")
}

// Grammar lowers the tree to a new grammar, with a capture grammar if something is captured.
func (t *Tree) Grammar(st *terminal.Store) (*grammar.Grammar, error) {
	g := grammar.New()
	var err error
	if g.Start, err = t.Lower(st, g); err != nil || t.named() < 0 {
		return g, err
	}
	marked, err := t.marked()
	if err != nil {
		return nil, err
	}
	g.Marked = func(st *terminal.Store) (*grammar.Grammar, error) {
		g := grammar.New()
		start, l, err := marked.lower(st, g)
		if err == nil {
			g.Start = start
			g.Captures, err = l.captures()
		}
		return g, err
	}
	return g, nil
}

func (l *lowering) captures() ([]grammar.Capture, error) {
	out := make([]grammar.Capture, len(l.tree.captures))
	for i, c := range l.tree.captures {
		out[i] = grammar.Capture{Name: c.Capture, EndName: c.EndCapture, Hidden: c.Hidden, Ignored: c.Ignored}
		if c.Options.End == nil {
			continue
		}
		body, err := l.bounded(&c)
		if err != nil {
			return nil, err
		}
		end, err := l.regular(c.Subs[1])
		if err != nil {
			return nil, err
		}
		out[i].Body, out[i].End, out[i].Ends = body.expr, end.expr, true
	}
	return out, nil
}

type copying struct {
	from, to *Tree
	done     map[*Node]*Node
	// Rules that begin with one another through a captured element have a second form, which records without opening.
	// group numbers their components, 0 for other rules; second is that form.
	group, second []int
	holds         []bool
}

func (t *Tree) copying() *copying {
	to := New(t.source, t.text, t.ends, t.work)
	to.others = t.others
	return &copying{
		from: t, to: to, done: map[*Node]*Node{},
		group: make([]int, len(t.Rules)), second: make([]int, len(t.Rules)),
	}
}

// copy copies n. At the beginning of a rule of a group (group is 0 elsewhere), references to rules of the group become
// references to their second forms.
func (c *copying) copy(n *Node, group int) (*Node, error) {
	if out := c.done[n]; out != nil && group == 0 {
		return out, nil
	}
	var out *Node
	var err error
	if n.Kind == Attributed {
		out, err = c.attributed(n, group)
	} else {
		out, err = c.copyNew(n, group)
	}
	if err == nil && group == 0 {
		c.done[n] = out
	}
	return out, err
}

func (c *copying) copyNew(n *Node, group int) (*Node, error) {
	x := *n
	x.Subs = slices.Clone(n.Subs)
	inner := group
	switch n.Kind {
	case Both, Other:
		if err := c.noneWithin(n); err != nil {
			return nil, err
		}
	case Dispatch: // its text may be any bytes, including marks
		return nil, c.from.Failure(diag.Unsupported, n.At, "",
			"a grammar with TagDispatch cannot have captures; remove capture, or write the free text as a rule "+
				"with a stop")
	case Ref:
		if group != 0 && c.group[n.Rule] == group {
			x.Rule = c.second[n.Rule]
		}
	case Repeat:
		if n.Max != 1 {
			inner = 0
		}
	}
	for i, sub := range n.Subs {
		to, err := c.copy(sub, inner)
		if err != nil {
			return nil, err
		}
		x.Subs[i] = to
		if n.Kind == Seq {
			inner = 0
		}
	}
	return c.to.Node(x), nil
}

// attributed copies n with marks around a capture, and without a scope, which restricts no text unless n is cut.
func (c *copying) attributed(n *Node, group int) (out *Node, err error) {
	switch {
	case n.none():
		out = c.to.Sequence(n.At)
	case n.OneToken():
		if err = c.noneWithin(n); err == nil {
			out, err = c.oneToken(n)
		}
	default:
		out, err = c.copy(n.Subs[0], group)
	}
	if err != nil || !n.captured {
		return out, err
	}
	return c.mark(n, out, group), nil
}

func (c *copying) oneToken(n *Node) (*Node, error) {
	x := *n
	x.Subs = make([]*Node, len(n.Subs))
	for i, sub := range n.Subs {
		var err error
		if x.Subs[i], err = c.copy(sub, 0); err != nil {
			return nil, err
		}
	}
	o := *n.Options
	o.marked, o.captured = true, false
	x.Special = &Special{Options: &o}
	return c.to.Node(x), nil
}

func (c *copying) noneWithin(n *Node) error {
	if !slices.ContainsFunc(n.Subs, c.capturedWithin) {
		return nil
	}
	return c.from.Failure(diag.Unsupported, n.At, "",
		"a capture stands inside a part that must be one token; capture the whole part, or write it as rules")
}

func (c *copying) capturedWithin(n *Node) bool {
	return n.Kind == Attributed && n.captured || n.Kind == Ref && c.holds[n.Rule] || slices.ContainsFunc(n.Subs, c.capturedWithin)
}

func (t *Tree) marked() (*Tree, error) {
	if len(t.captures) > limits.RuleCaptures {
		return nil, t.Failure(diag.Limit, 0, "", "a grammar can have at most %d captures; capture larger parts "+
			"instead", limits.RuleCaptures)
	}
	c := t.copying()
	if err := c.findGroups(); err != nil {
		return nil, err
	}
	c.to.Start, c.to.captures = t.Start, slices.Clone(t.captures)
	c.to.Rules = make([]Rule, len(t.Rules))
	for i, r := range t.Rules {
		if c.group[i] != 0 {
			c.second[i] = len(c.to.Rules)
			c.to.Rules = append(c.to.Rules, Rule{Name: r.Name, At: r.At, Apart: r.Apart})
		}
	}
	for i, r := range t.Rules {
		body, err := c.copy(r.Body, c.group[i])
		if err != nil {
			return nil, err
		}
		if c.group[i] != 0 {
			c.to.Rules[c.second[i]].Body = body
			inner := c.to.Node(Node{Kind: Ref, At: r.At, Rule: c.second[i]})
			body = c.to.Sequence(r.At, c.sign(r.At, spelling.MarkOpen), inner, c.sign(r.At, spelling.MarkClose))
		}
		c.to.Rules[i] = Rule{Name: r.Name, At: r.At, Body: body, Apart: r.Apart}
	}
	for i := range c.to.captures {
		if x := &c.to.captures[i]; x.Options.End != nil {
			out, err := c.oneToken(x)
			if err != nil {
				return nil, err
			}
			*x = *out
		}
	}
	return c.to, nil
}

func (c *copying) sign(at int, marks ...byte) *Node {
	return c.to.Node(Node{Kind: Mark, At: at, Text: string(marks)})
}

func (c *copying) mark(n, body *Node, group int) *Node {
	record := spelling.Record(n.Rule)
	if group != 0 {
		return c.to.Sequence(n.At, body, c.sign(n.At, record...))
	}
	open := byte(spelling.MarkOpen)
	if n.Ignored {
		open = spelling.MarkLate
	}
	behind := c.sign(n.At, append(record, spelling.MarkClose)...)
	return c.to.Sequence(n.At, c.sign(n.At, open), body, behind)
}

type beginning struct {
	from, to int
	at       *Node
	captured bool // a captured element begins there too
	behind   bool // an element that may be empty, or a round of a repetition, precedes it
}

// findGroups sets group and second, and finds the elements that contain a captured one.
func (c *copying) findGroups() error {
	t := c.from
	nullable := t.Nullable()
	var all []beginning
	heads := make([][]int, len(t.Rules))
	c.holds = make([]bool, len(t.Rules))
	for r := range t.Rules {
		var within func(n *Node, b beginning) // recursion as deep as parentheses nest
		within = func(n *Node, b beginning) {
			t.work.Spend(NodeWork)
			switch n.Kind {
			case Ref:
				b.to, b.at = n.Rule, n
				all, heads[r] = append(all, b), append(heads[r], n.Rule)
			case Attributed:
				if b.captured = b.captured || n.captured; !n.OneToken() && !n.none() {
					within(n.Subs[0], b)
				}
			case Repeat:
				b.behind = b.behind || n.Max != 1
				within(n.Subs[0], b)
			case Seq:
				for _, sub := range n.Subs {
					within(sub, b)
					if b.behind = true; !nullable(sub) {
						break
					}
				}
			case Alt:
				for _, sub := range n.Subs {
					within(sub, b)
				}
			}
		}
		within(t.Rules[r].Body, beginning{from: r})
	}
	component := make([]int, len(t.Rules))
	for i, rules := range components(heads) {
		for _, r := range rules {
			component[r] = i + 1
		}
	}
	marked := map[int]bool{}
	for _, b := range all {
		if b.captured && component[b.from] == component[b.to] {
			marked[component[b.from]] = true
		}
	}
	for _, b := range all {
		if k := component[b.from]; marked[k] && k == component[b.to] {
			if b.behind {
				return t.Failure(diag.Unsupported, b.at.At, t.Rules[b.to].Name,
					"%s is captured, or its beginning is, and it refers to itself behind a part that may be empty; "+
						"let it refer to itself first, or not at its beginning", t.Rules[b.to].Name)
			}
			c.group[b.from], c.group[b.to] = k, k
		}
	}
	c.findHolders()
	return nil
}

func (c *copying) findHolders() {
	t := c.from
	for _, rules := range t.components() {
		held := slices.ContainsFunc(rules, func(r int) bool { return c.capturedWithin(t.Rules[r].Body) })
		for _, r := range rules {
			c.holds[r] = held
		}
	}
}
