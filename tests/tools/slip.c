/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tries to slip past "umadrig exec" to a real device:
 *
 * 	slip WAY [PATH]
 *
 * A stand-in for a real device has the text "real" in it. Prints "real" if that was reached,
 * "simulated" for a device of the fabric, or the error. For writing, any other file is "real".
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DEVICE "/dev/infiniband/umad0"

enum { UMAD_MAJOR = 231 };

/* What a way opens: a descriptor, or -1 with errno. */
typedef int way_fn(const char *path);

static int by_path(const char *path)
{
	return open(path, O_RDONLY | O_NONBLOCK);
}

static int by_creat(const char *path)
{
	(void)path;
#ifdef SYS_creat
	return (int)syscall(SYS_creat, DEVICE, 0600);
#else
	return open(DEVICE, O_WRONLY | O_CREAT | O_TRUNC, 0600);
#endif
}

/* A call with the numbers of a 32-bit program, whose pointers are 32 bits wide. */
static int by_32bit(const char *path)
{
#ifdef __x86_64__
	static char name[] = DEVICE;
	char *low = (char *)0x10000000;
	long ret;

	(void)path;
	if (syscall(SYS_mmap, low, 4096, 3 /* read, write */, 0x32 /* private, fixed */, -1, 0) < 0)
		return -1;
	memcpy(low, name, sizeof(name));
	__asm__ volatile ("int $0x80" : "=a" (ret) :
			  "a" (5L /* open */), "b" (low), "c" ((long)(O_RDONLY | O_NONBLOCK)) :
			  "memory");
	if (ret >= 0)
		return (int)ret;
	errno = (int)-ret;
	return -1;
#else
	(void)path;
	errno = ENOSYS;
	return -1;
#endif
}

static int by_x32(const char *path)
{
	(void)path;
	return (int)syscall(0x40000000 + SYS_openat, AT_FDCWD, DEVICE, O_RDONLY | O_NONBLOCK);
}

static int by_ring(const char *path)
{
	char parameters[120] = "";

	(void)path;
	return (int)syscall(SYS_io_uring_setup, 4, parameters);
}

static int by_netlink(const char *path)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_RDMA), protocol = NETLINK_RDMA;
	socklen_t size = sizeof(protocol);

	(void)path;
	if (fd < 0)
		return fd;
	getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size);
	close(fd);
	if (protocol == NETLINK_RDMA)
		return open("/dev/null", O_WRONLY);
	errno = EXDEV;		/* it is not the kernel who would answer there */
	return -1;
}

/* Through a directory at a low number. */
static int by_directory(const char *path)
{
	int directory = open("/dev", O_RDONLY | O_DIRECTORY);

	(void)path;
	if (directory < 0 || dup2(directory, 5) < 0)
		return -1;
	return openat(5, "infiniband/umad0", O_RDONLY | O_NONBLOCK);
}

static int by_working_directory(const char *path)
{
	(void)path;
	return chdir("/dev/infiniband") < 0 ? -1 : open("umad0", O_RDONLY | O_NONBLOCK);
}

static int by_chroot(const char *path)
{
	(void)path;
	return chroot("/dev") < 0 ? -1 : open("/infiniband/umad0", O_RDONLY | O_NONBLOCK);
}

static int by_node(const char *path)
{
	if (mknod(path, S_IFCHR | 0600, makedev(UMAD_MAJOR, 0)) < 0)
		return -1;
	return open(path, O_RDONLY | O_NONBLOCK);
}

static int by_handle(const char *path)
{
	struct {
		struct file_handle handle;
		unsigned char bytes[128];
	} name = { .handle.handle_bytes = sizeof(name.bytes) };
	int mount_id, directory = open("/dev", O_RDONLY | O_DIRECTORY);

	/* The name of any file will do: the call itself is the way. */
	if (directory < 0 || name_to_handle_at(AT_FDCWD, path, &name.handle, &mount_id, 0) < 0)
		return -1;
	return open_by_handle_at(directory, &name.handle, O_RDONLY | O_NONBLOCK);
}

/* Takes off what hides the devices. */
static int by_unmounting(const char *path)
{
	(void)path;
	if (umount2("/dev/infiniband", MNT_DETACH) < 0)
		return -1;
	return open("/proc/self/root" DEVICE, O_RDONLY | O_NONBLOCK);
}

/* As before, with the rights of a user namespace. */
static int by_new_namespace(const char *path)
{
	return unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 ? -1 : by_unmounting(path);
}

/* 'path': a mount namespace where the devices are in sight. */
static int by_entering_namespace(const char *path)
{
	int namespace = open(path, O_RDONLY);

	if (namespace < 0 || setns(namespace, 0) < 0)
		return -1;
	return open("/proc/self/root" DEVICE, O_RDONLY | O_NONBLOCK);
}

static const struct {
	const char *name;
	way_fn *open;
} ways[] = {
	{ "path", by_path },
	{ "write", by_creat },
	{ "32-bit", by_32bit },
	{ "x32", by_x32 },
	{ "ring", by_ring },
	{ "netlink", by_netlink },
	{ "directory", by_directory },
	{ "working-directory", by_working_directory },
	{ "chroot", by_chroot },
	{ "node", by_node },
	{ "handle", by_handle },
	{ "unmount", by_unmounting },
	{ "new-namespace", by_new_namespace },
	{ "enter-namespace", by_entering_namespace },
};

static const char *verdict(int fd)
{
	static char text[5];
	struct stat st;

	if (fd < 0)
		return strerrorname_np(errno);
	if (fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && major(st.st_rdev) == UMAD_MAJOR)
		return "simulated";
	if (fcntl(fd, F_GETFL) & O_WRONLY)
		return "real";
	return read(fd, text, 4) == 4 && strcmp(text, "real") == 0 ? text : "another file";
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc >= 2 && i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(argv[1], ways[i].name) == 0) {
			puts(verdict(ways[i].open(argc > 2 ? argv[2] : DEVICE)));
			return 0;
		}
	}
	fprintf(stderr, "slip: no such way\n");
	return 99;
}
