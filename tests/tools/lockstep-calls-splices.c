/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What waits beside sockets and pipes: data between descriptors, message queues. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

/* More than a pipe takes. */
static char bytes[200000];

bool row_sendfile(void)
{
	char path[] = "/tmp/lockstep-calls.XXXXXX";
	int64_t from = now();
	int ends[2], fd = mkstemp(path);
	off_t offset = 0;
	pid_t pid;

	if (fd < 0 || unlink(path) < 0 || write(fd, bytes, sizeof(bytes)) != sizeof(bytes) ||
	    pipe(ends) < 0)
		return false;
	pid = reads_late(ends);
	if (sendfile(ends[1], fd, &offset, 2 * sizeof(bytes)) != sizeof(bytes) ||
	    offset != sizeof(bytes) || !passed(from, 2 * S))
		return false;
	close(fd);
	close(ends[1]);
	return reap(pid);
}

static void close_four(const int one[2], const int other[2])
{
	close(one[0]);
	close(one[1]);
	close(other[0]);
	close(other[1]);
}

/* A byte that comes into one pipe in two seconds is moved into another. */
static bool between_pipes(bool (*move)(int from, int to))
{
	int64_t from = now();
	int one[2], other[2];
	pid_t pid;
	bool ok;

	if (pipe(one) < 0 || pipe(other) < 0)
		return false;
	pid = in_two_seconds(write_byte, one[1]);
	ok = move(one[0], other[1]) && byte_comes(other[0], from, 2 * S) && reap(pid);
	close_four(one, other);
	return ok;
}

static bool by_splice(int from, int to)
{
	return splice(from, NULL, to, NULL, 10, SPLICE_F_NONBLOCK) == -1 && errno == EAGAIN &&
	       splice(from, NULL, to, NULL, 10, 0) == 1;
}

bool row_splice(void)
{
	return between_pipes(by_splice);
}

/* It stays in the first one as well. */
static bool by_tee(int from, int to)
{
	char byte;

	return tee(from, to, 10, 0) == 1 && read(from, &byte, 1) == 1;
}

bool row_tee(void)
{
	return between_pipes(by_tee);
}

bool row_vmsplice(void)
{
	const struct iovec part = { bytes, sizeof(bytes) };
	int64_t from = now();
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return false;
	pid = reads_late(ends);
	/* The first fills it. */
	if (vmsplice(ends[1], &part, 1, 0) <= 0 || !passed(from, 0) ||
	    vmsplice(ends[1], &part, 1, 0) <= 0 || !passed(from, 2 * S))
		return false;
	close(ends[1]);
	return reap(pid);
}

/* A queue for one message. */
static mqd_t make_queue(void)
{
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = 8 };
	char name[32];
	mqd_t ret;

	snprintf(name, sizeof(name), "/lockstep-calls-%d", (int)now());
	ret = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attr);
	if (ret >= 0)
		mq_unlink(name);
	else
		printf("# no message queues here\n");
	return ret;
}

static void send_message(int queue)
{
	if (mq_send(queue, "hello", 5, 3) < 0)
		_exit(1);
}

bool row_mq_timedreceive(void)
{
	int64_t from = now();
	struct timespec soon = in(CLOCK_REALTIME, S), wrong = { 0, S };
	mqd_t queue = make_queue();
	unsigned int priority = 0;
	char text[8];
	pid_t pid;

	if (queue < 0)
		return errno == ENOSYS;
	if (mq_timedreceive(queue, text, sizeof(text), NULL, &wrong) != -1 || errno != EINVAL ||
	    mq_timedreceive(queue, text, sizeof(text), NULL, &soon) != -1 ||
	    errno != ETIMEDOUT || !passed(from, S))
		return false;
	pid = in_two_seconds(send_message, queue);
	return mq_receive(queue, text, sizeof(text), &priority) == 5 && priority == 3 &&
	       passed(from, 3 * S) && reap(pid) && mq_close(queue) == 0;
}

static void receive_message(int queue)
{
	char text[8];

	if (mq_receive(queue, text, sizeof(text), NULL) != 5)
		_exit(1);
}

bool row_mq_timedsend(void)
{
	int64_t from = now();
	struct timespec soon = in(CLOCK_REALTIME, S);
	mqd_t queue = make_queue();
	pid_t pid;

	if (queue < 0)
		return errno == ENOSYS;
	send_message(queue);
	if (!passed(from, 0) || mq_timedsend(queue, "hello", 5, 3, &soon) != -1 ||
	    errno != ETIMEDOUT || !passed(from, S))
		return false;
	pid = in_two_seconds(receive_message, queue);
	return mq_send(queue, "hello", 5, 3) == 0 && passed(from, 3 * S) && reap(pid) &&
	       mq_close(queue) == 0;
}
