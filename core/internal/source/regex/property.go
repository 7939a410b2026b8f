package regex

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"
)

// derivation is how a binary property follows from categories, from the lists of PropList.txt, and from other
// properties.
type derivation struct {
	of, without []string
	also, never []rune // characters that the rule names one by one
}

// derivedProperties are the binary properties that Unicode derives (DerivedCoreProperties.txt has the rules).
var derivedProperties = map[string]derivation{
	"alphabetic": {of: []string{"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Other_Alphabetic"}},
	"uppercase":  {of: []string{"Lu", "Other_Uppercase"}},
	"lowercase":  {of: []string{"Ll", "Other_Lowercase"}},
	"cased":      {of: []string{"Lu", "Ll", "Lt", "Other_Uppercase", "Other_Lowercase"}},
	"caseignorable": {
		of: []string{"Mn", "Me", "Cf", "Lm", "Sk"},
		// What stands in the middle of words: Word_Break is MidLetter, MidNumLet or Single_Quote.
		also: []rune{
			'\'', '\'', '.', '.', ':', ':', 0xB7, 0xB7, 0x387, 0x387, 0x55F, 0x55F, 0x5F4, 0x5F4, 0x2018, 0x2019, 0x2024, 0x2024,
			0x2027, 0x2027, 0xFE13, 0xFE13, 0xFE52, 0xFE52, 0xFE55, 0xFE55, 0xFF07, 0xFF07, 0xFF0E, 0xFF0E, 0xFF1A, 0xFF1A,
		},
	},
	"math":       {of: []string{"Sm", "Other_Math"}},
	"idstart":    {of: idStart, without: patterned},
	"idcontinue": {of: idContinue, without: patterned},
	"xidstart": {
		of: idStart, without: patterned,
		never: charclass.Union([]rune{0xE33, 0xE33, 0xEB3, 0xEB3, 0xFF9E, 0xFF9F}, notClosed),
	},
	"xidcontinue":    {of: idContinue, without: patterned, never: notClosed},
	"graphemeextend": {of: graphemeExtend},
	"graphemebase": {
		of: []string{"L", "N", "P", "S", "Zs", "Mc"}, without: graphemeExtend,
	},
	"defaultignorablecodepoint": {
		of:      []string{"Other_Default_Ignorable_Code_Point", "Cf", "Variation_Selector"},
		without: []string{"White_Space", "Prepended_Concatenation_Mark"},
		// interlinear annotations, Egyptian hieroglyph format controls
		never: []rune{0xFFF9, 0xFFFB, 0x13430, 0x13440},
	},
}

var (
	idStart        = []string{"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Other_ID_Start"}
	idContinue     = append([]string{"Mn", "Mc", "Nd", "Pc", "Other_ID_Continue"}, idStart...)
	patterned      = []string{"Pattern_Syntax", "Pattern_White_Space"}
	graphemeExtend = []string{"Mn", "Me", "Other_Grapheme_Extend"}
	// notClosed are characters of identifiers whose compatible forms (NFKC) are none: UAX #31, 5.1.
	notClosed = []rune{
		0x37A, 0x37A, 0x309B, 0x309C, 0xFC5E, 0xFC63, 0xFDFA, 0xFDFB, 0xFE70, 0xFE70, 0xFE72, 0xFE72,
		0xFE74, 0xFE74, 0xFE76, 0xFE76, 0xFE78, 0xFE78, 0xFE7A, 0xFE7A, 0xFE7C, 0xFE7C, 0xFE7E, 0xFE7E,
	}
)

