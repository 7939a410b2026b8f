package core

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// elsewhere maps options of other libraries to a hint that names the option of this one.
var elsewhere = map[string]string{
	"strict_mode":                   "XGrammar's strict_mode is the option closed here",
	"disable_additional_properties": "vLLM's disable_additional_properties is the option closed here",
	"strict":                        "closed forbids undeclared keys; everything else is always enforced",
	"additional_properties":         "closed forbids undeclared keys",
	"additionalProperties":          "this is a keyword of schemas; the option closed forbids undeclared keys",
	"any_whitespace": "in place of XGrammar's any_whitespace=False set compact, for no whitespace, or separators to " +
		`[", ", ": "], which XGrammar writes then`,
	"max_whitespace_cnt":  "XGrammar's max_whitespace_cnt is the option max_whitespace here",
	"root_rule_name":      "XGrammar's root_rule_name is the option start_rule here",
	"builtin":             "compile the kind json or json_object for what other libraries call a builtin grammar",
	"whitespace_flexible": "in place of LLGuidance's whitespace_flexible=false set compact",
	"coerce_one_of":       "LLGuidance's coerce_one_of is not needed: oneOf is enforced as it is; leave it out",
	"item_separator":      `LLGuidance's item_separator and key_separator are the option separators here, as [", ", ": "]`,
	"key_separator":       `LLGuidance's item_separator and key_separator are the option separators here, as [", ", ": "]`,
	"whitespace":          "one of compact, max_whitespace, whitespace_pattern, separators and indent decides about whitespace",
	"ensure_ascii":        "ascii_only writes strings in ASCII",
	"draft":               "dialect names the draft of a schema that does not name it itself",
	"root":                "start_rule names the rule where a grammar starts",
	"start":               "start_rule names the rule where a grammar starts",
	"model":               "family names how the model writes calls of tools",
	"tool_parser":         "family names how the model writes calls of tools",
}

// noOption is the error for an unknown option. It names the option that the caller probably meant, or all names.
func noOption(name, says string, value []byte, names []string) error {
	if meant := elsewhere[name]; meant != "" {
		return optionError(name, value, says+": "+meant)
	}
	if meant, ok := diag.Nearest(plainOption(name), names); ok {
		return optionError(name, value, says+"; did you mean "+meant+"?")
	}
	return optionError(name, value, says+"; there are "+strings.Join(names, ", "))
}

// plainOption writes a name as options are written: in lower case, with underscores.
func plainOption(name string) string {
	var b strings.Builder
	for i, r := range diag.Shorten(name, 2*diag.LongestName) {
		switch {
		case r == '-' || r == ' ':
			r = '_'
		case r >= 'A' && r <= 'Z':
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
