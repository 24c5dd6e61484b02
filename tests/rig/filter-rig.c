/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "tests/rig/filter-rig.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/filter/file-call.h"
#include "harness/filter/filter-listener.h"

static struct {
	struct supervisor supervisor;
	bool is_watched;
	/* The call that is under way. */
	struct seccomp_notif call;
	unsigned int answers;
	long result;
} rig;

static const struct {
	int number;
	supervisor_call_fn *handle;
} calls[] = {
	{ SYS_read, file_on_read },
	{ SYS_readv, file_on_readv },
	{ SYS_write, file_on_write },
	{ SYS_writev, file_on_writev },
	{ SYS_ioctl, file_on_ioctl },
	{ SYS_dup, file_on_dup },
	{ SYS_fcntl, file_on_fcntl },
};

/* ---- in place of the supervisor's loop and its listener ---- */

int supervisor_watch(struct supervisor *supervisor, struct supervisor_watch *watch,
		     uint32_t events)
{
	(void)supervisor, (void)watch, (void)events;
	rig.is_watched = true;
	return 0;
}

int supervisor_rewatch(struct supervisor *supervisor, struct supervisor_watch *watch,
		       uint32_t events)
{
	(void)supervisor;
	(void)watch;
	(void)events;
	return 0;
}

void supervisor_unwatch(struct supervisor *supervisor, struct supervisor_watch *watch)
{
	(void)supervisor, (void)watch;
	rig.is_watched = false;
}

bool supervisor_has_call_of(struct supervisor *supervisor, pid_t tid)
{
	return tid == supervisor->answering;
}

void listener_answer(struct listener *listener, const struct seccomp_notif *call, int64_t value)
{
	(void)listener;
	g_assert_cmpuint(call->id, ==, rig.call.id);
	rig.answers++;
	rig.result = value;
}

void listener_continue(struct listener *listener, const struct seccomp_notif *call)
{
	const uint64_t *args = (const uint64_t *)call->data.args;
	long ret = syscall(call->data.nr, args[0], args[1], args[2]);

	listener_answer(listener, call, ret < 0 ? -errno : ret);
}

int listener_place(struct listener *listener, const struct seccomp_notif *call, int fd, int number,
		   bool cloexec)
{
	(void)listener;
	g_assert_cmpuint(call->id, ==, rig.call.id);
	return (int)(dup3(fd, number, cloexec ? O_CLOEXEC : 0) < 0 ? -errno : number);
}

int listener_give(struct listener *listener, const struct seccomp_notif *call, int fd, int number,
		  bool cloexec)
{
	int ret = listener_place(listener, call, fd, number, cloexec);

	if (ret >= 0)
		listener_answer(listener, call, ret);
	return ret;
}

bool listener_is_waiting(struct listener *listener, const struct seccomp_notif *call)
{
	(void)listener;
	return call->id == rig.call.id && rig.answers == 0;
}

bool listener_begin_once(struct listener *listener, const struct seccomp_notif *call)
{
	return listener_is_waiting(listener, call);
}

/* ---- calls ---- */

void filter_rig_settle(void)
{
	file_table_settle(rig.supervisor.files);
}

static void begin_call(int number, uint64_t a, uint64_t b, uint64_t c)
{
	rig.answers = 0;
	rig.call = (struct seccomp_notif){
		.id = rig.call.id + 1,
		.pid = (uint32_t)syscall(SYS_gettid),
		.data = { .nr = number, .args = { a, b, c } },
	};
}

long filter_rig_call(int number, uint64_t a, uint64_t b, uint64_t c)
{
	for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
		if (calls[i].number != number)
			continue;
		begin_call(number, a, b, c);
		filter_rig_settle();
		rig.supervisor.answering = (pid_t)rig.call.pid;
		listener_end(NULL, &rig.call, calls[i].handle(&rig.supervisor, &rig.call));
		rig.supervisor.answering = 0;
		g_assert_cmpuint(rig.answers, ==, 1);
		return rig.result;
	}
	g_error("call %d is not trapped", number);
}

long filter_rig_open(const char *ca_name, unsigned int portnum, int flags)
{
	begin_call(SYS_openat, 0, 0, 0);
	listener_end(NULL, &rig.call, file_open(&rig.supervisor, &rig.call, NULL, ca_name, portnum,
						3, flags));
	g_assert_cmpuint(rig.answers, ==, 1);
	return rig.result;
}

long filter_rig_read(int fd, void *bytes, size_t size)
{
	return filter_rig_call(SYS_read, (uint64_t)fd, (uintptr_t)bytes, size);
}

long filter_rig_write(int fd, const void *bytes, size_t size)
{
	return filter_rig_call(SYS_write, (uint64_t)fd, (uintptr_t)bytes, size);
}

long filter_rig_ioctl(int fd, unsigned long request, void *argument)
{
	return filter_rig_call(SYS_ioctl, (uint64_t)fd, request, (uintptr_t)argument);
}

long filter_rig_poll(int fd, short events, int timeout_ms)
{
	int64_t end_us = g_get_monotonic_time() + (int64_t)timeout_ms * 1000;
	struct pollfd pfd = { .fd = fd, .events = events };
	int count;

	do {
		filter_rig_settle();
		count = poll(&pfd, 1, timeout_ms ? 1 : 0);
	} while (count == 0 && g_get_monotonic_time() < end_us);
	return count < 0 ? -errno : count > 0 ? pfd.revents : 0;
}

/* ---- begin and end ---- */

struct supervisor *filter_rig_supervisor(void)
{
	return &rig.supervisor;
}

void filter_rig_begin(const struct umad_backend *fabric)
{
	rig.supervisor = (struct supervisor){
		.first_number = FILTER_RIG_FIRST, .end_number = FILTER_RIG_END,
	};
	rig.supervisor.files = file_table_new(&rig.supervisor, fabric);
	g_assert_nonnull(rig.supervisor.files);
	g_assert_true(rig.is_watched);
}

void filter_rig_end(void)
{
	for (int fd = FILTER_RIG_FIRST; fd < FILTER_RIG_END; fd++)
		close(fd);
	file_table_free(rig.supervisor.files);
	g_assert_false(rig.is_watched);
}
