/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Issm devices: see lib/raw/issm-device.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/descriptor-ioctl.h"
#include "lib/base/issm-pipe-open.h"
#include "lib/raw/descriptor.h"
#include "lib/raw/issm-device.h"
#include "lib/raw/raw.h"
#include "lib/user-memory.h"

/* Names that umad_get_issm_path() returns: a look at them keeps all other files free of cost. */
static bool may_be_issm(const char *path)
{
	static const char name[] = "issm", link[] = "/proc/";
	const char *last = strrchr(path, '/');

	last = last ? last + 1 : path;
	return strncmp(last, name, sizeof(name) - 1) == 0 ||
	       strncmp(path, link, sizeof(link) - 1) == 0;
}

static int open_device(int at, const char *path, int flags)
{
	int fd = issm_pipe_open(at, path, flags);

	if (fd < 0)
		return (int)raw_result(fd);
	descriptor_is_issm_now(fd);
	if (raw_calls())
		raw_calls()->issm_changed();
	return fd;
}

int issm_device_open(int at, const char *path, int flags)
{
	int err = errno, probe;
	struct stat st;
	bool is_issm;

	if ((flags & O_ACCMODE) != O_WRONLY || flags & (O_PATH | O_EXCL | O_DIRECTORY) ||
	    !user_memory_is_there(path, 1) || !may_be_issm(path))
		return ISSM_DEVICE_NOT;
	probe = (int)syscall(SYS_openat, at, path, O_PATH | O_CLOEXEC | (flags & O_NOFOLLOW));
	is_issm = probe >= 0 && raw_fstat(probe, &st) == 0 && issm_pipe_is(&st);
	if (probe >= 0)
		syscall(SYS_close, probe);
	errno = err;
	return is_issm ? open_device(at, path, flags) : ISSM_DEVICE_NOT;
}

int issm_device_opened(int fd, int at, const char *path, int flags)
{
	int err = errno;
	struct stat st;

	if (fd < 0 || flags & O_PATH || !may_be_issm(path))
		return fd;
	if (raw_fstat(fd, &st) < 0 || !issm_pipe_is(&st)) {
		errno = err;
		return fd;
	}
	/* This one has no lock, and not both ends; it goes before another has to wait for it. */
	syscall(SYS_close, fd);
	return open_device(at, path, flags);
}

long issm_device_refuse(int fd, bool reads)
{
	return raw_result(issm_pipe_refusal(fd, reads));
}

int issm_device_ioctl(unsigned long request)
{
	return descriptor_ioctl_is(request) ? UMAD_RAW_ANY_FILE : -ENOTTY;
}

void issm_device_closed(void)
{
	int err = errno;

	if (raw_calls())
		raw_calls()->issm_changed();
	errno = err;
}
