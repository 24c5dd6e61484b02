/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * device-calls: the calls of a umad device with their errors, by a program without any library. It
 * prints a line "ok NAME" or "not ok NAME: RESULT" for each; tests/harness/filter-calls.sh builds
 * it statically. "device-calls removal" says "ready", and waits until its device is removed.
 *
 * The device is umad0 of a host with LID 1 whose neighbour has LID 2.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/umad-command.h"

enum { HEADER = 64, OLD_HEADER = 56, MAD = 256, CLASS = 0x0b, NOBODY = 77, NEIGHBOUR = 2 };

static const char device[] = "/dev/infiniband/umad0";
static uint8_t umad[2048];
static void *volatile nowhere = (void *)8;

/* 'result' is that of the call just made, 'err' its errno where it is -1. */
static void is(const char *name, long result, long expected, int err)
{
	int got = result == -1 ? errno : 0;

	if (result == expected && (result != -1 || got == err))
		printf("ok %s\n", name);
	else
		printf("not ok %s: %ld (%s)\n", name, result, strerror(got));
	fflush(stdout);
}

/* REGISTER_AGENT2 for 'mgmt_class'; its flags come back in '*flags'. */
static int add_agent2(int fd, uint8_t mgmt_class, uint32_t *flags)
{
	struct ib_user_mad_reg_req2 request = {
		.qpn = 1, .mgmt_class = mgmt_class, .mgmt_class_version = 1, .flags = *flags,
	};
	int ret = ioctl(fd, UMAD_COMMAND_REGISTER_AGENT2, &request);

	*flags = request.flags;
	return ret;
}

static int add_agent(int fd, uint8_t mgmt_class)
{
	struct ib_user_mad_reg_req request = {
		.qpn = 1, .mgmt_class = mgmt_class, .mgmt_class_version = 1,
	};

	return ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, &request);
}

static void fill(size_t header, uint32_t id, uint8_t tid, uint8_t lid, uint32_t timeout_ms)
{
	memset(umad, 0, sizeof(umad));
	memcpy(umad, &id, sizeof(id));
	memcpy(umad + 8, &timeout_ms, sizeof(timeout_ms));
	umad[23] = 1;			/* QP */
	umad[24] = 0x80, umad[25] = 1;	/* Q_Key */
	umad[29] = lid;
	umad[header] = 1;
	umad[header + 1] = CLASS;
	umad[header + 2] = 1;
	umad[header + 3] = 1;		/* Get */
	umad[header + 15] = tid;
	umad[header + 17] = 1;
}

static void check_ioctls(void)
{
	int fd = open(device, O_RDWR);
	uint32_t flags = 6, id = 0;

	is("open", fd >= 0, 1, 0);
	is("ENABLE_PKEY", ioctl(fd, UMAD_COMMAND_ENABLE_PKEY), 0, 0);
	is("flags that are not known", add_agent2(fd, CLASS, &flags), -1, EINVAL);
	is("those that are", flags, 1, 0);
	is("a class that is not there", add_agent(fd, 0x50), -1, EINVAL);
	is("REGISTER_AGENT of nothing", ioctl(fd, UMAD_COMMAND_REGISTER_AGENT, nowhere), -1,
	   EFAULT);
	is("UNREGISTER_AGENT of nothing", ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, nowhere), -1,
	   EFAULT);
	is("UNREGISTER_AGENT of none", ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, &id), -1, EINVAL);
	is("another command", ioctl(fd, 0x1b05, &id), -1, ENOTTY);
	is("REGISTER_AGENT", add_agent(fd, CLASS), 0, 0);
	is("ENABLE_PKEY after use", ioctl(fd, UMAD_COMMAND_ENABLE_PKEY), -1, EINVAL);
	is("UNREGISTER_AGENT", ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, &id), 0, 0);
	is("close", close(fd), 0, 0);
	is("a call on what is closed", ioctl(fd, UMAD_COMMAND_ENABLE_PKEY), -1, EBADF);
}

static void check_writes(void)
{
	int fd = open(device, O_RDWR);
	uint32_t flags = 0;

	is("REGISTER_AGENT2", add_agent2(fd, CLASS, &flags), 0, 0);
	fill(HEADER, 0, 1, NOBODY, 60000);
	is("write", write(fd, umad, HEADER + MAD), HEADER + MAD, 0);
	is("the same while it is out", write(fd, umad, HEADER + MAD), -1, EINVAL);
	is("too little", write(fd, umad, HEADER + 35), -1, EINVAL);
	is("too much", write(fd, umad, HEADER + MAD + 1), -1, EINVAL);
	is("from nowhere", write(fd, nowhere, HEADER + MAD), -1, EFAULT);
	fill(HEADER, 5, 2, NOBODY, 60000);
	is("agent 5", write(fd, umad, HEADER + MAD), -1, EIO);
	fill(HEADER, 32, 2, NOBODY, 60000);
	is("agent 32", write(fd, umad, HEADER + MAD), -1, EINVAL);
	close(fd);
	fd = open(device, O_RDONLY);
	is("write without the right", write(fd, umad, HEADER + MAD), -1, EBADF);
	close(fd);
}

