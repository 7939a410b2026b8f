package limits

// Bounds of explanations.
const (
	// ExplainedBytes bounds the constraints whose text a grammar keeps, so that explanations can name places in it.
	ExplainedBytes = 1 << 20
	// Expectations bounds the expectations and the missing parts of one explanation, a list each.
	Expectations = 8
	// ExpectedNames bounds the names of properties in one of them.
	ExpectedNames = 8
	// ExpectedText bounds the bytes of literal text in one of them.
	ExpectedText = 40
)
