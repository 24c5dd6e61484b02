/*
 * backend-attach.c: a fabric in a server, which many processes share (attach-protocol.h).
 *
 * A handle is a socket into which the server puts MADs as read(2) would give them. Sends go through
 * the process's ring where they may (attach-ring.c); everything else is a call (attach-call.c).
 * Sends and receives allocate nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "attach-call.h"
#include "attach-device.h"
#include "attach-mailbox.h"
#include "attach-ring.h"
#include "attach-spin.h"
#include "backend-list.h"
#include "wire.h"

static char banner_text[ATTACH_BANNER_SIZE];
static bool is_announced;	/* "umadrig exec", whose session this is, has said the banner */

/*
 * Has an agent been registered here that does RMPP in the kernel's part? Only its handle can have
 * messages that a common buffer is too small for.
 */
static atomic_bool may_be_large;

/*
 * The handle that the kernel has last told the calling thread of a descriptor. It is believed for
 * one send, and for one wait: so who asks and is answered needs no system call to know its handle.
 */
static __thread struct {
	int fd;
	unsigned int opens;
	uint64_t cookie;
	bool may_send, may_wait;
} known __attribute__((tls_model("initial-exec")));
static atomic_uint opens;	/* and closes: a number may mean another handle since */

/* How the calling thread's waits for MADs went. */
static __thread struct {
	unsigned int in_row;	/* so often it has had to wait, one after the other */
	struct attach_spin spin;
} waits __attribute__((tls_model("initial-exec")));

/* ---- start ---- */

/* What a spec says; 'host' goes to its end, for a host's name may have any characters. */
struct attach_spec {
	char path[PATH_MAX];
	char session[ATTACH_SESSION_SIZE];
	const char *host;
};

/* A thread that comes later connects as well, wherever the program's directory is then. */
static int set_path(struct attach_spec *ret, const char *text, size_t length)
{
	size_t at = 0;

	if (text[0] != '/') {
		if (!getcwd(ret->path, sizeof(ret->path)))
			return -errno;
		at = strlen(ret->path);
		ret->path[at++] = '/';
	}
	if (at + length >= sizeof(ret->path))
		return -ENAMETOOLONG;
	memcpy(ret->path + at, text, length);
	ret->path[at + length] = '\0';
	return 0;
}

/* "SOCKET[,session=NAME][,host=NODE]". */
static int parse_spec(const char *text, struct attach_spec *ret)
{
	static const char host_mark[] = ",host=", session_mark[] = ",session=";
	const char *host = strstr(text, host_mark);
	const char *end = host ? host : text + strlen(text);
	const char *session = strstr(text, session_mark);
	size_t length;

	ret->host = host ? host + strlen(host_mark) : secure_getenv("UMADRIG_HOST");
	if (!ret->host)
		ret->host = "";
	ret->session[0] = '\0';
	if (session && session < end) {
		length = (size_t)(end - session) - strlen(session_mark);
		if (length >= sizeof(ret->session))
			return -ENAMETOOLONG;
		memcpy(ret->session, session + strlen(session_mark), length);
		ret->session[length] = '\0';
		end = session;
	}
	return end == text ? -EINVAL : set_path(ret, text, (size_t)(end - text));
}

static int attach_start(const char *text, char *reterr, size_t reterr_size)
{
	struct attach_spec spec;
	int r = parse_spec(text, &spec);

	if (r == 0)
		r = attach_call_setup(spec.path, spec.host, spec.session);
	if (r < 0) {
		snprintf(reterr, reterr_size, "%s: wanted is attach:SOCKET[,host=NODE]",
			 r == -EINVAL ? "a socket is missing" : strerror(-r));
		return r;
	}
	r = attach_call_connect(banner_text, sizeof(banner_text));
	if (r < 0)
		snprintf(reterr, reterr_size, "%s", banner_text);
	is_announced = spec.session[0] != '\0';
	return r;
}

static const char *attach_banner(void)
{
	return is_announced ? NULL : banner_text;
}

/* ---- handles ---- */

static int attach_open(const char *ca_name, unsigned int portnum, size_t *ret_header_size)
{
	struct attach_port_name name;
	struct attach_exchange exchange = {
		.call.op = ATTACH_OPEN,
		.data = &name,
		.size = sizeof(name),
		.fd = -1,
	};
	long r;

	if (attach_set_port_name(&name, ca_name, portnum, 0) < 0)
		return -EINVAL;
	attach_ring_check();
	r = attach_call(&exchange);
	if (r >= 0 && exchange.reply_fd < 0)
		r = -EMFILE;	/* the kernel could not give us another descriptor */
	if (r < 0)
		return (int)r;
	atomic_fetch_add(&opens, 1);
	*ret_header_size = ATTACH_HEADER_SIZE;
	return exchange.reply_fd;
}

