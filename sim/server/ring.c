/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The rings of a server: sends without a reply (lib/attach/protocol.h: sends). See sim/server/parts.h.
 *
 * A ring is asleep, and its program rings the bell with what it puts next; or awake, and looked at
 * in every step. Awake and empty, it is put to sleep before the server waits. Waking a process on
 * another CPU costs more than many sends, so there the server looks on for a moment first, as does
 * the program for its answer (lib/attach/spin.h).
 *
 * On the same CPU, being woken by each send would cost more than the send. So where sends have come
 * in numbers the server naps before it sleeps: it wants the bell only when the program is about to
 * wait for a MAD, by which time there may be many again, and looks for itself if that does not
 * come.
 *
 * Whoever owns a ring can write anything into it, at any time. So an entry is copied before it is
 * looked at, and a count that cannot be ends its owner.
 */
#include "config.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/monotonic.h"
#include "sim/server/parts.h"

enum {
	SPIN_NS = 50000,
	SPIN_LOOKS = 100,	/* at the rings, between two at the descriptors */
	GATHER_COUNT = 12,
	GATHER_NS = 1500,
	NAP_MS = 1,
	NAPS_SKIPPED = 256,
};

/* ---- coming and going ---- */

int server_ring_open(struct server *server, struct server_client *client, int bell, int *ret_fd)
{
	int ret, fd;

	client->ring = server_share(sizeof(*client->ring), &fd);
	if (!client->ring) {
		ret = -errno;
		close(bell);
		return ret;
	}
	atomic_store(&client->ring->bell, ATTACH_BELL_PUT);
	atomic_store(&client->ring->serial, client->serial);
	client->bell = (struct watch){ .kind = WATCH_BELL, .fd = bell };
	/* Each ring is told of, and nobody need read how often. */
	ret = server_watch(server, &client->bell, EPOLLIN | EPOLLET);
	if (ret < 0) {
		munmap(client->ring, sizeof(*client->ring));
		client->ring = NULL;
		close(bell);
		close(fd);
		return ret;
	}
	*ret_fd = fd;
	return 0;
}

static void unlist(struct server *server, struct server_client *client)
{
	struct server_client **at = &server->awake;

	while (*at != client)
		at = &(*at)->next_awake;
	*at = client->next_awake;
	client->is_awake = client->is_heard = false;
}

void server_ring_wake(struct server *server, struct server_client *client)
{
	client->is_heard = true;
	if (client->is_awake)
		return;
	client->is_awake = true;
	client->next_awake = server->awake;
	server->awake = client;
	atomic_store(&client->ring->bell, ATTACH_BELL_NO);
}

/* ---- sending ---- */

/* So far the ring is filled. */
static void see(struct server_client *client, uint32_t put)
{
	client->seen = put;
	if (client->seen - client->taken > ATTACH_RING_ENTRIES) {
		client->is_malformed = true;
		client->seen = client->taken;
	}
}

/* Sends up to entry 'end'; answers are handed out now and then, so that programs can go on. */
static void send_until(struct server *server, struct server_client *client, uint32_t end)
{
	struct attach_entry entry;

	while (client->taken != end) {
		struct server_file *file;

		copy_bytes(&entry, &client->ring->entries[client->taken % ATTACH_RING_ENTRIES],
			   sizeof(entry));
		client->taken++;
		atomic_store_explicit(&client->ring->taken, client->taken, memory_order_release);
		if (entry.size > sizeof(entry.bytes)) {
			client->is_malformed = true;
			client->taken = client->seen = end;
			break;
		}
		/* One that is closed by now has lost its unsent MADs, as in the kernel. */
		file = server_file_find(server, entry.handle);
		if (file)
			server_page_send(file, entry.bytes, entry.size, true);
		if (client->taken % SERVER_RECORDS == 0)
			server_settle(server);
	}
}

void server_rings_look(struct server *server)
{
	uint32_t here = (uint32_t)sched_getcpu() + 1;

	for (struct server_client *client = server->awake; client; client = client->next_awake) {
		if (atomic_load_explicit(&client->ring->server_cpu, memory_order_relaxed) != here)
			atomic_store_explicit(&client->ring->server_cpu, here,
					      memory_order_relaxed);
		if (server->has_napped)
			atomic_store(&client->ring->bell, ATTACH_BELL_NO);
		see(client, atomic_load(&client->ring->put));
		/* A program that waits, and not by libibumad: it would wait until we look. */
		if (server->has_napped && client->seen != client->taken && !client->is_heard)
			client->skip_naps = NAPS_SKIPPED;
	}
}

bool server_rings_are_told(const struct server *server)
{
	for (struct server_client *client = server->awake; client; client = client->next_awake) {
		if (client->seen - client->taken > client->is_heard)
			return false;
	}
	return true;
}

void server_rings_send_for(struct server *server, const struct server_file *file)
{
	for (struct server_client *client = server->awake; client; client = client->next_awake) {
		uint32_t end = client->taken;

		for (uint32_t i = client->taken; i != client->seen; i++) {
			if (client->ring->entries[i % ATTACH_RING_ENTRIES].handle == file->cookie)
				end = i + 1;
		}
		send_until(server, client, end);
	}
}

