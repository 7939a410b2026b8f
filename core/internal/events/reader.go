package events

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/events/value"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/request/family"
)

// Reader reads one output. One sequence; Clone makes another one.
//
// It follows all readings of the output, the preferred one first. A reading that reaches a text or a value ends the
// readings behind it in that order. The reader reports it when it has become the first. Until then it keeps the bytes: at
// most a name and the marks around it.
type Reader struct {
	p       *Program
	threads []thread
	spare   []thread
	kept    []byte // the bytes from `base` on
	base    int
	pos     int
	text    int  // the text in progress, -1 if there is none
	begun   int  // its first byte
	told    int  // its first byte that is not reported yet
	fresh   bool // no part of it is reported yet
	sub     *value.Reader
	name    string // of the call in progress
	calls   int    // calls that have begun
	inCall  bool
	filled  bool // the arguments of the call in progress are complete
	ended   bool // the present byte completed a mark that ends a text, so all readings behind it are dropped
	err     *diag.Error
}

// A thread is a reading of the output so far.
type thread struct {
	pc, n   int // the instruction, and how far it has come
	from    int // its first byte
	pending *action
}

// An action is a report that waits until its reading is the only one. Immutable.
type action struct {
	before   *action
	op       op // opText: the end of a text; opName: a call begins; opEnd
	pc       int
	from, to int // of the text
	name     string
}

// NewReader returns a reader at the beginning of an output.
func NewReader(p *Program) *Reader {
	r := &Reader{p: p, text: -1}
	r.threads = r.enter(nil, thread{}, p.starts)
	return r
}

// Clone returns a second reader in the same state.
func (r *Reader) Clone() *Reader {
	c := *r
	c.threads, c.kept, c.spare = slices.Clone(r.threads), slices.Clone(r.kept), nil
	if r.sub != nil {
		c.sub = r.sub.Clone()
	}
	return &c
}

// Open reports whether the output so far has a call or a value that is not complete.
func (r *Reader) Open() bool { return r.inCall || r.sub != nil }

// Err returns the error that ended the reading, or nil.
func (r *Reader) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// Feed reads text, and adds to out the events that all readings of the output so far have in common. The error is
// Invalid if the output has another format, or Limit.
func (r *Reader) Feed(text []byte, out *value.Sink) error {
	out.Call = r.current()
	if r.pos == 0 && len(text) > 0 {
		r.settle(out)
	}
	r.feed(text, out)
	if r.err != nil {
		return r.err
	}
	if r.text >= 0 {
		safe := r.pos
		for i := range r.threads {
			for a := r.threads[i].pending; a != nil; a = a.before {
				if a.op == opText && a.pc == r.text && a.from == r.begun {
					safe = min(safe, a.to)
				}
			}
		}
		r.tell(safe, false, out)
	}
	r.trim()
	return nil
}

// current returns the number of the call in progress, or -1.
func (r *Reader) current() int {
	if r.inCall {
		return r.calls - 1
	}
	return -1
}

// trim drops the bytes that no reading needs any more.
func (r *Reader) trim() {
	if r.sub != nil {
		return // a value keeps no bytes
	}
	keep := r.pos
	if r.text >= 0 {
		keep = r.told
	}
	for i := range r.threads {
		t := &r.threads[i]
		if t.pc != r.text || t.from != r.begun {
			keep = min(keep, t.from)
		}
		for a := t.pending; a != nil; a = a.before {
			if a.op == opText && (a.pc != r.text || a.from != r.begun) {
				keep = min(keep, a.from)
			}
		}
	}
	r.kept = append(r.kept[:0], r.kept[keep-r.base:]...)
	r.base = keep
}

func (r *Reader) feed(text []byte, out *value.Sink) {
	for len(text) > 0 && r.err == nil {
		if r.sub != nil {
			n := r.sub.Feed(text, out)
			r.pos += n
			text = text[n:]
			r.afterValue(out)
			continue
		}
		if len(r.threads) == 1 && r.threads[0].pc == r.text {
			// PERF: most text is far from any mark.
			first := &r.p.insts[r.text].first
			n := 0
			for n < len(text) && !first[text[n]] {
				n++
			}
			r.kept = append(r.kept, text[:n]...)
			r.pos += n
			if text = text[n:]; len(text) == 0 {
				return
			}
		}
		r.step(text[0], out)
		text = text[1:]
	}
}

// enter adds to list the threads that continue t at the instructions `next`.
func (r *Reader) enter(list []thread, t thread, next []int) []thread {
	for _, pc := range next {
		i := &r.p.insts[pc]
		u := t
		switch {
		case i.op == opEnd:
			u.pending = &action{before: t.pending, op: opEnd}
		case i.op == opBegin:
			u.pending = &action{before: t.pending, op: opName, name: r.p.only}
		case i.op == opLiteral && i.text == "":
		default:
			u.pc, u.n, u.from = pc, 0, r.pos
			list = put(list, u)
			continue
		}
		list = r.enter(list, u, i.next)
	}
	return list
}

