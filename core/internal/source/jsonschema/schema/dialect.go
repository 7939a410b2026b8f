package schema

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Dialect is a published version of JSON Schema.
type Dialect uint8

// The dialects, oldest first.
const (
	draft4 Dialect = iota
	draft6
	Draft7
	Draft2019
	draft2019Bare // without the vocabulary of assertions
	Draft2020
	draft2020Bare
)

func (d Dialect) age() int { return int([...]uint8{0, 1, 2, 3, 3, 4, 4}[d]) }

func (d Dialect) bare() Dialect {
	if d == Draft2019 || d == Draft2020 {
		return d + 1
	}
	return d
}

var dialectNames = map[string]Dialect{
	"draft4": draft4, "draft-04": draft4, "draft6": draft6, "draft-06": draft6, "draft7": Draft7, "draft-07": Draft7,
	"draft2019-09": Draft2019, "2019-09": Draft2019, "draft2020-12": Draft2020, "2020-12": Draft2020,
}

// dialectOf returns the dialect of a $schema URI. An unknown URI, and "http://json-schema.org/schema", is the newest.
func dialectOf(uri string) (Dialect, bool) {
	uri = strings.TrimSuffix(strings.TrimSuffix(uri, "#"), "/")
	uri = strings.TrimPrefix(strings.TrimPrefix(uri, "https://"), "http://")
	switch uri {
	case "json-schema.org/draft-04/schema":
		return draft4, true
	case "json-schema.org/draft-06/schema":
		return draft6, true
	case "json-schema.org/draft-07/schema":
		return Draft7, true
	case "json-schema.org/draft/2019-09/schema":
		return Draft2019, true
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/schema":
		return Draft2020, true
	}
	return Draft2020, false
}

// Keyword is a keyword that restricts values. Any other is Other and ignored, as the specification says.
type Keyword uint8

// The keywords.
const (
	Other Keyword = iota // unknown keywords and annotations
	Type
	Enum
	Const
	Properties
	PatternProperties
	AdditionalProperties
	Required
	MinProperties
	MaxProperties
	PropertyNames
	Dependencies
	DependentRequired
	DependentSchemas
	Items
	PrefixItems
	AdditionalItems
	MinItems
	MaxItems
	UniqueItems
	Contains
	MinContains
	MaxContains
	MinLength
	MaxLength
	Pattern
	Format
	Minimum
	Maximum
	ExclusiveMinimum
	ExclusiveMaximum
	MultipleOf
	AllOf
	AnyOf
	OneOf
	Not
	If
	Then
	Else
	Ref
	DynamicRef
	RecursiveRef
	UnevaluatedProperties
	UnevaluatedItems
	keywordCount
)

// KeywordOf returns the keyword of a member in dialect d. Retired spellings (dependencies, additionalItems) keep their
// meaning in newer dialects, because real schemas mix them. Keywords of later dialects are unknown.
func KeywordOf(n *jsontext.Node, d Dialect) Keyword {
	k, since := lookup(n.Key)
	if d < since || k == Required && isBoolean(n) || (d == draft2019Bare || d == draft2020Bare) && isAssertion(k) {
		return Other
	}
	return k
}

func isAssertion(k Keyword) bool {
	switch k {
	case Type, Enum, Const, Required, MinProperties, MaxProperties, DependentRequired, MinItems, MaxItems, UniqueItems,
		MinContains, MaxContains, MinLength, MaxLength, Pattern, Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum,
		MultipleOf:
		return true
	}
	return false
}

func lookup(key string) (Keyword, Dialect) {
	switch key {
	case "type":
		return Type, draft4
	case "enum":
		return Enum, draft4
	case "properties":
		return Properties, draft4
	case "patternProperties":
		return PatternProperties, draft4
	case "additionalProperties":
		return AdditionalProperties, draft4
	case "required":
		return Required, draft4
	case "minProperties":
		return MinProperties, draft4
	case "maxProperties":
		return MaxProperties, draft4
	case "dependencies":
		return Dependencies, draft4
	case "items":
		return Items, draft4
	case "additionalItems":
		return AdditionalItems, draft4
	case "minItems":
		return MinItems, draft4
	case "maxItems":
		return MaxItems, draft4
	case "uniqueItems":
		return UniqueItems, draft4
	case "minLength":
		return MinLength, draft4
	case "maxLength":
		return MaxLength, draft4
	case "pattern":
		return Pattern, draft4
	case "format":
		return Format, draft4
	case "minimum":
		return Minimum, draft4
	case "maximum":
		return Maximum, draft4
	case "exclusiveMinimum":
		return ExclusiveMinimum, draft4
	case "exclusiveMaximum":
		return ExclusiveMaximum, draft4
	case "multipleOf":
		return MultipleOf, draft4
	case "allOf":
		return AllOf, draft4
	case "anyOf":
		return AnyOf, draft4
	case "oneOf":
		return OneOf, draft4
	case "not":
		return Not, draft4
	case "$ref":
		return Ref, draft4
	}
	return lookupYoung(key)
}

func lookupYoung(key string) (Keyword, Dialect) {
	switch key {
	case "const":
		return Const, draft6
	case "contains":
		return Contains, draft6
	case "propertyNames":
		return PropertyNames, draft6
	case "if":
		return If, Draft7
	case "then":
		return Then, Draft7
	case "else":
		return Else, Draft7
	case "minContains":
		return MinContains, Draft2019
	case "maxContains":
		return MaxContains, Draft2019
	case "dependentRequired":
		return DependentRequired, Draft2019
	case "dependentSchemas":
		return DependentSchemas, Draft2019
	case "unevaluatedProperties":
		return UnevaluatedProperties, Draft2019
	case "unevaluatedItems":
		return UnevaluatedItems, Draft2019
	case "$recursiveRef":
		return RecursiveRef, Draft2019
	case "prefixItems":
		return PrefixItems, Draft2020
	case "$dynamicRef":
		return DynamicRef, Draft2020
	}
	return Other, draft4
}
