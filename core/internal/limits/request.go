package limits

// Bounds of requests.
const (
	// RequestTools is how many tools a request may offer. The largest collections known from practice have a thousand.
	RequestTools = 10_000
	// ToolName is the longest name of a tool, in bytes. OpenAI allows 64.
	ToolName = 256
	// FamilyBytes is the longest file of a family. Those of the library have a kilobyte; tools repeat a part of it.
	FamilyBytes = 8 << 10
	// FamilyForms is how many ways there may be to write a call, or to begin a section of calls: each tool is written
	// in all of them. gpt-oss has four.
	FamilyForms = 8
)
