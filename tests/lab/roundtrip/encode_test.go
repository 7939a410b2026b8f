//go:build tokenizers

package roundtrip

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// texts is text that tokenizers treat differently: scripts, emoji, code, runs of white space, control characters.
// All of it is in Unicode's composed form (NFC), which Qwen's normalizer would change it to. There is no NUL, because
// the binding takes C strings.
var texts = []string{
	"a",
	" ",
	"  ",
	"\n",
	"\t\t\n  \r\n\r\n   x",
	"Hello, world!",
	" leading and trailing ",
	"don't we'll I'VE they're",
	"{\"name\": \"Zoë\", \"age\": 42, \"tags\": [\"a\", \"b\"], \"nested\": {\"x\": null, \"y\": -1.5e-10}}",
	"{\n    \"indented\": [\n        1,\n        2\n    ]\n}",
	"func main() {\n\tfmt.Println(\"héllo\", 0x1F, 'a')\n}\n",
	"def f(x):\n    return {k: v for k, v in x.items() if v != \"\\\\\"}\n",
	"SELECT * FROM t WHERE a >= 10 AND b LIKE '%\\_%';",
	"<div class=\"a b\"><p>text</p></div><!-- c --> <table><tr><td>1</td></tr></table>",
	"C:\\Users\\name\\file.txt /usr/local/bin https://example.org/a?b=c&d=%20#e",
	"1234567890 3.14159 1,000,000 0b1010 ½ ² Ⅷ ٣ ४",
	"Ünïcödé straße Ærøskøbing Đorđe çğışöü ŝĉĝĵŭ",
	"Быстрая коричневая лиса перепрыгивает",
	"Η γρήγορη καφέ αλεπού",
	"השועל החום המהיר",
	"الثعلب البني السريع",
	"तेज़ भूरी लोमड़ी",
	"দ্রুত বাদামী শিয়াল",
	"จิ้งจอกสีน้ำตาลกระโดด",
	"素早い茶色の狐が怠け者の犬を飛び越える。カタカナ、ひらがな",
	"敏捷的棕色狐狸跳过了懒狗，繁體字也有。",
	"빠른 갈색 여우가 게으른 개를 뛰어넘는다",
	"ሰላም ልዑል ᏣᎳᎩ ᚠᚢᚦᚨᚱᚲ ᠮᠣᠩᠭᠣᠯ",
	"𐍈 𝔘𝔫𝔦 𓀀𓁐 𠜎𠜱",
	"😀😃 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇺🇳 ❤️ 1️⃣",
	"→ ⇒ ∀x∈ℝ: ⌈x⌉ ≠ ∞ √2 ≈ 1.414 ∑ ∫",
	"“quotes” ‘single’ «guillemets» — – … • § ¶ † ©®™ €£¥",
	"zero\u200bwidth\u200cjoin\u200der\ufeffbom nbsp\u00a0thin\u2009 ideographic\u3000",
	"control \x01\x02\x03\x07\x08\x0b\x0c\x0e\x1b[31m\x1f\x7f\u0080\u0085\u009f",
	"private \ue000\uf8ff \U000f0000\U0010fffd noncharacter \ufffe\uffff \U0001ffff",
	"replacement \ufffd",
	"                                                                                                                                  " +
		"x",
	"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
	"\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t",
	"================================================================ ---------------- ________",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"<0x41> <0xFF> ## Ġword Ċ ĉ <| |> <unused not> ##ing",
	"block ▁ ▁▁ one▁two",
}

// random returns text of n characters from ranges whose characters do not compose with each other.
func random(r *rand.Rand, n int) string {
	ranges := [][2]rune{
		{1, 0x7F},
		{' ', '~'},
		{' ', '~'},
		{0xA1, 0x17F},
		{0x410, 0x44F},
		{0x3041, 0x3096},
		{0x4E00, 0x9FFF},
		{0xAC00, 0xD7A3},
		{0x1F300, 0x1F64F},
		{0x2190, 0x21FF},
		{0xE000, 0xE0FF},
		{0x10300, 0x1031F},
		{0x20000, 0x2A6D6},
	}
	var b strings.Builder
	for range n {
		pick := ranges[r.IntN(len(ranges))]
		b.WriteRune(pick[0] + rune(r.IntN(int(pick[1]-pick[0])+1)))
		for r.IntN(8) == 0 {
			b.WriteByte(" \n\t"[r.IntN(3)])
		}
	}
	return b.String()
}

// TestEncode tokenizes texts with the library: our bytes of the tokens, concatenated, equal the text.
func TestEncode(t *testing.T) {
	const seed = 20261121
	r := rand.New(rand.NewPCG(seed, 1))
	all := texts
	for range 300 {
		all = append(all, random(r, 1+r.IntN(200)))
	}
	eachPair(t, func(t *testing.T, p *pair) {
		tokens := 0
		for _, text := range all {
			ids := p.lib.EncodeWithOptions(text, false).IDs
			var got []byte
			for _, id := range ids {
				b, _ := p.ours.Token(id)
				got = append(got, b...)
			}
			want := p.prefix + text
			if p.spaced {
				want = strings.ReplaceAll(want, "▁", " ")
			}
			assert.Equal(t, want, string(got), "seed %d, ids %v", seed, ids)
			tokens += len(ids)
		}
		t.Logf("%s: %d texts, %d tokens", p.name, len(all), tokens)
	})
}
