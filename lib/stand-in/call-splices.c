/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-splices.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/call-splices.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"

/* Both descriptors of a call. */
struct ends {
	struct foreign_descriptor in, out;
};

static void get_ends(struct ends *ret, unsigned int in, unsigned int out)
{
	foreign_descriptor_get((int)foreign_argument(in), &ret->in);
	foreign_descriptor_get((int)foreign_argument(out), &ret->out);
}

static void put_ends(struct ends *ends)
{
	foreign_descriptor_put(&ends->in);
	foreign_descriptor_put(&ends->out);
}

/* This process's own of a umad file refuses them, as a device does. */
static int number_of(const struct foreign_descriptor *descriptor)
{
	return descriptor->umad >= 0 ? descriptor->umad : descriptor->fd;
}

/* Where in a file, as the program has it. False: that cannot be read. */
static bool get_offset(uint64_t at, off64_t *buf, off64_t **ret)
{
	*ret = at ? buf : NULL;
	return !at || foreign_memory_get(at, buf, sizeof(*buf)) == 0;
}

static bool put_offset(uint64_t at, const off64_t *offset)
{
	return !at || foreign_memory_put(at, offset, sizeof(*offset)) == 0;
}

/* What went: looks in vain before are no row any more. */
static void note(ssize_t n)
{
	if (n > 0)
		umadrig_session_transfers();
}

/* (SIGPIPE comes to this thread, which passes it on.) */
long call_splices_sendfile(void)
{
	uint64_t at = foreign_argument(2);
	off64_t buf = 0, *offset;
	struct ends ends;
	ssize_t n;

	if (!get_offset(at, &buf, &offset))
		return -EFAULT;
	get_ends(&ends, 1, 0);
	n = sendfile64(number_of(&ends.out), number_of(&ends.in), offset,
		       (size_t)foreign_argument(3));
	put_ends(&ends);
	note(n);
	return put_offset(at, &buf) ? foreign_call_restarting(n) : -EFAULT;
}

long call_splices_splice(void)
{
	uint64_t in_at = foreign_argument(1), out_at = foreign_argument(3);
	off64_t in_buf, out_buf, *in_offset, *out_offset;
	struct ends ends;
	ssize_t n;

	if (!get_offset(in_at, &in_buf, &in_offset) || !get_offset(out_at, &out_buf, &out_offset))
		return -EFAULT;
	get_ends(&ends, 0, 2);
	n = splice(number_of(&ends.in), in_offset, number_of(&ends.out), out_offset,
		   (size_t)foreign_argument(4), (unsigned int)foreign_argument(5));
	put_ends(&ends);
	note(n);
	if (n >= 0 && !(put_offset(in_at, &in_buf) && put_offset(out_at, &out_buf)))
		return -EFAULT;
	return foreign_call_restarting(n);
}

long call_splices_tee(void)
{
	struct ends ends;
	ssize_t n;

	get_ends(&ends, 0, 1);
	n = tee(number_of(&ends.in), number_of(&ends.out), (size_t)foreign_argument(2),
		(unsigned int)foreign_argument(3));
	put_ends(&ends);
	note(n);
	return foreign_call_restarting(n);
}

/*
 * The memory is the foreign program's, so the kernel makes the call. It waits for its first byte,
 * or for room for that, and for nothing else.
 */
long call_splices_vmsplice(void)
{
	struct foreign_descriptor pipe;
	struct pollfd at = { .events = POLLIN };
	int ret = 0;

	foreign_descriptor_get((int)foreign_argument(0), &pipe);
	at.fd = pipe.fd;
	if (pipe.fd >= 0 && (fcntl(pipe.fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
		at.events = POLLOUT;
	if (pipe.is_stream && !pipe.is_socket && foreign_argument(2) > 0 &&
	    !(foreign_argument(3) & SPLICE_F_NONBLOCK))
		ret = poll(&at, 1, -1);
	foreign_descriptor_put(&pipe);
	note(ret);
	return ret < 0 && errno == EINTR ? CALL_RESTARTS : CALL_GOES_ON;
}
