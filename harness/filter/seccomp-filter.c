/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/seccomp-filter.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/filter/seccomp-abi.h"
#include "lib/base/umad-command.h"

struct seccomp_filter {
	GArray *code;		/* of struct sock_filter */
	bool keeps_rights;
	bool waits_interruptibly;
};

/* What the child says: the errno, or 0 with the listener's descriptor. */
struct report {
	int err;
	bool waits_killable;
};

/* ---- the program ---- */

/* Of a device number as mknod(2) has it: the major number, and more than the lowest 256 minors. */
#define NODE_MASK 0xffffff00u
#define NODE_INFINIBAND (231u << 8)	/* umad has minors from 0 on, issm 64, uverbs 192 */
/* exit and exit_group of i386 and 32-bit ARM, which have what Linux had first. */
#define EXIT_32BIT 1
#ifdef __aarch64__
#define EXIT_GROUP_32BIT 248
#else
#define EXIT_GROUP_32BIT 252
#endif
/* x32 has the calls of x86_64 at these numbers. -1 is what a debugger puts in place of a call. */
#define X32_NUMBERS 0x40000000u

static void emit(GArray *code, uint16_t op, uint32_t k, unsigned int if_true, unsigned int if_false)
{
	struct sock_filter line = { op, (uint8_t)if_true, (uint8_t)if_false, k };

	g_array_append_val(code, line);
}

