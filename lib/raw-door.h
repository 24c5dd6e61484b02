/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The door between libibumad and libumadraw, which umadrig exec preloads beside it.
 *
 * A handle in a simulation is no umad file for the kernel: read(2), write(2) and ioctl(2) would
 * mean something else. libumadraw defines these functions (lib/raw/), and passes those that are
 * called on handles to libibumad (lib/raw-call.c). Without it, as in a program that uses this
 * libibumad only, such calls go to the kernel.
 */
#ifndef UMADRIG_LIB_RAW_DOOR_H
#define UMADRIG_LIB_RAW_DOOR_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/backend.h"

/* Changes whenever the struct below does. */
#define UMAD_RAW_ABI 8

#define UMAD_RAW_ANY_FILE 1

/* What libibumad does for calls on handles: results as of the system calls, failures as -errno. */
struct umad_raw_calls {
	unsigned int abi;		/* UMAD_RAW_ABI */
	/*
	 * Is 'fd' a handle of this process's backend? Either it has a handle's name ('is_named':
	 * lib/base/handle-name.h), or umad_open_port() returned it, or a descriptor that it is a
	 * copy of. The kernel's own are none: they need no help.
	 */
	bool (*is_handle)(int fd, bool is_named);
	long (*read)(int fd, void *bytes, size_t size);
	long (*write)(int fd, const void *bytes, size_t size);
	/* Or UMAD_RAW_ANY_FILE: the kernel does the same for every file. */
	int (*ioctl)(int fd, unsigned long request, void *argument);
	/* As struct umad_backend's function of this name (lib/backend.h). */
	int (*poll_any)(const int *fds, size_t count, int *timeout_ms);
	/* Umad files that are opened by their paths: see lib/raw-device.h. */
	int (*device_look)(unsigned int number);
	int (*device_open)(unsigned int number, int flags);
	/* As struct umad_backend's function of this name. */
	int (*sysfs)(char *path, size_t size);
	long (*kernel_log)(enum umad_backend_log action, int fd, void *text, size_t size);
	long (*uevent)(const struct umad_backend_uevent *call, int fd, const void *value,
		       void *reply, size_t room);
	/* An issm path has been opened or closed. */
	void (*issm_changed)(void);
	/* Of umadrig_raw_host_changed(). */
	void (*host_changed)(void);
};

/* libumadraw's functions; NULL where it is not loaded. Of several libibumads the first joins. */
void umadrig_raw_join(const struct umad_raw_calls *calls) __attribute__((weak));
void umadrig_raw_opened(int fd) __attribute__((weak));
/*
 * UMADRIG_HOST is another now: this process, which has one thread, goes to that host with its next
 * call. A process that loads these libraries has done so when it starts; one that stands for
 * another (lib/stand-in/) does when that one executes a program. Handles stay with their host.
 */
void umadrig_raw_host_changed(void) __attribute__((weak));

#endif
