package format

// Pieces of the grammars of RFC 3339, 3986, 3987, 5321, 6570 and 6901.
const (
	fullDate = `(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])` +
		`|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)` +
		`|02-(?:0[1-9]|1[0-9]|2[0-8]))|` + leapYear + `-02-29)`
	leapYear   = `(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`
	hourMinute = `(?:[01][0-9]|2[0-3]):[0-5][0-9]`
	secFrac    = `(?:\.[0-9]+)?`
	offset     = `(?:[Zz]|[+-]` + hourMinute + `)`
	fullTime   = hourMinute + `:[0-5][0-9]` + secFrac + offset // without leap seconds: see leap.go

	plainLabel = `[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?`

	octet = `(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
	ipv4  = octet + `(?:\.` + octet + `){3}`
	h16   = `[0-9A-Fa-f]{1,4}`
	ls32  = `(?:` + h16 + `:` + h16 + `|` + ipv4 + `)`
	ipv6  = `(?:(?:` + h16 + `:){6}` + ls32 +
		`|::(?:` + h16 + `:){5}` + ls32 +
		`|(?:` + h16 + `)?::(?:` + h16 + `:){4}` + ls32 +
		`|(?:(?:` + h16 + `:){0,1}` + h16 + `)?::(?:` + h16 + `:){3}` + ls32 +
		`|(?:(?:` + h16 + `:){0,2}` + h16 + `)?::(?:` + h16 + `:){2}` + ls32 +
		`|(?:(?:` + h16 + `:){0,3}` + h16 + `)?::` + h16 + `:` + ls32 +
		`|(?:(?:` + h16 + `:){0,4}` + h16 + `)?::` + ls32 +
		`|(?:(?:` + h16 + `:){0,5}` + h16 + `)?::` + h16 +
		`|(?:(?:` + h16 + `:){0,6}` + h16 + `)?::)`

	// No label has hyphens in both its third and fourth place. They mark an encoded label (xn--), whose validity is
	// not regular.
	label = `(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,` +
		`2}[0-9A-Za-z])?|[0-9A-Za-z][0-9A-Za-z-](?:[0-9A-Za-z][0-9A-Za-z-]|-[0-9A-Za-z])[0-9A-Za-z-]{0,58}[0-9A-Za-z])`
	shortLabel = `(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,` +
		`2}[0-9A-Za-z])?|[0-9A-Za-z][0-9A-Za-z-](?:[0-9A-Za-z][0-9A-Za-z-]|-[0-9A-Za-z])[0-9A-Za-z-]{0,18}[0-9A-Za-z])`
	// A name has at most 253 characters. Counting them would cost too much. Three labels of any length fit, and so do
	// ten of at most 23 characters.
	hostname = `(?:` + label + `(?:\.` + label + `){0,2}|` + shortLabel + `(?:\.` + shortLabel + `){3,9})`
	atext    = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+"

	localPart = `(?:` + atext + `(?:\.` + atext + `)*|"(?:[ !#-\[\]-~]|\\[ -~])*")`

	// Internationalised labels: letters of scripts whose letters are permitted everywhere in a label, so that no rule
	// about neighbours, direction or combining marks applies. A label has so few letters that its xn-- form fits into
	// 63 bytes: a letter takes four digits at most, and two in an alphabet of few letters.
	latin    = `[0-9a-z\u{DF}-\u{F6}\u{F8}-\u{FF}]`
	cyrillic = `[0-9\u{430}-\u{45F}]`
	scripts  = `\u{DF}-\u{F6}\u{F8}-\u{FF}\u{430}-\u{45F}\u{905}-\u{939}\u{E01}-\u{E30}\u{F0B}` +
		`\u{3007}\u{3041}-\u{3096}\u{30A1}-\u{30FA}\u{4E00}-\u{9FFF}\u{AC00}-\u{D7A3}`
	otherLabel = `(?:` + shortLabel + `|[0-9a-z` + scripts + `][0-9a-z\u{3AC}-\u{3CE}` + scripts + `]{0,12}|` +
		latin + `(?:-?` + latin + `){0,15}|` + cyrillic + `(?:-?` + cyrillic + `){0,15}|` + contextual + `)`
	greekLabel = `(?:[\u{3AC}-\u{3CE}][0-9\u{3AC}-\u{3CE}]{0,19}|[\u{3AC}-\u{3CE}]{0,6}(?:\u{375}[\u{3AC}-\u{3CE}]{1,3}){1,3})`
	ulabel     = `(?:` + otherLabel + `|` + greekLabel + `)`
	// Labels with characters that are permitted between others: a middle dot between two l, joiners after a virama, the
	// Katakana middle dot beside Japanese, digits of Arabic that are written from left to right.
	contextual = `(?:[0-9a-z]{0,6}l(?:\u{B7}l){1,6}[0-9a-z]{0,6}` +
		`|[\u{905}-\u{939}](?:[\u{905}-\u{939}]|\u{94D}[\u{200C}\u{200D}]?[\u{905}-\u{939}]){0,5}` +
		`|` + japanese + `{0,4}(?:\u{30FB}` + japanese + `{1,2}){1,3}|` + japanese + `{1,6}\u{30FB}` +
		`|[\u{6F0}-\u{6F9}][0-9\u{6F0}-\u{6F9}]{0,12})`
	// In an address, a label need not be in normal form.
	idnMailHost    = idnHostname + `|` + decomposedName
	decomposed     = `(?:` + shortLabel + `|(?:[0-9a-z][\u{300}-\u{304}\u{306}-\u{30C}]?){1,9})`
	decomposedName = decomposed + `(?:\.` + decomposed + `){0,3}`
	// A name in a script from right to left has such labels alone: marks of abbreviation after Hebrew, Arabic digits
	// after Arabic letters, and a joiner between Arabic letters that would otherwise join.
	rightToLeft = `(?:[\u{5D0}-\u{5EA}][\u{5D0}-\u{5EA}\u{5F3}\u{5F4}]{0,12}` +
		`|` + arabic + `[` + arabicLetters + `\u{660}-\u{669}]{0,12}` +
		`|` + arabic + `[` + arabicLetters + `\u{6F0}-\u{6F9}]{0,12}` +
		`|` + dualJoining + `{1,6}\u{200C}` + dualJoining + `{1,6})`
	arabicLetters = `\u{620}-\u{63A}\u{641}-\u{64A}\u{679}-\u{6D3}\u{6D5}\u{6FD}\u{6FE}`
	arabic        = `[` + arabicLetters + `]`
	dualJoining   = `[\u{628}\u{62A}-\u{62E}\u{633}-\u{63A}\u{641}-\u{647}\u{64A}]`
	separator     = `[.\u{3002}\u{FF0E}\u{FF61}]`
	japanese      = `[\u{3041}-\u{3096}\u{30A1}-\u{30FA}\u{4E00}-\u{9FFF}]`
	idnHostname   = `(?:` + hostname + `|` + rightToLeft + `(?:` + separator + rightToLeft + `){0,3}` +
		`|` + ulabel + `(?:` + separator + ulabel + `){0,3})`
	uatext       = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~\\u{80}-\\u{10FFFF}-]+"
	idnLocalPart = `(?:` + uatext + `(?:\.` + uatext + `)*|"(?:[ !#-\[\]-~\u{80}-\u{10FFFF}]|\\[ -~])*")`

	pct   = `%[0-9A-Fa-f]{2}`
	ascii = `A-Za-z0-9._~!$&'()*+,;=\-`
	ucs   = `\u{A0}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFEF}` +
		`\u{10000}-\u{1FFFD}\u{20000}-\u{2FFFD}\u{30000}-\u{3FFFD}\u{E1000}-\u{EFFFD}`
	private    = `\u{E000}-\u{F8FF}\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}`
	scheme     = `[A-Za-z][A-Za-z0-9+.-]*`
	ipLiteral  = `\[(?:` + ipv6 + `|[vV][0-9A-Fa-f]+\.[` + ascii + `:]+)\]`
	uriExpress = `\{[+#./;?&=,!@|]?(?:[A-Za-z0-9_]|` + pct + `)(?:\.?(?:[A-Za-z0-9_]|` + pct +
		`))*(?::[1-9][0-9]{0,3}|\*)?(?:,(?:[A-Za-z0-9_]|` + pct + `)(?:\.?(?:[A-Za-z0-9_]|` + pct +
		`))*(?::[1-9][0-9]{0,3}|\*)?)*\}`
)

