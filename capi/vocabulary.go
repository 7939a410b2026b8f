package main

// #include "exports.h"
import "C"

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/sluice-engine/sluice/core"
)

// putVocabulary returns the handle of a new vocabulary to the caller.
func putVocabulary(
	call string, v *core.Vocabulary, err error, to *C.sluice_vocabulary, e *C.sluice_error,
) C.sluice_status {
	if err != nil {
		return fail(e, err)
	}
	h := vocabularies.Put(v)
	if h == 0 {
		return fail(e, tooManyHandles(call))
	}
	*to = C.sluice_vocabulary(h)
	return C.SLUICE_OK
}

//export go_vocabulary_new
func go_vocabulary_new(
	config *C.sluice_in_vocabulary_config, to *C.sluice_vocabulary, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_vocabulary_new"
	defer recovered(&status, e)
	if config == nil {
		return fail(e, missing(call, "config"))
	}
	if to == nil {
		return fail(e, missing(call, "vocabulary"))
	}
	own, err := input(call, "config", config, config.struct_size, C.SLUICE_FIRST_VOCABULARY_CONFIG)
	if err != nil {
		return fail(e, err)
	}
	c, err := readVocabulary(call, &own)
	if err != nil {
		return fail(e, err)
	}
	v, err := core.NewVocabulary(c)
	return putVocabulary(call, v, err, to, e)
}

// readVocabulary copies a vocabulary out of the caller's memory.
func readVocabulary(call string, config *C.sluice_in_vocabulary_config) (c core.VocabularyConfig, err error) {
	if config.reserved != 0 {
		return c, core.Errorf(core.CodeArgument, call, "config.reserved is %d: it must be 0", config.reserved)
	}
	n := int(config.n_tokens)
	if n == 0 {
		return c, core.Errorf(core.CodeArgument, call, "config.n_tokens is 0: a vocabulary has tokens")
	}
	offsets, ok := borrow(config.offsets, uint64(n)+1)
	if !ok {
		return c, badArray(call, "config.offsets")
	}
	if !slices.IsSorted(offsets) {
		return c, core.Errorf(core.CodeArgument, call, "config.offsets descend: token i is bytes[offsets[i]] up to "+
			"bytes[offsets[i+1]]")
	}
	text, ok := borrow(config.bytes, uint64(offsets[n]))
	if !ok {
		return c, badArray(call, "config.bytes")
	}
	if c.EndTokens, err = idList(call, "config.end_tokens", config.end_tokens, config.n_end_tokens); err != nil {
		return c, err
	}
	var flags []C.uint8_t
	if config.flags != nil {
		flags, _ = borrow(config.flags, config.n_tokens)
	}
	own := bytes.Clone(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(text))), len(text)))
	c.PaddedSize = int(config.padded_size)
	c.Tokens = make([][]byte, n)
	for id := range n {
		c.Tokens[id] = own[offsets[id]:offsets[id+1]]
	}
	for id, f := range flags {
		if f&^(C.SLUICE_TOKEN_SPECIAL|C.SLUICE_TOKEN_ADDED|C.SLUICE_TOKEN_END) != 0 {
			return c, core.Errorf(core.CodeArgument, call, "config.flags[%d] is %#x: only SLUICE_TOKEN_* are known", id,
				f)
		}
		if f&C.SLUICE_TOKEN_SPECIAL != 0 {
			c.Special = append(c.Special, uint32(id))
		}
		if f&C.SLUICE_TOKEN_ADDED != 0 {
			c.Added = append(c.Added, uint32(id))
		}
	}
	return c, nil
}

// idList copies a list of ids. A null pointer becomes nil, an empty list does not.
func idList(call, name string, ids *C.sluice_in_u32, n C.size_t) ([]uint32, error) {
	if ids == nil && n == 0 {
		return nil, nil
	}
	list, ok := borrow(ids, uint64(n))
	if !ok {
		return nil, badArray(call, name)
	}
	own := make([]uint32, len(list))
	for i, id := range list {
		own[i] = uint32(id)
	}
	return own, nil
}

// readVocabularyOptions reads the options of a vocabulary's file; NULL means the defaults.
func readVocabularyOptions(call string, options *C.sluice_in_vocabulary_options) (o core.VocabularyOptions, err error) {
	if options == nil {
		return o, nil
	}
	own, err := input(call, "options", options, options.struct_size, C.SLUICE_FIRST_VOCABULARY_OPTIONS)
	if err != nil {
		return o, err
	}
	if own.keep_tokenizer > 1 {
		return o, core.Errorf(core.CodeArgument, call, "options.keep_tokenizer is %d: it must be 0 or 1",
			own.keep_tokenizer)
	}
	o.KeepTokenizer = own.keep_tokenizer == 1
	o.PaddedSize = int(own.padded_size)
	o.EndTokens, err = idList(call, "options.end_tokens", own.end_tokens, own.n_end_tokens)
	return o, err
}

