package rules

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

type status uint8

const (
	unfolded status = iota
	plain           // an expression that may become part of others
	single          // an expression with a counter beside the state: it stays a separate terminal
)

// fold is the terminal of a node.
type fold struct {
	expr   terminal.Expr
	status status
	fixed  bool // one text, or one ASCII character: its end is visible at once
	tokens bool // may contain tokens named by id
	size   int  // positions of the expression, approximately
	// class holds the possible first characters; nil: unknown, or possibly empty. For status single it holds the
	// counted characters.
	class []rune
}

// attributed is a lowered element with options, inside its scope.
type attributed struct {
	fold  fold // unfolded if free is set, or the body is
	body  fold // within max_chars, if the body must be regular
	whole fold // body and end
	cut   bool
	end   fold // of a cut rule
	// free: the shortest texts of any text and a trigger, which has these texts; nil: too many
	free  bool
	texts []string
}

// folder makes terminals: it holds the folds of a tree's rules and nodes. One goroutine.
type folder struct {
	st    *terminal.Store
	g     *grammar.Grammar // for the rules of schemas
	tree  *Tree
	rules []fold // by rule
	folds []fold // by Node.serial
	done  []bool
	work  int // positions that may still be copied

	anyText    terminal.Expr
	attributed map[*Node]attributed
	parts      map[*jsonschema.Part]grammar.RuleID
}

func (l *folder) join(fs []fold) fold {
	out := l.combine(fs, l.st.Concat)
	if len(fs) > 0 && out.status == plain {
		out.class = fs[0].class
	}
	return out
}

func (l *folder) union(fs []fold) fold { return l.combine(fs, l.st.Or) }

func (l *folder) combine(fs []fold, operation func(...terminal.Expr) terminal.Expr) fold {
	out := fold{status: plain}
	xs := make([]terminal.Expr, 0, len(fs))
	for _, f := range fs {
		out.size += f.size
		out.tokens = out.tokens || f.tokens
		if f.status != plain || out.size > limits.RuleFold {
			return fold{}
		}
		xs = append(xs, f.expr)
	}
	if !l.spend(out.size) {
		return fold{}
	}
	out.expr = operation(xs...)
	return out
}

// spend charges positions that this grammar copies. Small copies are free, since the text bounds them.
func (l *folder) spend(size int) bool {
	if size <= 16 {
		return true
	}
	l.work -= size
	return l.work >= 0
}

// unit returns the expression of one character or, with tokens, also of one token named by id.
func (l *folder) unit(tokens bool) terminal.Expr {
	if !tokens {
		return l.st.AnyRune(terminal.UTF8)
	}
	return l.st.Or(l.st.AnyRune(terminal.UTF8), spelling.TokensBut(l.st, nil))
}

// settled sets the status of an intersection.
func (l *folder) settled(f fold) fold {
	if f.status = plain; f.size > limits.RuleFold || inspect.Counts(l.st, f.expr) {
		f.status = single
	}
	return f
}

func (l *folder) irregular(n *Node) error {
	return l.tree.Failure(diag.Unsupported, n.At, "",
		"this part must be regular: no recursion, no tokens of the vocabulary, no temperatures, and fewer than "+
			"%d parts; with small bounds or * instead of counts it has fewer", limits.RuleFold)
}
