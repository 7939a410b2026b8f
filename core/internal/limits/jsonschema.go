package limits

// Bounds of the JSON Schema front end.
const (
	// JSONWhitespace is the longest gap between two tokens of JSON text. A model that repeats whitespace must be led
	// out of it; 128 is room for fifteen levels of eight-column indentation behind two line ends. JSONIndent is the
	// largest number of blanks that indent a level; no serializer's default is above 4. A tab may stand for JSONTab of
	// them. Values at most JSONLevels deep share the gap of that level, all others have the longest gap.
	JSONWhitespace = 128
	JSONIndent     = 8
	JSONTab        = 4
	JSONLevels     = 4
	// JSONIndentDepth is the deepest nesting of non-empty arrays and objects with indented lines: the grammar has rules
	// for each depth.
	JSONIndentDepth = 40
	// JSONMark bounds the bytes of whitespace of a level of indentation, and of a comma or colon with its whitespace.
	// With indented lines the grammar contains both once for each depth: 64 bytes make 60 KB. JSONBlanksPattern bounds
	// a pattern of whitespace; it is part of each mark of a schema. Real patterns have some 20 bytes.
	JSONMark          = 64
	JSONBlanksPattern = 1 << 10
	// JSONDigits bounds the digits of an integer, and of each part of a decimal number. Every number that a program
	// reads (a 64-bit integer has 19 digits, a shortest double 17) fits three times over.
	JSONDigits = 64
	// JSONExponent bounds the digits of an exponent: a double's has 3.
	JSONExponent = 4
	// ArgumentExponent is the same for arguments of calls, which readers keep as doubles. With JSONDigits before and
	// after the point, two digits stay within a double's 1e308 and 1e-308.
	ArgumentExponent = 2
	// SchemaBoundExponent is the largest decimal exponent of a number inside a schema. Exact arithmetic on it takes
	// memory in proportion; the largest double is below 1e309.
	SchemaBoundExponent = 5_000
	// SchemaDepth bounds the depth of schemas that apply to the same value ($ref, allOf, anyOf). Each level is a Go
	// stack frame. Nesting through properties and items takes no stack and does not count.
	SchemaDepth = 4_000
	// SchemaCases bounds the combinations of alternatives (anyOf, oneOf, if, dependencies on one value) beyond the
	// written alternatives, before the rest becomes tests. Each case is an alternative of the grammar that the
	// automaton follows.
	SchemaCases = 64
	// SchemaCasesTested is the same if all choices but one are tested: cases do not multiply then, so there are no more
	// than the schema writes.
	SchemaCasesTested = 100_000
	// SchemaGoalSteps bounds the combinations that are examined for one place of the output before more choices become
	// tests.
	SchemaGoalSteps = 10_000
	// SchemaCaseSize bounds the properties of all cases of one place together, beyond sixteen times the size of the
	// schema: each case copies properties.
	SchemaCaseSize = 100_000
	// SchemaCaseSteps bounds the decisions between alternatives in a whole schema; about half a second.
	SchemaCaseSteps = 150_000
	// SchemaOverlaps bounds the pairs of overlapping members of one oneOf. For every byte, overlapping members are
	// tested beside each member: 128 overlapping members make the largest state, 16,000 tests.
	SchemaOverlaps = 8_192
	// SchemaGoals bounds the distinct combinations of subschemas. A real schema can have 50,000 properties with a
	// schema each; three times as many take about a second and 500 MiB.
	SchemaGoals = 150_000
	// SchemaEmptyDepth bounds the expansions inside one another that look for discriminators of alternatives.
	SchemaEmptyDepth = 4
	// SchemaNamesCompared bounds the required properties that are examined as discriminators.
	SchemaNamesCompared = 64
	// SchemaEvaluated bounds the members of an anyOf whose evaluated properties or items matter: each set of members is
	// a case of its own, 2^n cases.
	SchemaEvaluated = 8
	// SchemaNumberCases bounds the ranges that describe the numbers which pass tests.
	SchemaNumberCases = 64
	// SchemaMultiples bounds the multiples of a divisor among which one is searched that no other divisor excludes.
	// With up to ten excluded divisors, one of 2^10 consecutive multiples remains; for more this is not proved.
	SchemaMultiples = 1 << 10
	// SchemaNumbers bounds the beginnings of numbers for which a machine caches whether they can be completed, if that
	// takes a search of some microseconds. One text and its relatives are some dozens.
	SchemaNumbers = 4096
	// SchemaKeyClasses bounds the classes of undeclared keys from overlapping patternProperties; n overlapping patterns
	// make 2^n.
	SchemaKeyClasses = 64
	// SchemaWitnessPlaces bounds the places of an array at which a demanded item (contains) is expected one by one.
	SchemaWitnessPlaces = 64
	// SchemaCopies bounds the environments of dynamic anchors in which schemas apply, summed over all resources, and
	// SchemaNodes the values of a schema with those copies.
	SchemaCopies = 1_000
	SchemaNodes  = 4_000_000
	// SchemaFewNames bounds the number and the length of keys in a class of undeclared keys that is treated as a list
	// of names.
	SchemaFewNames = 256
	// SchemaSeenValues bounds the values that uniqueItems remembers by name; with more, items are compared as they
	// come.
	SchemaSeenValues = 256
	// SchemaValueSteps bounds the work of checking enum values against the keywords beside them.
	SchemaValueSteps = 20_000_000
)