/* What the server knows a handle by. -EBADF: it is no socket. */
static int cookie_of(int fd, uint64_t *ret_cookie)
{
	*ret_cookie = attach_cookie(fd);
	return *ret_cookie ? 0 : -EBADF;
}

static void know_handle(int fd, uint64_t cookie)
{
	known.fd = fd;
	known.opens = atomic_load_explicit(&opens, memory_order_relaxed);
	known.cookie = cookie;
	known.may_send = known.may_wait = true;
}

/* The handle's cookie, as it is known; 0: look. '*may': is it still believed? */
static uint64_t known_handle(int fd, bool *may)
{
	bool is_known = *may && known.fd == fd &&
			known.opens == atomic_load_explicit(&opens, memory_order_relaxed);

	*may = false;
	return is_known ? known.cookie : 0;
}

static int attach_close(int fd)
{
	uint64_t cookie;

	if (cookie_of(fd, &cookie) == 0)
		attach_ring_forget(cookie);
	atomic_fetch_add(&opens, 1);
	/* The server sees the last copy go; see the order that attach-protocol.h speaks of. */
	return close(fd) < 0 && errno == EBADF ? -EBADF : 0;
}

static int attach_register_agent(int fd, struct umad_backend_reg *reg)
{
	struct attach_reg packed = {
		.method_mask = { reg->method_mask[0], reg->method_mask[1] },
		.request = reg->request,
		.qpn = reg->qpn,
		.flags = reg->flags,
		.oui = reg->oui,
		.mgmt_class = reg->mgmt_class,
		.mgmt_class_version = reg->mgmt_class_version,
		.rmpp_version = reg->rmpp_version,
	};
	struct attach_exchange exchange = {
		.call.op = ATTACH_REGISTER,
		.data = &packed,
		.size = sizeof(packed),
		.fd = -1,
		.reply = &packed,
		.reply_room = sizeof(packed),
	};
	long r = cookie_of(fd, &exchange.call.handle);

	if (r < 0)
		return (int)r;
	if (reg->rmpp_version != 0)
		atomic_store(&may_be_large, true);
	r = attach_call(&exchange);
	if (exchange.reply_size == sizeof(packed)) {
		reg->id = r == 0 ? packed.id : reg->id;
		reg->flags = r == -EINVAL ? packed.flags : reg->flags;
	}
	return (int)r;
}

static int attach_unregister_agent(int fd, uint32_t id)
{
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_UNREGISTER, .argument = id },
		.fd = -1,
	};
	int r = cookie_of(fd, &exchange.call.handle);

	return r < 0 ? r : (int)attach_call(&exchange);
}

/* ---- send ---- */

/* A memfd with the message in it. */
static int make_memfd(const uint8_t *bytes, size_t size, int *ret_fd)
{
	int fd = memfd_create("umad", MFD_CLOEXEC);
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (done < size) {
		ssize_t n = write(fd, bytes + done, size - done);

		if (n < 0 && errno != EINTR) {
			int error = errno;

			close(fd);
			return -error;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	*ret_fd = fd;
	return 0;
}

/* Sends through the handle of a cookie. */
static long send_through(uint64_t cookie, const void *umad, size_t size)
{
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_SEND, .handle = cookie },
		.data = umad,
		.size = size,
		.fd = -1,
	};
	long r = attach_ring_send(cookie, umad, size);

	if (r > 0)
		return r;
	if (size <= ATTACH_INLINE_MAX)
		return attach_call(&exchange);
	if (size > UINT32_MAX)
		return -EINVAL;
	r = make_memfd(umad, size, &exchange.fd);
	if (r < 0)
		return -ENOMEM;
	exchange.size = 0;
	exchange.call.argument = (uint32_t)size;
	r = attach_call(&exchange);
	close(exchange.fd);
	return r;
}

static long attach_send(int fd, const void *umad, size_t size)
{
	uint64_t cookie = known_handle(fd, &known.may_send);
	long r = cookie ? send_through(cookie, umad, size) : -EBADF;

	/* Without this library the descriptor has become another's? */
	if (r == -EBADF) {
		r = cookie_of(fd, &cookie);
		if (r == 0) {
			r = send_through(cookie, umad, size);
			know_handle(fd, cookie);
			known.may_send = false;
		}
	}
	return r;
}

/* ---- receive ---- */

