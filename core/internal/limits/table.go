package limits

// Bounds of tables of text: formats of strings, and what is asked for beside them.
const (
	// TableStates is how many states a table may have, before its dead ends are dropped. An address by RFC 5321 has
	// 1,200; with a usual pattern beside it, 4,000. So many take up to 10 MiB and 0.2 s, which an hour of random pairs of
	// real patterns asked of one in 3,000.
	TableStates = 1 << 16
	// TableWork is how many parts of expressions deriving a table may look at, about 0.2 s.
	TableWork = 12_000_000
	// FormatTableWork is the same for formats, each of which has a table once a process: idn-email has 10,000 states and
	// takes 0.2 s.
	FormatTableWork = 20_000_000
)
