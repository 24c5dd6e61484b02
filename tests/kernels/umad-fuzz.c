/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umad-fuzz: calls of umad files and packets from the wire, drawn by chance, on a host with a
 * kernel: a whole one, as 'umadrig kernel build --uml --kasan' makes it, one of Linux's own files
 * in process, or kmod-stub. Nothing is expected of an answer; what the kernel's own checks say
 * (KASAN, lockdep, warnings, a panic) is what is looked for.
 *
 * 	umad-fuzz [-a] [-e | -g] [-m CAPTURE]... [-n OPERATIONS] [-s FIRST[-LAST]] [-t] [KERNEL]
 *
 * KERNEL is as of the option kernel= of fabrics: uml:6.12+kasan, 6.12+sanitize; without one it is
 * kmod-stub. Each seed is a fabric of its own with OPERATIONS (2000) operations. -t prints each of
 * them. -a: and what Linux is known to crash of (doc/upstream-bugs.md). -m: half of the MADs are
 * those of a capture, damaged or not.
 *
 * -e: which ways the kernel's MAD layer has gone is counted; the kernel is one that was built with
 * --edges. -g: and operations that have found a new way are kept, with the few before them, and
 * now and then some of them are done again, changed here and there. What was kept helps the
 * seeds after it: such a seed does the same again only together with those before it.
 *
 * Prints TAP, a line for each seed, which ends with how much of what was done; without -g the same
 * seed does the same each time. Status 1: a kernel had a fault, or has taken nothing, or has given
 * nothing.
 */
#include "config.h"

#include <getopt.h>
#include <glib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rdma/ib_user_mad.h>

#include "kmod-stub/packet.h"
#include "lib/base/wire.h"
#include "lib/words/number.h"
#include "sim/api/umadrig.h"
#include "sim/time/chance.h"
#include "tests/kernels/umad-fuzz-guide.h"

enum {
	FILES = 6,
	AGENTS = 32,			/* Linux: IB_UMAD_MAX_AGENTS */
	HEARD = 32,			/* packets that the host has sent, to be answered */
	WRITE_MAX = 20000,
	HEADER = 64,			/* struct ib_user_mad, without the MAD */
};

static const int64_t ms_ns = 1000000;

/* The agents of a file that were registered, of which some may have gone again. */
struct open_file {
	struct umadrig_file *file;	/* NULL: it is not open */
	struct {
		uint32_t id;
		uint8_t mgmt_class;
	} agents[AGENTS];
	unsigned int agent_count;
};

struct fuzz {
	struct chance chance;
	struct guide *guide;
	struct step *step;		/* that is done; NULL: without guidance */
	size_t drawn;			/* how many of its numbers were used */
	struct umadrig_fabric *fabric;
	struct umadrig_port *host, *peer;
	struct open_file files[FILES];
	struct packet heard[HEARD];
	size_t heard_size[HEARD];
	size_t heard_count;
	bool prints, knows_all;
	/* What was done, for people: */
	unsigned int writes, taken, reads, packets, agents;
};

/* ---- what is drawn ---- */

/* 0: any number. */
static uint64_t below(struct fuzz *fuzz, uint64_t limit)
{
	uint64_t number;

	if (fuzz->step && fuzz->drawn < fuzz->step->drawn->len) {
		number = g_array_index(fuzz->step->drawn, uint64_t, fuzz->drawn++);
		return limit ? number % limit : number;
	}
	number = limit ? chance_below(&fuzz->chance, limit) : chance_next(&fuzz->chance);
	if (fuzz->step) {
		g_array_append_val(fuzz->step->drawn, number);
		fuzz->drawn++;
	}
	return number;
}

static uint64_t anything(struct fuzz *fuzz)
{
	return below(fuzz, 0);
}

static bool hits(struct fuzz *fuzz, uint64_t one_in)
{
	return below(fuzz, one_in) == 0;
}

/* Mostly a number that means something, or is beside one. */
static uint32_t a_number(struct fuzz *fuzz)
{
	static const uint32_t numbers[] = {
		0, 1, 2, 3, 4, 0x10, 0x20, 36, 56, 64, 220, 256, 0x7f, 0x80, 0xff, 0x100, 0x7fff,
		0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
	};
	uint32_t number = numbers[below(fuzz, G_N_ELEMENTS(numbers))];

	return hits(fuzz, 8) ? (uint32_t)anything(fuzz) :
	       hits(fuzz, 4) ? number + 1 : hits(fuzz, 4) ? number - 1 : number;
}

