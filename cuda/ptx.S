/* ptx.S: apply.ptx as text in the library: cuda_ptx, which ends with NUL. */
	.section .rodata
	.globl cuda_ptx
	.hidden cuda_ptx
	.type cuda_ptx, %object
cuda_ptx:
	.incbin "apply.ptx"
	.byte 0
	.size cuda_ptx, . - cuda_ptx
	.section .note.GNU-stack, "", %progbits
