package core

// What the tests of package core_test need of this package's conversions.
var OptionsOfEngine = optionsOfEngine
