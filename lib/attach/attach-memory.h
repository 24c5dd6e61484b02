/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The memory that a process and a fabric server share: a ring for each process, a page with a
 * mailbox for each handle. lib/attach/protocol.h explains their purpose.
 *
 * The server creates and seals this memory, so that its size is fixed. The program side is
 * lib/attach/ring.c and lib/attach/mailbox.c, the server's sim/server/server-ring.c and
 * sim/server/page.c.
 *
 * What each side trusts. The server trusts nothing: it keeps its own copy of every count, copies an
 * entry before it looks at it, checks it as it checks a call, and ends the owner of an impossible
 * count. A program that writes nonsense harms only itself: its sends, or what it would have
 * received. A program trusts its server, which can make up anything anyway, except for the size of
 * the memory: it refuses memory that is too short or not sealed against shrinking. Another process
 * that has the same handle can take a letter, as it could read the socket, or cause a call for a
 * send that needs none.
 *
 *
 * THE RING of a process, as the server sees it (sim/server/server-ring.c):
 *
 *	          RING          the bell is rung
 *	  (none) ------> ASLEEP -----------------> AWAKE <--------------------+
 *	                 PUT ^                     NO |  empty, and the server | the bell is
 *	                     | empty                  |  may look in a moment  | rung, or the
 *	                     +------------------------+                        | moment is over
 *	                                              +---------> NAPPING -----+
 *	                                                          WAIT
 *	  any of them, at the end of the connection that RING was called through: ENDED
 *
 * The word below each state is the value of 'bell' in it. ASLEEP: the server does not look at the
 * ring until its bell is rung. AWAKE: the server looks at it in every step. NAPPING: it looks at it
 * when the moment is over, or when a process is about to wait for a MAD. ENDED: what is put is not
 * taken.
 *
 * To put (process, its lock held):             To take (server):
 *   1. 'put' - 'taken': is there room?           1. 'put': more than ATTACH_RING_ENTRIES beyond
 *      More than ATTACH_RING_ENTRIES: ENDED.        its own count of 'taken': its owner ends
 *   2. counts the send in its handle's page      2. copies the entry (before that it only
 *   3. the entry                                    compares handles, when one is closed)
 *   4. 'put', from what it was to one more       3. 'taken' (release): its place is free
 *   5. looks at 'bell', and rings it if the      4. checks and sends the copy
 *      state asks for that: NO, then the eventfd
 *
 * To sleep, or to nap (server): 'bell' to PUT or WAIT, then it looks at 'put' once more. That and
 * steps 4 and 5 have a single total order (they are sequentially consistent): either the process
 * sees that the bell is wanted, or the server sees what was put.
 *
 * To end (server): it exchanges 'put' for 'taken' + ATTACH_RING_ENDED, and takes what was put
 * before that. From then on step 4 of a process fails: its entry was not put, and it makes a call
 * or a new ring. A forked child makes a ring of its own.
 *
 *	word		written by				read by
 *	put		process, step 4; server, at the end	both
 *	cpu		process, before 'put': a hint		server: is spinning worthwhile?
 *	entries		process, before 'put'			server, after 'put'
 *	taken		server, step 3				process
 *	bell		server; process, when it rings		both
 *	server_cpu	server: a hint				process: is spinning worthwhile?
 *	serial		server, before the process gets it	process
 *
 *
 * THE MAILBOX of a handle. At most one thread has it; the thread's changes are on the arrows with
 * 't', the server's on those with 's'. Every change is a compare-and-exchange, except the last step
 * from SHUT and the server's taking back.
 *
 *	          t                t  nothing was            t  looked
 *	          wants to wait       written meanwhile         long enough
 *	  IDLE ---------> TAKEN --------------> OPEN --------------> ASLEEP
 *	   ^                |                    |  \                 |  \
 *	   |                | s  has written     | s \ s              | s \ s
 *	   |                v    into the socket v    \  a letter     v    \  a letter
 *	   |<--- t ------ SHUT <-----------------+     +--> FULL    SHUT    +--> FULL
 *	   |<--- t  takes the letter: from FULL
 *	   |<--- t  gives up: from TAKEN, OPEN or ASLEEP, when something was written, its time
 *	   |        is over, or a signal has come
 *	   |<--- s  from any, when the ring of 'owner' has ended; a letter goes to the next reader
 *
 * A change away from ASLEEP wakes the thread (futex(2)).
 *
 * A record arrives either by the socket or as the letter, and the thread must not take a letter
 * while something older is in the socket. So:
 *   thread: reads 'written', finds the socket empty; later takes the mailbox (TAKEN), then reads
 *           'written' again: if it is the same, OPEN. Else it looks into the socket.
 *   server: writes into the socket, counts 'written', then closes the mailbox (SHUT).
 * Either the thread sees the count, or the server sees the mailbox taken.
 *
 * The server writes 'letter' before FULL. The thread reads it before IDLE, and has received it only
 * if it made the change to IDLE itself: otherwise the server has taken it back. The thread writes
 * 'owner' after TAKEN and before OPEN. It sleeps for ATTACH_MAILBOX_MS at a time, to notice a
 * server that ended without notice, or a cancellation.
 *
 *	word		written by				read by
 *	agents, is_*,	server					processes, before they put
 *	first_, last_port
 *	sent		process, before it puts; server,	both
 *			for calls
 *	over		server					processes
 *	mailbox		both, as above				both
 *	written		server, after the socket		the thread
 *	owner		the thread				server, at the end of a ring
 *	letter		server, before FULL			the thread
 */
