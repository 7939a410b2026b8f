package family

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// Of returns the family of a model by the model's name, as a hub, a server or a file has it: "Qwen/Qwen3-8B",
// "qwen3:8b", "Qwen3-8B-Q4_K_M.gguf". Of several families whose model names the name begins with, the longest counts.
// The name of a family, or another name of it, is that family. A name of quantised files may have its owner before an
// underscore, "Qwen_Qwen3-8B-GGUF". The error names families with similar models.
func Of(model string) (*Family, error) {
	if f := builtins().byName[model]; f != nil {
		return f, nil
	}
	last := base(model)
	_, own, _ := strings.Cut(last, "_")
	for _, name := range []string{last, own} {
		if f := beginning(name); f != nil {
			return f, nil
		}
	}
	e := diag.Errorf(diag.Argument, "family", diag.Place{}, "no family is known for this model%s; choose one from "+
		"docs/families.md, or describe the family in a file", similar(plain(model)))
	e.Fragment = diag.Shorten(model, 60)
	return nil, e
}

// beginning returns the family with the longest model name that name begins with, or nil.
func beginning(name string) (found *Family) {
	name, longest := strings.ToLower(name), 0
	for _, f := range builtins().list {
		for _, begin := range f.ModelNames {
			if b := plain(begin); len(b) > longest && begins(name, b) {
				found, longest = f, len(b)
			}
		}
	}
	return found
}

// begins reports whether name without separators begins with b and continues outside of a number: granite-34b is no
// Granite 3.
func begins(name, b string) bool {
	for i := 0; i < len(b); name = name[1:] {
		switch {
		case name == "":
			return false
		case name[0] == b[i]:
			i++
		case !separator(rune(name[0])):
			return false
		}
	}
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	return name == "" || !digit(b[len(b)-1]) || name[0] != 'b' && !digit(name[0])
}

func separator(r rune) bool { return strings.ContainsRune("-_ :", r) }

// base returns a model's name without its owner or folder.
func base(model string) string {
	model = strings.TrimRight(model, `/\`)
	return model[strings.LastIndexAny(model, `/\`)+1:]
}

// plain returns a model's name in lower case, without its owner, its folder, and the separators that differ between
// hubs and servers. Points stay: 3.5 is not 35.
func plain(model string) string {
	return strings.Map(func(r rune) rune {
		if separator(r) {
			return -1
		}
		return r
	}, strings.ToLower(base(model)))
}

// leastShared is the least number of characters that a model's name shares with a similar one.
const leastShared = 4

// similar names the families whose model names share the longest beginning with name, "" if none shares enough.
func similar(name string) string {
	var near []string
	most := leastShared
	for _, f := range builtins().list {
		for _, begin := range f.ModelNames {
			switch n := shared(name, plain(begin)); {
			case n > most:
				near, most = near[:0], n
				fallthrough
			case n == most:
				near = append(near, fmt.Sprintf("%s (%s)", f.Name, begin))
			}
		}
	}
	if len(near) == 0 {
		return ""
	}
	slices.Sort(near)
	return "; families with similar models are " + strings.Join(near, ", ")
}

// shared returns how many bytes a and b begin with together.
func shared(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
