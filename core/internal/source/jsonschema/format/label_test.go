package format

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"golang.org/x/net/idna"

	"github.com/sluice-engine/sluice/core/internal/testkit"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

func TestLabels(t *testing.T) {
	table := newLabelTable()
	for _, s := range []string{
		"bücher", "ßς་〇", "l·l", "α͵β", "א׳ב", "ア・ア", "ب٠ب", "۰0", "क्\u200dष",
		"क्\u200cष", "بي\u200cبي", "실례", "a-b",
		"ü-b", "x--ü",
	} {
		require.True(t, table.judge([]rune(s)).valid, "%q", s)
	}
	for _, s := range []string{
		"", "-ü", "ü-", "aü--b", "Ü", "a·l", "l·a", "α͵", "α͵S", "A׳ב", "׳ב", "def・abc", "ب٠۰",
		"क\u200dष", "\u200dष", "क्\u200cषx\u200cy", "0ا", "aא", "א0٠",
		"실〮례", "ــ", "́a", "cafe\u0301", "a_b", "ａ", "\u2024", "\u115F", "\uFE0F", "a\u0378", "ᾳ",
	} {
		require.False(t, table.judge([]rune(s)).valid, "%q", s)
	}
	for s, k := range map[string]labelKind{
		"a1": {valid: true}, "1a": {
			valid: true, loose: true,
		}, "é1": {valid: true}, "1é": {
			valid: true, loose: true,
		}, "אב": {valid: true, rtl: true}, "・ア": {valid: true, loose: true},
	} {
		require.Equal(t, k, table.judge([]rune(s)), "%q", s)
	}
}

// Encoding and decoding agree with another implementation.
func TestPunycode(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	table := newLabelTable()
	alphabets := [][]rune{
		[]rune("abc-12"), []rune("äöüß"), []rune("αβγδ"), []rune("中文字"), []rune("אבג"),
		[]rune("한국"), []rune("𐐨𐐩"),
	}
	for range 3_000 {
		var label []rune
		for n := 1 + r.Intn(20); len(label) < n; {
			a := alphabets[r.Intn(len(alphabets))]
			label = append(label, a[r.Intn(len(a))])
		}
		label = append(label, 'ß')
		text := encodePunycode(label)
		want, err := idna.Punycode.ToASCII(string(label))
		require.NoError(t, err)
		require.Equal(t, want, encodedPrefix+text)
		if len(text) <= encodedLength {
			p, ok := table.decodePunycode(text)
			require.True(t, ok && p.whole(), text)
			require.Equal(t, string(label), string(p.label()))
		}
	}
	for range 20_000 {
		var b strings.Builder
		for n := 1 + r.Intn(9); b.Len() < n; {
			b.WriteByte((punyDigits + "--")[r.Intn(len(punyDigits)+2)])
		}
		text := b.String()
		label, err := idna.Punycode.ToUnicode(encodedPrefix + text)
		p, ok := table.decodePunycode(text)
		if ok && p.whole() {
			require.NoError(t, err, text)
			require.Equal(t, label, string(p.label()), text)
			require.Equal(t, text, encodePunycode(p.label()))
			continue
		}
		if again, _ := idna.Punycode.ToASCII(label); err == nil && again == encodedPrefix+text {
			require.False(t, table.judge([]rune(label)).valid, "%s is %q", text, label)
		}
	}
}

func TestEncodedNamesCanBeCompleted(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	m := newHostMachine(121)
	strict := idna.New(idna.ValidateLabels(true), idna.CheckHyphens(false), idna.StrictDomainName(true),
		idna.BidiRule(), idna.VerifyDNSLength(true))
	bytes := []string{
		"abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnopqrstuvwxyz0123456789", "a9-", "a-.", "-", `\u0061d.2`,
		"xn--4dbc5h.1",
	}
	names := 0
	for i, from := range []string{
		"", "", "zca", "4dbc5h.xn--", "4dbc5h.", "9n2bp8q.xn--", "a", "a--", "--", "-a", "ab-", strings.Repeat("a", 53),
		strings.Repeat("q7", 26), "8-" + strings.Repeat("c", 50), strings.Repeat("a-", 25) + "-",
	} {
		for range 3 {
			few := bytes[r.Intn(len(bytes))]
			testkit.WalkMachine(t, m, from, func(set terminal.ByteSet) byte {
				for range 20 {
					if b := few[r.Intn(len(few))]; set.Has(b) {
						return b
					}
				}
				return testkit.AnyByte(set, r.Intn(256))
			}, func(text string) {
				if i%2 == 0 || strings.ContainsRune(text, '\\') {
					return
				}
				names++
				name := strings.ToLower(encodedPrefix + text)
				label, err := strict.ToUnicode(name)
				require.NoError(t, err, "%s is %q", name, label)
				again, err := idna.Punycode.ToASCII(label)
				require.NoError(t, err)
				require.Equal(t, name, again)
			})
		}
	}
	require.Greater(t, names, 50)
}

func TestGreekLabelsFit(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	m, table := newGreekMachine(), newLabelTable()
	longest := 0
	for range 20 {
		few := [][]rune{m.characters, []rune("αβγ"), []rune("άώ"), []rune("αω-"), []rune("͵α1-")}[r.Intn(5)]
		testkit.WalkMachine(t, terminal.NewSprawling(m), "", func(set terminal.ByteSet) byte {
			for range 40 {
				c := string(few[r.Intn(len(few))])
				if b := c[r.Intn(len(c))]; set.Has(b) {
					return b
				}
			}
			return testkit.AnyByte(set, r.Intn(256))
		}, func(text string) {
			if strings.ContainsRune(text, '\\') {
				return
			}
			label := []rune(text)
			require.True(t, table.judge(label).valid, "%q", text)
			require.LessOrEqual(t, len(encodePunycode(label)), greekEncoded, "%q", text)
			longest = max(longest, len(label))
		})
	}
	require.Greater(t, longest, 45)
}

// Labels of the regular expressions are valid, and short enough after encoding.
func TestRegularLabelsFit(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	st, table := terminal.NewStore(), newLabelTable()
	for _, text := range []string{
		otherLabel, latin + `(?:-?` + latin + `){0,15}`, cyrillic + `(?:-?` + cyrillic + `){0,15}`, contextual,
		greekLabel, rightToLeft,
	} {
		e, err := lowerInner(st, text)
		require.NoError(t, err)
		for range 1_500 {
			x, label := e, ""
			for {
				set := *st.Alive(x)
				set[1] &^= 1 << ('\\' - 64)
				if set.IsEmpty() || st.View().Nullable(x) && r.Intn(40) == 0 {
					break
				}
				b := testkit.AnyByte(set, r.Intn(200))
				x = st.Delta(x, b)
				label += string([]byte{b})
			}
			require.True(t, st.View().Nullable(x))
			require.True(t, table.judge([]rune(strings.ToLower(label))).valid, "%q", label)
			require.LessOrEqual(t, len(encodePunycode([]rune(strings.ToLower(label)))), encodedLength, "%q", label)
		}
	}
}