/* A class that has agents, mostly; with and without RMPP, with an OUI, of directed routes. */
static uint8_t a_class(struct fuzz *fuzz)
{
	static const uint8_t classes[] = { 0x01, 0x81, 0x03, 0x03, 0x04, 0x05, 0x06, 0x06, 0x07,
					   0x09, 0x10, 0x30, 0x32, 0x4f };

	return hits(fuzz, 16) ? (uint8_t)a_number(fuzz) :
				classes[below(fuzz, G_N_ELEMENTS(classes))];
}

static uint8_t a_method(struct fuzz *fuzz)
{
	static const uint8_t methods[] = { 0x01, 0x02, 0x03, 0x05, 0x06, 0x07, 0x12, 0x13, 0x14,
					   0x15, 0x81, 0x81, 0x86, 0x87, 0x92, 0x92, 0x95 };

	return hits(fuzz, 16) ? (uint8_t)a_number(fuzz) :
				methods[below(fuzz, G_N_ELEMENTS(methods))];
}

/* IBA vol 1, 13.6.2: version, type, flags, status, then two words. */
static void draw_rmpp(struct fuzz *fuzz, uint8_t *rmpp)
{
	rmpp[0] = hits(fuzz, 16) ? (uint8_t)a_number(fuzz) : 1;
	rmpp[1] = hits(fuzz, 16) ? (uint8_t)a_number(fuzz) : (uint8_t)below(fuzz, 6);
	rmpp[2] = (uint8_t)(below(fuzz, 32) << 3 | below(fuzz, 8));
	rmpp[2] |= hits(fuzz, 8) ? 0 : 1;
	rmpp[3] = hits(fuzz, 4) ? (uint8_t)(110 + below(fuzz, 20)) : 0;
	put_be32(rmpp + 4, hits(fuzz, 4) ? a_number(fuzz) : 1 + (uint32_t)below(fuzz, 6));
	put_be32(rmpp + 8, hits(fuzz, 2) ? a_number(fuzz) : (uint32_t)below(fuzz, 300));
}

/* One of a capture. False: there are none, or it is to be drawn. */
static bool take_sample(struct fuzz *fuzz, uint8_t mad[MAD_SIZE])
{
	const struct guide *guide = fuzz->guide;

	if (guide->sample_count == 0 || hits(fuzz, 2))
		return false;
	memcpy(mad, guide_sample(guide, below(fuzz, guide->sample_count)), MAD_SIZE);
	if (hits(fuzz, 2))
		put_be64(mad + 8, below(fuzz, 4) | below(fuzz, 4) << 32);
	return true;
}

static void draw_mad(struct fuzz *fuzz, uint8_t mad[MAD_SIZE])
{
	if (take_sample(fuzz, mad))
		return;
	for (size_t i = 0; i < MAD_SIZE; i++)
		mad[i] = (uint8_t)(hits(fuzz, 8) ? anything(fuzz) : 0);
	mad[0] = hits(fuzz, 32) ? (uint8_t)a_number(fuzz) : 1;
	mad[1] = a_class(fuzz);
	mad[2] = hits(fuzz, 16) ? (uint8_t)a_number(fuzz) : mad[1] == 0x03 ? 2 : 1;
	mad[3] = a_method(fuzz);
	put_be64(mad + 8, below(fuzz, 4) | below(fuzz, 4) << 32);
	put_be16(mad + 16, (uint16_t)(hits(fuzz, 8) ? a_number(fuzz) : 0x10 + below(fuzz, 0x30)));
	if (mad[1] != 0x01 && mad[1] != 0x81)
		draw_rmpp(fuzz, mad + 24);
	/* Directed: hop pointer and count stand where the status of others is. */
	if (mad[1] == 0x81) {
		mad[6] = (uint8_t)below(fuzz, hits(fuzz, 16) ? 256 : 3);
		mad[7] = (uint8_t)below(fuzz, hits(fuzz, 16) ? 256 : 3);
	}
}

/* A response to oneself with the number of a kernel's agent: tests/kernels/local-response.mad. */
static bool is_known_to_crash(const uint8_t *mad)
{
	return (mad[1] == 0x81 || mad[1] == 0x01) && mad[3] & 0x80 && get_be32(mad + 8) < 8;
}