var propertyAliases = map[string]string{
	"alpha": "alphabetic", "upper": "uppercase", "lower": "lowercase", "ci": "caseignorable",
	"ids": "idstart", "idc": "idcontinue", "xids": "xidstart", "xidc": "xidcontinue",
	"space": "whitespace", "wspace": "whitespace", "hex": "hexdigit", "ahex": "asciihexdigit", "ideo": "ideographic",
	"uideo": "unifiedideograph", "idsb": "idsbinaryoperator", "idst": "idstrinaryoperator", "radical": "radical",
	"grbase": "graphemebase", "grext": "graphemeextend", "di": "defaultignorablecodepoint",
	"bidic": "bidicontrol", "bidim": "bidimirrored", "joinc": "joincontrol", "vs": "variationselector",
	"dep": "deprecated", "dia": "diacritic", "ext": "extender", "loe": "logicalorderexception",
	"nchar": "noncharactercodepoint", "patsyn": "patternsyntax", "patws": "patternwhitespace",
	"qmark": "quotationmark", "ri": "regionalindicator", "sd": "softdotted", "term": "terminalpunctuation",
	"ecomp": "emojicomponent", "emod": "emojimodifier", "ebase": "emojimodifierbase", "epres": "emojipresentation",
	"extpict": "extendedpictographic",
}

// rangeWork is for how many ends of ranges of a class reading it counts 1: they are copied, and joined with others.
const rangeWork = 4

