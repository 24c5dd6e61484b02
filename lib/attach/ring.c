/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ring.c: the ring of this process, and the pages of the handles that it sends through.
 *
 * One lock protects all of it. A thread that does not get it at once makes a call instead, so that
 * a signal handler that interrupts a send, and sends, does not wait for it. Ring and pages are
 * requested from the server with the first send, because most programs that look at devices never
 * send. No memory is allocated.
 *
 * A forked child has its parent's pages, because they belong to the handles, but a ring of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/attach/attach-memory.h"
#include "lib/attach/call.h"
#include "lib/attach/ring.h"
#include "lib/attach/spin.h"
#include "lib/base/user-header.h"
#include "lib/base/wire.h"

enum {
	HANDLES_MAX = 64,	/* with a page; sends through others are calls */
	LOCK_TRIES = 200,
	HOP_COUNT_LIMIT = 64,
	BELL_FD_MIN = 512,
};

struct known_page {
	uint64_t token;		/* 0: free, or forgotten */
	struct attach_page *page;	/* NULL: the server has none for it */
	_Atomic uint32_t waiting;	/* threads that may look at the page: it stays mapped */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct attach_ring *ring;	/* NULL: none */
static bool is_refused;			/* the server gave us none */
static int connection = -1;		/* the ring's; also used for PAGE */
static uint64_t connection_cookie;
static int bell = -1;
static struct known_page pages[HANDLES_MAX];
static _Atomic uint32_t waiting;	/* threads that wait for MADs */

/* ---- coming and going ---- */

/* Is the descriptor still the ring's connection, not closed or reused by the program? */
static bool connection_is_ours(void)
{
	return attach_cookie(connection) == connection_cookie;
}

static void forget_page(struct known_page *known)
{
	known->token = 0;
	if (atomic_load(&known->waiting) > 0)
		return;		/* free_place() unmaps it */
	if (known->page)
		munmap(known->page, sizeof(*known->page));
	known->page = NULL;
}

static void drop_ring(bool close_fds)
{
	if (ring)
		munmap(ring, sizeof(*ring));
	ring = NULL;
	if (close_fds && connection >= 0)
		close(connection);
	if (close_fds && bell >= 0)
		close(bell);
	connection = bell = -1;
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	drop_ring(connection_is_ours());
	pthread_mutex_unlock(&lock);
}

static void prepare(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

/*
 * The number of entries in the ring; more than ATTACH_RING_ENTRIES: the server has ended it.
 * '*ret_number': the number of the next entry at that time.
 */
static uint32_t fill_of_ring(uint32_t *ret_number)
{
	*ret_number = atomic_load_explicit(&ring->put, memory_order_relaxed);
	return *ret_number - atomic_load_explicit(&ring->taken, memory_order_acquire);
}

/* ---- memory from the server ---- */

/*
 * Can 'size' bytes be mapped and accessed at any time? A memfd that is too short, or may be shrunk,
 * would kill the program by SIGBUS.
 */
static bool is_solid(int fd, size_t size)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return seals >= 0 && (seals & F_SEAL_SHRINK) && lseek(fd, 0, SEEK_END) >= (off_t)size;
}

/*
 * Calls for a memfd of 'size' bytes and maps it. NULL: the server gave none, or one that must not
 * be accessed.
 */
static void *get_shared(const struct attach_call *call, int fd, size_t size)
{
	struct attach_exchange exchange = { .call = *call, .fd = fd, .reply_fd = -1 };
	long r = attach_call_on(connection, &exchange);
	void *at = MAP_FAILED;

	if (r == 0 && exchange.reply_fd >= 0 && is_solid(exchange.reply_fd, size))
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, exchange.reply_fd, 0);
	if (exchange.reply_fd >= 0)
		close(exchange.reply_fd);
	return at == MAP_FAILED ? NULL : at;
}

/*
 * Makes an eventfd with a high number: a program that closes descriptors it does not know gets low
 * numbers for its files, and the bell must never be written into those.
 */
static int make_bell(void)
{
	int low = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int high = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, BELL_FD_MIN);

	if (high < 0)
		return low;
	close(low);
	return high;
}

