package limits

// Bounds of the JSON Schema front end.
const (
	// JSONWhitespace is the longest gap between two tokens of JSON text. A model that has fallen into whitespace must
	// be led out of it; 128 is room for fifteen levels of eight-column indentation behind two line ends.
	// JSONIndent is how many blanks a level of nesting may be indented by: no serializer's default is above 4. A tab
	// may stand for JSONTab of them. Values that stand no deeper than JSONLevels share the gap of that level, all others
	// have the longest gap.
	JSONWhitespace = 128
	JSONIndent     = 8
	JSONTab        = 4
	JSONLevels     = 4
	// JSONIndentDepth is how deep arrays and objects with something in them nest where lines are indented: the grammar
	// has rules for each depth then.
	JSONIndentDepth = 40
	// JSONMark is how many bytes of whitespace a level of indentation may be, and how long a comma or a colon with the
	// whitespace around it. Where lines are indented both are written once for each depth: 64 bytes come to 60 KB.
	// JSONBlanksPattern is how long a pattern of whitespace may be; it is part of each mark of a schema. Those in use
	// have some 20 bytes.
	JSONMark          = 64
	JSONBlanksPattern = 1 << 10
	// JSONDigits bounds the digits of an integer, and of each part of a decimal number. Every number that a program
	// will read back (a 64-bit integer has 19 digits, a shortest double 17) fits three times over.
	JSONDigits = 64
	// JSONExponent bounds the digits of an exponent: a double's has 3.
	JSONExponent = 4
	// ArgumentExponent is the same in arguments of calls, which readers keep as doubles: with JSONDigits before the
	// point and as many after it, two digits make nothing that is beyond a double's 1e308 or below its 1e-308.
	ArgumentExponent = 2
	// SchemaBoundExponent is the largest decimal exponent of a number inside a schema. Exact arithmetic on it costs
	// memory in proportion; the largest double is below 1e309.
	SchemaBoundExponent = 5_000
	// SchemaDepth is how deep schemas may apply to the same value ($ref, allOf, anyOf, not inside one another). Each
	// level is a Go stack frame; nesting through properties and items is not counted, it costs no stack.
	SchemaDepth = 4_000
	// SchemaCases is how many combinations of alternatives (anyOf, oneOf, if, dependencies on one value) are told apart
	// beyond as many as alternatives are written, before the rest is left to tests: every case becomes an alternative
	// of the grammar, which the automaton follows at once.
	SchemaCases = 64
	// SchemaCasesTested is the same where all but one of the choices are tested: cases do not multiply then, so that
	// there are no more than somebody wrote.
	SchemaCasesTested = 100_000
	// SchemaGoalSteps bounds the combinations that are looked at for one place of the output before more is left to
	// tests.
	SchemaGoalSteps = 10_000
	// SchemaCaseSize bounds the properties of all cases of one place together, beyond sixteen times the size of the
	// schema: properties are copied from case to case.
	SchemaCaseSize = 100_000
	// SchemaCaseSteps bounds them over a whole schema; about half a second.
	SchemaCaseSteps = 150_000
	// SchemaOverlaps is how many pairs of members of one oneOf may overlap. Beside each member, those that overlap with
	// it are tested for every byte: of 128 members that all overlap, 16,000 tests are the largest state.
	SchemaOverlaps = 8_192
	// SchemaGoals bounds the distinct combinations of subschemas. 50,000 properties with a schema each are an honest
	// use; three times as many take about a second and 500 MiB.
	SchemaGoals = 150_000
	// SchemaEmptyDepth is how deep the proof that no value satisfies a case looks into required properties.
	// Discriminators sit at the top or one level down.
	SchemaEmptyDepth = 4
	// SchemaNamesCompared is how many required properties are looked at when a contradiction is searched for early.
	SchemaNamesCompared = 64
	// SchemaEvaluated bounds the members of an anyOf of which each set is a case of its own, because it matters which
	// of them have evaluated a property or an item: 2^n cases.
	SchemaEvaluated = 8
	// SchemaNumberCases bounds the ranges that describe the numbers which pass tests, and SchemaTestDepth the tests
	// within tests that are followed to find them. Tests are there because cases were too many to be told apart.
	SchemaNumberCases = 64
	SchemaTestDepth   = 8
	// SchemaMultiples is how many multiples of one divisor are looked at for one that is not excluded. With up to nine
	// excluded divisors some of 2^9 multiples in a row is left; where more are excluded that is not proved.
	SchemaMultiples = 1 << 10
	// SchemaNumbers is of how many beginnings of numbers a machine remembers whether they can be completed, where
	// finding out takes a search of some microseconds. One text and its relatives are some dozens.
	SchemaNumbers = 4096
	// SchemaKeyClasses bounds the classes of undeclared keys that overlapping patternProperties make; n patterns that
	// all overlap make 2^n.
	SchemaKeyClasses = 64
	// SchemaWitnessPlaces is in how many places of an array a demanded item (contains) is looked for one by one.
	SchemaWitnessPlaces = 64
	// SchemaCopies is in how many environments of dynamic anchors the schemas of all resources may be applied, and
	// SchemaNodes the values of a schema with those copies.
	SchemaCopies = 1_000
	SchemaNodes  = 4_000_000
	// SchemaFewNames is up to how many keys a class of undeclared ones may have to be taken for names one by one, and
	// how long they may be.
	SchemaFewNames = 256
	// SchemaSeenValues is up to how many values uniqueItems remembers by name; with more they are compared as they
	// come.
	SchemaSeenValues = 256
	// SchemaValueSteps bounds the work of checking enum values against the keywords beside them.
	SchemaValueSteps = 20_000_000
)
