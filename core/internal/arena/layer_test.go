package arena

import "testing"

func TestTableOverAnother(t *testing.T) {
	var below Table[int]
	for i := range 100 {
		below.Append(i)
	}
	tab := Over(&below)
	if tab.From() != 100 || tab.Len() != 100 {
		t.Fatalf("it begins at %d with %d elements", tab.From(), tab.Len())
	}
	for i := 100; i < 1000; i++ {
		if got := tab.Append(i); got != uint32(i) {
			t.Fatalf("append %d got index %d", i, got)
		}
	}
	at := tab.Span(7)
	for i := range tab.Slice(at, 7) {
		*tab.At(at + uint32(i)) = -1
	}
	for i := range 1000 {
		if *tab.At(uint32(i)) != i {
			t.Fatalf("element %d is %d", i, *tab.At(uint32(i)))
		}
	}
	if tab.At(17) != below.At(17) || below.Len() != 100 {
		t.Fatal("what lies below is shared and stays as it is")
	}
}

func TestCloneHasGapsToo(t *testing.T) {
	var tab Table[int]
	at := tab.Span(40) // leaves a gap before itself
	for i := range tab.Slice(at, 40) {
		*tab.At(at + uint32(i)) = i
	}
	clone := tab.Clone()
	clone.Each(func(x *int) { *x++ })
	for i := range 40 {
		if *clone.At(at + uint32(i)) != i+1 || *tab.At(at + uint32(i)) != i {
			t.Fatalf("element %d is %d, and %d in the clone", i, *tab.At(at + uint32(i)), *clone.At(at + uint32(i)))
		}
	}
	if clone.Len() != tab.Len() {
		t.Fatal("a clone is as long")
	}
}

// A gap may span chunks without memory.
func TestAllLeavesGapsOut(t *testing.T) {
	var below Table[int]
	below.Append(-2)
	tab := Over(&below)
	tab.Append(-1)
	at := tab.Span(100) // there is no room for it in the first chunks
	for i := range tab.Slice(at, 100) {
		*tab.At(at + uint32(i)) = i + 1
	}
	got := map[int]uint32{}
	for i, x := range tab.All() {
		if *x != 0 {
			got[*x] = i
		}
	}
	if len(got) != 101 || got[-1] != 1 || got[1] != at || got[100] != at+99 {
		t.Fatal(got)
	}
	for range tab.All() {
		break
	}
}
