/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/flight.h"

#include <errno.h>
#include <limits.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RECORD_OVERHEAD = 32 };	/* the kernel's, in what it compares with the size of a buffer */

/* ---- the scale ---- */

void flight_set_room(int socket)
{
	int size = INT_MAX / 2;

	/* The kernel reduces it to net.core.wmem_max. */
	setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
}

int flight_scale_init(struct flight_scale *scale)
{
	int size = 0;
	socklen_t length = sizeof(size);

	memset(scale, 0, sizeof(*scale));
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, scale->ends) < 0) {
		int reason = errno;

		scale->ends[0] = scale->ends[1] = -1;
		return -reason;
	}
	flight_set_room(scale->ends[0]);
	if (getsockopt(scale->ends[0], SOL_SOCKET, SO_SNDBUF, &size, &length) == 0 &&
	    size > RECORD_OVERHEAD)
		scale->record_max = (size_t)size - RECORD_OVERHEAD;
	return 0;
}

void flight_scale_free(struct flight_scale *scale)
{
	for (int i = 0; i < 2; i++)
		if (scale->ends[i] >= 0)
			close(scale->ends[i]);
}

static int outstanding(int socket)
{
	int weight = 0;

	return ioctl(socket, SIOCOUTQ, &weight) < 0 ? 0 : weight;
}

static int weigh(struct flight_scale *scale, const void *bytes, size_t size)
{
	char rest;
	int weight;

	if (size <= FLIGHT_SMALL_MAX && scale->weights[size])
		return scale->weights[size];
	if (send(scale->ends[0], bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return (int)size;
	weight = outstanding(scale->ends[0]);
	while (recv(scale->ends[1], &rest, sizeof(rest), MSG_DONTWAIT) < 0 && errno == EINTR)
		;
	if (size <= FLIGHT_SMALL_MAX)
		scale->weights[size] = weight;
	return weight;
}

/* ---- messages ---- */

void flight_look(struct flight *flight, int socket)
{
	int left, believed = 0;

	if (flight->count == 0)
		return;
	left = outstanding(socket);
	for (unsigned int i = 0; i < flight->count; i++)
		believed += flight->messages[(flight->first + i) % FLIGHT_MAX].weight;
	/* The nearest sum: a record may weigh a little less than another of its size. */
	while (flight->count > (left > 0 ? 1 : 0)) {
		int weight = flight->messages[flight->first].weight;

		if (left > 0 && 2 * (int64_t)(believed - left) <= weight)
			break;
		believed -= weight;
		flight->first = (flight->first + 1) % FLIGHT_MAX;
		flight->count--;
	}
}

int flight_put(struct flight *flight, struct flight_scale *scale, int socket, const void *bytes,
	       size_t size)
{
	unsigned int at;

	if (flight->count == FLIGHT_MAX)
		flight_look(flight, socket);
	if (flight->count == FLIGHT_MAX)
		return -EAGAIN;
	at = (flight->first + flight->count) % FLIGHT_MAX;
	flight->messages[at].weight = weigh(scale, bytes, size);
	flight->messages[at].size = (uint32_t)size;
	while (send(socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		if (errno != EINTR)
			return -errno;
	flight->count++;
	return 0;
}
