/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The token of a handle: see lib/base/handle-token.h. */
#include <errno.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/base/handle-token.h"

/* The kernel keeps seconds in jiffies, as a long: 2^52 s fit into 64 bits, 2^20 s into 32. */
enum { BITS_MOST = 52, BITS_LEAST = 20, BITS_STEP = 16 };

uint64_t handle_token(int fd)
{
	struct timeval time;
	socklen_t size = sizeof(time);

	/* The call itself: libumadraw's getsockopt() says that a handle is no socket. */
	if (syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_SNDTIMEO, &time, &size) < 0 ||
	    time.tv_sec < 0)
		return 0;
	return (uint64_t)time.tv_sec;
}

int handle_token_random(uint64_t *ret)
{
	ssize_t n;

	do
		n = getrandom(ret, sizeof(*ret), 0);
	while (n < 0 && errno == EINTR);
	return n == sizeof(*ret) ? 0 : -EIO;
}

int handle_token_set(int fd, uint64_t *ret_token)
{
	uint64_t token;

	for (int bits = BITS_MOST; bits >= BITS_LEAST; bits -= BITS_STEP) {
		struct timeval time = { .tv_sec = 0 };

		if (handle_token_random(&token) < 0)
			return -EIO;
		/* The highest bit is set: no program's own timeout is so long. */
		token = token >> (64 - bits) | UINT64_C(1) << (bits - 1);
		time.tv_sec = (time_t)token;
		if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time)) == 0 &&
		    handle_token(fd) == token) {
			*ret_token = token;
			return 0;
		}
	}
	return -EOPNOTSUPP;
}
