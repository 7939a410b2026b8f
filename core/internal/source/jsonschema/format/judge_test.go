package format

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/cases"
	"golang.org/x/text/secure/bidirule"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

type runeClass uint8

const (
	notKnown     runeClass = iota
	notPermitted           // or not assigned
	permitted
	permittedJoiner    // under the rules of joiners
	permittedInContext // under a rule of its own
)

// labelTable computes and caches the classes of characters in internationalised labels. One goroutine at a time.
type labelTable struct {
	pages   [(unicode.MaxRune + 1) >> 8]*[256]runeClass
	fold    cases.Caser
	joiners *idna.Profile
}

func newLabelTable() *labelTable {
	return &labelTable{fold: cases.Fold(), joiners: idna.New(idna.CheckJoiners(true))}
}

func (t *labelTable) class(r rune) runeClass {
	page := t.pages[r>>8]
	if page == nil {
		page = new([256]runeClass)
		t.pages[r>>8] = page
	}
	c := &page[r&0xFF]
	if *c == notKnown {
		*c = t.derive(r)
	}
	return *c
}

// derive is the algorithm of RFC 5892, section 3.
func (t *labelTable) derive(r rune) runeClass {
	switch r {
	case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007:
		return permitted
	case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B:
		return notPermitted
	case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB:
		return permittedInContext
	case 0x200C, 0x200D:
		return permittedJoiner
	}
	switch {
	case r >= 0x660 && r <= 0x669, r >= 0x6F0 && r <= 0x6F9:
		return permittedInContext
	case r < utf8.RuneSelf:
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return permitted
		}
		return notPermitted
	case !unicode.In(r, unicode.Ll, unicode.Lo, unicode.Lm, unicode.Nd, unicode.Mn, unicode.Mc):
		return notPermitted // capital letters are not stable
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3:
		return permitted
	case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector), ignorableBlock(r), oldHangul(r):
		return notPermitted
	}
	// Stable: unchanged by folding case and compatible forms.
	text := string(r)
	if norm.NFKC.String(t.fold.String(norm.NFKC.String(text))) != text {
		return notPermitted
	}
	return permitted
}

// ignorableBlock reports whether r is in a block of RFC 5892, section 2.4: marks for symbols and musical notes.
func ignorableBlock(r rune) bool {
	return r >= 0x20D0 && r <= 0x20FF || r >= 0x1D100 && r <= 0x1D1FF || r >= 0x1D200 && r <= 0x1D24F
}

func oldHangul(r rune) bool {
	return r >= 0x1100 && r <= 0x11FF || r >= 0xA960 && r <= 0xA97C || r >= 0xD7B0 && r <= 0xD7FB
}

// labelKind holds the facts about a label that its name depends on.
type labelKind struct {
	valid bool
	rtl   bool
	loose bool // forbidden beside such a label, see RFC 5893
}

// judge reports whether an internationalised label is valid: RFC 5891, section 4.2. ASCII must be in small letters.
func (t *labelTable) judge(label []rune) labelKind {
	n := len(label)
	if n == 0 || label[0] == '-' || label[n-1] == '-' || n >= 4 && label[2] == '-' && label[3] == '-' {
		return labelKind{}
	}
	joined, plain := false, true
	for i, r := range label {
		switch t.class(r) {
		case notPermitted:
			return labelKind{}
		case permittedJoiner:
			joined = true
		case permittedInContext:
			if !inContext(label, i) {
				return labelKind{}
			}
		}
		plain = plain && r < utf8.RuneSelf
	}
	if plain {
		return labelKind{valid: true, loose: isDigit(label[0])}
	}
	text := string(label)
	if unicode.Is(unicode.M, label[0]) || !norm.NFC.IsNormalString(text) {
		return labelKind{}
	}
	if joined {
		if _, err := t.joiners.ToASCII(text); err != nil {
			return labelKind{}
		}
	}
	rtl, ok := bidirule.DirectionString(text) == bidi.RightToLeft, bidirule.ValidString(text)
	return labelKind{valid: ok || !rtl, rtl: rtl, loose: !ok}
}

// inContext applies the rules of RFC 5892, appendix A.3 to A.9, to character i.
func inContext(label []rune, i int) bool {
	before, after := rune(-1), rune(-1)
	if i > 0 {
		before = label[i-1]
	}
	if i+1 < len(label) {
		after = label[i+1]
	}
	some := func(f func(r rune) bool) bool {
		for _, r := range label {
			if f(r) {
				return true
			}
		}
		return false
	}
	switch r := label[i]; {
	case r == 0xB7: // the middle dot of Catalan
		return before == 'l' && after == 'l'
	case r == 0x375: // keraia
		return unicode.Is(unicode.Greek, after)
	case r == 0x5F3 || r == 0x5F4: // geresh, gershayim
		return unicode.Is(unicode.Hebrew, before)
	case r == 0x30FB: // the middle dot of Katakana
		return some(func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) })
	case r >= 0x660 && r <= 0x669:
		return !some(func(r rune) bool { return r >= 0x6F0 && r <= 0x6F9 })
	default:
		return !some(func(r rune) bool { return r >= 0x660 && r <= 0x669 })
	}
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
