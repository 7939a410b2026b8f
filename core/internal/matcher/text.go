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
	m      *Matcher // remembers what has been walked
	limit  int
	later  bool // the present token is not the first of the call
	single bool // the call has one token and nothing else, so that what it takes adds to nothing
	text   bool // what is walked is the caller's text and nothing else; else it is tokens, which stay as they are
	paid   int  // prices so far
	exact  bool // now the cost is counted
	cost   int
	seen   pushdown.CountedSet // what has been counted
	again  *counting           // how far an earlier call came that may have been this one, nil: none that can be used
}

// segment is a text and the state before it.
type segment struct {
	from pushdown.StateID
	text []byte
}

// tally returns an empty one. A call may take nearly what a mask may, so that the text of a token that a mask
// allows is seldom refused.
func (m *Matcher) tally() tally {
	return tally{m: m, limit: m.g.Budgets().Text}
}

// spent reports whether the texts so far have taken more than they may.
func (t *tally) spent() bool { return t.cost > t.limit }

// walk returns the state after all of text. It asks stop before what may take time: each transition that nobody has
// taken yet, and each that has to be counted exactly. It returns Over after the byte that spends the tally, and how
// many bytes it has taken.
func (t *tally) walk(a *pushdown.Automaton, s pushdown.StateID, text []byte, stop Stop) (pushdown.StateID, int, error) {
	t.m.walked = append(t.m.walked, segment{s, text})
	if t.exact {
		return t.count(a, len(t.m.walked)-1, stop)
	}
	n, at, before := 0, s, t.paid
	if w := t.m.walking; w != nil && w.from == s && bytes.HasPrefix(text, w.text) {
		n, at, t.paid = len(w.text), w.at, before+w.paid
	}
	for {
		to, more, paid := a.StepKnown(at, text[n:])
		at, n = to, n+more
		if t.paid += paid; t.paid > t.limit {
			return t.recount(a, stop)
		}
		if n == len(text) || at <= pushdown.Over {
			return at, n, nil
		}
		if stop != nil && stop() {
			if n >= longText {
				t.m.walking = &walking{segment{s, bytes.Clone(text[:n])}, at, t.paid - before}
			}
			return pushdown.Dead, n, unfinished
		}
		t.m.worked = true
		a.Step(at, text[n]) // now it is known
	}
}

// walking is how far a text has been walked whose call was stopped. What is known of it need not be gone through again
// when the call is made again: of a text of a megabyte that takes longer than the next call may.
type walking struct {
	segment
	at   pushdown.StateID
	paid int
}

// longText is from which length on that is worth it.
const longText = 1 << 14

// recount counts exactly from the beginning on, and returns what walk does for the last text.
func (t *tally) recount(a *pushdown.Automaton, stop Stop) (s pushdown.StateID, n int, err error) {
	t.exact, t.again = true, t.m.counting
	for k := range t.m.walked {
		if s, n, err = t.count(a, k, stop); err != nil {
			break
		}
	}
	return s, n, err
}

// counting is how far a call had counted when its caller would not wait any longer. The same call made again goes on
// from there: a text of 500 KB takes longer to count than handlers of signals are to wait.
type counting struct {
	walked []segment // all but the last are counted whole
	at     pushdown.StateID
	n      int // bytes of the last one
	cost   int
	seen   pushdown.CountedSet
}

// goesOn reports whether segment k of the call is what the earlier call had there, as far as that had counted.
func (t *tally) goesOn(k int) bool {
	if t.again == nil {
		return true
	}
	x, known := t.m.walked[k], t.again.walked[k]
	whole := k < len(t.again.walked)-1
	return known.from == x.from && bytes.HasPrefix(x.text, known.text) && !(whole && len(x.text) > len(known.text))
}

// resume returns where to go on in segment k of the call, and done if it is counted already.
func (t *tally) resume(a *pushdown.Automaton, k int) (at pushdown.StateID, n int, done bool) {
	x, c := t.m.walked[k], t.again
	switch {
	case c == nil:
		return x.from, 0, false
	case k == len(c.walked)-1:
		t.again, t.cost, t.seen = nil, c.cost, c.seen
		return c.at, c.n, false
	}
	at, n, _ = a.StepKnown(x.from, x.text)
	return at, n, true
}

// pause notes how far the call has counted: n bytes of segment k.
func (t *tally) pause(k int, at pushdown.StateID, n int) {
	c := &counting{at: at, n: n, cost: t.cost, seen: t.seen, walked: slices.Clone(t.m.walked[:k+1])}
	c.walked[k].text = c.walked[k].text[:n]
	if t.text {
		c.walked[k].text = bytes.Clone(c.walked[k].text)
	}
	t.m.counting = c
}

// count is walk for segment k of the call where the cost is counted.
func (t *tally) count(a *pushdown.Automaton, k int, stop Stop) (pushdown.StateID, int, error) {
	if !t.goesOn(k) {
		t.m.counting = nil // that was another call: nothing of this one is counted yet
		return t.recount(a, stop)
	}
	s, n, done := t.resume(a, k)
	if done {
		return s, n, nil
	}
	for text := t.m.walked[k].text; ; n++ {
		at, more := a.StepFree(s, text[n:])
		if n += more; n == len(text) || at <= pushdown.Over {
			return at, n, nil
		}
		if stop != nil && stop() {
			t.pause(k, at, n)
			return pushdown.Dead, n, unfinished
		}
		t.m.worked = true
		s = a.Step(at, text[n])
		if _, _, paid := a.StepKnown(at, text[n:n+1]); paid > 0 {
			if t.cost += a.Cost(at, text[n], s, t.seen.Add); t.spent() {
				return pushdown.Over, n + 1, nil
			}
		}
	}
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
