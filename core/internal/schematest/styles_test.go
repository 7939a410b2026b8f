package schematest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Random schemas in every style: the engine accepts an independent writer's text of every valid value, and an
// independent reader finds a valid value in every accepted text.
func TestRandomSchemasInStyles(t *testing.T) {
	r := testkit.Seeded(t, 71)
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	counts := map[string]int{}
	wrong := map[string]string{}
	for range testkit.Rounds(60, 6_000) {
		schema := testkit.Schema(r)
		if r.Intn(3) > 0 && !strings.Contains(schema, "$ref") { // most are no objects
			others := []string{`true`, `false`, `{"type": ["integer", "string"], "maxLength": 3}`}[r.Intn(3)]
			schema = fmt.Sprintf(`{"type": "object", "properties": {"a": %s, "x1": {"type": "string"}}, `+
				`"required": ["a"], "additionalProperties": %s}`, schema, others)
		}
		for _, s := range tagStyles {
			mistake, what := checkStyle(t, r, c, s, schema, counts)
			if mistake == "" {
				continue
			}
			counts[mistake]++
			if old, ok := wrong[mistake]; !ok || len(what)+len(schema) < len(old) {
				wrong[mistake] = s.name + ": " + what + "\n" + schema
			}
		}
	}
	t.Log(counts)
	for mistake, what := range wrong {
		t.Errorf("%s: %s", mistake, what)
	}
	require.NotZero(t, counts["valid"])
}

// Random strings alone in their tag: an accepted text is a valid string and the first possible end.
func TestRandomStringsAlone(t *testing.T) {
	r := testkit.Seeded(t, 73)
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	ends := [][]string{{"</a>"}, {"b"}, {"a", "é"}, {"aab"}, {"x1", "1"}, {"</a>", "a", "</"}}
	valid, refused := 0, 0
	for range testkit.Rounds(80, 8_000) {
		schema := testkit.Schema(r)
		if r.Intn(2) == 0 || strings.Contains(schema, "$ref") {
			schema = []string{
				`{"minLength": 1, "maxLength": 2}`, `{"pattern": "a"}`, `{"enum": ["", "a", "ab", 1]}`,
				`{"not": {"pattern": "b$"}, "maxLength": 7}`, `{"oneOf": [{"maxLength": 1}, {"pattern": "^.a"}]}`,
			}[r.Intn(5)]
		}
		schema = `{"type": "string", "allOf": [` + schema + `]}`
		end := ends[r.Intn(len(ends))]
		list, _ := json.Marshal(end)
		style := tagStyles[r.Intn(len(tagStyles)-4)].name // the last four take no strings
		spec := fmt.Sprintf(`{"type": "structural_tag", "format": {"type": "tag", "begin": "", "end": %s, "content": `+
			`{"type": "json_schema", "style": %q, "json_schema": %s}}}`, list, style, schema)
		v := testkit.NewValidator(schema)
		var e *diag.Error
		g, err := c.Compile(source.StructuralTag, []byte(spec), &source.Options{})
		if err != nil {
			require.ErrorAs(t, err, &e)
			refused++
		}
		for range 40 {
			text := []string{"", "a", "b", "ab", "aa", "é", "x1", "\n", "</a", "</a>"}[r.Intn(10)] +
				testkit.SchemaStrings[r.Intn(len(testkit.SchemaStrings))]
			text += end[r.Intn(len(end))] + []string{"", "", "", "b"}[r.Intn(4)]
			before, closed := first(text, end)
			want := closed && v.Valid(before)
			if e != nil {
				require.False(t, e.Code == diag.Unsatisfiable && want, "%s: %q", spec, text)
				continue
			}
			a := g.Current().Automaton()
			got := a.Accepts(a.StepBytes(a.Start(), []byte(text)))
			if len(g.Notes()) == 0 {
				require.Equal(t, want, got, "%s: %q", spec, text)
			}
			if got && want {
				valid++
			}
		}
	}
	t.Log(valid, refused)
	require.Greater(t, valid, 20)
}

// first returns the text before the first of the ends, and whether nothing follows the end.
func first(text string, ends []string) (before string, whole bool) {
	at, which := len(text), ""
	for _, e := range ends {
		if i := strings.Index(text, e); i >= 0 && (i+len(e) < at+len(which) || which == "") {
			at, which = i, e
		}
	}
	return text[:at], which != "" && at+len(which) == len(text)
}

