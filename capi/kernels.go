package main

// The functions of sluice/kernels.h and sluice/cuda.h are C and have no twin in Go (but for those about devices):
// linking their packages is all there is to do.
import (
	_ "github.com/sluice-engine/sluice/cpu"
	_ "github.com/sluice-engine/sluice/cuda"
)
