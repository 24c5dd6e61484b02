/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Descriptors of programs, as /proc shows them.
 */
#ifndef UMADRIG_HARNESS_FILTER_PROGRAM_DESCRIPTOR_H
#define UMADRIG_HARNESS_FILTER_PROGRAM_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/types.h>

enum {
	DESCRIPTOR_THREADS = 16,
	DESCRIPTOR_INFOS = 32,
};

/*
 * What is kept open, because a look is faster then: directories /proc/TID/fd, and files
 * /proc/TID/fdinfo/N, which say at each look what descriptor N is by then.
 */
struct descriptor_cache {
	struct {
		pid_t tid;	/* 0: none */
		int directory;
	} threads[DESCRIPTOR_THREADS];
	struct {
		pid_t tid;	/* 0: none */
		int fd;
		int file;
	} infos[DESCRIPTOR_INFOS];
	long socket_mount;	/* of the file system that all sockets are in */
};

/* 'socket': any socket of this process. */
void descriptor_cache_init(struct descriptor_cache *cache, int socket);
void descriptor_cache_free(struct descriptor_cache *cache);

/* The file that a descriptor refers to: its mount, and its inode. */
struct descriptor_id {
	long mount;
	ino_t inode;
};

/* False: there is no such descriptor. */
bool descriptor_identify(struct descriptor_cache *cache, pid_t tid, int fd,
			 struct descriptor_id *ret);

static inline bool descriptor_is_same(const struct descriptor_id *a, const struct descriptor_id *b)
{
	return a->mount == b->mount && a->inode == b->inode;
}

/* The inode of the socket that is descriptor 'fd' of thread 'tid'; 0: it is no socket. */
ino_t descriptor_socket(struct descriptor_cache *cache, pid_t tid, int fd);

/* Is there a descriptor of that number? */
bool descriptor_exists(struct descriptor_cache *cache, pid_t tid, int fd);

/* The lowest number from 'from' on and below 'end' that is free there; -1: there is none. */
int descriptor_free(pid_t tid, int from, int end);

/* The process of thread 'tid', and the one that started that; 0: it has gone. */
struct process_ids {
	pid_t process, parent;
};
struct process_ids process_ids_of_thread(pid_t tid);
pid_t process_of_thread(pid_t tid);

/*
 * A copy of descriptor 'fd' of thread 'tid', owned by the caller; or -errno: -EPERM, this process
 * may not have one (as in containers).
 */
int descriptor_copy(pid_t tid, int fd);

#endif
