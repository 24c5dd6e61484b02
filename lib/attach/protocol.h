/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The protocol between libibumad (lib/attach/backend.c) and a fabric server (sim/server/server.c).
 *
 * Both are on one machine, over AF_UNIX SOCK_SEQPACKET sockets: one message is one operation and is
 * never torn, however many threads and processes share the socket. Numbers are in host byte order.
 *
 * Connections. Each thread that makes calls has one to the server's socket, and a forked child
 * makes its own. It starts with HELLO, which names the host whose devices the connection sees.
 * Then: one call (struct attach_call and what belongs to it), one reply (struct attach_reply and
 * what belongs to it), strictly in turn. A connection leaves no state behind, and does not own what
 * its thread opened: calls name handles, and any connection may name any handle.
 *
 * Handles. What umad_open_port() returns is one end of a socket pair, which came with the reply to
 * OPEN. The server writes each received MAD into the other end, as a struct attach_record. So the
 * descriptor is readable exactly while a receive would not return -EAGAIN, and poll, select, epoll,
 * dup, fork and threads work as with the kernel's: the file closes with the last copy, and each
 * reader gets a whole MAD. These sockets are streams, so that one system call can write many
 * records. No record is torn: the server writes no more at a time than fits into one buffer of the
 * kernel's, and each read takes one record. Nothing goes the other way, so replies never mix with
 * MADs.
 *
 * A call names a handle by its token (lib/base/handle-token.h), which the kernel keeps in the
 * socket: it is the same for all copies of a descriptor, and no other socket has it. So there is no
 * table of descriptors that could be wrong, whatever a program does with dup2(2). And nobody can
 * guess it: who can name a handle, in a call or in a ring, has its descriptor or was told by one
 * who has. Received records hold the token, too: the first send after a receive assumes that the
 * descriptor is still the same handle.
 *
 * A handle's socket also has a name (lib/base/handle-name.h), by which libumadraw knows one that
 * its process has not opened.
 *
 * Programs. The server counts what each process uses, and gives it no more than its limits. One
 * that opens handles for several programs (a supervisor of system calls, a bridge) says in OPEN for
 * which, so that none of them uses up what the others need.
 *
 * Sends. SEND is a call like others, and its reply is what write(2) of a umad file returns. But
 * most sends need no call: a program that knows that one will succeed puts it into its ring, memory
 * that a process and the server share (RING; struct attach_ring), rings a bell if the server
 * sleeps, and is done. What it needs to know is in the handle's page (PAGE; struct attach_page),
 * which the server keeps up to date: the agents, the port, and how many sends with a hash of TID
 * and class are outstanding, because Linux refuses a second one that cannot be told apart from the
 * first. A send that is not certain to succeed (segments, a GRH, a possible double, any error), and
 * one that finds the ring full, is a call, so that every errno is the kernel's. The server checks
 * sends from a ring like calls. A server need not support RING and PAGE (a bridge does not): then
 * all sends are calls.
 *
 * A program that closes every descriptor it does not know ends its ring, and still has the memory.
 * So the server takes what was put, and then marks the ring as ended in 'put'; a thread that puts
 * something changes 'put' by compare-and-exchange: either its send is taken, or it was not put and
 * is sent again, by a new ring. A server that is killed marks nothing; what it has not taken is
 * lost like what it has, and the handles report end of file.
 *
 * Shared memory. lib/attach/attach-memory.h describes it: its words, which side writes them in
 * which order, the states of rings and mailboxes, and what each side may trust.
 *
 * Order. The MADs of one process go out in the order in which it sends them. All sends that precede
 * a call, from any process, are done before the call; all sends through a handle are done before it
 * is closed. The server notices closed handles before it takes later sends and calls. It replies to
 * SEND when the MADs that can be received at once are in their handles.
 *
 * Flow. The server writes no more into a handle than its buffer takes, keeps the rest in the file's
 * own queue as the kernel would, and goes on: a program that does not read does not delay others.
 *
 * Mailboxes. A thread that sends one request and waits for its answer would be woken by poll(2) and
 * then read; on one processor that is a large part of a round trip. So a page has a mailbox: a
 * thread that waits through this library, and knows that the handle's socket is empty, opens the
 * mailbox, and the server may put one record into it instead of the socket (a futex wakes the
 * sleeping thread). To other readers this looks as if that thread had been the first to read. A
 * thread that waits for longer than ATTACH_MAILBOX_MS then takes the mailbox back and polls, and so
 * notices the end of the server, or a cancellation.
 *
 * Large messages. A message larger than ATTACH_INLINE_MAX is in a memfd that is sent along. SEND
 * then consists of the call alone. A memfd with more than ATTACH_COPIED_MAX bytes to be sent is
 * sealed against writing and shrinking: the server sends out of it, without a copy. A received one
 * is announced by a record of struct ib_user_mad and the MAD's first 256 bytes, with the memfd
 * holding the whole. A reader whose buffer is too small for it leaves it in the socket (MSG_PEEK);
 * one that has already taken it returns it with PUT_BACK, and it is the next to be read. The same
 * goes for a plain MAD and a buffer of less than 320 bytes.
 *
 * Ends. A message that is not as described here ends its connection and the handles opened through
 * it. When the server ends, handles report end of file: -EIO to the program, as for a removed
 * device.
 *
 * Rights. The server admits processes of its own user, of root, and of users that it was told to
 * admit (SO_PEERCRED); where root runs programs on a fabric of its own, also what descends from the
 * server's process. libibumad attaches to servers of its own user and of root, and root attaches to
 * any.
 *
 * Containers. A program may see no file of the server's but its socket, have another PID namespace
 * and another number for its user. So no call relies on a path: where a reply has one, there is
 * another way for a program that does not find it.
 */
