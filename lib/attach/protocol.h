/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How libibumad (lib/attach/backend.c) and a fabric server (sim/server/server.c) talk.
 *
 * Both are on one machine, over AF_UNIX SOCK_SEQPACKET sockets: one message is one operation and is
 * never torn, whoever shares the socket. Numbers are the machine's own.
 *
 * Connections. Each thread that makes calls has one to the server's socket, and a forked child
 * makes its own. It starts with HELLO, which names the host whose devices the connection sees.
 * Then: one call (struct attach_call and what belongs to it), one reply (struct attach_reply and
 * what belongs to it), strictly in turn. Nothing of a connection outlives it, and what a thread
 * opened is no concern of it: calls name handles, and any connection may name any handle.
 *
 * Handles. What umad_open_port() returns is one end of a socket pair, which came with the reply to
 * OPEN. The server writes each received MAD into the other end, as a struct attach_record. So the
 * descriptor is readable exactly while a receive would not say -EAGAIN, and poll, select, epoll,
 * dup, fork and threads do with it what they do with the kernel's: the file closes with the last
 * copy, and whoever reads gets a whole MAD. These sockets are streams, for many records go in one
 * system call then, and the kernel never tears one: the server writes no more at a time than goes
 * into one buffer of the kernel's, and everybody reads one record. Nothing goes the other way, so
 * no answer ever mixes with MADs.
 *
 * A call names a handle by its socket's cookie (getsockopt SO_COOKIE), which is the same for all
 * copies of a descriptor and belongs to no other socket of the machine. So no table of descriptors
 * need be kept and none can be wrong, whatever a program does with dup2(2). What is received has
 * it, too: the first send after a receive takes it that the descriptor is still the one read from.
 *
 * Sends. SEND is a call like others, and its reply is what write(2) of a umad file returns. But
 * most sends go without: a program that can see that one will succeed puts it into its ring, memory
 * that a process and the server share (RING; struct attach_ring), rings a bell if the server
 * sleeps, and is done. What is needed to see it is in the handle's page (PAGE; struct attach_page),
 * which the server keeps up to date: its agents, its port, and how many sends are out with a hash
 * of TID and class, for Linux refuses a second one that cannot be told from the first. A send that
 * is not certain (segments, a GRH, a possible double, anything that is wrong), and one that finds
 * the ring full, is a call, so that every errno is the kernel's. The server checks what comes by a
 * ring as what comes by a call. A server need not know RING and PAGE (a bridge does not): then all
 * sends are calls.
 *
 * A program that closes every descriptor it does not know ends its ring, and still has the memory.
 * So the server, which has taken what was there, says in 'put' that nobody takes more, and whoever
 * puts something changes 'put' only from what it was: either it is taken, or is not there and sent
 * again, by a new ring. A server that is killed says nothing; what it has not taken is as lost as
 * what it has, and the handles say end of file.
 *
 * Shared memory. lib/attach/attach-memory.h says what is in it: its words, who writes them in which
 * order, the states of rings and mailboxes, and what each side may believe of the other.
 *
 * Order. What one process sends goes out in its order. A call finds done what was sent before it,
 * by whomever; and before a handle is closed, what was sent through it. The server takes notice of
 * closed handles before it takes what was sent or called later. It replies to SEND when the MADs
 * that were to be received at once are in their handles.
 *
 * Flow. The server writes no more into a handle than its buffer takes, keeps the rest in the file's
 * own queue as the kernel would, and goes on: a program that does not read delays nobody else.
 *
 * Mailboxes. Who sends one request and waits for its answer would be woken by poll(2) and then
 * read; on one processor that is a large part of what a round trip takes. So a page has a mailbox:
 * a thread that waits through this library, and knows that the handle's socket is empty, says so
 * there, and the server may put one record into it instead of the socket (a futex wakes the thread
 * that sleeps). That a record comes so looks to others as if that thread had been the first to read
 * it. Whoever wants to wait for longer than ATTACH_MAILBOX_MS takes the mailbox back then and
 * polls: then the end of the server, or a cancellation, is seen.
 *
 * Large messages. What is larger than ATTACH_INLINE_MAX goes in a memfd that is sent along. SEND
 * then consists of the call alone. A received one is announced by a record of struct ib_user_mad
 * and the MAD's first 256 bytes, with the memfd holding the whole. A reader whose buffer is too
 * small for it leaves it where it is (MSG_PEEK); one that has taken it already gives it back with
 * PUT_BACK, and it is the next to come. The same goes for a plain MAD and a buffer of less than
 * 320 bytes.
 *
 * Ends. A message that is not as described here ends its connection and the handles opened through
 * it. When the server ends, handles say end of file: -EIO to the program, as for a removed device.
 *
 * Rights. The server admits processes of its own user and of root (SO_PEERCRED), libibumad
 * servers of its own user and of root; root attaches to any.
 */
#ifndef UMADRIG_LIB_ATTACH_PROTOCOL_H
#define UMADRIG_LIB_ATTACH_PROTOCOL_H

#include <stdint.h>

#include "lib/backend.h"

#define ATTACH_MAGIC UINT32_C(0x64616d75)	/* "umad" on a little-endian machine */
/*
 * Changes whenever something here does but HELLO itself and its reply: the server refuses another
 * one's, and says so.
 */
