// Package cuda is the kernels for NVIDIA GPUs, their loader, and the masks that live on devices: the functions of
// include/sluice/cuda.h but for sluice_devices and sluice_device_info.
//
// All of it is C, so that a call does not enter Go's runtime, and nothing is exported to Go: package main imports it
// for its symbols. Invariant: nothing of CUDA is linked or included. The driver is looked up when it is first needed
// (driver.c), and the kernels are PTX text inside the library (apply.ptx, which NVRTC makes of apply.cu: `make ptx`).
// It must not know what a grammar is, nor where masks come from.
//
// Start reading at apply.cuh for the kernels and at launch.c for what happens before them; README.md says how to
// measure.
package cuda

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -I${SRCDIR}/../include
#cgo linux LDFLAGS: -ldl -lpthread
*/
import "C"

import _ "embed" // ptx

// ptx is what ptx.S puts into the library. The linker drops it here; the line is what tells the go command that the
// package must be built again when the file changes.
//
//go:embed apply.ptx
var _ string
