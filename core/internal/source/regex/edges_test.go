package regex

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLooksOut(t *testing.T) {
	for pattern, want := range map[string][2]bool{
		`^a+$`:                {false, false},
		`(?=.*x)[a-z]+`:       {false, false},
		`(?!if)[a-z]+`:        {false, false},
		`a(?=b)bc`:            {false, false},
		`if(?![a-z])`:         {true, false},
		`if(?![a-z])$`:        {true, false},
		`a(?=b)`:              {true, true},
		`x|(a(?=b))`:          {true, true},
		`(?<=a)b`:             {true, true},
		`(?<!\\)(\\\\)*?`:     {true, false},
		`(\\\\)*?(?<!\\)"`:    {true, false},
		`"(?<!\\)`:            {false, false},
		`\bfoo\b`:             {true, false},
		`foo\B`:               {true, true},
		`(?m:^a$)`:            {true, false},
		`(?:a(?!b)){2}`:       {true, false},
		`(?:a(?!b)){2}[a-z]`:  {false, false},
		`(?:[a-z]+(?!b))?x*`:  {true, false},
		`(?:[a-z]+(?!b))?xx*`: {false, false},
	} {
		n, err := Parse(nil, pattern)
		require.NoError(t, err, pattern)
		some, needs := n.LooksOut()
		require.Equal(t, want, [2]bool{some, needs}, pattern)
	}
}
