// Package style holds the styles in which models write the arguments of calls: members in tags, literals of Python, or
// brackets.
//
// Invariant: a style is a row of a table, and no other package knows its name. No value contains the text that ends it,
// so every reader finds the same end. The package knows no schemas. Start reading at Style.
package style

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
)

// Style describes how members are opened, named and closed, and the form of a value of each type. Immutable.
type Style struct {
	Name string
	Open string // before the name of a member
	// Named ends the name. Value follows it, after any whitespace, and precedes the form.
	Named, Value string
	Forms        []Form // disjoint by type; together they have all types
	Stop         string // ends a value
	// Between is the whitespace that templates write between members, Around that around values other than strings.
	// With Blank, they write Between also in arguments without members.
	Between, Around string
	Blank           bool
	// Close and Closed surround the repeated name after Stop. Both empty: no name is repeated.
	Close, Closed string
	Item          string // before the form of an item; empty: arrays are JSON
	ItemClose     string // after the Stop of an item
	Comma         string // between members, if no tag separates them
	// Python: names are identifiers and values literals of Python.
	Python bool
	// Brackets: arrays and objects stand in brackets, only texts have a Stop, and no whitespace stands between tokens.
	// Names consist of letters, digits, underscores and the characters of Also.
	Brackets bool
	Also     string
	// Names contain none of the characters of Never. Escapes replaces the characters of Escaped.
	Never   string
	Escapes *strings.Replacer
	Escaped string
	// Lines: readers remove one line end at each edge of a string.
	Lines bool
	// Capitals: in tags, readers take True and False for booleans. Templates print them, but grammars do not write them.
	Capitals bool
	roots    jsontype.Set // types of the outermost value; 0: object, or string alone in its tag
}

// Form describes how values of some types are written: Open, and then the value in a manner.
type Form struct {
	Types jsontype.Set
	Open  string
	How   Manner
}

// Manner is the notation of a value.
type Manner uint8

// The manners.
const (
	AsJSON    Manner = iota
	AsText           // a string without quotes and escapes
	AsMembers        // members in tags of their own
)

// The forms that more than one style has.
var (
	textOrJSON = []Form{{jsontype.String, "", AsText}, {jsontype.All &^ jsontype.String, "", AsJSON}}
	flagged    = []Form{{jsontype.String, `true">`, AsText}, {jsontype.All &^ jsontype.String, `false">`, AsJSON}}
)

var attribute = []string{"&", "&amp;", `"`, "&quot;"}

// styles are in the order in which they are listed to users.
var styles = []Style{
	{
		Name: "qwen_xml", Open: "<parameter=", Named: ">", Forms: textOrJSON, Stop: "</parameter>",
		Never: ">", Lines: true, Capitals: true, Between: "\n", Around: "\n",
	},
	{
		Name: "mimo_xml", Open: "<parameter=", Named: ">", Forms: textOrJSON, Stop: "</parameter>",
		Never: ">", Capitals: true, Between: "\n",
	},
	{
		Name: "minimax_xml", Open: `<parameter name="`, Named: `">`, Forms: textOrJSON, Stop: "</parameter>",
		Never: `"`, Between: "\n",
	},
	{
		Name: "minimax_m3_xml", Open: "]<]minimax[>[<", Named: ">", Stop: "]<]minimax[>[", Close: "</", Closed: ">",
		Forms: []Form{
			{jsontype.String, "", AsText},
			{jsontype.Scalars &^ jsontype.String, "", AsJSON},
			{jsontype.Object | jsontype.Array, "", AsMembers},
		},
		Item: "]<]minimax[>[<item>", ItemClose: "</item>", Never: ">", Between: "\n", roots: jsontype.Object | jsontype.Array,
	},
	{
		Name: "deepseek_xml", Open: `<｜DSML｜parameter name="`, Named: `" string="`, Forms: flagged,
		Stop: "</｜DSML｜parameter>", Never: `"`, Between: "\n", Blank: true,
	},
	{
		Name: "deepseek_v4_1_xml", Open: `<｜DSML｜ parameter name="`, Named: `" string="`, Forms: flagged,
		Stop: "</｜DSML｜ parameter>", Never: `"`, Between: "\n", Blank: true,
	},
	{
		Name: "glm_xml", Open: "<arg_key>", Named: "</arg_key>", Value: "<arg_value>", Forms: textOrJSON,
		Stop: "</arg_value>", Never: "<", Between: "\n",
	},
	{
		Name: "cohere_xml", Open: `<cofl:value name="`, Named: `" type="`, Stop: "</cofl:value>",
		Forms: []Form{
			{jsontype.String, `raw">`, AsText},
			{jsontype.Object, `dict">`, AsMembers},
			{jsontype.Array, `list">`, AsMembers},
			{jsontype.Scalars &^ jsontype.String, `json">`, AsJSON},
		},
		Item: `<cofl:value type="`, Between: "\n",
		Escapes: strings.NewReplacer(append(attribute, "<", "&lt;", ">", "&gt;")...), Escaped: `&"<>`,
	},
	{
		Name: "kimi_k3_xml", Open: `<|open|>argument key="`, Named: `" type="`, Stop: "<|close|>argument<|sep|>",
		Forms: []Form{
			{jsontype.String, `string"<|sep|>`, AsText},
			{jsontype.Number, `number"<|sep|>`, AsJSON},
			{jsontype.Bool, `boolean"<|sep|>`, AsJSON},
			{jsontype.Null, `null"<|sep|>`, AsJSON},
			{jsontype.Object, `object"<|sep|>`, AsJSON},
			{jsontype.Array, `array"<|sep|>`, AsJSON},
		},
		Escapes: strings.NewReplacer(attribute...), Escaped: `&"`,
	},
	{
		Name: "python", Named: "=", Comma: ",", Between: " ", Python: true, roots: jsontype.Object,
		Forms: []Form{{jsontype.All, "", AsJSON}},
	},
	{
		Name: "gemma_4", Named: ":", Comma: ",", Brackets: true, Also: "-.$@/", roots: jsontype.Object,
		Forms: between(`<|"|>`), Stop: `<|"|>`,
	},
	{
		Name: "function_gemma", Named: ":", Comma: ",", Brackets: true, roots: jsontype.Object,
		Forms: between("<escape>"), Stop: "<escape>",
	},
}

