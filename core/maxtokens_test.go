package core_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// waiting is an open wish of a reading: an element, or the end of an element with a limit that has begun.
type waiting struct {
	x       *heated // the element, or the one that ends
	leaves  bool
	began   int // leaves: the byte, which identifies the element
	counted int // leaves: tokens that began within it
}

// wants is a stack of the open wishes of one reading; the next one is last.
type wants []waiting

func (r wants) String() string {
	var b strings.Builder
	for _, w := range r {
		fmt.Fprintf(&b, "%p %v %d %d;", w.x, w.leaves, w.began, w.counted)
	}
	return b.String()
}

// readings holds all readings of an output, and the ends of elements with limits at this place.
type readings struct {
	all     map[string]wants
	ended   map[string]wants // from the end of the element on
	ignores bool             // '_' may stand behind every character
}

func newReadings(ignores bool) *readings {
	return &readings{all: map[string]wants{}, ended: map[string]wants{}, ignores: ignores}
}

// ignored is the wish on top if ignored text may come next.
var ignored = &heated{is: "i", text: "_"}

// behind adds the wishes of reading r behind a character, ignored text included. Ignored text belongs to the elements
// that contain both the last character and the next one.
func (s *readings) behind(r wants, at int) {
	if s.ignores {
		s.ignore(r, at)
	}
	s.expand(r, at, 0, s.ignores)
}

// ignore adds a wish for ignored text, if a character can follow it before the innermost element of r ends.
func (s *readings) ignore(r wants, at int) {
	if slices.ContainsFunc(r, func(w waiting) bool { return w.leaves && w.x.is == "k" }) {
		return // within a token
	}
	after := newReadings(false)
	after.expand(r, at, r.bar(), false)
	if len(after.all) > 0 {
		r = append(slices.Clone(r), waiting{x: ignored})
		s.all[r.String()] = r
	}
}

// bar returns how many of the wishes stay until the innermost element ends.
func (r wants) bar() int {
	for i, w := range slices.Backward(r) {
		if w.leaves {
			return i + 1
		}
	}
	return 0
}

// add adds the next wishes of reading r, each a character, or none.
func (s *readings) add(r wants, at int) { s.expand(r, at, 0, false) }

// expand is add if `bar` of the wishes must stay. ignores adds ignored text behind each element that ends.
func (s *readings) expand(r wants, at, bar int, ignores bool) {
	if len(r) == 0 {
		s.all[""] = r
		return
	}
	w, rest := r[len(r)-1], r[:len(r)-1]
	with := func(more ...waiting) {
		s.expand(append(slices.Clone(rest), more...), at, bar, ignores)
	}
	switch {
	case w.leaves && len(r) <= bar:
		return
	case w.leaves:
		s.ended[r.String()] = r
		if ignores {
			s.ignore(rest, at)
		}
		with()
		return
	case w.x.is == "":
		s.all[r.String()] = r
		return
	}
	subs := w.x.subs
	switch w.x.is {
	case "s":
		var all []waiting
		for _, sub := range slices.Backward(subs) {
			all = append(all, waiting{x: sub})
		}
		with(all...)
	case "c":
		for _, sub := range subs {
			with(waiting{x: sub})
		}
	case "r":
		with()
		with(waiting{x: subs[0]})
		with(waiting{x: subs[0]}, waiting{x: subs[0]})
	case "m":
		with(waiting{x: w.x, leaves: true, began: at}, waiting{x: subs[0]})
	case "k":
		with(waiting{x: w.x, leaves: true, began: at}, waiting{x: subs[1]}, waiting{x: subs[0]})
	}
}

// read returns the readings behind one more character.
func (s *readings) read(c byte, at int) *readings {
	out := newReadings(s.ignores)
	for _, r := range s.all {
		switch n := len(r) - 1; {
		case n < 0 || r[n].x.text != string(c):
		case r[n].x == ignored:
			out.all[r.String()] = r
			out.expand(r[:n], at, r[:n].bar(), false)
		default:
			out.behind(r[:n], at)
		}
	}
	if s.ignores && c == '_' {
		maps.Copy(out.ended, s.ended)
	}
	return out
}

// places returns the wishes without the identities of elements that have begun.
func (r wants) places() string {
	r = slices.Clone(r)
	for i := range r {
		r[i].began = 0
	}
	return r.String()
}

// counted is the wants with one token more.
func (r wants) counted() wants {
	r = slices.Clone(r)
	for i, w := range r {
		if w.leaves {
			r[i].counted = min(w.counted+1, w.x.most)
		}
	}
	return r
}

