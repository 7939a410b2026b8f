package events_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/events"
	"github.com/sluice-engine/sluice/core/internal/events/value"
	"github.com/sluice-engine/sluice/core/internal/request/family"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// folded returns the value that events write at their places, as a caller would build it.
func folded(list []value.Event) any {
	var root any
	text := ""
	for _, e := range list {
		if e.Begins {
			text = ""
		}
		text += e.Text
		var v any
		switch {
		case e.Kind == value.Object && e.Begins:
			v = map[string]any{}
		case e.Kind == value.Array && e.Begins:
			v = &[]any{}
		case e.Kind == value.String && e.Ends:
			v = text
		case e.Kind == value.Number && e.Ends:
			v = json.Number(text)
		case e.Kind == value.Boolean && e.Ends:
			v = text == "true"
		case e.Kind != value.Null || !e.Ends:
			continue
		}
		place(&root, e.Path.Pointer(), v)
	}
	return plain(root)
}

var unescaped = strings.NewReplacer("~1", "/", "~0", "~")

func place(root *any, pointer string, v any) {
	if pointer == "" {
		*root = v
		return
	}
	at, tokens := *root, strings.Split(pointer[1:], "/")
	for _, token := range tokens[:len(tokens)-1] {
		switch x := at.(type) {
		case map[string]any:
			at = x[unescaped.Replace(token)]
		case *[]any:
			i, _ := strconv.Atoi(token)
			at = (*x)[i]
		}
	}
	switch x := at.(type) {
	case map[string]any:
		x[unescaped.Replace(tokens[len(tokens)-1])] = v
	case *[]any:
		*x = append(*x, v)
	}
}

// plain returns a value with lists for pointers to lists.
func plain(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k := range x {
			x[k] = plain(x[k])
		}
	case *[]any:
		for i := range *x {
			(*x)[i] = plain((*x)[i])
		}
		return *x
	}
	return v
}

func parsed(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&v), "%.300s", text)
	return v
}

// outcome is an output as its events tell it.
type outcome struct {
	text  string
	calls []string
	whole []any
	json  string
}

func outcomeOf(list []value.Event) (o outcome) {
	var at []value.Event
	for _, e := range list {
		switch {
		case e.Kind == value.Text:
			o.text += e.Text
		case e.Kind == value.Call && e.Begins:
			o.calls = append(o.calls, e.Text)
			at = nil
		case e.Kind == value.Call:
			o.whole = append(o.whole, folded(at))
			o.json += "\n"
		case e.Kind < value.Text:
			at = append(at, e)
			o.json += e.JSON
		}
	}
	if len(o.calls) == 0 && len(at) > 0 {
		o.whole = append(o.whole, folded(at))
	}
	return o
}

// merged joins events of one text or scalar that a cut has parted.
func merged(list []value.Event) (out []value.Event) {
	for _, e := range list {
		if n := len(out) - 1; n >= 0 && !e.Begins && !out[n].Ends && out[n].Kind == e.Kind && e.Kind != value.Call {
			out[n].Text, out[n].JSON, out[n].Ends = out[n].Text+e.Text, out[n].JSON+e.JSON, e.Ends
			continue
		}
		out = append(out, e)
	}
	return out
}

