/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The end of a connection of TCP: see lib/lockstep/tcp-end.h. */
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-end.h"
#include "lib/lockstep/tcp-peer.h"

/* Somebody beyond the session may hold the end of a connection up for good. */
enum { IN_VAIN_MAX = 10 };

static void settle(bool (*is_settled)(const struct tcp_ends *), const struct tcp_ends *ends)
{
	int try = 0;

	while (lockstep->tcp_in_vain < IN_VAIN_MAX && !is_settled(ends)) {
		if (!tcp_peer_pause(try++))
			lockstep->tcp_in_vain++;
	}
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
		settle(tcp_peer_knows_end, &ends);
	return (int)call_result(r);
}

static int hooked_shutdown(int fd, int how)
{
	static SESSION_THREAD struct tcp_ends ends;
	long r = CALL_2(SYS_shutdown, fd, how);

	if (r == 0 && how != SHUT_RD && get_ends(fd, &ends))
		settle(tcp_peer_knows_end, &ends);
	return (int)call_result(r);
}

static bool are_all_known(const struct tcp_ends *none)
{
	(void)none;
	return !tcp_peer_any_end_is_open();
}

void tcp_end_settle_death(void)
{
	if (lockstep->has_tcp)
		settle(are_all_known, NULL);
}

const struct hook tcp_end_hooks[] = {
	{ "close", hooked_close },
	{ "shutdown", hooked_shutdown },
	{ NULL, NULL },
};
