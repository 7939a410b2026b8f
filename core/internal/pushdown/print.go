package pushdown

import (
	"fmt"
	"io"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// mnemonics are the names of instructions in listings.
var mnemonics = [...]string{
	opEnd: "end", opAccept: "accept", opTerminal: "terminal", opCall: "call", opRepeat: "repeat",
	opRepeatNext: "repeat-next", opObject: "object", opObjectKey: "object-key", opObjectTag: "object-tag",
	opObjectNext: "object-next", opObjectFirst: "object-first", opSwitch: "switch", opSwitchTag: "switch-tag",
	opBoolean: "boolean", opLeave: "leave", opCut: "cut", opEnds: "ends",
}

// Print lists the program: its tables with the positions of their sequences, and its code. expr writes a terminal.
func (p *Program) Print(w io.Writer, expr func(terminal.Expr) string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(w, "start at %d\n", p.start)
	for i, r := range p.rules.All() {
		if i == 0 {
			continue // rule 0 is invalid
		}
		fmt.Fprintf(w, "rule %d rank %d", i, r.rank)
		if r.nullable {
			io.WriteString(w, " nullable")
		}
		if r.lazy != nil && !r.lazy.done.Load() {
			io.WriteString(w, " lazy")
		}
		if r.scope != nil {
			fmt.Fprintf(w, "%s leave at %d", scopeText(r.scope), r.scope.leave)
		}
		fmt.Fprintf(w, " at %v\n", p.starts.Slice(r.alternatives, int(r.count)))
	}
	for i, r := range p.repeats.All() {
		if r.next != 0 {
			fmt.Fprintf(w, "repeat %d from %d to %s body at %d next at %d\n", i, r.min, bound(r.max), r.body, r.next)
		}
	}
	for i, o := range p.objects.All() {
		if o.first != 0 {
			p.printObject(w, i, o, expr)
		}
	}
	for i, s := range p.switches.All() {
		if s.tag != 0 {
			fmt.Fprintf(w, "switch %d on %s tag at %d", i, expr(s.on), s.tag)
			if s.scope != nil {
				io.WriteString(w, scopeText(s.scope))
			}
			io.WriteString(w, "\n")
			for _, c := range s.cases {
				fmt.Fprintf(w, "  #%d at %d\n", c.tag, c.then)
			}
		}
	}
	for i, b := range p.booleans.All() {
		switch {
		case b.left == 0:
		case b.is == grammar.Distinct:
			fmt.Fprintf(w, "boolean %d distinct at %d\n", i, b.left)
		default:
			fmt.Fprintf(w, "boolean %d %s at %d %d\n", i, conditionName(b.is), b.left, b.right)
		}
	}
	for d := range p.code.Len() {
		fmt.Fprintf(w, "%6d %s\n", d, p.instruction(dot(d), expr))
	}
}

func (p *Program) printObject(w io.Writer, i uint32, o *object, expr func(terminal.Expr) string) {
	fmt.Fprintf(w, "object %d from %d to %s members", i, o.minMembers, bound(o.maxMembers))
	if int(o.ordered) < len(o.values) {
		fmt.Fprintf(w, " in any order from %d on", o.ordered)
	}
	fmt.Fprintf(w, " open %s close %s comma %s keys %s values at %v first at %d next at %d\n",
		expr(o.open), expr(o.close), expr(o.commaQuote), expr(o.keys), o.values, o.first, o.next)
	for _, x := range o.extras {
		fmt.Fprintf(w, "  extra %s value at %d\n", expr(x.key), x.value)
	}
}

func scopeText(s *scope) (text string) {
	if s.Heated {
		text = fmt.Sprintf(" temperature %v", s.Temperature)
	}
	if s.MaxTokens > 0 {
		text += fmt.Sprintf(" tokens %d", s.MaxTokens)
	}
	if s.Cut {
		text += " cut"
	}
	if s.Behind != 0 {
		text += fmt.Sprintf(" ends at %d", s.ends)
	}
	return text
}

func bound(n uint32) string {
	if n == terminal.Unbounded {
		return "any"
	}
	return fmt.Sprint(n)
}

func conditionName(is grammar.Condition) string {
	switch is {
	case grammar.Both:
		return "both"
	case grammar.Without:
		return "without"
	}
	return "distinct"
}

func (p *Program) instruction(d dot, expr func(terminal.Expr) string) string {
	in := p.code.At(uint32(d))
	text := mnemonics[in.op]
	switch in.op {
	case opEnd, opAccept:
		return text
	case opTerminal:
		text += " " + expr(terminal.Expr(in.arg))
	default:
		text += fmt.Sprintf(" %d", in.arg)
	}
	if in.nonEmpty {
		text += " not empty"
	}
	if in.rest != end {
		text += fmt.Sprintf(" then %d", in.rest)
	}
	return text
}

// Print writes the items of state s, and at most most nodes of its stacks. Each line of a node is a frame: position,
// register, and the node below it.
func (a *Automaton) Print(w io.Writer, s StateID, most int, expr func(terminal.Expr) string) {
	fmt.Fprintf(w, "state %d", s)
	switch {
	case s == Dead:
		io.WriteString(w, ": nothing can follow\n")
		return
	case s == Over:
		io.WriteString(w, ": what follows takes more than its budget\n")
		return
	case a.Accepts(s):
		io.WriteString(w, ", the output may end")
	}
	io.WriteString(w, "\n")
	a.mu.Lock()
	defer a.mu.Unlock()
	var nodes []nodeID
	then := func(what string, k nodeID) {
		fmt.Fprintf(w, "%s node %d\n", what, k)
		if !slices.Contains(nodes, k) {
			nodes = append(nodes, k)
		}
	}
	for _, it := range a.Items(s) {
		fmt.Fprintf(w, "  %s", expr(it.Terminal))
		if it.Counter != 0 {
			fmt.Fprintf(w, " after %d characters", it.Counter.Count())
		}
		then(" then", it.After)
	}
	for _, it := range a.BooleanItems(s) {
		b := a.Boolean(it)
		fmt.Fprintf(w, "  boolean %s of states %d and %d", conditionName(b.Is), b.Left, b.Right)
		then(" then", it.After)
	}
	if k := a.states.At(uint32(s)).ends; k != 0 {
		then("  limited rules may end, to", k)
	}
	a.printNodes(w, nodes, most, expr)
}

func (st *stacks) printNodes(w io.Writer, nodes []nodeID, most int, expr func(terminal.Expr) string) {
	for i := 0; i < len(nodes); i++ {
		if i == most {
			fmt.Fprintf(w, "  and %d nodes more\n", len(nodes)-i)
			return
		}
		fmt.Fprintf(w, "  node %d\n", nodes[i])
		for _, f := range st.framesOf(nodes[i]) {
			fmt.Fprintf(w, "    at %d %s", f.dot, st.p.instruction(f.dot, expr))
			if f.reg != 0 {
				io.WriteString(w, " "+st.registerText(f))
			}
			if f.k != 0 {
				fmt.Fprintf(w, " then node %d", f.k)
				if !slices.Contains(nodes, f.k) {
					nodes = append(nodes, f.k)
				}
			}
			io.WriteString(w, "\n")
		}
	}
}

func (st *stacks) registerText(f frame) string {
	switch in := st.p.code.At(uint32(f.dot)); in.op {
	case opRepeatNext:
		if s := st.p.spanOf(f.reg); s.low != s.high {
			return fmt.Sprintf("after %d to %d rounds", s.low, s.high)
		}
		return fmt.Sprintf("after %d rounds", f.reg)
	case opLeave:
		if s := st.p.spanOf(f.reg); s.low != s.high {
			return fmt.Sprintf("after %d to %d tokens", s.low, s.high)
		}
		return fmt.Sprintf("after %d tokens", f.reg)
	case opObjectKey, opObjectTag, opObjectNext, opObjectFirst:
		m := st.p.members(st.p.objects.At(in.arg), f.reg)
		return fmt.Sprintf("from property %d on, %d members", m.from, m.members)
	}
	return fmt.Sprintf("register %d", f.reg)
}
