package value

import (
	"bytes"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
)

// A member in tags consists of a tag with its name, a form, the value, and the mark Stop, which no value contains.

// follow reads the byte c of one of several marks. It returns the index of a complete mark, -1 if the mark is incomplete
// so far, or -2 if no mark goes on so. used is 0 if the mark was complete before c. The longest mark wins.
func (r *Reader) follow(c byte, marks ...string) (which, used int) {
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
		return -1, 1
	case whole >= 0:
		r.got = ""
		return whole, 1
	}
	for i, m := range marks {
		if m != "" && m == r.got {
			r.got = ""
			return i, 0
		}
	}
	return -2, 0
}

// marked reads a byte of a mark.
func (r *Reader) marked(c byte, out *Sink) int {
	marks := []string{r.d.s.Stop}
	switch r.mode {
	case atMember:
		return r.atMember(c, out)
	case tagForm:
		marks = r.d.opens
	case tagValue:
		marks[0] = r.d.s.Value
	}
	i, used := r.follow(c, marks...)
	switch {
	case i == -2:
		return r.fail("a mark of the style must follow")
	case i == -1:
	case r.mode == tagForm:
		r.inForm(&r.d.s.Forms[i], out)
	case r.mode == tagValue:
		r.startForm(out)
	case r.mode == inMark:
		r.startText()
	default:
		r.toTagEnd(0)
	}
	return used
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
	i, used := r.follow(c, marks[:]...)
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
			r.closeEmpty(out)
			return used
		}
		r.close(out)
	case i == -2:
		return r.fail("a member in a tag, or the end of its value, must follow")
	}
	return used
}

// closeEmpty ends a value in tags that has no text and no members.
func (r *Reader) closeEmpty(out *Sink) {
	f, k := r.top, Array
	types := f.shape.typesAs(empty) & (jsontype.String | jsontype.Object | jsontype.Array)
	if types == 0 { // the text is not of the grammar
		types = f.shape.types()
	}
	switch {
	case types&jsontype.String != 0:
		r.top, r.path, r.depth = f.up, f.path, r.depth-1
		r.scalar(String)
		r.end(out)
		r.toTagEnd(len(r.d.s.Close))
		return
	case types&jsontype.Object != 0:
		k = Object
	}
	r.decide(k, out)
	r.close(out)
}

// decide makes the innermost container an object or an array.
func (r *Reader) decide(k Kind, out *Sink) {
	f := *r.top
	f.kind = k
	r.top = &f
	r.reportOpen(k, out)
}

func (r *Reader) tagName(c byte, out *Sink) int {
	s := r.d.s
	r.key = append(r.key, c)
	if c != s.Named[len(s.Named)-1] || !bytes.HasSuffix(r.key, []byte(s.Named)) {
		return 1
	}
	r.key = r.key[:len(r.key)-len(s.Named)]
	if f := r.top; f.kind == 0 { // the first member decides
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
		r.key = r.key[:0]
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
		r.trial = New(&Dialect{capitals: r.d.capitals}, nil)
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
	for r.got != "" && stop[len(r.got)] != c { // got becomes its longest end that begins the mark
		n := len(r.got) - 1
		for n > 0 && r.got[len(r.got)-n:] != stop[:n] {
			n--
		}
		before := r.got[:len(r.got)-n]
		r.got = stop[:n]
		r.add([]byte(before), out)
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

// The states of a text in a style with Lines: readers remove one line end at each edge.
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

// tryJSON keeps the text of a value that may still be JSON. Text that cannot be JSON is a string.
func (r *Reader) tryJSON(text []byte, out *Sink) {
	var none Sink
	n := r.trial.Feed(text, &none)
	r.key = append(r.key, text...)
	begun, types := bytes.TrimLeft(r.key, " \t\r\n"), r.shape.types()
	switch {
	case len(begun) > 0 && types&jsontype.String != 0 && beginningsOf(begun[0])&types == 0:
		r.becomeText(out)
	case r.trial.err == "" && len(bytes.Trim(text[n:], " \t\r\n")) == 0:
	case r.trial.TooDeep() && types&(jsontype.Object|jsontype.Array) != 0:
		r.err = tooDeep // it may be a string or a container
	default:
		r.becomeText(out)
	}
}

// becomeText makes an undecided value a string, if it may be one.
func (r *Reader) becomeText(out *Sink) {
	if r.shape.types()&jsontype.String == 0 {
		r.fail("the value has none of its types")
		return
	}
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
	if r.end(out); !r.d.brackets() {
		r.toTagEnd(0)
	}
}

// settle reads an undecided value at its end: members in tags if it has no text yet, else JSON if the schema allows that
// value, else a string.
func (r *Reader) settle(out *Sink) {
	types := r.shape.types()
	text := bytes.Trim(r.key, " \t\r\n")
	if r.d.s.Nests() && len(text) == 0 && types&(jsontype.Object|jsontype.Array) != 0 {
		r.key, r.trial = r.key[:0], nil
		r.openTags(0, out)
		r.got = r.d.s.Stop
		return
	}
	if r.trial.Finish(&Sink{}); r.trial.Done() && typesOf(text) == jsontype.Bool {
		text = bytes.ToLower(text)
	}
	if r.trial.Done() && typesOf(text)&r.shape.typesAs(string(text)) != 0 {
		text = append(bytes.Clone(text), ' ') // ends a number
		r.key, r.trial, r.mode = r.key[:0], nil, aValue
		for len(text) > 0 && r.err == "" && r.mode != tagStop {
			text = text[r.advance(text, out):]
		}
		r.toTagEnd(0)
		return
	}
	if r.becomeText(out); r.err == "" {
		r.stopped(out)
	}
}

// typesOf returns the types of a valid text of JSON.
func typesOf(text []byte) jsontype.Set {
	switch text[0] {
	case '{':
		return jsontype.Object
	case '[':
		return jsontype.Array
	case '"':
		return 0 // a string in a tag has no quotes of its own
	case 't', 'f', 'T', 'F':
		return jsontype.Bool
	case 'n':
		return jsontype.Null
	case 'N':
		return 0 // readers take None for a string, if it may be one
	}
	if bytes.ContainsAny(text, ".eE") {
		return jsontype.Number // which may be integral
	}
	return jsontype.Integer
}

// beginningsOf returns the types of values in JSON that begin with c.
func beginningsOf(c byte) jsontype.Set {
	set := typesOf([]byte{c})
	if set == jsontype.Integer {
		set = jsontype.Number
	}
	return set
}

// toTagEnd goes on behind the mark that ends a value in tags. Some styles repeat the member's name there; its first n bytes
// have been read.
func (r *Reader) toTagEnd(n int) {
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
	if r.mode, r.n, r.got = tagEnd, 0, ""; r.word == "" {
		r.mode = atMember
	}
}
