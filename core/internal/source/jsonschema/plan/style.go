package plan

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Models that were trained to call tools in tags write the arguments as a list of members, each in tags that carry its
// name and perhaps its type: strings stand in them as they are, without quotes and escapes, and end where the closing
// tag occurs; other values are JSON, or, in some styles, lists of members again. A style is a row of a table: how a
// member is opened, named and closed, and in which form a value of each type is written.
//
// Nothing in a value contains the text that ends it, so that every reader finds the same end: a string that would is
// left out, and within JSON it is written with escapes.

// style is how objects are written in tags. Immutable.
type style struct {
	name string
	Open string // the beginning of a member, before its name
	// Named ends the name, and value, with any whitespace before it, stands between that and the value's form.
	Named, Value string
	Forms        []form // no two have a type in common; together they have all types
	stop         string // the end of a value, which never occurs in one
	// Between is the whitespace that templates write between members, Around that around values that are no strings.
	Between, Around string
	// Close and closed stand around the name, which is repeated, after stop. Both empty: nothing follows.
	Close, Closed string
	Item          string // the beginning of an item of an array before its form, in styles that write arrays so
	ItemClose     string // the text behind the stop of an item
	// Comma stands between members that nothing else sets apart.
	Comma string
	// Python says that names are identifiers and values literals of Python.
	Python bool
	// Brackets writes arrays and objects in brackets, so that only texts have a stop. Nothing stands between tokens,
	// and names are letters, digits, underscores and the characters of Also.
	Brackets bool
	Also     string
	// Never holds the characters that no name has, escapes those that names write as another text.
	Never   string
	Escapes *strings.Replacer
	Escaped string // the characters that are escaped
	// Lines tells that readers remove one line end at each edge of a string, if any; else a string is the whole text.
	Lines bool
	roots jsontype.Set // types of the outermost value; 0: an object, or a string that stands alone in its tag
}

// form is how values of some types are written: after a text of its own, and then as they are, as JSON, or as members.
type form struct {
	types jsontype.Set
	Open  string
	How   manner
}

type manner uint8

// The manners: as JSON, as the text that a string is, as members in tags of their own.
const (
	AsJSON manner = iota
	AsText
	AsMembers
)

// The forms that more than one style has.
var (
	textOrJSON = []form{{jsontype.String, "", AsText}, {jsontype.All &^ jsontype.String, "", AsJSON}}
	flagged    = []form{{jsontype.String, `true">`, AsText}, {jsontype.All &^ jsontype.String, `false">`, AsJSON}}
)

var attribute = []string{"&", "&amp;", `"`, "&quot;"}