#ifndef UMADRIG_LIB_ATTACH_ATTACH_MEMORY_H
#define UMADRIG_LIB_ATTACH_ATTACH_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/attach/protocol.h"

enum {
	ATTACH_RING_ENTRIES = 128,	/* a power of two */
	ATTACH_PAGE_SLOTS = 4096,	/* a power of two */
	ATTACH_PAGE_AGENTS = 32,	/* of a umad file */
	ATTACH_MAILBOX_MS = 50,
};

/* A send in a ring. */
struct attach_entry {
	uint64_t handle;	/* token */
	uint32_t size;		/* of the umad message */
	uint32_t reserved;
	uint8_t bytes[ATTACH_HEAD_SIZE];
};

/* When the bell of a ring is to be rung; the thread that rings it sets ATTACH_BELL_NO first. */
enum attach_bell {
	ATTACH_BELL_NO = 0,	/* not at all: the server looks at the ring */
	ATTACH_BELL_PUT = 1,	/* at once when something is put: the server sleeps */
	ATTACH_BELL_WAIT = 2,	/* before a wait for a MAD: it looks in a moment anyway */
};

/* Approximately how far 'put' is from 'taken' in a ring that the server has ended. */
#define ATTACH_RING_ENDED UINT32_C(0x80000000)

/*
 * The sends of a process. Counters only grow, and wrap; entry n is in place
 * n % ATTACH_RING_ENTRIES.
 */
struct attach_ring {
	/* Written by the process; at the end by the server: 'taken' and ATTACH_RING_ENDED. */
	_Alignas(64) _Atomic uint32_t put;	/* entries that were put */
	_Atomic uint32_t cpu;			/* of the process, plus 1; 0: unknown */
	/* Written by the server. */
	_Alignas(64) _Atomic uint32_t taken;	/* entries that are done */
	_Atomic uint32_t bell;			/* enum attach_bell */
	_Atomic uint32_t server_cpu;		/* as 'cpu' */
	_Atomic uint64_t serial;		/* the server's name for the ring */
	_Alignas(64) struct attach_entry entries[ATTACH_RING_ENTRIES];
};

/* What may be sent with an agent id without a call. */
enum attach_agent {
	ATTACH_AGENT_NONE = 0,	/* nothing */
	ATTACH_AGENT_PLAIN = 1,	/* single MADs */
	ATTACH_AGENT_RMPP = 2,	/* single MADs of classes with an RMPP header */
};

/* Of a mailbox; see the diagram above. */
enum attach_mailbox {
	ATTACH_MAILBOX_IDLE = 0,	/* no thread waits here */
	ATTACH_MAILBOX_TAKEN = 1,	/* a thread is about to wait */
	ATTACH_MAILBOX_OPEN = 2,	/* a thread looks at it */
	ATTACH_MAILBOX_ASLEEP = 3,	/* a thread sleeps on it: to be woken (futex(2)) */
	ATTACH_MAILBOX_FULL = 4,	/* 'letter' is filled in */
	ATTACH_MAILBOX_SHUT = 5,	/* what can be read is in the socket */
};

/*
 * What decides about sends through a handle, and its mailbox.
 *
 * 'sent' and 'over' count, modulo 2^16, the sends in each slot (attach_slot()) and those of them
 * that are no longer outstanding. A process counts a send before it puts it into its ring; the
 * server counts calls. If the two were equal before a send was counted, it has no double. An error
 * there (a process is killed in between) only causes calls for sends that need none.
 */
struct attach_page {
	_Atomic uint8_t agents[ATTACH_PAGE_AGENTS];	/* enum attach_agent */
	_Atomic uint8_t is_closed;	/* the file, or its device, is gone for good */
	_Atomic uint8_t is_guarded;	/* an M_Key decides on SMPs to the node itself */
	_Atomic uint8_t is_near_limit;	/* of outstanding sends: the next may be -ENOMEM */
	uint8_t first_port, last_port;	/* ports that directed routes may leave by */
	_Alignas(64) _Atomic uint16_t sent[ATTACH_PAGE_SLOTS];
	_Atomic uint16_t over[ATTACH_PAGE_SLOTS];
	_Alignas(64) _Atomic uint32_t mailbox;	/* enum attach_mailbox */
	_Atomic uint32_t written;	/* how often the server has written into the socket */
	_Atomic uint64_t owner;		/* 'serial' of the ring of the last process that took it */
	struct attach_record letter;
};

/* The slot of a send: consecutive TIDs have different ones. */
static inline uint32_t attach_slot(uint32_t tid_low, uint8_t mgmt_class)
{
	return (tid_low ^ tid_low >> 12 ^ mgmt_class * 0x9e5u) % ATTACH_PAGE_SLOTS;
}

/* Changes the mailbox to 'to', if it is in state 'from'. */
static inline bool attach_mailbox_turn(struct attach_page *page, enum attach_mailbox from,
				       enum attach_mailbox to)
{
	uint32_t expected = from;

	return atomic_compare_exchange_strong(&page->mailbox, &expected, to);
}

_Static_assert(sizeof(struct attach_entry) == 16 + ATTACH_HEAD_SIZE, "no padding");

#endif
