package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
)

// folded builds the value from events, as a caller would.
func folded(t *testing.T, events []Event) any {
	t.Helper()
	values, texts := map[string]any{}, map[string]string{}
	open := map[string]bool{}
	for _, e := range events {
		at := e.Path.Pointer()
		require.Equal(t, e.Begins, !open[at], "%v begins twice, or never", e)
		open[at] = !e.Ends
		if e.Begins {
			texts[at] = ""
		}
		texts[at] += e.Text
		if e.Ends {
			switch e.Kind {
			case Object:
				if values[at] == nil {
					values[at] = map[string]any{}
				}
			case Array:
				if values[at] == nil {
					values[at] = []any{}
				}
			case String:
				values[at] = texts[at]
			default:
				var v any
				d := json.NewDecoder(strings.NewReader(texts[at]))
				d.UseNumber()
				require.NoError(t, d.Decode(&v))
				values[at] = v
			}
			p := e.Path
			if p == nil {
				continue
			}
			up := p.up.Pointer()
			if p.item {
				list, _ := values[up].([]any)
				values[up] = append(list, values[at])
			} else {
				o, _ := values[up].(map[string]any)
				if o == nil {
					o = map[string]any{}
				}
				o[shown([]byte(p.key))] = values[at]
				values[up] = o
			}
			delete(values, at)
			if p.up == nil {
				continue
			}
		} else if e.Begins {
			delete(values, at)
		}
	}
	return values[""]
}

// read reads pieces of a text and returns the events, and the text behind the value.
func read(t *testing.T, d *Dialect, shape *Shape, pieces ...string) ([]Event, string, *Reader) {
	t.Helper()
	r, out := New(d, shape), &Sink{}
	rest := ""
	for i, p := range pieces {
		if r.Done() {
			rest += p
			continue
		}
		n := r.Feed([]byte(p), out)
		if r.Done() {
			rest = r.Unread() + p[n:]
		} else {
			require.True(t, n == len(p) || r.err != "", "%q %d", pieces, i)
		}
		r = r.Clone()
	}
	r.Finish(out)
	return out.Events, rest, r
}

func joined(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(e.JSON)
	}
	return b.String()
}

func decoded(t *testing.T, text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&v), text)
	return v
}

var jsonTexts = []string{
	`null`, `12`, `-0.5e+7`, `"a"`, `[]`, `{}`, ` { "a" : [ 1 , 2.50 , { } , [ ] ] , "b\u00e9\n" : "x\ud83d\ude00y" } `,
	`{"a":{"b":{"c":[[[true,false,null]]]}}}`, `"é€😀"`, `["\"\\\/\b\f\n\r\t"]`, `{"":{"":""}}`, `{"a/b~":{"~1":0}}`,
	`["a","",{"k":"v"},-1,0,1e5]`, `{"a":1,"a":"x","a":{"b":2}}`, `["\ud83dx","\ude00","\ud83d\ud83d\ude00","\ud83d"]`,
	`{"\ud83d":1}`, `[0,0.0,-1E-9]`, `"` + strings.Repeat("long ", 100) + `"`,
}

// At every cut of a text the events fold to the value that a parser finds, and their JSON is a text of it.
func TestJSONAtEveryCut(t *testing.T) {
	d := NewDialect(nil)
	for _, text := range jsonTexts {
		want := decoded(t, text)
		whole, _, _ := read(t, d, nil, text)
		for i := 0; i <= len(text); i++ {
			for _, j := range []int{i, min(i+1, len(text)), min(i+3, len(text))} {
				events, _, r := read(t, d, nil, text[:i], text[i:j], text[j:])
				require.Empty(t, r.err, text)
				require.Equal(t, want, folded(t, events), "%q cut at %d and %d", text, i, j)
				require.Equal(t, joined(whole), joined(events))
				require.Equal(t, want, decoded(t, joined(events)), joined(events))
			}
		}
	}
}

