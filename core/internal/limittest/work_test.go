package limittest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// expensive are findings of the search for slowness: their work was not counted, and took seconds.
var expensive = []struct {
	name string
	testkit.Constraint
	text string
}{
	{"each transition leads to thousands of parts, mostly those of others", testkit.Constraint{
		Kind: source.EBNF, Text: `root ::= Regex("(?:[ab]|b)") root* | [^<] root root?`,
	}, "abxyabcabdabxyabcabdabxy"},
	{"few states, and unions of thousands of frames between them", testkit.Constraint{
		Kind: source.EBNF, Text: "root ::= [^<] root{2,6} x | (x [^<])+ [ ]\nx ::= \"\" | \"\" ",
	}, "abxyab "},
	{"ways to be empty within ways to be empty", testkit.Constraint{
		Kind: source.EBNF, Text: "root ::= x? \"\" root | (x | root [b-d] y* | \"\"+) y* y\nx ::= ()+ [^<]? [a-c ]\n" +
			"y ::= [b-d] y{0,} x | root [^a]",
	}, "abcdbcdbcdab"},
	{"transitions of some dozens of parts, each to a state of its own", testkit.Constraint{
		Kind: source.EBNF, Text: chain(40),
	}, "!abz"},
}

// chain is a grammar of so many rules around each other, which nests with every byte, in one of two ways.
func chain(rules int) string {
	var b strings.Builder
	b.WriteString("root ::= \"!\" r0\n")
	for i := range rules {
		fmt.Fprintf(&b, "r%d ::= r%d s\n", i, i+1)
	}
	fmt.Fprintf(&b, "r%d ::= [a-m] r0 \"x\" | [^.a-m] r0 \"y\" | \".\"\ns ::= [ ]?\n", rules)
	return b.String()
}

// Work is counted: no constraint does more than it is charged.
func TestWorkIsCharged(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(true)
	require.NoError(t, err)
	for _, d := range expensive {
		g, verdict := compile(compiler.New(v, compiler.Config{}), d.Constraint)
		if g == nil {
			require.Contains(t, verdict, "limit", d.name)
			continue
		}
		m := newMatcher(g)
		row := make([]uint32, v.Words())
		for i := range d.text {
			before := g.Stats()
			_, err := m.Fill(row)
			after := g.Stats()
			work := after.Work - before.Work
			if err != nil {
				work = callSteps
			}
			if done := after.Found - before.Found; done > 1000 {
				require.Less(t, done*limits.ItemCost, work, "%s: the mask at %d", d.name, i)
			}
			if ok, _ := m.AcceptBytes([]byte(d.text[i : i+1])); !ok {
				break
			}
		}
	}
}

// Free text that must end has masks of token sets, like free text that may end anywhere: tokens are not tried one by
// one, and possible ends of a text are not kept.
func TestFreeTextThatMustEndIsNotWalked(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	c := compiler.New(v, compiler.Config{})
	g, verdict := compile(c, testkit.Constraint{Kind: source.StructuralTag, Text: `{"type": "structural_tag", ` +
		`"format": {"type": "tag", "begin": "<t>", "content": {"type": "any_text", "excludes": ["xy"]}, ` +
		`"end": "</t>"}}`})
	require.NotNil(t, g, verdict)
	m, row := newMatcher(g), make([]uint32, v.Words())
	for _, b := range []byte("<t>a <t x</") {
		before := g.Stats()
		_, err := m.Fill(row)
		require.NoError(t, err)
		after := g.Stats()
		require.Less(t, after.Visited-before.Visited, int64(200))
		require.Less(t, after.Found-before.Found, int64(1000))
		ok, err := m.AcceptBytes([]byte{b})
		require.True(t, ok, "%v", err)
	}
	require.Less(t, g.Stats().Bytes, 1<<18)
}

// A string that must not end in one of several windows has a state for each set of possible beginnings: too many to be
// explored.
func TestExcludedWindowsAreRefused(t *testing.T) {
	spec := `{"type": "string", "allOf": [`
	for i := range 9 {
		spec += fmt.Sprintf(`{"not": {"pattern": "%c[a-l]{%d}$"}}, `, 'a'+i, 10+i)
	}
	refusedForStates(t, spec+"{}]}")
}

// With overlapping patterns of keys, any of dozens of intersections may follow the quote of a key.
func TestOverlappingKeysAreRefused(t *testing.T) {
	patterns := make([]string, 6)
	for i := range patterns {
		patterns[i] = fmt.Sprintf(`"[%c%c].{%d}%c": {"minimum": %d}`, 'a'+i, 'c'+i, i, 'b'+i, i)
	}
	refusedForStates(t, `{"type": "object", "patternProperties": {`+strings.Join(patterns, ", ")+`}}`)
}

