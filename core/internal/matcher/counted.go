package matcher

// counted is the work of a matcher that its compiler's metrics do not have yet. tell passes it on.
type counted struct {
	masks  uint64
	forced uint64 // bytes that ForcedBytes returned
	tokens uint64 // that ForcedTokens returned
	drafts uint64 // tokens that Drafts returned
}

// tellAfter is the number of masks after which a matcher passes its counts on. Dashboards need them often; threads that
// share a compiler would wait for each other's cache line if each mask were counted there.
const tellAfter = 64

// countMasks counts masks that a call has written or named. A stopped call counts none.
func (m *Matcher) countMasks(n int) {
	if m.counted.masks += uint64(n); m.counted.masks >= tellAfter {
		m.tell()
	}
}

// tell passes the counts on.
func (m *Matcher) tell() {
	x := m.g.Metrics()
	if c := &m.counted; *c != (counted{}) {
		x.Masks.Add(c.masks)
		x.ForcedBytes.Add(c.forced)
		x.ForcedTokens.Add(c.tokens)
		x.DraftedTokens.Add(c.drafts)
		*c = counted{}
	}
}

// Tell passes on to the compiler's metrics the counts that they do not have yet. It does nothing if the matcher is in
// use.
func (m *Matcher) Tell() {
	if m.claim() == nil {
		m.tell()
		m.leave()
	}
}
