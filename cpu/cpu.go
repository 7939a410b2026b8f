// Package cpu holds the kernels that apply masks to logits on the CPU: C behind include/sluice/kernels.h, compiled into
// libsluice.so. There is no Go in it but this file, which makes the directory a package so that capi can link it.
//
// Invariant: every level writes what generic.c writes, bit for bit. No Go is entered, nothing is allocated, nothing is
// kept between calls, so the functions work from any thread and in forked children. They know no vocabulary, grammar or
// matcher: a mask is words, a logit a number.
//
// Start reading at kernel.h, then apply.c (a call), rows.c (a row) and generic.c (the specification); avx512.c, avx2.c
// and neon.c are its twins. README.md has the measurements behind the choices.
package cpu

/*
#cgo CFLAGS: -std=gnu11 -O3 -Wall -Wextra -I${SRCDIR}/../include
*/
import "C"
