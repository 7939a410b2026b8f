package main

import (
	"fmt"
	"regexp"
	"strings"
)

// The most that any call may cost. The times are CPU time of this machine; the goal for single calls is half of it.
const (
	compileMS = 1000
	callMS    = 100
	mostMiB   = 512
)

// remedy matches the remedy that an error of code limit must name: write, use, bound, split …
var remedy = regexp.MustCompile(`(?i)\b(use|write|split|shorten|lower|bound|fewer|smaller|shorter|less|` +
	`instead|leave|drop|merge|give|remove|replace|set|list|make|name|move|join)\b`)

// best returns the lower of each of two measurements of one input.
func (o *outcome) best(p *outcome) *outcome {
	if p.Killed != "" {
		return o
	}
	b := *p
	b.Calls = map[string]float64{}
	for call, ms := range p.Calls {
		b.Calls[call] = ms
		if other, measured := o.Calls[call]; measured {
			b.Calls[call] = min(ms, other)
		}
	}
	b.MiB = min(o.MiB, p.MiB)
	return &b
}

func (o *outcome) problems(allowance float64) (all []string) {
	if o.Killed != "" {
		return []string{o.Killed}
	}
	for _, call := range calls {
		most := float64(callMS)
		if call == "compile" || call == "to_ebnf" {
			most = compileMS
		}
		if ms := o.Calls[call]; ms > most*allowance {
			all = append(all, fmt.Sprintf("%s took %.0f ms", call, ms))
		}
	}
	if o.MiB > mostMiB {
		all = append(all, fmt.Sprintf("the process took %.0f MiB", o.MiB))
	}
	for _, e := range o.Errors {
		if p := e.problems(); p != "" {
			all = append(all, fmt.Sprintf("the error of %s %s: %s", e.Call, p, e.Text))
		}
	}
	return all
}

func (e *said) problems() string {
	if e.Code == "internal" {
		return "is a defect of the library"
	}
	if e.Code != "limit" {
		return ""
	}
	var missing []string
	if !e.Placed {
		missing = append(missing, "place")
	}
	if !e.Named {
		missing = append(missing, "construct")
	}
	if !remedy.MatchString(e.Text) {
		missing = append(missing, "remedy")
	}
	if missing == nil {
		return ""
	}
	return "names no " + strings.Join(missing, ", no ")
}

// calls are the measured calls, in the order of the table.
var calls = []string{
	"compile", "to_ebnf", "fill", "accept one byte", "accept_bytes", "validate", "forced_bytes", "fork", "rollback",
}

const head = "%-58s %8s %8s %8s %8s %8s %8s %6s  %s\n"

func printHead() {
	fmt.Printf(head, "", "compile", "fill", "byte", "text", "validate", "forced", "MiB", "verdict")
}

func (o *outcome) print(allowance float64) {
	ms := func(call string) string {
		if t, measured := o.Calls[call]; measured {
			return fmt.Sprintf("%.1f", t)
		}
		return "-"
	}
	verdict := o.Verdict
	if p := o.problems(allowance); len(p) > 0 {
		verdict += " !! " + strings.Join(p, "; ")
	}
	fmt.Printf(head, o.Name, ms("compile"), ms("fill"), ms("accept one byte"), ms("accept_bytes"), ms("validate"),
		ms("forced_bytes"), fmt.Sprintf("%.0f", o.MiB), verdict)
}
