package enginetest

import (
	"slices"
	"testing"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// A case of a switch whose tag no text carries does not keep a state alive, and neither does a character without a
// completion.
func TestUnreachableCases(t *testing.T) {
	kill := func(text string) terminal.ScanPattern { return terminal.ScanPattern{Text: text, Kill: true} }
	tagged := func(text string, tag uint32) terminal.ScanPattern { return terminal.ScanPattern{Text: text, Tag: tag} }
	var row []terminal.ScanPattern // all characters that begin with the byte c2
	for c := rune(0x80); c < 0xC0; c++ {
		row = append(row, kill(string(c)))
	}
	but := func(first terminal.ScanPattern) []terminal.ScanPattern {
		return slices.Concat(row[1:], []terminal.ScanPattern{first})
	}
	end := terminal.ScanEnd
	cases := []struct {
		name     string
		patterns []terminal.ScanPattern
		tags     []uint32 // that something follows
		alphabet string
	}{
		{"excluded within", []terminal.ScanPattern{tagged("bab", 0), kill("a")}, []uint32{0}, "ab"},
		{"excluded itself", []terminal.ScanPattern{tagged("ab", 0), kill("ab")}, []uint32{0}, "ab"},
		{"excluded at the end", []terminal.ScanPattern{tagged("bab", 0), kill("ab")}, []uint32{0}, "ab"},
		{"another within", []terminal.ScanPattern{tagged("ab", 0), tagged("cabc", 1)}, []uint32{1}, "abc"},
		{"both of which go on", []terminal.ScanPattern{tagged("ab", 0), tagged("cabc", 1)}, []uint32{0, 1}, "abc"},
		{"another at the beginning", []terminal.ScanPattern{tagged("ab", 0), tagged("abc", 1)}, []uint32{1}, "abc"},
		{"all ends of a character", row, []uint32{end}, "a\xc2\x80\xbf"},
		{"all ends but one", row[1:], []uint32{end}, "a\xc2\x80\xbf"},
		{"all ends behind a text", but(kill("a\u0080")), []uint32{end}, "a\xc2\x80\xbf"},
		{"one end has a tag that leads nowhere", but(tagged("\u0080", 0)), []uint32{end}, "a\xc2\x80\xbf"},
		{"one end has a tag that leads on", but(tagged("\u0080", 0)), []uint32{0}, "a\xc2\x80\xbf"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			st, g := terminal.NewStore(), grammar.New()
			g.Start = g.NewRule("A")
			var then []grammar.Case
			for _, tag := range c.tags {
				then = append(then, grammar.Case{Tag: tag})
			}
			g.Add(g.Start, g.NewSwitch(st.Scan(c.patterns, false), then...))
			checkStates(t, st, g, c.alphabet, 5)
		})
	}
	t.Run("an empty key", func(t *testing.T) {
		st, g := terminal.NewStore(), grammar.New()
		g.Start = g.NewRule("A")
		a, b := st.Literal("a"), st.Literal("b")
		none := st.And(st.Star(st.Concat(a, b)), st.Star(st.Concat(b, a)), st.Not(terminal.Epsilon))
		on := st.Or(st.Concat(none, st.Tag(0)), st.Concat(a, st.Tag(1)))
		g.Add(g.Start, g.NewSwitch(on, grammar.Case{Tag: 0}))
		checkStates(t, st, g, "ab", 3)
	})
}

// Scans with patterns within one another, with an excluded one and without, and few tags that lead on.
func TestUnreachableCasesAtRandom(t *testing.T) {
	r := testkit.Seeded(t, 9)
	letters := []string{"a", "b", "é", "è"}
	word := func(most int) (s string) {
		for range 1 + r.Intn(most) {
			s += letters[r.Intn(len(letters))]
		}
		return s
	}
	for range testkit.Rounds(40, 20_000) {
		st, g := terminal.NewStore(), grammar.New()
		g.Start = g.NewRule("A")
		var patterns []terminal.ScanPattern
		for tag := range uint32(1 + r.Intn(4)) {
			patterns = append(patterns, terminal.ScanPattern{Text: word(4), Tag: tag, Kill: r.Intn(4) == 0})
		}
		cases := []grammar.Case{{Tag: patterns[r.Intn(len(patterns))].Tag}}
		if r.Intn(4) == 0 {
			cases = append(cases, grammar.Case{Tag: terminal.ScanEnd})
		}
		g.Add(g.Start, g.NewSwitch(st.Scan(patterns, false), cases...))
		checkStates(t, st, g, "ab\xc3\xa9\xa8", 4)
	}
}
