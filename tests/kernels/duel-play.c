/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A sequence on one kernel: the rig's two hosts and wire, and a log of all that can be seen: what
 * calls return and read, what poll says and when that changes, packets and their instants.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>

#include "lib/words/number.h"
#include "tests/kernels/duel-play.h"

enum {
	PACKETS_MAX = 2000,	/* of a play: what follows is lost, or some would talk for ever */
	LINGER_S = 60,		/* after the last step */
};

/* The one that is being played: the rig's operations get no more than the rig. */
static struct duel_play *current;

/* ---- the log ---- */

void duel_say(struct duel_play *play, const struct rig_port *at, const char *format, ...)
{
	GString *said = play->said[at == &play->rig->b];
	va_list args;

	g_string_append_printf(said, "%d: %c: ", play->step, at->name);
	va_start(args, format);
	g_string_append_vprintf(said, format, args);
	va_end(args);
	g_string_append_c(said, '\n');
}

/*
 * The ports are hosts of their own: which of them does first what both do in one instant is no
 * property of a kernel, so that one's lines come first.
 */
static void end_instant(struct duel_play *play)
{
	for (unsigned int i = 0; i < DUEL_PORTS; i++) {
		g_string_append_len(play->log, play->said[i]->str, (gssize)play->said[i]->len);
		g_string_truncate(play->said[i], 0);
	}
}

/* In hex; many zeros are a number of them. The caller frees it. */
static char *hex(const uint8_t *bytes, size_t size)
{
	enum { MANY_ZEROS = 8 };
	static const char digits[] = "0123456789abcdef";
	GString *text = g_string_sized_new(2 * size + 1);
	size_t i = 0;

	while (i < size) {
		size_t zeros = 0;

		while (i + zeros < size && bytes[i + zeros] == 0)
			zeros++;
		if (zeros >= MANY_ZEROS) {
			g_string_append_printf(text, "(%zu zeros)", zeros);
			i += zeros;
		} else {
			g_string_append_c(text, digits[bytes[i] >> 4]);
			g_string_append_c(text, digits[bytes[i++] & 15]);
		}
	}
	return g_string_free(text, false);
}

static char *instant(const struct duel_play *play)
{
	int64_t ns = play->rig->queue.now_ns;

	if (ns % NS_PER_MS)
		return g_strdup_printf("at %" PRId64 " ns", ns);
	return g_strdup_printf("at %" PRId64 " ms", ns / NS_PER_MS);
}

/* ---- what the kernel asks of its creator ---- */

static bool is_lost(struct duel_side_port *port)
{
	if (port->loses == 0)
		return false;
	if (port->skips > 0) {
		port->skips--;
		return false;
	}
	port->loses--;
	return true;
}

static void op_transmit(void *ctx, void *wire, struct packet *packet)
{
	struct duel_play *play = current;
	struct duel_side_port *port = &play->ports[wire == &play->rig->b];
	const uint8_t *mad = packet_mad(packet);
	bool lost = is_lost(port);
	g_autofree char *when = NULL, *bytes = NULL;

	if (++play->packets > PACKETS_MAX) {
		packet_free(&play->rig->pool, packet);
		return;
	}
	when = instant(play);
	bytes = hex(packet->bytes, packet_size(packet));
	duel_say(play, port->at, "%s sends class=0x%02x method=0x%02x tid=%" PRIu32 ":%" PRIu32
		 "%s %s", when, mad[MAD_CLASS], mad[MAD_METHOD], get_be32(mad + MAD_TID),
		 get_be32(mad + MAD_TID + 4), lost ? " (lost)" : "", bytes);
	memcpy(port->last, mad, MAD_SIZE);
	port->has_last = true;
	if (lost)
		packet_free(&play->rig->pool, packet);
	else
		play->transmit(ctx, wire, packet);
}

static void op_wake(void *ctx, void *owner)
{
	(void)ctx;
	(void)owner;
}

/* The attribute of a request says what becomes of it. */
static unsigned int driver(const uint8_t *in, uint8_t *out)
{
	if (mad_is_response(in))
		return KMOD_MAD_SUCCESS;
	switch (get_be16(in + MAD_ATTR_ID)) {
	case 1:
		mad_copy(out, in);
		out[MAD_METHOD] |= MAD_METHOD_RESPONSE;
		if (in[MAD_CLASS] == MAD_CLASS_SUBN_DR)
			out[MAD_STATUS] |= SMP_DIRECTION >> 8;
		return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
	case 2:
		return KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED;
	case 3:
		return KMOD_MAD_FAILURE;
	}
	return KMOD_MAD_SUCCESS;
}

/* ---- files are looked at ---- */

long duel_read(struct duel_play *play, struct duel_side_file *file, unsigned int count)
{
	long got = kmod_file_read(file->file->file, play->buffer, count);
	g_autofree char *when = instant(play), *bytes = NULL;

	if (got > 0) {
		bytes = hex(play->buffer, (size_t)got);
		memset(file->last, 0, sizeof(file->last));
		memcpy(file->last, play->buffer, MIN((size_t)got, sizeof(file->last)));
		file->has_last = got >= (file->wide ? 64 : 56) + MAD_SIZE;
	}
	duel_say(play, file->file->at, "%s file %td reads: %ld %s", when, file - play->files, got,
		 bytes ? bytes : "");
	return got;
}

