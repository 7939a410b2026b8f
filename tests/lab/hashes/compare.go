package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// compareFiles prints the constraints that two files have in common and hash differently, and reports whether there are
// none. The differing fields show the kind of change: verdict, messages or masks.
func compareFiles(out io.Writer, paths []string) (same bool, err error) {
	if len(paths) != 2 {
		return false, errors.New("-compare needs two files: OLD NEW")
	}
	old, _, err := readFile(paths[0])
	if err != nil {
		return false, err
	}
	now, order, err := readFile(paths[1])
	if err != nil {
		return false, err
	}
	common, changed := 0, 0
	for _, id := range order {
		before, known := old[id]
		if !known {
			continue
		}
		common++
		if before != now[id] {
			changed++
			fmt.Fprintf(out, "%s\n  old %s\n  new %s\n", id, before, now[id])
		}
	}
	fmt.Fprintf(out, "%d constraints in both files, %d of them changed; %d only in the old one, %d only in the new "+
		"one\n",
		common, changed, len(old)-common, len(now)-common)
	if common == 0 {
		return false, errors.New("the files have no constraint in common")
	}
	return changed == 0, nil
}

// readFile returns the lines of a file by vocabulary and constraint, and their order.
func readFile(path string) (lines map[string]string, order []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	lines = map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.SplitN(line, " ", 3)
		if len(fields) < 3 || fields[0] == "#" {
			continue
		}
		id := fields[0] + " " + fields[1]
		if _, twice := lines[id]; twice {
			return nil, nil, fmt.Errorf("%s has two lines for %s", path, id)
		}
		lines[id] = fields[2]
		order = append(order, id)
	}
	return lines, order, nil
}