// property returns the class that the text inside \p{…} names, which the caller may change.
func (p *parser) property(name string) ([]rune, bool) {
	r, ok := p.properties[name]
	if !ok {
		if r, ok = property(name); !ok {
			return nil, false
		}
		if p.properties == nil {
			p.properties = map[string][]rune{}
		}
		p.properties[name] = r
	}
	p.work.Spend(len(r) / rangeWork)
	return slices.Clone(r), true
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
		case "scx", "scriptextensions":
			return usedWith(value)
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

var ignored = strings.NewReplacer("_", "", "-", "", " ", "")

// loose brings a name into the form of Unicode's loose matching: case, spaces, hyphens and underscores do not count.
func loose(name string) string {
	return strings.ToLower(ignored.Replace(name))
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
	t, ok := unicode.Scripts[scriptName(name)]
	if !ok {
		return nil, false
	}
	return tableRanges(t), true
}

// scriptName returns Unicode's long name of a script, or nothing.
func scriptName(name string) string {
	if _, ok := unicode.Scripts[name]; ok {
		return name
	}
	want := loose(name)
	if long, ok := shortScripts[want]; ok {
		want = long
	}
	for n := range unicode.Scripts { // at most one name matches, so the order is of no account
		if loose(n) == want {
			return n
		}
	}
	return ""
}

// scriptExtension is a range of characters and the scripts that use them, by their long names.
type scriptExtension struct {
	from, to rune
	scripts  string
}

// usedWith returns the characters that are used with a script: those that belong to it alone, and those that it shares.
func usedWith(name string) ([]rune, bool) {
	own, ok := script(name)
	if !ok {
		return nil, false
	}
	var listed, shared []rune
	long := scriptName(name)
	for _, x := range scriptExtensions {
		listed = append(listed, x.from, x.to)
		if slices.Contains(strings.Fields(x.scripts), long) {
			shared = append(shared, x.from, x.to)
		}
	}
	return charclass.Union(charclass.Intersect(own, charclass.Complement(charclass.Normalize(listed))), shared), true
}

// shortScripts are the four-letter codes of scripts (PropertyValueAliases.txt).
var shortScripts = map[string]string{
	"adlm": "adlam", "aghb": "caucasianalbanian", "arab": "arabic", "armi": "imperialaramaic", "armn": "armenian",
	"avst": "avestan", "bali": "balinese", "bamu": "bamum", "bass": "bassavah", "batk": "batak", "beng": "bengali",
	"bhks": "bhaiksuki", "bopo": "bopomofo", "brah": "brahmi", "brai": "braille", "bugi": "buginese",
	"buhd": "buhid", "cakm": "chakma", "cans": "canadianaboriginal", "cari": "carian", "cher": "cherokee",
	"chrs": "chorasmian", "copt": "coptic", "cpmn": "cyprominoan", "cprt": "cypriot", "cyrl": "cyrillic",
	"deva": "devanagari", "diak": "divesakuru", "dogr": "dogra", "dsrt": "deseret", "dupl": "duployan",
	"egyp": "egyptianhieroglyphs", "elba": "elbasan", "elym": "elymaic", "ethi": "ethiopic", "geor": "georgian",
	"glag": "glagolitic", "gong": "gunjalagondi", "gonm": "masaramgondi", "goth": "gothic", "gran": "grantha",
	"grek": "greek", "gujr": "gujarati", "guru": "gurmukhi", "hang": "hangul", "hani": "han", "hano": "hanunoo",
	"hatr": "hatran", "hebr": "hebrew", "hira": "hiragana", "hluw": "anatolianhieroglyphs", "hmng": "pahawhhmong",
	"hmnp": "nyiakengpuachuehmong", "hung": "oldhungarian", "ital": "olditalic", "java": "javanese",
	"kali": "kayahli", "kana": "katakana", "khar": "kharoshthi", "khmr": "khmer", "khoj": "khojki",
	"kits": "khitansmallscript", "knda": "kannada", "kthi": "kaithi", "lana": "taitham", "laoo": "lao",
	"latn": "latin", "lepc": "lepcha", "limb": "limbu", "lina": "lineara", "linb": "linearb", "lyci": "lycian",
	"lydi": "lydian", "mahj": "mahajani", "maka": "makasar", "mand": "mandaic", "mani": "manichaean",
	"marc": "marchen", "medf": "medefaidrin", "mend": "mendekikakui", "merc": "meroiticcursive",
	"mero": "meroitichieroglyphs", "mlym": "malayalam", "mong": "mongolian", "mroo": "mro", "mtei": "meeteimayek",
	"mult": "multani", "mymr": "myanmar", "nagm": "nagmundari", "nand": "nandinagari", "narb": "oldnortharabian",
	"nbat": "nabataean", "nkoo": "nko", "nshu": "nushu", "ogam": "ogham", "olck": "olchiki", "orkh": "oldturkic",
	"orya": "oriya", "osge": "osage", "osma": "osmanya", "ougr": "olduyghur", "palm": "palmyrene",
	"pauc": "paucinhau", "perm": "oldpermic", "phag": "phagspa", "phli": "inscriptionalpahlavi",
	"phlp": "psalterpahlavi", "phnx": "phoenician", "plrd": "miao", "prti": "inscriptionalparthian",
	"qaac": "coptic", "qaai": "inherited", "rjng": "rejang", "rohg": "hanifirohingya", "runr": "runic",
	"samr": "samaritan", "sarb": "oldsoutharabian", "saur": "saurashtra", "sgnw": "signwriting", "shaw": "shavian",
	"shrd": "sharada", "sidd": "siddham", "sind": "khudawadi", "sinh": "sinhala", "sogd": "sogdian",
	"sogo": "oldsogdian", "sora": "sorasompeng", "soyo": "soyombo", "sund": "sundanese", "sylo": "sylotinagri",
	"syrc": "syriac", "tagb": "tagbanwa", "takr": "takri", "tale": "taile", "talu": "newtailue", "taml": "tamil",
	"tang": "tangut", "tavt": "taiviet", "telu": "telugu", "tfng": "tifinagh", "tglg": "tagalog", "thaa": "thaana",
	"tibt": "tibetan", "tirh": "tirhuta", "tnsa": "tangsa", "ugar": "ugaritic", "vaii": "vai", "vith": "vithkuqi",
	"wara": "warangciti", "wcho": "wancho", "xpeo": "oldpersian", "xsux": "cuneiform", "yezi": "yezidi",
	"yiii": "yi", "zanb": "zanabazarsquare", "zinh": "inherited", "zyyy": "common",
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
		return charclass.Complement(tableRanges(unicode.Cn)), true
	}
	if d, ok := derivedProperties[name]; ok {
		return charclass.Intersect(charclass.Union(tables(d.of), d.also),
			charclass.Complement(charclass.Union(tables(d.without), d.never))), true
	}
	if r, ok := binaryTables[name]; ok {
		return slices.Clone(r), true
	}
	for n, t := range unicode.Properties { // at most one name matches, so the order is of no account
		if !strings.HasPrefix(n, "Other_") && loose(n) == name {
			return tableRanges(t), true
		}
	}
	return nil, false
}

// tables returns the characters of categories and lists of Go's tables.
func tables(names []string) []rune {
	var all [][]rune
	for _, n := range names {
		t := unicode.Categories[n]
		if t == nil {
			t = unicode.Properties[n]
		}
		all = append(all, tableRanges(t))
	}
	return charclass.Union(all...)
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
	return charclass.Normalize(out)
}
