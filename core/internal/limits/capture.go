package limits

// Bounds of what one call for captures may do. It reads the whole output so far.
const (
	// CaptureSteps is how many transitions it may take for each byte of the output, and CaptureFirstSteps beyond that.
	// An output that is read in one way takes two or three: its bytes, and the marks between them.
	CaptureSteps      = 32
	CaptureFirstSteps = 1 << 14
	// CaptureCosts is how many times limits.Budgets.Text the transitions may cost that are not free.
	CaptureCosts = 4
	// CaptureBytes is how many bytes all captures of an output may have together. Rules within one another share their
	// text, so that ten thousand of them over 10 KB are 50 MB.
	CaptureBytes = 1 << 26
)
