package structag

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// options know two special tokens and 1,000 ids, of which 2 ends.
func options() *source.Options {
	ids := map[string][]uint32{"<|call|>": {7}, "<|end|>": {8}, "<|eot|>": {2}}
	return &source.Options{
		TokenIDs:   func(s string) []uint32 { return ids[s] },
		TokenCount: 1000, EndTokens: []uint32{2},
	}
}

func compile(t testing.TB, spec string) (*terminal.Store, *grammar.Grammar, []diag.Note) {
	st := terminal.NewStore()
	g, notes, err := Compile(st, []byte(spec), options())
	require.NoError(t, err)
	return st, g, notes
}

func format(f string) string { return `{"type": "structural_tag", "format": ` + f + `}` }

const (
	number = `{"type": "json_schema", "json_schema": {"type": "integer"}}`
	weight = `{"type": "json_schema", "json_schema": {"type": "object", "properties": {"kg": {"type": "integer"}}, ` +
		`"required": ["kg"], "additionalProperties": false}}`
	// Two tools in free text.
	tools = `{"type": "triggered_tags", "triggers": ["<f="], "tags": [
		{"begin": "<f=a>", "content": ` + number + `, "end": "</f>"},
		{"begin": "<f=weigh>", "content": ` + weight + `, "end": ["</f>", "</f>\n"]}]`
)

