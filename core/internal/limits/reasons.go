package limits

// Bounds of explanations.
const (
	// ExplainedBytes bounds the constraints whose text a grammar keeps, so that explanations can name places in it.
	ExplainedBytes = 1 << 20
	// ExplainSteps bounds the search for places and the one for missing parts of an explanation: positions, frames,
	// properties, and parts of terminals. A step takes up to 50 ns, so a search takes about 10 ms.
	ExplainSteps = 1 << 18
	// Expectations bounds the expectations and the missing parts of one explanation, a list each.
	Expectations = 8
	// ExpectedNames bounds the names of properties in one of them.
	ExpectedNames = 8
	// ExpectedText bounds the bytes of literal text in one of them.
	ExpectedText = 40
)
