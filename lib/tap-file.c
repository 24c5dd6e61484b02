/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file of a tap: see lib/tap-file.h.
 */
#include "lib/tap-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/wire.h"
#include "lib/base/write-quietly.h"

enum {
	MARK_AT = 12,		/* "significant figures": 0 in all files, and read by nobody */
	LINK_TYPE_AT = 20,
	LINK_TYPE_ERF = 197,
	HEADER_SIZE = 24,
	MESSAGE_SIZE = PATH_MAX + 200,
};

#define PCAP_MAGIC UINT32_C(0x4d3cb2a1)	/* nanoseconds, little-endian */

/* 'path', 'device' and 'inode' are written before 'fd', and then only by the next open. */
static struct {
	char path[PATH_MAX];
	dev_t device;
	ino_t inode;
	atomic_int fd;			/* -1: none */
	atomic_bool has_ended;
} file = { .fd = -1 };

/* Only where files are limited in size does a write to one raise a signal. */
static ssize_t write_file(int fd, const void *bytes, size_t size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur != RLIM_INFINITY)
		return write_quietly(fd, bytes, size);
	return write(fd, bytes, size);
}

/* ---- the end ---- */

static bool is_file(int fd)
{
	struct stat status;

	return fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == file.device &&
	       status.st_ino == file.inode;
}

static int open_path(const char *path, int append)
{
	return open(path, O_RDWR | append | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* Nothing that a program could have to wait for: a pipe or a device has no header of a capture. */
static bool has_header(int fd)
{
	uint8_t header[HEADER_SIZE];

	return read(fd, header, sizeof(header)) == sizeof(header) &&
	       get_be32(header) == PCAP_MAGIC && header[LINK_TYPE_AT] == LINK_TYPE_ERF;
}

/* After it was opened: the number of a removed file's inode may be another's now. */
static bool is_ours(int fd)
{
	return is_file(fd) && has_header(fd);
}

/* So that umadrig record knows of it, too, wherever the program's stderr goes. */
static void mark(void)
{
	static const uint8_t one[4] = { 1 };
	int fd = open_path(file.path, 0);

	/* What cannot be marked has been said. */
	if (is_ours(fd) && lseek(fd, MARK_AT, SEEK_SET) == MARK_AT &&
	    write(fd, one, sizeof(one)) < 0)
		errno = 0;
	if (fd >= 0)
		close(fd);
}

/* The program goes on. */
static void end(const char *why)
{
	char message[MESSAGE_SIZE];
	int length;

	if (atomic_exchange(&file.has_ended, true))
		return;
	length = snprintf(message, sizeof(message), "umad: UMAD_TAP=%s: %s; process %ld goes on, "
			  "and from here on its MADs are not recorded\n", file.path, why,
			  (long)getpid());
	/* Where nobody reads it the mark remains. */
	if (length > 0 && write_quietly(STDERR_FILENO, message, (size_t)length) < 0)
		errno = 0;
	mark();
}

/* ---- the descriptor ---- */

/* Programs close descriptors that they do not know, and open others of the same number. */
static int descriptor(void)
{
	int fd = atomic_load(&file.fd), again;

	if (fd < 0 || is_file(fd))
		return fd;
	again = open_path(file.path, O_APPEND);
	if (!is_ours(again)) {
		if (again >= 0)
			close(again);
		end("the program has closed the file, and it is no longer there");
		return -1;
	}
	if (atomic_compare_exchange_strong(&file.fd, &fd, again))
		return again;
	close(again);
	return fd;
}

void tap_file_append(const void *record, size_t size)
{
	const uint8_t *rest = record;
	int fd;

	if (!tap_file_is_open())
		return;
	fd = descriptor();
	if (fd < 0)
		return;
	/* A full disk takes a piece first, and gives its reason when it gets the rest. */
	for (ssize_t n = 0; size; rest += n, size -= (size_t)n) {
		n = write_file(fd, rest, size);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return end(n < 0 ? strerror(errno) : "cannot be written");
	}
}

bool tap_file_is_open(void)
{
	return atomic_load(&file.fd) >= 0 && !atomic_load(&file.has_ended);
}

/* ---- opening ---- */

static bool say(char *reterr, size_t size, const char *path, const char *why)
{
	snprintf(reterr, size, "UMAD_TAP=%s: %s", path, why);
	return false;
}

bool tap_file_open(const char *path, char *reterr, size_t reterr_size)
{
	struct stat status;
	int fd = open_path(path, O_APPEND);

	if (fd < 0)
		return say(reterr, reterr_size, path, strerror(errno));
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || !has_header(fd) ||
	    strlen(path) >= sizeof(file.path)) {
		close(fd);
		return say(reterr, reterr_size, path, "not a capture that umadrig record has "
			   "begun");
	}
	tap_file_close();
	strcpy(file.path, path);
	file.device = status.st_dev;
	file.inode = status.st_ino;
	atomic_store(&file.has_ended, false);
	atomic_store(&file.fd, fd);
	return true;
}

void tap_file_close(void)
{
	int fd = atomic_exchange(&file.fd, -1);

	if (is_file(fd))
		close(fd);
}
