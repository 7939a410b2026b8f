package matcher

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// tally bounds the transitions of one call, over all its texts, at their price without caches. So a long text cannot
// take the budget of a transition for each byte, and a refusal does not depend on earlier calls. It first adds up prices
// of transitions, which are upper bounds and need no lock. If their sum exceeds the budget, it begins again and counts
// exact costs.
//
// If the first token of a call exceeds the budget, it leads to Over, as if its transition exceeded its own budget; see
// beyond. If a later token does, the call ends before it. The caller may pass that token in a call of its own.
type tally struct {
	m     *Matcher // keeps the walks of the call
	limit int
	later bool // the present token is not the first of the call
	whole bool // counting never ends early, since asOutput drops its progress
	paid  int  // prices so far
	exact bool // now the cost is counted
	cost  int
	seen  arena.Set // counted transitions

	next int              // the call's next walk
	done int              // walks that are finished
	at   pushdown.StateID // the state that the next one has reached,
	n    int              // after this number of its bytes
}

// walk is a text and the state before it. A finished walk also has the state after it and the number of bytes read.
type walk struct {
	from, to pushdown.StateID
	text     []byte
	n        int
}

// going is the progress of a call that its caller stopped. The same call made again has the same walks and continues here,
// because walking a text of a megabyte again would take longer than a caller waits. A call with another walk counts anew
// from that walk on.
type going struct {
	tally
	text  []byte   // the text of the unfinished walk; a copy if the caller owns it
	start uint32   // the matcher's entry before the call
	ids   []int32  // the tokens that the call has finished
	after []uint32 // the entries after each of them, of a call that moves
	last  point    // the point after the last of them
	first int      // the number of their walks
}

// Calls that are stopped before these bounds begin again, which is cheaper than keeping their progress.
const (
	longText   = 1 << 14
	manyTokens = 1 << 12
)

// textAtOnce is the number of known bytes that are followed between two calls of stop, in 3 ms.
const textAtOnce = 1 << 20

// tally returns a new tally, or the tally of the stopped call.
func (m *Matcher) tally() tally {
	if m.going != nil {
		t := m.going.tally
		t.next, t.later = 0, false
		return t
	}
	return tally{m: m, limit: m.g.Budgets().Text}
}

// spent reports whether the texts so far exceed the budget.
func (t *tally) spent() bool { return t.cost > t.limit }

// walk returns the state after all of text, and the number of bytes read. It calls stop before each unknown transition
// and each one that has to be counted. After the byte that spends the tally it returns Over.
func (t *tally) walk(a *pushdown.Automaton, s pushdown.StateID, text []byte, stop Stop) (pushdown.StateID, int, error) {
	k, m := t.next, t.m
	t.next++
	if k < len(m.walks) && !t.same(k, s, text) {
		m.walks, m.going = m.walks[:k], nil
		t.paid, t.cost, t.seen, t.done, t.n = 0, 0, arena.Set{}, 0, 0
		t.exact = k > 0 // the prices are known as a sum only, not for the walks that stay
	}
	if k == len(m.walks) {
		m.walks = append(m.walks, walk{from: s, text: text})
	} else if k >= t.done {
		m.walks[k].text = text // the stored text is a copy
	}
	if err := t.settle(a, t.next, stop); err != nil {
		return pushdown.Dead, 0, err
	}
	return m.walks[k].to, m.walks[k].n, nil
}

// settle finishes the first n walks.
func (t *tally) settle(a *pushdown.Automaton, n int, stop Stop) error {
	for t.done < n {
		if err := t.advance(a, &t.m.walks[t.done], stop); err != nil {
			return err
		}
	}
	return nil
}

// recount begins to count exactly, with the first walk.
func (t *tally) recount() { t.exact, t.done, t.n = true, 0, 0 }

// same reports whether walk k is a walk of text from state s, as far as it is counted.
func (t *tally) same(k int, s pushdown.StateID, text []byte) bool {
	w := &t.m.walks[k]
	switch {
	case w.from != s:
		return false
	case k < t.done:
		return bytes.Equal(w.text, text)
	case k == t.done:
		return bytes.HasPrefix(text, w.text[:t.n])
	}
	return true
}

// advance continues the first unfinished walk. If the prices exceed the budget, it restarts all walks and counts.
func (t *tally) advance(a *pushdown.Automaton, w *walk, stop Stop) error {
	if t.n == 0 {
		t.at = w.from
	}
	if t.exact {
		return t.count(a, w, stop)
	}
	for {
		to, more, paid := a.StepKnown(t.at, w.text[t.n:min(len(w.text), t.n+textAtOnce)])
		t.at, t.n = to, t.n+more
		if t.paid += paid; t.paid > t.limit {
			t.recount()
			return nil
		}
		if t.n == len(w.text) || to <= pushdown.Over {
			t.finish(w, to)
			return nil
		}
		if stop != nil && stop() {
			return unfinished
		}
		if more < textAtOnce {
			t.m.worked = true
			a.Step(to, w.text[t.n]) // now it is known
		}
	}
}

