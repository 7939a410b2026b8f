package pattern

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/regex"
)

// lengthAhead matches the look-ahead of a pattern that only counts characters, with the anchor before it.
var lengthAhead = regexp.MustCompile(`^\^\(\?=\.\{(\d{1,6}),(\d{1,6})\}(\\\.\?)?\$\)`)

// lineEnds are the characters that a dot excludes.
const lineEnds = "\n\r\u2028\u2029"

// periodAhead is the length from which a look-ahead with a final period is narrowed.
const periodAhead = 64

// Ahead is a pattern without a look-ahead for its length, and the length.
type Ahead struct {
	Low, High uint64
	Rest      string
	Note      string // about texts that Rest and the length leave out
}

// LengthAhead splits a pattern ^(?=.{m,n}$)rest$ into a length and ^rest$. Host names have ^(?=.{m,n}\.?$), so texts of
// n+1 characters match if they end in a period: the result leaves them out if n is large. Any length and the whole
// pattern are the result for other patterns, and if rest may match a line end, which the look-ahead excludes.
//
// PERF: as an intersection, .{1,253} beside a label of 63 characters exceeds limits.GraphStates. Counters have no states.
func (q *Pattern) LengthAhead() Ahead {
	a := Ahead{High: math.MaxUint64, Rest: q.Text}
	m := lengthAhead.FindStringSubmatch(q.Text)
	if m == nil || q.tree.Op != regex.OpConcat {
		return a
	}
	first, last := q.tree.Subs[0], q.tree.Subs[len(q.tree.Subs)-1]
	low, _ := strconv.ParseUint(m[1], 10, 32)
	high, _ := strconv.ParseUint(m[2], 10, 32)
	if first.Op != regex.OpBegin || last.Op != regex.OpEnd || m[3] != "" && high < periodAhead ||
		slices.ContainsFunc(q.tree.Subs[2:], spansLines) {
		return a
	}
	a = Ahead{Low: low, High: high, Rest: "^" + q.Text[len(m[0]):]}
	if m[3] != "" {
		a.Note = fmt.Sprintf("leaves out texts of %d characters, which the look-ahead allows if they end in a period", high+1)
	}
	return a
}

// spansLines reports whether a part of a pattern may match a line end.
func spansLines(n *regex.Node) bool {
	if strings.ContainsAny(n.Text, lineEnds) || slices.ContainsFunc(n.Subs, spansLines) {
		return true
	}
	for i := 0; i < len(n.Ranges); i += 2 {
		if strings.ContainsFunc(lineEnds, func(r rune) bool { return n.Ranges[i] <= r && r <= n.Ranges[i+1] }) {
			return true
		}
	}
	return false
}
