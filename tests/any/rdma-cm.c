/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program that asks /dev/infiniband/rdma_cm by system calls alone, and the errno of each.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/rdma_user_cm.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

static void say(const char *what, long ret)
{
	if (ret < 0)
		printf("%s: %s\n", what, strerrorname_np(errno));
	else
		printf("%s: %ld\n", what, ret);
}

int main(void)
{
	struct {
		struct rdma_ucm_cmd_hdr header;
		struct rdma_ucm_create_id command;
	} request = {
		.header = {
			.cmd = RDMA_USER_CM_CMD_CREATE_ID, .in = sizeof(request.command),
		},
	};
	int fd = open("/dev/infiniband/rdma_cm", O_RDWR | O_CLOEXEC);
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	struct iovec part = { &request, sizeof(request) };
	char *volatile nowhere = (char *)16;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		say("open", -1);
		return 1;
	}
	printf("%o %u:%u\n", st.st_mode, major(st.st_rdev), minor(st.st_rdev));
	say("no event", poll(&ready, 1, 0));
	say("short header", write(fd, &request, 7));
	say("nowhere", write(fd, nowhere, sizeof(request)));
	say("less than it says", write(fd, &request, sizeof(request) - 1));
	say("create", write(fd, &request, sizeof(request)));
	say("in parts", writev(fd, &part, 1));
	request.header.cmd = RDMA_USER_CM_CMD_GET_OPTION;
	say("given up", write(fd, &request, sizeof(request)));
	request.header.cmd = RDMA_USER_CM_CMD_JOIN_MCAST + 1;
	say("no command", write(fd, &request, sizeof(request)));
	request.header.cmd = RDMA_USER_CM_CMD_GET_EVENT;
	say("an event", write(fd, &request, sizeof(request)));
	say("read", read(fd, &request, sizeof(request)));
	say("ioctl", ioctl(fd, TIOCGWINSZ, &request));
	say("copy", dup(fd) >= 0 ? 0 : -1);
	close(fd);
	fd = open("/dev/infiniband/rdma_cm", O_RDONLY);
	say("open for reading", write(fd, &request, sizeof(request)));
	say("a directory", open("/dev/infiniband/rdma_cm", O_RDONLY | O_DIRECTORY));
	return 0;
}
