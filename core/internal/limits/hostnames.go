package limits

// Bounds of host names.
const (
	// HostLabel and HostName are the longest label and name of RFC 1034.
	HostLabel = 63
	HostName  = 253
	// EncodedLabelSteps bounds the texts that a completion of an encoded label tries if the label is so long that the
	// usual completion does not fit: from 60 characters on. There are 48,000 texts of three digits, each as expensive
	// as a step of a mask, and a mask needs dozens of completions.
	EncodedLabelSteps = 64
)