// A text that is no JSON is refused at the byte at which a parser refuses it.
func TestNoJSON(t *testing.T) {
	for text, at := range map[string]int{
		`{"a" 1}`: 5, `[1,]`: 3, `{"a":1,}`: 7, `[01]`: 2, `nul!`: 3, `"\x"`: 2, "\"a\nb\"": 2, `{'a':1}`: 1, `[-]`: 2,
		`"\u00g0"`: 5, `[1 2]`: 3, `tru`: -1, `{"a":1`: -1, `+1`: 0, `[1.]`: 3, `{,}`: 1,
	} {
		_, _, r := read(t, NewDialect(nil), nil, text)
		require.False(t, r.Done(), text)
		if at < 0 {
			require.Empty(t, r.err, text)
			continue
		}
		require.NotEmpty(t, r.err, text)
		whole := New(NewDialect(nil), nil)
		require.True(t, whole.Feed([]byte(text[:at]), &Sink{}) == at && whole.err == "", text)
	}
}

// Strings are not kept: the memory of a reader does not grow with them.
func TestStringsAreNotKept(t *testing.T) {
	r, out := New(NewDialect(nil), nil), &Sink{}
	r.Feed([]byte(`{"a":["`), out)
	for range 1000 {
		r.Feed([]byte("0123456789 é"), out)
		out.Events = out.Events[:0]
	}
	require.Less(t, cap(r.key)+cap(r.held)+len(r.got), 64)
	require.Less(t, cap(out.text), 256)
}

func TestDepth(t *testing.T) {
	for depth, fine := range map[int]bool{512: true, 513: false} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		_, _, r := read(t, NewDialect(nil), nil, text)
		require.Equal(t, fine, r.Done(), depth)
		require.Equal(t, !fine, r.TooDeep())
	}
}

