/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric used through its door, for tests: devices, handles and agents as libibumad would use
 * them, and MADs that are made in one line.
 */
#ifndef UMADRIG_TESTS_RIG_RIG_H
#define UMADRIG_TESTS_RIG_RIG_H

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "lib/backend.h"
#include "sim/api/umadrig.h"
#include "lib/base/wire.h"

enum { RIG_HEADER = 64, RIG_UMAD = RIG_HEADER + MAD_SIZE };

/* The kernel's header in front of a MAD: offsets (linux-mad A.1). */
enum {
	RIG_ID = 0, RIG_STATUS = 4, RIG_TIMEOUT = 8, RIG_RETRIES = 12, RIG_LENGTH = 16,
	RIG_QPN = 20, RIG_QKEY = 24, RIG_LID = 28,
};

struct rig {
	struct umadrig_fabric *fabric;
	const struct umad_backend *backend;
};

static inline struct rig rig_open(const char *spec)
{
	char message[512] = "";
	struct rig rig = { .fabric = umadrig_fabric_open(spec, message, sizeof(message)) };

	if (!rig.fabric)
		g_error("%s: %s", spec, message);
	rig.backend = umadrig_backend(UMAD_BACKEND_ABI);
	umadrig_attach(rig.fabric);
	return rig;
}

/* A fabric from a topology in the test itself; 'options' begin with a comma. */
static inline struct rig rig_open_text(const char *text, const char *options)
{
	g_autofree char *path = NULL;
	g_autofree char *spec = NULL;
	struct rig rig;
	int fd = g_file_open_tmp("fabric-XXXXXX.net", &path, NULL);

	g_assert_cmpint(fd, >=, 0);
	g_assert_true(g_close(fd, NULL));
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	spec = g_strconcat(path, options, NULL);
	rig = rig_open(spec);
	g_unlink(path);
	return rig;
}

static inline void rig_close(struct rig *rig)
{
	umadrig_fabric_close(rig->fabric);
}

static inline int rig_open_port(struct rig *rig, const char *host, const char *device,
				unsigned int num)
{
	size_t header_size = 0;
	int fd;

	g_assert_cmpint(umadrig_host_enter(rig->fabric, host), ==, 0);
	fd = rig->backend->open(device, num, &header_size);
	g_assert_cmpint(umadrig_host_enter(rig->fabric, NULL), ==, 0);
	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpuint(header_size, ==, RIG_HEADER);
	return fd;
}

/* An agent of a class; 'methods': the methods it wants, as a mask of methods 0 to 63. */
static inline uint32_t rig_register(struct rig *rig, int fd, uint8_t mgmt_class, uint64_t methods)
{
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT,
		.qpn = mad_class_is_smp(mgmt_class) ? 0 : 1,
		.mgmt_class = mgmt_class,
		.mgmt_class_version = mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1,
		.method_mask = { methods, 0 },
		.oui = 0x001405,
	};

	g_assert_cmpint(rig->backend->register_agent(fd, &reg), ==, 0);
	return reg.id;
}

struct rig_get {
	uint8_t mgmt_class;
	uint8_t method;
	uint16_t attr;
	uint32_t modifier;
	uint16_t dlid;		/* directed routes: 0 means the permissive LID */
	uint16_t dr_slid, dr_dlid;	/* 0 means the permissive LID */
	uint8_t path[64];	/* [0]: number of hops, then their ports */
	uint32_t tid;
	uint32_t timeout_ms;
	uint32_t retries;
};

static inline void rig_put_u32(uint8_t *umad, unsigned int at, uint32_t value)
{
	memcpy(umad + at, &value, sizeof(value));
}

static inline uint32_t rig_get_u32(const uint8_t *umad, unsigned int at)
{
	uint32_t value;

	memcpy(&value, umad + at, sizeof(value));
	return value;
}

static inline void rig_fill(uint8_t umad[RIG_UMAD], uint32_t agent, const struct rig_get *get)
{
	uint8_t *mad = umad + RIG_HEADER;
	bool smp = mad_class_is_smp(get->mgmt_class);

	memset(umad, 0, RIG_UMAD);
	rig_put_u32(umad, RIG_ID, agent);
	rig_put_u32(umad, RIG_TIMEOUT, get->timeout_ms);
	rig_put_u32(umad, RIG_RETRIES, get->retries);
	put_be32(umad + RIG_QPN, smp ? 0 : 1);
	put_be32(umad + RIG_QKEY, smp ? 0 : QKEY_GSI);
	put_be16(umad + RIG_LID, get->dlid);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = get->mgmt_class;
	mad[MAD_CLASS_VERSION] = get->mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1;
	mad[MAD_METHOD] = get->method ? get->method : MAD_METHOD_GET;
	put_be64(mad + MAD_TID, get->tid);
	put_be16(mad + MAD_ATTR_ID, get->attr);
	put_be32(mad + MAD_ATTR_MOD, get->modifier);
	if (mad_class_is_vendor2(get->mgmt_class))
		put_be24(mad + VENDOR2_OUI, 0x001405);
	if (get->mgmt_class == MAD_CLASS_SUBN_DR) {
		if (!get->dlid)
			put_be16(umad + RIG_LID, LID_PERMISSIVE);
		put_be16(mad + SMP_DR_SLID, get->dr_slid ? get->dr_slid : LID_PERMISSIVE);
		put_be16(mad + SMP_DR_DLID, get->dr_dlid ? get->dr_dlid : LID_PERMISSIVE);
		mad[SMP_HOP_CNT] = get->path[0];
		memcpy(mad + SMP_INITIAL_PATH + 1, get->path + 1, get->path[0]);
	}
}

static inline void rig_send(struct rig *rig, int fd, uint32_t agent, const struct rig_get *get)
{
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, agent, get);
	g_assert_cmpint(rig->backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
}

/* Waits as umad_recv does. Returns the number of bytes, or -errno (-ETIMEDOUT: nothing in time). */
static inline long rig_recv(struct rig *rig, int fd, uint8_t umad[RIG_UMAD], int timeout_ms)
{
	long ret = rig->backend->recv(fd, umad, RIG_UMAD);

	if (ret != -EAGAIN)
		return ret;
	ret = rig->backend->poll(fd, timeout_ms);
	if (ret <= 0)
		return ret ? ret : -ETIMEDOUT;
	return rig->backend->recv(fd, umad, RIG_UMAD);
}

#endif
