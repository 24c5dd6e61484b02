/*
 * backend-attach.c: a fabric in a server, which many processes share (attach-protocol.h).
 *
 * A handle is a socket into which the server puts MADs as read(2) would give them; everything
 * else is a call (attach-call.c). Sends and receives allocate nothing.
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
#include <unistd.h>

#include <infiniband/umad.h>

#include "attach-call.h"
#include "backend-list.h"

static char banner_text[ATTACH_BANNER_SIZE];
static bool is_announced;	/* "umadrig exec", whose session this is, has said the banner */

/*
 * Has an agent been registered here that does RMPP in the kernel's part? Only its handle can have
 * messages that a common buffer is too small for.
 */
static atomic_bool may_be_large;

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

/* ---- devices ---- */

static int set_port_name(struct attach_port_name *name, const char *ca_name, unsigned int portnum,
			 unsigned int parts)
{
	if (strlen(ca_name) >= sizeof(name->ca_name))
		return -ENAMETOOLONG;
	memset(name, 0, sizeof(*name));
	strcpy(name->ca_name, ca_name);
	name->portnum = portnum;
	name->parts = parts;
	return 0;
}

/* Asks 'op' of a device or port; what is behind the reply is malloc'd into '*ret_reply'. */
static long look_up(enum attach_op op, const struct attach_port_name *name, uint8_t **ret_reply,
		    size_t *ret_size)
{
	struct attach_exchange exchange = {
		.call.op = op,
		.data = name,
		.size = name ? sizeof(*name) : 0,
		.fd = -1,
		.reply = malloc(ATTACH_REPLY_MAX),
		.reply_room = ATTACH_REPLY_MAX,
	};
	long r;

	if (!exchange.reply)
		return -ENOMEM;
	r = attach_call(&exchange);
	if (r < 0) {
		free(exchange.reply);
		return r;
	}
	*ret_reply = exchange.reply;
	*ret_size = exchange.reply_size;
	return r;
}

static int attach_list_cas(char (**ret_names)[UMAD_BACKEND_NAME_SIZE], size_t *ret_count)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	uint8_t *reply;
	size_t size;
	long r = look_up(ATTACH_LIST_CAS, NULL, &reply, &size);

	if (r < 0)
		return (int)r;
	*ret_count = size / sizeof(*names);
	names = (char (*)[UMAD_BACKEND_NAME_SIZE])(void *)reply;
	for (size_t i = 0; i < *ret_count; i++)
		names[i][UMAD_BACKEND_NAME_SIZE - 1] = '\0';
	if (*ret_count == 0) {
		free(reply);
		names = NULL;
	}
	*ret_names = names;
	return 0;
}

static void copy_text(char to[UMAD_BACKEND_NAME_SIZE], const char from[UMAD_BACKEND_NAME_SIZE])
{
	memcpy(to, from, UMAD_BACKEND_NAME_SIZE);
	to[UMAD_BACKEND_NAME_SIZE - 1] = '\0';
}

static int unpack_ca(const uint8_t *reply, size_t size, struct umad_backend_ca *ret)
{
	struct umad_backend_ca ca = { .node_type = 0 };
	struct attach_ca packed;
	size_t numbers_size;

	if (size < sizeof(packed))
		return -EIO;
	memcpy(&packed, reply, sizeof(packed));
	numbers_size = packed.port_count * sizeof(*ca.port_nums);
	if (size - sizeof(packed) != numbers_size)
		return -EIO;
	copy_text(ca.name, packed.name);
	copy_text(ca.fw_ver, packed.fw_ver);
	copy_text(ca.hw_rev, packed.hw_rev);
	copy_text(ca.hca_type, packed.hca_type);
	ca.node_type = packed.node_type;
	ca.node_guid = packed.node_guid;
	ca.sys_image_guid = packed.sys_image_guid;
	ca.port_count = packed.port_count;
	ca.port_nums = malloc(numbers_size ? numbers_size : 1);
	if (!ca.port_nums)
		return -ENOMEM;
	memcpy(ca.port_nums, reply + sizeof(packed), numbers_size);
	*ret = ca;
	return 0;
}

