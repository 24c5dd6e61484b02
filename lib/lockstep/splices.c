/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * From descriptor to descriptor: see lib/lockstep/splices.h.
 *
 * How much of it can go is not for poll(2) to tell, so each is tried, with both of its descriptors
 * made not to wait meanwhile.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/file-times.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/splices.h"
#include "lib/lockstep/system-call.h"

enum { COUNT_MAX = 0x7ffff000 };	/* Linux: MAX_RW_COUNT, the most that goes by one call */

struct splice {
	long number;
	int in, out;		/* the same: there is one only */
	int flags_at;		/* which of the arguments; 0: it has no flags */
	long a[6];
};

static long make(const struct splice *splice)
{
	const long *a = splice->a;
	long n = system_call(splice->number, a[0], a[1], a[2], a[3], a[4], a[5]);

	if (n > 0)
		file_times_changed(splice->out);
	return n;
}

/* Without a wait. For some a flag of the call counts, for some those of the descriptors. */
static long try(const struct splice *splice)
{
	long in = descriptors_begin_try(splice->in), out = descriptors_begin_try(splice->out), n;
	struct splice once = *splice;

	if (splice->flags_at)
		once.a[splice->flags_at] |= SPLICE_F_NONBLOCK;
	n = make(&once);

	descriptors_end_try(splice->out, out);
	descriptors_end_try(splice->in, in);
	return n;
}

static bool waits(int fd)
{
	return descriptors_may_wait(fd) && !session_leads_out(fd);
}

/* Until something has gone, or nothing will ever. */
static long splice_some(const struct splice *splice)
{
	long n;

	if (!session_is_on() || (!waits(splice->in) && !waits(splice->out)))
		return make(splice);
	descriptors_begin_tries();
	do {
		pthread_testcancel();
		n = try(splice);
	} while (n == -EAGAIN && (n = descriptors_await_try(splice->in)) == 0);
	return n;
}

/* All of it, or up to the end of the file; less after an error or a signal. */
static ssize_t hooked_sendfile(int out, int in, off_t *offset, size_t size)
{
	struct splice splice = { SYS_sendfile, in, out, 0, { out, in, (long)offset, (long)size } };
	int64_t deadline;
	size_t done = 0;

	if (!session_is_on() || !waits(out))
		return call_result(make(&splice));
	if (size > COUNT_MAX)
		size = COUNT_MAX;
	deadline = descriptors_deadline(out, POLLOUT);
	descriptors_begin_tries();
	for (;;) {
		long n;

		pthread_testcancel();
		splice.a[3] = (long)(size - done);
		n = try(&splice);
		if (n > 0)
			done += (size_t)n;
		if (n == 0 || done == size)
			return (ssize_t)done;
		if (n > 0)
			descriptors_begin_tries();
		if (n == -EAGAIN)
			n = descriptors_await_try_until(out, deadline);
		if (n < 0)
			return done > 0 ? (ssize_t)done : call_result(n);
	}
}

static ssize_t hooked_splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size,
			     unsigned int flags)
{
	const struct splice splice = {
		SYS_splice, in, out, 5,
		{ in, (long)in_offset, out, (long)out_offset, (long)size, flags },
	};

	if (flags & SPLICE_F_NONBLOCK)
		return call_result(make(&splice));
	return call_result(splice_some(&splice));
}

static ssize_t hooked_tee(int in, int out, size_t size, unsigned int flags)
{
	const struct splice splice = { SYS_tee, in, out, 3, { in, out, (long)size, flags } };

	if (flags & SPLICE_F_NONBLOCK)
		return call_result(make(&splice));
	return call_result(splice_some(&splice));
}

static ssize_t hooked_vmsplice(int fd, const struct iovec *parts, size_t count, unsigned int flags)
{
	const struct splice splice = {
		SYS_vmsplice, fd, fd, 3, { fd, (long)parts, (long)count, flags },
	};

	if (flags & SPLICE_F_NONBLOCK)
		return call_result(make(&splice));
	return call_result(splice_some(&splice));
}

/* On 64-bit machines the first two are one function. */
const struct hook splices_hooks[] = {
	{ "sendfile", hooked_sendfile },
	{ "sendfile64", hooked_sendfile },
	{ "splice", hooked_splice },
	{ "tee", hooked_tee },
	{ "vmsplice", hooked_vmsplice },
	{ NULL, NULL },
};
