package limits

// Bounds of Lark grammars.
const (
	// LarkTemplateDepth is how deep templates may use one another with arguments of their own. A template that uses
	// itself with ever new arguments never ends; those in use are two or three deep.
	LarkTemplateDepth = 64
	// LarkInstances is how many uses of templates with different arguments, and of rules with different numbers, a
	// grammar may have. Each is a rule. Thirteen things in any order take 8,192.
	LarkInstances = 10_000
	// LarkSubstring is how many bytes a text may have of which %regex allows parts. Sorting its places takes some
	// dozens of steps a byte; a quarter of a megabyte is a long document.
	LarkSubstring = 1 << 18
)
