/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umadprobe: what its sections share. */
#include "tests/lab/probes/umadprobe.h"

const char *section;
char big[HDR + (1 << 21)], big2[HDR + (1 << 21)], big3[HDR + (1 << 21)];

void say(const char *name, const char *fmt, ...)
{
	va_list ap;

	printf("%s.%s: ", section, name);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
}

const char *en(int e)
{
	const char *n = e ? strerrorname_np(e) : "0";

	return n ? n : "?";
}

char rvbuf[8][64];
int rvn;

double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

long counter(int dev, const char *name)
{
	char path[160];
	long v = -1;
	FILE *f;

	snprintf(path, sizeof path,
		 "/sys/class/infiniband/rxe%d/ports/1/hw_counters/%s", dev, name);
	f = fopen(path, "r");
	if (f) {
		if (fscanf(f, "%ld", &v) != 1)
			v = -1;
		fclose(f);
	}
	return v;
}

void settle(int ms) { usleep(ms * 1000); }

/* ------------------------------------------------------------- MADs ------ */

/*
 * The devices' link-local GIDs, which are index 0. (The IPv4-mapped ones will
 * not do: the kernel matches a response by the DGID in the received GRH, and
 * with RoCE over IPv4 these bytes hold an IPv4 header, so none ever matches.)
 */
int gid_index = 0;

void gid_of(int dev, uint8_t gid[16])
{
	static const uint8_t v6[16] = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0,
		0x50, 0x54, 0x00, 0xff, 0xfe, 0x12, 0x34, 0x10 };
	static const uint8_t v4[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 99, 0, 1 };

	memcpy(gid, gid_index ? v4 : v6, 16);
	gid[15] += dev;
}

void aim(void *um, const uint8_t gid[16])
{
	struct ib_user_mad *m = um;
	ib_mad_addr_t a;

	umad_set_addr(um, 0, 1, 0, 0x80010000);
	memset(&a, 0, sizeof a);
	memcpy(a.gid, gid, 16);
	a.hop_limit = 64;
	umad_set_grh(um, &a);
	m->addr.gid_index = gid_index;	/* umad_set_grh() does not copy it */
	umad_set_pkey(um, 0);
}

void aim_dev(void *um, int dev)
{
	uint8_t g[16];

	gid_of(dev, g);
	aim(um, g);
}

void aim_nobody(void *um)
{
	uint8_t g[16];

	gid_of(0, g);
	g[15] = 0x77;
	aim(um, g);
}

uint8_t *mad_of(void *um) { return umad_get_mad(um); }

void fill(void *um, int cls, int ver, int method, uint64_t tid, int attr, int len)
{
	uint8_t *p = mad_of(um);
	int i;

	memset(um, 0, HDR + len);
	p[0] = 1; p[1] = cls; p[2] = ver; p[3] = method;
	for (i = 0; i < 8; i++)
		p[8 + i] = tid >> (56 - 8 * i);
	p[16] = attr >> 8; p[17] = attr;
	if (cls >= 0x30 && cls <= 0x4f) {
		p[37] = 0x00; p[38] = 0x14; p[39] = 0x05;
	}
}

uint64_t tid_of(const void *um)
{
	const uint8_t *p = mad_of((void *)um);
	uint64_t t = 0;
	int i;

	for (i = 0; i < 8; i++)
		t = t << 8 | p[8 + i];
	return t;
}

void rmpp(void *um, int ver, int type, int flags, uint32_t seg, uint32_t pay)
{
	uint8_t *p = mad_of(um);
	int i;

	p[24] = ver; p[25] = type; p[26] = flags; p[27] = 0;
	for (i = 0; i < 4; i++) {
		p[28 + i] = seg >> (24 - 8 * i);
		p[32 + i] = pay >> (24 - 8 * i);
	}
}

uint32_t be32at(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

const char *show(const void *um)
{
	static char b[4][400];
	static int n;
	char *s = b[n++ & 3];
	const struct ib_user_mad *m = um;
	const uint8_t *p = mad_of((void *)um);

	snprintf(s, 400, "agent %u status %u timeout_ms %u retries %u length %u | qpn %#x qkey %#x "
		 "lid %#x sl %u path_bits %u grh %u gid_index %u hop %u tc %u gid ..%02x%02x flow %#x pkey_index %u | "
		 "class %#x method %#x mad-status %#x tid %016lx attr %#x",
		 m->agent_id, m->status, m->timeout_ms, m->retries, m->length,
		 ntohl(m->addr.qpn), ntohl(m->addr.qkey), ntohs(m->addr.lid), m->addr.sl,
		 m->addr.path_bits, m->addr.grh_present, m->addr.gid_index, m->addr.hop_limit,
		 m->addr.traffic_class, m->addr.gid[14], m->addr.gid[15], ntohl(m->addr.flow_label),
		 m->addr.pkey_index, p[1], p[3], p[4] << 8 | p[5], tid_of(um), p[16] << 8 | p[17]);
	return s;
}

const char *showrmpp(const void *um)
{
	static char b[120];
	const uint8_t *p = mad_of((void *)um);

	snprintf(b, sizeof b, "rmpp ver %u type %u rrtime<<3|flags %#x status %u seg %u paylen %u",
		 p[24], p[25], p[26], p[27], be32at(p + 28), be32at(p + 32));
	return b;
}

void mask_set(long m[2], int method) { m[method / 64] |= 1ul << (method % 64); }

int reg1(int fd, int cls, int ver, int rmppv, int method)
{
	long m[2] = {0, 0};

	if (method >= 0)
		mask_set(m, method);
	return umad_register(fd, cls, ver, rmppv, m);
}

int regoui(int fd, int cls, int rmppv, int method)
{
	long m[2] = {0, 0};
	uint8_t oui[3] = {0x00, 0x14, 0x05};

	if (method >= 0)
		mask_set(m, method);
	return umad_register_oui(fd, cls, rmppv, oui, m);
}

int drain(int fd, int ms)
{
	static char buf[1 << 16];
	int n = 0;

	for (;;) {
		int len = sizeof buf - HDR;

		if (umad_recv(fd, buf, &len, n && ms > 200 ? 200 : ms) < 0)
			return n;
		n++;
	}
}

void arrive(const char *name, const char *rv, int fd, int ms)
{
	int n = drain(fd, ms);

	say(name, "%s; arrived %d", rv, n);
}

int openp(int dev) { return umad_open_port(dev ? "rxe1" : "rxe0", 1); }

/* a server on rxe1: receives one MAD and answers with it, changed according to 'how' */
int get_one(int fd, char *um, int size, int ms)
{
	int len = size;
	int n = umad_recv(fd, um, &len, ms);

	return n < 0 ? n : len;
}

int answer(int fd, int a, char *req, int method)
{
	static char um[HDR + 256];
	struct ib_user_mad *m = (void *)um;

	memcpy(um, req, HDR + 256);
	mad_of(um)[3] = method;
	m->addr.qkey = htonl(0x80010000);
	return umad_send(fd, a, um, 256, 0, 0);
}
