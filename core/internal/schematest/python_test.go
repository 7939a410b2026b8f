package schematest

import (
	"encoding/json"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A writer and a reader of the arguments of a call in Python, by Python's own rules: the reader knows escapes that the
// engine never writes.

// pythonCall writes an object as arguments. Names that are no identifiers make it invalid.
func pythonCall(r *rand.Rand, value any) string {
	members, ok := value.(map[string]any)
	if !ok {
		return pythonText(r, value)
	}
	var parts []string
	for _, k := range shuffledKeys(r, members) {
		parts = append(parts, k+"="+pythonText(r, members[k]))
	}
	return strings.Join(parts, [...]string{",", ", "}[r.Intn(2)])
}

func shuffledKeys(r *rand.Rand, members map[string]any) (keys []string) {
	for k := range members {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

func pythonText(r *rand.Rand, value any) string {
	switch x := value.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{false: "False", true: "True"}[x]
	case string:
		quoted, _ := json.Marshal(x)
		return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted))
	case []any:
		var items []string
		for _, v := range x {
			items = append(items, pythonText(r, v))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var items []string
		for _, k := range shuffledKeys(r, x) {
			items = append(items, pythonText(r, k)+": "+pythonText(r, x[k]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// pythonReader reads Python. An error sets bad.
type pythonReader struct {
	rest       string
	bad, twice bool
}

var (
	pythonName   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)
	pythonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`)
)

// readPythonCall reads arguments as an object, and reports whether a name occurs twice.
func readPythonCall(text string) (value map[string]any, twice, ok bool) {
	p := &pythonReader{rest: text}
	value = map[string]any{}
	for p.space(); p.rest != "" && !p.bad; {
		name := pythonName.FindString(p.rest)
		p.rest = p.rest[len(name):]
		p.space()
		p.bad = p.bad || name == "" || slices.Contains([]string{"None", "True", "False", "if", "in", "is"}, name)
		p.take("=")
		p.put(value, name, p.value())
		if p.space(); p.rest == "" {
			break
		}
		p.take(",")
		p.space()
		p.bad = p.bad || p.rest == ""
	}
	return value, p.twice, !p.bad
}

func (p *pythonReader) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *pythonReader) take(text string) {
	rest, ok := strings.CutPrefix(p.rest, text)
	p.rest, p.bad = rest, p.bad || !ok
}

func (p *pythonReader) put(o map[string]any, name string, v any) {
	_, again := o[name]
	p.twice = p.twice || again
	o[name] = v
}

func (p *pythonReader) value() any {
	p.space()
	for word, v := range map[string]any{"None": nil, "True": true, "False": false} {
		if pythonName.FindString(p.rest) == word {
			p.take(word)
			return v
		}
	}
	switch {
	case p.bad || p.rest == "":
		p.bad = true
		return nil
	case p.rest[0] == '"' || p.rest[0] == '\'':
		return p.text()
	case p.rest[0] == '[':
		items := []any{}
		p.list("[", "]", func() { items = append(items, p.value()) })
		return items
	case p.rest[0] == '{':
		o := map[string]any{}
		p.list("{", "}", func() {
			k, ok := p.value().(string)
			p.bad = p.bad || !ok
			p.space()
			p.take(":")
			p.put(o, k, p.value())
		})
		return o
	}
	n := pythonNumber.FindString(p.rest)
	p.bad = p.bad || n == ""
	p.rest = p.rest[len(n):]
	return json.Number(n)
}

func (p *pythonReader) list(open, end string, item func()) {
	p.take(open)
	for p.space(); !p.bad && !strings.HasPrefix(p.rest, end); p.space() {
		item()
		if p.space(); !strings.HasPrefix(p.rest, end) {
			p.take(",")
		}
	}
	p.take(end)
}

// text reads a string between quotes of either kind.
func (p *pythonReader) text() string {
	quote := p.rest[0]
	var b strings.Builder
	for at := 1; at < len(p.rest); {
		c, n := utf8.DecodeRuneInString(p.rest[at:])
		switch {
		case p.rest[at] == quote:
			p.rest = p.rest[at+1:]
			return b.String()
		case c == '\n':
			p.bad = true
			return ""
		case c != '\\':
			b.WriteString(p.rest[at : at+n])
			at += n
			continue
		case at+1 == len(p.rest):
			p.bad = true
			return ""
		}
		e := p.rest[at+1]
		at += 2
		if digits, ok := map[byte]int{'x': 2, 'u': 4, 'U': 8}[e]; ok {
			unit, err := strconv.ParseUint(p.rest[at:min(len(p.rest), at+digits)], 16, 32)
			p.bad = p.bad || err != nil || unit >= 0xD800 && unit < 0xE000
			b.WriteRune(rune(unit))
			at += digits
			continue
		}
		short := map[byte]string{
			'\\': `\`, '\'': "'", '"': `"`, 'n': "\n", 'r': "\r", 't': "\t", 'b': "\b", 'f': "\f", 'a': "\a", 'v': "\v",
			'\n': "",
		}
		if text, ok := short[e]; ok {
			b.WriteString(text)
		} else {
			b.WriteString(`\` + string(e)) // Python keeps an unknown escape
		}
	}
	p.bad = true
	return ""
}
