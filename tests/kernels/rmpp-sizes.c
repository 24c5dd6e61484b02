/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * rmpp-sizes: messages in segments (RMPP) from one host to the other and back, of several sizes,
 * with and without losses that the fabric makes.
 *
 * 	rmpp-sizes [-2] [-f | -x] [-l PERCENT] [-s FIRST[-LAST]] [KERNEL] [SIZE...]
 *
 * KERNEL is as of the option kernel= of fabrics (uml:6.12, 6.12), "" is kmod-stub; H1 has it, and
 * H2 with -2. SIZE is in bytes, by default 1024 to 4194304 in powers of four. -l: so many percent
 * of all packets are lost. -s: the fabric's seeds, one fabric each for each size, by default 1. -f:
 * messages may fail, and how many have come is all that is told. -x: none may come.
 *
 * Linux gives up a reception 40 s after its first segment, however fast it goes on, and a window of
 * which a segment is lost costs 2 s: what takes longer than that fails between any two of its ends.
 *
 * Prints TAP, a line for each size and way, with how long it took in virtual time. Status 1: bytes
 * have not come, or are wrong.
 */
#include "config.h"

#include <endian.h>
#include <getopt.h>
#include <glib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_mad.h>

#include "lib/base/wire.h"
#include "lib/words/number.h"
#include "sim/api/umadrig.h"

enum {
	HEADER = 64,
	CLASS = 0x30,			/* a vendor's, with an OUI: 40 bytes of headers */
	CLASS_HEADER = 40,
	OUI = 0x1405,
	METHOD_SEND = 0x03,
	SIZE_MAX_MIB = 64,
	RETRIES = 15,
	PATIENCE_S = 100,
	STEP_MS = 20,
};

struct wishes {
	const char *kernel;
	uint64_t percent, first, last;
	bool both, may_fail, must_fail;
};

struct end {
	struct umadrig_port *port;
	struct umadrig_file *file;
	uint32_t agent;
};

struct pair {
	struct umadrig_fabric *fabric;
	struct end ends[2];
};

static unsigned int checks;
static bool has_failed;

static void tell(bool holds, const char *text)
{
	printf("%sok %u - %s\n", holds ? "" : "not ", ++checks, text);
	fflush(stdout);
	has_failed |= !holds;
}

/* ---- a pair of hosts ---- */

static bool open_end(struct umadrig_fabric *fabric, const char *host, struct end *end)
{
	struct ib_user_mad_reg_req2 wish = {
		.qpn = 1, .mgmt_class = CLASS, .mgmt_class_version = 1, .oui = OUI,
		.method_mask = { UINT64_C(1) << METHOD_SEND }, .rmpp_version = 1,
	};

	end->port = umadrig_port(fabric, host, 1);
	if (!end->port || umadrig_file_open(end->port, &end->file) < 0 ||
	    umadrig_file_ioctl(end->file, IB_USER_MAD_REGISTER_AGENT2, &wish) < 0)
		return false;
	end->agent = wish.id;
	return true;
}

static void close_pair(struct pair *pair)
{
	for (int i = 0; i < 2; i++) {
		if (pair->ends[i].file)
			umadrig_file_close(pair->ends[i].file);
	}
	umadrig_fabric_close(pair->fabric);
}

static char *fabric_text(const struct wishes *wishes, uint64_t seed)
{
	GString *text = g_string_new(NULL);

	g_string_printf(text, ",clock=virtual,seed=%" G_GUINT64_FORMAT, seed);
	if (*wishes->kernel)
		g_string_append_printf(text, ",kernel=H1:%s", wishes->kernel);
	if (*wishes->kernel && wishes->both)
		g_string_append_printf(text, ",kernel=H2:%s", wishes->kernel);
	return g_string_free(text, false);
}

static bool open_pair(const struct wishes *wishes, uint64_t seed, struct pair *pair)
{
	g_autofree char *text = fabric_text(wishes, seed);
	g_autofree char *loss = g_strdup_printf("drop %" G_GUINT64_FORMAT "%% on H1",
						wishes->percent);
	char message[1024] = "";

	*pair = (struct pair){ .fabric = umadrig_fabric_open(text, message, sizeof(message)) };
	if (!pair->fabric) {
		printf("Bail out! %s\n", message);
		return false;
	}
	if (open_end(pair->fabric, "H1", &pair->ends[0]) &&
	    open_end(pair->fabric, "H2", &pair->ends[1]) &&
	    (wishes->percent == 0 ||
	     umadrig_fault_add_text(pair->fabric, loss, message, sizeof(message)) >= 0))
		return true;
	printf("Bail out! no pair of agents with RMPP: %s\n", message);
	close_pair(pair);
	return false;
}

/* ---- a message ---- */

static uint8_t byte_of(size_t at)
{
	return (uint8_t)(at * 31 + (at >> 8) * 7 + 1);
}

