package mask

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/relax"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// Where a text may go on in many ways, as in the middle of a pattern, the class of a state takes a walk through much of
// the vocabulary. A compilation holds up nobody, but a mask holds up a batch. So the classes that nearly every generation
// needs are found when a grammar is compiled. States within fixed texts cost little and wait until they are needed.

// Prepare computes the mask of the first state, which every generation asks for. As long as limits.PrepareMasks allows,
// it goes on: within a string or with the first key of an object, if one may begin there, since all vocabularies have
// tokens for it and few values begin otherwise; then with the masks on the way through triggers.
func (m *Masks) Prepare() {
	s, p := m.a.Start(), preparing{m: m, left: limits.PrepareMasks}
	p.mask(s)
	for _, begin := range []string{`"`, `{"`} {
		if p.left > 0 {
			p.mask(m.a.StepBytes(s, []byte(begin)))
		}
	}
	p.triggers(s)
}

// preparing computes masks that nobody has asked for yet. One goroutine.
type preparing struct {
	m    *Masks
	left int // of limits.PrepareMasks
}

func (p *preparing) mask(s pushdown.StateID) {
	if s > pushdown.Over {
		p.left -= p.m.record(s).cost
	}
}

// preparedTriggers bounds the triggers of free text on the way through which masks are prepared, and preparedBytes how
// far that goes: "<|tool_call_begin|>" has 20.
const (
	preparedTriggers = 4
	preparedBytes    = 64
)

// triggers computes the masks on the way through the triggers that may begin in state s, a longest token at a time, as
// most tokenizers cut them: every call of a tool passes there.
func (p *preparing) triggers(s pushdown.StateID) {
	texts := p.m.triggers(s)
	for _, text := range texts[:min(len(texts), preparedTriggers)] {
		text = text[:min(len(text), preparedBytes)]
		for at := s; len(text) > 0 && p.left > 0; {
			_, n := p.m.e.Longest(text)
			if at = p.m.a.StepBytes(at, []byte(text[:n])); n == 0 || at <= pushdown.Over {
				break
			}
			p.mask(at)
			text = text[n:]
		}
	}
}

// triggers returns the triggers of the free text that state s is in the middle of.
func (m *Masks) triggers(s pushdown.StateID) (texts []string) {
	for _, it := range m.a.Items(s) {
		texts = append(texts, relax.Triggers(m.e.Store(), it.Terminal)...)
	}
	return texts
}

// ManyKeys is the number of declared keys from which on those of an object are prepared.
const ManyKeys = 64

// PrepareKeys prepares the states in which it is open which of several declared keys it will be.
func (e *Engine) PrepareKeys(sets []pushdown.KeySet) {
	keys := make([]tokenset.Keys, len(sets))
	for i, k := range sets {
		keys[i] = tokenset.Keys{Declared: k.Declared, Others: k.Others}
	}
	e.Sets.PrepareKeys(keys)
}
