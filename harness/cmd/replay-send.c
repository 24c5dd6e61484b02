/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay --mode timed --backend ib_umad: what a captured port received is sent from a real
 * port to another one, at its times.
 */
#include "harness/cmd/replay-send.h"

#include <arpa/inet.h>
#include <infiniband/umad.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/base/status-line.h"
#include "harness/cmd/replay-progress.h"
#include "harness/replay/ask-umad.h"
#include "harness/replay/timed-send.h"
#include "harness/world/world.h"
#include "kmod-stub/event.h"
#include "lib/words/number.h"
#include "sim/dictionary/mad-change.h"

enum {
	MESSAGE_SIZE = 512,
	LINES_MAX = 20,		/* of changes that are printed; the others are counted */
	SETTLE_US = 100000,	/* after the last MAD: its send may come back as failed */
	DRAW_NS = 100 * 1000 * 1000,	/* how often the terminal's line changes */
};

/* ---- where to ---- */

static bool read_gid(const char *ca, int port, uint8_t ret_gid[16])
{
	g_autofree char *path =
		g_strdup_printf("/sys/class/infiniband/%s/ports/%d/gids/0", ca, port);
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) &&
	       inet_pton(AF_INET6, g_strstrip(text), ret_gid) == 1;
}

/* A port of this machine: by its LID, or by its first GID where it has none (RoCE). */
static bool take_local(const char *ca, int number, struct timed_destination *ret)
{
	umad_port_t port;

	if (umad_get_port(ca, number, &port) < 0)
		return false;
	ret->lid = (uint16_t)port.base_lid;
	umad_release_port(&port);
	ret->has_gid = !ret->lid;
	return ret->lid || read_gid(ca, number, ret->gid);
}

static bool take_destination(const struct replay_send *send, struct timed_destination *ret)
{
	g_autofree char *ca = NULL;
	uint64_t lid;
	int number;

	*ret = (struct timed_destination){ .lid = 0 };
	if (!send->to) {
		command_usage(send->name, "--to is expected with --backend ib_umad: CA/PORT of "
			      "this machine, a LID or a GID");
		return false;
	}
	if (number_parse(send->to, 1, LID_UNICAST_MAX, &lid) == 0) {
		ret->lid = (uint16_t)lid;
		return true;
	}
	if (inet_pton(AF_INET6, send->to, ret->gid) == 1) {
		ret->has_gid = true;
		return true;
	}
	if (world_port_parse(send->to, &ca, &number) && take_local(ca, number, ret))
		return true;
	command_usage(send->name, "--to '%s': expected CA/PORT of this machine, a LID or a GID",
		      send->to);
	return false;
}

/* ---- what would change a fabric ---- */

/* Nothing is sent if anything would change the fabric and the port is not the one that may. */
static bool refuse_changes(const struct replay_send *send, const struct capture *capture,
			   const GArray *chosen, const char *port)
{
	unsigned int changes = 0;

	if (send->allow_writes && strcmp(send->allow_writes, port) == 0)
		return false;
	if (send->allow_writes) {
		command_usage(send->name, "--allow-writes '%s': the MADs are sent from %s",
			      send->allow_writes, port);
		return true;
	}
	for (guint i = 0; i < chosen->len; i++) {
		const struct capture_mad *mad =
			&capture->mads[g_array_index(chosen, unsigned int, i)];
		char words[MAD_CHANGE_SIZE];

		if (!mad_change(mad->mad, words))
			continue;
		if (!changes++)
			command_error(send->name, COMMAND_USAGE, "nothing was sent, because this "
				      "would change a fabric that others may use:");
		if (changes <= LINES_MAX)
			fprintf(stderr, "  frame %u: %s\n", mad->frame, words);
	}
	if (changes > LINES_MAX)
		fprintf(stderr, "  and %u more\n", changes - LINES_MAX);
	if (changes)
		fprintf(stderr, "If the fabric is yours alone, add --allow-writes %s\n", port);
	return changes != 0;
}

/* ---- sending ---- */

/* The clock of a sending that says how far it is, while there is nothing to do. */
struct watched_clock {
	struct status_line *line;	/* NULL: no terminal */
	size_t done, all;
	int64_t began_ns;
};

static int64_t watched_now_ns(void *ctx)
{
	(void)ctx;
	return timed_clock_real.now_ns(timed_clock_real.ctx);
}

