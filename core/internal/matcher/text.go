package matcher

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// tally bounds what the transitions of one call take, all its texts together, where nothing has been found before. So a
// long text or token cannot take the budget of a transition for each of its bytes, and whether it is refused does not
// depend on what others have found. It adds up the prices of transitions, which need no lock and are never too low. Only
// where these come to more than the call may take, it counts again, exactly.
//
// Where the first token of a call takes too much, it leads to Over, as a token does whose transition takes too much.
// Whether it is allowed is what the mask says, which may know it without following the token. Where a later token takes
// too much, the call ends before it, and the caller may give it in a call of its own.
type tally struct {
	m      *Matcher // keeps the walks of the call
	limit  int
	later  bool // the present token is not the first of the call
	single bool // the call has one token and nothing else, so that what it takes adds to nothing
	whole  bool // the call does not end early while it counts: nothing of it is kept
	paid   int  // prices so far
	exact  bool // now the cost is counted
	cost   int
	seen   pushdown.CountedSet // what has been counted

	next int              // the walk that the call asks for next
	done int              // walks that are finished
	at   pushdown.StateID // how far the one after these has come,
	n    int              // and how many of its bytes that are
}

// walk is a text and the state before it; and, once it is finished, the state that it leads to, and after how many
// bytes.
type walk struct {
	from, to pushdown.StateID
	text     []byte
	n        int
}

// going is how far a call had come when its caller would not wait any longer. The same call, made again, asks for the
// same walks, and goes on from there: to go through a text of a megabyte again takes longer than a caller may wait. Any
// other call finds out at the first walk that differs, and counts anew.
type going struct {
	tally
	text  []byte   // of the walk that is not finished, if it is the caller's: a copy of what has been walked
	start uint32   // where the matcher stood
	ids   []int32  // tokens that were gone through
	after []uint32 // the entries after each of them, of a call that moves
	last  uint32   // the entry after the last of them
	first int      // how many walks they took
}

// Calls that are stopped before they have come so far begin again: that takes less than to remember them.
const (
	longText   = 1 << 14
	manyTokens = 1 << 12
)

// textAtOnce is how many bytes are followed between two questions whether to go on, where all is known: 3 ms.
const textAtOnce = 1 << 20

// tally returns that of a new call, or of the one that was stopped before it. A call may take nearly what a mask may, so
// that the text of a token that a mask allows is seldom refused.
func (m *Matcher) tally() tally {
	if m.going != nil {
		t := m.going.tally
		t.next, t.later, t.single = 0, false, false
		return t
	}
	return tally{m: m, limit: m.g.Budgets().Text}
}

// spent reports whether the texts so far have taken more than they may.
func (t *tally) spent() bool { return t.cost > t.limit }

// walk returns the state after all of text. It asks stop before what may take time: each transition that nobody has
// taken yet, and each that has to be counted exactly. It returns Over after the byte that spends the tally, and how
// many bytes it has taken.
func (t *tally) walk(a *pushdown.Automaton, s pushdown.StateID, text []byte, stop Stop) (pushdown.StateID, int, error) {
	k, m := t.next, t.m
	t.next++
	if k < len(m.walks) && !t.same(k, s, text) {
		m.walks, m.going = m.walks[:k], nil
		t.paid, t.cost, t.seen, t.done, t.n = 0, 0, pushdown.CountedSet{}, 0, 0
		t.exact = k > 0 // prices are of no use: it is not known which of them are of the walks that stay
	}
	if k == len(m.walks) {
		m.walks = append(m.walks, walk{from: s, text: text})
	} else if k >= t.done {
		m.walks[k].text = text // what is there is a copy
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

// same reports whether walk k is the one of text from state s, as far as it has been counted.
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

// advance goes on with the first walk that is not finished. If prices come to too much, it begins with all of them anew.
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

// count is advance where the cost is counted.
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

// pause is the error of a call that ends before it is done. Made again it goes on in the same generation of states, or it
// might never get done beside sequences that renew it. What it has come to is returned if it is worth to be kept.
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

// left is the error of a call that ends with err.
func (t *tally) left(err error) error {
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

// pauseTokens is pause after some tokens, which took so many walks; last and after are those of going.
func (t *tally) pauseTokens(ids []int32, walks int, last uint32, after []uint32) error {
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

// resume skips the tokens that the call had gone through when it was stopped. It returns nil if there are none: then
// the call begins with its first token, and finds what it has walked of that.
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

// overText is the error where the first n bytes of text take more than a call may.
func (m *Matcher) overText(text []byte, n int) error {
	e := diag.Errorf(diag.Limit, "matcher", diag.TextPlace(string(text), n-1), "following the text up to here "+
		"takes more than %d steps: it can be read in very many ways. Accept the text in several pieces, or %s",
		m.g.Budgets().Text, oneReading)
	e.Fragment = strings.ToValidUTF8(string(text[max(n-fragment, 0):n]), "\uFFFD")
	return e
}

// fragment is how many bytes of a text an error quotes.
const fragment = 40

// overTokens is the error where the tokens of one call take more than a call may, though the first does not.
func (m *Matcher) overTokens() error {
	whole := m.g.Whole()
	e := diag.Errorf(diag.Limit, whole.Source, whole.Place, "following the tokens up to this one takes more "+
		"than %d steps: their text can be read in very many ways. Go on with this token in a call of its own, or %s",
		m.g.Budgets().Text, oneReading)
	e.Keyword, e.Fragment = whole.Keyword, whole.Fragment
	return e
}

// oneReading says what makes a grammar cheap to follow.
const oneReading = "look for a rule that contains itself twice (s ::= s s), or for parts between bounds that follow " +
	"each other or stand within each other, as in (a{1,9}b?){1,50}, and write it so that each text has one reading"
