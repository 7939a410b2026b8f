package vocab

import "unicode/utf8"

// byteLevelMax is the last character of the byte-level alphabet: U+0100 plus the number of bytes without a printable
// character, less one.
const byteLevelMax = 0x100 + 68 - 1

// byteLevelBytes maps characters of GPT-2's byte-level alphabet to bytes, other characters to -1. Printable Latin-1
// characters stand for themselves; the characters from U+0100 on stand for the other 68 bytes in ascending order.
var byteLevelBytes = func() (table [byteLevelMax + 1]int16) {
	for i := range table {
		table[i] = -1
	}
	next := 0x100
	for b := range 0x100 {
		if '!' <= b && b <= '~' || 0xA1 <= b && b <= 0xAC || 0xAE <= b {
			table[b] = int16(b)
		} else {
			table[next] = int16(b)
			next++
		}
	}
	return table
}()

// byteLevel is the step that reads a piece in the byte-level alphabet. It leaves a piece with any other character
// unchanged, because added tokens are written plainly. An added token within the alphabet is read as bytes, as the
// tokenizer's decoder does.
func byteLevel(dst, piece []byte) ([]byte, bool) {
	start := len(dst)
	for i := 0; i < len(piece); {
		c, n := rune(piece[i]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRune(piece[i:])
		}
		if c > byteLevelMax || byteLevelBytes[c] < 0 {
			return append(dst[:start], piece...), true
		}
		dst = append(dst, byte(byteLevelBytes[c]))
		i += n
	}
	return dst, true
}

// ByteLevel returns the character of each byte in that alphabet.
func ByteLevel() (letters [256]rune) {
	for r, b := range byteLevelBytes {
		if b >= 0 {
			letters[b] = rune(r)
		}
	}
	return letters
}