static void damage(struct fuzz *fuzz, uint8_t *bytes, size_t size)
{
	for (uint64_t i = below(fuzz, 4); i > 0; i--)
		bytes[below(fuzz, hits(fuzz, 2) ? MIN(size, 64) : size)] =
			(uint8_t)(hits(fuzz, 2) ? a_number(fuzz) : anything(fuzz));
}

/* ---- files ---- */

static struct open_file *a_file(struct fuzz *fuzz)
{
	return &fuzz->files[below(fuzz, FILES)];
}

static void close_file(struct open_file *open)
{
	umadrig_file_close(open->file);
	*open = (struct open_file){ .file = NULL };
}

static void say(const struct fuzz *fuzz, const char *what, long answer)
{
	if (fuzz->prints)
		printf("# %" G_GINT64_FORMAT " ns: %s: %ld\n", umadrig_now(fuzz->fabric), what,
		       answer);
}

static void do_open(struct fuzz *fuzz)
{
	struct open_file *open = a_file(fuzz);

	if (open->file && hits(fuzz, 4))
		close_file(open);
	if (!open->file)
		say(fuzz, "open", umadrig_file_open(fuzz->host, &open->file));
}

static void do_register(struct fuzz *fuzz)
{
	struct open_file *open = a_file(fuzz);
	struct ib_user_mad_reg_req2 wish = {
		.qpn = hits(fuzz, 16) ? a_number(fuzz) : (uint32_t)below(fuzz, 2),
		.mgmt_class = a_class(fuzz),
		.mgmt_class_version = hits(fuzz, 16) ? (uint8_t)a_number(fuzz) :
						       (uint8_t)(1 + below(fuzz, 2)),
		.flags = hits(fuzz, 4) ? (uint32_t)below(fuzz, 4) : 0,
		.oui = hits(fuzz, 2) ? a_number(fuzz) & 0xffffff : 0x1405,
		.rmpp_version = hits(fuzz, 16) ? (uint8_t)a_number(fuzz) :
						 (uint8_t)below(fuzz, 2),
	};
	long answer;

	for (size_t i = 0; i < G_N_ELEMENTS(wish.method_mask); i++)
		wish.method_mask[i] = hits(fuzz, 3) ? anything(fuzz) : 0;
	if (!open->file)
		return;
	if (hits(fuzz, 4))
		umadrig_file_ioctl(open->file, IB_USER_MAD_ENABLE_PKEY, NULL);
	answer = umadrig_file_ioctl(open->file, IB_USER_MAD_REGISTER_AGENT2, &wish);
	fuzz->agents += answer == 0;
	if (answer == 0 && open->agent_count < AGENTS) {
		open->agents[open->agent_count].id = wish.id;
		open->agents[open->agent_count++].mgmt_class = wish.mgmt_class;
	}
	say(fuzz, "register", answer);
}

static void do_unregister(struct fuzz *fuzz)
{
	const struct open_file *open = a_file(fuzz);
	uint32_t id = hits(fuzz, 8) ? a_number(fuzz) : (uint32_t)below(fuzz, AGENTS);

	if (open->file)
		say(fuzz, "unregister",
		    umadrig_file_ioctl(open->file, IB_USER_MAD_UNREGISTER_AGENT, &id));
}

static size_t a_size(struct fuzz *fuzz)
{
	switch (below(fuzz, 8)) {
	case 0:
		return below(fuzz, HEADER + 100);
	case 1:
	case 2:
		return HEADER + below(fuzz, MAD_SIZE + 1);
	case 3:
		return HEADER + below(fuzz, WRITE_MAX - HEADER);
	default:
		return HEADER + MAD_SIZE;
	}
}

