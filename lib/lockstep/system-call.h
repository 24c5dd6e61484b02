/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * System calls past libc, whose functions this library replaces.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_SYSTEM_CALL_H
#define UMADRIG_LIB_LOCKSTEP_SYSTEM_CALL_H

#include <errno.h>
#include <sys/syscall.h>

/* Newer than the headers of some systems; the number is the same everywhere. */
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

/* Its result, or -errno. errno stays. */
static inline long system_call(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			 "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) :
			 "memory");
	return x0;
#else
	(void)number, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
	return -ENOSYS;
#endif
}

/* With fewer arguments, which may be pointers. */
#define CALL_0(n) system_call((n), 0, 0, 0, 0, 0, 0)
#define CALL_1(n, a) system_call((n), (long)(a), 0, 0, 0, 0, 0)
#define CALL_2(n, a, b) system_call((n), (long)(a), (long)(b), 0, 0, 0, 0)
#define CALL_3(n, a, b, c) system_call((n), (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define CALL_4(n, a, b, c, d) system_call((n), (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define CALL_5(n, a, b, c, d, e) \
	system_call((n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define CALL_6(n, a, b, c, d, e, f) \
	system_call((n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* What a function of libc returns for that. */
static inline long call_result(long ret)
{
	if (ret >= 0 || ret < -4095)
		return ret;
	errno = (int)-ret;
	return -1;
}

#endif
