/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Raw calls on handles do what the kernel does for a umad file, to the errno (linux-mad A.3 to
 * A.7), with the functions of the backend. Headers have 64 bytes, which umad_open_port() asks for.
 *
 * Nothing is allocated. read and write may be called by signal handlers as the backend's recv and
 * send (lib/backend.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

#include <infiniband/umad.h>

#include "lib/backend-list.h"
#include "lib/base/descriptor-ioctl.h"
#include "lib/debug.h"
#include "lib/raw-call.h"
#include "lib/raw-device.h"
#include "lib/raw-door.h"
#include "lib/registration-argument.h"
#include "lib/registration.h"
#include "lib/user-memory.h"
#include "lib/base/umad-command.h"
#include "lib/base/user-header.h"

enum {
	RMPP_HEADER_END = 36,
	HEAD_SIZE = USER_HEADER_SIZE + 256,	/* what a read writes at least, if there is room */
};

static bool is_handle(int fd, bool is_named)
{
	const struct umad_backend *backend = umad_backend_get();

	if (backend == &umad_backend_attach)
		return is_named;
	/* A fabric in the process knows its own. What has no banner is real. */
	return !is_named && backend && backend->banner &&
	       backend->unregister_agent(fd, UINT32_MAX) == -EINVAL;
}

/* ---- read and write ---- */

/*
 * Waits as the descriptor's O_NONBLOCK says: 0: look again; -EAGAIN; -EINTR. On a socket it is a
 * read that takes nothing, so that SA_RESTART works.
 */
static int wait_for_message(const struct umad_backend *backend, int fd)
{
	char byte;
	int r;

	if (recv(fd, &byte, sizeof(byte), MSG_PEEK) >= 0)
		return 0;
	if (errno != ENOTSOCK)
		return -errno;
	r = fcntl(fd, F_GETFL);
	if (r < 0 || r & O_NONBLOCK)
		return r < 0 ? -errno : -EAGAIN;
	r = backend->poll(fd, -1);
	return r < 0 ? r : 0;
}

/* As the backend's recv, for memory that may be bad: the kernel finds that out last. */
static long receive(const struct umad_backend *backend, int fd, void *bytes, size_t size)
{
	int r;

	if (user_memory_is_there(bytes, size < HEAD_SIZE ? size : HEAD_SIZE))
		return backend->recv(fd, bytes, size);
	r = backend->poll(fd, 0);
	if (r <= 0)
		return r < 0 ? r : -EAGAIN;
	return r & (POLLERR | POLLHUP) ? -EIO : -EFAULT;
}

static long raw_read(int fd, void *bytes, size_t size)
{
	const struct umad_backend *backend = umad_backend_get();
	long n;
	int r;

	pthread_testcancel();
	if (size < USER_HEADER_SIZE)
		return -EINVAL;
	do {
		n = receive(backend, fd, bytes, size);
		r = n == -EAGAIN ? wait_for_message(backend, fd) : 0;
	} while (n == -EAGAIN && r == 0);
	umad_trace("fd %d room %zu: %ld", fd, size, r < 0 ? (long)r : n);
	return r < 0 ? r : n;
}

static long raw_write(int fd, const void *bytes, size_t size)
{
	const struct umad_backend *backend = umad_backend_get();
	long n = -EINVAL;

	pthread_testcancel();
	if (size >= USER_HEADER_SIZE + RMPP_HEADER_END)
		n = user_memory_is_there(bytes, size) ? backend->send(fd, bytes, size) : -EFAULT;
	umad_trace("fd %d size %zu: %ld", fd, size, n);
	return n;
}

/* ---- ioctl ---- */

static int register_agent(int fd, enum umad_backend_request request, uint8_t *argument)
{
	union registration_argument asked;
	struct umad_backend_reg reg;
	uint32_t wanted;
	int r = user_memory_get(&asked, argument, registration_argument_size(request));

	if (r < 0)
		return r;
	reg = registration_argument_unpack(request, &asked);
	wanted = reg.flags;
	r = umad_agent_register(fd, &reg);
	if (r == 0 &&
	    user_memory_put(argument + REGISTRATION_ID_AT, &reg.id, sizeof(reg.id)) < 0) {
		umad_agent_unregister(fd, reg.id);
		return -EFAULT;
	}
	/* The flags that the kernel supports, if those were at fault. */
	if (r == -EINVAL && request == UMAD_BACKEND_REGISTER_AGENT2 && reg.flags != wanted &&
	    user_memory_put(argument + REGISTRATION_FLAGS_AT, &reg.flags, sizeof(reg.flags)) < 0)
		return -EFAULT;
	return r;
}

static int unregister(int fd, const void *argument)
{
	uint32_t id;
	int r = user_memory_get(&id, argument, sizeof(id));

	return r < 0 ? r : umad_agent_unregister(fd, id);
}

/* A handle has 64-byte headers: this only says whether it has had an agent. */
static int enable_pkey(int fd)
{
	struct umad_backend_reg reg = { .request = UMAD_BACKEND_ENABLE_PKEY };

	return umad_agent_register(fd, &reg);
}

static int raw_ioctl(int fd, unsigned long request, void *argument)
{
	switch (request) {
	case UMAD_COMMAND_REGISTER_AGENT:
		return register_agent(fd, UMAD_BACKEND_REGISTER_AGENT, argument);
	case UMAD_COMMAND_REGISTER_AGENT2:
		return register_agent(fd, UMAD_BACKEND_REGISTER_AGENT2, argument);
	case UMAD_COMMAND_UNREGISTER_AGENT:
		return unregister(fd, argument);
	case UMAD_COMMAND_ENABLE_PKEY:
		return enable_pkey(fd);
	default:
		return descriptor_ioctl_is(request) ? UMAD_RAW_ANY_FILE : -ENOTTY;
	}
}

/* ---- waiting ---- */

static int raw_poll_any(const int *fds, size_t count, int *timeout_ms)
{
	const struct umad_backend *backend = umad_backend_get();

	return backend && backend->poll_any ? backend->poll_any(fds, count, timeout_ms) :
					      -EOPNOTSUPP;
}

/* ---- paths ---- */

static int open_by_path(unsigned int number, int flags)
{
	int fd = raw_device_open(number, flags);

	if (fd >= 0)
		umad_raw_opened(fd);
	return fd;
}

static int raw_sysfs(char *path, size_t size)
{
	const struct umad_backend *backend = umad_backend_get();

	return backend && backend->sysfs ? backend->sysfs(path, size) : -EOPNOTSUPP;
}

static long raw_kernel_log(enum umad_backend_log action, int fd, void *text, size_t size)
{
	const struct umad_backend *backend = umad_backend_get();

	return backend && backend->kernel_log ? backend->kernel_log(action, fd, text, size) :
						-EOPNOTSUPP;
}

static long raw_uevent(const struct umad_backend_uevent *call, int fd, const void *value,
		       void *reply, size_t room)
{
	const struct umad_backend *backend = umad_backend_get();

	return backend && backend->uevent ? backend->uevent(call, fd, value, reply, room) :
					    -EOPNOTSUPP;
}

/* ---- issm ---- */

static void raw_issm_changed(void)
{
	const struct umad_backend *backend = umad_backend_get();

	if (backend && backend->issm_changed)
		backend->issm_changed();
}

/* ---- the door ---- */

static const struct umad_raw_calls calls = {
	.abi = UMAD_RAW_ABI,
	.is_handle = is_handle,
	.read = raw_read,
	.write = raw_write,
	.ioctl = raw_ioctl,
	.poll_any = raw_poll_any,
	.device_look = raw_device_look,
	.device_open = open_by_path,
	.sysfs = raw_sysfs,
	.kernel_log = raw_kernel_log,
	.uevent = raw_uevent,
	.issm_changed = raw_issm_changed,
	.host_changed = umad_backend_forget,
};

__attribute__((constructor))
static void join(void)
{
	if (umadrig_raw_join)
		umadrig_raw_join(&calls);
}

void umad_raw_opened(int fd)
{
	if (umadrig_raw_opened)
		umadrig_raw_opened(fd);
}
