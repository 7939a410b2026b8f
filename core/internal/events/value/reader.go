package value

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
)

// A mode is the part of a value to which the next byte belongs.
type mode uint8

const (
	start mode = iota
	aValue
	firstItem // or the end of the array
	firstKey  // or the end of the object
	nextKey
	bareKey // a name without quotes
	colon
	afterValue // within a container
	inString
	inEscape
	inNumber
	inMark    // the mark before a string of a style with brackets
	atMember  // in front of a member's tag, or of the container's end
	tagName   // a member's name in its tag
	tagValue  // the mark between name and form
	tagForm   // the form of a value
	tagText   // a string in a tag
	undecided // text in a tag that may still be JSON; see tryJSON
	tagStop   // the mark behind a value in a tag
	inWord    // the next byte of word, which only goes on so
	tagEnd    // the same, behind a value in a tag
	done
)

// Reader reads one value. One sequence; Clone makes another one.
type Reader struct {
	d     *Dialect
	mode  mode
	top   *frame
	path  *Path // of the value in progress, or of the last complete one
	shape *Shape
	kind  Kind    // of the scalar in progress
	fresh bool    // no event of it has been reported
	isKey bool    // the string in progress is a name
	half  bool    // the pending text has half of a surrogate pair
	line  uint8   // see lineFirst
	quote byte    // of the string in progress
	n     int     // progress in word, an escape or a number
	high  uint16  // the first half of a surrogate pair, until the second
	code  rune    // of an escape in progress
	got   string  // the part of a mark so far
	word  string  // which follows byte by byte
	key   []byte  // the name in progress, or the text of an undecided value
	held  []byte  // the incomplete character at the end of the text so far
	trial *Reader // of an undecided value as JSON
	depth int
	err   string
}

// A frame is an open container. Immutable.
type frame struct {
	up    *frame
	path  *Path
	shape *Shape
	kind  Kind // 0: the first tag decides between object and array
	tags  bool // the members stand in tags
	root  bool // it has no mark at its beginning, and the first text that is no member ends it
}

// Dialect is how values are written: in JSON, or in a style. Immutable.
type Dialect struct {
	s                 *style.Style // nil: JSON
	open, item, close string       // of a style with tags: before a member, before an item, behind a container
	opens             []string     // of the style's forms
	unescape          *strings.Replacer
	capitals          bool // of the style
	object            bool // the whole value is an object
}

// NewDialect returns the dialect of a style; nil is JSON.
func NewDialect(s *style.Style) *Dialect {
	d := &Dialect{s: s}
	if s == nil {
		return d
	}
	d.capitals = s.Capitals
	if d.open, d.item, d.close = s.Open, s.Item, s.Stop; s.Repeats() {
		d.item, d.close = "", s.Stop+s.Close // items have names, too
	}
	for _, f := range s.Forms {
		d.opens = append(d.opens, f.Open)
	}
	var pairs []string
	for _, c := range s.Escaped {
		pairs = append(pairs, s.Written(string(c)), string(c))
	}
	d.unescape = strings.NewReplacer(pairs...)
	return d
}

// Arguments returns the dialect of arguments in a style, which are an object; nil is JSON.
func Arguments(s *style.Style) *Dialect {
	d := NewDialect(s)
	d.object = true
	return d
}

// NeedsShape reports whether only the schema tells strings from other values.
func (d *Dialect) NeedsShape() bool {
	return d.s != nil && d.tagged() && d.opens[0] == ""
}

func (d *Dialect) python() bool   { return d.s != nil && d.s.Python }
func (d *Dialect) brackets() bool { return d.s != nil && d.s.Brackets }
func (d *Dialect) tagged() bool   { return d.s != nil && !d.s.Python && !d.s.Brackets }

// New returns a reader of a value in JSON, or of arguments in a style. shape has the types of values; nil: any.
func New(d *Dialect, shape *Shape) *Reader { return &Reader{d: d, shape: shape} }

// Clone returns a second reader in the same state.
func (r *Reader) Clone() *Reader {
	c := *r
	c.key, c.held = slices.Clone(r.key), slices.Clone(r.held)
	if r.trial != nil {
		c.trial = r.trial.Clone()
	}
	return &c
}

// Done reports whether the value is complete.
func (r *Reader) Done() bool { return r.mode == done }

// Unread returns the text that Feed took behind the last member of a complete value. Whitespace at its beginning may
// belong to the value.
func (r *Reader) Unread() string { return string(r.key) + r.got }

