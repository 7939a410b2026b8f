package core

import (
	"github.com/sluice-engine/sluice/core/internal/capture"

	"github.com/sluice-engine/sluice/core/internal/matcher"
)

// Matcher follows one sequence under a grammar: it accepts what was chosen and says what may come next. One sequence:
// one goroutine at a time, a second one gets CodeBusy (State, Completed, Terminated and Len are for all). Different
// matchers are independent.
type Matcher struct {
	m *matcher.Matcher
	g *Grammar
}

// MatcherOptions is how one sequence differs from the defaults.
type MatcherOptions struct {
	StopTokens         []uint32   // what ends the sequence; nil: the vocabulary's end tokens
	RejectAfterEnd     bool       // reject tokens after the end instead of ignoring them
	AllAllowedAfterEnd bool       // after the end allow every token instead of the stop tokens alone
	Reasoning          *Reasoning // nil: the grammar is about the sequence from its first token on
}

// Reasoning is free text before the output that the grammar is about: any tokens but stop tokens, up to the first time
// that the tokens of End come in a row.
type Reasoning = matcher.Reasoning

// NewMatcher returns a matcher at the start of a grammar.
func NewMatcher(g *Grammar, o MatcherOptions) (_ *Matcher, err error) {
	defer caught(&err)
	m, err := matcher.New(g.g, matcher.Options{
		StopTokens: o.StopTokens, RejectAfterEnd: o.RejectAfterEnd, AllAllowedAfterEnd: o.AllAllowedAfterEnd,
		Reasoning: o.Reasoning,
	})
	if err != nil {
		return nil, err
	}
	return &Matcher{m: m, g: g}, nil
}

// Grammar returns the grammar the matcher follows.
func (m *Matcher) Grammar() *Grammar { return m.g }

// Until returns the matcher for calls that end early when stop says so. stop is asked before work that nobody has done
// yet: a transition that was never taken, a mask that was never computed. Such a call fails with CodeUnfinished and
// changes nothing; what it found is kept, so that calling again goes on from there. What an answer is does not depend
// on stop.
func (m *Matcher) Until(stop func() bool) Until {
	return Until{matcher.Until{Matcher: m.m, Stop: stop}, m.g}
}

// AtOnce is for Matcher.Until: a call does no work that is not done yet. It takes no lock and answers within
// microseconds, or not at all.
func AtOnce() bool { return true }

// Until is a matcher whose calls may end early. It is a value: make one for a call.
type Until struct {
	u matcher.Until
	g *Grammar
}

// Accept is Matcher.Accept.
func (u Until) Accept(ids []int32) (n int, err error) {
	defer caught(&err)
	return u.u.Accept(ids)
}

// Validate is Matcher.Validate.
func (u Until) Validate(ids []int32) (n int, err error) {
	defer caught(&err)
	return u.u.Validate(ids)
}

// AcceptBytes is Matcher.AcceptBytes.
func (u Until) AcceptBytes(text []byte) (ok bool, err error) {
	defer caught(&err)
	return u.u.AcceptBytes(text)
}

// Fill is Matcher.Fill.
func (u Until) Fill(row []uint32) (constrained bool, err error) {
	defer caught(&err)
	return u.u.Fill(row)
}

// ForcedBytes is Matcher.ForcedBytes.
func (u Until) ForcedBytes(dst []byte) (text []byte, err error) {
	defer caught(&err)
	return u.u.ForcedBytes(dst)
}

// Finished is Matcher.Finished.
func (u Until) Finished() (yes bool, err error) {
	defer caught(&err)
	return u.u.Finished()
}

// MaskKey is Matcher.MaskKey.
func (u Until) MaskKey() (_ MaskKey, err error) {
	defer caught(&err)
	n, err := u.u.Name()
	if err != nil {
		return MaskKey{}, err
	}
	return u.g.maskKey(n.Masks, n.Record), nil
}

// maskKey makes the key of a mask from its name.
func (g *Grammar) maskKey(masks uint64, record uint32) MaskKey {
	if record == 0 {
		return MaskKey{}
	}
	// Three numbers side by side, none of them cut: 32 bits, 64 and 32.
	return MaskKey{High: uint64(g.number)<<32 | masks>>32, Low: masks<<32 | uint64(record)}
}

// Accept moves over the tokens that were chosen and returns how many were allowed. It stops at the first one that is
// not, which changes nothing and is no error.
func (m *Matcher) Accept(ids []int32) (n int, err error) {
	defer caught(&err)
	return m.m.Accept(ids)
}