// Arguments in each style, a text behind them, and the schema that tells types; at every cut.
func TestStylesAtEveryCut(t *testing.T) {
	const m3 = "]<]minimax[>["
	for _, c := range []struct{ style, schema, text, rest, want string }{
		{
			"python", ``, `a=1, b="x\n\u00e9'", c='it"s \'', d=[True,None, {"k": False}]`, `)]`,
			`{"a":1,"b":"x\né'","c":"it\"s '","d":[true,null,{"k":false}]}`,
		},
		{"python", ``, ``, `)`, `{}`},
		{
			"gemma_4", ``, `a:<|"|>x"<|"y<|"|>,b.c:[1,<|"|><|"|>,{d:null}],e:{}`, `}<tool_call|>`,
			`{"a":"x\"<|\"y","b.c":[1,"",{"d":null}],"e":{}}`,
		},
		{"gemma_4", ``, ``, `}`, `{}`},
		{"function_gemma", ``, `a:<escape><esc<escape>,b:-1.0e5`, `}`, `{"a":"<esc","b":-1.0e5}`},
		{
			"qwen_xml", `{"properties":{"a":{"type":"string"},"b":{"type":["string","null"]},"c":{"type":"integer"}}}`,
			"<parameter=a>\n\n12<</par\n\n</parameter>\n<parameter=b>\nnull\n</parameter>\n<parameter=c>\n12\n</parameter>\n" +
				`<parameter=d>{"x": [1]}</parameter><parameter=e>{"x": 1]</parameter>`, `</function>`,
			`{"a":"\n12<</par\n","b":null,"c":12,"d":{"x":[1]},"e":"{\"x\": 1]"}`,
		},
		{
			"qwen_xml", `{"properties":{"a":{"type":"boolean"},"b":{"type":["string","boolean"]},"c":{"type":"string"},
			"d":{"type":["boolean","null"]},"e":{"type":["string","null"]},"f":{"enum":["True",false]},"g":{"type":"array"}}}`,
			"<parameter=a>\nTrue\n</parameter>\n<parameter=b>False</parameter>\n<parameter=c>True</parameter>" +
				"<parameter=d>None</parameter><parameter=e>None</parameter><parameter=f>True</parameter>" +
				"<parameter=g>[true]</parameter><parameter=a>false</parameter>", `</function>`,
			`{"a":true,"b":false,"c":"True","d":null,"e":"None","f":"True","g":[true],"a":false}`,
		},
		{"mimo_xml", `{"properties":{"a":{"type":"boolean"}}}`, "<parameter=a>False</parameter>", "</function>", `{"a":false}`},
		{"qwen_xml", ``, "", "</function>", `{}`},
		{
			"mimo_xml", `{"properties":{"a":{"type":"string"}}}`, "<parameter=a>\nx\n</parameter>", "</function>",
			`{"a":"\nx\n"}`,
		},
		{
			"minimax_xml", `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`,
			`<parameter name="a">5.5</parameter><parameter name="a">5</parameter>`, `</invoke>`, `{"a":5}`,
		},
		{
			"deepseek_xml", ``, `<｜DSML｜parameter name="a" string="true">5</｜DSML｜x</｜DSML｜parameter>` + "\n" +
				`<｜DSML｜parameter name="b" string="false">[5, "x"] </｜DSML｜parameter>`, `</｜DSML｜invoke>`,
			`{"a":"5</｜DSML｜x","b":[5,"x"]}`,
		},
		{"glm_xml", `{"properties":{"a":{"type":"string"}}}`, "<arg_key>a</arg_key>\n<arg_value>true</arg_value>\n" +
			"<arg_key>b</arg_key><arg_value>true</arg_value>", `</tool_call>`, `{"a":"true","b":true}`},
		{
			"kimi_k3_xml", ``, `<|open|>argument key="a&quot;" type="string"<|sep|>1<|close|>argument<|sep|>` +
				`<|open|>argument key="n" type="null"<|sep|>null<|close|>argument<|sep|>`, `<|close|>call<|sep|>`,
			`{"a\"":"1","n":null}`,
		},
		{"cohere_xml", ``, `<cofl:value name="a&lt;" type="raw">x&lt;</cofl:value><cofl:value name="b" type="dict">` +
			`<cofl:value name="c" type="list"><cofl:value type="json">1</cofl:value><cofl:value type="list"></cofl:value>` +
			`</cofl:value></cofl:value>`, `</cofl:tool_call>`, `{"a<":"x&lt;","b":{"c":[1,[]]}}`},
		{
			"minimax_m3_xml", `{"$defs":{"n":{"properties":{"v":{"type":"string"},"next":{"$ref":"#/$defs/n"}},"type":"object"}},
			"properties":{"s":{"type":"string"},"n":{"$ref":"#/$defs/n"},"i":{"type":["integer","null"]},"e":{"type":"object"},
			"l":{"type":"array","items":{"type":["string","object"]}}}}`,
			m3 + "<s>" + m3[:5] + "x" + m3 + "</s>" + m3 + "<n>" + m3 + "<v>1" + m3 + "</v>" + m3 + "<next>" + m3 + "<v>2" + m3 +
				"</v>" + m3 + "</next>" + m3 + "</n>" + m3 + "<i>5" + m3 + "</i>" + m3 + "<e>" + m3 + "</e>\n" + m3 + "<l>" + m3 +
				"<item>" + m3 + "</item>" + m3 + "<item>" + m3 + "<a>true" + m3 + "</a>" + m3 + "</item>" + m3 + "</l>",
			m3 + "</invoke>",
			`{"s":"]<]miX","n":{"v":"1","next":{"v":"2"}},"i":5,"e":{},"l":["",{"a":true}]}`,
		},
	} {
		t.Run(c.style, func(t *testing.T) {
			d, shape := NewDialect(style.Of(c.style)), ShapeOf([]byte(c.schema), false)
			want := strings.ReplaceAll(c.want, "]<]miX", "]<]mix")
			text := c.text + c.rest
			for i := 0; i <= len(text); i++ {
				for _, j := range []int{i, min(i+1, len(text)), min(i+4, len(text))} {
					events, rest, r := read(t, d, shape, text[:i], text[i:j], text[j:])
					require.Empty(t, r.err, "%q", text)
					require.True(t, r.Done(), "%q", text)
					require.Equal(t, c.rest, rest, "cut at %d and %d", i, j)
					require.Equal(t, decoded(t, want), folded(t, events))
					require.Equal(t, decoded(t, want), decoded(t, joined(events)), joined(events))
				}
			}
		})
	}
}