#ifndef UMADRIG_LIB_ATTACH_PROTOCOL_H
#define UMADRIG_LIB_ATTACH_PROTOCOL_H

#include <stdint.h>

#include "lib/backend.h"

#define ATTACH_MAGIC UINT32_C(0x64616d75)	/* "umad" on a little-endian machine */
/*
 * Changes whenever anything here does, except HELLO, CONSOLE and their replies, which never change:
 * the server refuses the HELLO of another version, and says so; CONSOLE needs none, so that umadrig
 * ctl reaches a server of any version. tests/release/versions has what each version was.
 */
#define ATTACH_VERSION 14

enum {
	ATTACH_HEADER_SIZE = 64,	/* struct ib_user_mad */
	ATTACH_HEAD_SIZE = 320,		/* with 256 bytes of MAD: a whole message, or its start */
	ATTACH_INLINE_MAX = 32768,	/* bytes of umad in one socket message, header included */
	ATTACH_COPIED_MAX = 1 << 20,	/* a memfd of SEND with more is sealed: it is not copied */
	ATTACH_REPLY_MAX = 65536,	/* a whole reply */
	ATTACH_HOST_SIZE = 256,
	ATTACH_SESSION_SIZE = 40,
	ATTACH_BANNER_SIZE = 256,
	ATTACH_STORE_MAX = 4096,	/* bytes of one write to a file of /sys, as in Linux */
};

