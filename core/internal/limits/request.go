package limits

// Bounds of requests.
const (
	// RequestTools is how many tools a request may offer. The largest collections known from practice have a thousand.
	RequestTools = 10_000
	// ToolName is the longest name of a tool, in bytes. OpenAI allows 64.
	ToolName = 256
)