// atCuts reads a text in two pieces, cut at many places or all, and byte by byte, and requires the same each time.
func atCuts(t *testing.T, p *events.Program, text string, r *rand.Rand) outcome {
	t.Helper()
	var whole value.Sink
	one := events.NewReader(p)
	require.NoError(t, one.Feed([]byte(text), &whole), text)
	require.NoError(t, one.Finish(&whole))
	require.False(t, one.Open(), text)
	want := outcomeOf(whole.Events)
	events1 := fmt.Sprintf("%+v", pointers(merged(whole.Events)))
	bit, bits := events.NewReader(p), &value.Sink{}
	every := len(text) < testkit.Rounds(200, 2000)
	for i := 0; i <= len(text); i++ {
		if every || r.Intn(len(text)) < 40 {
			rest, out := bit.Clone(), &value.Sink{Events: bits.Events[:len(bits.Events):len(bits.Events)]}
			require.NoError(t, rest.Feed([]byte(text[i:]), out))
			require.NoError(t, rest.Finish(out))
			require.Equal(t, want.json, outcomeOf(out.Events).json, "%q cut at %d", text, i)
			if i == len(text) || r.Intn(10) == 0 {
				require.Equal(t, want, outcomeOf(out.Events), "%q cut at %d", text, i)
				require.Equal(t, events1, fmt.Sprintf("%+v", pointers(merged(out.Events))), "%q cut at %d", text, i)
			}
		}
		if i < len(text) {
			require.NoError(t, bit.Feed([]byte(text[i:i+1]), bits))
		}
	}
	return want
}

// pointers returns events with their places as text.
func pointers(list []value.Event) (out []string) {
	for _, e := range list {
		at := e.Path.Pointer()
		e.Path = nil
		out = append(out, fmt.Sprintf("%+v %s", e, at))
	}
	return out
}

// The instances of MaskBench fold to the values that a parser reads.
func TestDocumentsOfCollections(t *testing.T) {
	data, _, err := corpus.Real()
	if errors.Is(err, corpus.ErrNoData) {
		t.Skip(err)
	}
	require.NoError(t, err)
	r, p := testkit.Seeded(t, 91), events.JSON()
	step, n, read := 30/testkit.Rounds(1, 30), 0, 0
	require.NoError(t, corpus.MaskBench(data, func(x *corpus.Job) {
		if n++; n%step != 0 {
			return
		}
		for i := range x.Tests {
			text := x.Tests[i].Text()
			got := atCuts(t, p, text, r)
			require.Equal(t, []any{parsed(t, text)}, got.whole, "%s %d", x.ID, i)
			require.Equal(t, parsed(t, text), parsed(t, got.json))
			read++
		}
	}))
	t.Log(read)
	require.Greater(t, read, 300)
}

// The reference calls of BFCL, in the format of their structural tags, which a family's file says.
func TestCallsOfCollections(t *testing.T) {
	data, _, err := corpus.Real()
	if errors.Is(err, corpus.ErrNoData) {
		t.Skip(err)
	}
	require.NoError(t, err)
	f, err := family.Read([]byte(`{"name": "bfcl", "call": "<function=$name>$arguments</function>", "triggers": ["<function="]}`))
	require.NoError(t, err)
	r, step, n, calls := testkit.Seeded(t, 92), 10/testkit.Rounds(1, 10), 0, 0
	require.NoError(t, corpus.BFCL(data, "dev", func(x *corpus.Job) {
		if n++; n%step != 0 {
			return
		}
		for i := range x.Tests {
			if !x.Tests[i].Valid {
				continue
			}
			text := x.Tests[i].Text()
			got := atCuts(t, events.New(f, &family.Use{}), text, r)
			rest := text
			for k, name := range got.calls {
				before, after, ok := strings.Cut(rest, "<function="+name+">")
				require.True(t, ok)
				inner, left, ok := strings.Cut(after, "</function>")
				require.True(t, ok)
				require.Equal(t, parsed(t, inner), got.whole[k])
				rest = before + left
				calls++
			}
			require.Equal(t, rest, got.text)
			require.NotContains(t, rest, "<function=")
		}
	}))
	t.Log(calls)
	require.Greater(t, calls, 100)
}

func BenchmarkReader(b *testing.B) {
	text := []byte(`{"name": "Ada Lovelace", "tags": ["one", "two", "three"], "at": {"x": 12.5, "y": -3, "ok": true}}`)
	p := events.JSON()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r, out := events.NewReader(p), &value.Sink{}
		for piece := range bytes.SplitAfterSeq(text, []byte{' '}) {
			if err := r.Feed(piece, out); err != nil {
				b.Fatal(err)
			}
			out.Events = out.Events[:0]
		}
	}
}
