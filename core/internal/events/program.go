// Package events reads an output while it is written: its text and reasoning, its calls and their arguments, or the
// value of a JSON document.
//
// Invariant: New builds a program from the family's file, the row of its style and the request, as package family builds
// the grammar, so both describe one format. An output has the same events however it was cut into pieces. Only texts and
// scalars get an event for each piece. The package knows no grammar and no token. Start reading at New (program.go), then
// Reader (reader.go); package value reads the values.
package events

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-engine/sluice/core/internal/events/value"
	"github.com/sluice-engine/sluice/core/internal/request/family"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
)

// An op is the kind of text that an instruction reads.
type op uint8

const (
	opLiteral op = iota
	opName       // of a tool
	opIndex      // up to six digits
	opID         // nine letters and digits
	opText       // any bytes, up to a complete mark that may follow
	opValue      // one value
	opBegin      // nothing; a call begins whose name is not written
	opEnd        // nothing; a call ends
)

// inst is an instruction.
type inst struct {
	op    op
	text  string         // of opLiteral
	kind  value.Kind     // of opText
	value *value.Dialect // of opValue
	next  []int          // the instructions that may follow, the preferred one first
	first [256]bool      // of opName, opIndex and opText: the first bytes of next
	all   bool           // of opName: no mark ends the name, so it takes as many characters as it can
	ends  bool           // of opLiteral: it is a mark that ends the text before it
	space []string       // of opValue: the whitespace with which the texts behind it begin
}

// Program is the format of outputs. Immutable, except that the shape of a tool is computed at its first use. Safe for
// concurrent use.
type Program struct {
	insts  []inst
	starts []int
	names  *regexp.Regexp   // of tools; nil: any
	tools  map[string]*tool // nil: any
	only   string           // the name of calls that do not write it
}

type tool struct {
	schema string
	free   bool // outputs need not satisfy the schema
	once   sync.Once
	shape  *value.Shape
}

// shapeOf returns the types of a tool's arguments.
func (p *Program) shapeOf(name string) *value.Shape {
	t := p.tools[name]
	if t == nil || t.schema == "" {
		return nil
	}
	t.once.Do(func() { t.shape = value.ShapeOf([]byte(t.schema), t.free) })
	return t.shape
}

// JSON returns the program of an output that is one JSON value.
func JSON() *Program {
	b := builder{p: &Program{}}
	blank := b.add(inst{op: opText, kind: value.Text})
	b.p.starts = []int{b.add(inst{op: opValue, value: value.NewDialect(nil), next: []int{blank}})}
	return b.done()
}

// Text returns the program of an output that is text.
func Text() *Program {
	b := builder{p: &Program{}}
	b.p.starts = []int{b.add(inst{op: opText, kind: value.Text})}
	return b.done()
}

type builder struct {
	p     *Program
	f     *family.Family
	tools []family.Tool
	args  *value.Dialect
}

// New returns the program of outputs of a family for a request. Without tools in u, calls may have any name.
func New(f *family.Family, u *family.Use) *Program {
	b := &builder{p: &Program{}, f: f, tools: u.Tools, args: value.Arguments(style.Of(f.Arguments))}
	if f.Names != "" {
		b.p.names = regexp.MustCompile(`^(?:` + f.Names + `)$`)
	}
	for i := range u.Tools {
		if b.p.tools == nil {
			b.p.tools = map[string]*tool{}
		}
		t := &tool{}
		if b.args.NeedsShape() {
			t.schema, t.free = u.Tools[i].Schema, u.Tools[i].Free
		}
		b.p.tools[u.Tools[i].Name], b.p.only = t, u.Tools[i].Name
	}
	if len(u.Tools) > 1 {
		b.p.only = ""
	}
	calls := u.Choice != family.None
	if f.Content != nil {
		b.p.starts = b.blocks(u, calls)
	} else {
		b.p.starts = b.bare(u, calls)
	}
	return b.done()
}

// Kept returns the part of u that New reads. A grammar holds it, so it keeps no other text of the request alive.
func Kept(f *family.Family, u *family.Use) *family.Use {
	k := &family.Use{Choice: u.Choice, Reasoning: u.Reasoning}
	if u.Answer != nil {
		k.Answer = &family.Format{Type: strings.Clone(u.Answer.Type)}
	}
	shapes := value.NewDialect(style.Of(f.Arguments)).NeedsShape()
	for i := range u.Tools {
		t := family.Tool{Name: strings.Clone(u.Tools[i].Name), Kind: u.Tools[i].Kind}
		if shapes {
			t.Schema, t.Free = strings.Clone(u.Tools[i].Schema), u.Tools[i].Free
		}
		k.Tools = append(k.Tools, t)
	}
	return k
}

