/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a tap (lib/mad-tap.h) knows of the ports and files that a program has opened.
 *
 * A port that was seen once is kept as long as the process: whatever another thread opens and
 * closes meanwhile, a port that was found stays valid. A descriptor that was not opened here (dup,
 * inherited, received) is that of the port whose device it has open, if that was opened here. All
 * functions may be called from any thread; those that find and read, by signal handlers, too.
 */
#ifndef UMADRIG_LIB_TAP_PORT_H
#define UMADRIG_LIB_TAP_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tap_port;

/* The file 'fd' has been opened. Without memory its port is not known. */
void tap_port_opened(int fd, const char *ca_name, unsigned int portnum, size_t header_size);
void tap_port_closed(int fd);
/* Never NULL: what is not known is a port without LID and GID, with headers of 64 bytes. */
struct tap_port *tap_port_find(int fd);

size_t tap_port_header_size(const struct tap_port *port);
/* A second old at most. */
uint16_t tap_port_lid(struct tap_port *port);
/* As it was when the port was opened last: 16 bytes. */
void tap_port_gid(struct tap_port *port, uint8_t *gid);

/* Whether the kernel cuts and puts together the messages of an agent. */
enum tap_rmpp {
	TAP_RMPP_PROGRAM,
	TAP_RMPP_KERNEL,
	TAP_RMPP_UNKNOWN,	/* its file was not opened here */
};

void tap_port_set_rmpp(int fd, uint32_t agent, bool is_kernels);
enum tap_rmpp tap_port_rmpp(int fd, uint32_t agent);

#endif
