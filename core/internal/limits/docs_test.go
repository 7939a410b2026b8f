package limits

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const page = "../../../docs/operations.md"

// Constants that no user can meet: thresholds between equal ways, bounds of preparation and quotes, prices.
var inner = strings.Fields(`
	AlikeCost CaptureCosts CaptureFirstSteps ChoiceFragment ClosureCost CompilingAtOnce ForcedParts
	ExpectedNames ExpectedText Expectations FormatTableWork ItemCost ItemNodeCost JSONIndent JSONLevels JSONTab LookAheadPlaces NodeCost
	PartCost RegexCounterFrom RegexFragment
	RegexGroupCounterFrom RequestLook RuleCounter RuleFold RuleFoldWork RuleFragment RuleHeads RuleLazyEnds RuleNarrow
	RuleNarrowCounter RuleNotes RuleRepeatFold RuleTriggers SchemaEmptyDepth SchemaFewNames SchemaMultiples
	SchemaNamesCompared SchemaNumberCases SchemaNumbers SchemaSeenValues SchemaWitnessPlaces
	SideCost SmallCompilation StepCost TableStates TableWork TagFragment TagNotes VocabularyFragment WarmBytes WarmCompile
	WarmItems WarmMade WarmMasks WarmParts`)

// The options of compilers, and the limit that each of them sets.
var compilerOptions = map[string]string{
	"cache_bytes": "GrammarCacheBytes", "warm_bytes": "WarmBytes", "shared_bytes": "GrammarStoreBytes",
	"grammar_states": "GrammarStates", "mask_budget": "Budgets.Mask", "search_budget": "Budgets.Search",
	"transition_budget": "Budgets.Transition", "compile_budget": "Budgets.Compile",
}

// docs/operations.md lists every limit that a user can meet, with its value.
func TestThePageListsTheLimits(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	values := allValues(t)
	listed := map[string]bool{}
	row := regexp.MustCompile("(?m)^\\| [^|]+ \\| ([^|]+) \\| [^|]* \\| `([A-Z][A-Za-z.]+)` \\|$")
	for _, found := range row.FindAllStringSubmatch(string(text), -1) {
		value, name := found[1], found[2]
		require.Contains(t, values, name, "the page has a limit that is not there")
		require.False(t, listed[name], "%s is listed twice", name)
		require.Equal(t, values[name], number(t, value), name)
		listed[name] = true
	}
	for _, name := range inner {
		require.Contains(t, values, name)
		require.False(t, listed[name], "%s is listed, and named as one that no user can meet", name)
		listed[name] = true
	}
	for name := range values {
		require.True(t, listed[name], "docs/operations.md does not list %s", name)
	}
	option := regexp.MustCompile("(?m)^\\| `([a-z]+_[a-z]+)` \\| ([0-9][^|]*) \\|")
	for _, found := range option.FindAllStringSubmatch(string(text), -1) {
		require.Contains(t, compilerOptions, found[1])
		require.Equal(t, values[compilerOptions[found[1]]], number(t, found[2]), found[1])
		delete(compilerOptions, found[1])
	}
	require.Empty(t, compilerOptions, "options of compilers that the page does not list")
}

// number reads "5,200,000" and "16 MiB".
func number(t *testing.T, text string) int64 {
	digits, unit, _ := strings.Cut(text, " ")
	n, err := strconv.ParseInt(strings.ReplaceAll(digits, ",", ""), 10, 64)
	require.NoError(t, err)
	shift, known := map[string]int{"": 0, "KiB": 10, "MiB": 20}[unit]
	require.True(t, known, text)
	return n << shift
}

// allValues returns the value of each constant of the package, and of each default budget.
func allValues(t *testing.T) map[string]int64 {
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		require.NoError(t, err)
		parsed = append(parsed, file)
	}
	checked, err := (&types.Config{Importer: importer.Default()}).Check("limits", files, parsed, nil)
	require.NoError(t, err)
	values := map[string]int64{}
	for _, name := range checked.Scope().Names() {
		if c, ok := checked.Scope().Lookup(name).(*types.Const); ok {
			n, exact := constant.Int64Val(c.Val())
			require.True(t, exact, name)
			values[name] = n
		}
	}
	budgets := DefaultBudgets()
	fields := reflect.ValueOf(budgets)
	for i := range fields.NumField() {
		values["Budgets."+fields.Type().Field(i).Name] = fields.Field(i).Int()
	}
	values["Budgets.Drafts"] = int64(budgets.Drafts())
	return values
}