// Undeclared keys with bounds on their lengths have masks beside hundreds of declared ones, and are refused beside a
// thousand.
func TestManyKeysBesideLengthsOfNames(t *testing.T) {
	schema := func(keys int) string {
		properties := make([]string, keys)
		for i := range properties {
			properties[i] = fmt.Sprintf(`"property_%d_name": {"type": "integer"}`, i*7919)
		}
		return `{"type": "object", "properties": {` + strings.Join(properties, ", ") +
			`}, "propertyNames": {"minLength": 3, "maxLength": 40}}`
	}
	refusedForStates(t, schema(1000))
	g, verdict := compile(compiler.New(testkit.CommittedTokenizer(t), compiler.Config{}), testkit.Constraint{
		Kind: source.JSONSchema, Text: schema(200),
	})
	require.NotNil(t, g, verdict)
	m, row := newMatcher(g), make([]uint32, g.Vocabulary().Words())
	for _, b := range []byte(`{"property_x": 1, "pr": `) {
		_, err := m.Fill(row)
		require.NoError(t, err)
		ok, err := m.AcceptBytes([]byte{b})
		require.NoError(t, err)
		if !ok {
			require.Equal(t, byte('"'), b, "a name of two characters")
			return
		}
	}
	t.Fatal("a name of two characters is allowed")
}

// refusedForStates requires that a schema is refused because the conditions on its texts have too many states.
func refusedForStates(t *testing.T, schema string) {
	t.Helper()
	g, verdict := compile(compiler.New(testkit.CommittedTokenizer(t), compiler.Config{}),
		testkit.Constraint{Kind: source.JSONSchema, Text: schema})
	require.Nil(t, g)
	require.Regexp(t, `^limit.*(have more than \d+ states together|compiling takes more than)`, verdict)
}

// Forced text ends at large states, after the same number of bytes in every history.
func TestForcedTextIsBounded(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	g, verdict := compile(compiler.New(v, compiler.Config{}), testkit.Constraint{
		Kind: source.Regex, Text: strings.Repeat("a?", 2000) + strings.Repeat("a", 2000),
	})
	require.NotNil(t, g, verdict)
	before := g.Stats().Rows
	forced, err := newMatcher(g).ForcedBytes(nil)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("a", len(forced)), string(forced))
	require.NotEmpty(t, forced)
	require.Less(t, g.Stats().Rows-before, 500)
	ok, err := newMatcher(g).AcceptBytes([]byte(strings.Repeat("a", 300)))
	require.True(t, ok, "%v", err)
	again, err := newMatcher(g).ForcedBytes(nil)
	require.NoError(t, err)
	require.Equal(t, string(forced), string(again), "what others have asked decides")
}

// A sequence's states are carried from each generation of a grammar's terminals to the next, and do not trigger another
// one: otherwise a long sequence of large states would do nothing but carry.
func TestCarriedTerminalsDoNotRenew(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	c := compiler.New(v, compiler.Config{StoreBytes: 1 << 19})
	g, verdict := compile(c, testkit.Constraint{Kind: source.Regex, Text: ".*x.{300}"})
	require.NotNil(t, g, verdict)
	m, row := newMatcher(g), make([]uint32, v.Words())
	for range 120 {
		_, err := m.Fill(row)
		require.NoError(t, err)
		ok, err := m.AcceptBytes([]byte("abx"))
		require.True(t, ok, "%v", err)
	}
	require.Positive(t, g.Stats().Renewals)
	require.Less(t, g.Stats().Renewals, 20)
}

// A bounded terminal that may follow itself is within itself in hundreds of places at once. Places below the minimum
// are not compared with each other, which took three quarters of the time; work counts comparisons.
func TestPlacesBelowTheMinimumAreNotCompared(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	g := compileText(t, compiler.New(v, compiler.Config{}), `root ::= Regex("[a-z]{300,600}") root?`)
	m := newMatcher(g)
	for i := range 4000 {
		before := g.Stats().Found
		ok, err := m.AcceptBytes([]byte("a"))
		require.True(t, ok, "%v", err)
		require.Less(t, g.Stats().Found-before, int64(1500), "byte %d", i)
	}
	require.Positive(t, g.Stats().Found)
}

