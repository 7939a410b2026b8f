package expr

// Dict maps contents to their interned form, over the dict of the store below.
type Dict[K comparable, V any] struct {
	Own   map[K]V
	below map[K]V
}

// Over returns a dict over the dict of the store below.
func Over[K comparable, V any](d *Dict[K, V]) Dict[K, V] { return Dict[K, V]{below: d.Own} }

// Get returns the value of k.
func (d *Dict[K, V]) Get(k K) (V, bool) {
	if v, ok := d.below[k]; ok {
		return v, true
	}
	v, ok := d.Own[k]
	return v, ok
}

// Put sets the value of k.
func (d *Dict[K, V]) Put(k K, v V) {
	if d.Own == nil {
		d.Own = map[K]V{}
	}
	d.Own[k] = v
}
