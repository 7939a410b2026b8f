package structag

import (
	"encoding/json"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// overlapDocument is a random document of short strings over few letters. Every tag is its begin, a 1 and a semicolon.
type overlapDocument struct {
	triggers, begins, excludes []string
	end                        string // of a tag around; empty: there is none
}

func randomDocument(r *rand.Rand) overlapDocument {
	var d overlapDocument
	word := func(least, most int) string {
		b := make([]byte, least+r.Intn(most-least+1))
		for i := range b {
			b[i] = "abc"[r.Intn(2+r.Intn(2))]
		}
		if len(d.triggers) > 0 && r.Intn(3) > 0 { // something that overlaps a trigger
			t := d.triggers[r.Intn(len(d.triggers))]
			t = t[r.Intn(len(t)):]
			if t = string(b)[:r.Intn(min(len(b), 1)+1)] + t[:r.Intn(len(t)+1)]; len(t) >= least && len(t) <= most {
				return t
			}
		}
		return string(b)
	}
	for range 1 + r.Intn(3) {
		d.triggers = append(d.triggers, word(1, 5))
	}
	for range r.Intn(4) {
		d.begins = append(d.begins, d.triggers[r.Intn(len(d.triggers))]+word(0, 2))
	}
	for range r.Intn(3) {
		d.excludes = append(d.excludes, word(1, 5))
	}
	if r.Intn(2) == 0 {
		d.end = word(1, 3)
	}
	return d
}

func (d overlapDocument) spec(t *testing.T) string {
	type object = map[string]any
	tags := []object{}
	for _, b := range d.begins {
		tags = append(tags, object{
			"type": "tag", "begin": b, "content": object{"type": "const_string", "value": "1"}, "end": ";",
		})
	}
	f := object{"type": "triggered_tags", "triggers": d.triggers, "tags": tags, "excludes": d.excludes}
	if d.end != "" {
		f = object{"type": "tag", "begin": "", "content": f, "end": d.end}
	}
	b, err := json.Marshal(object{"type": "structural_tag", "format": f})
	require.NoError(t, err)
	return string(b)
}

// accepts is the definition. Of all triggers and ends in the text, the one that begins first counts, of
// those that begin together the shortest. No excluded string may be complete by then; but those that contain the end,
// and to an end those inside it, do not matter.
func (d overlapDocument) accepts(text string) bool {
	stops := slices.Clone(d.triggers)
	if d.end != "" {
		stops = append(stops, d.end)
	}
	begin, stop := len(text), ""
	for _, s := range stops {
		if at := strings.Index(text, s); at >= 0 && (at < begin || at == begin && len(s) < len(stop)) {
			begin, stop = at, s
		}
	}
	tag, end := true, d.end != "" // not excluded
	for _, x := range d.excludes {
		if d.end != "" && strings.Contains(x, d.end) {
			continue
		}
		for at := range text {
			if strings.HasPrefix(text[at:], x) && at+len(x) <= begin+len(stop) {
				tag, end = false, end && at >= begin
			}
		}
	}
	if stop == "" {
		return d.end == "" && tag
	}
	for _, b := range d.begins {
		rest, ok := strings.CutPrefix(text[begin:], b+"1;")
		if tag && ok && strings.HasPrefix(b, stop) && d.accepts(rest) {
			return true
		}
	}
	return end && strings.HasPrefix(d.end, stop) && text[begin:] == d.end
}

// TestOverlaps compares random triggers, ends and excluded strings with their meaning in plain words, on all short
// texts.
func TestOverlaps(t *testing.T) {
	seed := int64(1)
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	documents := 4000
	if testing.Short() {
		documents = 500
	}
	compiled, accepted := 0, 0
	for range documents {
		d := randomDocument(r)
		spec := d.spec(t)
		st := terminal.NewStore()
		g, _, err := Compile(st, []byte(spec), options())
		if err != nil {
			var e *diag.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, diag.Invalid, e.Code, "%s: %v", spec, err)
			continue
		}
		compiled++
		a := engine(t, st, g)
		for range 60 {
			b := make([]byte, r.Intn(9))
			for i := range b {
				b[i] = "aaabbbc1;"[r.Intn(9)]
			}
			text := string(b)
			if len(d.begins) > 0 && r.Intn(2) == 0 {
				at := r.Intn(len(text) + 1)
				text = text[:at] + d.begins[r.Intn(len(d.begins))] + "1;" + text[at:]
			}
			if r.Intn(2) == 0 {
				text += d.end
			}
			if d.accepts(text) {
				accepted++
			}
			require.Equal(t, d.accepts(text), a([]byte(text)), "%s: %q", spec, text)
		}
	}
	require.Greater(t, compiled, documents/4)
	require.Greater(t, accepted, documents)
}

// If an inner trigger's tag may continue as the outer trigger does, the document is ambiguous and refused.
func TestOverlapIsRefused(t *testing.T) {
	spec := format(`{"type": "triggered_tags", "triggers": ["<tool_call>", "tool"], "tags": [
		{"begin": "<tool_call>", "content": ` + number + `, "end": ""}, {"begin": "tool", "content": {"type": "any_text"}, "end": "."}]}`)
	_, _, err := Compile(terminal.NewStore(), []byte(spec), options())
	var e *diag.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, diag.Unsupported, e.Code)
	require.Equal(t, "/format/tags/1/begin", e.Place.Pointer)
}
