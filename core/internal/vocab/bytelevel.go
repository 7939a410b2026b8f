package vocab

import "unicode/utf8"

// byteLevelMax is the last character of the byte-level alphabet: U+0100 plus the 68 bytes without a printable character
// of their own, less one.
const byteLevelMax = 0x100 + 68 - 1

// byteLevelBytes maps a character of the byte-level alphabet to the byte it stands for, -1 where there is none. GPT-2
// introduced the alphabet so that every byte has a visible character: printable Latin-1 stands for itself, the other 68
// bytes, in ascending order, for the characters from U+0100 on.
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

// byteLevel is the step that reads a piece in the byte-level alphabet. A piece with any other character is left as
// it is: added tokens are written plainly. An added token that consists of characters of the alphabet is read as
// bytes, because that is what decoding does with it, whatever its author may have meant.
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
