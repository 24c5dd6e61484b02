/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the sections of umadprobe share, and rmppone with them: what they print, MADs as the kernel takes
 * them, ports and agents.
 */
#ifndef UMADRIG_TESTS_LAB_PROBES_UMADPROBE_H
#define UMADRIG_TESTS_LAB_PROBES_UMADPROBE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <infiniband/umad.h>
/* the kernel's header has a struct with the same name as libibumad's */
#undef IB_USER_MAD_REGISTER_AGENT
#undef IB_USER_MAD_UNREGISTER_AGENT
#undef IB_USER_MAD_ENABLE_PKEY
#undef IB_USER_MAD_REGISTER_AGENT2
#define ib_user_mad ib_user_mad_kernel
#include <rdma/ib_user_mad.h>
#undef ib_user_mad

#define HDR ((int)sizeof(struct ib_user_mad))

extern const char *section;	/* printed in front of each line */
extern int gid_index;
extern char big[HDR + (1 << 21)], big2[HDR + (1 << 21)], big3[HDR + (1 << 21)];

/* what a call returned: rv, and errno if it is not zero */
extern char rvbuf[8][64];
extern int rvn;
/* (arguments are evaluated in no particular order: one such call per say()) */
#define RV(call) ({ errno = 0; int rv_ = (call); int e_ = errno;		\
	char *b_ = rvbuf[rvn++ & 7];						\
	if (rv_ < 0) snprintf(b_, 64, "%d (%s), errno %s", rv_, en(-rv_), en(e_)); \
	else snprintf(b_, 64, "%d", rv_);					\
	b_; })

void say(const char *name, const char *fmt, ...);
const char *en(int e);
double now(void);
long counter(int dev, const char *name);
void settle(int ms);
void gid_of(int dev, uint8_t gid[16]);
void aim(void *um, const uint8_t gid[16]);
void aim_dev(void *um, int dev);
void aim_nobody(void *um);
uint8_t *mad_of(void *um);
void fill(void *um, int cls, int ver, int method, uint64_t tid, int attr, int len);
uint64_t tid_of(const void *um);
void rmpp(void *um, int ver, int type, int flags, uint32_t seg, uint32_t pay);
uint32_t be32at(const uint8_t *p);
const char *show(const void *um);
const char *showrmpp(const void *um);
void mask_set(long m[2], int method);
int reg1(int fd, int cls, int ver, int rmppv, int method);
int regoui(int fd, int cls, int rmppv, int method);
int drain(int fd, int ms);
void arrive(const char *name, const char *rv, int fd, int ms);
int openp(int dev);
int get_one(int fd, char *um, int size, int ms);
int answer(int fd, int a, char *req, int method);
void onsig(int s);

/* The sections. */
void t_discover(void);
void t_register(void);
void t_io(void);
void t_timeout(void);
void t_match(void);
void t_rmpp(void);
void t_rmppctl(void);
void t_life(void);
void t_unplug(void);

#endif
