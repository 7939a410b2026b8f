package limits

// Bounds of names of hosts.
const (
	// HostLabel and HostName are the longest label and name, RFC 1034.
	HostLabel = 63
	HostName  = 253
	// EncodedLabelSteps is how many texts are tried to complete an encoded label that has come so close to its greatest
	// length that the usual completion does not fit: from 60 characters on. There are 48,000 texts of three digits,
	// each taking as long as a step of a mask, and a mask asks for dozens of completions.
	EncodedLabelSteps = 64
)
