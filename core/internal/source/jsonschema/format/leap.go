package format

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A leap second is at 23:59:60 UTC, so the offset determines the local hour and minute. A regular expression would
// have to list all 1,440 minutes of a day; here they are a tree of their digits.

// WithLeapSeconds adds the times in a leap second to a format of times.
func WithLeapSeconds(st *terminal.Store, format string, enc terminal.Encoding, e terminal.Expr) (terminal.Expr, error) {
	switch format {
	case "time":
		return st.Or(e, leapSeconds(st, enc)), nil
	case "date-time":
		date, err := regex.Lower(st, regex.MustParse(fullDate+"[Tt]"), regex.Mode{Encoding: enc})
		return st.Or(e, st.Concat(date, leapSeconds(st, enc))), err
	}
	return e, nil
}

func leapSeconds(st *terminal.Store, enc terminal.Encoding) terminal.Expr {
	text := func(s string) terminal.Expr { return st.Text(s, enc) }
	digit := st.Runes([]rune{'0', '9'}, enc)
	fraction := st.Optional(st.Concat(text("."), st.Plus(digit)))
	const day, last = 24 * 60, 23*60 + 59
	offset := func(minute int) terminal.Expr {
		east, west := (minute-last+day)%day, (last-minute+day)%day
		xs := []terminal.Expr{text(fmt.Sprintf("+%02d:%02d", east/60, east%60)), text(fmt.Sprintf("-%02d:%02d", west/60,
			west%60))}
		if minute == last {
			xs = append(xs, text("Z"), text("z"))
		}
		return st.Concat(text(":60"), fraction, st.Or(xs...))
	}
	// number returns the tens and ones of the numbers below n, each followed by its continuation
	number := func(n int, after func(i int) terminal.Expr) terminal.Expr {
		var tens []terminal.Expr
		for t := 0; t < n; t += 10 {
			var ones []terminal.Expr
			for o := t; o < min(t+10, n); o++ {
				ones = append(ones, st.Concat(text(fmt.Sprint(o-t)), after(o)))
			}
			tens = append(tens, st.Concat(text(fmt.Sprint(t/10)), st.Or(ones...)))
		}
		return st.Or(tens...)
	}
	return number(24, func(hour int) terminal.Expr {
		return st.Concat(text(":"), number(60, func(minute int) terminal.Expr { return offset(60*hour + minute) }))
	})
}

// HasLeapSeconds reports whether a format contains times.
func HasLeapSeconds(name string) bool { return name == "time" || name == "date-time" }
