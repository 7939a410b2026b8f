// Package roundtrip proves that a vocabulary's bytes are exact: what Sluice says a token stands for is what the
// tokenizers library makes of it, in both directions and for every id.
//
// Its tests need cgo and the Rust library behind github.com/daulet/tokenizers, so they stand outside core, behind the
// build tag `tokenizers`; `make lab NAME=roundtrip` builds the one and sets the other.
//
// Start with decode_test.go (id → text) and encode_test.go (text → ids → text).
package roundtrip