#define ATTACH_VERSION 4

enum {
	ATTACH_HEADER_SIZE = 64,	/* struct ib_user_mad */
	ATTACH_HEAD_SIZE = 320,		/* with 256 bytes of MAD: all, or the start, of a message */
	ATTACH_INLINE_MAX = 32768,	/* bytes of umad in one socket message, header included */
	ATTACH_REPLY_MAX = 65536,	/* a whole reply */
	ATTACH_HOST_SIZE = 256,
	ATTACH_SESSION_SIZE = 40,
	ATTACH_BANNER_SIZE = 256,
};

/* What is called; in brackets: what follows the call, and what follows the reply to a success. */
enum attach_op {
	ATTACH_HELLO = 1,	/* [struct attach_hello; banner as text]: 0, or ATTACH_ANNOUNCED */
	ATTACH_LIST_CAS = 2,	/* [-; names of UMAD_BACKEND_NAME_SIZE each] */
	ATTACH_GET_CA = 3,	/* [struct attach_port_name; struct attach_ca, ports as u32] */
	ATTACH_GET_PORT = 4,	/* [struct attach_port_name; struct port_attr, P_Keys as u16] */
	ATTACH_ISSM_PATH = 5,	/* [struct attach_port_name; path as text] */
	ATTACH_OPEN = 6,	/* [struct attach_port_name; -, and the handle's descriptor] */
	ATTACH_REGISTER = 7,	/* handle [struct attach_reg; the same, also after -EINVAL] */
	ATTACH_UNREGISTER = 8,	/* handle, argument: id [-; -] */
	ATTACH_SEND = 9,	/* handle [umad message; -], or a memfd and its size as argument */
	ATTACH_PUT_BACK = 10,	/* handle [umad message; -], or as for SEND */
	ATTACH_WATCH = 11,	/* [session as text; -]: has it looked at devices since? 1: yes */
	ATTACH_RING = 12,	/* a bell, an eventfd [-; -, and a memfd: struct attach_ring] */
	ATTACH_PAGE = 13,	/* handle [-; -, and a memfd: struct attach_page] */
	ATTACH_SYSFS = 14,	/* [-; path as text of a directory like the host's /sys/class] */
	/*
	 * [a line of the console (sim/console/console.h); what it tells, or after an errno why not,
	 * as text]; text of more than ATTACH_INLINE_MAX is in a memfd instead.
	 */
	ATTACH_CONSOLE = 15,
};

/*
 * The result of a HELLO from a program whose session is still watched: umadrig exec has said the
 * banner for all in it. What outlives that exec says it itself.
 */
#define ATTACH_ANNOUNCED 1

struct attach_call {
	uint32_t op;		/* enum attach_op */
	uint32_t argument;
	uint64_t handle;	/* cookie; 0 where the operation has none */
};

struct attach_reply {
	int64_t result;		/* as struct umad_backend's function returns it: count, 0, -errno */
};

struct attach_hello {
	uint32_t magic;		/* ATTACH_MAGIC */
	uint32_t version;	/* ATTACH_VERSION */
	char host[ATTACH_HOST_SIZE];	/* terminated; "": the server's default */
	char session[ATTACH_SESSION_SIZE];	/* terminated; "": none; see ATTACH_WATCH */
};

/* A device, or a port of it. */
struct attach_port_name {
	char ca_name[UMAD_BACKEND_NAME_SIZE];	/* terminated */
	uint32_t portnum;
	uint32_t parts;		/* GET_PORT: enum umad_backend_port_part */
};

/* struct umad_backend_ca without pointers. */
struct attach_ca {
	char name[UMAD_BACKEND_NAME_SIZE];
	char fw_ver[UMAD_BACKEND_NAME_SIZE];
	char hw_rev[UMAD_BACKEND_NAME_SIZE];
	char hca_type[UMAD_BACKEND_NAME_SIZE];
	uint64_t node_guid;
	uint64_t sys_image_guid;
	uint32_t node_type;
	uint32_t port_count;
};

/* struct umad_backend_reg. */
struct attach_reg {
	uint64_t method_mask[2];
	uint32_t request, qpn, flags, oui, id;
	uint8_t mgmt_class, mgmt_class_version, rmpp_version, reserved;
};

/* What a handle gives to be read. */
struct attach_record {
	uint64_t handle;	/* cookie */
	uint32_t size;		/* of the message, at most ATTACH_HEAD_SIZE */
	uint32_t is_large;	/* 1: it is the start of one that a memfd has, which came along */
	uint8_t bytes[ATTACH_HEAD_SIZE];
};

_Static_assert(sizeof(struct attach_record) == 16 + ATTACH_HEAD_SIZE, "no padding");
_Static_assert(sizeof(struct attach_call) == 16, "no padding");
_Static_assert(sizeof(struct attach_hello) == 8 + ATTACH_HOST_SIZE + ATTACH_SESSION_SIZE,
	       "no padding");
_Static_assert(sizeof(struct attach_port_name) == UMAD_BACKEND_NAME_SIZE + 8, "no padding");
_Static_assert(sizeof(struct attach_ca) == 4 * UMAD_BACKEND_NAME_SIZE + 24, "no padding");
_Static_assert(sizeof(struct attach_reg) == 40, "no padding");

#endif