// Validate returns what Accept would, without moving.
func (m *Matcher) Validate(ids []int32) (n int, err error) {
	defer caught(&err)
	return m.m.Validate(ids)
}

// AcceptBytes moves over text, all or nothing, and returns whether it was allowed. It is one step for Rollback. A text
// that takes too much work is the error Limit with a place in it: it may be accepted in pieces.
func (m *Matcher) AcceptBytes(text []byte) (ok bool, err error) {
	defer caught(&err)
	return m.m.AcceptBytes(text)
}

// Rollback takes back the last n steps.
func (m *Matcher) Rollback(n int) (err error) {
	defer caught(&err)
	return m.m.Rollback(n)
}

// Fork returns a second matcher in the same state, with the same history.
func (m *Matcher) Fork() (_ *Matcher, err error) {
	defer caught(&err)
	f, err := m.m.Fork()
	if err != nil {
		return nil, err
	}
	return &Matcher{m: f, g: m.g}, nil
}

// Reset goes back to the start of the grammar and forgets the history.
func (m *Matcher) Reset() (err error) {
	defer caught(&err)
	return m.m.Reset()
}

// Fill overwrites row with the set of tokens that may come next, bit i of word i/32 for token i. row has at least the
// vocabulary's Words. The result is false if every token that has a text, and every end token, is allowed, as while a
// model writes free text: there is nothing to apply then. With an error the row is untouched.
//
// A stop token is never text, whether it is the vocabulary's or the matcher's own: it is allowed where the output may
// end, and where the grammar names it as a token.
func (m *Matcher) Fill(row []uint32) (constrained bool, err error) {
	defer caught(&err)
	return m.m.Fill(row)
}

// MaskKey names the set of tokens that Fill would write, so that what was made of it before is found without writing it
// again: equal keys are equal sets, for all grammars of compilers with different numbers, for ever. Equal sets may have
// different keys. The zero key names nothing.
type MaskKey struct{ High, Low uint64 }

// MaskKey returns the key of what Fill would write; the zero key where that has none: after the end, and where the set
// depends on stop tokens of the matcher's own. Errors are those of Fill.
func (m *Matcher) MaskKey() (key MaskKey, err error) {
	defer caught(&err)
	return m.Until(nil).MaskKey()
}

// Explain says in a sentence why token id is allowed next, or why it is not: where in the token the output can't go on,
// and what it could go on with there. It is for people who look for a mistake in a constraint, and takes its time.
func (m *Matcher) Explain(id int32) (why string, err error) {
	defer caught(&err)
	return m.m.Explain(id)
}

// State is where a matcher stands.
type State = matcher.State

// State returns what Completed, Terminated and Len do, in one piece. Like them it may be asked by any goroutine at any
// time: it never waits, and tells where the matcher stood after its last finished call.
func (m *Matcher) State() State { return m.m.State() }

// Completed returns whether the output may end here.
func (m *Matcher) Completed() bool { return m.m.Completed() }

// Terminated returns whether the output has ended.
func (m *Matcher) Terminated() bool { return m.m.Terminated() }

// Finished returns whether the output has ended, or may end here and nothing but the end may follow: an engine may end
// the sequence without another token. Errors are those of Fill.
func (m *Matcher) Finished() (yes bool, err error) {
	defer caught(&err)
	return m.Until(nil).Finished()
}

// ForcedBytes appends to dst the text about which the grammar leaves no choice from here, 4,096 bytes at most: what
// comes after them is told once they have been accepted.
func (m *Matcher) ForcedBytes(dst []byte) (text []byte, err error) {
	defer caught(&err)
	return m.m.ForcedBytes(dst)
}

// Capture is what a captured rule has spelled: see "Captures" of the documentation.
type Capture = capture.Capture

// Captures returns what captured rules have spelled so far, in the order in which they ended; none if the grammar
// captures nothing. Where the output may not end, a rule that might end counts with its text so far. Texts must not be
// changed. It reads the whole output each time it is asked. The error is Busy, or Limit for output that can be read in
// very many ways.
func (m *Matcher) Captures() (list []Capture, err error) {
	defer caught(&err)
	return m.m.Captures()
}

// Temperature returns the temperature at which the grammar wants the next token to be sampled: that of the innermost
// rule that has one, and the greatest of those if the output can be read in several ways. It reports false if there is
// none, and after the end. The error is Busy.
func (m *Matcher) Temperature() (t float64, ok bool, err error) {
	defer caught(&err)
	return m.m.Temperature()
}

// Len returns how many steps can be taken back.
func (m *Matcher) Len() int { return m.m.Len() }
