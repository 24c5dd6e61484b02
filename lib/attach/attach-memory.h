/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The memory that a process and a fabric server share: a ring for each process, a page with a
 * mailbox for each handle. lib/attach/protocol.h says what they are for.
 *
 * The server makes it and seals it, so that its size is fixed. The program side is
 * lib/attach/ring.c and lib/attach/mailbox.c, the server's sim/server/server-ring.c and
 * sim/server/page.c.
 *
 * What each side believes. The server believes nothing: it keeps its own copy of every count,
 * copies an entry before it looks at it, checks it as it checks a call, and ends the owner of a
 * count that cannot be. A program that writes nonsense harms itself alone: its sends, or what it
 * would have received. A program believes its server, which can tell it anything anyhow, except
 * that the memory is there: it refuses what is too short or not sealed against shrinking. Another
 * process that has the same handle can take a letter, as it could read the socket, or make a send
 * ask that need not.
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
 * The word below each state is what 'bell' says in it. ASLEEP: nobody looks at the ring until its
 * bell is rung. AWAKE: it is looked at in every step. NAPPING: it is looked at when the moment is
 * over, or when a process is about to wait for a MAD. ENDED: nobody takes what is put.
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
 * 4. and 5. are in one order for all (sequentially consistent): either the process sees the bell
 * wanted, or the server sees what was put.
 *
 * To end (server): it exchanges 'put' for 'taken' + ATTACH_RING_ENDED, and takes what was there
 * until then. So step 4 of a process fails from then on: what it wanted to put is not there, and
 * goes by a call or by a new ring. A forked child makes a ring of its own.
 *
 *	word		written by				read by
 *	put		process, step 4; server, at the end	both
 *	cpu		process, before 'put': a hint		server: does looking on pay?
 *	entries		process, before 'put'			server, after 'put'
 *	taken		server, step 3				process
 *	bell		server; process, when it rings		both
 *	server_cpu	server: a hint				process: does looking on pay?
 *	serial		server, before the process has it	process
 *
 *
 * THE MAILBOX of a handle. At most one thread has it; what it changes is on the arrows with 't',
 * what the server changes on those with 's'. Every change is a compare and exchange, but for the
 * last step from SHUT and the server's taking back.
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
 * Whoever leads it out of ASLEEP wakes the thread (futex(2)).
 *
 * A record comes before another in one of two ways only, the socket and the letter, and the thread
 * must not take a letter while something older is in the socket. So:
 *   thread: reads 'written', finds the socket empty; later takes the mailbox (TAKEN), then reads
 *           'written' again: if it is the same, OPEN. Else it looks into the socket.
 *   server: writes into the socket, counts 'written', then closes the mailbox (SHUT).
 * Either the thread sees the count, or the server sees the mailbox taken.
 *
 * The server writes 'letter' before FULL, the thread reads it before IDLE and has it only if the
 * change to IDLE was its own: else the server has taken it back. The thread writes 'owner' after
 * TAKEN and before OPEN. It sleeps for ATTACH_MAILBOX_MS at a time: then the end of a server that
 * says nothing, or a cancellation, is seen.
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
	uint64_t handle;	/* cookie */
	uint32_t size;		/* of the umad message */
	uint32_t reserved;
	uint8_t bytes[ATTACH_HEAD_SIZE];
};

/* When the bell of a ring is to be rung; whoever rings it sets ATTACH_BELL_NO first. */
enum attach_bell {
	ATTACH_BELL_NO = 0,	/* not at all: the server looks at the ring */
	ATTACH_BELL_PUT = 1,	/* at once when something is put: the server sleeps */
	ATTACH_BELL_WAIT = 2,	/* before one waits for a MAD: it looks in a moment anyway */
};

/* How far 'put' is from 'taken', about, in a ring that the server has ended. */
#define ATTACH_RING_ENDED UINT32_C(0x80000000)

/*
 * The sends of a process. Counters only grow, and wrap; entry n is in place
 * n % ATTACH_RING_ENTRIES.
 */
struct attach_ring {
	/* Written by the process; at the end by the server: 'taken' and ATTACH_RING_ENDED. */
	_Alignas(64) _Atomic uint32_t put;	/* entries that are there */
	_Atomic uint32_t cpu;			/* that the process was on, plus 1; 0: unknown */
	/* Written by the server. */
	_Alignas(64) _Atomic uint32_t taken;	/* entries that it has done with */
	_Atomic uint32_t bell;			/* enum attach_bell */
	_Atomic uint32_t server_cpu;		/* as 'cpu' */
	_Atomic uint64_t serial;		/* what the server knows the ring by */
	_Alignas(64) struct attach_entry entries[ATTACH_RING_ENTRIES];
};

/* What may be sent with an agent id without asking. */
enum attach_agent {
	ATTACH_AGENT_NONE = 0,	/* nothing */
	ATTACH_AGENT_PLAIN = 1,	/* single MADs */
	ATTACH_AGENT_RMPP = 2,	/* single MADs of classes with an RMPP header */
};

/* Of a mailbox; see the diagram above. */
enum attach_mailbox {
	ATTACH_MAILBOX_IDLE = 0,	/* nobody waits so */
	ATTACH_MAILBOX_TAKEN = 1,	/* somebody is about to */
	ATTACH_MAILBOX_OPEN = 2,	/* somebody looks at it */
	ATTACH_MAILBOX_ASLEEP = 3,	/* somebody sleeps on it: to be woken (futex(2)) */
	ATTACH_MAILBOX_FULL = 4,	/* 'letter' is there */
	ATTACH_MAILBOX_SHUT = 5,	/* what there is to be read is in the socket */
};

/*
 * What decides about sends through a handle, and its mailbox.
 *
 * 'sent' and 'over' count, modulo 2^16, the sends in each slot (attach_slot()) and those of them
 * that are out no longer. Whoever puts one into its ring counts it first; calls are counted by the
 * server. One that found the two equal before it was counted has no double. What goes wrong there
 * (a process is killed in between) only makes sends ask that need not.
 */
struct attach_page {
	_Atomic uint8_t agents[ATTACH_PAGE_AGENTS];	/* enum attach_agent */
	_Atomic uint8_t is_closed;	/* the file, or its device, is gone for good */
	_Atomic uint8_t is_guarded;	/* an M_Key decides on SMPs to the node itself */
	uint8_t first_port, last_port;	/* where directed routes may leave by */
	_Alignas(64) _Atomic uint16_t sent[ATTACH_PAGE_SLOTS];
	_Atomic uint16_t over[ATTACH_PAGE_SLOTS];
	_Alignas(64) _Atomic uint32_t mailbox;	/* enum attach_mailbox */
	_Atomic uint32_t written;	/* times that the server has written into the socket */
	_Atomic uint64_t owner;		/* 'serial' of the ring of the process that took it last */
	struct attach_record letter;
};

/* The slot of a send: TIDs that follow each other have different ones. */
static inline uint32_t attach_slot(uint32_t tid_low, uint8_t mgmt_class)
{
	return (tid_low ^ tid_low >> 12 ^ mgmt_class * 0x9e5u) % ATTACH_PAGE_SLOTS;
}

/* Changes the mailbox, if it is as 'from'. */
static inline bool attach_mailbox_turn(struct attach_page *page, enum attach_mailbox from,
				       enum attach_mailbox to)
{
	uint32_t expected = from;

	return atomic_compare_exchange_strong(&page->mailbox, &expected, to);
}

_Static_assert(sizeof(struct attach_entry) == 16 + ATTACH_HEAD_SIZE, "no padding");

#endif
