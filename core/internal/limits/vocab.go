package limits

// Bounds of vocabularies and tokenizer files.
const (
	// VocabularyFile is the size of the largest tokenizer file, after decompression. The largest known one (262,144
	// pieces with their merges, indented) has 33 MB. A small file that unfolds to more than 128 MiB is an attack, and
	// takes about twice that before it is refused.
	VocabularyFile = 128 << 20
	// VocabularyIDs is the highest token id plus one, padding included. Known models end at 262,208. With 4 Mi ids a
	// mask row has 512 KiB, and the tables of an otherwise empty vocabulary stay under 64 MiB.
	VocabularyIDs = 4 << 20
	// TekkenSpecials bounds the special tokens of a tekken.json. Known files have 1,000, most without a name.
	TekkenSpecials = 1 << 16
	// TokenBytes is the length of the longest token. Known vocabularies end at 768 bytes; a walk of the trie may be as
	// deep as the longest token.
	TokenBytes = 16 << 10
	// VocabularyBytes is the sum of all token lengths. 262,144 pieces have 1.8 MB. Tokens without common prefixes take
	// one trie node a byte, about 165 bytes with the compiler's tables: 2.5 GB. Real tokens share most of their
	// prefixes. tokenset.escapeBytes bounds the parts of tokens behind a terminal.
	VocabularyBytes = 16 << 20
	// TokenizerNesting is the deepest nesting of a tokenizer file's JSON. Real files stay below 10.
	TokenizerNesting = 64
	// DecoderSteps bounds the steps of a tokenizer's decoder, nested sequences included. Real decoders have 4.
	DecoderSteps = 32
	// DecoderContent bounds the bytes that a decoder writes in place of a pattern. Real decoders write one space.
	// Together with TokenBytes it bounds the growth of one piece.
	DecoderContent = 256
	// VocabularyFragment is the number of bytes of a tokenizer file that an error quotes: one line of a terminal.
	VocabularyFragment = 60
)