/* The last wait is short, and nothing is drawn between it and the MAD. */
static void watched_wait_until(void *ctx, int64_t at_ns)
{
	struct watched_clock *clock = ctx;
	int64_t now_ns = watched_now_ns(ctx);

	for (; clock->line && at_ns - now_ns > DRAW_NS; now_ns = watched_now_ns(ctx)) {
		replay_progress_draw(clock->line, clock->done, clock->all,
				     now_ns - clock->began_ns);
		timed_clock_real.wait_until(timed_clock_real.ctx, now_ns + DRAW_NS);
	}
	timed_clock_real.wait_until(timed_clock_real.ctx, at_ns);
	clock->done++;
}

static int send_chosen(const struct replay_send *send, const struct capture *capture,
		       const GArray *chosen, struct ask_port *port,
		       const struct timed_destination *to)
{
	struct watched_clock watched = {
		.line = status_line_new(), .all = chosen->len, .began_ns = watched_now_ns(NULL),
	};
	const struct timed_clock clock = {
		.now_ns = watched_now_ns, .wait_until = watched_wait_until, .ctx = &watched,
	};
	struct timed_counts counts = timed_send_run(capture, chosen, port, to,
						    send->speed_milli ? send->speed_milli : 1000,
						    &clock);
	unsigned int lost;

	status_line_free(watched.line);
	g_usleep(SETTLE_US);
	lost = ask_port_failed(port);
	fprintf(stderr, "%s: %zu MADs sent from %s, the last one due after %" PRId64 ".%06" PRId64
		" s; at most %" PRId64 " us late\n", send->name, counts.sent, ask_port_name(port),
		counts.last_ns / NS_PER_S, counts.last_ns % NS_PER_S / NS_PER_US,
		counts.late_ns / NS_PER_US);
	if (counts.failed)
		command_error(send->name, COMMAND_USAGE, "%zu could not be sent: %s", counts.failed,
			      g_strerror(-counts.first_error));
	if (lost)
		command_error(send->name, COMMAND_USAGE, "%u came back as not sent", lost);
	return counts.failed || lost ? COMMAND_USAGE : COMMAND_OK;
}

static int choose_and_send(const struct replay_send *send, const struct capture *capture,
			   struct ask_port *port)
{
	char message[MESSAGE_SIZE];
	size_t directed = 0, others = 0;
	struct timed_destination to;
	GArray *chosen;
	int status = COMMAND_USAGE;

	if (!take_destination(send, &to))
		return COMMAND_USAGE;
	chosen = timed_send_choose(capture, send->host, &directed, &others, message,
				   sizeof(message));
	if (!chosen)
		return command_error(send->name, COMMAND_USAGE, "%s", message);
	if (directed)
		command_error(send->name, COMMAND_OK, "%zu MADs with directed routes are skipped: "
			      "the routes lead elsewhere from here", directed);
	if (!chosen->len)
		command_error(send->name, COMMAND_USAGE, "nothing in %s can be sent: %zu MADs were "
			      "sent by the captured port or by others", capture->file, others);
	else if (!refuse_changes(send, capture, chosen, ask_port_name(port)))
		status = send_chosen(send, capture, chosen, port, &to);
	g_array_unref(chosen);
	return status;
}

static struct ask_port *open_port(const struct replay_send *send)
{
	g_autofree char *ca = NULL;
	g_autoptr(GError) error = NULL;
	struct ask_port *port;
	int number = 0;

	if (send->port && !world_port_parse(send->port, &ca, &number)) {
		command_usage(send->name, "--port '%s': expected CA/PORT", send->port);
		return NULL;
	}
	g_setenv("UMAD_BACKEND", "ib_umad", true);
	port = ask_umad_open(ca, number, &error);
	if (!port)
		command_error(send->name, COMMAND_USAGE, "%s", error->message);
	return port;
}

int replay_send_run(const struct replay_send *send)
{
	char message[MESSAGE_SIZE];
	struct capture *capture = capture_read_within(send->capture, send->size_max, message,
						      sizeof(message));
	struct ask_port *port = NULL;
	int status = COMMAND_USAGE;

	if (!capture)
		return command_error(send->name, COMMAND_USAGE, "%s", message);
	for (char **warning = capture->warnings; *warning; warning++)
		command_error(send->name, COMMAND_OK, "%s", *warning);
	if (capture_put_in_order(capture, send->any_order, message, sizeof(message)) < 0)
		command_error(send->name, COMMAND_USAGE, "%s", message);
	else
		port = open_port(send);
	if (port)
		status = choose_and_send(send, capture, port);
	ask_port_close(port);
	capture_free(capture);
	return status;
}
