package main

// #include "exports.h"
import "C"

import (
	"encoding/json"
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

//export go_families
func go_families(to *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_families"
	defer recovered(&status, e)
	var files []json.RawMessage
	for _, f := range core.Families() {
		files = append(files, f.File)
	}
	list, err := json.Marshal(files)
	return putText(call, list, err, to, capacity, length, e)
}

//export go_family_of
func go_family_of(
	model *C.sluice_in_char, modelLength C.size_t, to *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_family_of"
	defer recovered(&status, e)
	name, ok := text(model, modelLength)
	if !ok {
		return fail(e, badArray(call, "model"))
	}
	f, err := core.FamilyOf(string(name))
	if err != nil {
		return fail(e, err)
	}
	return putText(call, []byte(f.Name), nil, to, capacity, length, e)
}

//export go_request_read
func go_request_read(
	request *C.sluice_in_char, requestLength C.size_t, options *C.sluice_in_char, optionsLength C.size_t,
	vocabulary C.sluice_vocabulary, to *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_request_read"
	defer recovered(&status, e)
	body, ok := text(request, requestLength)
	if !ok {
		return fail(e, badArray(call, "request"))
	}
	o, ok := text(options, optionsLength)
	if !ok {
		return fail(e, badArray(call, "options"))
	}
	v, err := optionalVocabulary(call, vocabulary)
	if err != nil {
		return fail(e, err)
	}
	out, err := core.RequestJSON(body, o, v)
	return putText(call, out, err, to, capacity, length, e)
}

// optionalVocabulary returns the vocabulary that a handle names, nil if the handle is 0.
func optionalVocabulary(call string, h C.sluice_vocabulary) (*core.Vocabulary, error) {
	if h == 0 {
		return nil, nil
	}
	v, ok := vocabularies.Get(uint64(h))
	if !ok {
		return nil, staleHandle(call, tagVocabulary, uint64(h))
	}
	return v, nil
}

//export go_request_tools
func go_request_tools(
	request *C.sluice_in_char, requestLength C.size_t, to *C.char, capacity C.size_t, length *C.size_t,
	e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_request_tools"
	defer recovered(&status, e)
	body, ok := text(request, requestLength)
	if !ok {
		return fail(e, badArray(call, "request"))
	}
	out, err := core.ToolsJSON(body)
	return putText(call, out, err, to, capacity, length, e)
}

// putText copies a text to the caller.
func putText(
	call string, out []byte, err error, to *C.char, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) C.sluice_status {
	if err != nil {
		return fail(e, err)
	}
	// SAFETY: char and uint8_t have one size; copyOut borrows the buffer for the copy alone.
	if !copyOut((*C.uint8_t)(unsafe.Pointer(to)), capacity, out) {
		return fail(e, badArray(call, "text"))
	}
	if length != nil {
		*length = C.size_t(len(out))
	}
	return C.SLUICE_OK
}
