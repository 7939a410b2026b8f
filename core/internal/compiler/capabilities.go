package compiler

import (
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/ebnf"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/lark"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/structag"
)

// Constructs lists the constructs of all front ends. Immutable.
type Constructs struct {
	Dialects []string            `json:"dialects"`
	Keywords []source.Capability `json:"keywords"`
	Formats  []source.Capability `json:"formats"`
	Regex    []source.Capability `json:"regex"`
	EBNF     []source.Capability `json:"ebnf"`
	Lark     []source.Capability `json:"lark"`
	Tags     []source.Capability `json:"structural_tag"`
}

// Capabilities returns the support of each construct, by front end.
func Capabilities() Constructs {
	return Constructs{
		Dialects: jsonschema.Dialects(), Keywords: jsonschema.Capabilities(), Formats: jsonschema.Formats(),
		Regex: regex.Capabilities(), EBNF: ebnf.Capabilities(), Lark: lark.Capabilities(),
		Tags: structag.Capabilities(),
	}
}
