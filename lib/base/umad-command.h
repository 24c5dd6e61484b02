/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ioctl commands of a umad file, and the requests that they point to, as <rdma/ib_user_mad.h>
 * of Linux has them (ABI 5; linux-mad A.1, A.3, A.4). All integers are the machine's; the OUI of
 * three bytes begins with its highest.
 *
 * A program's request may be at any address, so it is copied into a struct, never cast to one.
 */
#ifndef UMADRIG_LIB_BASE_UMAD_COMMAND_H
#define UMADRIG_LIB_BASE_UMAD_COMMAND_H

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>

struct ib_user_mad_reg_req {
	uint32_t id;			/* out */
	uint32_t method_mask[4];	/* longs in the kernel, aligned to 4 */
	uint8_t qpn;
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint8_t oui[3];
	uint8_t rmpp_version;
};

struct ib_user_mad_reg_req2 {
	uint32_t id;			/* out */
	uint32_t qpn;
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint16_t res;
	uint32_t flags;			/* out, if they were at fault: those that are known */
	uint64_t method_mask[2];
	uint32_t oui;			/* 24 bits */
	uint8_t rmpp_version;
	uint8_t reserved[3];
};

/* Flags of ib_user_mad_reg_req2. */
enum { IB_USER_MAD_USER_RMPP = 1 };

/*
 * The numbers have the sizes of the requests in them. <infiniband/umad.h> has them for programs as
 * IB_USER_MAD_*; tests/lib/umad-layout.c compares them.
 */
enum { UMAD_COMMAND_MAGIC = 0x1b };

/* Linux: the major number of umad and issm devices (IB_UMAD_MAJOR). */
enum { UMAD_MAJOR = 231 };

#define UMAD_COMMAND_REGISTER_AGENT _IOWR(UMAD_COMMAND_MAGIC, 1, struct ib_user_mad_reg_req)
#define UMAD_COMMAND_UNREGISTER_AGENT _IOW(UMAD_COMMAND_MAGIC, 2, uint32_t)
#define UMAD_COMMAND_ENABLE_PKEY _IO(UMAD_COMMAND_MAGIC, 3)
#define UMAD_COMMAND_REGISTER_AGENT2 _IOWR(UMAD_COMMAND_MAGIC, 4, struct ib_user_mad_reg_req2)

_Static_assert(offsetof(struct ib_user_mad_reg_req, id) ==
	       offsetof(struct ib_user_mad_reg_req2, id), "the id comes back in the same place");

#endif
