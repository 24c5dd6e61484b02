/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/trap-table.h"

#include <errno.h>
#include <sys/syscall.h>

#include "harness/filter/file-call.h"
#include "harness/filter/kmsg-file.h"
#include "harness/filter/mount-call.h"
#include "harness/filter/netlink-call.h"
#include "harness/filter/path-call.h"

/* Each call has one row; data/calls.toml says why. */
static const struct trap traps[] = {
	/* BEGIN TABLE trapped calls */
	{ SYS_openat, TRAP_HIGH, .handle = path_on_openat },
	{ SYS_newfstatat, TRAP_HIGH, .handle = path_on_newfstatat },
	{ SYS_read, TRAP_HIGH, .handle = file_on_read },
	{ SYS_write, TRAP_HIGH, .handle = file_on_write },
	{ SYS_ioctl, TRAP_UMAD_COMMAND, .handle = file_on_ioctl },
	{ SYS_fcntl, TRAP_HIGH_DUP, .handle = file_on_fcntl },
	{ SYS_dup, TRAP_HIGH, .handle = file_on_dup },
	{ SYS_readv, TRAP_HIGH, .handle = file_on_readv },
	{ SYS_writev, TRAP_HIGH, .handle = file_on_writev },
	{ SYS_fstat, TRAP_HIGH, .handle = path_on_fstat },
	{ SYS_statx, TRAP_HIGH, .handle = path_on_statx },
	{ SYS_readlinkat, TRAP_HIGH, .handle = path_on_readlinkat },
	{ SYS_faccessat, TRAP_HIGH, .handle = path_on_faccessat },
	{ SYS_faccessat2, TRAP_HIGH, .handle = path_on_faccessat },
	{ SYS_openat2, TRAP_HIGH, .handle = path_on_openat2 },
#ifdef __x86_64__
	{ SYS_open, TRAP_ALWAYS, .handle = path_on_open },
	{ SYS_creat, TRAP_ALWAYS, .handle = path_on_creat },
	{ SYS_stat, TRAP_ALWAYS, .handle = path_on_stat },
	{ SYS_lstat, TRAP_ALWAYS, .handle = path_on_lstat },
	{ SYS_access, TRAP_ALWAYS, .handle = path_on_access },
	{ SYS_readlink, TRAP_ALWAYS, .handle = path_on_readlink },
#endif
	{ SYS_getcwd, TRAP_ALWAYS, .handle = path_on_getcwd },
	{ SYS_chdir, TRAP_ALWAYS, .handle = path_on_chdir },
	{ SYS_getxattr, TRAP_ALWAYS, .handle = path_on_xattr_none },
	{ SYS_lgetxattr, TRAP_ALWAYS, .handle = path_on_xattr_none },
	{ SYS_listxattr, TRAP_ALWAYS, .handle = path_on_xattr_empty },
	{ SYS_llistxattr, TRAP_ALWAYS, .handle = path_on_xattr_empty },
	{ SYS_statfs, TRAP_ALWAYS, .handle = path_on_statfs },
	{ SYS_inotify_add_watch, TRAP_ALWAYS, .handle = path_on_inotify_add_watch },
	{ SYS_getsockopt, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_setsockopt, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_getsockname, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_getpeername, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_sendto, TRAP_HIGH, .handle = file_on_sendto },
	{ SYS_sendmsg, TRAP_HIGH, .handle = file_on_sendmsg },
	{ SYS_sendmmsg, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_recvfrom, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_recvmsg, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_recvmmsg, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_shutdown, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_bind, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_listen, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_connect, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_accept, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_accept4, TRAP_HIGH, .handle = file_on_socket_call },
	{ SYS_sendfile, TRAP_HIGH_OR_SECOND, .handle = file_on_sendfile },
	{ SYS_splice, TRAP_HIGH_OR_THIRD, .handle = file_on_splice },
	{ SYS_fstatfs, TRAP_HIGH, .handle = path_on_fstatfs },
	{ SYS_syslog, TRAP_ALWAYS, .handle = kmsg_on_syslog },
	{ SYS_lseek, TRAP_HIGH, .handle = kmsg_on_lseek },
	{ SYS_umount2, TRAP_ALWAYS, .handle = mount_on_umount },
	{ SYS_socket, TRAP_NETLINK, .handle = netlink_on_socket },
	{ SYS_io_uring_setup, TRAP_REFUSE, .refusal = ENOSYS },
	{ SYS_io_uring_enter, TRAP_REFUSE, .refusal = ENOSYS },
	{ SYS_io_uring_register, TRAP_REFUSE, .refusal = ENOSYS },
	{ SYS_open_by_handle_at, TRAP_REFUSE, .refusal = EPERM },
#ifdef __x86_64__
	{ SYS_mknod, TRAP_REFUSE_NODE, .refusal = EPERM },
#endif
	{ SYS_mknodat, TRAP_REFUSE_NODE, .refusal = EPERM },
	{ SYS_setns, TRAP_REFUSE_MOUNTS, .refusal = EPERM },
	/* END TABLE */
};

const struct trap_table trap_table = { traps, sizeof(traps) / sizeof(*traps) };