/* A server without rings (a bridge), or out of descriptors, is asked once for each open. */
static bool make_ring(void)
{
	const struct attach_call call = { .op = ATTACH_RING };
	uint32_t number;

	if (ring && fill_of_ring(&number) > ATTACH_RING_ENTRIES)
		drop_ring(connection_is_ours());
	if (ring || is_refused)
		return ring;
	pthread_once(&once, prepare);
	connection = attach_call_dial();
	bell = make_bell();
	connection_cookie = attach_cookie(connection);
	ring = connection_cookie && bell >= 0 ? get_shared(&call, bell, sizeof(*ring)) : NULL;
	if (!ring)
		drop_ring(true);
	is_refused = !ring;
	return ring;
}

static struct known_page *free_place(void)
{
	struct known_page *place = NULL;

	for (unsigned int i = 0; i < HANDLES_MAX; i++) {
		struct known_page *known = &pages[i];

		if (known->page && (!known->token || atomic_load(&known->page->is_closed)))
			forget_page(known);
		if (!known->token && !known->page)
			place = known;
	}
	return place;
}

/* The known page of a handle; NULL: none. */
static struct known_page *find_page(uint64_t token)
{
	static unsigned int last;

	if (pages[last].token == token)
		return &pages[last];
	for (unsigned int i = 0; i < HANDLES_MAX; i++) {
		if (pages[i].token == token) {
			last = i;
			return &pages[i];
		}
	}
	return NULL;
}

static struct attach_page *page_of(uint64_t token)
{
	struct attach_call call = { .op = ATTACH_PAGE, .handle = token };
	struct known_page *known = find_page(token);

	if (known)
		return known->page;
	known = connection_is_ours() ? free_place() : NULL;
	if (!known)
		return NULL;
	known->token = token;
	known->page = get_shared(&call, -1, sizeof(*known->page));
	return known->page;
}

/* ---- is a send certain to succeed? ---- */

/* A directed route begins here: does it leave by a port of ours, or end in our own node? */
static bool directed_is_certain(const struct attach_page *page, const uint8_t *smp)
{
	uint8_t hops = smp[SMP_HOP_CNT];

	if (get_be16(smp + MAD_STATUS) & SMP_DIRECTION || smp[SMP_HOP_PTR] != 0 ||
	    hops >= HOP_COUNT_LIMIT || get_be16(smp + SMP_DR_SLID) != LID_PERMISSIVE)
		return false;
	if (hops == 0)
		return get_be16(smp + SMP_DR_DLID) == LID_PERMISSIVE &&
		       !atomic_load(&page->is_guarded);
	return smp[SMP_INITIAL_PATH + 1] >= page->first_port &&
	       smp[SMP_INITIAL_PATH + 1] <= page->last_port;
}

/* Would the send pass all checks of write(2) but the one for doubles (linux-mad A.5)? */
static bool is_certain(const struct attach_page *page, const uint8_t *umad, size_t size)
{
	const uint8_t *mad = umad + ATTACH_HEADER_SIZE;
	uint8_t mgmt_class = mad[MAD_CLASS];
	bool has_rmpp = mad_class_has_rmpp(mgmt_class);
	uint32_t id;

	memcpy(&id, umad + USER_ID, sizeof(id));
	if (id >= ATTACH_PAGE_AGENTS || umad[USER_GRH_PRESENT] || atomic_load(&page->is_closed) ||
	    atomic_load(&page->is_near_limit) ||
	    size < ATTACH_HEADER_SIZE + mad_class_header_size(mgmt_class))
		return false;
	if (has_rmpp && mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE)
		return false;
	switch (atomic_load(&page->agents[id])) {
	case ATTACH_AGENT_PLAIN:
		break;
	case ATTACH_AGENT_RMPP:
		if (!has_rmpp)
			return false;
		break;
	default:	/* none, or a value of a newer server */
		return false;
	}
	return mgmt_class != MAD_CLASS_SUBN_DR ||
	       (size == ATTACH_HEAD_SIZE && directed_is_certain(page, mad));
}

static uint32_t slot_of(const uint8_t *umad)
{
	const uint8_t *mad = umad + ATTACH_HEADER_SIZE;

	return attach_slot(get_be32(mad + MAD_TID + 4), mad[MAD_CLASS]);
}

/* Counts a send in its slot, if it has no double. */
static bool count_single(struct attach_page *page, uint32_t slot)
{
	if (atomic_fetch_add(&page->sent[slot], 1) == atomic_load(&page->over[slot]))
		return true;
	atomic_fetch_sub(&page->sent[slot], 1);
	return false;
}

/* ---- the ring ---- */