static void load(GArray *code, size_t offset)
{
	emit(code, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The lower half of argument 'n', which is all that the kernel looks at in an int. */
static void load_int(GArray *code, unsigned int n)
{
	load(code, offsetof(struct seccomp_data, args) + n * sizeof(uint64_t));
}

static void equals(GArray *code, uint32_t k, unsigned int if_true, unsigned int if_false)
{
	emit(code, BPF_JMP | BPF_JEQ | BPF_K, k, if_true, if_false);
}

static void at_least(GArray *code, uint32_t k, unsigned int if_true, unsigned int if_false)
{
	emit(code, BPF_JMP | BPF_JGE | BPF_K, k, if_true, if_false);
}

static void end(GArray *code, uint32_t action)
{
	emit(code, BPF_RET | BPF_K, action, 0, 0);
}

static uint32_t refused(int err)
{
	return SECCOMP_RET_ERRNO | ((uint32_t)err & SECCOMP_RET_DATA);
}

/* Argument 0 or argument 'other'. */
static void emit_either(GArray *code, unsigned int other, uint32_t first_number)
{
	load_int(code, 0);
	at_least(code, first_number, 2, 0);
	load_int(code, other);
	at_least(code, first_number, 0, 1);
	end(code, SECCOMP_RET_USER_NOTIF);
	end(code, SECCOMP_RET_ALLOW);
}

static void emit_fcntl(GArray *code, uint32_t first_number)
{
	load_int(code, 0);
	at_least(code, first_number, 0, 4);
	load_int(code, 1);
	equals(code, F_DUPFD, 1, 0);
	equals(code, F_DUPFD_CLOEXEC, 0, 1);
	end(code, SECCOMP_RET_USER_NOTIF);
	end(code, SECCOMP_RET_ALLOW);
}

static void emit_ioctl(GArray *code, uint32_t first_number)
{
	load_int(code, 0);
	at_least(code, first_number, 5, 0);
	load_int(code, 1);
	equals(code, UMAD_COMMAND_REGISTER_AGENT, 3, 0);
	equals(code, UMAD_COMMAND_UNREGISTER_AGENT, 2, 0);
	equals(code, UMAD_COMMAND_ENABLE_PKEY, 1, 0);
	equals(code, UMAD_COMMAND_REGISTER_AGENT2, 0, 1);
	end(code, SECCOMP_RET_USER_NOTIF);
	end(code, SECCOMP_RET_ALLOW);
}

static void emit_socket(GArray *code)
{
	load_int(code, 0);
	equals(code, AF_NETLINK, 0, 4);
	load_int(code, 2);
	equals(code, NETLINK_RDMA, 1, 0);
	equals(code, NETLINK_KOBJECT_UEVENT, 0, 1);
	end(code, SECCOMP_RET_USER_NOTIF);
	end(code, SECCOMP_RET_ALLOW);
}

static void emit_mknod(GArray *code, unsigned int device_argument, int refusal)
{
	load_int(code, device_argument);
	emit(code, BPF_ALU | BPF_AND | BPF_K, NODE_MASK, 0, 0);
	equals(code, NODE_INFINIBAND, 0, 1);
	end(code, refused(refusal));
	end(code, SECCOMP_RET_ALLOW);
}

static void emit_setns(GArray *code, int refusal)
{
	load_int(code, 1);
	equals(code, 0, 1, 0);
	emit(code, BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWNS, 0, 1);
	end(code, refused(refusal));
	end(code, SECCOMP_RET_ALLOW);
}

/* What is done with the call of 'trap': ends in all cases. */
static void emit_trap(GArray *code, const struct trap *trap, uint32_t first_number)
{
	switch (trap->when) {
	case TRAP_ALWAYS:
		end(code, SECCOMP_RET_USER_NOTIF);
		break;
	case TRAP_HIGH:
		load_int(code, 0);
		at_least(code, first_number, 0, 1);
		end(code, SECCOMP_RET_USER_NOTIF);
		end(code, SECCOMP_RET_ALLOW);
		break;
	case TRAP_HIGH_OR_SECOND:
		emit_either(code, 1, first_number);
		break;
	case TRAP_HIGH_OR_THIRD:
		emit_either(code, 2, first_number);
		break;
	case TRAP_HIGH_DUP:
		emit_fcntl(code, first_number);
		break;
	case TRAP_NETLINK:
		emit_socket(code);
		break;
	case TRAP_UMAD_COMMAND:
		emit_ioctl(code, first_number);
		break;
	case TRAP_REFUSE:
		end(code, refused(trap->refusal));
		break;
	case TRAP_REFUSE_NODE:
		emit_mknod(code, trap->number == SYS_mknodat ? 3 : 2, trap->refusal);
		break;
	case TRAP_REFUSE_MOUNTS:
		emit_setns(code, trap->refusal);
		break;
	}
}

/*
 * Calls with the numbers of another architecture (int 0x80, x32) would pass by all traps: none is
 * let through. The supervisor refuses those of 32-bit programs, and says why: they can say nothing
 * themselves, but may end.
 */
static void emit_architecture(GArray *code)
{
	load(code, offsetof(struct seccomp_data, arch));
	equals(code, SECCOMP_FILTER_ARCH, 5, 0);
	load(code, offsetof(struct seccomp_data, nr));
	equals(code, EXIT_32BIT, 2, 0);
	equals(code, EXIT_GROUP_32BIT, 1, 0);
	end(code, SECCOMP_RET_USER_NOTIF);
	end(code, SECCOMP_RET_ALLOW);
	load(code, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	at_least(code, X32_NUMBERS, 0, 2);
	equals(code, UINT32_MAX, 1, 0);
	end(code, refused(ENOSYS));
#endif
}

struct seccomp_filter *seccomp_filter_new(const struct trap_table *table, int first_number)
{
	struct seccomp_filter *filter = g_new0(struct seccomp_filter, 1);
	g_autoptr(GArray) body = g_array_new(false, false, sizeof(struct sock_filter));

	filter->code = g_array_new(false, false, sizeof(struct sock_filter));
	emit_architecture(filter->code);
	/*
	 * One comparison for each: calls that no trap is about do not run it at all, since Linux
	 * 5.11 keeps a list of the numbers that are always allowed.
	 */
	for (size_t i = 0; i < table->count; i++) {
		g_array_set_size(body, 0);
		emit_trap(body, &table->traps[i], (uint32_t)first_number);
		equals(filter->code, (uint32_t)table->traps[i].number, 0, body->len);
		g_array_append_vals(filter->code, body->data, body->len);
	}
	end(filter->code, SECCOMP_RET_ALLOW);
	g_assert(filter->code->len <= BPF_MAXINSNS);
	return filter;
}

void seccomp_filter_free(struct seccomp_filter *filter)
{
	if (!filter)
		return;
	g_array_unref(filter->code);
	g_free(filter);
}

void seccomp_filter_keep_rights(struct seccomp_filter *filter)
{
	filter->keeps_rights = true;
}

void seccomp_filter_wait_interruptibly(struct seccomp_filter *filter)
{
	filter->waits_interruptibly = true;
}

/* ---- in the child, by system calls alone ---- */

/* The listener, or -errno. */
static int load_program(const struct seccomp_filter *filter, bool waits_killable)
{
	struct sock_fprog program = {
		.len = (unsigned short)filter->code->len,
		.filter = (struct sock_filter *)(void *)filter->code->data,
	};
	unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	long ret;

	if (waits_killable)
		flags |= SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
	ret = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	return ret < 0 ? -errno : (int)ret;
}

static int install(const struct seccomp_filter *filter, bool *ret_waits_killable)
{
	int fd;

	if (SECCOMP_FILTER_ARCH == 0)
		return -ENOSYS;
	if (!filter->keeps_rights && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	*ret_waits_killable = !filter->waits_interruptibly;
	fd = load_program(filter, *ret_waits_killable);
	if (fd != -EINVAL || !*ret_waits_killable)
		return fd;
	*ret_waits_killable = false;
	return load_program(filter, false);
}

static int send_report(int socket, const struct report *report, int fd)
{
	char control[CMSG_SPACE(sizeof(fd))] = "";
	struct iovec piece = { (void *)report, sizeof(*report) };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1 };
	struct cmsghdr *header;

	if (fd >= 0) {
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int seccomp_filter_install(const struct seccomp_filter *filter, int socket)
{
	struct report report = { 0 };
	int fd = install(filter, &report.waits_killable);
	int ret;

	report.err = fd < 0 ? fd : 0;
	ret = send_report(socket, &report, fd);
	if (fd < 0)
		return fd;
	close(fd);
	return ret;
}

/* ---- in the parent ---- */

int seccomp_filter_receive(int socket, bool *ret_waits_killable)
{
	struct report report = { 0 };
	char control[CMSG_SPACE(sizeof(int))];
	struct iovec piece = { &report, sizeof(report) };
	struct msghdr message = {
		.msg_iov = &piece, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	const struct cmsghdr *header;
	ssize_t size;
	int fd;

	do {
		size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	} while (size < 0 && errno == EINTR);
	if (size < 0)
		return -errno;
	if (size != sizeof(report))
		return -EPIPE;
	if (report.err < 0)
		return report.err;
	header = CMSG_FIRSTHDR(&message);
	/* Without a descriptor the table of this process was full. */
	if (!header || header->cmsg_type != SCM_RIGHTS)
		return -EMFILE;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	*ret_waits_killable = report.waits_killable;
	return fd;
}