// Assertions within counted loops make unions of the ends of long sequences, which share their heads at every step.
// Each pair of ends is united once, and not once for each of the 2^n paths to it. Allocations show that, since budgets
// count cached unions like new ones.
//
// Uniting is bounded: nested loops with assertions have at most 256 rounds in total, which bounds the pairs of ends,
// and each expression that a union makes counts in the compilation's work.
func TestEndsOfSequencesAreUnitedOnce(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	c := compiler.New(v, compiler.Config{})
	for _, x := range []struct {
		inner, outer int
		compiles     bool
	}{{12, 2, true}, {48, 2, true}, {20, 4, true}, {16, 5, true}, {9, 9, true}, {40, 5, false}, {64, 64, false}} {
		var g *compiled.Grammar
		var verdict string
		text := fmt.Sprintf(`((a(?<!ab)[a-z0-9]){1,%d}){1,%d}`, x.inner, x.outer)
		made := testing.AllocsPerRun(1, func() {
			c.Forget()
			g, verdict = compile(c, testkit.Constraint{Kind: source.Regex, Text: text})
		})
		require.Less(t, made, 60_000.0, text)
		require.Positive(t, made)
		require.Equal(t, x.compiles, g != nil, "%s: %s", text, verdict)
		if !x.compiles {
			require.Contains(t, verdict, "limit", text)
		}
	}
}

// A walk of the vocabulary along a terminal with a counter is charged its cost, which is as high as for a walk along
// automaton states: an ambiguous grammar has dozens of such walks in one mask.
func TestCountedWalksAreCharged(t *testing.T) {
	budgets := limits.DefaultBudgets()
	budgets.Mask = 2_000_000
	c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{Budgets: &budgets})
	g := compileText(t, c, "root ::= | y [^a]\nx ::= root\ny ::= x [^a]{47,}")
	m, row, refused, most := newMatcher(g), make([]uint32, g.Vocabulary().Words()), false, int64(0)
	for range 40 {
		before := g.Stats().Visited
		_, err := m.Fill(row)
		refused = refused || err != nil
		most = max(most, g.Stats().Visited-before)
		ok, err := m.AcceptBytes([]byte("bcdef"))
		require.True(t, ok, "%v", err)
	}
	require.True(t, refused)
	require.Greater(t, most, int64(budgets.Mask/limits.NodeCost/2))
	require.Less(t, most, int64(budgets.Mask*3/2/limits.NodeCost))
}

// Conditions on one object nest as sides of sides, which share nearly all their parts. A part counts once, and not once
// for each path to it: every condition doubles the paths.
func TestSidesOfSidesCountOnce(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	cost := func(n int) int64 {
		conditions := make([]string, n)
		for i := range conditions {
			conditions[i] = fmt.Sprintf(`"d%d": {"required": ["e%d"], "properties": {"e%d": {"type": "integer"}}}`, i, i, i)
		}
		g, verdict := compile(compiler.New(v, compiler.Config{}), testkit.Constraint{
			Kind: source.JSONSchema,
			Text: `{"type": "object", "dependentSchemas": {` + strings.Join(conditions, ", ") + `}}`,
		})
		require.NotNil(t, g, verdict)
		m, total := newMatcher(g), int64(0)
		for _, text := range []string{`{`, `"d1`, `": 1, `, `"e1`} {
			ok, err := m.AcceptBytes([]byte(text))
			require.True(t, ok, "%v", err)
			before := g.Stats().Work
			_, err = m.Fill(make([]uint32, v.Words()))
			require.NoError(t, err, "%d conditions after %s", n, text)
			total += g.Stats().Work - before
		}
		return total
	}
	require.Less(t, cost(12), 16*cost(6))
}

// Conditions on one object need the same classes of tokens and the same transitions of terminals. A mask pays for each of
// them once: 40 conditions on an object take ten milliseconds.
func TestSidesShareClasses(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	cost := func(n int) int {
		properties, conditions := make([]string, n), make([]string, n)
		for i := range n {
			properties[i], conditions[i] = fmt.Sprintf(`"a%d": {"type": "integer"}`, i), fmt.Sprintf(`"a%d": ["begin"]`, i)
		}
		g, verdict := compile(compiler.New(v, compiler.Config{}), testkit.Constraint{
			Kind: source.JSONSchema,
			Text: `{"type": "object", "properties": {"begin": true, ` + strings.Join(properties, ", ") + `}, ` +
				`"dependentRequired": {` + strings.Join(conditions, ", ") + `}, "additionalProperties": false}`,
		})
		require.NotNil(t, g, verdict)
		m := g.Current()
		return m.Cost(m.Automaton().StepBytes(m.Automaton().Start(), []byte(`{"`)))
	}
	require.Less(t, cost(40), limits.DefaultBudgets().Mask)
}

