package limits

// Bounds of vocabularies and of the files that they are read from.
const (
	// VocabularyFile is the largest tokenizer file, after decompression. The largest known (262,144 pieces with their
	// merges, indented) has 33 MB; a small compressed file that unfolds to more than 128 MiB is an attack, and takes
	// about twice that before it is refused.
	VocabularyFile = 128 << 20
	// VocabularyIDs is one more than the highest token id, padding included. Known models end at 262,208; at 4 Mi ids a
	// mask row is 512 KiB and the tables of an otherwise empty vocabulary stay under 64 MiB.
	VocabularyIDs = 4 << 20
	// TekkenSpecials is how many special tokens a tekken.json may have. Known files have 1,000, most without a name.
	TekkenSpecials = 1 << 16
	// TokenBytes is the longest token. Known vocabularies end at 768 bytes, and every step of a trie walk may go
	// this deep.
	TokenBytes = 16 << 10
	// VocabularyBytes is the sum of all token lengths. 262,144 pieces have 1.8 MB. Tokens that share no beginnings are
	// a node of the trie for each byte, which takes about 165 bytes with what else a compiler keeps: 2.5 GB. Real ones
	// share most of theirs. What follows terminals in tokens is bounded by itself (tokenset.escapeBytes).
	VocabularyBytes = 16 << 20
	// TokenizerNesting is how deep the JSON of a tokenizer file may nest. Real files stay below 10.
	TokenizerNesting = 64
	// DecoderSteps is how many steps a tokenizer's decoder may have, nested sequences included. Real ones have 4.
	DecoderSteps = 32
	// DecoderContent is how many bytes a decoder may put in place of a pattern. Real ones put one space; together with
	// TokenBytes it bounds what one piece can grow to.
	DecoderContent = 256
	// VocabularyFragment is how many bytes of a tokenizer file an error quotes: one line of a terminal.
	VocabularyFragment = 60
)
