package main

import (
	"encoding/json"
	"slices"

	"github.com/sluice-engine/sluice/tests/corpus"
)

// parts are the constraints on strings in real schemas, and texts to try. Each list is sorted and without repetitions.
type parts struct {
	patterns, formats, texts []string
	lengths                  []bounds
}

// bounds are minLength and maxLength; −1: none.
type bounds struct{ least, most int }

// realParts returns the usual expressions of validation libraries and API descriptions, with the lengths found beside
// them.
func realParts() *parts {
	return &parts{
		formats: []string{
			"email", "idn-email", "hostname", "idn-hostname", "uri", "uri-reference", "iri", "uuid", "date", "time",
			"date-time", "duration", "ipv4", "ipv6", "json-pointer", "regex", "uri-template",
		},
		patterns: []string{
			`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
			`^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`, `^[\w.+-]+@[\w-]+\.[\w.-]+$`, `^\S+@\S+\.\S+$`,
			`^[^\s@]+@[^\s@]+\.[^\s@]+$`, `com$`, `\.org$`, `[a-z]$`, `@acme\.(com|org)$`, `^.+@.+$`, `(?i)@acme\.com$`,
			`^https?://`, `^https://[^/]+/.*$`, `^(http|https|ftp)://[^\s/$.?#].[^\s]*$`, `\.(png|jpe?g|gif|svg)$`,
			`^https?:\/\/(www\.)?[-a-zA-Z0-9@:%._\+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b([-a-zA-Z0-9()@:%_\+.~#?&//=]*)$`,
			`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$`, `^[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`, `^\*?[a-z.-]+$`,
			`^\d{4}-\d{2}-\d{2}$`, `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`, `Z$`, `^2`, `^([01]\d|2[0-3]):[0-5]\d`,
			`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, `^[0-9a-fA-F-]+$`, `^[^4]*$`,
			`^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$`, `^10\.`, `^192\.168\.`, `^fe80:`, `^[a-z0-9]+(?:-[a-z0-9]+)*$`,
			`^[A-Z][a-z]+( [A-Z][a-z]+)*$`, `^\+[1-9]\d{1,14}$`, `^(\+\d{1,3} ?)?(\(\d{1,4}\) ?)?[\d -]{5,15}$`,
			`^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`, `^\S(.*\S)?$`, `^(?!\s).*(?<!\s)$`, `^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,}$`,
			`^(?=.*[A-Za-z])(?=.*\d)[A-Za-z\d@$!%*#?&]{8,}$`, `^[^<>]*$`, `^(?!.*--)[a-z-]+$`, `\S`, `^\w+$`, `.`,
			`^[^.]{10,100}\.[^.]{10,100}\.$`, `^.{5,60} .{5,60}$`, `^.{0,100}keyword.{0,100}$`, `^.{1,80}: .{1,200}$`,
			`^.{10,50}; .{10,50}; .{10,50}$`, `^(\S{1,30}\s){0,20}\S{1,30}$`, `^([^,]{1,40}, ){1,8}[^,]{1,40}$`,
			`^.{1,64}@.{1,255}$`, `^(- [^\n]{5,80}\n){3,5}$`, `^(\w+\W+){4,30}\w+\W*$`, `^[^\n]{1,120}(\n[^\n]{1,120}){0,9}$`,
			`^([A-Z][^.!?]{10,200}[.!?] ?){1,3}$`, `^#[0-9a-fA-F]{6}$`, `^v?\d+\.\d+\.\d+(-[\w.]+)?(\+[\w.]+)?$`,
			`^(feat|fix|docs)(\([a-z-]{1,20}\))?: .{1,72}$`, `^/([\w.-]{1,64}/)*[\w.-]{1,64}$`, `^\$\.[a-z.\[\]0-9]+$`,
			`^[\p{L}\p{M}' .-]{1,100}$`, `^(?!null$|none$).+$`, `^\s*$|^.{3,50}$`,
		},
		lengths: []bounds{
			{-1, -1},
			{1, -1},
			{3, -1},
			{5, 127},
			{-1, 254},
			{-1, 100},
			{20, -1},
			{20, 100},
			{-1, 180},
			{1, 255},
			{8, 64},
			{10, 200},
			{-1, 63},
			{-1, 2048},
			{40, 400},
			{6, 6},
			{12, -1},
		},
		texts: []string{
			"john.doe@mail.example.com", "a@b.com", "x@acme.org", "用户@example.com", "api.example.com", "example.com",
			"xn--bcher-kva.example", "bücher.example", "https://www.example.com/a?b=c", "http://localhost:8080/x#y",
			"https://example.com/picture.png", "/a/b", "2024-02-29", "12:30:00Z", "2024-02-29T12:30:00.5+01:00", "P3DT4H",
			"192.168.0.1", "10.0.0.1", "fe80::1", "::ffff:10.0.0.1", "123e4567-e89b-42d3-a456-426614174000", "/a~1b/0",
			"^[a-z]+$", "http://x.org/{id}", "a-slug-of-words", "Ada Lovelace", "+4915112345678", "DE89370400440532013000",
			"hello world again and again", "aaaaaaaaaaaaaaa keyword b", "a title: and what it is about, with words",
			"aaaaaaaaaaa; bbbbbbbbbbb; ccccccccccc", "one two three four five six", "alpha, beta, gamma, delta, epsilon",
			"- first line\n- second line\n- third line\n", "A sentence of some words here. Another one follows it now.",
			"Passw0rd!", "v1.2.3-rc.1+build", "fix(core): a short line", "#a1b2c3", "", " ", "é\"\\/\n\t",
		},
	}
}

// collect adds the patterns, formats and lengths of MaskBench's schemas, and the strings of its instances.
func (p *parts) collect(data string) error {
	take := func(x *corpus.Job) {
		var schema any
		if json.Unmarshal(x.Spec, &schema) == nil {
			p.read(schema)
		}
		for _, t := range x.Tests {
			var value any
			if t.Valid && json.Unmarshal([]byte(t.Text()), &value) == nil {
				p.strings(value)
			}
		}
	}
	if err := corpus.MaskBench(data, take); err != nil {
		return err
	}
	for _, list := range []*[]string{&p.patterns, &p.formats, &p.texts} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	slices.SortFunc(p.lengths, func(x, y bounds) int {
		if x.least != y.least {
			return x.least - y.least
		}
		return x.most - y.most
	})
	p.lengths = slices.Compact(p.lengths)
	return nil
}

// read adds the constraints on strings in a schema, at any depth.
func (p *parts) read(x any) {
	switch x := x.(type) {
	case []any:
		for _, y := range x {
			p.read(y)
		}
	case map[string]any:
		if s, ok := x["pattern"].(string); ok {
			p.patterns = append(p.patterns, s)
		}
		if s, ok := x["format"].(string); ok && slices.Contains(p.formats, s) {
			p.formats = append(p.formats, s)
		}
		b := bounds{-1, -1}
		if n, ok := x["minLength"].(float64); ok {
			b.least = int(n)
		}
		if n, ok := x["maxLength"].(float64); ok {
			b.most = int(n)
		}
		p.lengths = append(p.lengths, b)
		for _, y := range x {
			p.read(y)
		}
	}
}

// longestText is up to which length strings of instances are tried.
const longestText = 120

// strings adds the strings of an instance.
func (p *parts) strings(x any) {
	switch x := x.(type) {
	case string:
		if len(x) <= longestText {
			p.texts = append(p.texts, x)
		}
	case []any:
		for _, y := range x {
			p.strings(y)
		}
	case map[string]any:
		for _, y := range x {
			p.strings(y)
		}
	}
}