/* Puts entry 'number', for which there was room. False: the server has ended the ring since. */
static bool put(uint32_t number, uint64_t token, const uint8_t *umad, size_t size)
{
	struct attach_entry *entry = &ring->entries[number % ATTACH_RING_ENTRIES];

	entry->handle = token;
	entry->size = (uint32_t)size;
	copy_bytes(entry->bytes, umad, size);
	atomic_store_explicit(&ring->cpu, (uint32_t)sched_getcpu() + 1, memory_order_relaxed);
	/*
	 * Sequentially consistent with the look at 'bell', as are the server's accesses in reverse
	 * order.
	 */
	return atomic_compare_exchange_strong(&ring->put, &number, number + 1);
}

static void ring_bell(void)
{
	uint64_t one = 1;
	int cancel_state;
	ssize_t ret;

	atomic_store(&ring->bell, ATTACH_BELL_NO);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	do
		ret = write(bell, &one, sizeof(one));
	while (ret < 0 && errno == EINTR);
	pthread_setcancelstate(cancel_state, &cancel_state);
}

/* Rings the bell after something was put, if the server wants it. */
static void tell_server(void)
{
	uint32_t wanted = atomic_load(&ring->bell);

	if (wanted == ATTACH_BELL_PUT ||
	    (wanted == ATTACH_BELL_WAIT && atomic_load(&waiting) > 0))
		ring_bell();
}

static bool take_lock(void)
{
	for (unsigned int i = 0; i < LOCK_TRIES; i++) {
		if (pthread_mutex_trylock(&lock) == 0)
			return true;
		attach_pause();
	}
	return false;
}

long attach_ring_send(uint64_t token, const uint8_t *umad, size_t size)
{
	struct attach_page *page;
	uint32_t slot, number;
	long ret = 0;

	if (size < ATTACH_HEADER_SIZE + RMPP_END || size > ATTACH_HEAD_SIZE || !take_lock())
		return 0;
	page = make_ring() ? page_of(token) : NULL;
	slot = slot_of(umad);
	if (page && is_certain(page, umad, size) && fill_of_ring(&number) < ATTACH_RING_ENTRIES &&
	    count_single(page, slot)) {
		if (put(number, token, umad, size)) {
			tell_server();
			ret = (long)size;
		} else {
			atomic_fetch_sub(&page->sent[slot], 1);
		}
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

static void flush(void)
{
	if (ring && atomic_load(&ring->bell) == ATTACH_BELL_WAIT)
		ring_bell();
}

void attach_ring_flush(void)
{
	/* The thread that has the lock is putting something, and flushes that when it waits. */
	if (!take_lock())
		return;
	flush();
	pthread_mutex_unlock(&lock);
}

void attach_ring_wait_begins(uint64_t token, struct attach_wait *ret_wait)
{
	struct known_page *known;

	*ret_wait = (struct attach_wait){ .page = NULL };
	/* A thread that is cancelled now remains counted: the bell is then rung more often. */
	atomic_fetch_add(&waiting, 1);
	/* The thread that has the lock is putting something, and sees that a thread waits. */
	if (!take_lock())
		return;
	flush();
	known = ring && token ? find_page(token) : NULL;
	if (ring) {
		ret_wait->serial = atomic_load_explicit(&ring->serial, memory_order_relaxed);
		ret_wait->is_elsewhere = atomic_load_explicit(&ring->server_cpu,
							      memory_order_relaxed) !=
					 (uint32_t)sched_getcpu() + 1;
	}
	if (known && known->page) {
		atomic_fetch_add(&known->waiting, 1);
		ret_wait->page = known->page;
		ret_wait->place = (unsigned int)(known - pages);
	}
	pthread_mutex_unlock(&lock);
}

void attach_ring_wait_over(const struct attach_wait *wait)
{
	atomic_fetch_sub(&waiting, 1);
	if (wait->page)
		atomic_fetch_sub(&pages[wait->place].waiting, 1);
}

void attach_ring_forget(uint64_t token)
{
	if (!take_lock())
		return;		/* its page shows that it is closed */
	for (unsigned int i = 0; i < HANDLES_MAX; i++)
		if (pages[i].token == token)
			forget_page(&pages[i]);
	pthread_mutex_unlock(&lock);
}

void attach_ring_check(void)
{
	char byte;

	if (!take_lock())
		return;
	is_refused = false;
	if (ring && !connection_is_ours())
		drop_ring(false);
	else if (ring && recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
		drop_ring(true);
	pthread_mutex_unlock(&lock);
}
