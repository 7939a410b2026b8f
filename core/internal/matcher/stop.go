package matcher

import "github.com/sluice-engine/sluice/core/internal/mask"

// Stop says that a call is to end before it is done. It is asked before work that nobody has done yet: a transition
// that was never taken, a mask that was never computed; in a text also before a dear transition, which has to be
// counted. Such a call fails as Unfinished, and the matcher has not moved. nil never stops. What an answer is does not
// depend on it.
type Stop = func() bool

// Until is a matcher whose calls end early when Stop says so.
type Until struct {
	Matcher *Matcher
	Stop    Stop
}

// Accept moves over ids and returns how many were allowed; the first that is not ends the call and changes nothing. The
// error says why the call could not be made (Busy), that a budget ended it (Limit), or that Stop did (Unfinished), and
// then nothing has changed; a rejected token is no error.
func (u Until) Accept(ids []int32) (int, error) { return u.Matcher.accept(ids, u.Stop) }

// Validate returns what Accept would, and stays.
func (u Until) Validate(ids []int32) (int, error) { return u.Matcher.validate(ids, u.Stop) }

// AcceptBytes moves over text as one step, all of it or nothing. The error is Limit, with the place in the text, if a
// budget ended it.
func (u Until) AcceptBytes(text []byte) (bool, error) { return u.Matcher.acceptBytes(text, u.Stop) }

// Fill overwrites row with the set of tokens that may come next; row has at least the vocabulary's words. constrained
// is false if every token is allowed. With an error the row is untouched: no token is allowed (Unsatisfiable), a
// budget was spent (Limit), or Stop ended it (Unfinished).
func (u Until) Fill(row []uint32) (constrained bool, err error) { return u.Matcher.fill(row, u.Stop) }

// Name returns the name of the mask that Fill would write, the zero Name if it has none: after the end, and where the
// mask depends on stop tokens of this matcher's own. Errors are those of Fill.
func (u Until) Name() (mask.Name, error) { return u.Matcher.name(u.Stop) }

// FillChain overwrites row i with the set of tokens that may come after the first i of ids, and returns how many of
// them are allowed, one after the other. Rows behind the first that is not allow every token. The matcher does not
// move.
func (u Until) FillChain(ids []int32, rows Rows) (int, error) {
	return u.Matcher.fillChain(ids, rows, u.Stop)
}

// FillTree overwrites row k with the set of tokens that may come after node k of a draft tree, and returns how many
// nodes allowed tokens lead to. Rows of other nodes allow every token. The matcher does not move.
func (u Until) FillTree(t Tree, rows Rows) (int, error) { return u.Matcher.fillTree(t, rows, u.Stop) }

// ForcedBytes appends to dst the text about which the grammar leaves no choice, as far as limits.ForcedBytes and what
// AcceptBytes may take.
func (u Until) ForcedBytes(dst []byte) ([]byte, error) { return u.Matcher.forcedBytes(dst, u.Stop) }

// Finished reports whether the output has ended, or may end and nothing else may follow.
func (u Until) Finished() (bool, error) { return u.Matcher.finished(u.Stop) }

// The same calls, which end when they are done.

// Accept is that of Until.
func (m *Matcher) Accept(ids []int32) (int, error) { return m.accept(ids, nil) }

// Validate is that of Until.
func (m *Matcher) Validate(ids []int32) (int, error) { return m.validate(ids, nil) }

// AcceptBytes is that of Until.
func (m *Matcher) AcceptBytes(text []byte) (bool, error) { return m.acceptBytes(text, nil) }

// Fill is that of Until.
func (m *Matcher) Fill(row []uint32) (constrained bool, err error) { return m.fill(row, nil) }

// Name is that of Until.
func (m *Matcher) Name() (mask.Name, error) { return m.name(nil) }

// ForcedBytes is that of Until.
func (m *Matcher) ForcedBytes(dst []byte) ([]byte, error) { return m.forcedBytes(dst, nil) }