// cases are documents with texts that they match and texts that they don't. ⟨7⟩ stands for token 7 as a token.
var cases = []struct {
	name, spec string
	yes, no    []string
}{
	{"const_string", format(`{"type": "const_string", "value": "日\n"}`), []string{"日\n"}, []string{"", "日"}},
	{"empty const_string", format(`{"type": "const_string", "value": ""}`), []string{""}, []string{"x"}},
	{"json_schema", format(number), []string{"1", "-20"}, []string{"", " 1", "1 ", "x"}},
	{"boolean schema", format(`{"json_schema": true}`), []string{"1", `{"a": [null]}`}, []string{"", "x"}},
	{
		"whitespace", format(`{"type": "sequence", "elements": [` +
			`{"type": "json_schema", "json_schema": {"type":"array"}, "max_whitespace_cnt": 0}, {"type": ` +
			`"json_schema", "json_schema": {"type":"array"}, "max_whitespace_cnt": 1}]}`),
		[]string{"[][]", "[[]][ ]"},
		[]string{"[ ][]", "[][  ]"},
	},
	{"any_text", format(`{"type": "any_text"}`), []string{"", "anything 日", "<f=a>", "\x80", "日"[:2]}, nil},
	{"any_text with excludes", format(`{"type": "any_text", "excludes": ["ab", "<x>"]}`), []string{"", "a b<x", "<<x " +
		"a"}, []string{"ab", "xaab", "<x>"}},
	{"grammar", format(`{"type": "grammar", "grammar": "root ::= \"(\" root \")\" | ` +
		`\"x\""}`), []string{"x", "((x))"}, []string{"", "(x"}},
	{"regex", format(`{"type": "regex", "pattern": ` +
		`"[0-9]{1,3}px"}`), []string{"1px", "123px"}, []string{"", "px", "1px "}},
	{
		"sequence and or", format(`{"type": "sequence", "elements": [{"type": "const_string", "value": "a"}, ` +
			`{"type": ` +
			`"or", "elements": [` + number + `, {"type": "const_string", "value": ""}]}]}`),
		[]string{"a", "a5"},
		[]string{"", "5", "aa"},
	},
	{
		"optional, plus, star, repeat", format(`{"type": "sequence", "elements": [
			{"type": "optional", "content": {"type": "const_string", "value": "o"}}, {"type": "plus", "content": {"type": "const_string", "value": "p"}},
			{"type": "star", "content": {"type": "const_string", "value": "s"}}, {"type": "repeat", "min": 2, "max": 3, "content": {"type": "const_string", "value": "r"}},
			{"type": "repeat", "min": 0, "max": -1, "content": {"type": "const_string", "value": "x"}}, {"type": "repeat", "min": 0, "max": 0, "content": {"type": "const_string", "value": "y"}}]}`),
		[]string{"opprr", "prrrxx", "opssrr"},
		[]string{"orr", "pr", "prrrr", "prry"},
	},
	{
		"tag", format(`{"type": "tag", "begin": "<think>", "content": {"type": "any_text"}, "end": "</think>"}`),
		[]string{"<think></think>", "<think>a <b> </thin</think>", "<think><think></think>"},
		[]string{"", "<think>", "<think></think></think>", "<think></think>x", "x<think></think>"},
	},
	{
		"several ends", format(`{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": ["</a>", ` +
			`"</a>\n", "stop"]}`),
		[]string{"</a>", "</a>\n", "x stop", "xsto</a>"},
		[]string{"", "x", "</a>x", "stop\n", "stop</a>"},
	},
	{
		"an end that may be empty", format(`{"type": "tag", "begin": "(", "content": {"type": "any_text"}, "end": ` +
			`["", ")"]}`),
		[]string{"(", "(x", "(x)"},
		[]string{"(x)x", ""},
	},
	{
		"an end inside another", format(`{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": ["b", ` +
			`"abc"]}`),
		[]string{"b", "xb", "abc", "ab", "xabc", "xxab"},
		[]string{"", "a", "bc", "bb", "abcb"},
	},
	{
		"text before the last element", format(`{"type": "tag", "begin": "[", "content": {"type": "sequence", ` +
			`"elements": [{"type": "any_text"}, {"type": "const_string", "value": ":"}, {"type": "any_text", ` +
			`"excludes": ["x"]}]}, "end": "]"}`),
		[]string{"[:]", "[a:b:]", "[a::b]"},
		[]string{"[]", "[a]", "[a]:]", "[:x]", "[:]]"},
	},
	{
		"alternatives before an end", format(`{"type": "tag", "begin": "<", "content": {"type": "or", "elements": ` +
			`[{"type": "any_text", "excludes": ["1"]}, ` + number + `]}, "end": ">"}`),
		[]string{"<>", "<a>", "<1>", "<22>"},
		[]string{"<a1>", "<1", "<>>"},
	},
	{
		"optional text before an end", format(`{"type": "tag", "begin": "<", "content": {"type": "optional", ` +
			`"content": {"type": "any_text"}}, "end": ">"}`),
		[]string{"<>", "<a>"},
		[]string{"<a", "<a>>"},
	},
	{
		"starred text before an end", format(`{"type": "tag", "begin": "<", "content": {"type": "star", "content": ` +
			`{"type": "sequence", "elements": [{"type": "const_string", "value": "!"}, {"type": "any_text"}]}}, ` +
			`"end": ">"}`),
		[]string{"<>", "<!a>", "<!!a!b>"},
		[]string{"<a>", "<!>>", "<!"},
	},
	{
		"triggered tags", format(tools + `}`),
		[]string{"", "text < f= <b>", "<f=a>5</f>", "x<f=a>5</f>y<f=weigh>{\"kg\": " +
			"3}</f>\nz", "<f=a>1</f><f=a>2</f>", "</f>"},
		[]string{"<f=", "<f=b>", "x<f=a>", "<f=a>x</f>", "<f=a>5", "<f=weigh>5</f>", "<f=a>5</f><f="},
	},
	{
		"at least one", format(tools + `, "at_least_one": true}`),
		[]string{"<f=a>5</f>", "<f=a>5</f> and <f=a>6</f>"},
		[]string{"", "x", "x<f=a>5</f>"},
	},
	{
		"stop after first", format(tools + `, "stop_after_first": true}`),
		[]string{"", "x", "x<f=a>5</f>", "<f=weigh>{\"kg\":1}</f>\n"},
		[]string{"<f=a>5</f>x", "<f=a>5</f><f=a>5</f>"},
	},
	{
		"exactly one", format(tools + `, "stop_after_first": true, "at_least_one": true}`),
		[]string{"<f=a>5</f>"},
		[]string{"", "x<f=a>5</f>", "<f=a>5</f>x"},
	},
	{
		"excludes", format(tools + `, "excludes": ["no", "x<f=", "<f=a>6"]}`),
		[]string{"", "n o", "<f=a>5</f>n", "n<f=a>5</f>", "<f=a>6</f>", "xx <f=a>5</f>", "x<f"},
		[]string{"no", "<f=a>5</f>no", "x<f=a>5</f>"},
	},
	{
		"an excluded string inside a trigger", format(`{"type": "triggered_tags", "triggers": ["xabc", "y"], "excludes": ["abc"], "tags": [
			{"begin": "xabc!", "content": ` + number + `, "end": ";"}, {"begin": "y", "content": ` + number + `, "end": ";"}]}`),
		[]string{"", "xab", "y1;", "xaby1;c"},
		[]string{"xabc", "xabc!1;", "abc"},
	},
	{
		"an excluded string that ends inside a trigger", format(`{"type": "triggered_tags", "triggers": ["abcd", "b"],
			"excludes": ["xabc"], "tags": [{"begin": "abcd", "content": ` + number + `, "end": ";"},
			{"begin": "b", "content": ` + number + `, "end": ";"}]}`),
		[]string{"abcd1;", "b1;", "xab1;", "xxb2;yabcd3;"},
		[]string{"xabcd1;", "abc", "xabc"},
	},
	{
		"an end that contains an excluded string", format(`{"type": "tag", "begin": "", "content": {"type": ` +
			`"any_text", "excludes": ["</", "y</a>"]}, "end": "</a>"}`),
		[]string{"</a>", "x</a>", "y</a>", "<</a>"},
		[]string{"</", "</b></a>", "</</a>", "</a></a>"},
	},
	{
		"a trigger that ends with another", format(`{"type": "triggered_tags", "triggers": ["<fa", "a"], "tags": ` +
			`[{"begin": "<fa>", "content": ` + number + `, "end": ""}]}`),
		[]string{"", "<f", "<fa>1", "<<fa>12<"},
		[]string{"a", "<fa", "<fa>", "<fba", "<fa>1a"},
	},
	{
		"triggers inside triggers", format(`{"type": "triggered_tags", "triggers": ["abcde", "bcd", "c"], "tags": [{"begin": "abcde", "content": ` + number + `, "end": ";"},
			{"begin": "bcd", "content": ` + number + `, "end": ";"}, {"begin": "c", "content": ` + number + `, "end": ";"}]}`),
		[]string{"abcde1;", "bcd1;", "c1;", "abcd1;", "abc1;", "bc1;", "xbc1;abcde1;ab"},
		[]string{"abcde", "abcd", "c;", "bcde1;"},
	},
	{
		"begins that are prefixes", format(`{"type": "triggered_tags", "triggers": ["<", "<"], "tags": [
			{"begin": "<", "content": {"type": "const_string", "value": "abx"}, "end": ">"}, {"begin": "<a", "content": {"type": "const_string", "value": "by"}, "end": ">"},
			{"begin": "<ab", "content": {"type": "const_string", "value": "z"}, "end": ">"}, {"begin": "<ab", "content": {"type": "const_string", "value": "q"}, "end": ">"}]}`),
		[]string{"<abx>", "<aby>", "<abz>", "-<abq>-<abx>"},
		[]string{"<", "<ab>", "<abw>"},
	},
	{
		"triggers that are prefixes", format(`{"type": "triggered_tags", "triggers": ["<t", "<", "<tool"], "tags": [
			{"begin": "<tool>", "content": ` + number + `, "end": ";"}, {"begin": "<t>", "content": ` + number + `, "end": ";"},
			{"begin": "<>", "content": ` + number + `, "end": ";"}]}`),
		[]string{"", "<tool>1;", "x<t>2;<>3;", "tool>"},
		[]string{"<", "<t", "<to>1;", "<tool", "<<t>1;"},
	},
	{
		"an end inside a trigger", format(`{"type": "sequence", "elements": [
			{"type": "tag", "begin": "(", "content": {"type": "triggered_tags", "triggers": ["<!)a"], "tags": [
				{"begin": "<!)a", "content": ` + number + `, "end": ";"}]}, "end": ")"},
			{"type": "regex", "pattern": "[a-z]*"}]}`),
		[]string{"(x)", "(<!)", "(<!)b", "(<!)abc", "(<!)a1;)", "(<!)a1;x)a"},
		[]string{"(<!)a1", "(<!)a1;", "(<!)b1;)"},
	},
	{
		"triggers of many kinds", format(`{"type": "triggered_tags", "triggers": ["<a", "[<b", "<b", "x<by>"], "tags": [
			{"begin": "<a>", "content": ` + number + `, "end": ""}, {"begin": "[<b>", "content": ` + number + `, "end": "]"}, {"begin": "<b>", "content": ` + number + `, "end": ""}]}`),
		[]string{"<a>1", "[<b>1]", "<b>1<a>2", "x<b>3"},
		[]string{"<b", "x<by>", "[<b>", "[<b>1", "<c><a"},
	},
	{
		"a trigger inside another", format(`{"type": "triggered_tags", "triggers": ["bc", "abcd"], "tags": [
			{"begin": "bcx", "content": ` + number + `, "end": ";"}, {"begin": "abcd", "content": ` + number + `, "end": ";"}]}`),
		[]string{"", "abcd1;", "abcx1;", "aabcd1;b"},
		[]string{"abc", "abcd", "bc", "abcd;"},
	},
	{
		"a trigger without tag", format(`{"type": "triggered_tags", "triggers": ["<a", "<z"], "tags": [{"begin": ` +
			`"<a>", "content": ` + number + `, "end": ";"}]}`),
		[]string{"", "<", "<a>1;"},
		[]string{"<z", "a<z>"},
	},
	{
		"triggered tags inside a tag", format(`{"type": "sequence", "elements": [{"type": "tag", "begin": "<calls>", ` +
			`"end": "</calls>", "content": ` + tools + `}}, {"type": "any_text"}]}`),
		[]string{"<calls></calls>", "<calls>x<f=a>5</f>y</calls></calls>", "<calls></f></calls>free"},
		[]string{"<calls>", "<calls><f=a>5</calls>", "<calls><f=a></calls></calls>", "</calls>"},
	},
	{
		"trigger that begins the end", format(`{"type": "tag", "begin": "<l>", "end": ["</l>", "<end>"], "content": {"type": "triggered_tags", "triggers": ["<"], "tags": [
			{"begin": "<a>", "content": ` + number + `, "end": ";"}, {"begin": "</b>", "content": ` + number + `, "end": ";"}]}}`),
		[]string{"<l></l>", "<l>x<a>1;y</b>2;<end>"},
		[]string{"<l>", "<l><x</l>", "<l></l></l>", "<l>a < b</l>"},
	},
	{
		"end that begins the trigger", format(`{"type": "tag", "begin": "", "end": "<", "content": {"type": ` +
			`"triggered_tags", "triggers": ["<a"], "tags": [{"begin": "<a>", "content": ` + number +
			`, "end": ";"}]}}`),
		[]string{"<", "x<", "x<a>1;<"},
		[]string{"", "x", "<<", "<a", "<a>1;"},
	},
	{
		"stop after first inside a tag", format(`{"type": "tag", "begin": "(", "end": [")", "]"], "content": ` + tools +
			`, "stop_after_first": true}}`),
		[]string{"()", "(x]", "(x<f=a>1</f>)"},
		[]string{"(", "(<f=a>1</f>x)", "(<f=a>1</f>"},
	},
	{
		"free text is watched one level deep", format(`{"type": "tag", "begin": "A", "end": "Z", "content": {"type": ` +
			`"tag", "begin": "B", "content": {"type": "any_text"}, "end": "Y"}}`),
		[]string{"ABYZ", "ABZZYZ"},
		[]string{"ABYYZ", "ABZ"},
	},
	{
		"dispatch", format(`{"type": "dispatch", "rules": [["<a", {"type": "const_string", "value": ">1"}], ["<b",
			{"type": "regex", "pattern": "[xy]*"}]], "excludes": ["no", "y;"]}`),
		[]string{"", "x", "<a>1", "-<a>1<a>1-<bxyx<b", "<b;", "<bn", "<byn;", "\x80<a>1\xfe"},
		[]string{"<a", "<a>", "no", "<a>1no", "<a>2", "<bno", "<bxy;y;"},
	},
	{
		"dispatch without a loop", format(`{"type": "dispatch", "loop": false, "rules": [["a", ` + number + `],
			["ab", {"type": "const_string", "value": "!"}]]}`),
		[]string{"", "x", "a1", "xa12", "ab!", "ba1"},
		[]string{"a", "a1a1", "ab", "a1b", "ab!b"},
	},
	{
		"dispatch inside a tag", format(`{"type": "tag", "begin": "(", "end": ")", "content": {"type": "dispatch",
			"rules": [["a", ` + number + `]]}}`),
		[]string{"()", "(x)", "(a1)", "(xa1a2x)"},
		[]string{"(", "(a)", "(x))", "(a1"},
	},
	{
		"token_dispatch", format(`{"type": "token_dispatch", "rules": [["<|call|>", ` + number + `], [9, {"type":
			"const_string", "value": "b"}]], "exclude_tokens": [3]}`),
		[]string{"", "⟨4⟩", "⟨7⟩1", "⟨4⟩⟨7⟩12⟨4⟩⟨9⟩b⟨9⟩b⟨5⟩"},
		[]string{"x", "⟨7⟩", "⟨3⟩", "⟨2⟩", "⟨7⟩1⟨3⟩", "⟨9⟩⟨9⟩b", "⟨9⟩1"},
	},
	{
		"token_dispatch without a loop", format(`{"type": "token_dispatch", "rules": [[7, ` + number + `]], "loop":
			false}`),
		[]string{"", "⟨4⟩", "⟨7⟩1", "⟨4⟩⟨7⟩1"},
		[]string{"⟨7⟩1⟨4⟩", "⟨7⟩1⟨7⟩1", "⟨7⟩"},
	},
	{
		"token_triggered_tags", format(`{"type": "token_triggered_tags", "trigger_tokens": [7, 9, "<|end|>"],
			"exclude_tokens": [3], "tags": [
			{"begin": {"token": 7}, "content": ` + number + `, "end": {"token": 6}}, {"begin": {"token": "<|call|>"},
				"content": {"type": "const_string", "value": "x"}, "end": ["", ";"]},
			{"begin": {"token": 9}, "content": {"type": "any_text"}, "end": "."}]}`),
		[]string{
			"", "⟨4⟩⟨6⟩", "⟨7⟩1⟨6⟩", "⟨7⟩x", "⟨7⟩x;⟨7⟩1⟨6⟩⟨5⟩",
			"⟨9⟩abc.⟨4⟩",
		},
		[]string{"⟨7⟩", "⟨8⟩", "⟨3⟩", "⟨2⟩", "⟨7⟩1", "⟨7⟩1;", "⟨9⟩", "⟨9⟩..", "x"},
	},
	{
		"exactly one tag of a token", format(`{"type": "token_triggered_tags", "trigger_tokens": [7], "at_least_one":
			true, "stop_after_first": true, "tags": [{"begin": {"token": 7}, "content": ` + number + `,
			"end": ";"}]}`),
		[]string{"⟨7⟩1;"},
		[]string{"", "⟨4⟩⟨7⟩1;", "⟨7⟩1;⟨4⟩"},
	},
	{
		"at least one tag of a token inside a tag", format(`{"type": "tag", "begin": {"token": 8}, "end": {"token":
			5}, "content": {"type": "token_triggered_tags", "trigger_tokens": [7], "at_least_one": true,
			"tags": [{"begin": {"token": 7}, "content": ` + number + `, "end": ";"}]}}`),
		[]string{"⟨8⟩⟨7⟩1;⟨5⟩", "⟨8⟩⟨7⟩1;⟨4⟩⟨8⟩⟨5⟩"},
		[]string{
			"⟨8⟩⟨5⟩", "⟨8⟩⟨4⟩⟨7⟩1;⟨5⟩", "⟨8⟩⟨7⟩1;⟨5⟩⟨5⟩",
			"⟨8⟩⟨7⟩1;",
		},
	},
	{
		"bounded text", format(`{"type": "any_text", "max_chars": 3, "excludes": ["ab"]}`),
		[]string{"", "日日日", "a-b", "bba"},
		[]string{"ab", "xab", "日日日日", "\x80"},
	},
	{
		"bounded text in a tag", format(`{"type": "tag", "begin": "<", "content": {"type": "any_text", "max_chars":
			2, "excludes": ["xa", "y;"]}, "end": [";", "aab"]}`),
		[]string{"<;", "<日é;", "<aab", "<aaab", "<bbaab", "<ab;", "<y;"},
		[]string{"<", "<bbb;", "<aabaab", "<;;", "<xaab", "<bbb"},
	},
	{
		"bounded text whose end may be empty", format(`{"type": "tag", "begin": "", "content": {"type": "any_text",
			"max_chars": 2}, "end": ["", ";"]}`),
		[]string{"", "a", "aa", "aa;", ";"},
		[]string{"aaa", ";a", "aaa;"},
	},
	{"no text at all", format(`{"type": "tag", "begin": "<", "content": {"type": "any_text", "max_chars": 0}, "end":
		"aa"}`), []string{"<aa"}, []string{"<", "<aaa", "<a"}},
	{
		"tags with separator", format(`{"type": "tags_with_separator", "separator": ", ", "tags": [{"begin": "a", ` +
			`"content": ` + number + `, "end": ""}, {"begin": "b", "content": ` + number + `, "end": "."}]}`),
		[]string{"", "a1", "a1, b2.", "b2., b2., a12"},
		[]string{"a1,", "a1, ", "a1b2.", ", a1", "a"},
	},
	{
		"one tag", format(`{"type": "tags_with_separator", "separator": "", "at_least_one": true, ` +
			`"stop_after_first": ` +
			`true, "tags": [{"begin": "a", "content": ` + number + `, "end": ";"}]}`),
		[]string{"a1;"},
		[]string{"", "a1;a1;"},
	},
	{
		"empty separator in a tag", format(`{"type": "tag", "begin": "[", "end": "]", "content": {"type": ` +
			`"tags_with_separator", "separator": "", "at_least_one": true, "tags": [{"begin": "a", "content": ` +
			`{"type": "any_text"}, "end": ";"}]}}`),
		[]string{"[a;]", "[a];a1;]"},
		[]string{"[]", "[a]", "[a;a]"},
	},
	{
		"tokens", format(`{"type": "sequence", "elements": [{"type": "token", "token": 5}, {"type": "token", ` +
			`"token": ` +
			`"<|call|>"}, {"type": "exclude_token", "exclude_tokens": [5, "<|call|>"]}, {"type": "any_tokens", ` +
			`"exclude_tokens": [9]}]}`),
		[]string{"⟨5⟩⟨7⟩⟨6⟩", "⟨5⟩⟨7⟩⟨1⟩⟨5⟩⟨7⟩⟨8⟩"},
		[]string{"⟨5⟩⟨7⟩", "⟨5⟩⟨7⟩⟨5⟩", "⟨5⟩⟨7⟩⟨6⟩⟨9⟩", "⟨5⟩⟨7⟩⟨2⟩", "⟨5⟩⟨7⟩⟨6⟩⟨2⟩"},
	},
	{
		"tag of tokens", format(`{"type": "tags_with_separator", "separator": "", "tags": [
			{"begin": {"type": "token", "token": "<|call|>"}, "content": {"type": "any_text"}, "end": {"type": "token", "token": "<|end|>"}},
			{"begin": {"type": "token", "token": 4}, "content": {"type": "any_tokens"}, "end": {"token": 8}},
			{"begin": "text", "content": {"type": "exclude_token"}, "end": {"token": 8}}]}`),
		[]string{"", "⟨7⟩hello⟨8⟩⟨4⟩⟨9⟩⟨9⟩⟨8⟩", "⟨7⟩⟨8⟩text⟨1⟩⟨8⟩"},
		[]string{"⟨7⟩", "⟨7⟩a<|end|>⟨8⟩", "⟨7⟩⟨9⟩⟨8⟩", "⟨4⟩x⟨8⟩", "text⟨8⟩⟨8⟩", "⟨4⟩⟨8⟩⟨8⟩"},
	},
	{
		"legacy", `{"structures": [{"begin": "<f=a>", "schema": {"type": "integer"}, "end": "</f>"}, {"begin": ` +
			`"<f=s>", "schema": "{\"type\": \"string\"}", "end": "</f>"}], "triggers": ["<f="]}`,
		[]string{"", "x", "x<f=a>1</f>y<f=s>\"</f>\"</f>"},
		[]string{"<f=", "<f=a>\"\"</f>", "<f=a>1"},
	},
	{
		"legacy with at_least_one", `{"type": "structural_tag", "structures": [{"begin": "<f=a>", "schema": true, ` +
			`"end": "</f>"}], "triggers": ["<f="], "at_least_one": true}`,
		[]string{"<f=a>1</f>x"},
		[]string{"", "x<f=a>1</f>"},
	},
}

