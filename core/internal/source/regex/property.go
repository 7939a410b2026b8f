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

// Categories and scripts are in Go's tables. All else that \p{…} names is in unicode.txt: binary properties, short
// names of scripts, and the characters that are used with a script if those are not the script's alone.

//go:embed unicode.txt
var unicodeText string

// unicodeLine is a line of unicode.txt: a name and its characters.
type unicodeLine struct{ name, characters string }

// unicodeLines holds the lines by their kinds and each of their names, in the form that loose returns. Patterns seldom
// name properties, so they are read at first use.
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

// ranges returns the characters of a line.
func (l unicodeLine) ranges() []rune {
	var out []rune
	for _, x := range strings.Fields(l.characters) {
		first, last, several := strings.Cut(x, "-")
		if !several {
			last = first
		}
		for _, digits := range [...]string{first, last} {
			c, _ := strconv.ParseUint(digits, 16, 32) // as the file has them
			out = append(out, rune(c))
		}
	}
	return out
}

// property returns the class that the text inside \p{…} names, which the caller may change.
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
	p.work.Spend(len(r)) // they are copied; where they are joined with others or complemented, each counts besides
	return slices.Clone(r), true
}

// property returns the class that the text inside \p{…} names.
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

// loose brings a name into the form of Unicode's loose matching: case, spaces, hyphens and underscores do not count.
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
	for n, short := range unicode.CategoryAliases { // at most one name matches, so the order is of no account
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

// usedWith returns the characters that are used with a script: those that belong to it alone, and those that it shares.
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

// tables caches the ranges of Go's tables, by table: 200 at most.
//
// PERF: 60,000 patterns of a grammar with \p{L} and \P{N} take 0.09 s, and took 0.24.
var tables sync.Map

// tableRanges returns the characters of a table, which callers must not change.
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
