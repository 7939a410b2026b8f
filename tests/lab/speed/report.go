package main

import (
	"fmt"
	"io"
	"slices"
)

// sample is one mask or compilation of both commits. Times are the medians of the rounds.
type sample struct {
	id   string
	time [2]int64 // of the base, and of the other commit
}

// report prints the measurements of both sides.
func report(out io.Writer, c config, sides [2]*side) error {
	var masks, compiles []sample
	var differ []string
	for i, id := range sides[0].ids {
		a, b := median(sides[0].rounds[i]), median(sides[1].rounds[i])
		if a.Verdict != b.Verdict {
			differ = append(differ, fmt.Sprintf("%s: %s, %s", id, a.Verdict, b.Verdict))
			continue
		}
		compiles = append(compiles, sample{id, [2]int64{a.Compile, b.Compile}})
		for k := range a.Walks {
			x, y := &a.Walks[k], &b.Walks[k]
			if x.End != y.End || len(x.Fills) != len(y.Fills) {
				differ = append(differ, fmt.Sprintf("%s, instance %d: %d masks %s, %d masks %s", id, x.Test,
					len(x.Fills),
					x.End, len(y.Fills), y.End))
			}
			for step := range min(len(x.Fills), len(y.Fills)) {
				masks = append(masks, sample{
					fmt.Sprintf("%s instance %d step %d", id, x.Test, step),
					[2]int64{x.Fills[step], y.Fills[step]},
				})
			}
		}
	}
	names := [2]string{c.base, c.commit}
	if names[1] == "" {
		names[1] = "now"
	}
	fmt.Fprintf(out, "%d constraints of %s, %s, %d rounds; CPU time in µs\n", len(sides[0].ids), c.load.Collection,
		c.load.Vocabulary, c.rounds)
	table(out, "masks", names, masks)
	table(out, "compilations", names, compiles)
	line(out, "process, CPU s", float64(sides[0].last.CPU.Seconds()), float64(sides[1].last.CPU.Seconds()))
	line(out, "process, peak MiB", float64(sides[0].last.Memory>>20), float64(sides[1].last.Memory>>20))
	slowest(out, fmt.Sprintf("the slowest masks of %s", names[1]), masks, c.slowest)
	slowest(out, fmt.Sprintf("the slowest compilations of %s", names[1]), compiles, c.slowest)
	if len(differ) > 0 {
		fmt.Fprintf(out, "\nanswered otherwise: %d\n", len(differ))
		for _, x := range differ[:min(len(differ), max(c.slowest, 1))] {
			fmt.Fprintln(out, "  "+x)
		}
	}
	return nil
}

// median returns the results of a constraint with the median times of its rounds.
func median(rounds []result) result {
	out := rounds[0]
	list := make([]int64, len(rounds))
	middle := func(of func(*result) int64) int64 {
		for i := range rounds {
			list[i] = of(&rounds[i])
		}
		slices.Sort(list)
		return list[(len(list)-1)/2]
	}
	out.Compile = middle(func(r *result) int64 { return r.Compile })
	out.Walks = slices.Clone(out.Walks)
	for k := range out.Walks {
		w := &out.Walks[k]
		w.Fills = slices.Clone(w.Fills)
		for step := range w.Fills {
			w.Fills[step] = middle(func(r *result) int64 { return r.Walks[k].Fills[step] })
		}
	}
	return out
}

// table prints the two distributions of times.
func table(out io.Writer, what string, names [2]string, list []sample) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%-20s %12s %12s %8s\n", fmt.Sprintf("%d %s", len(list), what), names[0], names[1], "ratio")
	var sorted [2][]int64
	var sums [2]float64
	for i := range sorted {
		for _, x := range list {
			sorted[i] = append(sorted[i], x.time[i])
			sums[i] += float64(x.time[i])
		}
		slices.Sort(sorted[i])
	}
	n := float64(len(list)) * 1000
	line(out, "average", sums[0]/n, sums[1]/n)
	for _, p := range []struct {
		name string
		at   float64
	}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}} {
		at := int(p.at * float64(len(list)-1))
		line(out, p.name, float64(sorted[0][at])/1000, float64(sorted[1][at])/1000)
	}
}

func line(out io.Writer, name string, a, b float64) {
	fmt.Fprintf(out, "%-20s %12.2f %12.2f %8.3f\n", name, a, b, b/a)
}

// slowest prints the samples that took longest.
func slowest(out io.Writer, title string, list []sample, most int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b sample) int { return int(b.time[1] - a.time[1]) })
	if most = min(most, len(list)); most == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", title)
	for _, x := range list[:most] {
		line(out, x.id, float64(x.time[0])/1000, float64(x.time[1])/1000)
	}
}