// Err returns the error in the text, or "".
func (r *Reader) Err() string { return r.err }

// Feed reads text up to the end of the value, and returns the number of bytes that it took.
func (r *Reader) Feed(text []byte, out *Sink) (n int) {
	out.text = append(out.text[:0], r.held...)
	r.held = r.held[:0]
	for n < len(text) && r.mode != done && r.err == "" {
		n += r.advance(text[n:], out)
	}
	if r.kind != 0 && !r.isKey {
		r.report(out, false)
	}
	return n
}

// Finish ends the text. A number may be complete then.
func (r *Reader) Finish(out *Sink) {
	if out.text = out.text[:0]; r.mode == inNumber && r.top == nil && numberMayEnd(r.n) {
		r.end(out)
	}
}

func (r *Reader) fail(what string) int {
	r.err = what
	return 0
}

// advance reads at least one byte, or changes the mode.
func (r *Reader) advance(text []byte, out *Sink) int {
	c := text[0]
	switch r.mode {
	case inString:
		return r.inString(text, out)
	case inEscape:
		return r.escape(c, out)
	case inNumber:
		return r.number(text, out)
	case inWord, tagEnd:
		return r.inWord(c, out)
	case bareKey:
		return r.bareKey(c, out)
	case start:
		return r.begin(out)
	case tagText, undecided:
		return r.tagText(text, out)
	case tagName:
		return r.tagName(c, out)
	case inMark, tagValue, tagForm, tagStop, atMember:
		if r.got == "" && blank(c) && r.mode != inMark && r.mode != tagForm {
			return r.space(c)
		}
		return r.marked(c, out)
	}
	if blank(c) {
		return r.space(c)
	}
	switch r.mode {
	case aValue:
		return r.value(c, out)
	case firstItem:
		if c == ']' {
			r.close(out)
			return 1
		}
		r.nextItem()
		return 0
	case firstKey, nextKey:
		return r.keyOrEnd(c, out)
	case colon:
		if c != ':' {
			return r.fail("a colon must follow the name")
		}
		r.member()
		return 1
	}
	return r.afterValue(c, out)
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// space reads whitespace between tokens. It may belong to the text behind the arguments.
func (r *Reader) space(c byte) int {
	if r.mayLeave() {
		r.key = append(r.key, c)
	}
	return 1
}

// mayLeave reports whether the next text may stand behind the arguments. Then key has the text since the last member.
func (r *Reader) mayLeave() bool {
	if r.top == nil || !r.top.root {
		return false
	}
	first := r.path == r.top.path
	return r.mode == atMember || r.mode == afterValue || r.mode == firstKey || r.mode == bareKey && first
}

// Leave ends the arguments in front of the text since the last member, if they may end there.
func (r *Reader) Leave(out *Sink) bool {
	if out.text = out.text[:0]; r.mode == inNumber && r.top != nil && r.top.root && numberMayEnd(r.n) {
		r.end(out)
	}
	if !r.mayLeave() {
		return false
	}
	r.close(out)
	return true
}

// begin opens the arguments in a style.
func (r *Reader) begin(out *Sink) int {
	if r.mode = aValue; r.d.s == nil {
		return 0
	}
	if r.open(Object, out, r.d.tagged(), true); r.d.tagged() {
		r.mode = atMember
	}
	return 0
}

func (r *Reader) value(c byte, out *Sink) int {
	switch {
	case c == '{':
		r.open(Object, out, false, false)
	case r.d.object && r.top == nil:
		return r.fail("arguments must be an object")
	case c == '[':
		r.open(Array, out, false, false)
	case c == '"' || c == '\'' && r.d.python():
		if r.d.brackets() {
			return r.fail("strings stand between " + r.d.s.Stop)
		}
		r.quote, r.mode = c, inString
		r.scalar(String)
	case c == '-' || isDigit(c):
		r.n, r.mode = numberStart, inNumber
		r.scalar(Number)
		return 0
	case r.d.brackets() && c == r.d.s.Stop[0]:
		r.got, r.mode = "", inMark
		return 0
	default:
		return r.startWord(c)
	}
	return 1
}

func (r *Reader) scalar(k Kind) { r.kind, r.fresh, r.half, r.isKey, r.line = k, true, false, false, 0 }

// open begins a container at the current path.
func (r *Reader) open(k Kind, out *Sink, tags, root bool) {
	if r.depth++; r.depth > limits.EventDepth {
		r.err = tooDeep
		return
	}
	if k != 0 {
		r.reportOpen(k, out)
	}
	r.top = &frame{up: r.top, path: r.path, shape: r.shape, kind: k, tags: tags, root: root}
	if r.mode = firstKey; k == Array {
		r.mode = firstItem
	}
}

const tooDeep = "the value is nested too deep for events"

// TooDeep reports whether the value is nested deeper than limits.EventDepth.
func (r *Reader) TooDeep() bool { return r.err == tooDeep }

// reportOpen reports the beginning of a container at the current path.
func (r *Reader) reportOpen(k Kind, out *Sink) {
	json := "{"
	if k == Array {
		json = "["
	}
	out.add(Event{Kind: k, Begins: true, Path: r.path, JSON: string(append(r.lead(nil), json...))})
}

// lead appends the comma and the name before the current value.
func (r *Reader) lead(dst []byte) []byte {
	p := r.path
	if p == nil {
		return dst
	}
	if p.index > 0 {
		dst = append(dst, ',')
	}
	if !p.item {
		dst = append(appendJSON(append(dst, '"'), []byte(p.key)), '"', ':')
	}
	return dst
}

// close ends the innermost container.
func (r *Reader) close(out *Sink) {
	f := r.top
	json := "}"
	if f.kind == Array {
		json = "]"
	}
	out.add(Event{Kind: f.kind, Ends: true, Path: f.path, JSON: json})
	r.top, r.path = f.up, f.path
	r.depth--
	switch {
	case r.top == nil:
		r.mode = done
	case f.tags:
		r.toTagEnd(len(r.d.s.Close))
	default:
		r.toAfterValue()
	}
}

// toAfterValue goes on behind a value in JSON.
func (r *Reader) toAfterValue() {
	switch {
	case r.top == nil:
		r.mode = done
	case r.top.tags:
		r.mode, r.got = tagStop, ""
	default:
		r.mode = afterValue
	}
}

// nextIndex returns the index of the next member or item.
func (r *Reader) nextIndex() int {
	if r.path == r.top.path {
		return 0
	}
	return r.path.index + 1
}

func (r *Reader) nextItem() {
	r.path, r.mode = &Path{up: r.top.path, index: r.nextIndex(), item: true}, aValue
	r.shape = r.top.shape.item(r.path.index)
}

// member begins the value of the name in key.
func (r *Reader) member() {
	name := string(r.key)
	if r.d.tagged() && r.top.tags {
		name = r.d.unescape.Replace(name)
	}
	r.key, r.isKey, r.kind = r.key[:0], false, 0
	r.path, r.mode = &Path{up: r.top.path, index: r.nextIndex(), key: name}, aValue
	r.shape = r.top.shape.member(name)
}

func (r *Reader) keyOrEnd(c byte, out *Sink) int {
	bare := r.d.brackets() || r.d.python() && r.top.root
	switch {
	case r.mode == firstKey && c == '}':
		return r.closeAt(out)
	case bare:
		r.mode = bareKey
		return 0
	case c == '"' || c == '\'' && r.d.python():
		r.scalar(String)
		r.isKey, r.quote, r.mode = true, c, inString
		return 1
	}
	return r.fail("a name in quotes must follow")
}

// closeAt closes the container at its end byte. The byte behind a root is not part of the value.
func (r *Reader) closeAt(out *Sink) int {
	root := r.top.root
	if r.close(out); root {
		return 0
	}
	return 1
}

func (r *Reader) bareKey(c byte, out *Sink) int {
	name := bytes.TrimLeft(r.key, " \t\r\n")
	switch {
	case string(c) == r.d.s.Named && len(name) > 0:
		r.key = name
		r.member()
	case c >= ' ' && strings.IndexByte(`"'()[]{}<>,:=`, c) < 0:
		r.key = append(r.key, c)
	case r.mayLeave():
		return r.closeAt(out)
	default:
		return r.fail("a name must be followed by " + r.d.s.Named)
	}
	return 1
}

func (r *Reader) afterValue(c byte, out *Sink) int {
	array := r.top.kind == Array
	switch {
	case c == ',' && array:
		r.nextItem()
		return 1
	case c == ',':
		r.mode, r.key = nextKey, r.key[:0]
		return 1
	case r.top.root, c == ']' && array, c == '}' && !array:
		return r.closeAt(out)
	}
	return r.fail("a comma or the end must follow the value")
}
