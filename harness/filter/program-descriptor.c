/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/program-descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/filter/thread-status.h"
#include "lib/words/number.h"

enum { NUMBER_SIZE = 12, LINK_SIZE = 64, INFO_SIZE = 256 };

void descriptor_cache_free(struct descriptor_cache *cache)
{
	for (int i = 0; i < DESCRIPTOR_THREADS; i++)
		if (cache->threads[i].tid)
			close(cache->threads[i].directory);
	for (int i = 0; i < DESCRIPTOR_INFOS; i++)
		if (cache->infos[i].tid)
			close(cache->infos[i].file);
	memset(cache, 0, sizeof(*cache));
}

/* ---- which number is in use ---- */

/* -1: there is no such thread. 'again': what was opened before has turned out to be stale. */
static int directory_of(struct descriptor_cache *cache, pid_t tid, bool again)
{
	unsigned int at = (unsigned int)tid % DESCRIPTOR_THREADS;
	char path[32];

	if (cache->threads[at].tid == tid && !again)
		return cache->threads[at].directory;
	if (cache->threads[at].tid)
		close(cache->threads[at].directory);
	cache->threads[at].tid = 0;
	snprintf(path, sizeof(path), "/proc/%d/fd", (int)tid);
	cache->threads[at].directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cache->threads[at].directory < 0)
		return -1;
	cache->threads[at].tid = tid;
	return cache->threads[at].directory;
}

/* What the descriptor refers to, terminated; false: there is none. */
static bool read_link(struct descriptor_cache *cache, pid_t tid, int fd, char text[LINK_SIZE])
{
	char number[NUMBER_SIZE];
	bool is_known = cache->threads[(unsigned int)tid % DESCRIPTOR_THREADS].tid == tid;
	ssize_t n;

	snprintf(number, sizeof(number), "%d", fd);
	n = readlinkat(directory_of(cache, tid, false), number, text, LINK_SIZE - 1);
	/* Another thread may have the number of one that ended; then its directory is empty. */
	if (n < 0 && is_known)
		n = readlinkat(directory_of(cache, tid, true), number, text, LINK_SIZE - 1);
	if (n < 0)
		return false;
	text[n] = '\0';
	return true;
}

bool descriptor_exists(struct descriptor_cache *cache, pid_t tid, int fd)
{
	char text[LINK_SIZE];

	return read_link(cache, tid, fd, text);
}

/* ---- what it is ---- */

static unsigned int place_of(pid_t tid, int fd)
{
	return ((unsigned int)tid * 31 + (unsigned int)fd) % DESCRIPTOR_INFOS;
}

static bool is_known(const struct descriptor_cache *cache, pid_t tid, int fd)
{
	unsigned int at = place_of(tid, fd);

	return cache->infos[at].tid == tid && cache->infos[at].fd == fd;
}

/* -1: there is no such descriptor. 'again': as for directory_of(). */
static int info_of(struct descriptor_cache *cache, pid_t tid, int fd, bool again)
{
	unsigned int at = place_of(tid, fd);
	char path[48];
	int file;

	if (is_known(cache, tid, fd) && !again)
		return cache->infos[at].file;
	if (cache->infos[at].tid)
		close(cache->infos[at].file);
	cache->infos[at].tid = 0;
	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)tid, fd);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -1;
	cache->infos[at].tid = tid;
	cache->infos[at].fd = fd;
	return cache->infos[at].file = file;
}

static bool read_info(struct descriptor_cache *cache, pid_t tid, int fd, char text[INFO_SIZE])
{
	bool was_known = is_known(cache, tid, fd);
	ssize_t n = pread(info_of(cache, tid, fd, false), text, INFO_SIZE - 1, 0);

	/* As in read_link(). */
	if (n <= 0 && was_known)
		n = pread(info_of(cache, tid, fd, true), text, INFO_SIZE - 1, 0);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return true;
}

void descriptor_cache_init(struct descriptor_cache *cache, int socket)
{
	char text[INFO_SIZE];
	uint64_t mount;

	if (read_info(cache, getpid(), socket, text) &&
	    number_after(text, "mnt_id:", 10, &mount) == 0)
		cache->socket_mount = (long)mount;
}

bool descriptor_identify(struct descriptor_cache *cache, pid_t tid, int fd,
			 struct descriptor_id *ret)
{
	uint64_t mount, inode;
	char text[INFO_SIZE];

	if (fd < 0 || !read_info(cache, tid, fd, text) ||
	    number_after(text, "mnt_id:", 10, &mount) < 0 ||
	    number_after(text, "\nino:", 10, &inode) < 0)	/* Linux 5.14 */
		return false;
	*ret = (struct descriptor_id){ (long)mount, (ino_t)inode };
	return true;
}

ino_t descriptor_socket(struct descriptor_cache *cache, pid_t tid, int fd)
{
	struct descriptor_id id;

	return descriptor_identify(cache, tid, fd, &id) && id.mount == cache->socket_mount ?
	       id.inode : 0;
}

int descriptor_free(pid_t tid, int from, int end)
{
	g_autofree bool *taken = g_new0(bool, (size_t)MAX(end, 1));
	g_autofree char *path = g_strdup_printf("/proc/%d/fd", (int)tid);
	g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
	const char *name;

	while (directory && (name = g_dir_read_name(directory))) {
		uint64_t number;

		if (end > 0 && number_parse_decimal(name, 0, (uint64_t)end - 1, &number) == 0)
			taken[number] = true;
	}
	while (from < end && taken[from])
		from++;
	return from < end ? from : -1;
}

/* ---- threads ---- */

struct process_ids process_ids_of_thread(pid_t tid)
{
	uint64_t process = 0, parent = 0;
	char text[THREAD_STATUS_BEGIN_SIZE];

	if (!thread_status_read(tid, text, sizeof(text)))
		return (struct process_ids){ .process = 0 };
	number_after(text, "\nTgid:", 10, &process);
	number_after(text, "\nPPid:", 10, &parent);
	return (struct process_ids){ .process = (pid_t)process, .parent = (pid_t)parent };
}

pid_t process_of_thread(pid_t tid)
{
	return process_ids_of_thread(tid).process;
}

int descriptor_copy(pid_t tid, int fd)
{
	int process = (int)syscall(SYS_pidfd_open, tid, 0), ret;

	/* All threads share a table, but only the first one can be opened. */
	if (process < 0 && (errno == EINVAL || errno == ENOENT))
		process = (int)syscall(SYS_pidfd_open, process_of_thread(tid), 0);
	if (process < 0)
		return -errno;
	ret = (int)syscall(SYS_pidfd_getfd, process, fd, 0);
	if (ret < 0)
		ret = -errno;
	close(process);
	return ret;
}
