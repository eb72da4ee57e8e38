/*
 * The assembly of the switch, for x86-64 and aarch64.
 */
#include "coroutine/weft_switch.h"

#ifdef WEFT_OWN_SWITCH

#ifdef __x86_64__

/* The picture that is left on a suspended stack, from the stack pointer up: the two floating point control words,
 * a gap, r12 to r15, rbx, rbp, and where to go on. The engine's make_fcontext() paints the same one. */
__asm__(".text\n"
		".align 16\n"
		".hidden weft_jump\n"
		".globl weft_jump\n"
		".type weft_jump, @function\n"
		"weft_jump:\n"
		"	.cfi_startproc\n"
		"	endbr64\n"
		"	sub $0x40, %rsp\n"
		"	.cfi_adjust_cfa_offset 0x40\n"
		"	stmxcsr 0x00(%rsp)\n"
		"	fnstcw 0x04(%rsp)\n"
		"	mov %r12, 0x10(%rsp)\n"
		"	mov %r13, 0x18(%rsp)\n"
		"	mov %r14, 0x20(%rsp)\n"
		"	mov %r15, 0x28(%rsp)\n"
		"	mov %rbx, 0x30(%rsp)\n"
		"	mov %rbp, 0x38(%rsp)\n"
		"	mov %rsp, %rax\n"
		"	mov %rdi, %rsp\n"
		"	mov 0x10(%rsp), %r12\n"
		"	mov 0x18(%rsp), %r13\n"
		"	mov 0x20(%rsp), %r14\n"
		"	mov 0x28(%rsp), %r15\n"
		"	mov 0x30(%rsp), %rbx\n"
		"	mov 0x38(%rsp), %rbp\n"
		/* Loading a control word is slow, and hardly ever is it another one. */
		"	mov 0x00(%rax), %ecx\n"
		"	cmp 0x00(%rsp), %ecx\n"
		"	je 1f\n"
		"	ldmxcsr 0x00(%rsp)\n"
		"1:	movzwl 0x04(%rax), %ecx\n"
		"	cmp 0x04(%rsp), %cx\n"
		"	je 2f\n"
		"	fldcw 0x04(%rsp)\n"
		"2:	add $0x40, %rsp\n"
		"	.cfi_adjust_cfa_offset -0x40\n"
		/* For who resumes here these are the result; for who starts here they are the argument. */
		"	mov %rsi, %rdx\n"
		"	mov %rax, %rdi\n"
		"	ret\n"
		"	.cfi_endproc\n"
		".size weft_jump, .-weft_jump\n");

#else

/* The picture, from the stack pointer up: d8 to d15 (of v8 to v15 a call keeps only these halves), x19 to x28, the
 * frame pointer x29, the link register x30, and where to go on, which is x30 once more for who was suspended; a new
 * context begins at its function and has the end of the process in x30. x18 is nobody's on Linux. The floating point
 * control word is not in it: here the engine leaves that to the process.
 *
 * The address to go on at lies there as it is, without a signature (PAC): the engine's make_fcontext() paints it so.
 * Callers that sign theirs have done so in their own frames. Returning needs no landing pad (BTI); who calls through a
 * pointer finds one at the beginning, which is nothing to a processor without. */
__asm__(".text\n"
		".balign 16\n"
		".hidden weft_jump\n"
		".globl weft_jump\n"
		".type weft_jump, %function\n"
		"weft_jump:\n"
		"	.cfi_startproc\n"
		"	hint #34\n" /* bti c */
		"	sub sp, sp, #0xb0\n"
		"	.cfi_adjust_cfa_offset 0xb0\n"
		"	stp d8, d9, [sp, #0x00]\n"
		"	stp d10, d11, [sp, #0x10]\n"
		"	stp d12, d13, [sp, #0x20]\n"
		"	stp d14, d15, [sp, #0x30]\n"
		"	stp x19, x20, [sp, #0x40]\n"
		"	stp x21, x22, [sp, #0x50]\n"
		"	stp x23, x24, [sp, #0x60]\n"
		"	stp x25, x26, [sp, #0x70]\n"
		"	stp x27, x28, [sp, #0x80]\n"
		"	stp x29, x30, [sp, #0x90]\n"
		"	str x30, [sp, #0xa0]\n"
		"	mov x9, sp\n"
		"	mov sp, x0\n"
		"	ldp d8, d9, [sp, #0x00]\n"
		"	ldp d10, d11, [sp, #0x10]\n"
		"	ldp d12, d13, [sp, #0x20]\n"
		"	ldp d14, d15, [sp, #0x30]\n"
		"	ldp x19, x20, [sp, #0x40]\n"
		"	ldp x21, x22, [sp, #0x50]\n"
		"	ldp x23, x24, [sp, #0x60]\n"
		"	ldp x25, x26, [sp, #0x70]\n"
		"	ldp x27, x28, [sp, #0x80]\n"
		"	ldp x29, x30, [sp, #0x90]\n"
		"	ldr x10, [sp, #0xa0]\n"
		"	add sp, sp, #0xb0\n"
		"	.cfi_adjust_cfa_offset -0xb0\n"
		/* With x1, which is as it was: the result for who resumes here, the argument for who starts here. */
		"	mov x0, x9\n"
		"	ret x10\n"
		"	.cfi_endproc\n"
		".size weft_jump, .-weft_jump\n");

#endif
#endif