func checkStyle(t *testing.T, r *rand.Rand, c *compiler.Compiler, s *tagStyle, schema string, counts map[string]int,
) (mistake, what string) {
	t.Helper()
	v := testkit.NewValidator(schema)
	spec := fmt.Sprintf(`{"type": "structural_tag", "format": {"type": "json_schema", "style": %q, "json_schema": %s}}`,
		s.name, schema)
	g, err := c.Compile(source.StructuralTag, []byte(spec), &source.Options{AnyOrder: true, AllNumberForms: true})
	var e *diag.Error
	if errors.As(err, &e) {
		counts[e.Code.String()]++
		for range 60 {
			x := testkit.Value(r, 2)
			value := testkit.Decode([]byte(x))
			if e.Code == diag.Unsatisfiable && x[0] == '{' && v.Valid(value) && s.writes(value) {
				return "refused as unsatisfiable", x + " is valid, but: " + err.Error()
			}
		}
		return "", ""
	}
	require.NoError(t, err, spec)
	counts["compiled"]++
	narrower, wider := false, false
	for _, n := range g.Notes() {
		narrower, wider = narrower || n.Effect == diag.Narrower, wider || n.Effect == diag.Wider
	}
	a := g.Current().Automaton()
	for range 40 {
		x := testkit.Value(r, 2)
		if x[0] != '{' || strings.Contains(x, "q\\\"") && s.name != "qwen_xml" && s.name != "glm_xml" {
			continue
		}
		value := testkit.Decode([]byte(x))
		text := s.body(r, value)
		valid, surely := s.reads(text, v.Valid)
		if valid {
			counts["valid"]++
		}
		accepted := a.Accepts(a.StepBytes(a.Start(), []byte(text)))
		switch {
		case surely && !accepted && !narrower:
			return "valid, but not accepted", text
		case !valid && accepted && !wider:
			return "accepted, but not valid", text
		}
		damaged := damage(r, text)
		accepted = a.Accepts(a.StepBytes(a.Start(), []byte(damaged)))
		if valid, _ := s.reads(damaged, v.Valid); accepted && !wider && !valid && !s.repeats(damaged) {
			return "accepted after a change, but not valid", damaged
		}
	}
	return "", ""
}

// damage changes a piece of a text.
func damage(r *rand.Rand, text string) string {
	if text == "" {
		return "x"
	}
	from := r.Intn(len(text))
	to := min(len(text), from+r.Intn(8))
	return text[:from] + []string{"", "a", `"`, "1", " ", "<", text[from:to] + text[from:to]}[r.Intn(7)] + text[to:]
}

// tagStyle knows how a style is written and read.
type tagStyle struct {
	name string
	// head matches the beginning of a member; name and type are its groups, tail matches the end of its value.
	head  *regexp.Regexp
	write func(name, kind string) string
	tail  string
	// item matches the beginning of an item of a nested array; nil: arrays and objects are JSON.
	item     *regexp.Regexp
	itemHead func(kind string) string
	raw      string // the type that marks texts; empty: none is marked
	escapes  []string
	lines    bool // readers strip a line end at each edge of a text
	echoes   bool // a tail repeats the name
	python   bool // arguments of a call, and nothing of the above
	gemma    bool // the same, with texts between two tails
}

const m3 = "]<]minimax[>["