//export go_vocabulary_from_file
func go_vocabulary_from_file(
	path *C.sluice_in_char, pathLength C.size_t, options *C.sluice_in_vocabulary_options, to *C.sluice_vocabulary,
	e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_vocabulary_from_file"
	defer recovered(&status, e)
	if to == nil {
		return fail(e, missing(call, "vocabulary"))
	}
	name, ok := text(path, pathLength)
	if !ok {
		return fail(e, badArray(call, "path"))
	}
	o, err := readVocabularyOptions(call, options)
	if err != nil {
		return fail(e, err)
	}
	v, err := core.LoadVocabulary(string(name), o)
	return putVocabulary(call, v, err, to, e)
}

//export go_vocabulary_from_data
func go_vocabulary_from_data(
	format C.uint32_t, data *C.sluice_in_byte, length C.size_t, options *C.sluice_in_vocabulary_options,
	to *C.sluice_vocabulary, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_vocabulary_from_data"
	defer recovered(&status, e)
	if to == nil {
		return fail(e, missing(call, "vocabulary"))
	}
	content, ok := octets(data, length)
	if !ok {
		return fail(e, badArray(call, "data"))
	}
	o, err := readVocabularyOptions(call, options)
	if err != nil {
		return fail(e, err)
	}
	v, err := core.ParseVocabulary(core.Format(format), bytes.Clone(content), o)
	return putVocabulary(call, v, err, to, e)
}

//export go_vocabulary_info
func go_vocabulary_info(
	h C.sluice_vocabulary, facts *C.sluice_vocabulary_facts, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_vocabulary_info"
	defer recovered(&status, e)
	v, ok := vocabularies.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagVocabulary, uint64(h)))
	}
	if facts == nil {
		return fail(e, missing(call, "facts"))
	}
	if err := checkSize(call, "facts", facts.struct_size, C.SLUICE_FIRST_VOCABULARY_FACTS); err != nil {
		return fail(e, err)
	}
	own := C.sluice_vocabulary_facts{
		size: C.uint32_t(v.Size()), padded_size: C.uint32_t(v.PaddedSize()), mask_words: C.uint32_t(v.Words()),
		n_end_tokens: C.uint32_t(len(v.EndTokens())), n_special_tokens: C.uint32_t(len(v.SpecialTokens())),
		max_token_length: C.uint32_t(v.MaxTokenLength()),
	}
	for i, b := range v.Hash() {
		own.hash[i] = C.uint8_t(b)
	}
	output(facts, &own, facts.struct_size)
	return C.SLUICE_OK
}

//export go_vocabulary_token
func go_vocabulary_token(
	h C.sluice_vocabulary, id C.uint32_t, to *C.uint8_t, capacity C.size_t, length *C.size_t, flags *C.uint32_t,
	e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_vocabulary_token"
	defer recovered(&status, e)
	v, ok := vocabularies.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagVocabulary, uint64(h)))
	}
	if uint64(id) >= uint64(v.Size()) {
		return fail(e, core.Errorf(core.CodeArgument, call, "there is no token %d: ids are below %d", id, v.Size()))
	}
	spelling, f := v.Token(uint32(id))
	if !copyOut(to, capacity, spelling) {
		return fail(e, badArray(call, "bytes"))
	}
	if length != nil {
		*length = C.size_t(len(spelling))
	}
	if flags != nil {
		*flags = C.uint32_t(f)
	}
	return C.SLUICE_OK
}

//export go_vocabulary_token_id
func go_vocabulary_token_id(
	h C.sluice_vocabulary, name *C.sluice_in_char, length C.size_t, id *C.uint32_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_vocabulary_token_id"
	defer recovered(&status, e)
	v, ok := vocabularies.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagVocabulary, uint64(h)))
	}
	if id == nil {
		return fail(e, missing(call, "id"))
	}
	spelling, ok := text(name, length)
	if !ok {
		return fail(e, badArray(call, "text"))
	}
	found, ok := v.TokenID(string(spelling))
	if !ok {
		return fail(e, core.Errorf(core.CodeArgument, call, "no special or added token is spelled %.64q", spelling))
	}
	*id = C.uint32_t(found)
	return C.SLUICE_OK
}

//export go_vocabulary_end_tokens
func go_vocabulary_end_tokens(
	h C.sluice_vocabulary, ids *C.uint32_t, capacity C.size_t, count *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_vocabulary_end_tokens"
	defer recovered(&status, e)
	v, ok := vocabularies.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagVocabulary, uint64(h)))
	}
	to, ok := borrow(ids, uint64(capacity))
	if !ok {
		return fail(e, badArray(call, "ids"))
	}
	ends := v.EndTokens()
	for i, id := range ends[:min(len(ends), len(to))] {
		to[i] = C.uint32_t(id)
	}
	if count != nil {
		*count = C.size_t(len(ends))
	}
	return C.SLUICE_OK
}

//export go_vocabulary_free
func go_vocabulary_free(h C.sluice_vocabulary) (status C.sluice_status) {
	defer recovered(&status, nil)
	return freed(vocabularies.Free(uint64(h)))
}
