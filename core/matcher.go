package core

import (
	"github.com/sluice-engine/sluice/core/internal/capture"
	"github.com/sluice-engine/sluice/core/internal/matcher"
)

// Matcher follows one sequence under a grammar: Fill says which tokens may come next, Accept moves over the tokens that
// were sampled. Different matchers are independent.
//
// One goroutine at a time may use a matcher; calls from a second one fail with CodeBusy. State, Completed, Terminated
// and Len may be called by all goroutines at any time.
type Matcher struct {
	m *matcher.Matcher
	g *Grammar
}

// MatcherOptions are the options of one sequence. The zero value is the default of every option.
type MatcherOptions struct {
	StopTokens         []uint32   // the tokens that end the sequence; nil: the vocabulary's end tokens
	RejectAfterEnd     bool       // reject tokens after the end instead of ignoring them
	AllAllowedAfterEnd bool       // after the end, masks allow every token instead of the stop tokens alone
	KeepOutput         bool       // remember the output for Matcher.Output and Events: four bytes a token
	Reasoning          *Reasoning // free text before the constrained output; nil: there is none
	MaxTokens          int        // as SetMaxTokens; 0: no limit
}

// Reasoning is free text before the constrained output: any tokens except stop tokens, until the tokens of End come in
// a row for the first time.
type Reasoning struct {
	End []uint32 // the tokens that end the reasoning when they come in a row
	// Begin is the tokens by which the sequence may begin with reasoning. A sequence that begins otherwise has none.
	// Empty: the prompt ends with them, so the sequence begins inside the reasoning.
	Begin   []uint32
	Limited bool // Budget applies
	Budget  int  // the number of tokens of reasoning after which only End may come, without Begin
}

// NewMatcher returns a matcher at the start of a grammar.
func NewMatcher(g *Grammar, o MatcherOptions) (_ *Matcher, err error) {
	defer g.caught(&err)
	m, err := matcher.New(g.g, matcher.Options{
		StopTokens: o.StopTokens, RejectAfterEnd: o.RejectAfterEnd, AllAllowedAfterEnd: o.AllAllowedAfterEnd,
		KeepOutput: o.KeepOutput, Reasoning: (*matcher.Reasoning)(o.Reasoning), MaxTokens: o.MaxTokens,
		Events: g.events, Tokenizer: g.v.t,
	})
	if err != nil {
		return nil, err
	}
	return &Matcher{m: m, g: g}, nil
}

// Grammar returns the grammar the matcher follows.
func (m *Matcher) Grammar() *Grammar { return m.g }

// Until returns the matcher for calls that end early once stop returns true. stop is asked before each piece of work
// that is not cached: a transition that was never taken, a mask that was never computed. Such a call fails with
// CodeUnfinished and does not move the matcher. Results that it computed are cached, so the same call made again
// continues. No answer depends on stop.
func (m *Matcher) Until(stop func() bool) Until {
	return Until{matcher.Until{Matcher: m.m, Stop: stop}, m.g}
}

// AtOnce is a stop function for Matcher.Until that always returns true: the call answers from the caches within
// microseconds, without a lock, or fails with CodeUnfinished.
func AtOnce() bool { return true }

// Until is a matcher whose calls end early; see Matcher.Until. It is a small value: make one for each call.
type Until struct {
	u matcher.Until
	g *Grammar
}

// Accept is Matcher.Accept.
func (u Until) Accept(ids []int32) (n int, err error) {
	defer u.g.caught(&err)
	n, err = u.u.Accept(ids)
	u.g.rejected(n < len(ids), err)
	return n, err
}

// Validate is Matcher.Validate.
func (u Until) Validate(ids []int32) (n int, err error) {
	defer u.g.caught(&err)
	return u.u.Validate(ids)
}

// AcceptBytes is Matcher.AcceptBytes.
func (u Until) AcceptBytes(text []byte) (ok bool, err error) {
	defer u.g.caught(&err)
	ok, err = u.u.AcceptBytes(text)
	u.g.rejected(!ok, err)
	return ok, err
}

// Fill is Matcher.Fill.
func (u Until) Fill(row []uint32) (constrained bool, err error) {
	defer u.g.caught(&err)
	return u.u.Fill(row)
}

// ForcedBytes is Matcher.ForcedBytes.
func (u Until) ForcedBytes(dst []byte) (text []byte, err error) {
	defer u.g.caught(&err)
	return u.u.ForcedBytes(dst)
}

// Finished is Matcher.Finished.
func (u Until) Finished() (yes bool, err error) {
	defer u.g.caught(&err)
	return u.u.Finished()
}

// MaskKey is Matcher.MaskKey.
func (u Until) MaskKey() (_ MaskKey, err error) {
	defer u.g.caught(&err)
	n, err := u.u.Name()
	if err != nil {
		return MaskKey{}, err
	}
	return u.g.maskKey(n.Masks, n.Record), nil
}

func (g *Grammar) maskKey(masks uint64, record uint32) MaskKey {
	if record == 0 {
		return MaskKey{}
	}
	// The three numbers keep all their bits: 32, 64 and 32.
	return MaskKey{High: uint64(g.number)<<32 | masks>>32, Low: masks<<32 | uint64(record)}
}

// maskName is the inverse of maskKey. The keys of other compilers name no mask.
func (g *Grammar) maskName(key MaskKey) matcher.MaskName {
	if key.High>>32 != uint64(g.number) {
		return matcher.MaskName{}
	}
	return matcher.MaskName{Masks: key.High<<32 | key.Low>>32, Record: uint32(key.Low)}
}

