package corpus

import (
	"fmt"
	"regexp"
	"strings"
)

// Layout is how a serializer lays out JSON text.
type Layout struct {
	Name         string
	comma, colon string
	line, indent string // no line end: one line
	inline       string // within brackets that no line ends in
}

// Layouts returns the layouts of json.dumps, JSON.stringify, json.MarshalIndent, jq, serde_json, System.Text.Json,
// Jackson and json_encode, with every indentation.
func Layouts() []Layout {
	list := []Layout{
		{Name: "Python", comma: ", ", colon: ": "},
		{Name: "compact Python, JavaScript, Go, serde_json, PHP", comma: ",", colon: ":"},
		{Name: "JavaScript, jq, serde_json, 2", comma: ",", colon: ": ", line: "\n", indent: "  "},
		{Name: ".NET on Windows", comma: ",", colon: ": ", line: "\r\n", indent: "  "},
		{Name: "Go", comma: ",", colon: ": ", line: "\n", indent: "\t"},
		{Name: "two tabs", comma: ",", colon: ": ", line: "\r\n", indent: "\t\t"},
		{Name: "PHP, 4", comma: ",", colon: ": ", line: "\n", indent: "    "},
		{Name: "Jackson", comma: ",", colon: " : ", line: "\n", indent: "  ", inline: " "},
		{Name: "empty lines", comma: ",", colon: ": ", line: "\n\n", indent: "  "},
		{Name: "no indentation", comma: ",", colon: ": ", line: "\n"},
	}
	for n := 1; n <= 8; n++ {
		list = append(list, Layout{
			Name: fmt.Sprint("indent ", n), comma: ",", colon: ": ", line: "\n", indent: strings.Repeat(" ", n),
		})
	}
	return list
}

// Write lays out JSON text, and returns its longest run of whitespace outside of strings.
func (l *Layout) Write(text string) (out string, longest int) {
	var b strings.Builder
	depth := 0
	gap := func(s string) {
		longest = max(longest, len(s))
		b.WriteString(s)
	}
	line := func() string { return l.line + strings.Repeat(l.indent, depth) }
	for _, t := range JSONTokens(text) {
		switch t {
		case "{", "[":
			b.WriteString(t)
			if depth++; l.line != "" {
				gap(line())
			}
		case "}", "]":
			if depth--; l.line != "" {
				gap(line())
			}
			b.WriteString(t)
		case "{}", "[]":
			b.WriteString(t[:1] + l.inline + t[1:])
		case ",":
			b.WriteString(strings.TrimSuffix(l.comma, " "))
			end := l.comma[1:]
			if l.line != "" {
				end += line()
			}
			gap(end)
		case ":":
			b.WriteString(l.colon)
		default:
			b.WriteString(t)
		}
	}
	return b.String(), longest
}

var oneToken = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[][{},:]|[^][{},:"\s]+`)

// JSONTokens splits JSON text. Empty brackets are one token.
func JSONTokens(text string) []string {
	list := oneToken.FindAllString(text, -1)
	for i, t := range list {
		if n := len(t); n > 2 && t[0] != '"' && (t[n-1] == '}' || t[n-1] == ']') {
			list[i] = t[:1] + t[n-1:]
		}
	}
	return list
}

// Fits says whether gaps may be so long.
func (l *Layout) Fits(longest int) bool {
	if strings.Contains(l.indent, "\t") {
		return longest <= len(l.line)+31
	}
	return longest <= 128
}

var oneCall = regexp.MustCompile(`>(\{.*?\})</function>`)

// Calls lays out the arguments of all calls of a text.
func (l *Layout) Calls(text string) (out string, longest int) {
	out = oneCall.ReplaceAllStringFunc(text, func(call string) string {
		arguments, n := l.Write(oneCall.FindStringSubmatch(call)[1])
		longest = max(longest, n)
		return ">" + arguments + "</function>"
	})
	return out, longest
}