// cut ends elements that are full and whose body may end here, without their ends. It reports false if it is ambiguous
// which these are.
func (s *readings) cut(at int) (out *readings, plain bool) {
	for out, plain = s, true; ; {
		places := map[string]bool{}
		for _, r := range out.all {
			places[r.places()] = true
		}
		next, cut := newReadings(s.ignores), false
		next.ended = maps.Clone(out.ended)
		for _, r := range out.all {
			stays := true
			for i, w := range r {
				if !w.leaves || w.x.is != "k" || w.counted < w.x.most {
					continue
				}
				ended := append(slices.Clone(r[:i+1]), waiting{x: w.x.subs[1]})
				_, ends := out.all[ended.String()]
				plain = plain && ends == places[ended.places()]
				if ends {
					next.behind(r[:i], at)
					stays, cut = false, true
					break
				}
			}
			if stays {
				next.all[r.String()] = r
			}
		}
		if out = next; !cut {
			return out, plain
		}
	}
}

// border returns the readings behind the end of a token. An element with a full limit ends if it may end here. plain
// reports whether these elements are unambiguous: an end of another element with the same later wishes counts as equal.
func (s *readings) border(at int) (out *readings, plain bool) {
	s, plain = s.cut(at)
	out = newReadings(s.ignores)
	places := map[string]bool{}
	for _, r := range s.ended {
		places[r.places()] = true
	}
	for _, r := range s.all {
		stays := true
		for i, w := range r {
			if w.leaves && w.counted == w.x.most {
				ends := s.ended[r[:i+1].String()] != nil
				stays = stays && !ends
				plain = plain && ends == places[r[:i+1].places()]
			}
		}
		if stays {
			r = r.counted()
			out.all[r.String()] = r
		}
	}
	for _, r := range s.ended {
		r = r.counted()
		out.ended[r.String()] = r
	}
	return out, plain
}

// text returns the readings behind a text in which no token began: the next token also begins within the elements that
// the text has begun.
func (s *readings) text() *readings {
	counted := func(all map[string]wants) map[string]wants {
		out := map[string]wants{}
		for _, r := range all {
			n := slices.Clone(r)
			for i, w := range n {
				if w.leaves && w.counted == 0 {
					n[i].counted = 1
				}
			}
			out[n.String()] = n
		}
		return out
	}
	return &readings{all: counted(s.all), ended: counted(s.ended), ignores: s.ignores}
}

// endedVocabulary has these tokens, the last of which ends an output.
func endedVocabulary(t *testing.T, tokens []string) *core.Vocabulary {
	t.Helper()
	config := core.VocabularyConfig{EndTokens: []uint32{uint32(len(tokens) - 1)}}
	for _, text := range tokens {
		config.Tokens = append(config.Tokens, []byte(text))
	}
	v, err := core.NewVocabulary(config)
	require.NoError(t, err)
	return v
}

// Masks and accepted tokens under limits of tokens equal the values of all readings, tried one by one, also after
// rollbacks and in forks. Half of the grammars ignore something.
func TestMaxTokens(t *testing.T) {
	testkit.Alone(t)
	tokens := []string{"a", "b", "aa", "ab", "ba", "bab", "_", "a_", "_b", "$"}
	v := endedVocabulary(t, tokens)
	c := core.NewCompiler(v, core.CompilerConfig{})
	compared, refused := 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 2))
		x := newHeated(r, 4, "m")
		rules := []string{}
		body := x.lark(&rules)
		spec := "start: " + body + "\n" + strings.Join(rules, "\n")
		if seed%2 == 1 {
			spec += "\n%ignore \"_\""
		}
		g, err := c.Compile(core.Lark, []byte(spec), nil)
		require.NoError(t, err, spec)
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		start := newReadings(seed%2 == 1)
		start.add(wants{{x: x}}, 0)
		start, plain := start.border(0)
		said, at := []*readings{start}, []int{0}
		output := []string{}
		for range 14 {
			s, bytes := said[len(said)-1], at[len(at)-1]
			if !plain {
				break
			}
			row := make([]uint32, v.Words())
			if _, ends := s.all[""]; len(s.all) == 1 && ends {
				break
			}
			_, err := m.Fill(row)
			require.NoError(t, err, "seed %d, behind %q of\n%s", seed, output, spec)
			var next []int
			for id, text := range tokens[:len(tokens)-1] {
				now := s
				for i := range len(text) {
					now = now.read(text[i], bytes+i+1)
				}
				if len(now.all) > 0 {
					next = append(next, id)
				} else {
					refused++
				}
				require.Equal(t, len(now.all) > 0, row[0]>>id&1 == 1, "seed %d, %q behind %q of\n%s", seed, text,
					output, spec)
				n, err := m.Validate([]int32{int32(id)})
				require.NoError(t, err)
				require.Equal(t, len(now.all) > 0, n == 1)
				compared++
			}
			if len(next) == 0 || r.IntN(6) == 0 {
				back := r.IntN(len(said))
				m, err = m.Fork()
				require.NoError(t, err)
				require.NoError(t, m.Rollback(back))
				said, at, output = said[:len(said)-back], at[:len(at)-back], output[:len(output)-back]
				continue
			}
			id := next[r.IntN(len(next))]
			now := s
			for i := range len(tokens[id]) {
				now = now.read(tokens[id][i], bytes+i+1)
			}
			if r.IntN(4) == 0 {
				now = now.text()
				ok, err := m.AcceptBytes([]byte(tokens[id]))
				require.NoError(t, err)
				require.True(t, ok)
			} else {
				now, plain = now.border(bytes + len(tokens[id]))
				n, err := m.Accept([]int32{int32(id)})
				require.NoError(t, err)
				require.Equal(t, 1, n)
			}
			said, at = append(said, now), append(at, bytes+len(tokens[id]))
			output = append(output, tokens[id])
		}
	}
	t.Log(compared, refused)
	require.Greater(t, compared, 5000)
}

