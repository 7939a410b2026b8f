package regex

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// unicode.txt and Go's tables have the same Unicode version; tests/data/unicode_tables.mjs regenerates the file.
func TestTablesAreOfOneVersion(t *testing.T) {
	require.Contains(t, unicodeText, "\nversion: "+unicode.Version+"\n")
}

// Every binary property of ECMA-262 but Changes_When_…, and scripts with shared characters, by the number of their
// characters and the sum of those, as the Unicode Character Database 15.0.0 lists them.
func TestPropertiesAreUnicodes(t *testing.T) {
	for name, want := range map[string][2]int{
		"ASCII_Hex_Digit":              {22, 1527},
		"Alphabetic":                   {137765, 14844233840},
		"Bidi_Control":                 {12, 92339},
		"Bidi_Mirrored":                {553, 7124336},
		"Case_Ignorable":               {2707, 409384014},
		"Cased":                        {4526, 212070486},
		"Dash":                         {30, 600156},
		"Default_Ignorable_Code_Point": {4174, 3769934431},
		"Deprecated":                   {15, 1007314},
		"Diacritic":                    {1144, 45106261},
		"Emoji":                        {1424, 161301102},
		"Emoji_Component":              {146, 92642433},
		"Emoji_Modifier":               {5, 639985},
		"Emoji_Modifier_Base":          {134, 16544374},
		"Emoji_Presentation":           {1205, 147807431},
		"Extended_Pictographic":        {3537, 415750984},
		"Extender":                     {50, 2178310},
		"Grapheme_Base":                {146986, 15455374086},
		"Grapheme_Extend":              {2125, 383747759},
		"Hex_Digit":                    {44, 1438510},
		"IDS_Binary_Operator":          {10, 122781},
		"IDS_Trinary_Operator":         {2, 24549},
		"ID_Continue":                  {139482, 15132850228},
		"ID_Start":                     {136345, 14787025334},
		"Ideographic":                  {105854, 13217143325},
		"Join_Control":                 {2, 16409},
		"Logical_Order_Exception":      {19, 281995},
		"Lowercase":                    {2544, 116308964},
		"Math":                         {2310, 150419421},
		"Noncharacter_Code_Point":      {66, 22133693},
		"Pattern_Syntax":               {2760, 27418397},
		"Pattern_White_Space":          {11, 33098},
		"Quotation_Mark":               {30, 702376},
		"Radical":                      {329, 3973243},
		"Regional_Indicator":           {26, 3314337},
		"Sentence_Terminal":            {154, 7087448},
		"Soft_Dotted":                  {50, 3704489},
		"Terminal_Punctuation":         {278, 11525642},
		"Unified_Ideograph":            {97058, 12315031228},
		"Uppercase":                    {1951, 95541008},
		"Variation_Selector":           {260, 221356211},
		"White_Space":                  {25, 141586},
		"XID_Continue":                 {139463, 15131785619},
		"XID_Start":                    {136322, 14785822450},
		"scx=Arabic":                   {1414, 73058463},
		"scx=Common":                   {7873, 681150163},
		"scx=Cyrillic":                 {510, 12800793},
		"scx=Devanagari":               {220, 3148985},
		"scx=Greek":                    {522, 15804246},
		"scx=Han":                      {98696, 12461057632},
		"scx=Hiragana":                 {433, 34627419},
		"scx=Inherited":                {586, 234151980},
		"scx=Katakana":                 {373, 10336664},
		"scx=Latin":                    {1510, 27588770},
		"scx=Thai":                     {86, 312105},
		"scx=Yezidi":                   {60, 3276789},
	} {
		ranges, ok := property(name)
		require.True(t, ok, name)
		var got [2]int
		for i := 0; i < len(ranges); i += 2 {
			for c := ranges[i]; c <= ranges[i+1]; c++ {
				got[0]++
				got[1] += int(c)
			}
		}
		require.Equal(t, want, got, name)
	}
}

// Every short name of ECMA-262 equals the long one.
func TestShortNamesOfProperties(t *testing.T) {
	for _, c := range [][2]string{
		{"AHex", "ASCII_Hex_Digit"},
		{"Alpha", "Alphabetic"},
		{"Bidi_C", "Bidi_Control"},
		{"Bidi_M", "Bidi_Mirrored"},
		{"CI", "Case_Ignorable"},
		{"DI", "Default_Ignorable_Code_Point"},
		{"Dep", "Deprecated"},
		{"Dia", "Diacritic"},
		{"EBase", "Emoji_Modifier_Base"},
		{"EComp", "Emoji_Component"},
		{"EMod", "Emoji_Modifier"},
		{"EPres", "Emoji_Presentation"},
		{"ExtPict", "Extended_Pictographic"},
		{"Ext", "Extender"},
		{"Gr_Base", "Grapheme_Base"},
		{"Gr_Ext", "Grapheme_Extend"},
		{"Hex", "Hex_Digit"},
		{"IDC", "ID_Continue"},
		{"IDS", "ID_Start"},
		{"IDSB", "IDS_Binary_Operator"},
		{"IDST", "IDS_Trinary_Operator"},
		{"Ideo", "Ideographic"},
		{"Join_C", "Join_Control"},
		{"LOE", "Logical_Order_Exception"},
		{"Lower", "Lowercase"},
		{"NChar", "Noncharacter_Code_Point"},
		{"Pat_Syn", "Pattern_Syntax"},
		{"Pat_WS", "Pattern_White_Space"},
		{"QMark", "Quotation_Mark"},
		{"RI", "Regional_Indicator"},
		{"SD", "Soft_Dotted"},
		{"STerm", "Sentence_Terminal"},
		{"Term", "Terminal_Punctuation"},
		{"UIdeo", "Unified_Ideograph"},
		{"Upper", "Uppercase"},
		{"VS", "Variation_Selector"},
		{"XIDC", "XID_Continue"},
		{"XIDS", "XID_Start"},
		{"space", "White_Space"},
		{"sc=Grek", "Script=Greek"},
		{"scx=Grek", "Script_Extensions=Greek"},
		{"sc=Qaac", "sc=Coptic"},
		{"sc=Xpeo", "sc=Old_Persian"},
		{"sc=Nagm", "sc=Nag_Mundari"},
	} {
		short, ok := property(c[0])
		require.True(t, ok, c[0])
		long, ok := property(c[1])
		require.True(t, ok, c[1])
		require.Equal(t, long, short, c[0])
	}
	named := map[string]bool{}
	for key, l := range unicodeLines() {
		if strings.HasPrefix(key, "script ") {
			named[l.name] = true
			require.NotNil(t, unicode.Scripts[l.name], key)
		}
	}
	require.Len(t, named, len(unicode.Scripts))
	for _, unknown := range []string{
		"Changes_When_Lowercased", "scx=Klingon", "Script_Extensions", "IsGreek", "Block=Greek",
	} {
		_, ok := property(unknown)
		require.False(t, ok, unknown)
	}
}
