/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The attributes of a port in /sys/class/infiniband/NAME/ports/N: one record and one list of its
 * fields.
 *
 * The real backend reads the list from sysfs, a fabric server writes it as the files of --sysfs and
 * sends the record to its programs as it is. So a new attribute needs a row of PORT_ATTRS(), its
 * value in a fabric (device_port_attr() in sim/host/device.c), and a new UMAD_BACKEND_ABI and
 * ATTACH_VERSION. It does not become visible in libibumad: umad_port_t does not change.
 */
#ifndef UMADRIG_LIB_BASE_PORT_ATTR_H
#define UMADRIG_LIB_BASE_PORT_ATTR_H

#include <stddef.h>
#include <stdint.h>

#define PORT_ATTR_TEXT_SIZE 64

/* What to read of a port, at least: to choose a port, not all of it is needed. */
enum umad_backend_port_part {
	UMAD_BACKEND_PORT_STATE = 1,	/* everything but P_Keys */
	UMAD_BACKEND_PORT_PKEYS = 2,
	UMAD_BACKEND_PORT_LINK = 4,	/* the attributes that tell */
};

/*
 * How the kernel writes a number. All of these forms are read: what follows the number is ignored.
 */
enum port_attr_form {
	PORT_ATTR_DECIMAL,
	PORT_ATTR_HEX,			/* 0x1 */
	PORT_ATTR_HEX32,		/* 0x00000001 */
	PORT_ATTR_STATE,		/* 4: ACTIVE */
	PORT_ATTR_PHYS_STATE,		/* 5: LinkUp */
	PORT_ATTR_TEXT,			/* no number */
};

/*
 * NUMBER(member, file, part, form): a uint32_t. TEXT(member, file, part, without): text of less
 * than PORT_ATTR_TEXT_SIZE bytes, terminated; 'without': its value if there is no such file. All in
 * host byte order, and in the order in which they are read.
 *
 * link_layer: kernels before 2.6.38, and umad2sim, do not have it: all was InfiniBand.
 * rate: "100 Gb/sec (4X EDR)"; a port without a cable may have none.
 */
#define PORT_ATTRS(NUMBER, TEXT) \
	NUMBER(state, "state", UMAD_BACKEND_PORT_LINK, PORT_ATTR_STATE) \
	NUMBER(phys_state, "phys_state", UMAD_BACKEND_PORT_LINK, PORT_ATTR_PHYS_STATE) \
	NUMBER(cap_mask, "cap_mask", UMAD_BACKEND_PORT_LINK, PORT_ATTR_HEX32) \
	TEXT(link_layer, "link_layer", UMAD_BACKEND_PORT_LINK, "IB") \
	NUMBER(lid, "lid", UMAD_BACKEND_PORT_STATE, PORT_ATTR_HEX) \
	NUMBER(lmc, "lid_mask_count", UMAD_BACKEND_PORT_STATE, PORT_ATTR_DECIMAL) \
	NUMBER(sm_lid, "sm_lid", UMAD_BACKEND_PORT_STATE, PORT_ATTR_HEX) \
	NUMBER(sm_sl, "sm_sl", UMAD_BACKEND_PORT_STATE, PORT_ATTR_DECIMAL) \
	TEXT(rate, "rate", UMAD_BACKEND_PORT_STATE, "")

/*
 * It has no pointers, and the same layout in every process of a machine. Zero all of it (memset)
 * before filling it in, because it is compared and sent as bytes.
 */
struct port_attr {
	uint64_t gid_prefix;		/* of GID 0, the file gids/0 */
	uint64_t port_guid;		/* lower half of GID 0 */
	uint32_t portnum;
#define NUMBER(member, file, part, form) uint32_t member;
#define TEXT(member, file, part, without) char member[PORT_ATTR_TEXT_SIZE];
	PORT_ATTRS(NUMBER, TEXT)
#undef TEXT
#undef NUMBER
};

/* A row of the list, for iteration. */
struct port_attr_field {
	const char *file;		/* in the port's directory */
	enum umad_backend_port_part part;
	enum port_attr_form form;
	const char *without;		/* default of a text */
	size_t offset;			/* in struct port_attr */
};

/* The row at 'at', in order; NULL after the last. */
const struct port_attr_field *port_attr_field_at(size_t at);

/* The field itself, a uint32_t or text according to its form. */
uint32_t *port_attr_number(struct port_attr *attr, const struct port_attr_field *field);
char *port_attr_text(struct port_attr *attr, const struct port_attr_field *field);

/*
 * Prints the field as the kernel writes it, without the newline, into 'text', truncated to 'size'
 * bytes (2 * PORT_ATTR_TEXT_SIZE are enough).
 */
void port_attr_print(const struct port_attr *attr, const struct port_attr_field *field, char *text,
		     size_t size);

/* The leading number of 'rate': Gb/s, without its fraction; 0 if there is none. */
unsigned int port_attr_rate(const struct port_attr *attr);

#endif
