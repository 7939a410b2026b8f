/* calls.S: a function for every name of calls.h, which jumps to where calls.c found the real one.
 *
 * go-nvml leaves these names undefined and lets the dynamic linker find them once it has loaded libnvidia-ml. That works in
 * a program that is bound lazily, and not in a library that Python loads: ctypes binds everything at once, and every name
 * that nobody defines is an error, on machines without a driver as on all others. So the names are defined here. */

#if defined(__x86_64__)
#define NVML_JUMP(name) jmp *nvml_at_##name(%rip)
#elif defined(__aarch64__)
#define NVML_JUMP(name)        \
  adrp x16, nvml_at_##name;    \
  ldr x16, [x16, #:lo12:nvml_at_##name]; \
  br x16
#else
#error "capi/internal/devices: write NVML_JUMP for this architecture"
#endif

	.text
#define NVML_CALL(name)   \
  .globl name;            \
  .hidden name;           \
  .type name, %function;  \
  .balign 8;              \
  name: NVML_JUMP(name);  \
  .size name, . - name;
#include "calls.h"
#undef NVML_CALL

/* Where each of them jumps, in the order of calls.h: calls.c writes here. */
	.data
	.balign 8
	.globl nvml_at
	.hidden nvml_at
nvml_at:
#define NVML_CALL(name) nvml_at_##name: .quad nvml_missing;
#include "calls.h"
#undef NVML_CALL

	.section .note.GNU-stack, "", %progbits
