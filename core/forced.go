package core

// ForcedTokens appends to dst the forced text as tokens, cut as the model's own tokenizer cuts them. For every
// continuation of the output, the tokenizer gives these tokens behind the text so far, and the matcher accepts them.
// Accept them and call again for more. Each saves a step of the model.
//
// The end of the forced text is held back if the tokenizer could join it with later text. There are no forced tokens if
// the tokenizer would join the text so far with the forced text, in reasoning, and after the end.
//
// Errors are CodeArgument if the vocabulary was read without VocabularyOptions.KeepTokenizer, and CodeBusy.
func (m *Matcher) ForcedTokens(dst []int32) (ids []int32, err error) {
	defer m.g.caught(&err)
	return m.m.ForcedTokens(dst)
}

// ForcedTokens is Matcher.ForcedTokens.
func (u Until) ForcedTokens(dst []int32) (ids []int32, err error) {
	defer u.g.caught(&err)
	return u.u.ForcedTokens(dst)
}

// Drafts appends to dst up to k tokens that are likely to come next: the forced text, and beyond it gaps, quotes and
// brackets of JSON as this output has laid them out so far, cut as the model's tokenizer would. Verify them as any draft
// of speculative decoding, so the distribution of outputs stays. The matcher accepts them all, and does not move.
//
// Errors are CodeArgument if the vocabulary was read without VocabularyOptions.KeepTokenizer, and CodeBusy.
func (m *Matcher) Drafts(dst []int32, k int) (ids []int32, err error) {
	defer m.g.caught(&err)
	return m.m.Drafts(dst, k)
}

// Drafts is Matcher.Drafts.
func (u Until) Drafts(dst []int32, k int) (ids []int32, err error) {
	defer u.g.caught(&err)
	return u.u.Drafts(dst, k)
}
