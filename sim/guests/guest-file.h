/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Device files of a guest that are open out here: what struct kmod_file is of this kernel. Each
 * call is one of the guest's own kernel, and takes no time of the fabric's (guest_await()).
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_FILE_H
#define UMADRIG_SIM_GUESTS_GUEST_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"

struct guest;
struct guest_file;
struct guest_port;
struct kmod_loan;
struct kmod_message;

/* 'kind': UMADRIG_GUEST_FILE_*. 'owner' is woken when it can be read; NULL: nobody is. */
int guest_file_open(struct guest_port *port, uint32_t kind, void *owner, struct guest_file **ret);
void guest_file_close(struct guest_file *file);

/* As the functions of kmod-stub/kmod.h. */
int guest_file_ioctl(struct guest_file *file, unsigned long request, void *arg);
long guest_file_write(struct guest_file *file, const void *buf, size_t count);
long guest_file_read(struct guest_file *file, void *buf, size_t count);
unsigned int guest_file_poll(const struct guest_file *file);
struct kmod_message *guest_file_take(struct guest_file *file);
size_t guest_message_read(struct kmod_message *message, void *buf, size_t count);
void guest_message_free(struct kmod_message *message);

/* A message about a file has come up. 0, or -EPROTO. */
int guest_file_up(struct guest *guest, const struct umadrig_hca_header *header,
		  const uint8_t *payload, size_t size);
/* A port is removed: its files are dead, and their owners are woken. */
void guest_files_removed(const struct guest_port *port);
/* The guest has no power any more: its files are as of a device that was removed. */
void guest_files_end(struct guest *guest);

#endif
