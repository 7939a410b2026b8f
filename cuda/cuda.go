// Package cuda holds the kernels for NVIDIA GPUs, their loader, and the masks that live on devices: the functions of
// include/sluice/cuda.h except sluice_devices and sluice_device_info.
//
// All of it is C, so that a call does not enter Go's runtime. Nothing is exported to Go: package main imports the
// package for its symbols. Invariant: nothing of CUDA is linked or included. The first call that needs the driver loads
// it (driver.c), and the kernels are PTX text inside the library (apply.ptx, which NVRTC makes from apply.cu: `make
// ptx`). The package knows neither grammars nor the source of masks.
//
// Start reading at apply.cuh for the kernels and at launch.c for the steps before them; README.md has measurements.
package cuda

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -Wextra -I${SRCDIR}/../include
#cgo linux LDFLAGS: -ldl -lpthread
*/
import "C"

import _ "embed" // ptx

// ptx is the text that ptx.S puts into the library. The linker drops it here; the line makes the go command build the
// package again when the file changes.
//
//go:embed apply.ptx
var _ string
