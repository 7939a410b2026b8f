package compiler

import (
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/ebnf"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/lark"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/structag"
)

// Constructs is what the front ends say about themselves, as they say it. Immutable.
type Constructs struct {
	Dialects []string            `json:"dialects"` // of JSON Schema, oldest first
	Keywords []source.Capability `json:"keywords"` // of JSON Schema
	Formats  []source.Capability `json:"formats"`  // of JSON Schema
	Regex    []source.Capability `json:"regex"`
	EBNF     []source.Capability `json:"ebnf"`
	Lark     []source.Capability `json:"lark"`
	Tags     []source.Capability `json:"structural_tag"`
}

// Capabilities returns what each front end makes of its constructs.
func Capabilities() Constructs {
	return Constructs{
		Dialects: jsonschema.Dialects(), Keywords: jsonschema.Capabilities(), Formats: jsonschema.Formats(),
		Regex: regex.Capabilities(), EBNF: ebnf.Capabilities(), Lark: lark.Capabilities(),
		Tags: structag.Capabilities(),
	}
}