static void do_write(struct fuzz *fuzz)
{
	static uint8_t buf[WRITE_MAX];
	struct ib_user_mad *umad = (struct ib_user_mad *)(void *)buf;
	const struct open_file *open = a_file(fuzz);
	uint64_t agent = open->agent_count ? below(fuzz, open->agent_count) : 0;
	size_t size = a_size(fuzz);
	long answer;

	memset(buf, 0, sizeof(buf));
	umad->hdr.id = hits(fuzz, 16) ? a_number(fuzz) : open->agents[agent].id;
	umad->hdr.timeout_ms = hits(fuzz, 8) ? a_number(fuzz) % 100000 :
					       (uint32_t)below(fuzz, 300);
	umad->hdr.retries = (uint32_t)below(fuzz, 4);
	umad->hdr.qpn = htobe32(hits(fuzz, 16) ? a_number(fuzz) : (uint32_t)below(fuzz, 2));
	umad->hdr.qkey = htobe32(0x80010000);
	umad->hdr.lid = htobe16((uint16_t)(hits(fuzz, 8) ? a_number(fuzz) : 1 + below(fuzz, 2)));
	umad->hdr.grh_present = hits(fuzz, 8);
	draw_mad(fuzz, buf + HEADER);
	if (!hits(fuzz, 8))
		buf[HEADER + 1] = open->agents[agent].mgmt_class;
	if (hits(fuzz, 4))
		damage(fuzz, buf, HEADER + MAD_SIZE);
	if (!fuzz->knows_all && is_known_to_crash(buf + HEADER))
		put_be32(buf + HEADER + 8, 0x10000);
	if (!open->file)
		return;
	answer = umadrig_file_write(open->file, buf, size);
	fuzz->writes++;
	fuzz->taken += answer > 0;
	say(fuzz, "write", answer);
}

static void do_read(struct fuzz *fuzz)
{
	static uint8_t buf[WRITE_MAX];
	struct umadrig_file *file = a_file(fuzz)->file;
	long answer;

	if (!file || !(umadrig_file_poll(file) & POLLIN))
		return;
	answer = umadrig_file_read(file, buf, hits(fuzz, 4) ? below(fuzz, 400) : sizeof(buf));
	fuzz->reads += answer > 0;
	say(fuzz, "read", answer);
}

/* ---- the wire ---- */

/* umadrig_tap_fn */
static void hear(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	struct fuzz *fuzz = ctx;
	size_t at = fuzz->heard_count % HEARD;

	(void)at_ns;
	if (!outbound || size > sizeof(fuzz->heard[at].bytes))
		return;
	memcpy(fuzz->heard[at].bytes, bytes, size);
	fuzz->heard_size[at] = size;
	fuzz->heard_count++;
}

/* An answer, more or less, to something that the host has sent; or what it has sent once more. */
static void do_answer(struct fuzz *fuzz)
{
	struct packet packet = { .next = NULL }, answer = { .next = NULL };
	struct packet_addr addr;
	size_t at, count = MIN(fuzz->heard_count, HEARD);
	uint8_t *mad;

	if (count == 0)
		return;
	at = below(fuzz, count);
	memcpy(packet.bytes, fuzz->heard[at].bytes, fuzz->heard_size[at]);
	if (!packet_parse(&packet, fuzz->heard_size[at], &addr))
		return;
	addr = (struct packet_addr){
		.slid = addr.dlid, .dlid = addr.slid, .pkey = addr.pkey, .psn = addr.psn,
		.src_qp = addr.dest_qp, .dest_qp = hits(fuzz, 16) ? 1 : addr.src_qp,
		.qkey = addr.qkey,
	};
	packet_build(&answer, &addr);
	mad = packet_mad(&answer);
	memcpy(mad, packet_mad(&packet), MAD_SIZE);
	if (!hits(fuzz, 8))
		mad[3] ^= 0x80;
	if (hits(fuzz, 2) && mad[1] != 0x01 && mad[1] != 0x81)
		draw_rmpp(fuzz, mad + 24);
	damage(fuzz, mad, MAD_SIZE);
	fuzz->packets++;
	say(fuzz, "answer", umadrig_deliver(fuzz->host, fuzz->peer, answer.bytes,
					    (size_t)(mad - answer.bytes) + MAD_SIZE));
}

static void do_arrive(struct fuzz *fuzz)
{
	struct packet packet = { .next = NULL };
	uint8_t mad[MAD_SIZE];
	struct packet_addr addr = {
		.slid = 2, .dlid = 1, .pkey = hits(fuzz, 16) ? (uint16_t)a_number(fuzz) : 0xffff,
		.src_qp = 1, .has_grh = hits(fuzz, 8), .hop_limit = 1,
	};
	size_t size;

	draw_mad(fuzz, mad);
	addr.dest_qp = hits(fuzz, 16) ? a_number(fuzz) & 0xffffff :
		       mad[1] == 0x01 || mad[1] == 0x81 ? 0 : 1;
	addr.qkey = addr.dest_qp == 0 ? 0 : 0x80010000;
	packet_build(&packet, &addr);
	memcpy(packet_mad(&packet), mad, MAD_SIZE);
	size = (size_t)(packet_mad(&packet) - packet.bytes) + MAD_SIZE;
	fuzz->packets++;
	say(fuzz, "arrive", umadrig_deliver(fuzz->host, fuzz->peer, packet.bytes, size));
}

