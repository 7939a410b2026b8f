package pushdown

import "github.com/sluice-engine/sluice/core/internal/terminal"

// NewBounded is NewAutomaton with lower limits.
func NewBounded(p *Program, work, depth, sides int) *Automaton {
	return newAutomaton(p, bounds{work, depth, sides, 1 << 30})
}

// Absorption is a sequence that a loop absorbs: the states of the two, with nothing after them.
type Absorption struct{ Sequence, Loop StateID }

// Absorbed returns the alternatives of rules that unbounded repetitions absorb.
func Absorbed(a *Automaton) (out []Absorption) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.p
	for loop := range p.repeats.Len() {
		r := p.repeats.At(loop)
		if r.next == 0 || r.max != terminal.Unbounded {
			continue
		}
		for i := range p.starts.Len() {
			if rest := *p.starts.At(i); rest != end && p.absorbs(loop, rest).found {
				rounds := a.start(a.node(frame{r.next, max(r.min, 1), a.root}))
				out = append(out, Absorption{a.start(a.node(frame{rest, 0, a.root})), rounds})
			}
		}
	}
	return out
}

// Rests reports whether no unit of work has left anything on the stacks that they share.
func Rests(a *Automaton) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.found.level() == level{} && len(a.gathered)+len(a.under)+len(a.charged) == 0
}

// Prices, for their test.
var (
	PriceOf    = priceOf
	PriceBound = priceBound
)