// between returns the forms of a style whose texts stand between two marks that are the same.
func between(mark string) []Form {
	return []Form{
		{jsontype.String, mark, AsText},
		{jsontype.Object | jsontype.Array, "", AsMembers},
		{jsontype.Scalars &^ jsontype.String, "", AsJSON},
	}
}

// keywords are the words that are no names in Python.
var keywords = strings.Fields("False None True and as assert async await break class continue def del elif else " +
	"except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield")

// Keywords returns the words that are no names in the style.
func (s *Style) Keywords() []string {
	if s.Python {
		return keywords
	}
	return nil
}

// identifier reports whether a text is a name in Python; in a call it begins with a letter.
func identifier(text string, call bool) bool {
	for i, c := range []byte(text) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' && (i > 0 || !call)
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != "" && !slices.Contains(keywords, text)
}

// Names returns the names of all styles.
func Names() []string {
	names := make([]string, len(styles))
	for i := range styles {
		names[i] = styles[i].Name
	}
	return names
}

// Of returns the style of a name, or nil.
func Of(name string) *Style {
	for i := range styles {
		if styles[i].Name == name {
			return &styles[i]
		}
	}
	return nil
}

// Repeats reports whether a name follows its value again, so that only declared names can be written.
func (s *Style) Repeats() bool { return s.Close != "" }

// Nests reports whether inner objects and arrays are written as members, too.
func (s *Style) Nests() bool { return s.Item != "" || s.Brackets }

// Roots returns the types that the outermost value may have.
func (s *Style) Roots() jsontype.Set {
	if s.roots != 0 {
		return s.roots
	}
	return jsontype.Object | jsontype.String
}

// Written returns a name with its escapes.
func (s *Style) Written(name string) string {
	if s.Escapes != nil {
		return s.Escapes.Replace(name)
	}
	return name
}

// Writable reports whether readers find the name again. In a call, names of Python begin with a letter.
func (s *Style) Writable(name string, call bool) bool {
	if s.Python {
		return identifier(name, call)
	}
	if s.Brackets {
		other := func(c rune) bool {
			return !unicode.In(c, unicode.L, unicode.M, unicode.N) && c != '_' && !strings.ContainsRune(s.Also, c)
		}
		return name != "" && !strings.ContainsFunc(name, other)
	}
	return strings.TrimSpace(name) != "" && !strings.ContainsAny(name, s.Never) && !(s.Repeats() && name[0] == '/')
}

// NameRule says which names are writable.
func (s *Style) NameRule(call bool) string {
	switch {
	case s.Python && call:
		return "it must be an ASCII identifier of Python and not a keyword, and begin with a letter"
	case s.Python:
		return "it must be an ASCII identifier of Python and not a keyword"
	case s.Brackets:
		return "it may only have letters, digits and _" + s.Also
	case s.Never == "":
		return "it must not be blank"
	}
	return "it must not be blank or contain one of " + s.Never
}

// Text returns the style of a string that stands alone in a tag.
func (s *Style) Text() *Style {
	return &Style{Name: s.Name, Forms: []Form{{jsontype.String, "", AsText}}}
}

// Bare reports whether strings and JSON values have no mark that tells them apart. Then readers take the string null
// for the value null.
func (s *Style) Bare() bool {
	for _, f := range s.Forms {
		if f.How == AsJSON && f.Types&jsontype.Null != 0 {
			return f.Open == "" && s.Forms[0].How == AsText && s.Forms[0].Open == ""
		}
	}
	return false
}

// Overlap reports whether one of the texts may be complete before another one that begins earlier: it is a part of
// that, or begins as that ends.
func Overlap(texts []string) bool {
	for i, s := range texts {
		for j, t := range texts {
			if i != j && strings.Contains(s, t) {
				return true
			}
			for n := 1; n < min(len(s), len(t)); n++ {
				if s[:n] == t[len(t)-n:] {
					return true
				}
			}
		}
	}
	return false
}

// Plain reports whether a JSON string without the text cannot spell it: the text has no quote or backslash,
// and its first character cannot be a part of an escape.
func Plain(text string) bool {
	return !strings.ContainsAny(text, `"\`) && strings.IndexByte(`/bfnrtu0123456789abcdefABCDEF`, text[0]) < 0
}