static void do_wait(struct fuzz *fuzz)
{
	int64_t span_ns = (int64_t)below(fuzz, 20) * ms_ns;

	if (hits(fuzz, 16))
		span_ns = (int64_t)below(fuzz, 60000) * ms_ns;
	umadrig_step(fuzz->fabric, umadrig_now(fuzz->fabric) + span_ns);
}

/* The adapter is pulled out, with all files open; and is back. */
static void do_remove(struct fuzz *fuzz)
{
	if (!hits(fuzz, 50))
		return;
	umadrig_console(fuzz->fabric, "device remove H1", NULL);
	do_wait(fuzz);
	for (int i = 0; i < FILES; i++)
		close_file(&fuzz->files[i]);
	say(fuzz, "node on", umadrig_console(fuzz->fabric, "node on H1", NULL));
	do_wait(fuzz);
}

static const struct {
	void (*run)(struct fuzz *fuzz);
	unsigned int weight;
} operations[] = {
	{ do_write, 30 }, { do_answer, 20 }, { do_arrive, 15 }, { do_read, 15 },
	{ do_register, 8 }, { do_unregister, 2 }, { do_open, 4 }, { do_wait, 10 },
	{ do_remove, 1 },
};

static unsigned int draw_operation(struct chance *chance)
{
	unsigned int all = 0, drawn, ret = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(operations); i++)
		all += operations[i].weight;
	drawn = (unsigned int)chance_below(chance, all);
	while (drawn >= operations[ret].weight)
		drawn -= operations[ret++].weight;
	return ret;
}

/* ---- a seed ---- */

/* Not what would take the files and adapters of those after it away. */
static bool is_kept(unsigned int operation)
{
	return operations[operation].run != do_remove && operations[operation].run != do_wait;
}

static void operate(struct fuzz *fuzz)
{
	if (!fuzz->guide->leads) {
		operations[draw_operation(&fuzz->chance)].run(fuzz);
		if (fuzz->guide->counts)
			guide_look(fuzz->guide);
		return;
	}
	fuzz->step = guide_next(fuzz->guide);
	if (!fuzz->step)
		fuzz->step = guide_step_new(draw_operation(&fuzz->chance));
	fuzz->drawn = 0;
	operations[fuzz->step->operation].run(fuzz);
	guide_done(fuzz->guide, g_steal_pointer(&fuzz->step), is_kept);
}

static bool open_fabric(struct fuzz *fuzz, uint64_t seed, const char *kernel)
{
	g_autofree char *spec = g_strdup_printf(",clock=virtual,seed=%" G_GUINT64_FORMAT "%s%s",
						seed, kernel ? ",kernel=H1:" : "",
						kernel ? kernel : "");
	char message[1024] = "";

	fuzz->fabric = umadrig_fabric_open(spec, message, sizeof(message));
	if (!fuzz->fabric) {
		printf("Bail out! %s\n", message);
		return false;
	}
	fuzz->host = umadrig_port(fuzz->fabric, "H1", 1);
	fuzz->peer = umadrig_port(fuzz->fabric, "H2", 1);
	umadrig_tap(fuzz->host, hear, fuzz);
	return true;
}

static void close_fabric(struct fuzz *fuzz)
{
	for (int i = 0; i < FILES; i++)
		close_file(&fuzz->files[i]);
	umadrig_step(fuzz->fabric, umadrig_now(fuzz->fabric) + 100000 * ms_ns);
	umadrig_tap(fuzz->host, NULL, NULL);
	umadrig_fabric_close(fuzz->fabric);
}

/* One that refuses all is not what is to be tried. */
static const char *why_empty(const struct fuzz *fuzz)
{
	return fuzz->taken == 0 ? "no write was taken\n" :
	       fuzz->reads == 0 ? "nothing was read\n" :
	       fuzz->guide->counts && fuzz->guide->edges == 0 ?
	       "no way was counted: is the kernel one of 'umadrig kernel build --uml --edges'?\n" :
	       "";
}

