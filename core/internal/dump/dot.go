package dump

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// drawings are the things that Draw can draw.
var drawings = []string{"grammar", "rewritten", "state", "automaton"}

// drawnStates bounds the states of an automaton that are drawn. A larger drawing is unreadable.
const drawnStates = 60

// Draw writes one thing of the input as Graphviz DOT: the grammar of the front end, the grammar after rewriting, the
// state after the text with its stack, or the automaton of the first terminal of that state. Errors are as for Stages,
// and an unknown drawing.
func Draw(w io.Writer, c *compiler.Compiler, in Input, what string) error {
	switch what {
	case "grammar", "rewritten":
		g, st, err := c.Front(in.Kind, in.Spec, in.Options)
		if err == nil && what == "rewritten" {
			g, _, err = rewrite.Run(st, g)
		}
		if err != nil {
			return err
		}
		return drawGrammar(w, st, g)
	case "state", "automaton":
		g, err := c.Compile(in.Kind, in.Spec, in.Options)
		if err != nil {
			return err
		}
		a, st := g.Current().Automaton(), g.Current().Engine().Store()
		s, err := follow(a, in.Text)
		if err != nil {
			return err
		}
		if what == "state" {
			return drawState(w, a, st, s)
		}
		if items := a.Items(s); len(items) > 0 {
			return drawAutomaton(w, st, items[0].Terminal)
		}
		return argument("no terminal is open after this text")
	}
	return argument("%q cannot be drawn; there are drawings of %s", what, strings.Join(drawings, ", "))
}

// box is a definition in a text, with the definitions that it mentions.
type box struct {
	name  string
	lines []string
	to    []string
}

// draw writes boxes and the arrows between them.
func draw(w io.Writer, boxes []box) error {
	var out strings.Builder
	out.WriteString("digraph {\n  node [shape=box fontname=monospace]\n")
	for _, b := range boxes {
		label := strconv.Quote(strings.Join(b.lines, "\n") + "\n")
		fmt.Fprintf(&out, "  %q [label=%s]\n", b.name, strings.ReplaceAll(label, `\n`, `\l`))
	}
	for _, b := range boxes {
		drawn := map[string]bool{}
		for _, to := range b.to {
			if !drawn[to] {
				drawn[to] = true
				fmt.Fprintf(&out, "  %q -> %q\n", b.name, to)
			}
		}
	}
	out.WriteString("}\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// reference finds the mention of a rule or node in a line without its terminals.
var reference = regexp.MustCompile(`@?[A-Za-z0-9_-]+\.[0-9]+`)

// quotedTerminal finds a terminal in a line of a grammar.
var quotedTerminal = regexp.MustCompile(`/(?:[^/"\[]|"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\])*/`)

func drawGrammar(w io.Writer, st *terminal.Store, g *grammar.Grammar) error {
	var boxes []box
	for _, line := range strings.Split(strings.TrimSpace(Grammar(st, g)), "\n") {
		if strings.HasPrefix(line, "$") {
			continue // only the text defines expressions that occur twice
		}
		if !strings.HasPrefix(line, " ") {
			name, _, _ := strings.Cut(line, " ")
			boxes = append(boxes, box{name: name})
			line += " "
		}
		b := &boxes[len(boxes)-1]
		b.lines = append(b.lines, line)
		mentioned := strings.TrimPrefix(quotedTerminal.ReplaceAllString(line, ""), b.name)
		b.to = append(b.to, reference.FindAllString(mentioned, -1)...)
	}
	return draw(w, boxes)
}

var followingNode = regexp.MustCompile(`then node (\d+)$`)

func drawState(w io.Writer, a *pushdown.Automaton, st *terminal.Store, s pushdown.StateID) error {
	var text strings.Builder
	a.Print(&text, s, stackNodes, inListing(st))
	var boxes []box
	for _, line := range strings.Split(strings.TrimSpace(text.String()), "\n") {
		line = strings.TrimPrefix(line, "  ")
		if !strings.HasPrefix(line, " ") && (len(boxes) == 0 || strings.HasPrefix(line, "node ")) {
			boxes = append(boxes, box{name: line})
		}
		b := &boxes[len(boxes)-1]
		b.lines = append(b.lines, line)
		if m := followingNode.FindStringSubmatch(line); m != nil {
			b.to = append(b.to, "node "+m[1])
		}
	}
	return draw(w, boxes)
}

// drawAutomaton draws the states of e, at most drawnStates. Brackets on an arrow contain its bytes.
func drawAutomaton(w io.Writer, st *terminal.Store, e terminal.Expr) error {
	states := []terminal.Expr{e}
	number := map[terminal.Expr]int{e: 0}
	var out strings.Builder
	out.WriteString("digraph {\n  rankdir=LR\n  node [shape=circle fontname=monospace]\n")
	for i := 0; i < len(states); i++ {
		shape := "circle"
		if counters.Complete(st, states[i]) {
			shape = "doublecircle"
		}
		fmt.Fprintf(&out, "  %d [shape=%s tooltip=%q]\n", i, shape, Expression(st, states[i], exprBytes))
		var order []int
		labels := map[int]*terminal.ByteSet{}
		alive := *st.Alive(states[i])
		for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
			t := st.Delta(states[i], byte(b))
			to, known := number[t]
			if !known {
				if to = len(states); to < drawnStates { // all other states are one
					states = append(states, t)
				}
				number[t] = to
			}
			if labels[to] == nil {
				order, labels[to] = append(order, to), new(terminal.ByteSet)
			}
			labels[to].Add(byte(b))
		}
		for _, to := range order {
			fmt.Fprintf(&out, "  %d -> %d [label=%q]\n", i, to, labels[to])
		}
	}
	if len(number) > len(states) {
		fmt.Fprintf(&out, "  %d [label=%q]\n", drawnStates, more)
	}
	out.WriteString("}\n")
	_, err := io.WriteString(w, out.String())
	return err
}