/* Too late seen to be too large: it goes back to the head of the file's queue. */
static void put_back(uint64_t cookie, const void *bytes, size_t size, int memfd,
		     size_t memfd_size)
{
	struct attach_exchange exchange = {
		.call = {
			.op = ATTACH_PUT_BACK, .handle = cookie, .argument = (uint32_t)memfd_size,
		},
		.data = bytes,
		.size = memfd >= 0 ? 0 : size,
		.fd = memfd,
	};

	attach_call(&exchange);
}

/* Nobody else has it now, so that its offset is ours. */
static long read_memfd(int memfd, uint8_t *to, size_t size)
{
	size_t done = 0;

	if (lseek(memfd, 0, SEEK_SET) < 0)
		return -EIO;
	while (done < size) {
		ssize_t n = read(memfd, to + done, size - done);

		if (n == 0 || (n < 0 && errno != EINTR))
			return -EIO;
		done += n > 0 ? (size_t)n : 0;
	}
	return (long)done;
}

static long socket_error(long n)
{
	switch (-n) {
	case ENOTSOCK:
		return -EBADF;
	case ECONNRESET:
		return -EIO;
	default:
		return n;
	}
}

/* A large one has been taken off the socket, its start is in 'record'. */
static long take_large(int memfd, const struct attach_record *record, uint8_t *umad,
		       size_t size)
{
	off_t whole = lseek(memfd, 0, SEEK_END);
	long n = -EIO;

	if (whole >= 0 && (size_t)whole <= size) {
		n = read_memfd(memfd, umad, (size_t)whole);
	} else if (whole >= 0) {
		put_back(record->handle, NULL, 0, memfd, (size_t)whole);
		if (size >= ATTACH_HEAD_SIZE)
			memcpy(umad, record->bytes, ATTACH_HEAD_SIZE);
		n = size >= ATTACH_HEAD_SIZE ? -ENOSPC : -EINVAL;
	}
	close(memfd);
	return n;
}

/* A plain one that has come: as attach_recv(). */
static long give(int fd, const struct attach_record *record, uint8_t *umad, size_t size)
{
	if (record->size > size) {
		put_back(record->handle, record->bytes, record->size, -1, 0);
		return -EINVAL;
	}
	copy_bytes(umad, record->bytes, record->size);
	know_handle(fd, record->handle);
	return (long)record->size;
}

/* Takes the next message, which most likely fits: as attach_recv(). */
static long take(int fd, uint8_t *umad, size_t size)
{
	struct attach_record record;
	int memfd = -1, flags = 0;
	long n;

	n = attach_receive(fd, &record, sizeof(record), MSG_DONTWAIT, &memfd, &flags);
	if (n < 0)
		return socket_error(n);
	if (memfd >= 0)
		return take_large(memfd, &record, umad, size);
	if (n < (long)sizeof(record) || record.size > ATTACH_HEAD_SIZE || record.is_large) {
		attach_ring_check();	/* the device or the server is gone */
		return -EIO;
	}
	return give(fd, &record, umad, size);
}

/* Looks whether the next message fits, and where it does not leaves it: 0, or as recv says then. */
static long look(int fd, uint8_t *umad, size_t size)
{
	struct attach_record record;
	struct ib_user_mad header;
	ssize_t n = recv(fd, &record, sizeof(record), MSG_PEEK | MSG_DONTWAIT);

	if (n < 0)
		return socket_error(-errno);
	if (n < (ssize_t)sizeof(record))
		return -EIO;
	if (!record.is_large)
		return record.size > size ? -EINVAL : 0;
	if (size < ATTACH_HEAD_SIZE)
		return -EINVAL;
	memcpy(&header, record.bytes, sizeof(header));
	if (header.length <= size)
		return 0;
	memcpy(umad, record.bytes, ATTACH_HEAD_SIZE);
	return -ENOSPC;
}

/* A wait that a signal's handler has interrupted, or left, must not keep what comes. */
static void leave_mailbox(void)
{
	struct attach_record record;

	if (attach_mailbox_leave(&record))
		put_back(record.handle, record.bytes, record.size, -1, 0);
}

static long receive(int fd, void *umad, size_t size)
{
	long n;

	if (size < ATTACH_HEADER_SIZE)
		return -EINVAL;
	if (size < ATTACH_HEAD_SIZE || atomic_load_explicit(&may_be_large, memory_order_relaxed)) {
		n = look(fd, umad, size);
		if (n < 0)
			return n;
	}
	return take(fd, umad, size);
}

static long attach_recv(int fd, void *umad, size_t size)
{
	long n;

	leave_mailbox();
	n = receive(fd, umad, size);
	if (n == -EAGAIN)
		attach_ring_flush();
	return n;
}

static int poll_one(int fd, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int n = poll(&pfd, 1, timeout_ms);

	if (n < 0)
		n = -errno;
	return n > 0 ? pfd.revents : n;
}

