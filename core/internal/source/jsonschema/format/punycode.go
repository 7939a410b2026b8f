package format

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// encodedPrefix begins an encoded label (RFC 5890); the rest is in Punycode (RFC 3492).
const encodedPrefix = "xn--"

const encodedLength = limits.HostLabel - len(encodedPrefix)

// Parameters of RFC 3492, section 5.
const (
	punyBase    = 36
	punyLow     = 1
	punyHigh    = 26
	punySkew    = 38
	punyDamp    = 700
	punyBias    = 72
	punyInitial = 0x80
)

const punyDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

type punycode struct {
	out    [encodedLength]rune
	n      int
	r      rune // the last inserted one
	at     int  // position of the next one, counted from the first one that the last left possible
	before int  // at, when this number began
	weight int
	k      int
	bias   int
	fresh  bool // nothing was inserted yet
}

func newPunycode(ascii string) punycode {
	p := punycode{r: punyInitial, weight: 1, k: punyBase, bias: punyBias, fresh: true}
	for i := range len(ascii) {
		p.out[i] = rune(ascii[i])
	}
	p.n = len(ascii)
	return p
}

func (p *punycode) label() []rune { return p.out[:p.n] }

func (p *punycode) whole() bool { return p.k == punyBase && !p.fresh }

// threshold returns the digit from which on a number continues.
func (p *punycode) threshold() int { return punyThreshold(p.k, p.bias) }

func punyThreshold(k, bias int) int { return min(max(k-bias, punyLow), punyHigh) }

// digit reads one more digit. inserted: a character is complete. ok is false if the digits are invalid.
func (p *punycode) digit(d int) (inserted, ok bool) {
	p.at += d * p.weight
	if p.at > (utf8.MaxRune+1)*(len(p.out)+1) {
		return false, false
	}
	if t := p.threshold(); d >= t {
		p.weight *= punyBase - t
		p.k += punyBase
		return false, true
	}
	if p.n == len(p.out) {
		return false, false
	}
	p.bias = punyAdapt(p.at-p.before, p.n+1, p.fresh)
	r := int(p.r) + p.at/(p.n+1)
	p.at %= p.n + 1
	if r > utf8.MaxRune {
		return false, false
	}
	p.r = rune(r)
	copy(p.out[p.at+1:p.n+1], p.out[p.at:p.n])
	p.out[p.at] = p.r
	p.n++
	p.at++
	p.before, p.weight, p.k, p.fresh = p.at, 1, punyBase, false
	return true, true
}

// punyAdapt is the function adapt of RFC 3492, section 6.1.
func punyAdapt(delta, n int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / n
	k := 0
	for ; delta > (punyBase-punyLow)*punyHigh/2; k += punyBase {
		delta /= punyBase - punyLow
	}
	return k + (punyBase-punyLow+1)*delta/(delta+punySkew)
}

func punyDigit(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return int(c - 'a')
	case c >= '0' && c <= '9':
		return int(c-'0') + 26
	}
	return -1
}

func cutPunycode(text string) (ascii, digits string, ok bool) {
	h := strings.LastIndexByte(text, '-')
	if h < 0 {
		return "", text, true
	}
	return text[:h], text[h+1:], h > 0 // without ASCII part there is no hyphen
}

// encodePunycode returns a label in Punycode, without the prefix. ASCII must be in small letters.
func encodePunycode(label []rune) string {
	var out []byte
	for _, r := range label {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		}
	}
	done := len(out)
	if done > 0 {
		out = append(out, '-')
	}
	delta, bias, last, fresh := 0, punyBias, rune(punyInitial), true
	for done < len(label) {
		next := rune(utf8.MaxRune)
		for _, r := range label {
			if r >= last {
				next = min(next, r)
			}
		}
		delta += int(next-last) * (done + 1)
		for _, r := range label {
			if r < next {
				delta++
			}
			if r != next {
				continue
			}
			out = appendNumber(out, delta, bias)
			bias = punyAdapt(delta, done+1, fresh)
			delta, fresh = 0, false
			done++
		}
		delta++
		last = next + 1
	}
	return string(out)
}

func appendNumber(out []byte, n, bias int) []byte {
	for k := punyBase; ; k += punyBase {
		t := punyThreshold(k, bias)
		if n < t {
			return append(out, punyDigits[n])
		}
		out = append(out, punyDigits[t+(n-t)%(punyBase-t)])
		n = (n - t) / (punyBase - t)
	}
}

// decodePunycode returns the decoder after a text, false if no continuation without a hyphen makes it a label's
// encoding.
func (t *labelTable) decodePunycode(text string) (p punycode, ok bool) {
	ascii, digits, ok := cutPunycode(text)
	if !ok {
		return p, false
	}
	p = newPunycode(ascii)
	for i := range len(digits) {
		inserted, ok := p.digit(punyDigit(digits[i]))
		if !ok || inserted && t.class(p.r) == notPermitted {
			return p, false
		}
	}
	return p, true
}

func insert(label []rune, i int, r rune) []rune { return slices.Insert(slices.Clone(label), i, r) }
