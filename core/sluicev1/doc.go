// Package sluicev1 has the messages of include/sluice/v1 as Go types, for programs that read them.
//
// Invariant: all other files are generated (make proto). Nothing in libsluice imports the package, because the runtime of
// protobuf would add 2 MB to it. Start reading at CompilerStats.
package sluicev1
