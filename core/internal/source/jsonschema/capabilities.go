package jsonschema

import (
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
)

// Dialects returns the names of the dialects, oldest first, as the option dialect is documented.
func Dialects() []string { return schema.Dialects() }

// Capabilities lists the keywords with their support.
func Capabilities() []source.Capability { return schema.Capabilities() }

// Formats lists the formats of strings with their support.
func Formats() []source.Capability { return schema.Formats() }

// Styles returns the names of the styles in which values can be written instead of JSON.
func Styles() []string { return style.Names() }
