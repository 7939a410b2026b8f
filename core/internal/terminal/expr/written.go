package expr

// Writers of JSON escape more than they must: Python and PHP what is not ASCII, Go <, > and &, .NET quotes, + and more,
// PHP the slash. None escapes letters and digits of ASCII. JSONWritten is for texts that a constraint spells out: what
// some writer escapes may be an escape, every other character has one spelling, and a text of such characters is
// forced. With ASCII, what is not ASCII is an escape.

// isPlain reports whether a byte is of a character that JSONWritten spells in one way.
func isPlain(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == ' ' || c == '_' || c == '-' || c == '.'
}

// concatWritten returns a text as it is written, and what follows it: runs of plain characters are UTF8, and the others
// in an encoding of JSON.
func (s *Store) concatWritten(text string, others Encoding, rest Expr) Expr {
	for end := len(text); end > 0; {
		at, plain, enc := end-1, isPlain(text[end-1]), others
		for at > 0 && isPlain(text[at-1]) == plain {
			at--
		}
		if plain {
			enc = UTF8
		}
		rest = s.Concat(s.textFrom(s.InternText(text[at:end]), 0, enc), rest)
		end = at
	}
	return rest
}

// HasPlain reports whether a text has a character that JSONWritten spells in fewer ways than JSONString.
func HasPlain(text string) bool {
	for i := range len(text) {
		if isPlain(text[i]) {
			return true
		}
	}
	return false
}
