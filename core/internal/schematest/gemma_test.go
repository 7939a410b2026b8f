package schematest

import (
	"encoding/json"
	"math/rand"
	"regexp"
	"strings"
)

// A writer and a reader of arguments in Gemma's format, by its own rules: names are bare, texts are literal between two
// equal marks, and the rest is JSON.

// gemmaCall writes an object as arguments, without the braces around them.
func gemmaCall(r *rand.Rand, value any, mark string) string {
	text := gemmaText(r, value, mark)
	if strings.HasPrefix(text, "{") {
		text = text[1 : len(text)-1]
	}
	return text
}

func gemmaText(r *rand.Rand, value any, mark string) string {
	switch x := value.(type) {
	case string:
		return mark + x + mark
	case []any:
		var items []string
		for _, v := range x {
			items = append(items, gemmaText(r, v, mark))
		}
		return "[" + strings.Join(items, ",") + "]"
	case map[string]any:
		var items []string
		for _, k := range shuffledKeys(r, x) {
			items = append(items, k+":"+gemmaText(r, x[k], mark))
		}
		return "{" + strings.Join(items, ",") + "}"
	case json.Number:
		if mantissa, power, found := strings.Cut(x.String(), "e"); found && !strings.Contains(mantissa, ".") {
			return mantissa + ".0e" + power
		}
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// gemmaWrites reports whether all names in a value may be written without being declared.
func gemmaWrites(value any, names *regexp.Regexp) bool {
	switch x := value.(type) {
	case []any:
		for _, v := range x {
			if !gemmaWrites(v, names) {
				return false
			}
		}
	case map[string]any:
		for k, v := range x {
			if !names.MatchString(k) || !gemmaWrites(v, names) {
				return false
			}
		}
	}
	return true
}

// gemmaReader reads arguments. An error sets bad.
type gemmaReader struct {
	rest, mark string
	bad, twice bool
}

// gemmaNames match the names that may be undeclared. A bare number with an exponent has a decimal point.
var (
	gemmaNames = map[string]*regexp.Regexp{
		`<|"|>`: regexp.MustCompile(`^[-\w.$@/]+$`), "<escape>": regexp.MustCompile(`^\w+$`),
	}
	gemmaName = regexp.MustCompile(`^[^:,{}\[\]<>\s]+`)
	gemmaBare = regexp.MustCompile(`^(null|true|false|-?(0|[1-9][0-9]*)(\.[0-9]+([eE][-+]?[0-9]+)?)?)`)
)

// readGemmaCall reads arguments as an object, and reports whether a name occurs twice.
func readGemmaCall(text, mark string) (value map[string]any, twice, ok bool) {
	p := &gemmaReader{rest: text + "}", mark: mark}
	value = p.members()
	return value, p.twice, !p.bad && p.rest == ""
}

// take skips a mark and reports whether it came next.
func (p *gemmaReader) take(mark string) bool {
	rest, ok := strings.CutPrefix(p.rest, mark)
	p.rest = rest
	return ok
}

func (p *gemmaReader) members() map[string]any {
	o := map[string]any{}
	for first := true; !p.bad && !p.take("}"); first = false {
		comma := first || p.take(",")
		name := gemmaName.FindString(p.rest)
		p.rest = p.rest[len(name):]
		p.bad = !comma || name == "" || !p.take(":")
		_, again := o[name]
		p.twice = p.twice || again
		o[name] = p.value()
	}
	return o
}

func (p *gemmaReader) value() any {
	switch {
	case p.bad:
		return nil
	case p.take(p.mark):
		text, rest, found := strings.Cut(p.rest, p.mark)
		p.rest, p.bad = rest, !found
		return text
	case p.take("{"):
		return p.members()
	case p.take("["):
		items := []any{}
		for first := true; !p.bad && !p.take("]"); first = false {
			p.bad = !first && !p.take(",")
			items = append(items, p.value())
		}
		return items
	}
	bare := gemmaBare.FindString(p.rest)
	p.rest = p.rest[len(bare):]
	switch bare {
	case "":
		p.bad = true
		return nil
	case "null":
		return nil
	case "true", "false":
		return bare == "true"
	}
	return json.Number(bare)
}