// count is advance with exact costs.
func (t *tally) count(a *pushdown.Automaton, w *walk, stop Stop) error {
	for {
		at, more := a.StepFree(t.at, w.text[t.n:])
		if t.at, t.n = at, t.n+more; t.n == len(w.text) || at <= pushdown.Over {
			t.finish(w, at)
			return nil
		}
		if stop != nil && !t.whole && stop() {
			return unfinished
		}
		t.m.worked = true
		b := w.text[t.n]
		t.at = a.Step(at, b)
		t.n++
		if _, _, paid := a.StepKnown(at, w.text[t.n-1:t.n]); paid > 0 {
			if t.cost += a.Cost(at, b, t.at, t.seen.Add); t.spent() {
				t.finish(w, pushdown.Over)
				return nil
			}
		}
	}
}

// finish ends the walk that is not finished.
func (t *tally) finish(w *walk, to pushdown.StateID) {
	w.to, w.n = to, t.n
	t.done, t.n = t.done+1, 0
}

// pause returns the error of a call that ends early, and its progress if that is worth keeping. The next call stays in
// this generation of states: the call might never finish beside sequences that begin new ones.
func (t *tally) pause(tokens int) (*going, error) {
	m := t.m
	m.stay = true
	if m.going == nil {
		if !t.exact && t.n < longText && tokens < manyTokens {
			return nil, unfinished
		}
		m.going = &going{start: m.top()}
	}
	m.going.tally = *t
	return m.going, unfinished
}

// ending is the error of a call that ends with err.
func (t *tally) ending(err error) error {
	if err == error(unfinished) {
		_, err = t.pause(0)
	}
	return err
}

// pauseText is pause in the middle of the caller's text.
func (t *tally) pauseText(text []byte) error {
	had := 0
	if g := t.m.going; g != nil {
		had = min(len(g.text), g.n, t.n)
	}
	g, err := t.pause(0)
	if g != nil {
		g.text = append(g.text[:had], text[had:t.n]...)
		t.m.walks[t.done].text = g.text
	}
	return err
}

// pauseTokens is pause after some tokens with a number of walks. last and after are as in going.
func (t *tally) pauseTokens(ids []int32, walks int, last point, after []uint32) error {
	g, err := t.pause(len(ids))
	if g != nil {
		g.ids, g.first, g.last = append(g.ids, ids[len(g.ids):]...), walks, last
		if after == nil {
			g.after = nil
		} else {
			g.after = append(g.after, after[len(g.after):]...)
		}
	}
	return err
}

// resume skips the tokens that the stopped call has finished, if this is the same call. Otherwise it returns nil, and the
// call starts with its first token.
func (t *tally) resume(ids []int32, moves bool) *going {
	g := t.m.going
	if g == nil {
		return nil
	}
	n := len(g.ids)
	if g.start == t.m.top() && n > 0 && n <= len(ids) && slices.Equal(g.ids, ids[:n]) && (!moves || len(g.after) == n) {
		t.next = g.first
		return g
	}
	g.start, g.ids, g.after = t.m.top(), nil, nil
	return nil
}

// overText is the error if the first n bytes of text exceed the budget of a call.
func (m *Matcher) overText(text []byte, n int) error {
	e := diag.Errorf(diag.Limit, "matcher", diag.TextPlace(string(text), n-1), "following the text up to here "+
		"takes more than %d steps: it can be read in very many ways. Accept the text in several pieces, or %s",
		m.g.Budgets().Text, oneReading)
	e.Fragment = strings.ToValidUTF8(string(text[max(n-fragment, 0):n]), "\uFFFD")
	return e
}

// fragment is the number of bytes of a text that an error quotes.
const fragment = 40

// overTokens is the error if the tokens of one call exceed its budget together.
func (m *Matcher) overTokens() error {
	return m.exceeded("following the tokens up to this one takes more than %d steps: their text can be read in very "+
		"many ways. Go on with this token in a call of its own, or %s", m.g.Budgets().Text, oneReading)
}

// oneReading is the advice for a grammar that is expensive to follow.
const oneReading = "look for a rule that contains itself twice (s ::= s s), or for parts between bounds that follow " +
	"each other or stand within each other, as in (a{1,9}b?){1,50}, and write it so that each text has one reading"
