package regex

import (
	"strings"
	"unicode"
)

// derivedProperties are the binary properties that Unicode derives from categories and the Other_* lists.
var derivedProperties = map[string][]string{
	"alphabetic": {"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Other_Alphabetic"},
	"uppercase":  {"Lu", "Other_Uppercase"},
	"lowercase":  {"Ll", "Other_Lowercase"},
	"math":       {"Sm", "Other_Math"},
	"idstart":    {"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Other_ID_Start"},
	"idcontinue": {"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Other_ID_Start", "Mn", "Mc", "Nd", "Pc", "Other_ID_Continue"},
}

var propertyAliases = map[string]string{
	"alpha": "alphabetic", "upper": "uppercase", "lower": "lowercase", "ids": "idstart", "idc": "idcontinue",
	"space": "whitespace", "wspace": "whitespace", "hex": "hexdigit", "ahex": "asciihexdigit", "ideo": "ideographic",
}

// property returns the class that the text inside \p{…} names.
func property(name string) ([]rune, bool) {
	key, value, assigned := strings.Cut(name, "=")
	if !assigned {
		key, value, assigned = strings.Cut(name, ":")
	}
	if assigned {
		switch loose(key) {
		case "gc", "generalcategory":
			return category(value)
		case "sc", "script":
			return script(value)
		}
		return nil, false
	}
	if r, ok := category(name); ok {
		return r, true
	}
	if r, ok := script(name); ok {
		return r, true
	}
	return binaryProperty(loose(name))
}

// loose brings a name into the form of Unicode's loose matching: case, spaces, hyphens and underscores do not count.
func loose(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

func category(name string) ([]rune, bool) {
	if name == "L&" { // PCRE's name for cased letters
		name = "LC"
	}
	if t, ok := unicode.Categories[name]; ok {
		return tableRanges(t), true
	}
	want := loose(name)
	for n, short := range unicode.CategoryAliases { // at most one name matches, so the order is of no account
		if loose(n) == want {
			return tableRanges(unicode.Categories[short]), true
		}
	}
	return nil, false
}

func script(name string) ([]rune, bool) {
	if t, ok := unicode.Scripts[name]; ok {
		return tableRanges(t), true
	}
	want := loose(name)
	if long, ok := shortScripts[want]; ok {
		want = long
	}
	for n, t := range unicode.Scripts { // at most one name matches, so the order is of no account
		if loose(n) == want {
			return tableRanges(t), true
		}
	}
	return nil, false
}

// shortScripts are the four-letter codes of the scripts that patterns from practice name.
var shortScripts = map[string]string{
	"arab": "arabic", "armn": "armenian", "beng": "bengali", "bopo": "bopomofo", "cyrl": "cyrillic", "deva": "devanagari",
	"ethi": "ethiopic", "geor": "georgian", "grek": "greek", "gujr": "gujarati", "guru": "gurmukhi", "hang": "hangul",
	"hani": "han", "hebr": "hebrew", "hira": "hiragana", "kana": "katakana", "khmr": "khmer", "knda": "kannada",
	"laoo": "lao", "latn": "latin", "mlym": "malayalam", "mong": "mongolian", "mymr": "myanmar", "orya": "oriya",
	"sinh": "sinhala", "taml": "tamil", "telu": "telugu", "thai": "thai", "tibt": "tibetan", "zyyy": "common",
	"zinh": "inherited", "qaai": "inherited",
}

func binaryProperty(name string) ([]rune, bool) {
	if long, ok := propertyAliases[name]; ok {
		name = long
	}
	switch name {
	case "any":
		return anyRanges, true
	case "ascii":
		return []rune{0, 127}, true
	case "assigned":
		return negate(tableRanges(unicode.Cn)), true
	}
	if parts, ok := derivedProperties[name]; ok {
		var all [][]rune
		for _, p := range parts {
			t := unicode.Categories[p]
			if t == nil {
				t = unicode.Properties[p]
			}
			all = append(all, tableRanges(t))
		}
		r := union(all...)
		if name == "idstart" || name == "idcontinue" {
			out := union(tableRanges(unicode.Pattern_Syntax), tableRanges(unicode.Pattern_White_Space))
			r = intersect(r, negate(out))
		}
		return r, true
	}
	for n, t := range unicode.Properties { // at most one name matches, so the order is of no account
		if !strings.HasPrefix(n, "Other_") && loose(n) == name {
			return tableRanges(t), true
		}
	}
	return nil, false
}

func tableRanges(t *unicode.RangeTable) []rune {
	out := make([]rune, 0, 2*(len(t.R16)+len(t.R32)))
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = append(out, lo, hi)
			return
		}
		for c := lo; c <= hi; c += stride {
			out = append(out, c, c)
		}
	}
	for _, r := range t.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return normalize(out)
}
