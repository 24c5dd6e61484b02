/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The rings of a server: see sim/server/server-ring.h. lib/attach/attach-memory.h has their states
 * and the order in which each word is written.
 *
 * A ring is either asleep, and its program rings the bell with the next entry that it puts; or
 * awake, and looked at in every step. If it is awake and empty, it is put to sleep before the
 * server waits. Waking a process on another CPU costs more than many sends, so there the server
 * keeps looking for a moment first, as the program does for its answer (lib/attach/spin.h).
 *
 * On the same CPU, being woken by each send would cost more than the send. So if several sends came
 * at once, the server naps before it sleeps: it asks for the bell only when the program is about to
 * wait for a MAD, by which time there may be several sends again, and looks by itself if the bell
 * is not rung.
 *
 * The owner of a ring can write anything into it, at any time. So an entry is copied before it is
 * looked at, and an owner that writes an impossible count is ended.
 */
#include "config.h"

#include "sim/server/server-ring.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/invariant.h"
#include "lib/base/monotonic.h"
#include "sim/server/shared-memory.h"

enum {
	SPIN_NS = 50000,
	SPIN_LOOKS = 100,	/* looks at the rings between two at the descriptors */
	GATHER_COUNT = 12,
	GATHER_NS = 1500,
	GATHER_MAX_NS = 20000,	/* in all, whatever is written there meanwhile */
	ENTRIES_IN_TURN = 16,
	NAP_MS = 1,
	NAPS_SKIPPED = 256,
};

/* ---- coming and going ---- */

int server_ring_open(struct server_rings *rings, struct server_ring *ring, uint64_t serial,
		     int bell, int *ret_fd)
{
	int ret, fd;

	*ring = (struct server_ring){ .bell = { WATCH_BELL, bell }, .serial = serial };
	ring->shared = shared_memory_new(sizeof(*ring->shared), &fd);
	if (!ring->shared) {
		ret = -errno;
		close(bell);
		return ret;
	}
	atomic_store(&ring->shared->bell, ATTACH_BELL_PUT);
	atomic_store(&ring->shared->serial, serial);
	/* Each ring of the bell is an event, so its count need not be read. */
	ret = watch_add(rings->watches, &ring->bell, EPOLLIN | EPOLLET);
	if (ret < 0) {
		munmap(ring->shared, sizeof(*ring->shared));
		ring->shared = NULL;
		close(bell);
		close(fd);
		return ret;
	}
	*ret_fd = fd;
	return 0;
}

static void unlist(struct server_rings *rings, struct server_ring *ring)
{
	struct server_ring **at = &rings->awake;

	while (*at != ring)
		at = &(*at)->next_awake;
	*at = ring->next_awake;
	ring->is_awake = ring->is_heard = false;
}

void server_ring_wake(struct server_rings *rings, struct server_ring *ring)
{
	ring->is_heard = true;
	if (ring->is_awake)
		return;
	ring->is_awake = true;
	ring->next_awake = rings->awake;
	rings->awake = ring;
	atomic_store(&ring->shared->bell, ATTACH_BELL_NO);
}

/* ---- sending ---- */

/* Notes how far the ring is filled. */
static void see(struct server_ring *ring, uint32_t put)
{
	ring->seen = put;
	if (ring->seen - ring->taken > ATTACH_RING_ENTRIES) {
		ring->is_malformed = true;
		ring->seen = ring->taken;
	}
}

/*
 * Sends the entries before 'end'; answers are handed out from time to time, so that programs can go
 * on.
 */
static void send_until(struct server_rings *rings, struct server_ring *ring, uint32_t end)
{
	struct attach_entry entry;

	while (ring->taken != end) {
		struct server_file *file;

		copy_bytes(&entry, &ring->shared->entries[ring->taken % ATTACH_RING_ENTRIES],
			   sizeof(entry));
		ring->taken++;
		atomic_store_explicit(&ring->shared->taken, ring->taken, memory_order_release);
		if (entry.size > sizeof(entry.bytes)) {
			ring->is_malformed = true;
			ring->taken = ring->seen = end;
			break;
		}
		/* A handle that is closed by now has lost its unsent MADs, as in the kernel. */
		file = server_file_find(&rings->served->files, entry.handle);
		rings->served->views.calls++;
		if (file)
			server_file_send(file, entry.bytes, entry.size, true, NULL);
		if (ring->taken % SERVER_RECORDS == 0)
			served_fabric_settle(rings->served);
	}
}

