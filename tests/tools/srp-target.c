/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * srp-target: an I/O unit with one controller, which ibsrpdm and srp_daemon query by device
 * management MADs (IBA vol 1, 16.3.3; SRP is INCITS 365, annex B). No initiator can log in to it.
 *
 * Prints "ready" and its process id, and answers until it is killed.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/base/wire.h"

enum {
	DATA = 64,		/* of a device management MAD */
	ATTR_IO_UNIT_INFO = 0x10,
	ATTR_IO_CONTROLLER_PROFILE = 0x11,
	ATTR_SERVICE_ENTRIES = 0x12,
	/* Offsets in the data, and values. */
	UNIT_CHANGE_ID = 0, UNIT_MAX_CONTROLLERS = 2, UNIT_CONTROLLERS = 4, PRESENT = 1,
	PROFILE_GUID = 0, PROFILE_VENDOR = 8, PROFILE_DEVICE = 12, PROFILE_IO_CLASS = 28,
	PROFILE_PROTOCOL = 32, PROFILE_SEND_SIZE = 44, PROFILE_SERVICES = 54, PROFILE_ID = 64,
	SERVICE_NAME = 0, SERVICE_ID = 40,
	IO_CLASS_SRP = 0x0100, PROTOCOL_SRP = 0x0108,
};

/* False: there is no such attribute. */
static bool fill(unsigned int attr, uint8_t *data)
{
	switch (attr) {
	case ATTR_IO_UNIT_INFO:
		put_be16(data + UNIT_CHANGE_ID, 7);
		data[UNIT_MAX_CONTROLLERS] = 1;
		data[UNIT_CONTROLLERS] = PRESENT << 4;
		return true;
	case ATTR_IO_CONTROLLER_PROFILE:
		put_be64(data + PROFILE_GUID, UINT64_C(0x1122334455667788));
		put_be24(data + PROFILE_VENDOR, 0x2c9);
		put_be32(data + PROFILE_DEVICE, 0x101b);
		put_be16(data + PROFILE_IO_CLASS, IO_CLASS_SRP);
		put_be16(data + PROFILE_PROTOCOL, PROTOCOL_SRP);
		put_be32(data + PROFILE_SEND_SIZE, 8256);
		data[PROFILE_SERVICES] = 1;
		strcpy((char *)data + PROFILE_ID, "a disk");
		return true;
	case ATTR_SERVICE_ENTRIES:
		strcpy((char *)data + SERVICE_NAME, "SRP.T10:00000000000000AA");
		put_be64(data + SERVICE_ID, 0xbb);
		return true;
	}
	return false;
}

static void answer(uint8_t *mad)
{
	memset(mad + DATA, 0, MAD_SIZE - DATA);
	mad[MAD_METHOD] |= MAD_METHOD_RESPONSE;
	if (!fill(get_be16(mad + MAD_ATTR_ID), mad + DATA))
		put_be16(mad + MAD_STATUS, MAD_STATUS_BAD_METHOD_ATTR);
}

int main(void)
{
	long methods[16 / sizeof(long)] = { 1L << MAD_METHOD_GET };
	int fd, agent, length;
	void *umad;

	umad_init();
	umad = umad_alloc(1, umad_size() + MAD_SIZE);
	fd = umad_open_port(NULL, 0);
	agent = fd < 0 ? fd : umad_register(fd, MAD_CLASS_DEV_MGT, 1, 0, methods);
	if (!umad || agent < 0)
		return 1;
	printf("ready %d\n", (int)getpid());
	fflush(stdout);
	for (;;) {
		length = MAD_SIZE;
		if (umad_recv(fd, umad, &length, -1) != agent)
			return 1;
		answer(umad_get_mad(umad));
		if (umad_send(fd, agent, umad, MAD_SIZE, 0, 0) < 0)
			return 1;
	}
}