func (b *builder) add(i inst) int {
	b.p.insts = append(b.p.insts, i)
	return len(b.p.insts) - 1
}

func (b *builder) follow(pc int, next ...int) {
	for _, n := range next {
		if !slices.Contains(b.p.insts[pc].next, n) {
			b.p.insts[pc].next = append(b.p.insts[pc].next, n)
		}
	}
}

// literals adds instructions for texts that stand before next, and returns them, the longest first. For an empty text it
// returns next.
func (b *builder) literals(texts []string, next []int) (entries []int) {
	sorted := slices.Clone(texts)
	slices.SortStableFunc(sorted, func(x, y string) int { return len(y) - len(x) })
	for _, t := range sorted {
		if t == "" {
			entries = append(entries, next...)
		} else {
			entries = append(entries, b.add(inst{op: opLiteral, text: t, next: slices.Clone(next)}))
		}
	}
	return entries
}

// ends is literals for marks that end a text.
func (b *builder) ends(texts []string, next []int) []int {
	entries := b.literals(texts, next)
	for _, pc := range entries {
		b.p.insts[pc].ends = true
	}
	return entries
}

// bare adds the outputs of a family whose text has no marks around it, and returns their first instructions. If the
// family allows it, calls stand within the text; else an output is text or calls.
func (b *builder) bare(u *family.Use, calls bool) []int {
	text := b.add(inst{op: opText, kind: value.Text})
	answer, beside := text, b.f.BesideText && u.Answer == nil
	if !beside {
		answer = b.answer(u, []int{text})
	}
	body := []int{answer}
	if calls {
		entries := b.calls([]int{text})
		if b.f.Lead != "" {
			body = append(b.literals([]string{b.f.Lead}, entries), body...)
		}
		body = append(slices.Clone(entries), body...)
		if b.f.Triggers != nil && (beside || b.f.Calls == nil) {
			b.follow(text, entries...)
		}
	}
	return b.thought(u, body)
}

// answer adds the instruction for the answer to the user: a value if the request has a schema for it, else text.
func (b *builder) answer(u *family.Use, next []int) int {
	if u.Answer != nil && u.Answer.Type == "json_schema" {
		return b.add(inst{op: opValue, value: value.NewDialect(nil), next: next})
	}
	return b.add(inst{op: opText, kind: value.Text})
}

// thought adds the reasoning that may stand before body, and returns the first instructions of both.
func (b *builder) thought(u *family.Use, body []int) []int {
	x := b.f.Reasoning
	if x == nil || u.Reasoning == family.Off {
		return body
	}
	after := x.After
	if after == nil {
		after = []string{""}
	}
	text := b.add(inst{op: opText, kind: value.Reasoning})
	b.follow(text, b.ends(x.End, b.literals(after, body))...)
	starts := b.literals(x.Begin, []int{text})
	if u.Reasoning == family.Maybe {
		return append(starts, body...)
	}
	if x.Opened {
		return append(starts, text)
	}
	return starts
}

// blocks adds the outputs of a family whose texts stand between marks, in any order, and returns their first
// instructions.
func (b *builder) blocks(u *family.Use, calls bool) []int {
	var hub, ends []int // the first instructions of all parts, and their last ones
	block := func(text int, x *family.Block) int {
		end := b.ends(x.End, nil)
		b.follow(text, end...)
		ends = append(ends, end...)
		hub = append(hub, b.literals(x.Begin, []int{text})...)
		return text
	}
	var starts []int
	if x := b.f.Reasoning; x != nil && u.Reasoning != family.Off {
		text := block(b.add(inst{op: opText, kind: value.Reasoning}), &x.Block)
		if x.Opened && u.Reasoning == family.On {
			starts = append(starts, text)
		}
	}
	if b.f.Preamble != nil {
		block(b.add(inst{op: opText, kind: value.Text}), b.f.Preamble)
	}
	text := block(b.answer(u, nil), b.f.Content)
	if b.f.Content.Opened && u.Reasoning == family.Off {
		starts = append(starts, text)
	}
	if calls {
		last := b.add(inst{op: opLiteral}) // the empty text
		hub = append(hub, b.calls([]int{last})...)
		ends = append(ends, last)
	}
	for _, t := range []string{b.f.Separator, b.f.Finish} {
		if t != "" {
			pc := b.add(inst{op: opLiteral, text: t})
			hub, ends = append(hub, pc), append(ends, pc)
		}
	}
	for _, pc := range ends {
		b.follow(pc, hub...)
	}
	return append(slices.Clone(hub), starts...)
}

