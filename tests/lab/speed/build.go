package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// build returns the measuring program of a commit, or of the working tree if there is no commit.
func build(root, commit string) (program string, err error) {
	folder := filepath.Join(root, "build", "speed")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	if commit == "" {
		program = filepath.Join(folder, "now")
		return program, run(root, "go", "build", "-o", program, "./tests/lab/speed")
	}
	hash, err := exec.Command("git", "-C", root, "rev-parse", "--short", commit+"^{commit}").Output()
	if err != nil {
		return "", fmt.Errorf("there is no commit %s: %w", commit, err)
	}
	name := strings.TrimSpace(string(hash))
	program, tree := filepath.Join(folder, name), filepath.Join(folder, name+"-tree")
	_ = os.RemoveAll(tree) // of a run that was interrupted
	if err := run(root, "git", "worktree", "prune"); err != nil {
		return "", err
	}
	if err := run(root, "git", "worktree", "add", "--quiet", "--detach", tree, name); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, run(root, "git", "worktree", "remove", "--force", tree)) }()
	for _, p := range []string{"tests/corpus", "tests/lab/speed"} {
		if err := replace(filepath.Join(root, p), filepath.Join(tree, p)); err != nil {
			return "", err
		}
	}
	return program, run(tree, "go", "build", "-o", program, "./tests/lab/speed")
}

// replace replaces the package in the folder to by the one in the folder from.
func replace(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func run(dir string, command ...string) error {
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, text)
	}
	return nil
}

// side is the process of one commit with its measurements. One goroutine.
type side struct {
	process *exec.Cmd
	to      *gob.Encoder
	from    *gob.Decoder
	in      io.Closer
	ids     []string
	rounds  [][]result // by constraint
	last    reply
}

// start starts a program and waits until it has read the constraints.
func start(program, root string, load loadConfig) (*side, error) {
	c := exec.Command(program, "-worker", "-collection", load.Collection, "-vocabulary", load.Vocabulary, "-only",
		load.Only, "-schemas", strconv.Itoa(load.Schemas), fmt.Sprintf("-fresh=%v",
			load.Fresh), "-profile", load.Profile)
	c.Dir, c.Stderr = root, os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	s := &side{process: c, to: gob.NewEncoder(in), from: gob.NewDecoder(out), in: in}
	var h hello
	if err := s.from.Decode(&h); err != nil || h.Error != "" {
		s.stop()
		return nil, fmt.Errorf("%s does not start: %w %s", program, err, h.Error)
	}
	s.ids, s.rounds = h.IDs, make([][]result, len(h.IDs))
	return s, nil
}

// measure makes the process measure some constraints and keeps the results.
func (s *side) measure(r request) error {
	if err := s.to.Encode(r); err != nil {
		return err
	}
	s.last = reply{}
	if err := s.from.Decode(&s.last); err != nil {
		return fmt.Errorf("%s ended at one of %s: %w", s.process.Path, slices.Clone(s.ids[r.First:r.First+r.Count]),
			err)
	}
	for i, x := range s.last.Results {
		s.rounds[r.First+i] = append(s.rounds[r.First+i], x)
	}
	return nil
}

func (s *side) stop() {
	_ = s.in.Close()
	_ = s.process.Wait()
}
