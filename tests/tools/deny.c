/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs a program where the kernel, or what is in front of it, lacks something:
 *
 * 	deny WHAT... -- PROGRAM [ARGUMENT...]
 *
 * Each WHAT is a row of 'denials' below.
 */
#include "config.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/filter/seccomp-abi.h"
#include "harness/filter/seccomp-filter.h"

/* The call fails with 'err' if argument 'argument' has one of 'bits' set. */
struct denial {
	const char *what;
	int number, err;
	unsigned int argument;
	uint32_t bits;
};

static const struct denial denials[] = {
	/* gVisor, and Linux before 5.0. */
	{ "listener", SYS_seccomp, EINVAL, 1, SECCOMP_FILTER_FLAG_NEW_LISTENER },
	/* A container's profile without seccomp(2). */
	{ "seccomp", SYS_seccomp, EPERM, 1, SECCOMP_FILTER_FLAG_NEW_LISTENER },
	/* Linux before 5.19. */
	{ "wait-killable", SYS_seccomp, EINVAL, 1, SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV },
	/* Yama, or a profile. */
	{ "memory", SYS_process_vm_readv, EPERM, 3, UINT32_MAX },
	/* Docker's usual profile, with the look at what is in force. */
	{ "addresses", SYS_personality, EPERM, 0, ADDR_NO_RANDOMIZE },
	/* Most containers. */
	{ "unshare", SYS_unshare, EPERM, 0, UINT32_MAX },
	/* Linux before 5.3. */
	{ "pidfd", SYS_pidfd_open, ENOSYS, 0, UINT32_MAX },
};

static int deny(const struct denial *denial)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SECCOMP_FILTER_ARCH, 0, 5),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)denial->number, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offsetof(struct seccomp_data, args) +
							      8 * denial->argument)),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, denial->bits, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)denial->err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

int main(int argc, char **argv)
{
	int i;

	/* Root keeps its rights below. */
	if (geteuid() != 0)
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		size_t at = 0, count = sizeof(denials) / sizeof(*denials);

		while (at < count && strcmp(argv[i], denials[at].what) != 0)
			at++;
		if (at == count || deny(&denials[at]) < 0) {
			fprintf(stderr, "deny %s: %s\n", argv[i],
				at == count ? "no such thing" : strerror(errno));
			return 99;
		}
	}
	if (i + 1 >= argc)
		return 99;
	execvp(argv[i + 1], argv + i + 1);
	perror(argv[i + 1]);
	return 99;
}