/* The calls; in brackets: what follows the call, and what follows the reply on success. */
enum attach_op {
	ATTACH_HELLO = 1,	/* [struct attach_hello; banner as text]: 0, or ATTACH_ANNOUNCED */
	ATTACH_LIST_CAS = 2,	/* [-; names of UMAD_BACKEND_NAME_SIZE each] */
	ATTACH_GET_CA = 3,	/* [struct attach_port_name; struct attach_ca, ports as u32] */
	ATTACH_GET_PORT = 4,	/* [struct attach_port_name; struct port_attr, P_Keys as u16] */
	/* [struct attach_port_name; path as text, and mostly an O_PATH descriptor] */
	ATTACH_ISSM_PATH = 5,
	/*
	 * argument: the number of the program that it is for, 0 for the caller itself [struct
	 * attach_port_name; -, and the handle's descriptor]
	 */
	ATTACH_OPEN = 6,
	ATTACH_REGISTER = 7,	/* handle [struct attach_reg; the same, also after -EINVAL] */
	ATTACH_UNREGISTER = 8,	/* handle, argument: id [-; -] */
	ATTACH_SEND = 9,	/* handle [umad message; -], or a memfd and its size as argument */
	ATTACH_PUT_BACK = 10,	/* handle [umad message; -], or as for SEND */
	ATTACH_WATCH = 11,	/* [session as text; -]: 1: it has looked at devices since */
	ATTACH_RING = 12,	/* a bell, an eventfd [-; -, and a memfd: struct attach_ring] */
	ATTACH_PAGE = 13,	/* handle [-; -, and a memfd: struct attach_page] */
	/*
	 * [-; path as text of a directory like the host's /sys, mostly with a descriptor].
	 * argument: ATTACH_SYSFS_UNSEEN, or 0.
	 */
	ATTACH_SYSFS = 14,
	/*
	 * [a line of the console (sim/console/console.h); its output, or the reason after an errno,
	 * as text]; text of more than ATTACH_INLINE_MAX is in a memfd instead.
	 */
	ATTACH_CONSOLE = 15,
	/*
	 * For programs that do not see the directory of SYSFS [u64: the number of the last change
	 * that they have, 0 for none; struct attach_changes, then for each file its struct
	 * attach_change, name and text; in a memfd if it is more than ATTACH_INLINE_MAX]. The one
	 * call whose reply waits, until there are changes; no other may follow before it.
	 */
	ATTACH_SYSFS_CHANGES = 16,
	/*
	 * Of programs in virtual time, which alone move the clock of their server [a deadline, i64;
	 * -]: to the next event of the fabric, if it is not after the deadline, otherwise to the
	 * deadline. The result is the time then, in ns since the fabric was made; -EDEADLK: neither
	 * will ever come. What can be read at that time is in the handles before the reply. Such a
	 * server has neither RING nor PAGE (-EOPNOTSUPP): every send is a call.
	 */
	ATTACH_ADVANCE = 17,
	/*
	 * Of programs in virtual time, too: a signal that is owed to another program of the
	 * session, by one that has become a user who may not send it. argument: its number [struct
	 * attach_signal; -].
	 */
	ATTACH_SIGNAL = 18,
	/*
	 * The caller has opened an issm path, or has closed one [-; -]: the server looks, and what
	 * it shows in /sys is as the issm paths are before the reply. The result is the number of
	 * the last change (SYSFS_CHANGES) of the host's files then, by which who has a copy of them
	 * knows that it is as new; 0: nobody has asked for them.
	 */
	ATTACH_ISSM_LOOK = 19,
	/*
	 * Of the attendant of a session in virtual time (sim/server/errands.h): the next command
	 * that it is to start [-; u32: 1 if it is asked how that ends, then the command as text].
	 * The result is the errand's number; -EAGAIN: there is none, and SIGUSR1 comes with the
	 * next one.
	 */
	ATTACH_ERRAND = 20,
	/* One has ended that was asked for [struct attach_errand_end, then its last line; -]. */
	ATTACH_ERRAND_END = 21,
	/*
	 * A program that is to run in the caller's host, which is a guest (sim/guests/guest.h). It
	 * is the connection's only one, and is killed when that ends.
	 *
	 * First its descriptors [-; -], one a call. argument: enum attach_guest_stream.
	 */
	ATTACH_GUEST_STREAM = 22,
	/*
	 * Then what it is [struct attach_guest_run, then texts with a NUL each: its directory, its
	 * arguments, each NAME=value of its whole environment; - or the reason]. In a memfd, with
	 * its size as argument, if that is more than ATTACH_INLINE_MAX. -EOPNOTSUPP: the host is no
	 * guest. How it has ended comes out of the descriptor ATTACH_GUEST_END: i32, as of
	 * waitpid(2).
	 */
	ATTACH_GUEST_RUN = 23,
	/* argument: a signal for it [-; -]. -ESRCH: it is over. */
	ATTACH_GUEST_SIGNAL = 24,
	/*
	 * A program writes a file of the host's view, which the caller has asked for by SYSFS or
	 * SYSFS_CHANGES [its path below /sys and a NUL, then what is written; -]. The result is
	 * what the kernel's file would return: how much was taken, or -errno. What is shown is as
	 * new before the reply, as for ISSM_LOOK.
	 */
	ATTACH_SYSFS_STORE = 25,
	/*
	 * Of programs in virtual time: messages of their host's kernel (lib/backend.h, kernel_log).
	 * argument: enum umad_backend_log [u64: how much room there is; for OPEN a descriptor, for
	 * LIST text, for those of a descriptor struct attach_log_reply and text].
	 *
	 * The descriptor is a socket, whose name says what it is (lib/base/handle-name.h), and
	 * whose token is the handle. It has a byte in it, which means nothing else, exactly while
	 * READ would not return -EAGAIN.
	 */
	ATTACH_KERNEL_LOG = 26,
	/*
	 * Of programs in virtual time: netlink sockets of uevents of their host (lib/backend.h,
	 * uevent) [struct umad_backend_uevent and a value; for OPEN a descriptor, others as said
	 * there]. The descriptor is a socket as of KERNEL_LOG.
	 */
	ATTACH_UEVENT = 27,
};

