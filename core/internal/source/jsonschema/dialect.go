package jsonschema

import "strings"

// dialect is a published version of JSON Schema.
type dialect uint8

const (
	draft4 dialect = iota
	draft6
	draft7
	draft2019
	draft2019Bare // without the vocabulary of assertions
	draft2020
	draft2020Bare
)

// age counts the dialects before d; it is d's index in Dialects.
func (d dialect) age() int { return int([...]uint8{0, 1, 2, 3, 3, 4, 4}[d]) }

// bare returns the dialect without the vocabulary of assertions.
func (d dialect) bare() dialect {
	if d == draft2019 || d == draft2020 {
		return d + 1
	}
	return d
}

var dialectNames = map[string]dialect{
	"draft4": draft4, "draft-04": draft4, "draft6": draft6, "draft-06": draft6, "draft7": draft7, "draft-07": draft7,
	"draft2019-09": draft2019, "2019-09": draft2019, "draft2020-12": draft2020, "2020-12": draft2020,
}

// dialectOf reads a $schema URI. Anything unknown, and the undated "http://json-schema.org/schema", is the newest.
func dialectOf(uri string) (dialect, bool) {
	uri = strings.TrimSuffix(strings.TrimSuffix(uri, "#"), "/")
	uri = strings.TrimPrefix(strings.TrimPrefix(uri, "https://"), "http://")
	switch uri {
	case "json-schema.org/draft-04/schema":
		return draft4, true
	case "json-schema.org/draft-06/schema":
		return draft6, true
	case "json-schema.org/draft-07/schema":
		return draft7, true
	case "json-schema.org/draft/2019-09/schema":
		return draft2019, true
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/schema":
		return draft2020, true
	}
	return draft2020, false
}

// keyword is a keyword with a meaning here; everything else is kwOther and ignored, as the specification demands.
type keyword uint8

const (
	kwOther keyword = iota // unknown keywords and annotations
	kwType
	kwEnum
	kwConst
	kwProperties
	kwPatternProperties
	kwAdditionalProperties
	kwRequired
	kwMinProperties
	kwMaxProperties
	kwPropertyNames
	kwDependencies
	kwDependentRequired
	kwDependentSchemas
	kwItems
	kwPrefixItems
	kwAdditionalItems
	kwMinItems
	kwMaxItems
	kwUniqueItems
	kwContains
	kwMinContains
	kwMaxContains
	kwMinLength
	kwMaxLength
	kwPattern
	kwFormat
	kwMinimum
	kwMaximum
	kwExclusiveMinimum
	kwExclusiveMaximum
	kwMultipleOf
	kwAllOf
	kwAnyOf
	kwOneOf
	kwNot
	kwIf
	kwThen
	kwElse
	kwRef
	kwDynamicRef
	kwRecursiveRef
	kwUnevaluatedProperties
	kwUnevaluatedItems
)

// keywordOf returns what key means in dialect d. Spellings that a newer dialect has retired (dependencies,
// additionalItems) keep their meaning in it: schemas in the field mix them, and nobody writes them to be ignored. A
// keyword that is younger than the dialect is unknown to it and ignored.
func keywordOf(key string, d dialect) keyword {
	k, since := lookup(key)
	if d < since || (d == draft2019Bare || d == draft2020Bare) && isAssertion(k) {
		return kwOther
	}
	return k
}

// isAssertion says whether a keyword is of the vocabulary "validation".
func isAssertion(k keyword) bool {
	switch k {
	case kwType, kwEnum, kwConst, kwRequired, kwMinProperties, kwMaxProperties, kwDependentRequired, kwMinItems, kwMaxItems, kwUniqueItems,
		kwMinContains, kwMaxContains, kwMinLength, kwMaxLength, kwPattern, kwMinimum, kwMaximum, kwExclusiveMinimum, kwExclusiveMaximum, kwMultipleOf:
		return true
	}
	return false
}

func lookup(key string) (keyword, dialect) {
	switch key {
	case "type":
		return kwType, draft4
	case "enum":
		return kwEnum, draft4
	case "properties":
		return kwProperties, draft4
	case "patternProperties":
		return kwPatternProperties, draft4
	case "additionalProperties":
		return kwAdditionalProperties, draft4
	case "required":
		return kwRequired, draft4
	case "minProperties":
		return kwMinProperties, draft4
	case "maxProperties":
		return kwMaxProperties, draft4
	case "dependencies":
		return kwDependencies, draft4
	case "items":
		return kwItems, draft4
	case "additionalItems":
		return kwAdditionalItems, draft4
	case "minItems":
		return kwMinItems, draft4
	case "maxItems":
		return kwMaxItems, draft4
	case "uniqueItems":
		return kwUniqueItems, draft4
	case "minLength":
		return kwMinLength, draft4
	case "maxLength":
		return kwMaxLength, draft4
	case "pattern":
		return kwPattern, draft4
	case "format":
		return kwFormat, draft4
	case "minimum":
		return kwMinimum, draft4
	case "maximum":
		return kwMaximum, draft4
	case "exclusiveMinimum":
		return kwExclusiveMinimum, draft4
	case "exclusiveMaximum":
		return kwExclusiveMaximum, draft4
	case "multipleOf":
		return kwMultipleOf, draft4
	case "allOf":
		return kwAllOf, draft4
	case "anyOf":
		return kwAnyOf, draft4
	case "oneOf":
		return kwOneOf, draft4
	case "not":
		return kwNot, draft4
	case "$ref":
		return kwRef, draft4
	}
	return lookupYoung(key)
}

// lookupYoung knows the keywords that draft-04 does not have.
func lookupYoung(key string) (keyword, dialect) {
	switch key {
	case "const":
		return kwConst, draft6
	case "contains":
		return kwContains, draft6
	case "propertyNames":
		return kwPropertyNames, draft6
	case "if":
		return kwIf, draft7
	case "then":
		return kwThen, draft7
	case "else":
		return kwElse, draft7
	case "minContains":
		return kwMinContains, draft2019
	case "maxContains":
		return kwMaxContains, draft2019
	case "dependentRequired":
		return kwDependentRequired, draft2019
	case "dependentSchemas":
		return kwDependentSchemas, draft2019
	case "unevaluatedProperties":
		return kwUnevaluatedProperties, draft2019
	case "unevaluatedItems":
		return kwUnevaluatedItems, draft2019
	case "$recursiveRef":
		return kwRecursiveRef, draft2019
	case "prefixItems":
		return kwPrefixItems, draft2020
	case "$dynamicRef":
		return kwDynamicRef, draft2020
	}
	return kwOther, draft4
}