static void check_reads(size_t header)
{
	int fd = open(device, O_RDWR | O_NONBLOCK);
	struct pollfd pfd = { .fd = fd, .events = POLLIN | POLLOUT };
	uint32_t flags = 0;

	is("an agent", header == HEADER ? add_agent2(fd, CLASS, &flags) : add_agent(fd, CLASS), 0,
	   0);
	is("less than a header", read(fd, umad, header - 1), -1, EINVAL);
	is("nothing is there", read(fd, umad, sizeof(umad)), -1, EAGAIN);
	is("poll", poll(&pfd, 1, 0), 1, 0);
	is("what it finds", pfd.revents, POLLOUT, 0);
	fill(header, 0, 3, NEIGHBOUR, 20000);
	is("write", write(fd, umad, header + MAD), (long)header + MAD, 0);
	pfd.events = POLLIN;
	is("poll until it comes", poll(&pfd, 1, 20000), 1, 0);
	is("too little room", read(fd, umad, header + MAD - 1), -1, EINVAL);
	is("into nowhere", read(fd, nowhere, header + MAD), -1, EFAULT);
	is("too little from nowhere", write(fd, nowhere, header + 35), -1, EINVAL);
	is("an answer", read(fd, umad, sizeof(umad)), (long)header + MAD, 0);
	is("of the request", umad[header + 15], 3, 0);
	fill(header, 0, 4, NOBODY, 1);
	is("write", write(fd, umad, header + MAD), (long)header + MAD, 0);
	is("poll until it has timed out", poll(&pfd, 1, 20000), 1, 0);
	is("too little room for a report", read(fd, umad, header + 23), -1, EINVAL);
	is("a report", read(fd, umad, header + 24), (long)header + 24, 0);
	is("its status", umad[4], ETIMEDOUT, 0);
	close(fd);
}

static void check_file(void)
{
	int fd = open(device, O_RDWR | O_CLOEXEC), copy = dup(fd);
	struct stat status;

	is("fstat", fstat(fd, &status), 0, 0);
	is("a device", S_ISCHR(status.st_mode), 1, 0);
	is("its number", status.st_rdev == makedev(231, 0), 1, 0);
	is("close-on-exec", fcntl(fd, F_GETFD), FD_CLOEXEC, 0);
	is("lseek", lseek(fd, 0, SEEK_SET), -1, ESPIPE);
	is("pread", pread(fd, umad, sizeof(umad), 0), -1, ESPIPE);
	is("a copy's close-on-exec", fcntl(copy, F_GETFD), 0, 0);
	is("an agent by the copy", add_agent(copy, CLASS), 0, 0);
	is("close", close(fd), 0, 0);
	fill(OLD_HEADER, 0, 5, NEIGHBOUR, 20000);
	is("write by the copy", write(copy, umad, OLD_HEADER + MAD), OLD_HEADER + MAD, 0);
	is("read by the copy", read(copy, umad, sizeof(umad)), OLD_HEADER + MAD, 0);
	close(copy);
	is("a device that is not there", open("/dev/infiniband/umad9", O_RDWR), -1, ENOENT);
}

/* Its descriptor is no socket, whatever stands for it. */
static void check_no_socket(void)
{
	int fd = open(device, O_RDWR), pipe_fds[2], zero = open("/dev/zero", O_RDONLY), size = 0;
	socklen_t length = sizeof(size);
	struct statfs status;
	off_t offset = 0;
	uint32_t flags = 0;

	is("an agent", add_agent2(fd, CLASS, &flags), 0, 0);
	is("getsockopt", getsockopt(fd, SOL_SOCKET, SO_TYPE, &size, &length), -1, ENOTSOCK);
	is("getsockopt of a timeout", getsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &size, &length), -1,
	   ENOTSOCK);
	is("setsockopt", setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, length), -1, ENOTSOCK);
	is("getpeername", getpeername(fd, (struct sockaddr *)umad, &length), -1, ENOTSOCK);
	is("send", send(fd, umad, HEADER + MAD, 0), -1, ENOTSOCK);
	is("recv", recv(fd, umad, sizeof(umad), MSG_DONTWAIT), -1, ENOTSOCK);
	is("shutdown", shutdown(fd, SHUT_RDWR), -1, ENOTSOCK);
	is("sendfile to it", sendfile(fd, zero, NULL, HEADER + MAD), -1, EINVAL);
	is("sendfile from it", sendfile(1, fd, NULL, HEADER + MAD), -1, EINVAL);
	is("sendfile from a place", sendfile(1, fd, &offset, HEADER + MAD), -1, ESPIPE);
	is("a pipe", pipe(pipe_fds), 0, 0);
	is("splice", splice(fd, NULL, pipe_fds[1], NULL, MAD, SPLICE_F_NONBLOCK), -1, EINVAL);
	is("fstatfs", fstatfs(fd, &status), 0, 0);
	is("on a file system of devices", status.f_type, TMPFS_MAGIC, 0);
	fill(HEADER, 0, 7, NEIGHBOUR, 20000);
	is("write after shutdown", write(fd, umad, HEADER + MAD), HEADER + MAD, 0);
	is("read after shutdown", read(fd, umad, sizeof(umad)), HEADER + MAD, 0);
	close(fd);
}

static void wait_for_removal(void)
{
	int fd = open(device, O_RDWR);
	struct pollfd pfd = { .fd = fd };
	uint32_t flags = 0;

	is("an agent", add_agent2(fd, CLASS, &flags), 0, 0);
	printf("ready\n");
	fflush(stdout);
	is("poll until the device is removed", poll(&pfd, 1, 60000), 1, 0);
	is("an error", pfd.revents & POLLERR, POLLERR, 0);
	is("read", read(fd, umad, sizeof(umad)), -1, EIO);
	fill(HEADER, 0, 6, NEIGHBOUR, 20000);
	is("write", write(fd, umad, HEADER + MAD), -1, EIO);
	is("REGISTER_AGENT2", add_agent2(fd, CLASS, &flags), -1, EPIPE);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "removal") == 0) {
		wait_for_removal();
		return 0;
	}
	check_ioctls();
	check_writes();
	check_reads(HEADER);
	check_reads(OLD_HEADER);
	check_file();
	check_no_socket();
	return 0;
}
