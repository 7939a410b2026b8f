package limits

// ChoiceFragment is how many bytes of a wrong choice an error quotes: enough to recognise it, and one line of a
// terminal.
const ChoiceFragment = 40