// Text of AcceptBytes has no tokens, but the next token may begin within elements that the text has begun.
func TestMaxTokensBehindText(t *testing.T) {
	v, err := core.NewVocabulary(core.VocabularyConfig{
		Tokens: [][]byte{[]byte("a"), []byte("b"), []byte("$")}, EndTokens: []uint32{2},
	})
	require.NoError(t, err)
	c := core.NewCompiler(v, core.CompilerConfig{})
	for _, x := range []struct {
		spec  string
		texts []string // before each token b
	}{
		{"start: \"a\" x\nx[max_tokens=1]: /b*/", []string{"a"}},
		{"start: \"a\" x\nx[max_tokens=2]: y~0..9\ny[max_tokens=1]: (\"b\" | \"ab\")~0..9", []string{"ab", "abb"}},
		{"start: x\nx[max_tokens=2]: /[ab]*/", []string{"aa", "aa"}},
	} {
		g, err := c.Compile(core.Lark, []byte(x.spec), nil)
		require.NoError(t, err)
		m, err := core.NewMatcher(g, core.MatcherOptions{})
		require.NoError(t, err)
		row := make([]uint32, 1)
		for _, text := range x.texts {
			ok, err := m.AcceptBytes([]byte(text))
			require.NoError(t, err)
			require.True(t, ok, x.spec)
			_, err = m.Fill(row)
			require.NoError(t, err)
			require.Equal(t, uint32(1)<<1, row[0]&2, x.spec)
			n, err := m.Accept([]int32{1})
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
		_, err = m.Fill(row)
		require.NoError(t, err)
		require.Equal(t, uint32(1)<<2, row[0], x.spec)
	}
}

// A limit removes tokens and adds none, also beside captures, temperatures and nested grammars that each ignore
// something; and no output has a dead end.
func TestMaxTokensAddNothing(t *testing.T) {
	tokens := []string{"a", "b", "aa", "ab", "_", "-", "a_", "-_", "_b", "$"}
	v := endedVocabulary(t, tokens)
	c := core.NewCompiler(v, core.CompilerConfig{})
	limit := regexp.MustCompile(`\[max_tokens=\d+\]`)
	begins := func(spec string) (*core.Matcher, error) {
		g, err := c.Compile(core.Lark, []byte(spec), nil)
		if err != nil {
			return nil, err
		}
		return core.NewMatcher(g, core.MatcherOptions{})
	}
	compared, fewer := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		rules := []string{}
		body := newHeated(r, 4, "m").lark(&rules)
		spec := "start: " + body + "\n" + strings.Join(rules, "\n")
		if strings.Contains(spec, "suffix") {
			continue // it may be left out, so that there is something more
		}
		if seed%2 == 0 {
			spec = strings.Replace(spec, `"a"`, "%lark {start: \"a\" \"b\"?\n%ignore \"-\"\n}", 1+r.IntN(2))
		}
		if seed%3 > 0 {
			spec += "\n%ignore \"_\""
		}
		limited := limit.ReplaceAllStringFunc(spec, func(s string) string {
			return s[:len(s)-1] + []string{"]", ", capture]", ", temperature=0.5]", ", capture, temperature=1]"}[r.IntN(4)]
		})
		small, err := begins(limited)
		if err != nil && core.AsError(err).Code == core.CodeUnsupported && strings.Contains(limited, "capture") {
			continue // of a rule that begins with itself
		}
		require.NoError(t, err, limited)
		whole, err := begins(limit.ReplaceAllString(spec, ""))
		require.NoError(t, err, spec)
		for range 12 {
			some, all := make([]uint32, v.Words()), make([]uint32, v.Words())
			_, err := small.Fill(some)
			require.NoError(t, err, "seed %d: a dead end of\n%s", seed, limited)
			_, err = whole.Fill(all)
			require.NoError(t, err)
			require.Zero(t, some[0]&^all[0], "seed %d: %b beside %b after %v of\n%s", seed, some[0], all[0],
				small.Len(), limited)
			compared++
			if some[0] != all[0] {
				fewer++
			}
			var next []int32
			for id := range tokens[:len(tokens)-1] {
				if some[0]>>id&1 != 0 {
					next = append(next, int32(id))
				}
			}
			if len(next) == 0 {
				break
			}
			token := []int32{next[r.IntN(len(next))]}
			for _, m := range []*core.Matcher{small, whole} {
				n, err := m.Accept(token)
				require.NoError(t, err)
				require.Equal(t, 1, n)
			}
		}
	}
	t.Log(compared, fewer)
	require.Greater(t, compared, 1000)
	require.Greater(t, fewer, 100)
}
