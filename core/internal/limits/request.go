package limits

// Bounds of requests.
const (
	// RequestTools bounds the tools of a request. The largest known collections have a thousand.
	RequestTools = 10_000
	// ToolName is the longest name of a tool, in bytes. OpenAI allows 64.
	ToolName = 256
	// FamilyBytes is the size of the largest family file. The library's own files have a kilobyte; each tool repeats a
	// part of the file.
	FamilyBytes = 8 << 10
	// FamilyForms bounds the ways in which a family writes a call, or begins a section of calls: the structural tag
	// contains every tool in every form. gpt-oss has four.
	FamilyForms = 8
)