// put adds a thread unless a preferred one is at the same place.
func put(list []thread, t thread) []thread {
	for i := range list {
		if list[i].pc == t.pc && list[i].n == t.n {
			return list
		}
	}
	return append(list, t)
}

// step reads a byte.
func (r *Reader) step(c byte, out *value.Sink) {
	list := r.spare[:0]
	r.kept = append(r.kept, c)
	for i := 0; i < len(r.threads) && !r.ended; i++ {
		list = r.advance(list, r.threads[i], c)
	}
	r.ended = false
	r.pos++
	r.threads, r.spare = list, r.threads
	if len(list) == 0 {
		r.fail()
		return
	}
	r.settle(out)
}

// advance adds to list the threads that follow from t by the byte c at r.pos.
func (r *Reader) advance(list []thread, t thread, c byte) []thread {
	i := &r.p.insts[t.pc]
	switch i.op {
	case opLiteral:
		if i.text[t.n] != c {
			return list
		}
		if t.n++; t.n < len(i.text) {
			return put(list, t)
		}
		r.ended = r.ended || i.ends
		return r.behind(list, t, i.next)
	case opName:
		goes := nameBytes[c] && t.n < limits.ToolName
		if t.n > 0 && i.first[c] && !(i.all && goes) {
			name := string(r.kept[t.from-r.base : r.pos-r.base])
			if r.knows(name) {
				u := t
				u.pending = &action{before: t.pending, op: opName, name: name}
				list = r.leave(list, u, c)
			}
		}
		if goes {
			t.n++
			list = put(list, t)
		}
	case opIndex:
		if t.n > 0 && i.first[c] {
			list = r.leave(list, t, c)
		}
		if t.n++; c >= '0' && c <= '9' && t.n <= 6 {
			list = put(list, t)
		}
	case opID:
		if t.n++; !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z') {
			return list
		}
		if t.n < 9 {
			return put(list, t)
		}
		return r.behind(list, t, i.next)
	case opText:
		if i.first[c] {
			u := t
			u.pending = &action{before: t.pending, op: opText, pc: t.pc, from: t.from, to: r.pos}
			list = r.leave(list, u, c)
		}
		if !r.ended {
			list = put(list, t)
		}
	case opValue:
		list = put(list, t)
	}
	return list
}

// behind adds the threads that begin with the next byte.
func (r *Reader) behind(list []thread, t thread, next []int) []thread {
	r.pos++
	list = r.enter(list, t, next)
	r.pos--
	return list
}

// leave adds the threads that follow from t if its instruction ended before the byte c.
func (r *Reader) leave(list []thread, t thread, c byte) []thread {
	var few [8]thread
	for _, u := range r.enter(few[:0], t, r.p.insts[t.pc].next) {
		if !r.ended {
			list = r.advance(list, u, c)
		}
	}
	return list
}

// nameBytes are the bytes that names of tools may contain.
var nameBytes = func() (set [256]bool) {
	for c := range set {
		set[c] = c >= 0x80 || family.CheckName(string(rune(c))) == ""
	}
	return set
}()

func (r *Reader) knows(name string) bool {
	if r.p.tools != nil {
		return r.p.tools[name] != nil
	}
	return r.p.names == nil || r.p.names.MatchString(name)
}

// settle drops the readings behind the first one that has reached a text or a value, and reports the actions that the
// others share.
func (r *Reader) settle(out *value.Sink) {
	for i := range r.threads {
		o := r.p.insts[r.threads[i].pc].op
		if o != opText && o != opValue {
			continue
		}
		if r.threads = r.threads[:i+1]; i == 0 {
			r.commit(out)
			return
		}
		break
	}
	pending := r.threads[0].pending
	for i := range r.threads {
		if r.threads[i].pending != pending {
			return
		}
	}
	r.perform(pending, out)
}

// perform reports the actions that all threads have in common.
func (r *Reader) perform(pending *action, out *value.Sink) {
	if pending == nil {
		return
	}
	var list []*action
	for a := pending; a != nil; a = a.before {
		list = append(list, a)
	}
	for _, a := range slices.Backward(list) {
		switch a.op {
		case opText:
			r.toText(a.pc, a.from)
			r.tell(a.to, true, out)
			r.text = -1
		case opName:
			r.name, r.calls, r.inCall, r.filled = a.name, r.calls+1, true, false
			out.Call = r.current()
			out.Events = append(out.Events, value.Event{Kind: value.Call, Begins: true, Call: out.Call, Text: a.name})
		case opEnd:
			out.Events = append(out.Events, value.Event{Kind: value.Call, Ends: true, Call: r.current(), Text: r.name})
			r.inCall = false
			out.Call = -1
		}
	}
	for i := range r.threads {
		r.threads[i].pending = nil
	}
}