// Accept moves over sampled tokens and returns how many the grammar allowed. It stops at the first forbidden one: the
// matcher stays before it, and err is nil. Each accepted token is one step for Rollback. Errors are CodeBusy and
// CodeLimit.
func (m *Matcher) Accept(ids []int32) (n int, err error) {
	defer m.g.caught(&err)
	n, err = m.m.Accept(ids)
	m.g.rejected(n < len(ids), err)
	return n, err
}

// Validate returns what Accept would, without moving the matcher.
func (m *Matcher) Validate(ids []int32) (n int, err error) {
	defer m.g.caught(&err)
	return m.m.Validate(ids)
}

// AcceptBytes moves over a text, independently of its tokens, and returns whether the grammar allowed all of it;
// otherwise the matcher does not move. It is one step for Rollback. A text that takes too much work fails with
// CodeLimit and the place that was reached; accept it in pieces.
func (m *Matcher) AcceptBytes(text []byte) (ok bool, err error) {
	defer m.g.caught(&err)
	ok, err = m.m.AcceptBytes(text)
	m.g.rejected(!ok, err)
	return ok, err
}

// Rollback takes back the last n steps. If there are fewer, it fails with CodeArgument and changes nothing.
func (m *Matcher) Rollback(n int) (err error) {
	defer m.g.caught(&err)
	return m.m.Rollback(n)
}

// Fork returns a second matcher in the same state with the same history. From then on both are independent.
func (m *Matcher) Fork() (_ *Matcher, err error) {
	defer m.g.caught(&err)
	f, err := m.m.Fork()
	if err != nil {
		return nil, err
	}
	return &Matcher{m: f, g: m.g}, nil
}

// Reset moves the matcher to the start of the grammar and drops its history.
func (m *Matcher) Reset() (err error) {
	defer m.g.caught(&err)
	return m.m.Reset()
}

// Fill overwrites row with the set of tokens that may come next: bit i%32 of word i/32 is token i. row has at least
// Vocabulary.Words words. If constrained is false, every token with a text and every end token is allowed, and the
// logits need no change. On an error row is unchanged.
//
// Stop tokens are never text. They are allowed if the output may end here, or if the grammar names them as tokens here.
//
// Errors are CodeArgument for a short row, CodeBusy, CodeLimit, and CodeUnsatisfiable if no token of the vocabulary
// continues and the output may not end.
func (m *Matcher) Fill(row []uint32) (constrained bool, err error) {
	defer m.g.caught(&err)
	return m.m.Fill(row)
}

// MaskKey identifies the set of tokens that Fill would write, so that a copy made earlier (on a device, for example)
// can be used again. Equal keys mean equal sets, for all grammars of compilers with different numbers and for the life
// of the process. Equal sets may have different keys. The zero key identifies nothing.
type MaskKey struct{ Low, High uint64 }

// MaskKey returns the key of the set that Fill would write. It is the zero key after the end, and if the set depends on
// the matcher's own stop tokens. Errors are as for Fill.
func (m *Matcher) MaskKey() (key MaskKey, err error) {
	defer caught(&err)
	return m.Until(nil).MaskKey()
}

// State is the state of a matcher.
type State struct {
	Completed  bool // the output may end here
	Terminated bool // the output has ended
	Stopped    bool // it has ended at a stop string
	Length     int  // how many steps Rollback can take back
}

// State returns the results of Completed, Terminated and Len at one moment: after the matcher's last finished call. It
// never waits.
func (m *Matcher) State() State { return State(m.m.State()) }

// Completed reports whether the output may end here.
func (m *Matcher) Completed() bool { return m.m.Completed() }

// Terminated reports whether the output has ended: a stop token was accepted, or the output stopped at a stop string.
func (m *Matcher) Terminated() bool { return m.m.Terminated() }

// Finished reports whether the output has ended, or may end here and cannot continue. An engine may then end the
// sequence without sampling another token. Errors are as for Fill.
func (m *Matcher) Finished() (yes bool, err error) {
	defer caught(&err)
	return m.Until(nil).Finished()
}

// ForcedBytes appends to dst the text that every output continues with from here, at most 4,096 bytes. Accept it and
// call again for more. The error is CodeBusy.
func (m *Matcher) ForcedBytes(dst []byte) (text []byte, err error) {
	defer m.g.caught(&err)
	return m.m.ForcedBytes(dst)
}

// Capture is the text of a captured rule; see docs/grammars.md.
type Capture struct {
	Name string // of the capture, as the grammar gives it
	Text []byte // the text of the rule
}

// Captures returns the texts of captured rules so far, in the order in which the rules ended. If the output may not end
// here, a rule that may end counts with its text so far. The texts must not be changed.
//
// Each call reads the whole output again. Errors are CodeBusy, and CodeLimit for an output with too many readings.
func (m *Matcher) Captures() (list []Capture, err error) {
	defer m.g.caught(&err)
	found, err := m.m.Captures()
	return converted(found, func(c capture.Capture) Capture { return Capture(c) }), err
}

// Output appends the output so far to dst: the bytes of all accepted tokens and texts, without reasoning and up to the
// end of the sequence. A special token counts with the text that it spells. Rollback, Reset and Fork treat the output
// as they treat the state. Errors are CodeBusy, and CodeArgument if MatcherOptions.KeepOutput was not set.
func (m *Matcher) Output(dst []byte) (out []byte, err error) {
	defer m.g.caught(&err)
	return m.m.Output(dst)
}

// Temperature returns the temperature that the grammar sets for the next token: the one of the innermost rule that has
// one, and the greatest if the output can be read in several ways. ok is false if no rule sets one, and after the end.
// The error is CodeBusy.
func (m *Matcher) Temperature() (t float64, ok bool, err error) {
	defer m.g.caught(&err)
	return m.m.Temperature()
}

// Len returns how many steps Rollback can take back.
func (m *Matcher) Len() int { return m.m.Len() }
