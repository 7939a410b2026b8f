package value

import (
	"bytes"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
)

// Members in tags: a tag with a name, a form, the value, the text that ends it. No value contains that text.

// follow goes on with a mark, one of several, by the byte c. It returns the index of a complete mark, -1 while it is
// incomplete or -2 if c belongs to none, and whether c was read. The longest mark wins.
func (r *Reader) follow(c byte, marks ...string) (which int, read bool) {
	n, whole, longer := len(r.got), -2, ""
	for i, m := range marks {
		switch {
		case len(m) <= n || m[n] != c || m[:n] != r.got:
		case len(m) > n+1:
			longer = m[:n+1]
		default:
			whole = i
		}
	}
	switch {
	case longer != "":
		r.got = longer
		return -1, true
	case whole >= 0:
		r.got = ""
		return whole, true
	}
	for i, m := range marks {
		if m != "" && m == r.got {
			r.got = ""
			return i, false
		}
	}
	return -2, false
}

func used(read bool) int {
	if read {
		return 1
	}
	return 0
}

// marked reads a byte of a mark.
func (r *Reader) marked(c byte, out *Sink) int {
	s := r.d.s
	switch r.mode {
	case atMember:
		return r.atMember(c, out)
	case tagForm:
		i, read := r.follow(c, r.d.opens...)
		if i >= 0 {
			r.inForm(&s.Forms[i], out)
		}
		return r.going(i, read)
	case tagValue:
		i, read := r.follow(c, s.Value)
		if i == 0 {
			r.startForm(out)
		}
		return r.going(i, read)
	case inMark:
		i, read := r.follow(c, s.Stop)
		if i == 0 {
			r.scalar(String)
			r.mode = tagText
		}
		return r.going(i, read)
	}
	i, read := r.follow(c, s.Stop)
	if i == 0 {
		r.closing(0)
	}
	return r.going(i, read)
}

func (r *Reader) going(which int, read bool) int {
	if which == -2 {
		return r.fail("a mark of the style must follow")
	}
	return used(read)
}

// atMember reads the next member's tag, or the end of the container.
func (r *Reader) atMember(c byte, out *Sink) int {
	f := r.top
	marks := [3]string{r.d.open, "", r.d.close}
	if f.kind == Array && r.d.item != "" {
		marks = [3]string{"", r.d.item, r.d.close}
	}
	if f.root && !r.d.s.Repeats() {
		marks[2] = "" // any other text ends the arguments
	}
	before := r.got
	i, read := r.follow(c, marks[:]...)
	switch {
	case i == 0:
		r.mode, r.key = tagName, r.key[:0]
	case i == 1:
		r.nextItem()
		r.startForm(out)
	case f.root && i != -1: // no member
		r.close(out)
		if r.got = before; i == 2 {
			r.got = r.d.close
		}
	case i == 2:
		if f.kind == 0 {
			r.emptied(out)
			return used(read)
		}
		r.close(out)
	case i == -2:
		return r.fail("a member in a tag, or the end of its value, must follow")
	}
	return used(read)
}

// emptied ends a value in tags that has no text and no members.
func (r *Reader) emptied(out *Sink) {
	f, types := r.top, r.top.shape.types()
	k := Array
	switch {
	case types&jsontype.String != 0:
		r.top, r.path, r.depth = f.up, f.path, r.depth-1
		r.scalar(String)
		r.report(out, true)
		r.kind = 0
		r.closing(len(r.d.s.Close))
		return
	case types&jsontype.Object != 0:
		k = Object
	}
	r.decide(k, out)
	r.close(out)
}

// decide tells whether a container is an object or an array.
func (r *Reader) decide(k Kind, out *Sink) {
	f := *r.top
	f.kind = k
	r.top = &f
	r.opened(k, out)
}

func (r *Reader) tagName(c byte, out *Sink) int {
	s := r.d.s
	r.key = append(r.key, c)
	if c != s.Named[len(s.Named)-1] || !bytes.HasSuffix(r.key, []byte(s.Named)) {
		return 1
	}
	r.key = r.key[:len(r.key)-len(s.Named)]
	if f := r.top; f.kind == 0 { // the first member tells
		const item = "item"
		types := f.shape.types()
		array := string(r.key) == item && types&jsontype.Array != 0 && (types&jsontype.Object == 0 || !f.shape.has(item))
		if array {
			r.decide(Array, out)
		} else {
			r.decide(Object, out)
		}
	}
	if r.top.kind == Array {
		r.nextItem()
	} else {
		r.member()
	}
	if r.got = ""; s.Value != "" {
		r.mode = tagValue
		return 1
	}
	r.startForm(out)
	return 1
}

// startForm begins a value behind its tag.
func (r *Reader) startForm(out *Sink) {
	s := r.d.s
	if r.d.opens[0] != "" {
		r.mode, r.got = tagForm, ""
		return
	}
	types := r.shape.types()
	text := types & jsontype.String
	var members jsontype.Set
	if s.Nests() {
		members = types & (jsontype.Object | jsontype.Array)
	}
	switch other := types &^ text &^ members; {
	case other == 0 && members == 0:
		r.startText()
	case text == 0 && members == 0:
		r.mode = aValue
	case text == 0 && other == 0:
		r.openTags(members, out)
	default:
		r.mode, r.got, r.key = undecided, "", r.key[:0]
		r.trial = New(&Dialect{}, nil)
	}
}

func (r *Reader) inForm(f *style.Form, out *Sink) {
	switch f.How {
	case style.AsText:
		r.startText()
	case style.AsJSON:
		r.mode = aValue
	default:
		r.openTags(f.Types, out)
	}
}

func (r *Reader) startText() {
	r.scalar(String)
	r.mode, r.got = tagText, ""
}