void server_rings_send(struct server *server)
{
	uint32_t count = 0;

	for (struct server_client *client = server->awake; client; client = client->next_awake) {
		count += client->seen - client->taken;
		send_until(server, client, client->seen);
		client->is_heard = false;
	}
	if (count > 0) {
		server_settle(server);
		if (server->spin_from_ns != 0)
			attach_spin_done(&server->spin, true);
		server->spin_from_ns = 0;
		server->has_napped = false;
		server->last_count = count;
	}
}

void server_rings_check(struct server *server)
{
	for (struct server_client *client = server->awake, *next; client; client = next) {
		next = client->next_awake;
		if (client->is_malformed)
			server_client_end(server, client, true);
	}
}

void server_ring_close(struct server *server, struct server_client *client)
{
	uint32_t put;

	if (!client->ring)
		return;
	/* At once: what is put until now is taken, and whoever comes later sees the end. */
	put = atomic_exchange(&client->ring->put, client->taken + ATTACH_RING_ENDED);
	if (!client->is_malformed) {
		see(client, put);
		send_until(server, client, client->seen);
	}
	if (client->is_awake)
		unlist(server, client);
	server_files_take_back(server, client->serial);
	server_unwatch(server, &client->bell);
	munmap(client->ring, sizeof(*client->ring));
	client->ring = NULL;
}

/* ---- waiting ---- */

static bool any_put(const struct server *server)
{
	for (struct server_client *client = server->awake; client; client = client->next_awake) {
		if (atomic_load(&client->ring->put) != client->taken)
			return true;
	}
	return false;
}

/* Does somebody who sends run on another CPU than this? */
static bool is_elsewhere(const struct server *server)
{
	uint32_t here = (uint32_t)sched_getcpu() + 1;

	for (struct server_client *client = server->awake; client; client = client->next_awake) {
		if (atomic_load_explicit(&client->ring->cpu, memory_order_relaxed) != here)
			return true;
	}
	return false;
}

/* Is it worth while to look again? */
static bool spin(struct server *server)
{
	int64_t now_ns;

	if (!is_elsewhere(server) ||
	    (server->spin_from_ns == 0 && !attach_spin_may(&server->spin)))
		return false;
	now_ns = monotonic_ns();
	if (server->spin_from_ns == 0)
		server->spin_from_ns = now_ns;
	if (now_ns - server->spin_from_ns > SPIN_NS) {
		attach_spin_done(&server->spin, false);
		server->spin_from_ns = 0;
		return false;
	}
	for (unsigned int i = 0; i < SPIN_LOOKS && !any_put(server); i++)
		attach_pause();
	return true;
}

/* The most that any ring has. */
static uint32_t most_put(const struct server *server)
{
	uint32_t most = 0;

	for (struct server_client *client = server->awake; client; client = client->next_awake)
		most = MAX(most, atomic_load(&client->ring->put) - client->taken);
	return most;
}

/*
 * Something has been put on another CPU. Who takes each by itself makes a system call for each
 * answer, so where it has proved that more comes at once a few are waited for.
 */
static void gather(struct server *server)
{
	uint32_t most = most_put(server);
	int64_t from_ns, now_ns;

	if (most >= GATHER_COUNT || !is_elsewhere(server) || !attach_spin_may(&server->gather))
		return;
	from_ns = monotonic_ns();
	do {
		uint32_t now = most_put(server);

		attach_pause();
		now_ns = monotonic_ns();
		if (now != most)
			from_ns = now_ns;
		most = now;
	} while (most < GATHER_COUNT && now_ns - from_ns < GATHER_NS);
	attach_spin_done(&server->gather, most >= GATHER_COUNT / 2);
}

static void want_bells(struct server *server, enum attach_bell bell)
{
	for (struct server_client *client = server->awake; client; client = client->next_awake)
		atomic_store(&client->ring->bell, bell);
}

/* May all that are awake be looked at again in a moment? */
static bool may_nap(struct server *server)
{
	bool may = !server->has_napped && server->last_count > 1;

	for (struct server_client *client = server->awake; client; client = client->next_awake) {
		if (client->skip_naps > 0) {
			client->skip_naps--;
			may = false;
		}
	}
	return may;
}

int server_rings_rest(struct server *server, int timeout_ms)
{
	bool nap;

	if (!server->awake || timeout_ms == 0)
		return timeout_ms;
	if (any_put(server) || spin(server)) {
		gather(server);
		return 0;
	}
	nap = may_nap(server);
	/* Who puts something now rings; what was put before that is seen. */
	want_bells(server, nap ? ATTACH_BELL_WAIT : ATTACH_BELL_PUT);
	if (any_put(server)) {
		want_bells(server, ATTACH_BELL_NO);
		return 0;
	}
	server->has_napped = nap;
	if (nap)
		return timeout_ms < 0 ? NAP_MS : MIN(timeout_ms, NAP_MS);
	server->spin_from_ns = 0;
	while (server->awake)
		unlist(server, server->awake);
	return timeout_ms;
}
