package main

// #include "exports.h"
import "C"

import (
	"bytes"
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

//export go_grammar_compile
func go_grammar_compile(compiler C.sluice_compiler, kind C.uint32_t, spec *C.sluice_in_char, specLength C.size_t, options *C.sluice_in_char, optionsLength C.size_t, to *C.sluice_grammar, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_grammar_compile"
	defer recovered(&status, e)
	c, ok := compilers.Get(uint64(compiler))
	if !ok {
		return fail(e, staleHandle(call, tagCompiler, uint64(compiler)))
	}
	if to == nil {
		return fail(e, missing(call, "grammar"))
	}
	constraint, ok := text(spec, specLength)
	if !ok {
		return fail(e, badArray(call, "spec"))
	}
	json, ok := text(options, optionsLength)
	if !ok {
		return fail(e, badArray(call, "options"))
	}
	o, err := core.ParseOptions(json)
	if err != nil {
		return fail(e, err)
	}
	// The text is copied: a structural tag lowers its schemas when a tag is first entered, long after this call.
	g, err := c.Compile(core.Kind(kind), bytes.Clone(constraint), o)
	if err != nil {
		return fail(e, err)
	}
	h := grammars.Put(g)
	if h == 0 {
		return fail(e, tooManyHandles(call))
	}
	*to = C.sluice_grammar(h)
	return C.SLUICE_OK
}

//export go_grammar_info
func go_grammar_info(h C.sluice_grammar, facts *C.sluice_grammar_facts, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_grammar_info"
	defer recovered(&status, e)
	g, ok := grammars.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagGrammar, uint64(h)))
	}
	if facts == nil {
		return fail(e, missing(call, "facts"))
	}
	if err := checkSize(call, "facts", facts.struct_size, unsafe.Sizeof(*facts)); err != nil {
		return fail(e, err)
	}
	s := g.Stats()
	facts.n_notes = C.uint32_t(len(g.Notes()))
	facts.states = C.uint64_t(s.States)
	facts.bytes = C.uint64_t(s.Bytes)
	facts.compile_ns = C.uint64_t(s.CompileNS)
	return C.SLUICE_OK
}

//export go_grammar_note
func go_grammar_note(h C.sluice_grammar, index C.uint32_t, note *C.sluice_note, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_grammar_note"
	defer recovered(&status, e)
	g, ok := grammars.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagGrammar, uint64(h)))
	}
	if note == nil {
		return fail(e, missing(call, "note"))
	}
	if err := checkSize(call, "note", note.struct_size, unsafe.Sizeof(*note)); err != nil {
		return fail(e, err)
	}
	notes := g.Notes()
	if uint64(index) >= uint64(len(notes)) {
		return fail(e, core.Errorf(core.CodeArgument, call, "there is no note %d: the grammar has %d", index, len(notes)))
	}
	n := notes[index]
	note.effect = C.uint32_t(n.Effect)
	note.reserved = 0
	note.pointer_length = copyText(note.pointer[:], n.Pointer)
	note.keyword_length = copyText(note.keyword[:], n.Keyword)
	note.text_length = copyText(note.text[:], n.Text)
	return C.SLUICE_OK
}

//export go_grammar_free
func go_grammar_free(h C.sluice_grammar) (status C.sluice_status) {
	defer recovered(&status, nil)
	return freed(grammars.Free(uint64(h)))
}