// styles are all there are, in the order in which they are listed to users.
var styles = []style{
	{
		name: "qwen_xml", Open: "<parameter=", Named: ">", Forms: textOrJSON, stop: "</parameter>",
		Never: ">", Lines: true, Between: "\n", Around: "\n",
	},
	{
		name: "mimo_xml", Open: "<parameter=", Named: ">", Forms: textOrJSON, stop: "</parameter>",
		Never: ">", Between: "\n",
	},
	{
		name: "minimax_xml", Open: `<parameter name="`, Named: `">`, Forms: textOrJSON, stop: "</parameter>",
		Never: `"`, Between: "\n",
	},
	{
		name: "minimax_m3_xml", Open: "]<]minimax[>[<", Named: ">", stop: "]<]minimax[>[", Close: "</", Closed: ">",
		Forms: []form{
			{jsontype.String, "", AsText},
			{jsontype.Scalars &^ jsontype.String, "", AsJSON},
			{jsontype.Object | jsontype.Array, "", AsMembers},
		},
		Item: "]<]minimax[>[<item>", ItemClose: "</item>", Never: ">", Between: "\n", roots: jsontype.Object | jsontype.Array,
	},
	{
		name: "deepseek_xml", Open: `<｜DSML｜parameter name="`, Named: `" string="`, Forms: flagged,
		stop: "</｜DSML｜parameter>", Never: `"`, Between: "\n",
	},
	{
		name: "deepseek_v4_1_xml", Open: `<｜DSML｜ parameter name="`, Named: `" string="`, Forms: flagged,
		stop: "</｜DSML｜ parameter>", Never: `"`, Between: "\n",
	},
	{
		name: "glm_xml", Open: "<arg_key>", Named: "</arg_key>", Value: "<arg_value>", Forms: textOrJSON,
		stop: "</arg_value>", Never: "<", Between: "\n",
	},
	{
		name: "cohere_xml", Open: `<cofl:value name="`, Named: `" type="`, stop: "</cofl:value>",
		Forms: []form{
			{jsontype.String, `raw">`, AsText},
			{jsontype.Object, `dict">`, AsMembers},
			{jsontype.Array, `list">`, AsMembers},
			{jsontype.Scalars &^ jsontype.String, `json">`, AsJSON},
		},
		Item: `<cofl:value type="`, Between: "\n",
		Escapes: strings.NewReplacer(append(attribute, "<", "&lt;", ">", "&gt;")...), Escaped: `&"<>`,
	},
	{
		name: "kimi_k3_xml", Open: `<|open|>argument key="`, Named: `" type="`, stop: "<|close|>argument<|sep|>",
		Forms: []form{
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
		name: "python", Named: "=", Comma: ",", Between: " ", Python: true, roots: jsontype.Object,
		Forms: []form{{jsontype.All, "", AsJSON}},
	},
	{
		name: "gemma_4", Named: ":", Comma: ",", Brackets: true, Also: "-.$@/", roots: jsontype.Object,
		Forms: between(`<|"|>`), stop: `<|"|>`,
	},
	{
		name: "function_gemma", Named: ":", Comma: ",", Brackets: true, roots: jsontype.Object,
		Forms: between("<escape>"), stop: "<escape>",
	},
}

// between returns the forms of a style whose texts stand between two marks that are the same.
func between(mark string) []form {
	return []form{
		{jsontype.String, mark, AsText},
		{jsontype.Object | jsontype.Array, "", AsMembers},
		{jsontype.Scalars &^ jsontype.String, "", AsJSON},
	}
}

// Words are how the values are written that have a name.
type Words struct{ Null, True, False string }

func (p *Planner) python() bool { return p.Tagged != nil && p.Tagged.Style.Python }

// Words returns the spellings of null, true and false.
func (p *Planner) Words() Words {
	if p.python() {
		return Words{"None", "True", "False"}
	}
	return Words{"null", "true", "false"}
}

// Blanks returns the characters that may stand between tokens. Some readers of Python take calls apart at line ends.
func (p *Planner) Blanks() string {
	if p.python() {
		return " "
	}
	return schema.JSONBlanks
}

// keywords are the words that are no names in Python.
var keywords = strings.Fields("False None True and as assert async await break class continue def del elif else " +
	"except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield")

// Keywords returns the words that no name of a style is.
func (s *style) Keywords() []string {
	if s.Python {
		return keywords
	}
	return nil
}

// identifier reports whether a text is a name in Python. That of an argument begins with a letter.
func (p *Planner) identifier(text string) bool {
	for i, c := range []byte(text) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' && (i > 0 || !p.Arguments)
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != "" && !slices.Contains(keywords, text)
}

// Styles returns the names of the styles in which values can be written, JSON left out.
func Styles() []string {
	names := make([]string, len(styles))
	for i := range styles {
		names[i] = styles[i].name
	}
	return names
}

func styleOf(name string) *style {
	for i := range styles {
		if styles[i].name == name {
			return &styles[i]
		}
	}
	return nil
}

// Repeats says whether a member is closed with its name, so that only names that are known can be written.
func (s *style) Repeats() bool { return s.Close != "" }

// Nests says whether objects and arrays within others are lists of members, too.
func (s *style) Nests() bool { return s.Item != "" || s.Brackets }

// root returns the types that the outermost value may have.
func (s *style) root() jsontype.Set {
	if s.roots != 0 {
		return s.roots
	}
	return jsontype.Object | jsontype.String
}

// Written returns a name as it is written.
func (s *style) Written(name string) string {
	if s.Escapes != nil {
		return s.Escapes.Replace(name)
	}
	return name
}

// writable says whether readers would find the name again.
func (p *Planner) writable(name string) bool {
	s := p.Tagged.Style
	if s.Python {
		return p.identifier(name)
	}
	if s.Brackets {
		other := func(c rune) bool {
			return !unicode.In(c, unicode.L, unicode.M, unicode.N) && c != '_' && !strings.ContainsRune(s.Also, c)
		}
		return name != "" && !strings.ContainsFunc(name, other)
	}
	return strings.TrimSpace(name) != "" && !strings.ContainsAny(name, s.Never) && !(s.Repeats() && name[0] == '/')
}

// typed returns a schema that allows just values of some types.
func (p *Planner) typed(types jsontype.Set) jsontext.ID {
	return p.Derive(p.Root, "types "+strconv.Itoa(int(types)), func() jsontext.ID {
		var names []jsontext.ID
		for _, name := range [...]string{"null", "boolean", "number", "string", "array", "object"} {
			if jsontype.ByName(name)&types != 0 {
				names = append(names, p.Tree.NewString(p.Root, name))
			}
		}
		schema := p.Tree.NewObject(p.Root)
		p.Tree.Put(schema, "type", p.Tree.NewArray(p.Root, names...))
		return schema
	})
}
