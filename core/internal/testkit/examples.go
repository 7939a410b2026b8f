package testkit

// SQLLark is a grammar of SQL's queries and insertions in Lark, in the style of practice.
const SQLLark = `
start: statement (";" statement)* [";"]
?statement: select | insert
select: "select"i ("*" | column ("," column)*) "from"i NAME ["where"i cond]
    ["order"i "by"i NAME ["asc"i | "desc"i]] ["limit"i INT]
column: expr ["as"i NAME]
insert: "insert"i "into"i NAME "(" NAME ("," NAME)* ")" "values"i "(" expr ("," expr)* ")"
?cond: cond "or"i both | both
?both: both "and"i test | test
?test: "not"i test | expr OP expr | "(" cond ")" | expr "is"i ["not"i] "null"i
OP: "=" | "<>" | "<" "="? | ">" "="?
?expr: expr ("+" | "-") term | term
?term: term ("*" | "/") factor | factor
?factor: NAME ["." NAME] | SIGNED_NUMBER | STRING | "(" expr ")" | NAME "(" [expr ("," expr)*] ")"
STRING: "'" /[^'\n]*/ "'"
%import common.CNAME -> NAME
%import common (INT, SIGNED_NUMBER, WS)
%ignore WS
`
