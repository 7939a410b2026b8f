package limits

// EventDepth is the deepest nesting of values for which a matcher reports events. Each event names the place of its
// value, so a text that opens brackets only would take quadratic memory. Python's json reads nearly as deep.
const EventDepth = 512
