package main

// #include "exports.h"
import "C"

import (
	"bytes"
	"math"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core"
)

// compilersMade numbers the compilers of the process, so that the keys of their masks differ. A C interface can keep
// such a count only in a global.
var compilersMade atomic.Uint64

//export go_compiler_new
func go_compiler_new(
	vocabulary C.sluice_vocabulary, options *C.sluice_in_char, optionsLength C.size_t, to *C.sluice_compiler,
	e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_compiler_new"
	defer recovered(&status, e)
	return putCompiler(call, vocabulary, options, optionsLength, to, e, func(
		v *core.Vocabulary, config core.CompilerConfig,
	) (*core.Compiler, error) {
		return core.NewCompiler(v, config), nil
	})
}

// putCompiler makes a compiler with build and writes its handle.
func putCompiler(
	call string, vocabulary C.sluice_vocabulary, options *C.sluice_in_char, optionsLength C.size_t,
	to *C.sluice_compiler, e *C.sluice_error,
	build func(v *core.Vocabulary, config core.CompilerConfig) (*core.Compiler, error),
) C.sluice_status {
	v, ok := vocabularies.Get(uint64(vocabulary))
	if !ok {
		return fail(e, staleHandle(call, tagVocabulary, uint64(vocabulary)))
	}
	if to == nil {
		return fail(e, missing(call, "compiler"))
	}
	json, ok := text(options, optionsLength)
	if !ok {
		return fail(e, badArray(call, "options"))
	}
	config, err := core.ParseCompilerConfig(json)
	if err != nil {
		return fail(e, err)
	}
	number := compilersMade.Add(1)
	if number > math.MaxUint32 {
		return fail(e, core.Errorf(core.CodeLimit, call, "%d compilers were made in this process: another one could "+
			"not have keys of its own; make one for each vocabulary and keep it", number-1))
	}
	config.Number = uint32(number)
	c, err := build(v, config)
	if err != nil {
		return fail(e, err)
	}
	h := compilers.Put(c)
	if h == 0 {
		return fail(e, tooManyHandles(call))
	}
	*to = C.sluice_compiler(h)
	return C.SLUICE_OK
}

//export go_compiler_load
func go_compiler_load(
	vocabulary C.sluice_vocabulary, data *C.sluice_in_byte, length C.size_t, options *C.sluice_in_char,
	optionsLength C.size_t, to *C.sluice_compiler, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_compiler_load"
	defer recovered(&status, e)
	content, ok := octets(data, length)
	if !ok {
		return fail(e, badArray(call, "bytes"))
	}
	return putCompiler(call, vocabulary, options, optionsLength, to, e, func(
		v *core.Vocabulary, config core.CompilerConfig,
	) (*core.Compiler, error) {
		return core.LoadCompiler(v, bytes.Clone(content), config)
	})
}

//export go_compiler_save
func go_compiler_save(
	h C.sluice_compiler, to *C.uint8_t, capacity C.size_t, length *C.size_t, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_compiler_save"
	defer recovered(&status, e)
	c, ok := compilers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagCompiler, uint64(h)))
	}
	data, err := c.Save()
	if err != nil {
		return fail(e, err)
	}
	if !copyOut(to, capacity, data) {
		return fail(e, badArray(call, "bytes"))
	}
	if length != nil {
		*length = C.size_t(len(data))
	}
	return C.SLUICE_OK
}

//export go_compiler_free
func go_compiler_free(h C.sluice_compiler) (status C.sluice_status) {
	defer recovered(&status, nil)
	return freed(compilers.Free(uint64(h)))
}

//export go_compiler_cache
func go_compiler_cache(
	h C.sluice_compiler, facts *C.sluice_cache_facts, e *C.sluice_error,
) (status C.sluice_status) {
	const call = "sluice_compiler_cache"
	defer recovered(&status, e)
	c, ok := compilers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagCompiler, uint64(h)))
	}
	if facts == nil {
		return fail(e, missing(call, "facts"))
	}
	if err := checkSize(call, "facts", facts.struct_size, C.SLUICE_FIRST_CACHE_FACTS); err != nil {
		return fail(e, err)
	}
	s := c.CacheStats()
	output(facts, &C.sluice_cache_facts{
		hits: C.uint64_t(s.Hits), misses: C.uint64_t(s.Misses), joined: C.uint64_t(s.Joined),
		evictions: C.uint64_t(s.Evictions), entries: C.uint64_t(s.Entries), bytes: C.uint64_t(s.Bytes),
		limit: C.uint64_t(s.Limit), token_set_bytes: C.uint64_t(s.TokenSetBytes),
	}, facts.struct_size)
	return C.SLUICE_OK
}

//export go_compiler_clear
func go_compiler_clear(h C.sluice_compiler, e *C.sluice_error) (status C.sluice_status) {
	const call = "sluice_compiler_clear"
	defer recovered(&status, e)
	c, ok := compilers.Get(uint64(h))
	if !ok {
		return fail(e, staleHandle(call, tagCompiler, uint64(h)))
	}
	c.ClearCache()
	return C.SLUICE_OK
}
