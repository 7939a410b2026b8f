package main

// The functions of sluice/kernels.h and sluice/cuda.h are C and need no Go code, except those for devices. This file
// only links their packages.
import (
	_ "github.com/sluice-engine/sluice/cpu"
	_ "github.com/sluice-engine/sluice/cuda"
)