// openTags begins an object or an array whose members stand in tags.
func (r *Reader) openTags(types jsontype.Set, out *Sink) {
	k := Kind(0)
	switch types {
	case jsontype.Object:
		k = Object
	case jsontype.Array:
		k = Array
	}
	r.open(k, out, true, false)
	r.mode, r.got = atMember, ""
}

// tagText reads text up to the end of its tag, or of its brackets.
func (r *Reader) tagText(text []byte, out *Sink) int {
	stop := r.d.s.Stop
	if r.got == "" {
		i := bytes.IndexByte(text, stop[0])
		if i < 0 {
			i = len(text)
		}
		if i > 0 {
			r.add(text[:i], out)
			return i
		}
	}
	c := text[0]
	for r.got != "" && stop[len(r.got)] != c { // the longest end of the text that begins the mark
		n := len(r.got) - 1
		for n > 0 && r.got[len(r.got)-n:] != stop[:n] {
			n--
		}
		before := r.got[:len(r.got)-n]
		r.got = stop[:n]
		if r.add([]byte(before), out); r.mode != tagText && r.mode != undecided {
			return 0
		}
	}
	if stop[len(r.got)] != c {
		r.add(text[:1], out)
		return 1
	}
	if r.got = stop[:len(r.got)+1]; r.got == stop {
		r.got = ""
		r.stopped(out)
	}
	return 1
}

// The states of a text whose edges readers strip of a line end each.
const (
	lineFirst = iota
	lineInside
	linePending
)

// add adds text to the string in tags.
func (r *Reader) add(text []byte, out *Sink) {
	if r.mode == undecided {
		r.tryJSON(text, out)
		return
	}
	if r.d.s.Lines {
		if r.line == lineFirst && text[0] == '\n' {
			text = text[1:]
		}
		if r.line == lineFirst {
			r.line = lineInside
		}
		if len(text) == 0 {
			return
		}
		if r.line == linePending {
			r.put(out, '\n')
		}
		if r.line = lineInside; text[len(text)-1] == '\n' {
			r.line, text = linePending, text[:len(text)-1]
		}
	}
	r.put(out, text...)
}

// tryJSON keeps the text of a value that may still be JSON. If it cannot be, the value is a text.
func (r *Reader) tryJSON(text []byte, out *Sink) {
	var none Sink
	n := r.trial.Feed(text, &none)
	r.key = append(r.key, text...)
	spoilt := r.trial.err != "" || len(bytes.Trim(text[n:], " \t\r\n")) > 0
	types := r.shape.types()
	switch {
	case !spoilt:
	case types&jsontype.String != 0:
		r.becomeText(out)
	default:
		r.fail("the value has none of its types")
	}
}

func (r *Reader) becomeText(out *Sink) {
	text, got := bytes.Clone(r.key), r.got
	r.key, r.trial = r.key[:0], nil
	r.startText()
	if r.got = got; len(text) > 0 {
		r.add(text, out)
	}
}

// stopped goes on behind the mark that ends a text.
func (r *Reader) stopped(out *Sink) {
	if r.mode == undecided {
		r.settle(out)
		return
	}
	if r.report(out, true); r.d.brackets() {
		r.kind = 0
		r.closed()
		return
	}
	r.kind = 0
	r.closing(0)
}

// settle reads a value that may be a text or JSON, or members in tags, once its end is known: JSON if it has a type of
// the schema so.
func (r *Reader) settle(out *Sink) {
	types := r.shape.types()
	text := bytes.Trim(r.key, " \t\r\n")
	if r.d.s.Nests() && len(text) == 0 && types&(jsontype.Object|jsontype.Array) != 0 {
		r.key, r.trial = r.key[:0], nil
		r.openTags(0, out)
		r.got = r.d.s.Stop
		return
	}
	if r.trial.Finish(&Sink{}); r.trial.Done() && typesOf(text)&types != 0 {
		text = append(bytes.Clone(text), ' ') // ends a number
		r.key, r.trial, r.mode = r.key[:0], nil, aValue
		for len(text) > 0 && r.err == "" && r.mode != tagStop {
			text = text[r.advance(text, out):]
		}
		r.closing(0)
		return
	}
	if types&jsontype.String == 0 {
		r.fail("the value has none of its types")
		return
	}
	r.becomeText(out)
	r.report(out, true)
	r.kind = 0
	r.closing(0)
}

// typesOf returns the types of a valid text of JSON.
func typesOf(text []byte) jsontype.Set {
	switch text[0] {
	case '{':
		return jsontype.Object
	case '[':
		return jsontype.Array
	case '"':
		return 0 // a text with its quotes
	case 't', 'f':
		return jsontype.Bool
	case 'n':
		return jsontype.Null
	}
	if bytes.ContainsAny(text, ".eE") {
		return jsontype.Number // which may be integral
	}
	return jsontype.Integer
}

// closing goes on behind the end mark of a value in tags, after the first n bytes of the name that repeats there.
func (r *Reader) closing(n int) {
	s := r.d.s
	switch {
	case r.top.kind == Array:
		r.word = s.ItemClose
	case s.Repeats():
		r.word = s.Close + r.path.key + s.Closed
	default:
		r.word = ""
	}
	r.word = r.word[min(n, len(r.word)):]
	if r.mode, r.n, r.got = inLiteral, 0, ""; r.word == "" {
		r.mode = atMember
	}
}

func (r *Reader) literal(c byte) int {
	if r.word[r.n] != c {
		return r.fail("the end of the value must follow: " + strings.TrimSpace(r.word))
	}
	if r.n++; r.n == len(r.word) {
		r.mode = atMember
	}
	return 1
}
