/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A umad file: what kmod.h has of one, on top of user_mad.c.
 *
 * What kmod.h has beyond Linux: a file's memory is counted by size, and a received MAD beyond its
 * limit is dropped before user_mad.c gets it. A send beyond it is -ENOMEM at once, whatever else is
 * wrong with it. A message that is read in pieces is copied first; lent memory is copied, too.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_UMAD_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_UMAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kmod_file;
struct kmod_loan;
struct kmod_message;
struct kmod_port;
struct kmod_usage;

/* ---- for the kernel's side ---- */

/* The file that is being opened, or NULL. */
struct kmod_file *linux_umad_opening(void);
const struct kmod_port *linux_umad_port(const struct kmod_file *file);
/* Something has changed that its program waits for. */
void linux_umad_woken(struct kmod_file *file);

/* May the file take one more message? Otherwise the packet that the kernel has ends. */
bool linux_umad_may_receive(struct kmod_file *file);
/*
 * Something of 'size' bytes is about to be queued; and it has been, or not. '*receipt' is the
 * caller's, until then.
 */
struct linux_umad_receipt {
	struct kmod_file *file;
	size_t size;
	bool is_queued;			/* its program has been woken */
	struct linux_umad_receipt *outer;
};
extern struct linux_umad_receipt *linux_umad_receipt;
void linux_umad_receiving(struct linux_umad_receipt *receipt, struct kmod_file *file, size_t size);
void linux_umad_received(struct linux_umad_receipt *receipt);
/* A send of 'size' bytes is over. */
void linux_umad_sent(struct kmod_file *file, size_t size, uint64_t tid, uint8_t mgmt_class);

/* ---- the operations ---- */

int linux_file_open(struct kmod_port *port, void *owner, struct kmod_file **ret_file);
void linux_file_close(struct kmod_file *file);
void linux_file_set_usage(struct kmod_file *file, struct kmod_usage *usage);
int linux_file_ioctl(struct kmod_file *file, unsigned long request, void *arg);
long linux_file_write(struct kmod_file *file, const void *buf, size_t count);
long linux_file_write_lent(struct kmod_file *file, const void *buf, size_t count,
			   struct kmod_loan *loan);
long linux_file_read(struct kmod_file *file, void *buf, size_t count);
unsigned int linux_file_poll(const struct kmod_file *file);
bool linux_file_readable(const struct kmod_file *file);
struct kmod_message *linux_file_take(struct kmod_file *file);
size_t linux_message_read(struct kmod_message *message, void *buf, size_t count);
void linux_message_free(struct kmod_message *message);
unsigned int linux_port_expire(struct kmod_port *port, uint64_t tid, uint8_t mgmt_class);

#endif
