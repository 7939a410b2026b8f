package regex

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"
)

// Go's tables have categories and scripts. unicode.txt has binary properties, short names of scripts, and characters
// that several scripts use.

//go:embed unicode.txt
var unicodeText string

type unicodeLine struct{ name, characters string }

// unicodeLines holds the lines by kind and by each name in the form of loose. Patterns rarely name properties, so they
// are read at first use.
var unicodeLines = sync.OnceValue(func() map[string]unicodeLine {
	lines := map[string]unicodeLine{}
	for line := range strings.Lines(unicodeText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		names, characters, _ := strings.Cut(strings.TrimSpace(line), ":")
		words := strings.Fields(names)
		for _, name := range words[1:] {
			lines[words[0]+" "+loose(name)] = unicodeLine{words[1], characters}
		}
	}
	return lines
})

func (l unicodeLine) ranges() []rune {
	var out []rune
	for _, x := range strings.Fields(l.characters) {
		first, last, several := strings.Cut(x, "-")
		if !several {
			last = first
		}
		for _, digits := range [...]string{first, last} {
			c, _ := strconv.ParseUint(digits, 16, 32) // the file has valid digits
			out = append(out, rune(c))
		}
	}
	return out
}

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
	p.work.Spend(len(r)) // for the copy; unions and complements count separately
	return slices.Clone(r), true
}

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
	return binaryProperty(name)
}

var ignored = strings.NewReplacer("_", "", "-", "", " ", "")

// loose normalises a name for Unicode's loose matching: without case, spaces, hyphens and underscores.
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
	for n, short := range unicode.CategoryAliases { // at most one name matches, so the order does not matter
		if loose(n) == want {
			return tableRanges(unicode.Categories[short]), true
		}
	}
	return nil, false
}

func script(name string) ([]rune, bool) {
	l, ok := unicodeLines()["script "+loose(name)]
	if !ok {
		return nil, false
	}
	return tableRanges(unicode.Scripts[l.name]), true
}

// usedWith returns the characters of a script, including characters that several scripts use.
func usedWith(name string) ([]rune, bool) {
	if l, ok := unicodeLines()["used-with "+loose(name)]; ok {
		return l.ranges(), true
	}
	return script(name)
}

func binaryProperty(name string) ([]rune, bool) {
	switch name = loose(name); name {
	case "any":
		return anyRanges, true
	case "ascii":
		return []rune{0, 127}, true
	case "assigned":
		return charclass.Complement(tableRanges(unicode.Cn)), true
	}
	l, ok := unicodeLines()["property "+name]
	return l.ranges(), ok
}

// tables caches the ranges of Go's tables, at most 200.
//
// PERF: 60,000 patterns of a grammar with \p{L} and \P{N}: 0.24 → 0.09 s.
var tables sync.Map

func tableRanges(t *unicode.RangeTable) []rune {
	known, ok := tables.Load(t)
	if !ok {
		known, _ = tables.LoadOrStore(t, newTableRanges(t))
	}
	return known.([]rune)
}

func newTableRanges(t *unicode.RangeTable) []rune {
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
