package regex

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"
)

// Character classes are ascending, non-touching pairs lo, hi of code points. The predefined ones below are shared and
// never written to.
var (
	digitRanges = []rune{'0', '9'}
	wordRanges  = []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	spaceRanges = []rune{'\t', '\r', ' ', ' '} // \t \n \v \f \r and the space
	// blankRanges is PCRE's \h: horizontal space.
	blankRanges = []rune{
		'\t', '\t', ' ', ' ', 0xA0, 0xA0, 0x1680, 0x1680, 0x180E, 0x180E, 0x2000, 0x200A, 0x202F, 0x202F, 0x205F,
		0x205F, 0x3000, 0x3000,
	}
	// lineRanges are the line terminators of ECMA-262: what a dot leaves out and what lines end in.
	lineRanges = []rune{'\n', '\n', '\r', '\r', 0x2028, 0x2029}
	anyRanges  = []rune{0, utf8.MaxRune}

	notDigitRanges = charclass.Complement(digitRanges)
	notWordRanges  = charclass.Complement(wordRanges)
	notSpaceRanges = charclass.Complement(spaceRanges)
	notBlankRanges = charclass.Complement(blankRanges)
	dotRanges      = charclass.Complement(lineRanges)
	newlineRanges  = charclass.Complement([]rune{'\n', '\n'})
)

// posixClasses are the names of [[:name:]], in ASCII as PCRE has them.
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
	out, looks := slices.Clone(r), 0
	fold := func(c rune) {
		looks++
		for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
			out = append(out, f, f)
		}
	}
	for i := 0; i < len(r); i += 2 {
		if r[i+1]-r[i] < 256 {
			for c := r[i]; c <= r[i+1]; c++ {
				fold(c)
			}
			continue
		}
		cased := casedRunes()
		from, _ := slices.BinarySearch(cased, r[i])
		for ; from < len(cased) && cased[from] <= r[i+1]; from++ {
			fold(cased[from])
		}
	}
	p.work.Spend(looks + len(out)) // which are sorted
	return charclass.Normalize(out)
}

// casedRunes lists the code points that have another case, in ascending order. It is a constant of Unicode that is
// computed at first use, because most processes never fold a large class.
var casedRunes = sync.OnceValue(func() []rune {
	var out []rune
	for _, t := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.S} {
		r := tableRanges(t)
		for i := 0; i < len(r); i += 2 {
			for c := r[i]; c <= r[i+1]; c++ {
				if unicode.SimpleFold(c) != c {
					out = append(out, c)
				}
			}
		}
	}
	slices.Sort(out)
	return out
})

// foldRune returns the code points that equal c but for case.
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
