/*
 * The assembly of the switch, for x86-64 and aarch64.
 */
#include "coroutine/weft_switch.h"

#ifdef WEFT_OWN_SWITCH

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

#endif