/* 0; 1: the kernel has a fault; -1: it could not be run. */
static int try_seed(struct fuzz *fuzz, uint64_t seed, unsigned int count, const char *kernel)
{
	g_autofree char *faults = NULL;
	g_auto(GStrv) lines = NULL;
	int ret = -1;

	chance_init(&fuzz->chance, seed, "umad-fuzz");
	if (open_fabric(fuzz, seed, kernel)) {
		for (unsigned int i = 0; i < count; i++)
			operate(fuzz);
		close_fabric(fuzz);
		faults = umadrig_kernel_faults();
		if (!faults)
			faults = strdup(why_empty(fuzz));
		ret = *faults != '\0';
		printf("%sok - seed %" G_GUINT64_FORMAT ": %u agents, %u writes, %u of them taken, "
		       "%u reads, %u packets", ret ? "not " : "", seed, fuzz->agents,
		       fuzz->writes, fuzz->taken, fuzz->reads, fuzz->packets);
		if (fuzz->guide->counts)
			printf(", %u edges, %u kept", fuzz->guide->edges, fuzz->guide->kept->len);
		putchar('\n');
		lines = g_strsplit(faults, "\n", -1);
		for (char **line = lines; *line; line++)
			if (**line)
				printf("# %s\n", *line);
		fflush(stdout);
	}
	return ret;
}

/* ---- a run ---- */

static int run_seed(struct guide *guide, uint64_t seed, unsigned int count, const char *kernel,
		    bool prints, bool knows_all)
{
	struct fuzz *fuzz = g_new0(struct fuzz, 1);
	int ret;

	fuzz->guide = guide;
	fuzz->prints = prints;
	fuzz->knows_all = knows_all;
	guide_begin(guide, seed);
	ret = try_seed(fuzz, seed, count, kernel);
	guide_end(guide);
	g_free(fuzz);
	return ret;
}

static int usage(void)
{
	fputs("usage: umad-fuzz [-a] [-e | -g] [-m CAPTURE]... [-n OPERATIONS] [-s FIRST[-LAST]] "
	      "[-t] [KERNEL]\n", stderr);
	return 2;
}

/* What the command line says. */
struct wishes {
	uint64_t operations, first, last;
	bool prints, knows_all, counts;
	const char *kernel;
};

/* 0, or a status. */
static int parse(struct wishes *wishes, struct guide *guide, int argc, char **argv)
{
	/* As make check calls it. */
	static const struct option tap[] = { { "tap", no_argument, NULL, 0 }, { .name = NULL } };
	int option;

	while ((option = getopt_long(argc, argv, "aegm:n:s:t", tap, NULL)) != -1) {
		if (option == 0)
			continue;
		wishes->prints |= option == 't';
		wishes->knows_all |= option == 'a';
		wishes->counts |= option == 'e' || option == 'g';
		guide->leads |= option == 'g';
		if (option == 'm' && !guide_add_samples(guide, optarg))
			return 2;
		if ((option == 's' && number_parse_range(optarg, UINT64_MAX - 1, &wishes->first,
							 &wishes->last) < 0) ||
		    (option == 'n' &&
		     number_parse(optarg, 1, UINT32_MAX, &wishes->operations) < 0) ||
		    option == '?')
			return usage();
	}
	if (argc - optind > 1)
		return usage();
	wishes->kernel = argv[optind];
	return 0;
}

static int run(const struct wishes *wishes, struct guide *guide)
{
	bool has_fault = false;
	uint64_t count = 0;
	int ret = 0;

	for (uint64_t seed = wishes->first; ret >= 0 && seed <= wishes->last; seed++, count++) {
		ret = run_seed(guide, seed, (unsigned int)wishes->operations, wishes->kernel,
			       wishes->prints, wishes->knows_all);
		has_fault |= ret != 0;
	}
	printf("1..%" G_GUINT64_FORMAT "\n", count);
	return has_fault;
}

int main(int argc, char **argv)
{
	struct wishes wishes = { .operations = 2000, .first = 1, .last = 10 };
	struct guide guide;
	int ret;

	guide_init(&guide);
	ret = parse(&wishes, &guide, argc, argv);
	if (ret == 0 && wishes.counts && !guide_count(&guide))
		ret = 2;
	if (ret == 0)
		ret = run(&wishes, &guide);
	guide_clear(&guide);
	return ret;
}