// A rule for each operator costs a mask about as much as one rule with all operators.
func TestAlternativesThatBeginAlike(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	cost := func(choice string) int {
		g, verdict := compile(compiler.New(v, compiler.Config{}), testkit.Constraint{Kind: source.Lark, Text: choice +
			"start: \"if\" c\nm: x | m \"+\" x\nx: /[a-z]\\w*/ | \"(\" c \")\"\n%ignore / +/"})
		require.NotNil(t, g, verdict)
		m := g.Current()
		return m.Cost(m.Automaton().StepBytes(m.Automaton().Start(), []byte("if ")))
	}
	var names, rules, operators []string
	for i := range 30 {
		names, operators = append(names, fmt.Sprintf("c%d", i)), append(operators, fmt.Sprintf(`"op%d"`, i))
		rules = append(rules, fmt.Sprintf("c%d: m \"op%d\" m\n", i, i))
	}
	one := cost("c: m (" + strings.Join(operators, " | ") + ") m\n")
	require.Less(t, cost("c: "+strings.Join(names, " | ")+"\n"+strings.Join(rules, "")), one*3/2)
}

// A string with a bound on its characters, some of them escaped, is one terminal in every context. Each count has a token
// set of its own, which takes one walk.
func TestBoundedStringsAreTerminals(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	perStep := func(repeat string) int64 {
		g := compileText(t, compiler.New(v, compiler.Config{}), `root ::= str "," ws str`+"\n"+
			`str ::= "\"" ([^"\\] | "\\" (["\\bnrt] | "u" [0-9a-f]{4}))`+repeat+` "\""`+"\n"+`ws ::= [ \n\t]*`)
		m, row := newMatcher(g), make([]uint32, v.Words())
		text := []byte("\"a")
		var before int64
		for i := range 40 {
			ok, err := m.AcceptBytes(text)
			require.True(t, ok, "%v", err)
			_, err = m.Fill(row)
			require.NoError(t, err)
			if text = []byte("b"); i == 0 {
				before = g.Stats().Work
			}
		}
		return (g.Stats().Work - before) / 39
	}
	for _, repeat := range []string{"{0,100}", "{0,300}", "{0,60}"} {
		require.Less(t, perStep(repeat), int64(200_000), repeat)
	}
}

// The exponent of a long number leads to a thousand states, in each of which every bound makes a number of its own:
// twenty bounds took 200 ms, and counted for little.
func TestRowsOfMachinesAreCharged(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	rows := func(n int) (made int, err error) {
		bounds := make([]string, n)
		for i := range bounds {
			bounds[i] = fmt.Sprintf(`{"type": "number", "minimum": %d}`, 10+7*i)
		}
		g, verdict := compile(compiler.New(v, compiler.Config{}), testkit.Constraint{
			Kind: source.JSONSchema,
			Text: `{"type": "array", "items": {"anyOf": [` + strings.Join(bounds, ", ") + `]}}`,
		})
		require.NotNil(t, g, verdict)
		m := newMatcher(g)
		ok, err := m.AcceptBytes([]byte("[1010059698146440581109301E"))
		require.True(t, ok, "%v", err)
		before := g.Stats().Rows
		_, err = m.Fill(make([]uint32, v.Words()))
		return g.Stats().Rows - before, err
	}
	_, err := rows(2)
	require.NoError(t, err)
	made, err := rows(20)
	require.ErrorContains(t, err, "steps")
	require.Less(t, made, 500)
}

// Joining and comparing the members of a large union counts: rows of these took 2 to 5 ms each, nine times as much as
// their parts.
func TestRowsOfLargeUnionsAreCounted(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	for _, text := range []string{`((.*a)(?=.*ab).{3,})*`, `((..)(?=.*.ab).{3,})*`} {
		c := compiler.New(v, compiler.Config{})
		_, verdict := compile(c, testkit.Constraint{Kind: source.Regex, Text: text})
		require.Contains(t, verdict, "the first mask takes more than", text)
	}
}

// The usual expression for URLs has too many states beside a length, unless it begins with ^. The error says so.
func TestAnchorsAreAWayOut(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	c := compiler.New(v, compiler.Config{})
	url := `https?:\\/\\/(www\\.)?[-a-zA-Z0-9@:%._\\+~#=]{1,256}\\.[a-zA-Z0-9()]{1,6}\\b([-a-zA-Z0-9()@:%_\\+.~#?&//=]*)`
	schema := func(anchor string) testkit.Constraint {
		return testkit.Constraint{
			Kind: source.JSONSchema, Text: `{"type": "string", "maxLength": 2048, "pattern": "` + anchor + url + `"}`,
		}
	}
	g, verdict := compile(c, schema(""))
	require.Nil(t, g)
	require.Regexp(t, `^limit.*begin the pattern with \^`, verdict)
	g, verdict = compile(c, schema("^"))
	require.NotNil(t, g, verdict)
}
