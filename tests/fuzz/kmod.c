/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: what programs do to umad files and what arrives from the wire, in any order.
 *
 * The input is a list of steps: a byte that selects the step, then its arguments; what is missing
 * at the end reads as 0. Nothing may crash, leak, or be left in the queues; the rig checks that.
 */
#include "tests/rig/kmod-rig.h"

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum step {
	STEP_OPEN,		/* port, file */
	STEP_CLOSE,		/* file */
	STEP_REGISTER,		/* file, 28 bytes */
	STEP_REGISTER2,		/* file, 40 bytes */
	STEP_UNREGISTER,	/* file, id */
	STEP_ENABLE_PKEY,	/* file */
	STEP_WRITE,		/* file, size, as many bytes */
	STEP_WRITE_MAD,		/* file, id, words of a MAD, of a route */
	STEP_READ,		/* file, size */
	STEP_TIME,		/* milliseconds */
	STEP_ARRIVES,		/* port, words of a MAD, of a route */
	STEP_REMOVE,		/* port */
	STEP_ISSM,		/* port */
	STEP_MESSAGE,		/* file, id, words of a MAD, of a route, size: an RMPP message */
	STEP_SECONDS,		/* seconds */
	STEP_COUNT,
};

struct input {
	const uint8_t *at;
	size_t left;
};

struct play {
	struct rig *rig;
	struct input input;
	struct kmod_port *ports[2];	/* the rig's, even once they are removed */
	bool issm[2];
};

static uint8_t take(struct input *input)
{
	if (input->left == 0)
		return 0;
	input->left--;
	return *input->at++;
}

static void take_bytes(struct input *input, uint8_t *to, size_t size)
{
	while (size--)
		*to++ = take(input);
}

/* Files find each other's MADs only if their numbers are small. */
static uint64_t take_tid(struct input *input)
{
	uint64_t hi_tid = take(input) % 8;

	return hi_tid << 32 | take(input) % 8;
}

static void take_mad(struct input *input, uint8_t mad[MAD_SIZE])
{
	struct rig_mad words = {
		.mgmt_class = take(input),
		.class_version = take(input),
		.method = take(input),
		.tid = take_tid(input),
		.attr_id = take(input),
		.oui = take(input),
	};

	rig_mad_bytes(&words, mad);
	mad[MAD_BASE_VERSION] ^= take(input);
	mad[MAD_STATUS] = take(input);
	mad[SMP_HOP_PTR] = take(input);
	mad[SMP_HOP_CNT] = take(input);
	mad[RMPP_FLAGS] = take(input);
	memset(mad + SMP_DR_SLID, take(input), 2);
	memset(mad + SMP_DR_DLID, take(input), 2);
	memset(mad + SMP_INITIAL_PATH, take(input), SMP_PATH_SIZE);
	if (mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE) {
		mad[RMPP_VERSION] = 1 ^ take(input);
		mad[RMPP_TYPE] = take(input) % 6;
		mad[RMPP_STATUS] = take(input);
		put_be32(mad + RMPP_SEGMENT, (uint32_t)(int8_t)take(input));
		put_be32(mad + RMPP_PAYLEN_NEWWIN, (uint32_t)(int8_t)take(input));
	}
}

static struct rig_route take_route(struct input *input)
{
	uint8_t flags = take(input);

	return (struct rig_route){
		.lid = flags & 1 ? LID_PERMISSIVE : 0,
		.grh = flags & 2,
		.qpn_set = flags & 4,
		.qpn = flags >> 3 & 1,
		.path_bits = flags >> 4 & 3,
		.gid_index = flags >> 6 & 3 % 3,
		.timeout_ms = take(input),
		.retries = take(input) % 4,
	};
}

/* The driver does what the attribute selects. */
static unsigned int driver(const uint8_t *in, uint8_t *out)
{
	memcpy(out, in, MAD_SIZE);
	out[MAD_METHOD] |= in[MAD_ATTR_ID + 1] & 0x80;
	return in[MAD_ATTR_ID + 1] & 7;
}

/* Formats, so that the sanitizers see what traces read. */
static void trace(void *ctx, const char *who, const char *format, va_list args)
{
	char line[256];

	(void)ctx;
	(void)who;
	vsnprintf(line, sizeof(line), format, args);
}

static void write_mad(struct play *play, struct rig_file *file)
{
	uint8_t id = take(&play->input) % 34;
	struct rig_route route;
	uint8_t mad[MAD_SIZE];

	take_mad(&play->input, mad);
	route = take_route(&play->input);
	rig_write_bytes(file, id, &route, mad, MAD_SIZE);
}

static void write_message(struct play *play, struct rig_file *file)
{
	uint8_t id = take(&play->input) % 34;
	uint8_t mad[256 + 255 * 64] = { 0 };
	struct rig_route route;

	take_mad(&play->input, mad);
	mad[RMPP_FLAGS] |= RMPP_FLAG_ACTIVE;
	route = take_route(&play->input);
	rig_write_bytes(file, id, &route, mad, 256 + take(&play->input) * 64u);
}

