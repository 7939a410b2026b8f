package jsonschema

import (
	"math/bits"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// typeMask is a set of JSON types. Numbers are two of them, the integral ones and the rest, so that "integer" and
// "number but not integer" are sets like any other.
type typeMask uint8

const (
	tNull typeMask = 1 << iota
	tBool
	tInteger
	tFraction // numbers without an integral value
	tString
	tArray
	tObject

	tNumber  = tInteger | tFraction
	tAll     = tNull | tBool | tNumber | tString | tArray | tObject
	tScalars = tNull | tBool | tNumber | tString
)

func typeByName(name string) typeMask {
	switch name {
	case "object":
		return tObject
	case "string":
		return tString
	case "array":
		return tArray
	case "integer":
		return tInteger
	case "number":
		return tNumber
	case "boolean":
		return tBool
	case "null":
		return tNull
	case "any":
		return tAll
	}
	return 0
}

// String lists the types as a schema would.
func (m typeMask) String() string {
	if m == 0 {
		return "no type"
	}
	var names []string
	for m != 0 {
		bit := typeMask(1) << bits.TrailingZeros8(uint8(m))
		name := ""
		switch bit {
		case tNull:
			name = "null"
		case tBool:
			name = "boolean"
		case tInteger:
			name = "integer"
			if m&tFraction != 0 {
				name, m = "number", m&^tFraction
			}
		case tFraction:
			name = "non-integral number"
		case tString:
			name = "string"
		case tArray:
			name = "array"
		case tObject:
			name = "object"
		}
		names = append(names, name)
		m &^= bit
	}
	return strings.Join(names, ", ")
}

// typeOf returns the type of a value.
func (p *planner) typeOf(v jsontext.ID) typeMask {
	n := p.tree.Node(v)
	switch n.Kind {
	case jsontext.Null:
		return tNull
	case jsontext.True, jsontext.False:
		return tBool
	case jsontext.Number:
		if d, ok := parseDecimal(n.Text); ok && !d.isInteger() {
			return tFraction
		}
		return tInteger
	case jsontext.String:
		return tString
	case jsontext.Array:
		return tArray
	}
	return tObject
}
