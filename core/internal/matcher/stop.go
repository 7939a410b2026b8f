package matcher

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/mask"
)

// Stop ends a call early once it returns true. The call asks it before new work: a transition that was never taken, a
// mask that was never computed, and, within a text, an expensive transition that has to be counted. Then the call fails
// with Unfinished, and the matcher does not move. nil never stops. No answer depends on it.
type Stop = func() bool

// Until is a matcher whose calls end early when Stop says so.
type Until struct {
	Matcher *Matcher
	Stop    Stop
}

// Accept moves over ids up to the first forbidden one, and returns the number of ids before it. A rejected token is no
// error. Errors are Busy, Unfinished, and Limit. With Limit the matcher has moved over the ids that Accept counts.
func (u Until) Accept(ids []int32) (int, error) {
	if err := u.Matcher.enter(u.Stop); err != nil {
		return 0, err
	}
	defer u.Matcher.leave()
	return u.Matcher.accept(ids, u.Stop)
}

// Validate returns Accept's number without moving the matcher.
func (u Until) Validate(ids []int32) (int, error) {
	if err := u.Matcher.enter(u.Stop); err != nil {
		return 0, err
	}
	defer u.Matcher.leave()
	return u.Matcher.validate(ids, u.Stop)
}

// AcceptBytes moves over text as one step, all of it or nothing. The error is Limit, with the place in the text, if a
// budget ended it.
func (u Until) AcceptBytes(text []byte) (bool, error) {
	if err := u.Matcher.enter(u.Stop); err != nil {
		return false, err
	}
	defer u.Matcher.leave()
	return u.Matcher.acceptBytes(text, u.Stop)
}

// Fill overwrites row with the set of tokens that may come next; row has at least the vocabulary's words. constrained
// is false if every token is allowed. On an error row is unchanged. Errors are Busy, Unfinished, Unsatisfiable if no
// token is allowed, and Limit.
func (u Until) Fill(row []uint32) (constrained bool, err error) {
	if err := u.Matcher.enter(u.Stop); err != nil {
		return true, err
	}
	defer u.Matcher.leave()
	return u.Matcher.fill(row, u.Stop)
}

// Name returns the name of Fill's mask. It is the zero Name after the end, in reasoning, if the limit of tokens may
// matter, and if the mask depends on the matcher's own stop tokens. Errors are as for Fill.
func (u Until) Name() (n mask.Name, err error) {
	if err := u.Matcher.enter(u.Stop); err != nil {
		return n, err
	}
	defer u.Matcher.leave()
	return u.Matcher.name(u.Stop)
}

// Finished reports whether the output has ended, or may end here and cannot continue. The error is Limit if the mask is
// beyond its budget.
func (u Until) Finished() (bool, error) {
	if err := u.Matcher.enter(u.Stop); err != nil {
		return false, err
	}
	defer u.Matcher.leave()
	return u.Matcher.finished(u.Stop)
}

// ForcedBytes appends to dst the only text that the grammar allows next, up to limits.ForcedBytes, limits.ForcedParts
// and the budget of AcceptBytes.
func (u Until) ForcedBytes(dst []byte) ([]byte, error) {
	if err := u.Matcher.enter(u.Stop); err != nil {
		return dst, err
	}
	defer u.Matcher.leave()
	return u.Matcher.forcedBytes(dst, u.Stop)
}

// ForcedTokens appends to dst the forced text as the model's tokenizer cuts it behind the output so far: tokens that it
// gives for every continuation, and that the matcher accepts. The end of the text is left out if the tokenizer could
// join it with later text. The error is Busy, or Argument without a tokenizer.
func (u Until) ForcedTokens(dst []int32) ([]int32, error) {
	if err := u.Matcher.enter(u.Stop); err != nil {
		return dst, err
	}
	defer u.Matcher.leave()
	return u.Matcher.ahead(dst, limits.ForcedBytes, false, u.Stop)
}

// Drafts appends to dst up to k tokens that are likely to come next, cut as the model's tokenizer would: forced text,
// and gaps, brackets and quotes as this output has laid them out so far. The matcher accepts all of them, and does not
// move. The error is Busy, or Argument without a tokenizer.
func (u Until) Drafts(dst []int32, k int) ([]int32, error) {
	if err := u.Matcher.enter(u.Stop); err != nil {
		return dst, err
	}
	defer u.Matcher.leave()
	return u.Matcher.ahead(dst, k, true, u.Stop)
}

// The same calls, which end when they are done.

// Accept is Until.Accept without a Stop.
func (m *Matcher) Accept(ids []int32) (int, error) { return Until{m, nil}.Accept(ids) }

// Validate is Until.Validate without a Stop.
func (m *Matcher) Validate(ids []int32) (int, error) { return Until{m, nil}.Validate(ids) }

// AcceptBytes is Until.AcceptBytes without a Stop.
func (m *Matcher) AcceptBytes(text []byte) (bool, error) { return Until{m, nil}.AcceptBytes(text) }

// Fill is Until.Fill without a Stop.
func (m *Matcher) Fill(row []uint32) (constrained bool, err error) { return Until{m, nil}.Fill(row) }

// ForcedBytes is Until.ForcedBytes without a Stop.
func (m *Matcher) ForcedBytes(dst []byte) ([]byte, error) { return Until{m, nil}.ForcedBytes(dst) }

// ForcedTokens is Until.ForcedTokens without a Stop.
func (m *Matcher) ForcedTokens(dst []int32) ([]int32, error) { return Until{m, nil}.ForcedTokens(dst) }

// Drafts is Until.Drafts without a Stop.
func (m *Matcher) Drafts(dst []int32, k int) ([]int32, error) { return Until{m, nil}.Drafts(dst, k) }