func mailHost(name string) string {
	return `(?:` + name + `|\[(?:` + ipv4 + `|IPv6:` + ipv6 + `)\])`
}

// uriPattern is the grammar of RFC 3986, with further characters for RFC 3987.
func uriPattern(more, query string, relative bool) string {
	chars := ascii + more
	pchar := `(?:[` + chars + `:@]|` + pct + `)`
	userinfo := `(?:[` + chars + `:]|` + pct + `)*`
	regName := `(?:[` + chars + `]|` + pct + `)*`
	authority := `(?:` + userinfo + `@)?(?:` + ipLiteral + `|` + regName + `)(?::[0-9]*)?`
	path := `(?:/` + pchar + `*)*`
	absolutePath := `/(?:` + pchar + `+` + path + `)?`
	rootless := pchar + `+` + path
	tail := `(?:\?(?:[` + chars + query + `:@/?]|` + pct + `)*)?(?:#(?:[` + chars + `:@/?]|` + pct + `)*)?`
	hier := `(?://` + authority + path + `|` + absolutePath + `|` + rootless + `)?`
	full := scheme + `:` + hier + tail
	if !relative {
		return full
	}
	noColon := `(?:[` + chars + `@]|` + pct + `)+` + path
	return `(?:` + full + `|(?://` + authority + path + `|` + absolutePath + `|` + noColon + `)?` + tail + `)`
}