void server_rings_look(struct server_rings *rings)
{
	uint32_t here = (uint32_t)sched_getcpu() + 1;

	for (struct server_ring *ring = rings->awake; ring; ring = ring->next_awake) {
		if (atomic_load_explicit(&ring->shared->server_cpu, memory_order_relaxed) != here)
			atomic_store_explicit(&ring->shared->server_cpu, here,
					      memory_order_relaxed);
		if (rings->has_napped)
			atomic_store(&ring->shared->bell, ATTACH_BELL_NO);
		see(ring, atomic_load(&ring->shared->put));
		/*
		 * A program that waits without libibumad does not ring: it would wait until we
		 * look.
		 */
		if (rings->has_napped && ring->seen != ring->taken && !ring->is_heard)
			ring->skip_naps = NAPS_SKIPPED;
	}
}

bool server_rings_are_told(const struct server_rings *rings)
{
	for (struct server_ring *ring = rings->awake; ring; ring = ring->next_awake) {
		if (ring->seen - ring->taken > ring->is_heard)
			return false;
	}
	return true;
}

void server_rings_send_for(struct server_rings *rings, const struct server_file *file)
{
	for (struct server_ring *ring = rings->awake; ring; ring = ring->next_awake) {
		uint32_t end = ring->taken;

		for (uint32_t i = ring->taken; i != ring->seen; i++) {
			if (ring->shared->entries[i % ATTACH_RING_ENTRIES].handle == file->token)
				end = i + 1;
		}
		send_until(rings, ring, end);
	}
}

/* A few entries of each ring, so that none waits until another is empty. How many these are. */
static uint32_t send_some(struct server_rings *rings)
{
	uint32_t count = 0;
	uint32_t most = rings->awake && rings->awake->next_awake ? ENTRIES_IN_TURN : SERVER_RECORDS;

	for (struct server_ring *ring = rings->awake; ring; ring = ring->next_awake) {
		uint32_t some = MIN(ring->seen - ring->taken, most);

		count += some;
		send_until(rings, ring, ring->taken + some);
		ring->is_heard = false;
	}
	return count;
}

void server_rings_send(struct server_rings *rings)
{
	uint32_t count = 0, sent;

	do {
		sent = send_some(rings);
		if (sent > 0)
			served_fabric_settle(rings->served);
		count += sent;
	} while (sent > 0);
	if (count > 0) {
		if (rings->spin_from_ns != 0)
			attach_spin_done(&rings->spin, true);
		rings->spin_from_ns = 0;
		rings->has_napped = false;
		rings->last_count = count;
	}
}

struct server_ring *server_rings_malformed(struct server_rings *rings)
{
	struct server_ring *ring = rings->awake;

	while (ring && !ring->is_malformed)
		ring = ring->next_awake;
	return ring;
}

void server_ring_close(struct server_rings *rings, struct server_ring *ring)
{
	uint32_t put;

	if (!ring->shared)
		return;
	/* One atomic step: what was put before it is taken, and a later put fails. */
	put = atomic_exchange(&ring->shared->put, ring->taken + ATTACH_RING_ENDED);
	if (!ring->is_malformed) {
		see(ring, put);
		send_until(rings, ring, ring->seen);
	}
	if (ring->is_awake)
		unlist(rings, ring);
	server_files_take_back(&rings->served->files, ring->serial);
	watch_close(rings->watches, &ring->bell);
	munmap(ring->shared, sizeof(*ring->shared));
	ring->shared = NULL;
}

/* ---- waiting ---- */

static bool any_put(const struct server_rings *rings)
{
	for (struct server_ring *ring = rings->awake; ring; ring = ring->next_awake) {
		if (atomic_load(&ring->shared->put) != ring->taken)
			return true;
	}
	return false;
}

/* Does a program that sends run on another CPU? */
static bool is_elsewhere(const struct server_rings *rings)
{
	uint32_t here = (uint32_t)sched_getcpu() + 1;

	for (struct server_ring *ring = rings->awake; ring; ring = ring->next_awake) {
		if (atomic_load_explicit(&ring->shared->cpu, memory_order_relaxed) != here)
			return true;
	}
	return false;
}

