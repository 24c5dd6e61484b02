/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/store-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "harness/filter/file-buffer.h"
#include "harness/filter/host-view.h"
#include "harness/filter/memory.h"
#include "harness/filter/path-find.h"
#include "lib/attach/protocol.h"

void store_file_note(struct supervisor *supervisor)
{
	supervisor->has_stores = true;
}

/* What descriptor 'fd' of the thread is, as programs call it. NULL: no file of a view. */
static struct host_view *find(struct supervisor *supervisor, pid_t tid, int fd, char *text)
{
	static const char deleted[] = " (deleted)";
	struct host_view *view = NULL;
	char name[32];
	size_t length;

	snprintf(name, sizeof(name), "fd/%d", fd);
	if (!path_of_link(supervisor, tid, name, text, &view) || !view)
		return NULL;
	/* The file has been replaced by one with the present value. */
	length = strlen(text);
	if (g_str_has_suffix(text, deleted))
		text[length - strlen(deleted)] = '\0';
	return view;
}

/* The parts of a write, one behind the other, as much as a file takes: how much, or -errno. */
static long gather(const struct seccomp_notif *call, const struct iovec *parts, long count,
		   char text[static ATTACH_STORE_MAX])
{
	size_t sum = 0;

	for (long i = 0; i < count && sum < ATTACH_STORE_MAX; i++) {
		size_t size = MIN(parts[i].iov_len, ATTACH_STORE_MAX - sum);
		long r = size ? memory_read((pid_t)call->pid, (uintptr_t)parts[i].iov_base,
					    text + sum, size) : 0;

		if (r < 0)
			return r == -EFAULT ? r : CALL_GOES_ON;
		sum += size;
	}
	return (long)sum;
}

static long store(struct supervisor *supervisor, const struct seccomp_notif *call,
		  struct host_view *view, const char *path)
{
	const __u64 *args = call->data.args;
	struct iovec parts[UIO_MAXIOV];
	char text[ATTACH_STORE_MAX];
	long count = 1;

	if (call->data.nr == SYS_writev) {
		count = file_get_parts(call, parts);
	} else {
		parts[0].iov_base = (void *)(uintptr_t)args[1];
		count = file_check_buffer(args[1], args[2], &parts[0].iov_len);
		count = count < 0 ? count : 1;
	}
	count = count < 0 ? count : gather(call, parts, count, text);
	if (count <= 0)
		return count;
	if (!listener_begin_once(supervisor->listener, call))
		return CALL_GOES_ON;
	return host_view_store(view, path, text, (size_t)count);
}

long store_file_on_call(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct host_view *view;
	char text[PATH_MAX];

	if (!supervisor->has_stores ||
	    (call->data.nr != SYS_write && call->data.nr != SYS_writev))
		return CALL_OF_ANOTHER;
	view = find(supervisor, (pid_t)call->pid, (int)call->data.args[0], text);
	if (!view || !host_view_is_writable(view, text))
		return CALL_OF_ANOTHER;
	return store(supervisor, call, view, text);
}