static void poll_file(struct duel_play *play, struct duel_side_file *file, const char *when)
{
	unsigned int events = kmod_file_poll(file->file->file) |
			      (unsigned int)kmod_file_readable(file->file->file) << 16;

	if (events != file->events)
		duel_say(play, file->file->at, "%s file %td polls: 0x%x", when, file - play->files,
			 events);
	file->events = events;
}

void duel_look(struct duel_play *play)
{
	g_autofree char *when = instant(play);

	for (unsigned int i = 0; i < DUEL_FILES; i++) {
		struct duel_side_file *file = &play->files[i];

		if (!file->file)
			continue;
		poll_file(play, file, when);
		if (!file->eager || file->events & POLLERR)
			continue;
		while (kmod_file_readable(file->file->file))
			if (duel_read(play, file, DUEL_ROOM) <= 0)
				break;
		poll_file(play, file, when);
	}
	for (unsigned int i = 0; i < DUEL_PORTS; i++) {
		struct duel_side_port *port = &play->ports[i];

		if (port->is_sm != port->at->is_sm)
			duel_say(play, port->at, "%s is an SM: %d", when, port->at->is_sm);
		port->is_sm = port->at->is_sm;
	}
	end_instant(play);
}

/* All up to and at 'until_ns', and a look at the end of each instant. */
void duel_run(struct duel_play *play, int64_t until_ns)
{
	struct event_queue *queue = &play->rig->queue;

	while (event_queue_fire(queue, until_ns))
		if (event_queue_next(queue) > queue->now_ns)
			duel_look(play);
	queue->now_ns = until_ns;
}

/* ---- a play ---- */

static void begin(struct duel_play *play, const struct duel_side *side)
{
	rig_is_silent = true;
	rig_kernel = side->kernel;
	play->rig = rig_new_profile(DUEL_HI_TID, side->profile);
	rig_kernel = &kmod_stub;
	play->ports[0].at = &play->rig->a;
	play->ports[1].at = &play->rig->b;
	play->transmit = play->rig->ops.transmit;
	play->rig->ops.transmit = op_transmit;
	play->rig->ops.wake = op_wake;
	play->rig->ops.drop = NULL;
	for (unsigned int i = 0; i < DUEL_PORTS; i++) {
		play->ports[i].at->driver = driver;
		play->ports[i].at->loops = true;
		play->ports[i].at->attr.lmc = 1;
	}
	play->rig->a.attr.lid = 2;
	play->rig->b.attr.lid = 4;
	for (unsigned int i = 0; i < DUEL_PORTS; i++)
		play->said[i] = g_string_new(NULL);
	current = play;
}

static void end(struct duel_play *play)
{
	for (unsigned int i = 0; i < DUEL_PORTS; i++)
		if (play->ports[i].issm)
			kmod_issm_close(play->ports[i].issm);
	for (unsigned int i = 0; i < DUEL_FILES; i++)
		if (play->files[i].file)
			duel_close(&play->files[i]);
	rig_free(play->rig);
	for (unsigned int i = 0; i < DUEL_PORTS; i++)
		g_string_free(play->said[i], true);
	current = NULL;
}

void duel_play(const struct duel_sequence *sequence, const struct duel_side *side, GString *log)
{
	struct duel_play *play = g_new0(struct duel_play, 1);

	play->log = log;
	begin(play, side);
	for (unsigned int i = 0; i < sequence->count; i++) {
		play->step = (int)i;
		duel_play_step(play, &sequence->steps[i]);
	}
	/* What is under way ends. */
	play->step = (int)sequence->count;
	duel_run(play, play->rig->queue.now_ns + LINGER_S * NS_PER_S);
	end(play);
	g_free(play);
}

/* ---- two plays ---- */

static char *line_at(const GString *log, size_t at)
{
	return g_strndup(log->str + at, strcspn(log->str + at, "\n"));
}

/* Of the line that begins there; behind the last one, beyond all steps. */
static int step_at(const GString *log, size_t at)
{
	const char *line = log->str + at;
	uint64_t step;

	return number_take(&line, 10, DUEL_STEPS_MAX, &step) == 0 ? (int)step : INT_MAX;
}

/* Writes where two logs part. False: they are the same. */
static bool part(const GString *one, const GString *two, struct duel_difference *ret)
{
	size_t at = 0, line = 0;

	for (; one->str[at] && one->str[at] == two->str[at]; at++)
		if (one->str[at] == '\n')
			line = at + 1;
	if (one->str[at] == two->str[at])
		return false;
	if (ret) {
		ret->step = MIN(step_at(one, line), step_at(two, line));
		ret->lines[0] = line_at(one, line);
		ret->lines[1] = line_at(two, line);
	}
	return true;
}

bool duel_differs(const struct duel_sequence *sequence, const struct duel_side sides[2],
		  struct duel_difference *ret_difference)
{
	GString *logs[2];
	bool differs;

	for (unsigned int i = 0; i < 2; i++) {
		logs[i] = g_string_new(NULL);
		duel_play(sequence, &sides[i], logs[i]);
	}
	differs = part(logs[0], logs[1], ret_difference);
	for (unsigned int i = 0; i < 2; i++)
		g_string_free(logs[i], true);
	return differs;
}

void duel_difference_clear(struct duel_difference *difference)
{
	g_free(difference->lines[0]);
	g_free(difference->lines[1]);
	*difference = (struct duel_difference){ .step = -1 };
}
