/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * kmod-stub's own functions for the table of operations, by the file that each is in. What they do
 * is said in kmod-stub/kmod.h, of the function with kmod_ for stub_. Where that takes NULL, it does
 * not come here.
 */
#ifndef UMADRIG_KMOD_STUB_STUB_H
#define UMADRIG_KMOD_STUB_STUB_H

#include "kmod-stub/kmod.h"

/* kmod-stub/kmod-host.c */
struct kmod_host *stub_host_new(const struct kmod_kernel *kernel, const struct kmod_ops *ops,
				void *ctx, enum kmod_profile profile, uint32_t first_hi_tid);
void stub_host_free(struct kmod_host *host);
void stub_host_trim(struct kmod_host *host);
void stub_host_vary(struct kmod_host *host, const struct kmod_variant *variant);

/* kmod-stub/kmod-port.c */
struct kmod_port *stub_port_new(struct kmod_host *host, const struct kmod_port_attr *attr,
				void *wire, const char *name);
void stub_port_remove(struct kmod_port *port);
bool stub_port_takes(const struct kmod_port *port, const uint8_t *mad);

/* kmod-stub/mad-recv.c */
void stub_port_receive(struct kmod_port *port, struct packet *packet);

/* kmod-stub/mad-send.c */
unsigned int stub_port_expire(struct kmod_port *port, uint64_t tid, uint8_t mgmt_class);

/* kmod-stub/umad-file.c */
int stub_file_open(struct kmod_port *port, void *owner, struct kmod_file **ret_file);
void stub_file_close(struct kmod_file *file);
void stub_file_set_usage(struct kmod_file *file, struct kmod_usage *usage);
long stub_file_read(struct kmod_file *file, void *buf, size_t count);
unsigned int stub_file_poll(const struct kmod_file *file);
bool stub_file_readable(const struct kmod_file *file);

/* kmod-stub/umad-ioctl.c */
int stub_file_ioctl(struct kmod_file *file, unsigned long request, void *arg);

/* kmod-stub/umad-write.c */
long stub_file_write(struct kmod_file *file, const void *buf, size_t count);
long stub_file_write_lent(struct kmod_file *file, const void *buf, size_t count,
			  struct kmod_loan *loan);

/* kmod-stub/umad-message.c */
struct kmod_message *stub_file_take(struct kmod_file *file);
size_t stub_message_read(struct kmod_message *taken, void *buf, size_t count);
void stub_message_free(struct kmod_message *taken);

/* kmod-stub/stub-check.c */
const char *stub_host_check(const struct kmod_host *host, size_t *work);
const char *stub_port_check(const struct kmod_port *port, size_t *work);

/* kmod-stub/issm.c */
int stub_issm_open(struct kmod_port *port);
void stub_issm_close(struct kmod_port *port);

#endif