enum attach_guest_stream {
	ATTACH_GUEST_INPUT,	/* may be missing: then it has none */
	ATTACH_GUEST_OUTPUT,
	ATTACH_GUEST_ERRORS,
	ATTACH_GUEST_END,
	ATTACH_GUEST_STREAMS
};

struct attach_guest_run {
	uint32_t arguments;	/* how many: 1 or more */
};

/*
 * A program in virtual time asks for the directory that stands for /sys, and there is no
 * descriptor. -EEXIST: /sys itself shows it; -EOPNOTSUPP: the server is in real time.
 */
#define ATTACH_SYSFS_UNSEEN 1

/*
 * The result of a HELLO from a program whose session is still watched: umadrig exec has printed the
 * banner for all programs of the session. Programs that outlive that exec print it themselves.
 */
#define ATTACH_ANNOUNCED 1

struct attach_call {
	uint32_t op;		/* enum attach_op */
	uint32_t argument;
	uint64_t handle;	/* token; 0 where the operation has none */
};

struct attach_reply {
	int64_t result;		/* as struct umad_backend's function returns it: count, 0, -errno */
};

struct attach_errand_end {
	uint64_t number;
	int32_t status;		/* as of waitpid(2) */
	uint32_t unused;
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
	uint32_t request;	/* enum umad_backend_request */
	uint32_t qpn, flags, oui, id;
	uint8_t mgmt_class, mgmt_class_version, rmpp_version, reserved;
};

/* What has changed in a host's /sys. */
struct attach_changes {
	uint64_t last;		/* the number of the latest change; numbers grow */
};

enum attach_change_kind {
	ATTACH_CHANGE_FILE,	/* has been written; its directories are made */
	ATTACH_CHANGE_LINK,	/* the same; the text is its target */
	ATTACH_CHANGE_WRITABLE,	/* a file that SYSFS_STORE may be asked for */
	ATTACH_CHANGE_REMOVED,	/* a file, a link, or a directory with all in it */
};

/* A name in /sys, and what has happened to it. */
struct attach_change {
	uint32_t kind;		/* enum attach_change_kind */
	uint32_t name_size;	/* of "class/infiniband/H1", not terminated */
	uint32_t text_size;
};

/* Of kernel messages. */
struct attach_log_reply {
	uint32_t is_at_end;	/* 1: the caller takes out of the socket what is in it */
};

struct attach_signal {
	int32_t pid, tid;	/* tid 0: for the process */
	uint8_t info[128];	/* siginfo_t; SI_USER: as by kill(2) */
};

/* A record that is read from a handle. */
struct attach_record {
	uint64_t handle;	/* token */
	uint32_t size;		/* of the message, at most ATTACH_HEAD_SIZE */
	uint32_t is_large;	/* 1: it is the start; a memfd has the whole */
	uint8_t bytes[ATTACH_HEAD_SIZE];
};

_Static_assert(sizeof(struct attach_record) == 16 + ATTACH_HEAD_SIZE, "no padding");
_Static_assert(sizeof(struct attach_call) == 16, "no padding");
_Static_assert(sizeof(struct attach_hello) == 8 + ATTACH_HOST_SIZE + ATTACH_SESSION_SIZE,
	       "no padding");
_Static_assert(sizeof(struct attach_port_name) == UMAD_BACKEND_NAME_SIZE + 8, "no padding");
_Static_assert(sizeof(struct attach_ca) == 4 * UMAD_BACKEND_NAME_SIZE + 24, "no padding");
_Static_assert(sizeof(struct attach_reg) == 40, "no padding");
_Static_assert(sizeof(struct attach_change) == 12, "no padding");

#endif
