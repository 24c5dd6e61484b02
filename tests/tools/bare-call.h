/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* libc's syscall() is known to lock-step; what a program does by itself is not. */
#ifndef UMADRIG_TESTS_TOOLS_BARE_CALL_H
#define UMADRIG_TESTS_TOOLS_BARE_CALL_H

/* The result, or -errno. */
static inline long bare_call4(long number, long first, long second, long third, long fourth)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = fourth;
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(number), "D"(first), "S"(second), "d"(third),
			 "r"(r10) : "rcx", "r11", "memory");
	return ret;
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = first;
	register long x1 __asm__("x1") = second;
	register long x2 __asm__("x2") = third;
	register long x3 __asm__("x3") = fourth;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
#endif
}

static inline long bare_call(long number, long first, long second, long third)
{
	return bare_call4(number, first, second, third, 0);
}

#endif
