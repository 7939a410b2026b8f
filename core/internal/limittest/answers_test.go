package limittest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/request"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// subject is a constraint with walks. Immutable.
type subject struct {
	testkit.Constraint
	number int // with the seed all that it was made from
	walks  [][]int32
}

// answers is everything that an engine says about a subject. A walk's answers end with the first refused token.
type answers struct {
	verdict string // the error in full, or the notes
	fills   [][]fill
	probes  [][]string
}

// fill holds the answers at one place of a walk before its token is accepted.
type fill struct {
	mask     string // the row, or the error
	name     mask.Name
	forced   string
	accepted string // of the walk's token: how many, and the error
}

func errorText(err error) string {
	if e, ok := err.(*diag.Error); ok {
		return fmt.Sprintf("%s %q %+v %s", e.Code, e.Keyword, e.Place, e)
	}
	return fmt.Sprint(err)
}

// compile returns the grammar, and its error or notes as text.
func compile(c *compiler.Compiler, s testkit.Constraint) (*compiled.Grammar, string) {
	g, err := compileAny(c, s)
	if err != nil {
		return nil, errorText(err)
	}
	var notes strings.Builder
	for _, n := range g.Notes() {
		fmt.Fprintf(&notes, "%+v\n", n)
	}
	return g, fmt.Sprintf("ok, work %d\n%s", g.Stats().CompileWork, &notes)
}

// compileAny compiles a constraint, or the constraint of a request read without a vocabulary.
func compileAny(c *compiler.Compiler, s testkit.Constraint) (*compiled.Grammar, error) {
	if s.Kind != source.Request {
		return c.Compile(s.Kind, []byte(s.Text), s.SourceOptions())
	}
	r, err := request.Read([]byte(s.Text), s.SourceOptions(), nil)
	if err != nil {
		return nil, err
	}
	if r.Kind == 0 {
		return c.Compile(source.AnyJSON, nil, new(source.Options))
	}
	return c.Compile(r.Kind, r.Spec, &r.Options)
}

func newMatcher(g *compiled.Grammar) *matcher.Matcher {
	m, err := matcher.New(g, matcher.Options{})
	if err != nil {
		panic(err) // without options there is nothing to refuse
	}
	return m
}

// ask collects the answers at the matcher's place. It hashes a row, which is only compared.
func ask(m *matcher.Matcher, row []uint32) (f fill) {
	if _, err := m.Fill(row); err != nil {
		f.mask = errorText(err)
	} else {
		f.mask = hashRow(row)
	}
	name, err := matcher.Until{Matcher: m}.Name()
	if f.name = name; err != nil {
		f.mask += " name: " + errorText(err)
	}
	forced, err := m.ForcedBytes(nil)
	f.forced = fmt.Sprintf("%q %v", forced, err)
	return f
}

func hashRow(row []uint32) string {
	text := make([]byte, 4*len(row))
	for i, x := range row {
		binary.LittleEndian.PutUint32(text[4*i:], x)
	}
	sum := sha256.Sum256(text)
	return "row " + hex.EncodeToString(sum[:16])
}

func accept(m *matcher.Matcher, id int32) string {
	n, err := m.Accept([]int32{id})
	return fmt.Sprint(n, " ", err)
}

// accepted is accept's answer to an allowed token.
const accepted = "1 <nil>"

// goesOn accepts a token and reports whether more answers follow. After the end of the output there are none: accept
// ignores tokens then.
func goesOn(m *matcher.Matcher, id int32) (answer string, more bool) {
	answer = accept(m, id)
	return answer, answer == accepted && !m.Terminated()
}

// fills walks along the tokens.
func fills(g *compiled.Grammar, walk []int32) (out []fill) {
	m, row := newMatcher(g), make([]uint32, g.Vocabulary().Words())
	for _, id := range walk {
		f := ask(m, row)
		answer, more := goesOn(m, id)
		f.accepted = answer
		if out = append(out, f); !more {
			return out
		}
	}
	return append(out, ask(m, row))
}

// probes tries every token at every place of a walk. It returns a letter for each, then the errors, and last the result
// of the walk's text repeated many times in one call.
func probes(g *compiled.Grammar, walk []int32) (out []string) {
	m := newMatcher(g)
	for i := 0; ; i++ {
		out = append(out, probe(m, g.Vocabulary()))
		if i == len(walk) {
			break
		}
		if _, more := goesOn(m, walk[i]); !more {
			break
		}
	}
	var text []byte
	for _, id := range walk {
		text = append(text, g.Vocabulary().Bytes(uint32(id))...)
	}
	return append(out, acceptText(g, bytes.Repeat(text, 5)))
}

func probe(m *matcher.Matcher, v *vocab.Vocabulary) string {
	letters, errors := make([]byte, v.Size()), ""
	for id := range letters {
		n, err := m.Validate([]int32{int32(id)})
		switch {
		case err == nil:
			letters[id] = "-+"[n]
		case n == 0:
			letters[id] = '!'
			errors = " " + errorText(err)
		default:
			letters[id], errors = '?', " allowed, with an error"
		}
	}
	return string(letters) + errors
}

