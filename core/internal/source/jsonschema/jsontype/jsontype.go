// Package jsontype holds sets of JSON types.
//
// Invariant: integral and other numbers are two types, so that "integer", "number" and "number but not integer" are
// sets like any other. Start reading at Set.
package jsontype

import (
	"math/bits"
	"strings"
)

// Set is a set of JSON types.
type Set uint8

// The types, and common unions of them.
const (
	Null Set = 1 << iota
	Bool
	Integer
	Fraction // numbers without an integral value
	String
	Array
	Object

	Number  = Integer | Fraction
	All     = Null | Bool | Number | String | Array | Object
	Scalars = Null | Bool | Number | String
)

// ByName returns the type with a schema's name, or no type.
func ByName(name string) Set {
	switch name {
	case "object":
		return Object
	case "string":
		return String
	case "array":
		return Array
	case "integer":
		return Integer
	case "number":
		return Number
	case "boolean":
		return Bool
	case "null":
		return Null
	case "any":
		return All
	}
	return 0
}

// String lists the types as a schema would.
func (m Set) String() string {
	if m == 0 {
		return "no type"
	}
	var names []string
	for m != 0 {
		bit := Set(1) << bits.TrailingZeros8(uint8(m))
		name := ""
		switch bit {
		case Null:
			name = "null"
		case Bool:
			name = "boolean"
		case Integer:
			name = "integer"
			if m&Fraction != 0 {
				name, m = "number", m&^Fraction
			}
		case Fraction:
			name = "non-integral number"
		case String:
			name = "string"
		case Array:
			name = "array"
		case Object:
			name = "object"
		}
		names = append(names, name)
		m &^= bit
	}
	return strings.Join(names, ", ")
}