var tagStyles = []*tagStyle{
	{
		name: "qwen_xml", head: regexp.MustCompile(`^<parameter=([^>]+)()>`), tail: "</parameter>", lines: true,
		write: func(name, _ string) string { return "<parameter=" + name + ">" },
	},
	{
		name: "minimax_xml", tail: "</parameter>",
		head:  regexp.MustCompile(`^<parameter name="([^"]+)()">`),
		write: func(name, _ string) string { return `<parameter name="` + name + `">` },
	},
	{
		name: "glm_xml", tail: "</arg_value>",
		head:  regexp.MustCompile(`^<arg_key>([^<]+)()</arg_key>[ \t\r\n]*<arg_value>`),
		write: func(name, _ string) string { return "<arg_key>" + name + "</arg_key>\n<arg_value>" },
	},
	deepSeek("deepseek_xml", "｜DSML｜parameter"), deepSeek("deepseek_v4_1_xml", "｜DSML｜ parameter"),
	{
		name: "kimi_k3_xml", raw: "string", tail: "<|close|>argument<|sep|>",
		escapes: []string{"&", "&amp;", `"`, "&quot;"},
		head: regexp.MustCompile(`^<\|open\|>argument key="([^"]+)" ` +
			`type="(string|number|boolean|null|object|array)"<\|sep\|>`),
		write: func(name, kind string) string {
			return fmt.Sprintf(`<|open|>argument key="%s" type="%s"<|sep|>`, name, kind)
		},
	},
	{
		name: "cohere_xml", raw: "raw", tail: "</cofl:value>",
		escapes: []string{"&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;"},
		head:    regexp.MustCompile(`^<cofl:value name="([^"<>]+)" type="(raw|dict|list|json)">`),
		item:    regexp.MustCompile(`^<cofl:value()( type="raw"| type="dict"| type="list"| type="json")>`),
		write: func(name, kind string) string {
			return fmt.Sprintf(`<cofl:value name="%s" type="%s">`, name, coheres[kind])
		},
		itemHead: func(kind string) string { return fmt.Sprintf(`<cofl:value type="%s">`, coheres[kind]) },
	},
	{
		name: "minimax_m3_xml", tail: m3, echoes: true,
		head:     regexp.MustCompile(`^\]<\]minimax\[>\[<([^>/][^>]*)()>`),
		item:     regexp.MustCompile(`^\]<\]minimax\[>\[<(item)()>`),
		write:    func(name, _ string) string { return m3 + "<" + name + ">" },
		itemHead: func(string) string { return m3 + "<item>" },
	},
	{name: "python", tail: `"`, python: true},
	{name: "gemma_4", tail: `<|"|>`, gemma: true},
	{name: "function_gemma", tail: "<escape>", gemma: true},
}

var coheres = map[string]string{
	"string": "raw", "object": "dict", "array": "list", "number": "json", "boolean": "json", "null": "json",
}

func deepSeek(name, tag string) *tagStyle {
	return &tagStyle{
		name: name, tail: "</" + tag + ">", raw: "true",
		head: regexp.MustCompile(`^<` + tag + ` name="([^"]+)" string="(true|false)">`),
		write: func(name, kind string) string {
			return fmt.Sprintf(`<%s name="%s" string="%t">`, tag, name, kind == "string")
		},
	}
}

func kindOf(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case bool:
		return "boolean"
	case nil:
		return "null"
	}
	return "number"
}

func (s *tagStyle) writes(value any) bool {
	if s.echoes { // only names that are declared
		return false
	}
	if s.gemma {
		return gemmaWrites(value, gemmaNames[s.tail])
	}
	for k := range value.(map[string]any) {
		if s.python && pythonName.FindString(k) != k {
			return false
		}
		if k == `q"` && s.escapes == nil && s.name != "qwen_xml" && s.name != "glm_xml" {
			return false
		}
	}
	return true
}

// body writes the members of an object or array, in any order and with some whitespace.
func (s *tagStyle) body(r *rand.Rand, value any) string {
	if s.python {
		return pythonCall(r, value)
	}
	if s.gemma {
		return gemmaCall(r, value, s.tail)
	}
	var b strings.Builder
	gap := func() { b.WriteString([]string{"", "", "\n", "\n "}[r.Intn(4)]) }
	add := func(head, name string, v any) {
		gap()
		b.WriteString(head)
		switch {
		case kindOf(v) == "string":
			text := v.(string)
			first := s.lines && (strings.HasPrefix(text, "\n") || r.Intn(3) == 0)
			if s.lines && (strings.HasSuffix(text, "\n") || r.Intn(3) == 0) {
				text += "\n"
			}
			if first {
				text = "\n" + text
			}
			b.WriteString(text)
		case s.item != nil && (kindOf(v) == "object" || kindOf(v) == "array"):
			b.WriteString(s.body(r, v))
		default:
			gap()
			text, _ := json.Marshal(v)
			b.Write(text)
			gap()
		}
		b.WriteString(s.tail)
		if s.echoes {
			b.WriteString("</" + name + ">")
		}
	}
	switch x := value.(type) {
	case []any:
		for _, v := range x {
			add(s.itemHead(kindOf(v)), "item", v)
		}
	case map[string]any:
		var keys []string
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		for _, k := range keys {
			name := strings.NewReplacer(s.escapes...).Replace(k)
			add(s.write(name, kindOf(x[k])), name, x[k])
		}
	}
	return b.String()
}

