package format

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/idna"

	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
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

// Labels of the regular expressions are valid, and short enough after encoding.
func TestRegularLabelsFit(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	st, table := terminal.NewStore(), newLabelTable()
	for _, text := range []string{
		otherLabel, latin + `(?:-?` + latin + `){0,15}`, cyrillic + `(?:-?` + cyrillic + `){0,15}`, contextual,
		greekLabel, rightToLeft,
	} {
		e, err := regex.Lower(st, regex.MustParse(text), regex.Mode{Encoding: terminal.UTF8})
		require.NoError(t, err)
		for range 1_500 {
			x, label := e, ""
			for {
				set := *st.Alive(x)
				if set.IsEmpty() || st.View().Nullable(x) && r.Intn(40) == 0 {
					break
				}
				b := testkit.AnyByte(set, r.Intn(200))
				x = st.Delta(x, b)
				label += string([]byte{b})
			}
			require.True(t, st.View().Nullable(x))
			require.True(t, table.judge([]rune(strings.ToLower(label))).valid, "%q", label)
			encoded, err := idna.Punycode.ToASCII(strings.ToLower(label))
			require.NoError(t, err)
			require.LessOrEqual(t, len(encoded), 63, "%q", label)
		}
	}
}
