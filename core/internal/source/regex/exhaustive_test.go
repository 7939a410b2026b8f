package regex

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// patterns lists every pattern of exactly size parts over the atoms and operators.
type patterns struct {
	atoms []string
	unary []string // with % for the operand
	made  [][]string
}

func (p *patterns) of(size int) []string {
	for len(p.made) <= size {
		p.made = append(p.made, nil)
	}
	if p.made[size] != nil {
		return p.made[size]
	}
	var out []string
	if size == 1 {
		out = p.atoms
	} else {
		for _, x := range p.of(size - 1) {
			for _, u := range p.unary {
				out = append(out, strings.ReplaceAll(u, "%", x))
			}
		}
		for i := 1; i < size-1; i++ {
			for _, x := range p.of(i) {
				for _, y := range p.of(size - 1 - i) {
					out = append(out, "(?:"+x+")(?:"+y+")", "(?:"+x+"|"+y+")")
				}
			}
		}
	}
	p.made[size] = out
	return out
}

// agree compares the lowered pattern with the backtracking matcher on the texts, in both modes and all bounds given.
// It returns false if the pattern is not supported.
func agree(t *testing.T, st *terminal.Store, pattern string, texts []string) bool {
	t.Helper()
	n, err := Parse(nil, pattern)
	require.NoError(t, err, pattern)
	for _, m := range []Mode{{}, {Search: true}} {
		e, err := Lower(st, n, m)
		if err != nil {
			var d *diag.Error
			require.True(t, errors.As(err, &d), pattern)
			require.Contains(t, []diag.Code{diag.Unsupported, diag.Limit}, d.Code, "%q: %v", pattern, err)
			return false
		}
		for _, text := range texts {
			b := newBacktrack(text)
			want := b.whole(n)
			if m.Search {
				want = b.search(n)
			}
			if got := counters.Match(st, e, []byte(text)); got != want {
				t.Fatalf("pattern %q, text %q, search %v: got %v, want %v", pattern, text, m.Search, got, want)
			}
		}
	}
	return true
}

// TestSmallWorld compares all patterns up to a size with the backtracking matcher on all short texts.
func TestSmallWorld(t *testing.T) {
	for _, world := range []struct {
		name, alphabet string
		p              patterns
		size, length   int
	}{
		{"plain", "ab", patterns{
			atoms: []string{"a", "b", ".", "", "[^a]"}, unary: []string{"(?:%)*", "(?:%)?", "(?:%)+", "(?:%){2,3}"},
		}, 5, 4},
		{"anchors", "ab\n", patterns{
			atoms: []string{"a", "b", "^", "$", "(?m:^)", "(?m:$)"}, unary: []string{"(?:%)*", "(?:%){2}"},
		}, 5, 4},
		{
			"words", "a-",
			patterns{atoms: []string{"a", "-", `\b`, `\B`, "^", "$"}, unary: []string{"(?:%)*", "(?:%)?"}},
			5, 5,
		},
		{"looks", "ab", patterns{
			atoms: []string{"a", "b", "$", "^"}, unary: []string{"(?:%)*", "(?=%)", "(?!%)", "(?<=%)", "(?<!%)"},
		}, 5, 4},
		{"atomic", "ab", patterns{
			atoms: []string{"a", "b", "ab", "$"},
			unary: []string{"(?:%)*", "(?:%)*?", "(?>%)", "(?:%)?+", "(?:%){1,2}+"},
		}, 5, 5},
	} {
		t.Run(world.name, func(t *testing.T) {
			texts := texts(world.alphabet, world.length)
			st := terminal.NewStore()
			done, refused := 0, 0
			r := rand.New(rand.NewSource(1))
			for size := 1; size <= world.size; size++ {
				all := world.p.of(size)
				for i, pattern := range all {
					if len(all) > 8000 && r.Intn(len(all)) > 4000 && i > 0 {
						continue
					}
					if st.Size().Expressions > 200_000 {
						st = terminal.NewStore()
					}
					done++
					if !agree(t, st, pattern, texts) {
						refused++
					}
				}
			}
			t.Logf("%d patterns on %d texts; %d not supported", done, len(texts), refused)
		})
	}
}
