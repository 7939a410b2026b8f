package expr

import (
	"slices"
)

// shortUnion bounds the quadratic search for common heads. Tries are factored when they are built, and derivatives of
// user input rarely have more members.
const shortUnion = 24

// suffixSteps bounds the optional parts of a sequence that dropSuffixes removes.
const suffixSteps = 64

// absorb drops ε beside a nullable member, and beside "any text" all members that are text.
func (s *Nodes) absorb(l []Expr) []Expr {
	if len(l) < 2 {
		return l
	}
	if l[0] == Epsilon {
		for _, x := range l[1:] {
			if n := s.Node(x); n.Flags&FNullable != 0 && n.Flags&(FTag|FCount) == 0 {
				l = l[1:]
				break
			}
		}
	}
	for e, star := range s.AnyText {
		if !slices.Contains(l, star) {
			continue
		}
		kept := l[:0]
		for _, x := range l {
			n := s.Node(x)
			if x == star || n.Subset>>e&1 == 0 || n.Flags&(FTag|FCount) != 0 {
				kept = append(kept, x)
			}
		}
		l = kept
	}
	return l
}

// dropContained drops members that repeat something and that another member contains.
func (s *Nodes) dropContained(l []Expr) []Expr {
	repeats := 0
	for _, x := range l {
		if s.Node(x).Flags&FRepeat != 0 {
			repeats++
		}
	}
	if repeats == 0 || len(l) < 2 || len(l) > containedMembers || s.Spent() {
		return l
	}
	c := s.Compare()
	defer c.done()
	for i := 0; i < len(l) && c.all > 0; {
		if c.containedIn(i, l) {
			l = slices.Delete(l, i, i+1) // at once, lest two that contain each other both go
		} else {
			i++
		}
	}
	return l
}

// dropSuffixes drops members that equal another member without optional parts at its beginning (Lemma 113).
func (s *Nodes) dropSuffixes(l []Expr) []Expr {
	var members map[Expr]bool // of long lists, without the dropped ones
	drop := func(x Expr) {
		if members == nil {
			members = make(map[Expr]bool, len(l))
			for _, y := range l {
				members[y] = true
			}
		}
		delete(members, x)
	}
	for i := 0; i < len(l) && len(l) > 1; i++ {
		n := s.Node(l[i])
		for steps := 0; n.Kind == KConcat && steps < suffixSteps; steps++ {
			if s.Node(n.Head()).Flags&(FNullable|FTag|FCount) != FNullable {
				break
			}
			if len(l) > shortUnion {
				drop(n.Tail())
			} else if j := slices.Index(l, n.Tail()); j >= 0 {
				l = slices.Delete(l, j, j+1)
				if j < i {
					i--
				}
			}
			n = s.Node(n.Tail())
		}
	}
	if members != nil {
		l = slices.DeleteFunc(l, func(x Expr) bool { return !members[x] })
	}
	return l
}
