package limittest

import (
	"fmt"
	"math/rand"
	"sync"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// regime is an order of questions. A regime that renews states renames masks.
type regime struct {
	name   string
	renews bool
	answer func(p *problem) []*answers
}

// problem is a list of subjects and the making of compilers. Immutable, except for its source of order.
type problem struct {
	v        *vocab.Vocabulary
	config   compiler.Config
	r        *rand.Rand
	subjects []*subject
	at       func(number int, what string) // called before and after each question about a subject
}

// over tells a problem's at that a question has its answer.
const over = "over"

var regimes = []regime{
	{"tokens tried before masks are filled, each grammar in a compiler of its own", false, alone},
	{"one compiler for all, in random order", false, func(p *problem) []*answers { return p.together(p.config, 1) }},
	{"one compiler for all, used by four goroutines", false, func(p *problem) []*answers {
		return p.together(p.config, 4)
	}},
	{"states and epochs renewed all the time", true, func(p *problem) []*answers {
		config := p.config
		config.StateCap, config.StoreBytes = 2, 1<<12
		return p.together(config, 1)
	}},
	{"states renewed by four goroutines", true, func(p *problem) []*answers {
		config := p.config
		config.StateCap = 4
		return p.together(config, 4)
	}},
}

// empty returns answers to write into.
func empty(s *subject) *answers {
	return &answers{fills: make([][]fill, len(s.walks)), probes: make([][]string, len(s.walks))}
}

func alone(p *problem) (all []*answers) {
	for _, s := range p.subjects {
		p.at(s.number, "alone")
		all = append(all, p.alone(s))
		p.at(s.number, over)
	}
	return all
}

func (p *problem) alone(s *subject) *answers {
	a := empty(s)
	g, verdict := compile(compiler.New(p.v, p.config), s.Constraint)
	if a.verdict = verdict; g == nil {
		return a
	}
	for w := len(s.walks) - 1; w >= 0; w-- {
		a.probes[w] = probes(g, s.walks[w])
	}
	for w := len(s.walks) - 1; w >= 0; w-- {
		a.fills[w] = fills(g, s.walks[w])
	}
	return a
}

// task is a part of the questions about one subject: its probes or its fills along one walk.
type task struct {
	subject, walk int
	probes        bool
}

// together collects all answers from one compiler, in random order, on several goroutines. It compiles every grammar
// twice: the first serves the probes.
func (p *problem) together(config compiler.Config, workers int) []*answers {
	var tasks []task
	all := make([]*answers, len(p.subjects))
	for i, s := range p.subjects {
		all[i] = empty(s)
		for w := range s.walks {
			tasks = append(tasks, task{i, w, false}, task{i, w, true})
		}
		if len(s.walks) == 0 {
			tasks = append(tasks, task{i, -1, false})
		}
	}
	p.r.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	c := &oneCompiler{c: compiler.New(p.v, config), p: p, all: all, grammars: map[[2]int]*once{}}
	queue := make(chan task)
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for t := range queue {
				number := p.subjects[t.subject].number
				p.at(number, fmt.Sprintf("together, %d workers", workers))
				c.do(t)
				p.at(number, over)
			}
		}()
	}
	for _, t := range tasks {
		queue <- t
	}
	close(queue)
	wg.Wait()
	return all
}

// oneCompiler is a compiler with its grammars. Safe for concurrent use: each task writes its own answers.
type oneCompiler struct {
	c   *compiler.Compiler
	p   *problem
	all []*answers

	mu       sync.Mutex
	grammars map[[2]int]*once // by subject, and 1 for probes
}

type once struct {
	sync.Once
	g *compiled.Grammar
}

func (c *oneCompiler) grammar(subject int, probes bool) *compiled.Grammar {
	key := [2]int{subject}
	if probes {
		key[1] = 1
	}
	c.mu.Lock()
	o := c.grammars[key]
	if o == nil {
		o = &once{}
		c.grammars[key] = o
	}
	c.mu.Unlock()
	o.Do(func() {
		var verdict string
		o.g, verdict = compile(c.c, c.p.subjects[subject].Constraint)
		c.mu.Lock()
		defer c.mu.Unlock()
		if a := c.all[subject]; a.verdict == "" || a.verdict == verdict {
			a.verdict = verdict
		} else {
			a.verdict += "; the second time: " + verdict
		}
	})
	return o.g
}

func (c *oneCompiler) do(t task) {
	g := c.grammar(t.subject, t.probes)
	if g == nil || t.walk < 0 {
		return
	}
	a, walk := c.all[t.subject], c.p.subjects[t.subject].walks[t.walk]
	if t.probes {
		a.probes[t.walk] = probes(g, walk)
	} else {
		a.fills[t.walk] = fills(g, walk)
	}
}

// sharedNames returns a name that stands for two masks among all answers of one vocabulary, or "".
func sharedNames(all []*answers) string {
	masks := map[mask.Name]string{}
	for i, a := range all {
		for w, walk := range a.fills {
			for k, f := range walk {
				if f.name == (mask.Name{}) {
					continue
				}
				if before, known := masks[f.name]; known && before != f.mask {
					return fmt.Sprintf("subject %d walk %d step %d: the name %v of a mask is that of another one", i, w,
						k, f.name)
				}
				masks[f.name] = f.mask
			}
		}
	}
	return ""
}
