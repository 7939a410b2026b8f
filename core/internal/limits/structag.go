package limits

// Bounds of structural tags.
const (
	// TagNesting is the deepest nesting of formats. vLLM refuses documents deeper than 80; real formats stay below 10.
	// Reading and lowering recurse a few frames a level.
	TagNesting = 256
	// TagFragment is the number of bytes of a wrong value that an error quotes: one line of a terminal.
	TagFragment = 60
	// TagNotes bounds the notes about ignored fields of one document. They repeat for every tag.
	TagNotes = 64
	// TagEnds bounds the ends of a tag, in bytes, whose content is a string of a style. The grammar contains the string
	// once for each end, and a repetitive end of 256 bytes takes a second. Models have one or two of some 20 bytes.
	TagEnds = 128
	// TagOverlaps bounds the work for triggers and ends that end inside one another, in pairs of a tag and a stop that
	// begins before its own. Real documents have none. A thousand tools whose triggers all contain another trigger need
	// a million.
	TagOverlaps = 4 << 20
)
