/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sysfs: files of one value each, and directories of numbers.
 *
 * Only open, read, close, opendir and readdir of libc are used, so that preload shims (umad2sim of
 * ibsim) see every access. All functions return 0 or a count, or a negative errno; outputs are
 * untouched on failure.
 */
#ifndef UMADRIG_LIB_SYSFS_H
#define UMADRIG_LIB_SYSFS_H

#include <stddef.h>
#include <stdint.h>

/* Where the kernel's trees are. Tests point them elsewhere; nothing outside the process can. */
struct sysfs_roots {
	const char *infiniband;		/* /sys/class/infiniband */
	const char *infiniband_mad;	/* /sys/class/infiniband_mad */
	const char *dev;		/* /dev/infiniband */
};
extern struct sysfs_roots umad_roots;

/* Size of the buffers that paths are built in; a longer path is -ENAMETOOLONG. */
#define SYSFS_PATH_SIZE 512

/* Builds a path like snprintf(): 0 or -ENAMETOOLONG. */
int sysfs_path(char *path, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Reads 'dir'/'file' into 'value', at most 'size' bytes with the terminator and without the last
 * newline. Returns the length.
 */
int sysfs_read_text(const char *dir, const char *file, char *value, size_t size);

/* Reads the leading integer of a file: decimal, 0x hexadecimal or 0 octal; the rest is ignored. */
int sysfs_read_number(const char *dir, const char *file, unsigned int *ret);

/* Reads a GUID, four groups of up to four hex digits, in host order. */
int sysfs_read_guid(const char *dir, const char *file, uint64_t *ret);

/* Reads a GID, eight such groups: prefix and interface id, in host order. */
int sysfs_read_gid(const char *dir, const char *file, uint64_t *ret_prefix, uint64_t *ret_id);

/*
 * Lists the entries of 'dir' that are 'prefix' and a decimal number: the numbers, ascending, in a
 * malloc'd array that the caller frees (NULL if there are none).
 */
int sysfs_list_numbers(const char *dir, const char *prefix, unsigned int **ret_numbers,
		       size_t *ret_count);

#endif
