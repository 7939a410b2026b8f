package main

// #include "exports.h"
import "C"

import (
	"math"

	"github.com/sluice-engine/sluice/core"
)

//export go_grammar_compile
func go_grammar_compile(
	compiler C.sluice_compiler, kind C.uint32_t, spec *C.sluice_in_char, specLength C.size_t, options *C.sluice_in_char,
	optionsLength C.size_t, to *C.sluice_grammar, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_grammar_compile"
	defer recovered(&status, e)
	c, err := readCompilation(call, compiler, kind, spec, specLength, options, optionsLength)
	switch {
	case err != nil:
		return fail(e, err)
	case to == nil:
		return fail(e, missing(call, "grammar"))
	}
	g, err := c.run(nil)
	return putGrammar(call, g, err, to, e)
}

//export go_check
func go_check(
	kind C.uint32_t, spec *C.sluice_in_char, specLength C.size_t, options *C.sluice_in_char, optionsLength C.size_t,
	vocabulary C.sluice_vocabulary, budget C.uint64_t, to *C.char, capacity C.size_t, length *C.size_t,
	e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_check"
	defer recovered(&status, e)
	v, err := optionalVocabulary(call, vocabulary)
	if err != nil {
		return fail(e, err)
	}
	check := func(kind core.Kind, spec, options []byte) ([]byte, error) {
		return core.CheckJSON(kind, spec, options, v, int(min(budget, math.MaxInt)))
	}
	return said(call, check, kind, spec, specLength, options, optionsLength, to, capacity, length, e)
}

//export go_to_ebnf
func go_to_ebnf(
	kind C.uint32_t, spec *C.sluice_in_char, specLength C.size_t, options *C.sluice_in_char, optionsLength C.size_t,
	to *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	defer recovered(&status, e)
	return said("sluice_to_ebnf", toEBNF, kind, spec, specLength, options, optionsLength, to, capacity, length, e)
}

func toEBNF(kind core.Kind, spec, options []byte) ([]byte, error) {
	o, err := core.ParseOptions(options)
	if err != nil {
		return nil, err
	}
	text, err := core.ToEBNF(kind, spec, o)
	return []byte(text), err
}

// said writes the text that a call on a constraint without a vocabulary returns.
func said(
	call string, say func(kind core.Kind, spec, options []byte) ([]byte, error),
	kind C.uint32_t, spec *C.sluice_in_char, specLength C.size_t, options *C.sluice_in_char, optionsLength C.size_t,
	to *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) C.sluice_status {
	constraint, ok := text(spec, specLength)
	if !ok {
		return fail(e, badArray(call, "spec"))
	}
	json, ok := text(options, optionsLength)
	if !ok {
		return fail(e, badArray(call, "options"))
	}
	out, err := say(core.Kind(kind), constraint, json)
	return putText(call, out, err, to, capacity, length, e)
}

func readCompilation(
	call string, compiler C.sluice_compiler, kind C.uint32_t, spec *C.sluice_in_char, specLength C.size_t,
	options *C.sluice_in_char, optionsLength C.size_t,
) (c compilation, err error) {
	k, ok := compilers.Get(uint64(compiler))
	if !ok {
		return c, staleHandle(call, tagCompiler, uint64(compiler))
	}
	constraint, ok := text(spec, specLength)
	if !ok {
		return c, badArray(call, "spec")
	}
	json, ok := text(options, optionsLength)
	if !ok {
		return c, badArray(call, "options")
	}
	o, err := core.ParseOptions(json)
	if err != nil {
		return c, err
	}
	return compilation{compiler: k, kind: core.Kind(kind), spec: constraint, options: *o}, nil
}

// putGrammar returns the handle of a new grammar to the caller.
func putGrammar(call string, g *core.Grammar, err error, to *C.sluice_grammar, e *C.sluice_error) C.sluice_status {
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
	if err := checkSize(call, "facts", facts.struct_size, C.SLUICE_FIRST_GRAMMAR_FACTS); err != nil {
		return fail(e, err)
	}
	s := g.Stats()
	output(facts, &C.sluice_grammar_facts{
		n_notes: C.uint32_t(len(g.Notes())), states: C.uint64_t(s.States), bytes: C.uint64_t(s.Bytes),
		compile_ns: C.uint64_t(s.CompileNS), kind: C.uint64_t(g.Kind()), compile_work: C.uint64_t(s.CompileWork),
	}, facts.struct_size)
	return C.SLUICE_OK
}

//export go_grammar_note
func go_grammar_note(
	h C.sluice_grammar, index C.uint32_t, note *C.sluice_note, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_grammar_note"
	defer recovered(&status, e)
	g, ok := grammars.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagGrammar, uint64(h)))
	}
	if note == nil {
		return fail(e, missing(call, "note"))
	}
	if err := checkSize(call, "note", note.struct_size, C.SLUICE_FIRST_NOTE); err != nil {
		return fail(e, err)
	}
	notes := g.Notes()
	if uint64(index) >= uint64(len(notes)) {
		return fail(e, core.Errorf(core.CodeArgument, call, "there is no note %d: the grammar has %d", index,
			len(notes)))
	}
	n := notes[index]
	own := C.sluice_note{effect: C.uint32_t(n.Effect)}
	own.pointer_length = copyText(own.pointer[:], n.Pointer)
	own.keyword_length = copyText(own.keyword[:], n.Keyword)
	own.text_length = copyText(own.text[:], n.Text)
	output(note, &own, note.struct_size)
	return C.SLUICE_OK
}

//export go_grammar_free
func go_grammar_free(h C.sluice_grammar) (status C.sluice_status) {
	defer recovered(&status, nil)
	return freed(grammars.Free(uint64(h)))
}
