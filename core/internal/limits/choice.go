package limits

// ChoiceFragment is the number of bytes of a wrong choice that an error quotes: one line of a terminal.
const ChoiceFragment = 40
