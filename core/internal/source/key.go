package source

import (
	"encoding/binary"
	"maps"
	"slices"
)

// AppendKey appends the cache key of the options. Options are equal exactly if their keys are.
func (o *Options) AppendKey(to []byte) []byte {
	text := func(s string) { to = append(binary.AppendUvarint(to, uint64(len(s))), s...) }
	number := func(n int) { to = binary.AppendVarint(to, int64(n)) }
	flags := 0
	for i, set := range []bool{
		o.AnyOrder, o.Lenient, o.Compact, o.AllNumberForms, o.ASCIIOnly, o.AnyEscapes, o.Closed, o.FormatIsNote,
		o.Separators != nil, o.Indent != nil, o.Lines,
	} {
		if set {
			flags |= 1 << i
		}
	}
	number(flags)
	number(int(o.SpecialTokens))
	number(o.MaxWhitespace)
	for _, s := range []string{o.StartRule, o.WhitespacePattern, o.Dialect, o.Family, o.Reasoning} {
		text(s)
	}
	if o.Separators != nil {
		text(o.Separators[0])
		text(o.Separators[1])
	}
	if o.Indent != nil {
		text(*o.Indent)
	}
	number(len(o.Documents))
	for _, uri := range slices.Sorted(maps.Keys(o.Documents)) {
		text(uri)
		text(string(o.Documents[uri]))
	}
	number(len(o.Grammars))
	for _, name := range slices.Sorted(maps.Keys(o.Grammars)) {
		text(name)
		text(o.Grammars[name].Lark)
		text(string(o.Grammars[name].Schema))
	}
	return to
}
