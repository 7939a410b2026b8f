package arena

import "testing"

func TestTableKeepsElementsAndSpansWhole(t *testing.T) {
	var tab Table[int]
	for i := 0; i < 5000; i++ {
		if got := tab.Append(i); got != uint32(i) {
			t.Fatalf("append %d got index %d", i, got)
		}
	}
	p := tab.At(17)
	for n := 0; n < 300; n++ {
		at := tab.Span(n)
		s := tab.Slice(at, n)
		if len(s) != n {
			t.Fatalf("span of %d has %d elements", n, len(s))
		}
		for i := range s {
			if s[i] != 0 {
				t.Fatalf("span of %d overlaps what was there before", n)
			}
			s[i] = -1
		}
	}
	if *p != 17 || tab.At(17) != p {
		t.Fatal("an element moved")
	}
	for i := 0; i < 5000; i++ {
		if *tab.At(uint32(i)) != i {
			t.Fatalf("element %d was overwritten", i)
		}
	}
}

func TestTableCountsItsBytes(t *testing.T) {
	var table Table[[3]uint64]
	if n := table.Bytes(); n != 0 {
		t.Errorf("an empty table has %d bytes", n)
	}
	table.Append([3]uint64{})
	if n := table.Bytes(); n != 16*24 {
		t.Errorf("a table with one chunk has %d bytes", n)
	}
}
