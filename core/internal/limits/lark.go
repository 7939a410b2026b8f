package limits

// Bounds of Lark grammars.
const (
	// LarkTemplateDepth bounds how deep templates use one another with their own arguments. A template that uses itself
	// with new arguments would never end; real templates are two or three deep.
	LarkTemplateDepth = 64
	// LarkInstances bounds the uses of templates with different arguments, and of rules with different numbers. Each
	// use is a rule. Thirteen elements in any order take 8,192.
	LarkInstances = 10_000
	// LarkSubstring bounds the bytes of a text whose parts %regex allows. Sorting its positions takes some dozens of
	// steps a byte; a quarter of a megabyte is a long document.
	LarkSubstring = 1 << 18
)