static int attach_get_ca(const char *ca_name, struct umad_backend_ca *ret)
{
	struct attach_port_name name;
	uint8_t *reply;
	size_t size;
	long r;

	if (set_port_name(&name, ca_name, 0, 0) < 0)
		return -ENOENT;
	r = look_up(ATTACH_GET_CA, &name, &reply, &size);
	if (r < 0)
		return (int)r;
	r = unpack_ca(reply, size, ret);
	free(reply);
	return (int)r;
}

static int unpack_port(const uint8_t *reply, size_t size, struct umad_backend_port *ret)
{
	struct umad_backend_port port = { .portnum = 0 };
	struct attach_port packed;
	size_t pkeys_size;

	if (size < sizeof(packed))
		return -EIO;
	memcpy(&packed, reply, sizeof(packed));
	pkeys_size = packed.pkey_count * sizeof(*port.pkeys);
	if (size - sizeof(packed) != pkeys_size)
		return -EIO;
	port.portnum = packed.portnum;
	port.lid = packed.lid;
	port.lmc = packed.lmc;
	port.sm_lid = packed.sm_lid;
	port.sm_sl = packed.sm_sl;
	port.state = packed.state;
	port.phys_state = packed.phys_state;
	port.rate = packed.rate;
	port.cap_mask = packed.cap_mask;
	port.gid_prefix = packed.gid_prefix;
	port.port_guid = packed.port_guid;
	copy_text(port.link_layer, packed.link_layer);
	if (pkeys_size > 0) {
		port.pkeys = malloc(pkeys_size);
		if (!port.pkeys)
			return -ENOMEM;
		memcpy(port.pkeys, reply + sizeof(packed), pkeys_size);
		port.pkey_count = packed.pkey_count;
	}
	*ret = port;
	return 0;
}

static int attach_get_port(const char *ca_name, unsigned int portnum, unsigned int parts,
			   struct umad_backend_port *ret)
{
	struct attach_port_name name;
	uint8_t *reply;
	size_t size;
	long r;

	if (set_port_name(&name, ca_name, portnum, parts) < 0)
		return -ENOENT;
	r = look_up(ATTACH_GET_PORT, &name, &reply, &size);
	if (r < 0)
		return (int)r;
	r = unpack_port(reply, size, ret);
	free(reply);
	return (int)r;
}

static int attach_issm_path(const char *ca_name, unsigned int portnum, char *path, size_t size)
{
	struct attach_port_name name;
	uint8_t *reply;
	size_t length;
	long r;

	if (set_port_name(&name, ca_name, portnum, 0) < 0)
		return -EINVAL;
	r = look_up(ATTACH_ISSM_PATH, &name, &reply, &length);
	if (r < 0)
		return (int)r;
	if (length < size) {
		memcpy(path, reply, length);
		path[length] = '\0';
	} else {
		r = -ENAMETOOLONG;
	}
	free(reply);
	return (int)r;
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

	if (set_port_name(&name, ca_name, portnum, 0) < 0)
		return -EINVAL;
	r = attach_call(&exchange);
	if (r >= 0 && exchange.reply_fd < 0)
		r = -EMFILE;	/* the kernel could not give us another descriptor */
	if (r < 0)
		return (int)r;
	*ret_header_size = ATTACH_HEADER_SIZE;
	return exchange.reply_fd;
}

static int attach_close(int fd)
{
	/* The server sees the last copy go; see the order that attach-protocol.h speaks of. */
	return close(fd) < 0 && errno == EBADF ? -EBADF : 0;
}

