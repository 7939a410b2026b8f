package core

// SetMaxTokens limits the sequence to n more tokens, the end token counted; 0 removes the limit. From then on masks allow
// a token, and Accept takes it, only if the output can still be completed with the tokens that the limit leaves. So the
// output is complete when the tokens run out. The limit forbids no token before that is necessary.
//
// Rollback and Reset return the tokens of the steps that they take back; Fork copies the limit. Tokens of reasoning
// count. A text of AcceptBytes counts as one token: set the limit again if it stands for more.
//
// If not even the shortest output fits, the error is CodeUnsatisfiable, its text says how many tokens that output takes,
// and the earlier limit remains. Other errors are CodeArgument for a negative n, CodeBusy, and CodeLimit if no completion
// was found within the budget, or the vocabulary cannot spell one.
func (m *Matcher) SetMaxTokens(n int) (err error) {
	defer m.g.caught(&err)
	return m.m.SetMaxTokens(n)
}

// MinTokens returns the number of tokens that complete the output from here, the end token counted: the least number, or
// the number for a short completion if finding the least takes too much. It is 0 after the end. Errors are CodeBusy, and
// CodeLimit if no completion was found within the budget.
func (m *Matcher) MinTokens() (n int, err error) {
	defer m.g.caught(&err)
	return m.m.MinTokens()
}