static int attach_poll(int fd, int timeout_ms)
{
	struct attach_wait wait;
	int n;

	leave_mailbox();
	attach_ring_wait_begins(0, &wait);
	n = poll_one(fd, timeout_ms);
	attach_ring_wait_over(&wait);
	return n;
}

static int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Looks again for a moment, where that has proved to find something. */
static long spin(int fd, void *umad, size_t size)
{
	enum { SPIN_NS = 100000, PAUSES = 16 };
	int64_t from_ns;
	long n;

	if (!attach_spin_may(&waits.spin))
		return -EAGAIN;
	from_ns = monotonic_ns();
	do {
		for (unsigned int i = 0; i < PAUSES; i++)
			attach_pause();
		n = receive(fd, umad, size);
	} while (n == -EAGAIN && monotonic_ns() - from_ns < SPIN_NS);
	attach_spin_done(&waits.spin, n != -EAGAIN);
	return n;
}

/* Looks into the socket, and notes when it is empty. */
static long look_for_mailbox(int fd, void *umad, size_t size, const struct attach_page *page,
			     uint64_t cookie)
{
	uint32_t written = attach_mailbox_written(page);
	long n = receive(fd, umad, size);

	if (n == -EAGAIN)
		attach_mailbox_saw_empty(cookie, written);
	return n;
}

/* Waits in the mailbox of a handle, for a moment. -EAGAIN: the socket is to be asked. */
static long wait_in_mailbox(int fd, void *umad, size_t size, const struct attach_wait *wait,
			    uint64_t cookie, int *timeout_ms)
{
	enum { TRIES = 3 };
	struct attach_record record;

	for (unsigned int i = 0; i < TRIES; i++) {
		long n = attach_mailbox_wait(wait->page, cookie, wait->serial,
					     wait->is_elsewhere ? &waits.spin : NULL, timeout_ms,
					     &record);

		if (n == 0)
			return give(fd, &record, umad, size);
		if (n == -ESTALE)
			n = look_for_mailbox(fd, umad, size, wait->page, cookie);
		else if (n == -EAGAIN)
			return n;
		if (n != -EAGAIN)
			return n;
	}
	return -EAGAIN;
}

/* Has found nothing: waits. As attach_recv_wait(). */
static long wait_and_receive(int fd, void *umad, size_t size, int timeout_ms)
{
	uint64_t cookie = size < ATTACH_HEAD_SIZE ? 0 : known_handle(fd, &known.may_wait);
	struct attach_wait wait;
	int events = 0;
	long n = -EAGAIN;

	attach_ring_wait_begins(cookie, &wait);
	if (wait.page)
		n = wait_in_mailbox(fd, umad, size, &wait, cookie, &timeout_ms);
	else if (wait.is_elsewhere)
		n = spin(fd, umad, size);
	if (n == -EAGAIN)
		events = poll_one(fd, timeout_ms);
	attach_ring_wait_over(&wait);
	if (n == -ERESTART)
		return -EAGAIN;		/* who waits for a time looks how much is left */
	if (n != -EAGAIN || events < 0)
		return n != -EAGAIN ? n : events;
	if (events == 0)
		return -ETIMEDOUT;
	return events & POLLNVAL ? -EBADF : attach_recv(fd, umad, size);
}

/*
 * Looks first, or waits first, whichever has proved to take fewer system calls: a program that has
 * many requests out finds an answer, one that asks and waits does not.
 */
static long attach_recv_wait(int fd, void *umad, size_t size, int timeout_ms)
{
	enum { WAITS_FIRST = 4, LOOKS_AGAIN = 16 };
	bool looks = waits.in_row < WAITS_FIRST || waits.in_row % LOOKS_AGAIN == 0;
	long n = -EAGAIN;

	leave_mailbox();
	if (looks)
		n = receive(fd, umad, size);
	waits.in_row = n == -EAGAIN ? waits.in_row + 1 : 0;
	return n == -EAGAIN ? wait_and_receive(fd, umad, size, timeout_ms) : n;
}

const struct umad_backend umad_backend_attach = {
	.abi = UMAD_BACKEND_ABI,
	.name = "attach",
	.start = attach_start,
	.banner = attach_banner,
	.host_enter = attach_call_enter,
	.list_cas = attach_list_cas,
	.get_ca = attach_get_ca,
	.get_port = attach_get_port,
	.issm_path = attach_issm_path,
	.open = attach_open,
	.close = attach_close,
	.register_agent = attach_register_agent,
	.unregister_agent = attach_unregister_agent,
	.send = attach_send,
	.recv = attach_recv,
	.poll = attach_poll,
	.recv_wait = attach_recv_wait,
};
