package core

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// For any number of callers, large compilations stay within the bound beside the oldest, and all finish.
func TestInFlight(t *testing.T) {
	const callers, looks = 12, limits.CompilingAtOnce / 2
	var flying [callers]atomic.Int64
	var most atomic.Int64
	var all sync.WaitGroup
	for i := range callers {
		all.Add(1)
		go func() {
			defer all.Done()
			_, err := inTurn(new(source.Options), func(o *source.Options) (int, error) {
				for range looks {
					require.False(t, o.Stop())
					sum := int64(0)
					flying[i].Add(1)
					for k := range flying {
						sum += flying[k].Load()
					}
					for m := most.Load(); sum > m && !most.CompareAndSwap(m, sum); m = most.Load() {
					}
					if i%3 == 0 {
						time.Sleep(10 * time.Microsecond) // so that others come between
					}
				}
				flying[i].Store(0)
				return 0, nil
			})
			require.NoError(t, err)
		}()
	}
	all.Wait()
	require.LessOrEqual(t, most.Load(), int64(limits.CompilingAtOnce+looks+callers*(limits.SmallCompilation+1)))
	require.Greater(t, most.Load(), int64(limits.CompilingAtOnce/2), "several at once")
	require.Zero(t, compilations.done)
	require.Empty(t, compilations.large)
}

// A waiting compilation ends when its caller stops it, and delays nobody; a small one and the oldest never wait. A bug
// in one leaves nothing behind.
func TestWaitingCompilationEnds(t *testing.T) {
	hold := &flightTurn{}
	for range limits.CompilingAtOnce + 1 {
		require.False(t, hold.ends())
	}
	var stop atomic.Bool
	waits := make(chan error)
	compiler := NewCompiler(tinyVocabulary(t), CompilerConfig{})
	go func() {
		_, err := compiler.Compile(Choice, manyChoices(), &Options{Stop: stop.Load})
		waits <- err
	}()
	job := compiler.Start(Choice, append(manyChoices(), ' '), nil)
	_, err := Check(Choice, manyChoices(), &Options{Stop: func() bool { return compilations.waiting() == 3 }})
	require.Equal(t, CodeUnfinished, AsError(err).Code, "it is the third that waits")
	_, err = ReadRequest(make([]byte, 20*limits.RequestLook), &Options{Stop: func() bool {
		return compilations.waiting() == 3
	}}, nil)
	require.Equal(t, CodeUnfinished, AsError(err).Code, "so does a large request")
	_, err = compiler.Compile(Regex, []byte("[ab]{3,9}"), nil)
	require.NoError(t, err, "a small one goes on")
	select {
	case err := <-waits:
		require.Fail(t, "it did not wait", "%v", err)
	case <-job.Done():
		require.Fail(t, "it did not wait")
	default:
	}
	stop.Store(true)
	require.Equal(t, CodeUnfinished, AsError(<-waits).Code)
	job.Cancel()
	_, err = job.Result()
	require.Equal(t, CodeCancelled, AsError(err).Code)

	go func() {
		_, err := compiler.Compile(Choice, manyChoices(), nil)
		waits <- err
	}()
	for compilations.waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	compilations.leave(hold)
	require.NoError(t, <-waits)
	_, err = compiler.Compile(Choice, append(manyChoices(), '\n'), &Options{Stop: func() bool {
		if compilations.looks() > limits.SmallCompilation {
			panic("at fault")
		}
		return false
	}})
	require.Equal(t, CodeInternal, AsError(err).Code)
	require.Zero(t, compilations.looks())
}

// waiting is how many compilations wait.
func (f *inFlight) waiting() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.large {
		if t.wake != nil {
			n++
		}
	}
	return n
}

// looks returns the looks of all large compilations.
func (f *inFlight) looks() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.done
}

func tinyVocabulary(t *testing.T) *Vocabulary {
	v, err := NewVocabulary(VocabularyConfig{Tokens: [][]byte{[]byte("a"), []byte("b"), nil}, EndTokens: []uint32{2}})
	require.NoError(t, err)
	return v
}

// manyChoices is a constraint whose compilation is large.
func manyChoices() []byte {
	out := []string{`"a"`}
	for i := range 20_000 {
		out = append(out, fmt.Sprintf("%q", strings.Repeat("ab", 2+i%3)+fmt.Sprint(i)))
	}
	return []byte("[" + strings.Join(out, ",") + "]")
}
