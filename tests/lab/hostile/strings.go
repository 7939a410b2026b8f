package main

import "fmt"

var divisors = []int{
	7, 60, 1440, 3600, 9973, 65_536, 86_400, 999_983, 1_000_000, 982_451_653, 999_999_999_999_999_989,
}

// Strings, numbers and arrays: patterns that meet, lengths, divisors, distinct items.
var stringFamilies = []family{
	schemaFamily("patterns on one string", `"aB3!xyzq5"`, []int{4, 8, 16}, func(n int) string {
		classes := []string{
			"[A-Z]", "[a-z]", "[0-9]", "[!@#$%]", "[xyz]", "q", "[pP]", "[5-9]",
			"[aeiou]", "k", "[lm]", "w", "[BCD]", "[UV]", "8", "[.,]",
		}
		return `{"type": "string", "allOf": ` +
			`[` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"pattern": "%s"}`, classes[i])
		}) + `], "minLength": 8, "maxLength": 64}`
	}),
	schemaFamily("windows that meet", `"`+rep("aabababbbabaaabb", 8), []int{8, 13, 40}, func(n int) string {
		return fmt.Sprintf(`{"type": "string", "allOf": [{"pattern": "^[ab]*a[ab]{%d}$"}, {"pattern": `+
			`"^[ab]*b[ab]{%d}$"}]}`, n, n+1)
	}),
	schemaFamily("empty windows", `"k`, []int{8, 13}, func(n int) string {
		half := func(l, r string) string {
			return fmt.Sprintf("^(k(x[ab]*%s[ab]{%d}|y[cd]*%s[cd]{%d})|z)$", l, n, r,
				n)
		}
		return fmt.Sprintf(`{"type": "string", "allOf": [{"pattern": %q}, {"pattern": %q}]}`, half("a", "c"),
			half("b", "d"))
	}),
	schemaFamily("a window that must not be", `"`+rep("aabababbbabaaabb", 8), []int{12, 40, 400}, func(n int) string {
		return fmt.Sprintf(`{"type": "string", "not": {"pattern": "a[ab]{%d}$"}}`, n)
	}),
	schemaFamily("windows that must not be", `"`+rep("abcdefghijklacebdfhgjikl", 6), []int{3, 12}, func(n int) string {
		return `{"type": "string", "allOf": ` +
			`[` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"not": {"pattern": "%c[a-l]{%d}$"}}`, 'a'+i, 10+i)
		}) + "]}"
	}),
	schemaFamily("properties with windows", `{"p0": "aab`, []int{40}, func(n int) string {
		return `{"type": "object", "properties": {` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`"p%d": {"type": "string", "allOf": [{"pattern": "^[ab]*a[ab]{14}x%d$"}, {"pattern": `+
				`"^[ab]*b[ab]{14}x%d$"}]}`, i, i, i)
		}) + "}}"
	}),
	schemaFamily("long strings", `"`+rep("ab ", 60), []int{1_000_000, 1_000_000_000}, func(n int) string {
		return fmt.Sprintf(`{"type": "string", "minLength": %d, "maxLength": %d}`, n, n+5)
	}),
	schemaFamily("long strings with a pattern", `"`+rep("ab ", 60), []int{300, 30_000}, func(n int) string {
		return fmt.Sprintf(`{"type": "string", "minLength": %d, "maxLength": %d, "pattern": "^([a-z]+ `+
			`){3,%d}$"}`, n/2, n, n/4)
	}),
	schemaFamily("look-aheads and lengths", `"aB3`+rep("xy", 30), []int{4, 9}, func(n int) string {
		return `{"type": "string", "pattern": ` +
			`"^` + list(n, "", func(i int) string {
			return fmt.Sprintf("(?=.*[%c%c])", 'a'+i, 'A'+i)
		}) + `(?!.*(aa|bb))[A-Za-z\\d]{8,64}$"}`
	}),
	schemaFamily("formats that meet", `"someone@example.com"`, one, constant(`{"type": "string", "allOf": [{"format": `+
		`"email"}, {"format": "idn-email"}, {"pattern": "^[a-z.@]+$"}, {"not": {"format": "uri"}}]}`)),
	schemaFamily("idn-hostname and a pattern", `"bücher.example"`, one, constant(`{"type": "string", "format": `+
		`"idn-hostname", "pattern": "^.{3,40}\\.example$", "maxLength": 60}`)),
	schemaFamily("not a hostname", `"bücher.example"`, one, constant(`{"type": "string", "not": {"format": `+
		`"idn-hostname"}, "maxLength": 60}`)),
	schemaFamily("iri", `"https://example.com/ü?x=1"`, one, constant(`{"type": "string", "format": "iri", "pattern": `+
		`"^https://", "maxLength": 2000}`)),
	schemaFamily("multipleOf", "98765432109876543210", divisors, func(n int) string {
		return fmt.Sprintf(`{"type": "integer", "multipleOf": %d}`, n)
	}),
	schemaFamily("multipleOf with bounds", "86400", []int{60, 1440, 9973}, func(n int) string {
		return fmt.Sprintf(`{"type": "integer", "multipleOf": %d, "minimum": 0, "maximum": 1000000000000}`, n)
	}),
	schemaFamily("multipleOf of fractions", "12345678901234567890.12345678901234567", one, constant(
		`{"type": "number", "multipleOf": 0.000000982451653}`,
	)),
	schemaFamily("multipleOf 0.001 with bounds", "12345.678", one, constant(`{"type": "number", "multipleOf": 0.001, `+
		`"minimum": 0.5, "maximum": 99999.5}`)),
	schemaFamily("multipleOf in another", "12345678901234", one, constant(`{"type": "integer", "allOf": `+
		`[{"multipleOf": 9973}, {"multipleOf": 1440}]}`)),
	schemaFamily("not multipleOf", "12345678901234567890123456789.123", one, constant(
		`{"type": "number", "allOf": [{"not": {"multipleOf": 9973}}, {"not": {"multipleOf": 9967}}, {"not": `+
			`{"multipleOf": 9949}}, {"not": {"multipleOf": 9941}}, {"multipleOf": 0.001}]}`,
	)),
	schemaFamily("multipleOf of too many digits", "1", one, constant(`{"multipleOf": 99999999999999999989}`)),
	schemaFamily("bounds of many digits", rep("1", 100), []int{50, 1000, 100_000}, func(n int) string {
		return `{"type": "number", "minimum": 1` + rep("0", n) + `, "maximum": ` + rep("9", n+1) + "}"
	}),
	schemaFamily("bounds with exponents", "1e400", one, constant(`{"type": "number", "minimum": 1e-400, "maximum": `+
		`1e400}`)),
	schemaFamily("bounds with huge exponents", "1", one, constant(`{"type": "number", "maximum": 1e999999999}`)),
	schemaFamily("ranges that are excluded", "123456", []int{20, 200}, func(n int) string {
		return `{"type": "integer", "allOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"not": {"minimum": %d, "maximum": %d}}`, i*1000, i*1000+500)
		}) + "]}"
	}),
	schemaFamily("counted items", rep("[1, ", 30), []int{1000, 1_000_000}, func(n int) string {
		return fmt.Sprintf(`{"type": "array", "items": {"type": ["integer", "array"]}, "minItems": %d, "maxItems": `+
			`%d}`, n, 2*n)
	}),
	schemaFamily("tuples", "[1, 2, 3, 4, 5", []int{1000, 30_000}, func(n int) string {
		return `{"type": "array", "prefixItems": [` + list(n, ", ", constant(`{"type": "integer"}`)) +
			`], "items": false}`
	}),
	schemaFamily("uniqueItems", `["a", "b", 1, 2, {"x": 1}, [3]]`, one, constant(`{"type": "array", "uniqueItems": `+
		`true, "minItems": 3}`)),
	schemaFamily("uniqueItems of an enum", `[1, 2, 3, 4, 5`, []int{10, 1000}, func(n int) string {
		return fmt.Sprintf(`{"type": "array", "uniqueItems": true, "minItems": %d, "items": {"enum": `+
			`[%s]}}`, n/2, list(n, ", ", func(i int) string { return fmt.Sprint(i) }))
	}),
	schemaFamily("uniqueItems of equal values", `["a", 1, true, null`, one, constant(
		`{"type": "array", "uniqueItems": true, "minItems": 2, "items": {"anyOf": [{"enum": ["a", "b", 1, 1.0, `+
			`null]}, `+
			`{"type": "boolean"}]}}`,
	)),
	schemaFamily("uniqueItems in uniqueItems", "[[[1, 2], [3]], [[4]]]", []int{3, 12}, func(n int) string {
		return rep(`{"type": "array", "uniqueItems": true, "items": `, n) + `{"type": "integer"}` + rep("}", n)
	}),
	schemaFamily("contains", "[1, \"a\", 2]", []int{3, 12}, func(n int) string {
		return `{"type": "array", "allOf": [` + list(n, ", ", func(i int) string {
			return fmt.Sprintf(`{"contains": {"type": "integer", "minimum": %d}, "minContains": %d}`, i, i+1)
		}) + "]}"
	}),
	schemaFamily("contains in contains", "[[[1]]]", []int{3, 12, 70}, func(n int) string {
		return rep(`{"type": "array", "contains": `, n) + `{"type": "integer"}` + rep("}", n)
	}),
}
