package lower

import (
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Serializers write nothing between two tokens, a blank, or one or two line ends and an indentation. Only these gaps
// are allowed. The bound of the indentation depends on the level of nesting. A goal has one level, the deepest of its
// values.
//
// There are two bounds, for up to limits.JSONLevels levels and for more, because each gap has its own terminals. With
// a gap for every level, new masks take a fifth longer on average, and half as long again at p99.
//
// INVARIANT: if anything is tested, all gaps are equal. Both sides of a test read one text, and the excluded side must
// read it with every gap that the other side allows.

const anyLevel = limits.JSONLevels + 1

// tagLevel is the level of tags. No model indents outer tags; inner ones may be indented.
const tagLevel = 2

// Gap returns the gaps between tokens at a level of nesting, unless a pattern defines them.
func Gap(st *terminal.Store, p *plan.Planner, level int) terminal.Expr {
	o := p.Options
	switch {
	case p.Tagged != nil && p.Tagged.Style.Brackets,
		o.Compact || o.WhitespacePattern != "" || o.Separators != nil || o.Indent != nil:
		return terminal.Epsilon
	case o.MaxWhitespace > 0:
		return st.Repeat(st.Bytes(terminal.BytesOf(blanks(p))), 0, uint32(o.MaxWhitespace))
	}
	if blanks(p) == " " {
		return st.Optional(st.Literal(" "))
	}
	blanks := uint32(limits.JSONWhitespace - 2)
	if level <= limits.JSONLevels {
		blanks = limits.JSONIndent * uint32(level)
	}
	// Keeping one for each level in the standard store saves a compilation 8 µs.
	e, _ := st.Memo("gap "+strconv.Itoa(int(blanks)), func() (terminal.Expr, error) { return serializersGap(st, blanks), nil })
	return e
}

// serializersGap returns the gaps of serializers with an indentation of at most so many blanks.
func serializersGap(st *terminal.Store, blanks uint32) terminal.Expr {
	blank := st.Literal(" ")
	end := st.Concat(st.Optional(st.Literal("\r")), st.Literal("\n"))
	indentation := st.Or(st.Repeat(blank, 0, blanks), st.Repeat(st.Literal("\t"), 0, blanks/limits.JSONTab))
	return st.Or(terminal.Epsilon, blank, st.Concat(st.Or(end, st.Concat(end, end)), indentation))
}

func (l *lowerer) useGap(level int) {
	if l.levels == nil {
		return
	}
	if level <= limits.JSONLevels {
		level = limits.JSONLevels
	}
	l.level = level
	if l.gaps[level].ws == 0 {
		l.gaps[level] = l.marksAround(Gap(l.st, l.p, level))
	}
	l.marks = l.gaps[level]
}

func (l *lowerer) levelOf(g plan.GoalID) int {
	if l.levels == nil || int(g) >= len(l.levels) {
		return anyLevel
	}
	return int(l.levels[g])
}

func (l *lowerer) inside(g plan.GoalID) int { return min(l.levelOf(g)+1, anyLevel) }

func (l *lowerer) findLevels() {
	o := l.p.Options
	if l.narrow != nil || l.indented || o.MaxWhitespace > 0 || Gap(l.st, l.p, 0) == terminal.Epsilon {
		return
	}
	l.levels = make([]uint8, len(l.p.Goals))
	found := make([]uint8, len(l.p.Goals)) // by goal: the level at which it was last found
	now := []plan.GoalID{l.c.Start}
	for level := uint8(0); len(now) > 0; {
		var next []plan.GoalID
		below := min(level+1, anyLevel) // at which each goal is found at most once
		visit := func(g plan.GoalID) {
			if g != plan.NoneGoal && g != plan.AnyGoal && found[g] != below {
				found[g] = below
				next = append(next, g)
			}
		}
		for _, g := range now {
			l.p.Options.Work.Spend(1 + len(l.p.Goals[g].Cases))
			l.levels[g] = max(l.levels[g], level)
			for i := range l.p.Goals[g].Cases {
				a := &l.p.Goals[g].Cases[i]
				if a.Flat.HasValues && a.Flat.Types&(jsontype.Array|jsontype.Object) != 0 {
					l.levels[g] = anyLevel // the goal contains itself
				}
				a.Children(visit)
			}
			if l.p.Tagged != nil {
				for _, form := range l.p.Tagged.Forms[g] {
					visit(form)
				}
			}
		}
		now, level = next, below
	}
	l.levels[plan.AnyGoal] = anyLevel
}
