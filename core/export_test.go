package core

// Conversions for package core_test.
var OptionsOfEngine = optionsOfEngine
