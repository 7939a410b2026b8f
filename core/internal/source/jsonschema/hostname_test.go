package jsonschema_test

import (
	"strings"
	"testing"
)

func TestEncodedLabels(t *testing.T) {
	greek := strings.Repeat("παράδειγμα", 5) + "πα"
	valid := []string{
		`"xn--9n2bp8q.xn--9t4b11yi5a"`, `"www.xn--mnchen-3ya.de"`, `"XN--MNCHEN-3YA.DE"`, `"xn--zca"`, `"xn--ll-0ea"`, `"a.b.xn--fiqs8s"`,
		`"\u0078\u006e--fiqs8s"`, `"xn--fiqs\u0038s\u002Ecn"`, `"xn--4dbc5h.www.com"`, `"www.xn--4dbc5h"`, `"xn---abc-zra"`,
		`"xn--` + strings.Repeat("a", 55) + `-une"`, `"xn--hxaaaaazbababababauddddfeeeehffff8hgggg8fhhhh3kiiiiiejjjj"`,
	}
	invalid := []string{
		`"xn--"`, `"xn--X"`, `"xn--a"`, `"xn---9uc"`, `"xn--example-"`, `"xn--7a"`, `"xn--0ca24w"`, `"xn--fiqs8s."`, `"xn--fiqs8s..a"`, `"xn--hello-zed"`,
		`"xn--4dbc5h.1a"`, `"1a.xn--4dbc5h"`, `"xn--4dbc5h.xn--1-bga"`, `"xn--fiqs8s.-a"`, `"xn--fiqs8s.ab--c"`, `"\u0178n--fiqs8s"`,
		`"xn--` + strings.Repeat("a", 55) + `-unea"`, `"xn--fiqs8s` + strings.Repeat(".abcdefghijklmnopqrstuvw", 10) +
			`"`,
	}
	for _, format := range []string{"hostname", "idn-hostname"} {
		check(t, `{"type":"string","format":"`+format+`"}`, valid, invalid)
		check(t, `{"type":"string","not":{"format":"`+format+`"}}`, []string{`"a b"`}, valid)
	}
	mailed := func(names []string) (out []string) {
		for _, n := range names {
			out = append(out, `"a.b@`+n[1:])
		}
		return out
	}
	check(t, `{"type":"string","format":"email"}`, mailed(valid), mailed(invalid))
	check(t, `{"type":"string","format":"idn-email"}`, append(mailed(valid), `"é@cafe\u0301.com"`, `"é@`+greek+`.com"`),
		mailed(invalid))
	check(t, `{"enum":["xn--zca","xn--X",1],"format":"hostname"}`, []string{`"xn--zca"`, `1`}, []string{`"xn--X"`})
	check(t, `{"type":"string","format":"idn-hostname"}`,
		[]string{
			`"` + greek + `.com"`, `"www.` + greek + `。gr"`, `"\u03B1\u0375β.\u03b1"`, `"αβ-1"`, `"münchen-stadt.de"`,
			`"ßς་〇"`, `"۽۾"`, `"۰0"`, `"فارسی۱"`,
		},
		[]string{`"` + greek + greek + `"`, `"α-"`, `"α͵"`, `"αβ--γ"`, `"-α"`, `"α..β"`, `"\u03A1"`, `"ا٠۰"`})
	check(t, `{"type":"string","format":"hostname","maxLength":300}`, []string{`"www.example.com"`},
		[]string{`"xn--X"`})
}
