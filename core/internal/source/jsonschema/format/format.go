// Package format holds the string formats of JSON Schema. Each is a regular expression; leap.go adds leap seconds to
// times.
//
// Invariant: every accepted text has the format, except as the format's note says. Start reading at formats.
package format

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// Format is a string format. Immutable.
type Format struct {
	Name    string
	Pattern string      // of a whole string
	AtMost  string      // a pattern for a superset, if the format is not enforced exactly
	loose   string      // a pattern for a superset with few states: labels of host names may have any length
	Note    string      // for users
	Effect  diag.Effect // of the difference that Note names; 0: none
}

// formats are the formats of schemas, in the order of the table of capabilities.
var formats = []Format{
	{Name: "date", Pattern: fullDate, Note: "as RFC 3339 says; the year may be 0000"},
	{Name: "time", Pattern: fullTime, Note: "as RFC 3339 says: with an offset (Z, +01:00)"},
	{
		Name: "date-time", Pattern: fullDate + `[Tt]` + fullTime,
		Note: "as RFC 3339 says: with an offset (Z, +01:00); the year may be 0000",
	},
	{Name: "duration", Pattern: duration, Note: "as RFC 3339 says: without a sign and without fractions"},
	{
		Name: "email", Pattern: localPart + "@" + mailHost(hostname), AtMost: `.+@.+`,
		Effect: diag.Narrower, Note: hostNote, loose: localPart + "@" + mailHost(looseHost),
	},
	{
		Name: "idn-email", Pattern: idnLocalPart + "@" + mailHost(idnMailHost), AtMost: `.+@.+`,
		Effect: diag.Narrower, Note: idnNote, loose: idnLocalPart + "@" + mailHost(looseIDNHost),
	},
	{
		Name: "hostname", Pattern: hostname, AtMost: `[0-9A-Za-z.-]{1,254}`,
		Effect: diag.Narrower, Note: hostNote, loose: looseHost,
	},
	{
		Name: "idn-hostname", Pattern: idnHostname, AtMost: `[^ @/?#]{1,254}`,
		Effect: diag.Narrower, Note: idnNote, loose: looseIDNHost,
	},
	{Name: "ipv4", Pattern: ipv4},
	{Name: "ipv6", Pattern: ipv6},
	{Name: "uri", Pattern: uriPattern("", "", false)},
	{Name: "uri-reference", Pattern: uriPattern("", "", true)},
	{Name: "iri", Pattern: uriPattern(ucs, private, false)},
	{Name: "iri-reference", Pattern: uriPattern(ucs, private, true)},
	{Name: "uri-template", Pattern: uriTemplate},
	{Name: "uuid", Pattern: uuid},
	{Name: "json-pointer", Pattern: jsonPointer},
	{Name: "relative-json-pointer", Pattern: `(?:0|[1-9][0-9]*)(?:#|` + jsonPointer + `)`},
	{Name: "regex", Pattern: regexPattern(), AtMost: `(?s).*`, Effect: diag.Wider, Note: regexNote},
}

const (
	hostNote = "leaves out host names with many or very long labels, and encoded labels (xn--…)"
	idnNote  = hostNote + ". Also leaves out most Unicode labels that are long, mix scripts or need rules of context or " +
		"direction"
	regexNote = "checks brackets, groups (ten levels deep), escapes and single quantifiers; not the order of bounds " +
		"(a{3,2}, [z-a]), quantifiers after anchors or others (^*, a*{2}), names of groups and properties"
)

// Names returns the names of the formats.
func Names() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].Name
	}
	return names
}

// Of returns a format, the zero Format for an unknown name.
func Of(name string) Format {
	for i := range formats {
		if formats[i].Name == name {
			return formats[i]
		}
	}
	return Format{}
}

// PlainHostname is an internal format: hostname in the dialects before draft-07.
const PlainHostname = "hostname of RFC 1123"

// Opposite marks the name of a format that is negated.
const Opposite = " at most"

// Pattern returns the regular expression of a format's whole strings, by its name or an internal one; "" for an
// unknown format.
func Pattern(name string) string {
	if of, ok := strings.CutSuffix(name, Opposite); ok {
		return Of(of).AtMost
	}
	if name == PlainHostname {
		return plainLabel + `(?:\.` + plainLabel + `)*`
	}
	return Of(name).Pattern
}
