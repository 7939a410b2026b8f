package limits

// EventDepth is the deepest nesting of values for which a matcher reports events. Each event names the place of its
// value, so a text that opens brackets only would take quadratic memory. Python's json reads nearly as deep.
const EventDepth = 512

// EventShape is the largest number of schemas that events follow for one value, all of which or one of which must hold. A
// recursive schema could double them with each level of a value. Beyond the limit any value is allowed. Each member costs
// as many steps, about 0.5 ms.
const EventShape = 1 << 13
