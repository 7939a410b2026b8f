// Package roundtrip proves that a vocabulary's bytes are exact: they equal the text of the tokenizers library, in both
// directions and for every id.
//
// Its tests need cgo and the Rust library behind github.com/daulet/tokenizers, so they stand outside core, behind the
// build tag `tokenizers`; `make lab NAME=roundtrip` builds the library and sets the tag.
//
// Start with decode_test.go (id → text) and encode_test.go (text → ids → text).
package roundtrip