// engine returns the automaton of a grammar.
func engine(t testing.TB, st *terminal.Store, g *grammar.Grammar) func(text []byte) bool {
	g, _, err := rewrite.Run(st, g)
	require.NoError(t, err)
	p, err := pushdown.NewProgram(st, g)
	require.NoError(t, err)
	a := pushdown.NewAutomaton(p)
	return func(text []byte) bool { return a.Accepts(a.StepBytes(a.Start(), text)) }
}

// withTokens writes ⟨id⟩ of a test's text as the token.
func withTokens(s string) []byte {
	var b []byte
	for s != "" {
		before, rest, found := strings.Cut(s, "⟨")
		b = append(b, before...)
		if !found {
			break
		}
		id, after, _ := strings.Cut(rest, "⟩")
		b = append(b, oracle.Special(uint32(id[0]-'0'))...)
		s = after
	}
	return b
}

func TestLower(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			st, g, notes := compile(t, c.spec)
			require.Empty(t, notes)
			o := oracle.New(st, g)
			st, g, _ = compile(t, c.spec) // rules that wait are lowered once, so each reader has its own
			accepts := engine(t, st, g)
			for _, text := range c.yes {
				require.True(t, o.Accepts(withTokens(text)), "%q", text)
				require.True(t, accepts(withTokens(text)), "engine: %q", text)
			}
			for _, text := range c.no {
				require.False(t, o.Accepts(withTokens(text)), "%q", text)
				require.False(t, accepts(withTokens(text)), "engine: %q", text)
			}
		})
	}
}
