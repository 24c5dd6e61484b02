/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The end of a connection of TCP: see lib/lockstep/tcp-end.h. */
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-end.h"
#include "lib/lockstep/tcp-peer.h"

enum { SETTLE_MS = 500 };	/* longer than the kernel puts a packet off */

static const struct timespec settle_pause = { .tv_nsec = 1000000 };

static void settle(const struct tcp_ends *ends)
{
	for (int i = 0; i < SETTLE_MS && !tcp_peer_knows_end(ends); i++)
		CALL_2(SYS_nanosleep, &settle_pause, NULL);
}

static bool get_ends(int fd, struct tcp_ends *ret)
{
	return session_is_on() && lockstep->has_tcp && tcp_is(fd) && tcp_peer_ends(fd, ret);
}

/* Another descriptor may have the connection, which goes on then. */
static int hooked_close(int fd)
{
	/* Not on the stack: programs send what is left there. */
	static SESSION_THREAD struct tcp_ends ends;
	bool is_connection = get_ends(fd, &ends);
	long r;

	pthread_testcancel();
	r = CALL_1(SYS_close, fd);
	if (is_connection && r == 0)
		settle(&ends);
	return (int)call_result(r);
}

static int hooked_shutdown(int fd, int how)
{
	static SESSION_THREAD struct tcp_ends ends;
	long r = CALL_2(SYS_shutdown, fd, how);

	if (r == 0 && how != SHUT_RD && get_ends(fd, &ends))
		settle(&ends);
	return (int)call_result(r);
}

void tcp_end_settle_death(void)
{
	for (int i = 0; i < SETTLE_MS && lockstep->has_tcp && tcp_peer_any_end_is_open(); i++)
		CALL_2(SYS_nanosleep, &settle_pause, NULL);
}

const struct hook tcp_end_hooks[] = {
	{ "close", hooked_close },
	{ "shutdown", hooked_shutdown },
	{ NULL, NULL },
};