// toText makes a text the one in progress.
func (r *Reader) toText(pc, from int) {
	if r.text != pc || r.begun != from {
		r.text, r.begun, r.told, r.fresh = pc, from, from, true
	}
}

// tell reports the text in progress up to a place. Unless the text ends, an incomplete character waits for its rest.
func (r *Reader) tell(to int, ends bool, out *value.Sink) {
	text := r.kept[r.told-r.base : to-r.base]
	if !ends {
		text = text[:value.Whole(text)]
	}
	kind := r.p.insts[r.text].kind
	if len(text) == 0 && (!ends || r.fresh && kind != value.Input) {
		return
	}
	r.told += len(text)
	out.Events = append(out.Events, value.Event{
		Kind: kind, Begins: r.fresh, Ends: ends, Call: r.current(), Text: string(text),
	})
	r.fresh = false
}

// commit begins the text or value of the only thread.
func (r *Reader) commit(out *value.Sink) {
	t := r.threads[0]
	r.perform(t.pending, out)
	i := &r.p.insts[t.pc]
	if i.op == opText {
		r.toText(t.pc, t.from)
		return
	}
	shape := (*value.Shape)(nil)
	if i.value.NeedsShape() {
		shape = r.p.shapeOf(r.name)
	}
	r.sub = value.New(i.value, shape)
	again := slices.Clone(r.kept[t.from-r.base:]) // it was not the preferred reading until now
	r.pos, r.kept = t.from, r.kept[:0]
	r.feed(again, out)
}

// afterValue goes on behind a value that is complete.
func (r *Reader) afterValue(out *value.Sink) {
	switch {
	case r.sub.TooDeep():
		r.err = diag.Errorf(diag.Limit, "events", diag.Place{}, "the output nests values deeper than %d, and events go no "+
			"deeper; read the whole output instead", limits.EventDepth)
		return
	case r.sub.Err() != "":
		r.err = diag.Errorf(diag.Invalid, "events", diag.Place{}, "the output has no value of its format at byte %d: %s",
			r.pos, r.sub.Err())
		return
	case !r.sub.Done():
		return
	}
	again, next := r.sub.Unread(), &r.p.insts[r.threads[0].pc]
	rest := strings.TrimLeft(again, blanks)
	most := 0
	for _, x := range next.space {
		if len(x) > most && strings.HasSuffix(again[:len(again)-len(rest)], x) {
			most = len(x)
		}
	}
	again = again[len(again)-len(rest)-most:] // all other whitespace belongs to the value
	r.pos -= len(again)
	r.sub, r.filled, r.kept, r.base = nil, true, r.kept[:0], r.pos
	r.threads = r.enter(r.spare[:0], thread{}, next.next)
	r.spare = nil
	r.settle(out)
	r.feed([]byte(again), out)
}

func (r *Reader) fail() {
	r.err = diag.Errorf(diag.Invalid, "events", diag.Place{}, "the output leaves its format at byte %d", r.pos-1)
	r.err.Fragment = diag.Shorten(string(r.kept), 60)
}

// Finish ends the output. Text that might have begun a mark is text. A call with all its arguments is complete, since
// engines cut off end marks that are stop tokens. Do not use the reader afterwards.
func (r *Reader) Finish(out *value.Sink) error {
	if r.err != nil {
		return r.err
	}
	out.Call = r.current()
	if r.pos == 0 {
		r.settle(out)
	}
	if r.sub != nil {
		if r.sub.Finish(out); r.sub.Done() {
			r.afterValue(out)
		} else if r.leaves(out) {
			return nil
		}
	}
	r.finish(out)
	return nil
}

// leaves reports whether the text since the last member of the arguments completes the call. Then it ends the output.
func (r *Reader) leaves(out *value.Sink) bool {
	c, more := r.Clone(), value.Sink{Call: out.Call}
	if !c.sub.Leave(&more) {
		return false
	}
	c.afterValue(&more)
	c.filled = false
	if c.finish(&more); c.err != nil || c.inCall {
		return false
	}
	*r, out.Events = *c, append(out.Events, more.Events...)
	return true
}

func (r *Reader) finish(out *value.Sink) {
	for _, t := range r.threads {
		if r.p.insts[t.pc].op == opText {
			r.perform(t.pending, out)
			r.toText(t.pc, t.from)
			r.tell(r.pos, true, out)
			r.filled = r.filled || r.p.insts[t.pc].kind == value.Input
			break
		}
	}
	if r.inCall && r.filled {
		r.perform(&action{op: opEnd}, out)
	}
}