/* Is it worthwhile to look again? */
static bool spin(struct server_rings *rings)
{
	int64_t now_ns;

	if (!is_elsewhere(rings) ||
	    (rings->spin_from_ns == 0 && !attach_spin_may(&rings->spin)))
		return false;
	now_ns = monotonic_ns();
	if (rings->spin_from_ns == 0)
		rings->spin_from_ns = now_ns;
	if (now_ns - rings->spin_from_ns > SPIN_NS) {
		attach_spin_done(&rings->spin, false);
		rings->spin_from_ns = 0;
		return false;
	}
	for (unsigned int i = 0; i < SPIN_LOOKS && !any_put(rings); i++)
		attach_pause();
	return true;
}

/* The largest number of entries that a ring has. */
static uint32_t most_put(const struct server_rings *rings)
{
	uint32_t most = 0;

	for (struct server_ring *ring = rings->awake; ring; ring = ring->next_awake)
		most = MAX(most, atomic_load(&ring->shared->put) - ring->taken);
	return most;
}

/*
 * Something has been put on another CPU. To take each entry by itself costs a system call for each
 * answer, so if more usually follows at once, this waits for a few.
 */
static void gather(struct server_rings *rings)
{
	uint32_t most = most_put(rings);
	int64_t start_ns, from_ns, now_ns;

	if (most >= GATHER_COUNT || !is_elsewhere(rings) || !attach_spin_may(&rings->gather))
		return;
	start_ns = from_ns = monotonic_ns();
	do {
		uint32_t now = most_put(rings);

		attach_pause();
		now_ns = monotonic_ns();
		if (now != most)
			from_ns = now_ns;
		most = now;
	} while (most < GATHER_COUNT && now_ns - from_ns < GATHER_NS &&
		 now_ns - start_ns < GATHER_MAX_NS);
	attach_spin_done(&rings->gather, most >= GATHER_COUNT / 2);
}

static void want_bells(struct server_rings *rings, enum attach_bell bell)
{
	for (struct server_ring *ring = rings->awake; ring; ring = ring->next_awake)
		atomic_store(&ring->shared->bell, bell);
}

/* May the server nap: look again in a moment at all rings that are awake? */
static bool may_nap(struct server_rings *rings)
{
	bool may = !rings->has_napped && rings->last_count > 1;

	for (struct server_ring *ring = rings->awake; ring; ring = ring->next_awake) {
		if (ring->skip_naps > 0) {
			ring->skip_naps--;
			may = false;
		}
	}
	return may;
}

int server_rings_rest(struct server_rings *rings, int timeout_ms)
{
	bool nap;

	if (!rings->awake || timeout_ms == 0)
		return timeout_ms;
	if (any_put(rings) || spin(rings)) {
		gather(rings);
		return 0;
	}
	nap = may_nap(rings);
	/*
	 * A program that puts something from now on rings; what was put before that is seen below.
	 */
	want_bells(rings, nap ? ATTACH_BELL_WAIT : ATTACH_BELL_PUT);
	if (any_put(rings)) {
		want_bells(rings, ATTACH_BELL_NO);
		return 0;
	}
	rings->has_napped = nap;
	if (nap)
		return timeout_ms < 0 ? NAP_MS : MIN(timeout_ms, NAP_MS);
	rings->spin_from_ns = 0;
	while (rings->awake)
		unlist(rings, rings->awake);
	return timeout_ms;
}

/* ---- invariants ---- */

static bool is_listed(const struct server_rings *rings, const struct server_ring *ring)
{
	const struct server_ring *at = rings->awake;

	while (at && at != ring)
		at = at->next_awake;
	return at;
}

const char *server_ring_check(const struct server_rings *rings, const struct server_ring *ring)
{
	MUST(ring->is_awake == is_listed(rings, ring),
	     "ring: it is in the list of those that are awake, if it is");
	NEVER(ring->is_awake && !ring->shared, "ring: never awake without memory");
	NEVER(ring->is_heard && !ring->is_awake, "ring: never is a bell heard that wakes nobody");
	MUST(ring->skip_naps <= NAPS_SKIPPED, "ring: so many naps are not skipped");
	if (!ring->shared)
		return NULL;
	NEVER(ring->is_malformed, "ring: never outlives what its owner has done to it");
	MUST(ring->taken == ring->seen, "ring: what has been seen in it is sent");
	MUST(ring->bell.kind == WATCH_BELL && ring->bell.fd >= 0, "ring: it has a bell");
	return NULL;
}
