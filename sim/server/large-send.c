/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Large messages that programs send: see sim/server/large-send.h.
 */
#include "config.h"

#include "sim/server/large-send.h"

#include <fcntl.h>
#include <glib.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "kmod-stub/event.h"
#include "sim/time/quiet-thread.h"

enum {
	STACK_SIZE = 64 << 10,
	SOON = 8 << 20,		/* bytes that are unmapped in about a millisecond */
};

struct large_send {
	struct kmod_loan loan;
	void *at;
	size_t size;
};

static void *unmap(void *data)
{
	struct large_send *large = data;

	munmap(large->at, large->size);
	g_free(large);
	return NULL;
}

/* The last owner of the memory frees it: that is a thread's work. */
static void release(struct kmod_loan *loan)
{
	struct large_send *large = container_of(loan, struct large_send, loan);
	pthread_attr_t attr;
	pthread_t thread;
	bool started = false;

	if (large->size > SOON) {
		pthread_attr_init(&attr);
		pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
		pthread_attr_setstacksize(&attr, STACK_SIZE);
		started = quiet_thread_start(&thread, &attr, unmap, large) == 0;
		pthread_attr_destroy(&attr);
	}
	if (!started)
		unmap(large);
}

/* Of no other file is it certain that each page is there, and stays as it is. */
static bool is_constant(int fd, size_t size)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct statfs fs;
	struct stat st;

	return seals >= 0 && (seals & F_SEAL_SHRINK) && (seals & F_SEAL_WRITE) &&
	       fstatfs(fd, &fs) == 0 && fs.f_type == TMPFS_MAGIC && fstat(fd, &st) == 0 &&
	       st.st_size >= (off_t)size;
}

struct kmod_loan *large_send_map(int fd, size_t size, const uint8_t **ret_bytes)
{
	struct large_send *large;
	void *at = is_constant(fd, size) ? mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) :
					   MAP_FAILED;

	if (at == MAP_FAILED)
		return NULL;
	large = g_new(struct large_send, 1);
	*large = (struct large_send){ { release }, at, size };
	*ret_bytes = at;
	return &large->loan;
}
