/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The kernel of this machine as the kernel of some hosts: its driver umadrig_hca has their HCAs, by
 * a character device (kmod-stub/linux/hca/umadrig_hca.h). Time is real.
 *
 * Nothing is kept for the kernel: what it does not take at once is lost, as on a wire. Lock held in
 * all functions.
 */
#ifndef UMADRIG_SIM_GUESTS_HCA_MACHINE_H
#define UMADRIG_SIM_GUESTS_HCA_MACHINE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "kmod-stub/kmod.h"
#include "sim/guests/hca-driver.h"

struct umadrig_fabric;

#define HCA_MACHINE_DEVICE "/dev/umadrig_hca"

struct hca_machine {
	struct kmod_kernel kernel;	/* the hosts' */
	struct hca_driver driver;
	char *path;			/* of the device */
	int fd;				/* -1: it is over */
	GPtrArray *hosts;		/* struct umadrig_host */
};

/*
 * Opens the device 'path', or a socket (SOCK_SEQPACKET) of a program that speaks as the driver
 * does, and gives this kernel to the hosts of the list 'names' ("H1,H2"), on which nothing has run.
 * Their HCAs come when hca_machine_take() has been called. 0, or -errno with a message.
 */
int hca_machine_open(struct umadrig_fabric *fabric, const char *names, const char *path,
		     char *reterr, size_t reterr_size);
/* What is to be waited for until it can be read, and then given to hca_machine_take(). */
static inline int hca_machine_fd(const struct hca_machine *machine)
{
	return machine->fd;
}
/* Takes what the driver has said. 0, or -errno: it is over, and hca_machine_end() is next. */
int hca_machine_take(struct hca_machine *machine);
/* Have all HCAs come, or failed to? */
bool hca_machine_is_up(const struct hca_machine *machine);
/*
 * Appends a line for each HCA: what it is called by the kernel, or why it has not come. False: one
 * has not.
 */
bool hca_machine_describe(const struct hca_machine *machine, GString *text);

/* The device is gone by this -errno: stderr says so, and the hosts are without power. */
void hca_machine_end(struct hca_machine *machine, int err);
/* Closes the device: all cables are out, and the HCAs stay. NULL is allowed. */
void hca_machine_stop(struct umadrig_fabric *fabric);
/* Its hosts have no kernel any more. NULL is allowed. */
void hca_machine_free(struct umadrig_fabric *fabric);

#endif