static void write_bytes(struct play *play, struct rig_file *file)
{
	size_t size = take(&play->input) * 2u;
	uint8_t buf[512];

	take_bytes(&play->input, buf, size);
	kmod_file_write(file->file, buf, size);
}

static void do_ioctl(struct play *play, struct rig_file *file, unsigned long request)
{
	uint8_t arg[sizeof(struct ib_user_mad_reg_req2)];

	take_bytes(&play->input, arg, _IOC_SIZE(request));
	kmod_file_ioctl(file->file, request, arg);
}

static void file_step(struct play *play, enum step step)
{
	struct rig_file *file = play->rig->files[take(&play->input) % RIG_FILES_MAX];
	uint8_t buf[1024];

	if (!file)
		return;
	if (step == STEP_CLOSE)
		rig_close(file);
	else if (step == STEP_REGISTER)
		do_ioctl(play, file, UMAD_COMMAND_REGISTER_AGENT);
	else if (step == STEP_REGISTER2)
		do_ioctl(play, file, UMAD_COMMAND_REGISTER_AGENT2);
	else if (step == STEP_UNREGISTER)
		rig_unregister(file, take(&play->input) % 34);
	else if (step == STEP_ENABLE_PKEY)
		kmod_file_ioctl(file->file, UMAD_COMMAND_ENABLE_PKEY, NULL);
	else if (step == STEP_WRITE)
		write_bytes(play, file);
	else if (step == STEP_WRITE_MAD)
		write_mad(play, file);
	else if (step == STEP_MESSAGE)
		write_message(play, file);
	else
		kmod_file_read(file->file, buf, take(&play->input) * 4u);
}

static void port_step(struct play *play, enum step step)
{
	unsigned int number = take(&play->input) & 1;
	struct rig_port *at = number ? &play->rig->b : &play->rig->a;
	uint8_t mad[MAD_SIZE];
	struct rig_route route;
	struct rig_file *file;

	if (step == STEP_ISSM && play->issm[number]) {
		kmod_issm_close(play->ports[number]);
		play->issm[number] = false;
	}
	if (!at->port)
		return;
	if (step == STEP_OPEN && !play->rig->files[RIG_FILES_MAX - 1]) {
		file = rig_open(play->rig, at, 'f');
		file->reads = take(&play->input) & 1;
		rig_make_room(file, 20000);
	} else if (step == STEP_ARRIVES) {
		take_mad(&play->input, mad);
		route = take_route(&play->input);
		rig_inject_bytes(at, mad, &route);
	} else if (step == STEP_ISSM) {
		play->issm[number] = kmod_issm_open(at->port) == 0;
	} else if (step == STEP_REMOVE) {
		at->port = NULL;
		kmod_port_remove(play->ports[number]);
	}
}

static void play_step(struct play *play)
{
	enum step step = take(&play->input) % STEP_COUNT;
	struct rig *rig = play->rig;
	unsigned int seconds;

	switch (step) {
	case STEP_OPEN:
	case STEP_ARRIVES:
	case STEP_REMOVE:
	case STEP_ISSM:
		port_step(play, step);
		break;
	case STEP_CLOSE:
	case STEP_REGISTER:
	case STEP_REGISTER2:
	case STEP_UNREGISTER:
	case STEP_ENABLE_PKEY:
	case STEP_WRITE:
	case STEP_WRITE_MAD:
	case STEP_READ:
	case STEP_MESSAGE:
		file_step(play, step);
		break;
	case STEP_TIME:
		rig_run(rig, rig_now_ms(rig) + take(&play->input));
		break;
	case STEP_SECONDS:
		/* Two drivers may answer each other for ever. */
		seconds = take(&play->input) % 64;
		if (rig_now_ms(rig) < 100000)
			rig_run(rig, rig_now_ms(rig) + seconds * INT64_C(1000));
		break;
	case STEP_COUNT:
		break;
	}
	g_string_truncate(rig->log, 0);
	g_string_truncate(rig->dropped, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The last byte also chooses the kernel. */
	enum kmod_profile profile = size ? data[size - 1] % KMOD_PROFILE_COUNT : 0;
	struct play play = { .rig = rig_new_profile(1, profile), .input = { data, size } };

	play.rig->ops.trace = trace;
	play.rig->a.driver = driver;
	play.rig->b.driver = driver;
	play.rig->a.loops = true;
	play.rig->a.attr.lmc = 1;
	play.ports[0] = play.rig->a.port;
	play.ports[1] = play.rig->b.port;
	while (play.input.left)
		play_step(&play);
	for (unsigned int i = 0; i < 2; i++)
		if (play.issm[i])
			kmod_issm_close(play.ports[i]);
	rig_free(play.rig);
	return 0;
}
