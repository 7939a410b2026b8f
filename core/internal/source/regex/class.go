package regex

import (
	"cmp"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"
)

// Character classes are ascending, non-touching pairs lo, hi of code points. The predefined ones are shared and must
// not be changed.
var (
	digitRanges = []rune{'0', '9'}
	wordRanges  = []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	spaceRanges = []rune{'\t', '\r', ' ', ' '} // \t \n \v \f \r and the space
	// blankRanges is PCRE's \h: horizontal space.
	blankRanges = []rune{
		'\t', '\t', ' ', ' ', 0xA0, 0xA0, 0x1680, 0x1680, 0x180E, 0x180E, 0x2000, 0x200A, 0x202F, 0x202F, 0x205F,
		0x205F, 0x3000, 0x3000,
	}
	// lineRanges are the line terminators of ECMA-262. A dot excludes them, and they end lines.
	lineRanges = []rune{'\n', '\n', '\r', '\r', 0x2028, 0x2029}
	anyRanges  = []rune{0, utf8.MaxRune}

	notDigitRanges = charclass.Complement(digitRanges)
	notWordRanges  = charclass.Complement(wordRanges)
	notSpaceRanges = charclass.Complement(spaceRanges)
	notBlankRanges = charclass.Complement(blankRanges)
	dotRanges      = charclass.Complement(lineRanges)
	newlineRanges  = charclass.Complement([]rune{'\n', '\n'})
)

var posixClasses = map[string][]rune{
	"alnum": {
		'0', '9', 'A', 'Z', 'a', 'z',
	}, "alpha": {'A', 'Z', 'a', 'z'}, "ascii": {0, 127}, "blank": {'\t', '\t', ' ', ' '},
	"cntrl": {0, 31, 127, 127}, "digit": digitRanges, "graph": {'!', '~'}, "lower": {'a', 'z'}, "print": {' ', '~'},
	"punct": {'!', '/', ':', '@', '[', '`', '{', '~'}, "space": spaceRanges, "upper": {'A', 'Z'}, "word": wordRanges,
	"xdigit": {'0', '9', 'A', 'F', 'a', 'f'},
}

// foldClass adds to normalized ranges every code point that differs only in case (Unicode simple folding).
func (p *parser) foldClass(r []rune) []rune {
	out, looks := slices.Clone(r), len(r)
	add := func(f rune) {
		looks++
		if !charclass.Has(r, f) { // most classes have both cases, and Normalize has nothing to sort then
			out = append(out, f, f)
		}
	}
	if n := charclass.Len(r); n < 256 {
		looks += n
		for i := 0; i < len(r); i += 2 {
			for c := r[i]; c <= r[i+1]; c++ {
				for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
					add(f)
				}
			}
		}
	} else {
		all := caseFolds()
		for i := 0; i < len(r); i += 2 {
			from, _ := slices.BinarySearchFunc(all, r[i], func(x caseFold, c rune) int { return int(x.of - c) })
			for ; from < len(all) && all[from].of <= r[i+1]; from++ {
				add(all[from].is)
			}
		}
	}
	p.work.Spend(looks + len(out) - len(r))
	return charclass.Normalize(out)
}

type caseFold struct{ of, is rune }

// caseFolds lists them in ascending order. It is a constant of Unicode that is computed at first use, because most
// processes never fold a large class.
var caseFolds = sync.OnceValue(func() (all []caseFold) {
	for _, t := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.S} {
		r := tableRanges(t)
		for i := 0; i < len(r); i += 2 {
			for c := r[i]; c <= r[i+1]; c++ {
				for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
					all = append(all, caseFold{c, f})
				}
			}
		}
	}
	slices.SortFunc(all, func(x, y caseFold) int { return cmp.Or(cmp.Compare(x.of, y.of), cmp.Compare(x.is, y.is)) })
	return all
})

func foldRune(c rune) []rune {
	out := []rune{c, c}
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		out = append(out, f, f)
	}
	return charclass.Normalize(out)
}

// joinSurrogates turns a class of high surrogates followed by a class of low ones, as patterns without ECMA's flag u
// spell characters beyond U+FFFF, into the class of those characters. It reports whether the two are such a pair.
func joinSurrogates(high, low []rune) ([]rune, bool) {
	if !within(high, 0xD800, 0xDBFF) || !within(low, 0xDC00, 0xDFFF) {
		return nil, false
	}
	var out []rune
	for i := 0; i < len(high); i += 2 {
		for h := high[i]; h <= high[i+1]; h++ {
			base := 0x10000 + (h-0xD800)<<10
			for j := 0; j < len(low); j += 2 {
				out = append(out, base+low[j]-0xDC00, base+low[j+1]-0xDC00)
			}
		}
	}
	return charclass.Normalize(out), true
}

func within(r []rune, lo, hi rune) bool {
	return len(r) > 0 && r[0] >= lo && r[len(r)-1] <= hi
}
