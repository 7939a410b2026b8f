package arena

import "testing"

// Elements are found by their content, even if many share a hash, and after the table has grown.
func TestIndex(t *testing.T) {
	words := []string{""}
	hash := func(w string) uint64 { return Mix(uint64(len(w)), uint64(w[0])) } // many collide
	hashOf := func(id uint32) uint64 { return hash(words[id]) }
	var x Index
	find := func(x *Index, w string) uint32 {
		return x.Find(hash(w), func(id uint32) bool {
			if uint32(hash(words[id])) != uint32(hash(w)) {
				t.Fatalf("%q is looked at for %q, though their hashes differ", words[id], w)
			}
			return words[id] == w
		})
	}
	for i := range 500 {
		w := string([]byte{byte(i), byte(i >> 4), byte(i >> 8)})
		if id := find(&x, w); id != 0 {
			t.Fatalf("%q is %d before it is added", w, id)
		}
		words = append(words, w)
		x.Add(hash(w), uint32(len(words)-1))
	}
	copied := x.Rehashed(hashOf)
	for id, w := range words[1:] {
		if a, b := find(&x, w), find(&copied, w); a != uint32(id+1) || b != a {
			t.Fatalf("%q is %d and %d, not %d", w, a, b, id+1)
		}
	}
	if x.Size() != copied.Size() || x.Size() < 4*500 {
		t.Fatalf("%d and %d bytes", x.Size(), copied.Size())
	}
}
