package core_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// shownBy lists patterns of texts that contain a construct of the tables. A construct that appears under its own name,
// like a keyword, a format or an option, needs none.
var shownBy = map[string]map[string]string{
	"regex": {
		"characters": `\\[ntx]`, ".": `\.`, "classes": `\[\^?[a-z0-9]`, "set operations in classes": `&&|--|\[\[`,
		`\d \w \s`: `\\[dDwWsS]`, `\p{…}`: `\\[pP]\{`, "groups": `\(`, "alternatives": `\|`, "quantifiers": `[*+?}]`,
		"anchors": `[\^$]|\\[AzZ]`, "word boundaries": `\\[bB]`, "flags": `\(\?[imsux-]+[:)]`, "look-ahead": `\(\?[=!]`,
		"look-behind": `\(\?<[=!]`, "atomic groups": `\(\?>|[*+?]\+`, "back-references": `\\[1k]`,
		"recursion": `\(\?[1R&]`, "conditions": `\(\?\(`, "flag xx": `\(\?xx`,
	},
	"ebnf": {
		"rules": `::=`, "strings": `"`, "classes": `\[`, "repetition": `[*+?}]`, "groups and alternatives": `[(|]`,
		"recursion": "", "Regex": `Regex\(`, "Token": `\bToken\(|<\[`, "ExcludeToken": `ExcludeToken\(|!<`,
		"TagDispatch": `\bTagDispatch\(`, "TokenTagDispatch": `TokenTagDispatch\(`, "Substring": `Substring\(`,
		"look-ahead": `\(=`, "lazy, stop and suffix": `\[.*(lazy|stop=|suffix=).*\] *::=`,
		"capture and stop_capture": `\[.*capture.*\] *::=`, "max_chars": `max_chars=`, "temperature": `temperature=`,
		"max_tokens": `max_tokens=`,
	},
	"lark": {
		"rules and terminals": `:`, "strings and ranges": `"`, "regular expressions": `/`, "repetition": `[*+?~}]`,
		"recursion": "", "templates": `\w\{\w+(, *\w+)*\}:`, "%import common": `%import common`,
		"%ignore": `%ignore`, "%override and %extend": `%(override|extend)`, "& and ~": `&|~[("/A-Z]`,
		"tokens": `<[\[|a-z]`, "%json": `%json`, "%lark and @name": `%lark|@\w`, "%regex": `%regex`,
		"lazy and suffix": `\[.*(lazy|suffix=).*\]:`, "stop": `\bstop=`, "capture and stop_capture": `\[.*capture.*\]:`,
		"%llguidance": `%llguidance`, "priorities": `\w\.\d+:`, "%declare": `%declare`, "temperature": `temperature=`,
		"max_tokens": `max_tokens=`, "max_chars": `max_chars=`, "rules with a number": `::`,
	},
	"structural_tag": {"structures and triggers": `"structures"`},
}

// shows reports whether a case contains a construct of a table.
func shows(t *testing.T, c *testCase, kind, name string) bool {
	text := string(c.specText())
	pattern, ok := shownBy[kind][name]
	if !ok {
		require.Equal(t, "structural_tag", kind, "%s of %s: say in shownBy how a case shows it", name, kind)
		pattern = `"type": *"` + name + `"`
		if style, ok := strings.CutPrefix(name, "json_schema, style "); ok {
			pattern = `"style": *"` + style + `"`
		}
	}
	if name == "recursion" && kind != "regex" {
		return c.Kind == kind && slices.ContainsFunc(strings.Split(text, "\n"), usesItself)
	}
	if kind == "structural_tag" {
		return regexp.MustCompile(pattern).MatchString(text) // also if a request contains it
	}
	return c.Kind == kind && regexp.MustCompile(pattern).MatchString(text)
}

// usesItself reports whether a line is a rule with its own name in its body.
func usesItself(line string) bool {
	words := regexp.MustCompile(`\w+`).FindAllString(line, -1)
	return len(words) > 0 && slices.Contains(words[1:], words[0])
}

// Every construct of the tables has cases of accepted texts, rejected texts and masks; an unsupported one has a case
// with that error.
func TestEveryCapabilityHasCases(t *testing.T) {
	testkit.Alone(t)
	cases := loadCases(t)
	check := func(what string, unsupported bool, shows func(c *testCase) bool) {
		accept, reject, masks, refused := false, false, false, false
		for i := range cases {
			if c := &cases[i]; shows(c) {
				accept, reject = accept || len(c.Accept) > 0, reject || len(c.Reject) > 0
				masks = masks || len(c.Masks) > 0
				refused = refused || c.Error != nil && c.Error.Code == "unsupported"
			}
		}
		if unsupported {
			if !refused {
				t.Errorf("%s: no case of its refusal", what)
			}
			return
		}
		for member, has := range map[string]bool{"accept": accept, "reject": reject, "masks": masks} {
			if !has {
				t.Errorf("%s: tests/cases has no case of it with the member %q", what, member)
			}
		}
	}
	table := core.Capabilities()
	require.NotEmpty(t, table.Tags)
	for kind, list := range map[string][]core.Capability{
		"regex": table.Regex, "ebnf": table.EBNF, "lark": table.Lark, "structural_tag": table.Tags,
	} {
		for _, x := range list {
			check(kind+" "+x.Name, x.Support == core.SupportUnsupported, func(c *testCase) bool {
				return shows(t, c, kind, x.Name)
			})
		}
	}
	for _, x := range table.Keywords {
		check("keyword "+x.Name, false, func(c *testCase) bool {
			return strings.Contains(string(c.specText()), `"`+x.Name+`":`)
		})
	}
	for _, x := range table.Formats {
		check("format "+x.Name, false, func(c *testCase) bool {
			return regexp.MustCompile(`"format": *"` + x.Name + `"`).Match(c.specText())
		})
	}
	for _, x := range table.Kinds {
		check("kind "+x.Name, false, func(c *testCase) bool { return c.Kind == x.Name })
	}
	for _, x := range table.Options {
		check("option "+x.Name, false, func(c *testCase) bool {
			var o map[string]json.RawMessage
			return len(c.Options) > 0 && json.Unmarshal(c.Options, &o) == nil && o[x.Name] != nil
		})
	}
	families := core.Families()
	require.NotEmpty(t, families)
	for _, f := range families {
		check("family "+f.Name, false, func(c *testCase) bool {
			var o struct{ Family json.RawMessage }
			return len(c.Options) > 0 && json.Unmarshal(c.Options, &o) == nil && string(o.Family) == `"`+f.Name+`"`
		})
	}
}
