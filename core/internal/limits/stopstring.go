package limits

// StopStringBytes bounds the stop strings of a matcher, all together: their table has at most 2 MiB. Requests have a few
// short strings.
const StopStringBytes = 4096