/* What the server knows a handle by. -EBADF: it is no socket. */
static int cookie_of(int fd, uint64_t *ret_cookie)
{
	socklen_t size = sizeof(*ret_cookie);

	return getsockopt(fd, SOL_SOCKET, SO_COOKIE, ret_cookie, &size) < 0 ? -EBADF : 0;
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

static long attach_send(int fd, const void *umad, size_t size)
{
	struct attach_exchange exchange = {
		.call.op = ATTACH_SEND,
		.data = umad,
		.size = size,
		.fd = -1,
	};
	long r = cookie_of(fd, &exchange.call.handle);

	if (r < 0)
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

/* ---- receive ---- */

/* Too late seen to be too large: it goes back to the head of the file's queue. */
static void put_back(int fd, const void *bytes, size_t size, int memfd, size_t memfd_size)
{
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_PUT_BACK, .argument = (uint32_t)memfd_size },
		.data = bytes,
		.size = memfd >= 0 ? 0 : size,
		.fd = memfd,
	};

	if (cookie_of(fd, &exchange.call.handle) == 0)
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

/* A large one has been taken off the socket, its head is in 'head'. */
static long take_large(int fd, int memfd, const uint8_t *head, uint8_t *umad, size_t size)
{
	off_t whole = lseek(memfd, 0, SEEK_END);
	long n = -EIO;

	if (whole >= 0 && (size_t)whole <= size) {
		n = read_memfd(memfd, umad, (size_t)whole);
	} else if (whole >= 0) {
		put_back(fd, NULL, 0, memfd, (size_t)whole);
		if (head != umad && size >= ATTACH_HEAD_SIZE)
			memcpy(umad, head, ATTACH_HEAD_SIZE);
		n = size >= ATTACH_HEAD_SIZE ? -ENOSPC : -EINVAL;
	}
	close(memfd);
	return n;
}

/* Takes the next message, which most likely fits. */
static long take(int fd, uint8_t *umad, size_t size)
{
	uint8_t small[ATTACH_HEAD_SIZE];
	uint8_t *head = size < sizeof(small) ? small : umad;
	int memfd = -1, flags = 0;
	long n;

	n = attach_receive(fd, head, sizeof(small), MSG_DONTWAIT, &memfd, &flags);
	if (n < 0)
		return socket_error(n);
	if (n == 0)
		return -EIO;	/* the device or the server is gone */
	if (memfd >= 0)
		return take_large(fd, memfd, head, umad, size);
	if (head == umad)
		return n;
	if ((size_t)n > size) {
		put_back(fd, head, (size_t)n, -1, 0);
		return -EINVAL;
	}
	memcpy(umad, head, (size_t)n);
	return n;
}

/* Looks whether the next message fits, and where it does not leaves it: 0, or as recv says then. */
static long look(int fd, uint8_t *umad, size_t size)
{
	uint8_t head[ATTACH_HEAD_SIZE];
	struct iovec part = { .iov_base = head, .iov_len = sizeof(head) };
	/* Without room for a descriptor: that there is one is then said by MSG_CTRUNC. */
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	struct ib_user_mad header;
	long n = recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT);

	if (n < 0)
		return socket_error(-errno);
	if (!(message.msg_flags & MSG_CTRUNC))
		return n == 0 ? -EIO : (size_t)n > size ? -EINVAL : 0;
	if (size < sizeof(head))
		return -EINVAL;
	memcpy(&header, head, sizeof(header));
	if (header.length <= size)
		return 0;
	memcpy(umad, head, sizeof(head));
	return -ENOSPC;
}

static long attach_recv(int fd, void *umad, size_t size)
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

static int attach_poll(int fd, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int n = poll(&pfd, 1, timeout_ms);

	return n > 0 ? pfd.revents : n < 0 ? -errno : 0;
}

/* Most often what is waited for is there: then it takes one system call. */
static long attach_recv_wait(int fd, void *umad, size_t size, int timeout_ms)
{
	long n = attach_recv(fd, umad, size);
	int events;

	if (n != -EAGAIN)
		return n;
	events = attach_poll(fd, timeout_ms);
	if (events < 0)
		return events;
	if (events == 0)
		return -ETIMEDOUT;
	return events & POLLNVAL ? -EBADF : attach_recv(fd, umad, size);
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
