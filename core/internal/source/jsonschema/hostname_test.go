package jsonschema_test

import (
	"strings"
	"testing"
)

// Encoded labels are left out, and so are Unicode labels that may be too long when they are encoded.
func TestHostNames(t *testing.T) {
	valid := []string{
		`"a"`, `"a.b.c"`, `"WWW.example-1.com"`, `"0.1a"`, `"a\u002eb"`, `"` + strings.Repeat("a", 63) + `.com"`,
		`"` + strings.Repeat("abcdefghijklmnopqrstuvw.", 9) + `de"`,
	}
	invalid := []string{
		`""`, `"."`, `"a."`, `".a"`, `"a..b"`, `"-a"`, `"a-"`, `"ab--c"`, `"a_b"`, `"a b"`, `"` + strings.Repeat("a", 64) + `"`,
		`"xn--zca"`, `"www.xn--mnchen-3ya.de"`, `"XN--9n2bp8q.com"`, `"\u0078\u006e--fiqs8s"`, `"xn--"`, `"xn--X"`,
	}
	for _, format := range []string{"hostname", "idn-hostname"} {
		check(t, `{"type":"string","format":"`+format+`"}`, valid, invalid)
		check(t, `{"type":"string","format":"`+format+`","maxLength":300}`, valid, invalid)
		check(t, `{"type":"string","not":{"format":"`+format+`"}}`, []string{`"a b"`}, valid)
	}
	mailed := func(names []string) (out []string) {
		for _, n := range names {
			out = append(out, `"a.b@`+n[1:])
		}
		return out
	}
	check(t, `{"type":"string","format":"email"}`, mailed(valid), mailed(invalid))
	check(t, `{"type":"string","format":"idn-email"}`, append(mailed(valid), `"é@cafe\u0301.com"`, `"é@παράδειγμα.com"`),
		mailed(invalid))
	check(t, `{"enum":["a.b","a b",1],"format":"hostname"}`, []string{`"a.b"`, `1`}, []string{`"a b"`})
	check(t, `{"type":"string","format":"idn-hostname"}`,
		[]string{
			`"παράδειγμα.com"`, `"www.παράδειγμα。gr"`, `"\u03B1\u0375β.\u03b1"`, `"münchen-stadt.de"`,
			`"ßς་〇"`, `"۽۾"`, `"۰0"`, `"فارسی۱"`,
		},
		[]string{
			`"` + strings.Repeat("παράδειγμα", 10) + `"`,
			`"α-"`, `"α͵"`, `"αβ--γ"`, `"-α"`, `"α..β"`, `"\u03A1"`, `"ا٠۰"`,
		})
}
