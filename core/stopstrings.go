package core

// MaxStopBytes is the most bytes that the stop strings of a matcher may have together.
const MaxStopBytes = 4096

// StopState says how an output stands to the stop strings of its matcher; see Matcher.SetStopStrings.
type StopState struct {
	Stopped bool // the output has stopped at a stop string
	Index   int  // of that string in the list that was set
	// Behind is the number of bytes from the beginning of that string to the end of the output: cut so many from it. The
	// string itself has the first of them.
	Behind int
	// HeldBack is the number of bytes at the end of the output that may still become a stop string: do not send them yet.
	// It is 0 once the output has stopped or ended.
	HeldBack int
}

// SetStopStrings makes the output stop at the first of these strings in text that is accepted after this call. No strings
// remove earlier ones. The string that ends first wins; of several with the same end the longest, which begins first.
//
// The token in which a string ends is accepted whole. The output has ended behind it, as behind an end token, whether the
// constraint is complete there or not: Terminated is true and masks allow the stop tokens. Accept takes the tokens of the
// mask alone, so it ends in front of other tokens of the same call. A text of AcceptBytes is accepted whole, too. Rollback
// goes back in front of the string, Fork copies the strings, and Reset keeps them. An output that has stopped stays so
// until it is rolled back.
//
// Only the text of Output counts, so reasoning does not. Names of special tokens are no text, and no stop string reaches
// across such a token. Events report the text in front of the string, and hold back text that may still become one.
//
// Following the text takes a look-up for each byte. The table takes some microseconds and kilobytes, at most 2 MiB.
//
// Errors are CodeArgument for an empty string, CodeLimit for more than 4,096 bytes together, and CodeBusy. Then the
// earlier strings remain.
func (m *Matcher) SetStopStrings(list []string) (err error) {
	defer m.g.caught(&err)
	return m.m.SetStopStrings(list)
}

// Stopped returns how the output stands to its stop strings. The error is CodeBusy.
func (m *Matcher) Stopped() (s StopState, err error) {
	defer m.g.caught(&err)
	found, err := m.m.Stopped()
	return StopState(found), err
}
