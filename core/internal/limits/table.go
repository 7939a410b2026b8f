package limits

// GraphStates bounds the expressions in the graph of a terminal with an intersection or complement, which is explored
// when the terminal is compiled. Nine of ten such terminals of MaskBench have fewer than 1,000; the bound takes up to
// 0.2 s.
const GraphStates = 1 << 14

// Bounds of tables of text: formats of strings, and the constraints beside them.
const (
	// TableStates bounds the states of a table before its dead ends are dropped. An address by RFC 5321 has 1,200; with
	// a usual pattern beside it, 4,000. The bound takes up to 10 MiB and 0.2 s; an hour of random pairs of real
	// patterns reached it once in 3,000.
	TableStates = 1 << 16
	// TableWork bounds the parts of expressions that the derivation of a table examines: about 0.2 s.
	TableWork = 12_000_000
	// FormatTableWork is the same for formats, which have one table in a process: idn-email has 10,000 states and takes
	// 0.2 s.
	FormatTableWork = 20_000_000
)