const (
	duration = `P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)` +
		`(?:T` + hours + `)?|T` + hours + `)`
	hours       = `(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)`
	uuid        = `[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`
	uriTemplate = `(?:[!#$&-;=?-\[\]_a-z~` + ucs + private + `]|` + pct + `|` + uriExpress + `)*`
	jsonPointer = `(?:/(?:[^/~]|~[01])*)*`
)

// Host names whose labels may have any length, and in Unicode any characters beyond ASCII.
const (
	looseLabel    = `[0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?`
	looseHost     = looseLabel + `(?:\.` + looseLabel + `)*`
	looseIDNLabel = `[0-9A-Za-z\u{80}-\u{10FFFF}](?:[0-9A-Za-z\u{80}-\u{10FFFF}-]*[0-9A-Za-z\u{80}-\u{10FFFF}])?`
	looseIDNHost  = looseIDNLabel + `(?:\.` + looseIDNLabel + `)*`
)

// regexPattern returns the form of a regular expression of ECMA-262: an operand before each quantifier, closed
// brackets, known escapes.
func regexPattern() string {
	const (
		hex    = `[0-9A-Fa-f]`
		escape = `\\(?:[dDwWsSbBfnrtv0/^$\\.*+?()\[\]{}|"' -]|c[A-Za-z]|x` + hex + `{2}|u` + hex + `{4}|u\{` + hex + `{1,6}\}` +
			`|[pP]\{[0-9A-Za-z_=]+\}|k<[0-9A-Za-z_$]+>|[1-9][0-9]*|[#%&,:;<=>@_` + "`" + `~!])`
		class  = `\[\^?(?:[^\]\\]|` + escape + `)*\]`
		repeat = `(?:(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??)?`
		begin  = `\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_$][0-9A-Za-z_$]*>|[ims-]+:))?`
	)
	single := `[^\\()\[*+?|]|` + escape + `|` + class + ``
	e := `(?:(?:` + single + `)` + repeat + `|\|)*`
	for range 10 {
		e = `(?:(?:` + single + `|` + begin + e + `\))` + repeat + `|\|)*`
	}
	return e
}