// reads reports whether some reading of the text is a valid value, and whether all are: in a style without marks for
// texts, a text may also be read as JSON.
func (s *tagStyle) reads(text string, valid func(any) bool) (some, all bool) {
	if s.python {
		o, _, ok := readPythonCall(text)
		ok = ok && valid(o)
		return ok, ok && s.writes(o)
	}
	if s.gemma {
		o, _, ok := readGemmaCall(text, s.tail)
		ok = ok && valid(o)
		return ok, ok && s.writes(o)
	}
	p := &tagReader{s: s}
	all = true
	for _, items := range []bool{false, true} {
		if items && s.name != "minimax_m3_xml" {
			break
		}
		for _, o := range p.members(text, items, 2) {
			if strings.Trim(o.rest, " \t\r\n") == "" {
				v := valid(o.value)
				some, all = some || v, all && v
			}
		}
	}
	return some, some && all
}

// repeats reports whether a name comes twice, which undeclared ones may.
func (s *tagStyle) repeats(text string) bool {
	if s.python {
		_, twice, _ := readPythonCall(text)
		return twice
	}
	if s.gemma {
		_, twice, _ := readGemmaCall(text, s.tail)
		return twice
	}
	p := &tagReader{s: s}
	p.members(text, false, 2)
	return p.twice
}

type tagReader struct {
	s     *tagStyle
	twice bool
}

// reading is a value, and the text after it.
type reading struct {
	value any
	rest  string
}

// members returns all objects, or arrays, whose members the text may begin with.
func (p *tagReader) members(text string, items bool, depth int) (out []reading) {
	if depth < -2 {
		return nil
	}
	empty := any(map[string]any{})
	head := p.s.head
	if items {
		empty, head = []any{}, p.s.item
	}
	out = []reading{{empty, text}}
	for at := out; len(at) > 0 && len(out) < 2000; {
		var next []reading
		for _, o := range at {
			rest := strings.TrimLeft(o.rest, " \t\r\n")
			m := head.FindStringSubmatch(rest)
			if m == nil {
				continue
			}
			for _, v := range p.value(m[2], m[1], rest[len(m[0]):], depth) {
				next = append(next, reading{p.with(o.value, m[1], v.value), v.rest})
			}
		}
		out = append(out, next...)
		at = next
	}
	return out
}

func (p *tagReader) with(o any, name string, v any) any {
	if list, ok := o.([]any); ok {
		return append(slices.Clone(list), v)
	}
	unescape := []string{}
	for i := 0; i < len(p.s.escapes); i += 2 {
		unescape = append(unescape, p.s.escapes[i+1], p.s.escapes[i])
	}
	name = strings.NewReplacer(unescape...).Replace(name)
	next := map[string]any{}
	for k, x := range o.(map[string]any) {
		next[k] = x
	}
	_, again := next[name]
	p.twice = p.twice || again
	next[name] = v
	return next
}

// value returns the values that the text may begin with, and the text after the end of each.
func (p *tagReader) value(kind, name, text string, depth int) (out []reading) {
	s := p.s
	kind = strings.TrimSuffix(strings.TrimPrefix(kind, ` type="`), `"`)
	tail := s.tail
	if s.echoes {
		tail += "</" + name + ">"
	}
	if s.item != nil && kind != "raw" && kind != "json" {
		for _, items := range []bool{false, true} {
			if s.raw != "" && items != (kind == "list") {
				continue
			}
			for _, o := range p.members(text, items, depth-1) {
				if rest, ok := strings.CutPrefix(strings.TrimLeft(o.rest, " \t\r\n"), tail); ok {
					out = append(out, reading{o.value, rest})
				}
			}
		}
		if s.raw != "" {
			return out
		}
	}
	inner, rest, ok := strings.Cut(text, s.tail)
	if !ok {
		return out
	}
	if s.echoes {
		if rest, ok = strings.CutPrefix(rest, "</"+name+">"); !ok {
			return out
		}
	}
	if s.raw == "" || kind == s.raw {
		plain := inner
		if s.lines {
			plain = strings.TrimSuffix(strings.TrimPrefix(inner, "\n"), "\n")
		}
		out = append(out, reading{plain, rest})
	}
	if s.raw != "" && kind == s.raw || !json.Valid([]byte(inner)) {
		return out
	}
	v := testkit.Decode([]byte(inner))
	marked := s.name != "kimi_k3_xml" || kind == kindOf(v)
	if _, text := v.(string); marked && !text && (s.item == nil || kindOf(v) != "object" && kindOf(v) != "array") {
		out = append(out, reading{v, rest})
	}
	return out
}
