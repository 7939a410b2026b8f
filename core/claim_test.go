//go:build linux

package core

import (
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A panic while a batch claims its matchers frees those that it has claimed.
func TestPanicInABatchLeavesNothingBusy(t *testing.T) {
	v, err := NewVocabulary(VocabularyConfig{Tokens: [][]byte{[]byte("a"), []byte("</s>")}, EndTokens: []uint32{1}})
	require.NoError(t, err)
	g, err := NewCompiler(v, CompilerConfig{}).Compile(Regex, []byte("a*"), nil)
	require.NoError(t, err)
	m, err := NewMatcher(g, MatcherOptions{})
	require.NoError(t, err)

	// The second item's matcher lies in protected memory, like a bad pointer.
	page, err := syscall.Mmap(-1, 0, 1<<16, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	defer func() { _ = syscall.Munmap(page) }()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	bad := (*Matcher)(unsafe.Pointer(unsafe.SliceData(page)))
	b := Batch{Items: []BatchItem{{Matcher: m, Row: 0}, {Matcher: bad, Row: 1}}}
	rows := Rows{Words: make([]uint32, 2), Count: 2, Stride: 1, Width: 1}
	require.Panics(t, func() { b.Fill(rows, 1) })

	b = Batch{Items: []BatchItem{{Matcher: m, Row: 0}}}
	b.Fill(rows, 1)
	require.NoError(t, b.Items[0].Err)
	require.EqualValues(t, 3, rows.Words[0])
}