static long write_message(const struct end *from, const struct end *to, size_t size)
{
	g_autofree uint8_t *buf = g_malloc0(HEADER + CLASS_HEADER + size);
	struct ib_user_mad *umad = (struct ib_user_mad *)(void *)buf;
	uint8_t *mad = buf + HEADER;

	umad->hdr.id = from->agent;
	umad->hdr.retries = RETRIES;
	umad->hdr.qpn = htobe32(1);
	umad->hdr.qkey = htobe32(0x80010000);
	umad->hdr.lid = htobe16(umadrig_port_lid(to->port));
	mad[0] = 1;
	mad[1] = CLASS;
	mad[2] = 1;
	mad[3] = METHOD_SEND;
	put_be32(mad + 12, 7);
	mad[24] = 1;			/* RMPP: version, DATA, active */
	mad[25] = 1;
	mad[26] = 1;
	put_be32(mad + 36, OUI);
	for (size_t i = 0; i < size; i++)
		mad[CLASS_HEADER + i] = byte_of(i);
	return umadrig_file_write(from->file, buf, HEADER + CLASS_HEADER + size);
}

/* How many of its bytes are as they were sent, or -errno. */
static long read_message(const struct end *at, size_t size)
{
	size_t room = HEADER + CLASS_HEADER + size + 256, right = 0;
	g_autofree uint8_t *buf = g_malloc0(room);
	const uint8_t *payload = buf + HEADER + CLASS_HEADER;
	long count = umadrig_file_read(at->file, buf, room);

	if (count < HEADER + CLASS_HEADER)
		return count < 0 ? count : 0;
	while (right < (size_t)count - HEADER - CLASS_HEADER && right < size &&
	       payload[right] == byte_of(right))
		right++;
	return (long)right;
}

/* How long it took in ms, or -1. */
static int64_t pass(struct pair *pair, int from, size_t size)
{
	const int64_t ms_ns = 1000000, begin_ns = umadrig_now(pair->fabric);
	const struct end *to = &pair->ends[1 - from];

	if (write_message(&pair->ends[from], to, size) < 0)
		return -1;
	while (!(umadrig_file_poll(to->file) & POLLIN)) {
		int64_t now_ns = umadrig_now(pair->fabric);

		if (now_ns - begin_ns > PATIENCE_S * 1000 * ms_ns)
			return -1;
		umadrig_step(pair->fabric, now_ns + STEP_MS * ms_ns);
	}
	if (read_message(to, size) != (long)size)
		return -1;
	return (umadrig_now(pair->fabric) - begin_ns) / ms_ns;
}

/* ---- sizes ---- */

static bool try_size(const struct wishes *wishes, size_t size)
{
	unsigned int passed[2] = { 0, 0 }, seeds = 0;
	int64_t longest[2] = { 0, 0 };

	for (uint64_t seed = wishes->first; seed <= wishes->last; seed++, seeds++) {
		struct pair pair;

		if (!open_pair(wishes, seed, &pair))
			return false;
		for (int from = 0; from < 2; from++) {
			int64_t took = pass(&pair, from, size);

			passed[from] += took >= 0;
			longest[from] = MAX(longest[from], took);
		}
		close_pair(&pair);
	}
	for (int from = 0; from < 2; from++) {
		g_autofree char *text = g_strdup_printf(
			"%zu bytes from H%d, %" G_GUINT64_FORMAT " %% lost: %u of %u, "
			"at most %.2f s", size, from + 1, wishes->percent, passed[from], seeds,
			(double)longest[from] / 1000);

		tell(wishes->may_fail || passed[from] == (wishes->must_fail ? 0 : seeds), text);
	}
	return true;
}

static bool try_all(const struct wishes *wishes, int argc, char **argv)
{
	uint64_t size;

	for (int i = optind + 1; i < argc; i++) {
		if (number_parse(argv[i], 1, (uint64_t)SIZE_MAX_MIB << 20, &size) < 0) {
			fprintf(stderr, "rmpp-sizes: '%s' is no size, of 64 MiB at most\n",
				argv[i]);
			return false;
		}
		if (!try_size(wishes, size))
			return false;
	}
	for (size = 1024; optind + 1 >= argc && size <= 4 << 20; size *= 4) {
		if (!try_size(wishes, size))
			return false;
	}
	return true;
}

static int usage(void)
{
	fputs("usage: rmpp-sizes [-2] [-f | -x] [-l PERCENT] [-s FIRST[-LAST]] [KERNEL] "
	      "[SIZE...]\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	/* As make check calls it. */
	static const struct option tap[] = { { "tap", no_argument, NULL, 0 }, { .name = NULL } };
	struct wishes wishes = { .kernel = "", .first = 1, .last = 1 };
	char *faults;
	int option;

	while ((option = getopt_long(argc, argv, "2fl:s:x", tap, NULL)) != -1) {
		wishes.both |= option == '2';
		wishes.may_fail |= option == 'f';
		wishes.must_fail |= option == 'x';
		if ((option == 'l' && number_parse(optarg, 0, 100, &wishes.percent) < 0) ||
		    (option == 's' && number_parse_range(optarg, UINT64_MAX - 1, &wishes.first,
							 &wishes.last) < 0) ||
		    option == '?')
			return usage();
	}
	if (optind < argc)
		wishes.kernel = argv[optind];
	if (!try_all(&wishes, argc, argv))
		return 2;
	faults = umadrig_kernel_faults();
	tell(!faults, "the kernel complains of nothing");
	if (faults)
		printf("# %s\n", faults);
	free(faults);
	printf("1..%u\n", checks);
	return has_failed;
}
