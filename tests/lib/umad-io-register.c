/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Agents of a handle: what registration asks of a backend, and what it returns.
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "tests/lib/scripted-backend.h"

void test_register(void)
{
	static const struct {
		int class, version;
		unsigned int qpn, sent_class;
	} rows[] = {
		{ 0x01, 1, 0, 0x01 },
		{ 0x81, 1, 0, 0x81 },
		{ -127, 1, 0, 0x81 },	/* 0x81 in a signed char */
		{ 0x03, 2, 1, 0x03 },
		{ 0x04, 1, 1, 0x04 },
		{ 0x32, 1, 1, 0x32 },
	};
	long mask[16 / sizeof(long)] = { 0 };
	uint8_t oui[3] = { 0x12, 0x34, 0x56 };
	int fd = script_begin();

	memset(mask, 0xa5, sizeof(mask));
	script.register_result = 9;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_assert_cmpint(umad_register(fd, rows[i].class, rows[i].version, 1, mask), ==, 9);
		g_assert_cmpuint(script.reg.request, ==, UMAD_BACKEND_REGISTER_AGENT);
		g_assert_cmpuint(script.reg.qpn, ==, rows[i].qpn);
		g_assert_cmphex(script.reg.mgmt_class, ==, rows[i].sent_class);
		g_assert_cmpuint(script.reg.mgmt_class_version, ==, rows[i].version);
		g_assert_cmpuint(script.reg.rmpp_version, ==, 1);
		g_assert_cmphex(script.reg.oui, ==, 0x001405);
		g_assert_cmphex(script.reg.method_mask[1], ==, UINT64_C(0xa5a5a5a5a5a5a5a5));
	}
	g_assert_cmpint(umad_register(fd, 4, 1, 0, NULL), ==, 9);
	g_assert_cmphex(script.reg.method_mask[0], ==, 0);

	g_assert_cmpint(umad_register_oui(fd, 0x4f, 1, oui, mask), ==, 9);
	g_assert_cmphex(script.reg.oui, ==, 0x123456);
	g_assert_cmpuint(script.reg.mgmt_class_version, ==, 1);
	script.calls = 0;
	g_assert_cmpint(umad_register_oui(fd, 0x2f, 1, oui, mask), ==, -EINVAL);
	g_assert_cmpint(umad_register_oui(fd, 0x50, 1, oui, mask), ==, -EINVAL);
	g_assert_cmpint(umad_register_oui(fd, 0x130, 1, oui, mask), ==, -EINVAL);
	g_assert_cmpint(umad_register_oui(fd, 0x30, 1, NULL, mask), ==, -EINVAL);
	g_assert_cmpuint(script.calls, ==, 0);

	script.register_result = -EPROTONOSUPPORT;
	g_assert_cmpint(umad_register(fd, 1, 1, 0, NULL), ==, -EPERM);
	g_assert_cmpint(errno, ==, EPROTONOSUPPORT);
	g_assert_cmpint(umad_register_oui(fd, 0x30, 0, oui, NULL), ==, -EPERM);
	script.register_result = -EBADF;
	g_assert_cmpint(umad_register(fd, 1, 1, 0, NULL), ==, -EINVAL);
	script_end(fd);
}

void test_register2(void)
{
	struct umad_reg_attr attr = {
		.mgmt_class = 0x81, .mgmt_class_version = 1, .method_mask = { 2, 4 },
		.rmpp_version = 0,
	};
	uint32_t id = 77;
	int fd = script_begin();

	/* An unknown flag: the supported ones are returned, and the id stays. */
	attr.flags = 0x80000001;
	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, EINVAL);
	g_assert_cmphex(attr.flags, ==, UMAD_USER_RMPP);
	g_assert_cmpuint(id, ==, 77);
	g_assert_cmpuint(script.register_requests[UMAD_BACKEND_REGISTER_AGENT], ==, 0);

	script.register_result = 3;
	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, 0);
	g_assert_cmpuint(id, ==, 3);
	g_assert_cmphex(attr.flags, ==, UMAD_USER_RMPP);
	g_assert_cmpuint(script.reg.qpn, ==, 0);
	g_assert_cmphex(script.reg.method_mask[0], ==, 2);
	g_assert_cmphex(script.reg.method_mask[1], ==, 4);

	/* Refused for another reason: the flags are unchanged, and there is only one call. */
	attr.flags = 0;
	script.register_result = -EINVAL;
	memset(script.register_requests, 0, sizeof(script.register_requests));
	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, EINVAL);
	g_assert_cmphex(attr.flags, ==, 0);
	g_assert_cmpuint(script.register_requests[UMAD_BACKEND_REGISTER_AGENT2], ==, 1);
	g_assert_cmpuint(script.register_requests[UMAD_BACKEND_REGISTER_AGENT], ==, 0);
	script_end(fd);
}

/* A kernel without the request: the older request is used, unless there are flags. */
void test_register2_old_kernel(void)
{
	struct umad_reg_attr attr = {
		.mgmt_class = 0x4f, .mgmt_class_version = 1, .oui = 0x123456,
	};
	uint32_t id = 77;
	int fd = script_begin();

	script.has_register2 = false;
	script.register_result = 4;
	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, 0);
	g_assert_cmpuint(id, ==, 4);
	g_assert_cmpuint(script.reg.request, ==, UMAD_BACKEND_REGISTER_AGENT);
	g_assert_cmphex(script.reg.oui, ==, 0x123456);
	attr.flags = UMAD_USER_RMPP;
	g_assert_cmpint(umad_register2(fd, &attr, &id), ==, ENOTTY);
	g_assert_cmphex(attr.flags, ==, 0);
	script_end(fd);
}

void test_register2_arguments(void)
{
	static const struct {
		unsigned int class;
		uint32_t oui;
		int result;
	} rows[] = {
		{ 0x30, 0, EINVAL },
		{ 0x4f, 0x01000000, EINVAL },
		{ 0x4f, 0x00ffffff, 0 },
		{ 0x50, 0, 0 },		/* left to the kernel to refuse */
		{ 0x04, 0x01000000, 0 },
	};
	struct umad_reg_attr attr = { .flags = 0 };
	uint32_t id;
	int fd = script_begin();

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		attr.mgmt_class = (uint8_t)rows[i].class;
		attr.oui = rows[i].oui;
		script.calls = 0;
		g_assert_cmpint(umad_register2(fd, &attr, &id), ==, rows[i].result);
		g_assert_cmpuint(script.calls, ==, rows[i].result == 0);
	}
	g_assert_cmpint(umad_register2(fd, NULL, &id), ==, EINVAL);
	g_assert_cmpint(umad_register2(fd, &attr, NULL), ==, EINVAL);
	script_end(fd);
}

void test_unregister(void)
{
	static const struct {
		int backend, result;
	} rows[] = {
		{ 0, 0 }, { -EINVAL, -EINVAL }, { -EBADF, -EINVAL }, { -ENOTTY, -ENOTTY },
	};
	int fd = script_begin();

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		script.unregister_result = rows[i].backend;
		errno = 0;
		g_assert_cmpint(umad_unregister(fd, 0), ==, rows[i].result);
		g_assert_cmpint(errno, ==, -rows[i].backend);
	}
	script_end(fd);
}