// rowOf returns the row of the accepted tokens of a probe.
func rowOf(probe string, v *vocab.Vocabulary) string {
	row := make([]uint32, v.Words())
	for id := range v.Size() {
		if probe[id] == '+' {
			row[id>>5] |= 1 << (id & 31)
		}
	}
	return hashRow(row)
}

const (
	walksEach = 3
	walkSteps = 14
	// walkWork bounds the items, frames and predictions of all walks of a subject, fills included. Walks over large
	// states end early, so subjects take about the same time.
	walkWork = 1_500_000
)

// choose returns a subject and a fresh compiler's answers. Its walks follow that compiler's masks, with a wrong token
// now and then.
func choose(r *rand.Rand, c *compiler.Compiler, t testkit.Constraint) (*subject, *answers) {
	s, a := &subject{Constraint: t}, &answers{}
	g, verdict := compile(c, t)
	if a.verdict = verdict; g == nil {
		return s, a
	}
	v := g.Vocabulary()
	row := make([]uint32, v.Words())
	for range walksEach {
		m, out, walk, more := newMatcher(g), []fill(nil), []int32(nil), true
		for more && len(walk) < walkSteps && g.Current().Automaton().Work() < walkWork {
			f := ask(m, row)
			id := int32(r.Intn(v.Size()))
			if strings.HasPrefix(f.mask, "row") && r.Intn(40) > 0 {
				id = int32(testkit.Pick(r, row, func(id uint32) bool { return !v.IsEnd(id) }))
			}
			f.accepted, more = goesOn(m, id)
			walk, out = append(walk, id), append(out, f)
		}
		if more {
			out = append(out, ask(m, row))
		}
		s.walks, a.fills = append(s.walks, walk), append(a.fills, out)
	}
	for _, walk := range s.walks {
		a.probes = append(a.probes, probes(g, walk))
	}
	return s, a
}

// digest hashes answers without the names of masks, which differ between compilers.
func (a *answers) digest() string {
	var b strings.Builder
	b.WriteString(a.verdict)
	for _, walk := range a.fills {
		for _, f := range walk {
			fmt.Fprintf(&b, "\n%s|%s|%s", f.mask, f.forced, f.accepted)
		}
	}
	for _, walk := range a.probes {
		b.WriteString("\n" + strings.Join(walk, "\n"))
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:16])
}

// differ describes the first difference between answers, "" if none. It compares classes of equal mask names too,
// unless states were renewed, which renames masks. A large grammar renews them without being told.
func differ(want, got *answers, names bool) string {
	if want.verdict != got.verdict {
		return fmt.Sprintf("verdict: %s, not %s", got.verdict, want.verdict)
	}
	for w := range want.fills {
		if len(want.fills[w]) != len(got.fills[w]) || len(want.probes[w]) != len(got.probes[w]) {
			return fmt.Sprintf("walk %d: it goes %d steps with masks and %d without, not %d and %d",
				w, len(got.fills[w]), len(got.probes[w]), len(want.fills[w]), len(want.probes[w]))
		}
		for i, x := range want.fills[w] {
			y := got.fills[w][i]
			switch {
			case x.mask != y.mask:
				return fmt.Sprintf("walk %d step %d: mask %s, not %s", w, i, y.mask, x.mask)
			case x.forced != y.forced:
				return fmt.Sprintf("walk %d step %d: forced %s, not %s", w, i, y.forced, x.forced)
			case x.accepted != y.accepted:
				return fmt.Sprintf("walk %d step %d: accept says %s, not %s", w, i, y.accepted, x.accepted)
			}
		}
		for i, x := range want.probes[w] {
			if y := got.probes[w][i]; x != y {
				return fmt.Sprintf("walk %d step %d: tokens one by one: %s, not %s", w, i, y, x)
			}
		}
	}
	if a, b := want.classes(), got.classes(); names && a != b && !want.renewed() && !got.renewed() {
		return fmt.Sprintf("classes of names: %s, not %s", b, a)
	}
	return ""
}

// classes numbers the names of all masks in the order of their first occurrence; 0 is no name.
func (a *answers) classes() string {
	var b strings.Builder
	seen := map[mask.Name]int{{}: 0}
	for _, walk := range a.fills {
		for _, f := range walk {
			if _, known := seen[f.name]; !known {
				seen[f.name] = len(seen)
			}
			fmt.Fprintf(&b, "%d ", seen[f.name])
		}
	}
	return b.String()
}

// renewed reports whether the grammar's states were renewed between two answers.
func (a *answers) renewed() bool {
	generation := uint64(0)
	for _, walk := range a.fills {
		for _, f := range walk {
			if g := f.name.Masks; g != 0 && generation != 0 && g != generation {
				return true
			} else if g != 0 {
				generation = g
			}
		}
	}
	return false
}

// contradiction describes the first place at which the mask and accept disagree, "" if none.
func (a *answers) contradiction(v *vocab.Vocabulary) string {
	for w := range a.fills {
		for i, f := range a.fills[w] {
			if p := a.probes[w][i]; strings.HasPrefix(f.mask, "row") && rowOf(p, v) != f.mask {
				return fmt.Sprintf("walk %d step %d: the mask is not the set of tokens that accept takes: %s", w, i, p)
			}
		}
	}
	return ""
}
