package matcher

import "github.com/sluice-engine/sluice/core/internal/mask"

// Stop ends a call early once it returns true. It is called before new work: a transition that was never taken, a mask
// that was never computed, and, within a text, an expensive transition that has to be counted. The call fails with
// Unfinished, and the matcher does not move. nil never stops. No answer depends on it.
type Stop = func() bool

// Until is a matcher whose calls end early when Stop says so.
type Until struct {
	Matcher *Matcher
	Stop    Stop
}

// Accept moves over ids and returns the number of allowed ones; the first forbidden one ends the call and changes
// nothing. A rejected token is no error. Errors are Busy, Limit and Unfinished; the matcher does not move then.
func (u Until) Accept(ids []int32) (int, error) { return u.Matcher.accept(ids, u.Stop) }

// Validate returns Accept's number without moving the matcher.
func (u Until) Validate(ids []int32) (int, error) { return u.Matcher.validate(ids, u.Stop) }

// AcceptBytes moves over text as one step, all of it or nothing. The error is Limit, with the place in the text, if a
// budget ended it.
func (u Until) AcceptBytes(text []byte) (bool, error) { return u.Matcher.acceptBytes(text, u.Stop) }

// Fill overwrites row with the set of tokens that may come next; row has at least the vocabulary's words. constrained
// is false if every token is allowed. With an error the row is untouched: no token is allowed (Unsatisfiable), a budget
// is spent (Limit), or Stop ended the call (Unfinished).
func (u Until) Fill(row []uint32) (constrained bool, err error) { return u.Matcher.fill(row, u.Stop) }

// Name returns the name of Fill's mask. It is the zero Name after the end, in reasoning, and if the mask depends on the
// matcher's own stop tokens. Errors are as for Fill.
func (u Until) Name() (mask.Name, error) { return u.Matcher.name(u.Stop) }

// FillChain overwrites row i with the set of tokens that may come after the first i of ids, and returns the number of
// ids allowed in order. Rows behind the first forbidden id allow every token. The matcher does not move.
func (u Until) FillChain(ids []int32, rows Rows) (int, error) {
	return u.Matcher.fillChain(ids, rows, u.Stop)
}

// FillTree overwrites row k with the set of tokens that may come after node k of a draft tree, and returns the number
// of nodes that allowed tokens lead to. Rows of other nodes allow every token. The matcher does not move.
func (u Until) FillTree(t Tree, rows Rows) (int, error) { return u.Matcher.fillTree(t, rows, u.Stop) }

// ForcedBytes appends to dst the only text that the grammar allows next, up to limits.ForcedBytes and the budget of
// AcceptBytes.
func (u Until) ForcedBytes(dst []byte) ([]byte, error) { return u.Matcher.forcedBytes(dst, u.Stop) }

// ForcedTokens is Matcher.ForcedTokens.
func (u Until) ForcedTokens(dst []int32) ([]int32, error) { return u.Matcher.forcedTokens(dst, u.Stop) }

// Drafts is Matcher.Drafts.
func (u Until) Drafts(dst []int32, k int) ([]int32, error) { return u.Matcher.draftsOf(dst, k, u.Stop) }

// Finished reports whether the output has ended, or may end and cannot continue.
func (u Until) Finished() (bool, error) { return u.Matcher.finished(u.Stop) }

// The same calls, which end when they are done.

// Accept is Until.Accept without a Stop.
func (m *Matcher) Accept(ids []int32) (int, error) { return m.accept(ids, nil) }

// Validate is Until.Validate without a Stop.
func (m *Matcher) Validate(ids []int32) (int, error) { return m.validate(ids, nil) }

// AcceptBytes is Until.AcceptBytes without a Stop.
func (m *Matcher) AcceptBytes(text []byte) (bool, error) { return m.acceptBytes(text, nil) }

// Fill is Until.Fill without a Stop.
func (m *Matcher) Fill(row []uint32) (constrained bool, err error) { return m.fill(row, nil) }

// Name is Until.Name without a Stop.
func (m *Matcher) Name() (mask.Name, error) { return m.name(nil) }

// ForcedBytes is Until.ForcedBytes without a Stop.
func (m *Matcher) ForcedBytes(dst []byte) ([]byte, error) { return m.forcedBytes(dst, nil) }