func FuzzJSON(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add([]byte(text), uint8(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, cut uint8) {
		if bytes.Count(text, []byte{'['})+bytes.Count(text, []byte{'{'}) > 400 {
			return
		}
		at := min(int(cut), len(text))
		events, rest, r := read(t, NewDialect(nil), nil, string(text[:at]), string(text[at:]))
		valid := json.Valid(text)
		require.Equal(t, valid, r.Done() && strings.Trim(rest, " \t\r\n") == "", fmt.Sprintf("%q", text))
		if valid {
			require.Equal(t, decoded(t, string(text)), decoded(t, joined(events)))
		}
	})
}

// The schemas of prefixItems count before those for the rest.
func TestShapesOfPrefixes(t *testing.T) {
	const m3 = "]<]minimax[>["
	shape := ShapeOf([]byte(`{"properties":{"l":{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"string"}}}}`), false)
	events, rest, r := read(t, NewDialect(style.Of("minimax_m3_xml")), shape, m3+"<l>"+m3+"<item>1"+m3+"</item>"+
		m3+"<item>x"+m3+"</item>"+m3+"</l>"+m3+"</invoke>")
	require.Empty(t, r.err)
	require.Equal(t, m3+"</invoke>", rest, "the name of an item is no text behind the arguments")
	require.Equal(t, decoded(t, `{"l":[1,"x"]}`), folded(t, events))
}

// Text that may be a string or JSON is reported once no JSON of the schema's types begins so.
func TestUndecidedTextBegins(t *testing.T) {
	for _, c := range []struct {
		types, text string
		early       bool
	}{
		{`["string","null"]`, `{"name": 1`, true},
		{`["string","null"]`, ` [1, 2`, true},
		{`["string","null"]`, `nu`, false},
		{`["string","null"]`, `12`, true},
		{`["string","number"]`, `12`, false},
		{`["string","number"],"not":{"type":"integer"}`, `12`, false}, // it may become 12.5
		{`["string","object"]`, `{"name": 1`, false},
		{`["string","object"]`, `"a`, true},
	} {
		shape := ShapeOf([]byte(`{"properties":{"a":{"type":`+c.types+`}}}`), false)
		r, out := New(NewDialect(style.Of("qwen_xml")), shape), &Sink{}
		r.Feed([]byte("<parameter=a>"+c.text), out)
		text := ""
		for _, e := range out.Events {
			if e.Kind == String {
				text += e.Text
			}
		}
		require.Equal(t, c.early, text != "", "%s %s", c.types, c.text)
	}
}

// Text that may be a string or JSON, and nests too deeply, is no string: a parser would read JSON.
func TestDepthOfUndecidedText(t *testing.T) {
	text := "<parameter=a>" + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "</parameter></function>"
	for schema, deep := range map[string]bool{`["string","array"]`: true, `["string","null"]`: false} {
		shape := ShapeOf([]byte(`{"properties":{"a":{"type":`+schema+`}}}`), false)
		_, _, r := read(t, NewDialect(style.Of("qwen_xml")), shape, text)
		require.Equal(t, deep, r.TooDeep(), schema)
		require.Equal(t, !deep, r.Done(), schema)
	}
}
