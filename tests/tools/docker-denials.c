/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * docker-denials: "docker-denials COMMAND...": runs it with the system calls refused that docker's
 * default profile refuses to a container without added capabilities, as far as anything here could
 * want them. What the container's capabilities are is the caller's affair (setpriv(1)).
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEW_NAMESPACES                                                                         \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |         \
	 CLONE_NEWPID | CLONE_NEWNET)

/* The numbers from 424 on are those of all architectures. */
enum { IO_URING_SETUP = 425, IO_URING_REGISTER = 427, OPEN_TREE = 428, FSPICK = 433, CLONE3 = 435,
       PIDFD_GETFD = 438, MOUNT_SETATTR = 442 };

/* Refused with EPERM, from the first to the last of each row. */
static const struct {
	uint32_t first, last;
} refused[] = {
	{ __NR_unshare, __NR_unshare },
	{ __NR_setns, __NR_setns },
	{ __NR_mount, __NR_mount },
	{ __NR_umount2, __NR_umount2 },
	{ __NR_pivot_root, __NR_pivot_root },
	{ __NR_kcmp, __NR_kcmp },
	{ __NR_bpf, __NR_bpf },
	{ __NR_perf_event_open, __NR_perf_event_open },
	{ __NR_userfaultfd, __NR_userfaultfd },
	{ __NR_open_by_handle_at, __NR_open_by_handle_at },
	{ __NR_add_key, __NR_keyctl },
	{ __NR_init_module, __NR_delete_module },
	{ __NR_finit_module, __NR_finit_module },
	{ IO_URING_SETUP, IO_URING_REGISTER },
	{ OPEN_TREE, FSPICK },
	{ PIDFD_GETFD, PIDFD_GETFD },
	{ MOUNT_SETATTR, MOUNT_SETATTR },
};
#define REFUSED_COUNT (sizeof(refused) / sizeof(*refused))

static struct sock_filter program[3 * REFUSED_COUNT + 16];
static unsigned short length;

static void add(uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false)
{
	program[length++] = (struct sock_filter){ code, if_true, if_false, k };
}

static void load(size_t offset)
{
	add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void fail_with(int errnum)
{
	add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)errnum, 0, 0);
}

static void build(void)
{
	load(offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < REFUSED_COUNT; i++) {
		add(BPF_JMP | BPF_JGE | BPF_K, refused[i].first, 0, 2);
		add(BPF_JMP | BPF_JGT | BPF_K, refused[i].last, 1, 0);
		fail_with(EPERM);
	}
	/* Its flags are behind a pointer: glibc tries clone then. */
	add(BPF_JMP | BPF_JEQ | BPF_K, CLONE3, 0, 1);
	fail_with(ENOSYS);
	add(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3);
	load(offsetof(struct seccomp_data, args[0]));
	add(BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 0, 1);
	fail_with(EPERM);
	add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

int main(int argc, char **argv)
{
	struct sock_fprog filter = { .filter = program };

	if (argc < 2) {
		fprintf(stderr, "usage: docker-denials COMMAND [ARGUMENT...]\n");
		return 2;
	}
	build();
	filter.len = length;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0) {
		perror("docker-denials: seccomp");
		return 126;
	}
	execvp(argv[1], argv + 1);
	fprintf(stderr, "docker-denials: %s: %s\n", argv[1], strerror(errno));
	return 127;
}