// offers reports whether tools of a kind may be called. A family without forms for raw input calls raw tools as functions.
func (b *builder) offers(kind family.ToolKind) bool {
	return len(b.tools) == 0 || slices.ContainsFunc(b.tools, func(t family.Tool) bool {
		return t.Kind == kind || kind == family.Function && t.Kind == family.Raw && len(b.f.Input) == 0
	})
}

// calls adds calls, or the section that contains them, and returns their first instructions.
func (b *builder) calls(after []int) []int {
	var last []int // the ends of calls
	entries := b.templates(&last)
	follow := after
	begins := func(pc int) bool { return b.p.insts[pc].op == opBegin } // such calls come alone
	if b.f.Triggers == nil && b.f.Content == nil && !slices.ContainsFunc(entries, begins) {
		follow = append(slices.Clone(entries), after...) // no text stands between calls
	}
	if s := b.f.Calls; s != nil {
		follow = append(b.literals([]string{s.Separator}, entries), b.literals(s.End, after)...)
		entries = b.literals(s.Begin, entries)
	}
	for _, pc := range last {
		b.follow(pc, follow...)
	}
	return entries
}

// templates adds the forms of a call, and appends their last instructions to last. Forms that begin alike share
// instructions, since a reader follows one value only.
func (b *builder) templates(last *[]int) (entries []int) {
	type key struct {
		before int
		part   family.Part
	}
	made := map[key]int{}
	for kind, list := range [][]family.Template{b.f.Call, b.f.Builtin, b.f.Input} {
		for i := range list {
			if !b.offers(family.ToolKind(kind)) {
				continue
			}
			at := -1
			step := func(k key, x inst) {
				pc, ok := made[k]
				if !ok {
					pc = b.add(x)
					if made[k] = pc; at < 0 {
						entries = append(entries, pc)
					} else {
						b.follow(at, pc)
					}
				}
				at = pc
			}
			parts := list[i].Parts()
			named := slices.ContainsFunc(parts, func(p family.Part) bool { return p.Kind == family.ToolName })
			for j, p := range parts {
				k := key{at, p}
				switch p.Kind {
				case family.Literal:
					step(k, inst{op: opLiteral, text: p.Text})
				case family.ToolName:
					step(k, inst{op: opName, all: j+1 < len(parts) && parts[j+1].Kind == family.Arguments})
				case family.Index:
					step(k, inst{op: opIndex})
				case family.ID:
					step(k, inst{op: opID})
				default:
					if !named {
						step(key{at, family.Part{Kind: p.Kind, Text: "begin"}}, inst{op: opBegin})
						k.before = at
					}
					if p.Kind == family.Arguments {
						step(k, inst{op: opValue, value: b.args})
					} else {
						step(k, inst{op: opText, kind: value.Input})
					}
				}
			}
			step(key{at, family.Part{Text: "end"}}, inst{op: opEnd})
			*last = append(*last, at)
		}
	}
	return entries
}

// done fills `first` and `space` of all instructions.
func (b *builder) done() *Program {
	for pc := range b.p.insts {
		if i := &b.p.insts[pc]; i.op == opValue {
			b.spaces(i.next, &i.space, map[int]bool{})
		} else if i.op == opName || i.op == opIndex || i.op == opText {
			seen := map[int]bool{}
			for _, n := range i.next {
				if i.op != opText || b.p.insts[n].op != opEnd { // raw input without an end mark ends with the output
					b.firsts(n, &i.first, seen)
				}
			}
		}
	}
	return b.p
}

// spaces adds the whitespace with which the literals at `next` begin.
func (b *builder) spaces(next []int, list *[]string, seen map[int]bool) {
	for _, pc := range next {
		i := &b.p.insts[pc]
		switch {
		case seen[pc]:
		case i.op == opLiteral && i.text != "":
			*list = append(*list, i.text[:len(i.text)-len(strings.TrimLeft(i.text, blanks))])
		case i.op == opBegin, i.op == opEnd, i.op == opLiteral:
			seen[pc] = true
			b.spaces(i.next, list, seen)
		}
	}
}

const blanks = " \t\r\n"

// firsts adds the bytes with which instruction pc may begin.
func (b *builder) firsts(pc int, set *[256]bool, seen map[int]bool) {
	if seen[pc] {
		return
	}
	seen[pc] = true
	switch i := &b.p.insts[pc]; {
	case i.op == opLiteral && i.text != "":
		set[i.text[0]] = true
	case i.op == opBegin, i.op == opEnd, i.op == opLiteral:
		for _, n := range i.next {
			b.firsts(n, set, seen)
		}
	default:
		for c := range set {
			set[c] = true
		}
	}
}
