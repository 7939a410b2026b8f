package limits

// Bounds of one call for captures, which reads the whole output so far.
const (
	// CaptureSteps bounds the transitions for each byte of the output, beyond CaptureFirstSteps. An unambiguous output
	// takes two or three: its bytes, and the marks between them.
	CaptureSteps      = 32
	CaptureFirstSteps = 1 << 14
	// CaptureCosts bounds the cost of transitions that are not free, in multiples of Budgets.Text.
	CaptureCosts = 4
	// CaptureBytes bounds the bytes of all captures of an output together. Nested rules repeat their text: ten thousand
	// of them over 10 KB are 50 MB.
	CaptureBytes = 1 << 26
)
