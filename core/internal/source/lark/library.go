package lark

import (
	"maps"
	"slices"
	"strings"
)

// The patterns of the library common, by name. Comments and strings end at their first possible end.
const (
	digits   = `[0-9]+`
	exponent = `[eE][+-]?[0-9]+`
	decimal  = `(?:[0-9]+\.[0-9]*|\.[0-9]+)`
	float    = `(?:[0-9]+` + exponent + `|` + decimal + `(?:` + exponent + `)?)`
	numeral  = `(?:` + float + `|` + digits + `)`
)

var common = map[string]string{
	"DIGIT": `[0-9]`, "HEXDIGIT": `[0-9a-fA-F]`,
	"INT": digits, "SIGNED_INT": `[+-]?` + digits, "DECIMAL": decimal, "_EXP": exponent,
	"FLOAT": float, "SIGNED_FLOAT": `[+-]?` + float, "NUMBER": numeral, "SIGNED_NUMBER": `[+-]?` + numeral,
	"ESCAPED_STRING": `"(?:[^"\\\n]|\\[^\n])*"`,
	"LCASE_LETTER":   `[a-z]`, "UCASE_LETTER": `[A-Z]`, "LETTER": `[a-zA-Z]`, "WORD": `[a-zA-Z]+`,
	"CNAME":     `[a-zA-Z_][a-zA-Z0-9_]*`,
	"WS_INLINE": `[ \t]+`, "WS": `[ \t\f\r\n]+`, "CR": `\r`, "LF": `\n`, "NEWLINE": `(?:\r?\n)+`,
	"SH_COMMENT": `#[^\n]*`, "CPP_COMMENT": `//[^\n]*`, "SQL_COMMENT": `--[^\n]*`,
	"C_COMMENT": `/\*(?:[^*]|\*+[^*/])*\*+/`,
}

func commonNames() string { return strings.Join(slices.Sorted(maps.Keys(common)), ", ") }
