/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay --mode ask: the captured requests are sent again, the answers compared.
 */
#include "harness/cmd/replay-ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/capture/filter.h"
#include "harness/cmd/diff-options.h"
#include "harness/exec/exec.h"
#include "harness/kernel/kernel-faults.h"
#include "harness/replay/ask-umad.h"
#include "harness/show/difference.h"
#include "harness/world/world.h"
#include "sim/api/umadrig.h"
#include "sim/ask/ask.h"

enum {
	MESSAGE_SIZE = 512,
	TIMEOUT_MS = 1000,
};

/*
 * The simulated fabric that is asked, which libibumad is to use. NULL: said why. It is in virtual
 * time, where no time passes between an answer and the next request.
 */
static struct umadrig_fabric *open_fabric(const struct replay_ask *ask)
{
	g_autofree char *spec = NULL, *text = NULL;
	struct umadrig_fabric *fabric = NULL;
	g_autoptr(GError) error = NULL;
	char message[MESSAGE_SIZE];

	spec = exec_spec(ask->fabric, ask->host, &error);
	if (spec) {
		text = g_strconcat(spec, strstr(spec, ",clock=") ? "" : ",clock=virtual", NULL);
		fabric = umadrig_fabric_open(text, message, sizeof(message));
	}
	if (!fabric)
		command_error(ask->name, COMMAND_USAGE, "%s", spec ? message : error->message);
	umadrig_attach(fabric);
	return fabric;
}

/*
 * The backend that libibumad is to use, which it reads from the environment, and the fabric if it
 * is simulated here. False: said why.
 */
static bool choose_backend(const struct replay_ask *ask, struct umadrig_fabric **ret_fabric)
{
	if (ask->backend) {
		if (strcmp(ask->backend, "ib_umad") != 0) {
			command_usage(ask->name, "--backend '%s': expected ib_umad (for a "
				      "simulated fabric, use --fabric)", ask->backend);
			return false;
		}
		return g_setenv("UMAD_BACKEND", "ib_umad", true);
	}
	if (ask->fabric) {
		*ret_fabric = open_fabric(ask);
		return *ret_fabric && g_setenv("UMAD_BACKEND", "sim:@", true);
	}
	if (g_getenv("UMAD_BACKEND"))
		return true;
	command_usage(ask->name, "--fabric or --backend ib_umad is expected: where are "
		      "the requests to be sent?");
	return false;
}

/* CA/PORT into both, NULL and 0 where it is not given. False: said why. */
static bool take_port(const struct replay_ask *ask, char **ret_ca, int *ret_port)
{
	*ret_ca = NULL;
	*ret_port = 0;
	if (!ask->port || world_port_parse(ask->port, ret_ca, ret_port))
		return true;
	command_usage(ask->name, "--port '%s': expected CA/PORT", ask->port);
	return false;
}

/* Writes are allowed for a port by its name only, so that no other one is written to. */
static bool take_writes(const struct replay_ask *ask, const struct ask_port *port,
			struct ask_options *options)
{
	const char *actual = ask_port_name(port);

	options->allow_writes = ask->allow_writes && strcmp(ask->allow_writes, actual) == 0;
	if (!ask->allow_writes || options->allow_writes)
		return true;
	command_usage(ask->name, "--allow-writes '%s': the requests are sent from %s",
		      ask->allow_writes, actual);
	return false;
}

static void print_counts(const struct replay_ask *ask, const struct ask_counts *counts)
{
	fprintf(stderr, "%s: %" PRIu64 " asked: %" PRIu64 " answered the same, %" PRIu64
		" differently, %" PRIu64 " not at all; %" PRIu64 " would change the fabric and "
		"were skipped%s; %" PRIu64 " of other ports", ask->name, counts->diff.a,
		counts->diff.same, counts->diff.changed - counts->unanswered, counts->unanswered,
		counts->skipped, counts->skipped ? " (--allow-writes sends them)" : "",
		counts->others);
	if (counts->failed)
		fprintf(stderr, "; %" PRIu64 " could not be sent", counts->failed);
	fputc('\n', stderr);
}

static int ask_all(const struct replay_ask *ask, struct ask_options *options,
		   const struct capture *capture, struct ask_port *port)
{
	struct difference_text *text = difference_text_new(ask->capture, NULL, ask->json);
	struct ask_counts counts = ask_run(options, capture, port, difference_text_take, text,
					   ask->name, stderr);

	difference_text_end(text, &counts.diff, stdout);
	print_counts(ask, &counts);
	if (counts.failed)
		return COMMAND_USAGE;
	if (!counts.diff.a)
		return command_error(ask->name, COMMAND_USAGE, "nothing was asked: no request of "
				     "the captured host is left");
	return diff_found(&counts.diff) ? COMMAND_FAILED : COMMAND_OK;
}

static int open_and_ask(const struct replay_ask *ask, struct ask_options *options)
{
	char message[MESSAGE_SIZE];
	struct capture *capture = capture_read_within(ask->capture, ask->size_max, message,
						      sizeof(message));
	g_autoptr(GError) error = NULL;
	g_autofree char *ca = NULL;
	struct umadrig_fabric *fabric = NULL;
	struct ask_port *port = NULL;
	int number, status = COMMAND_USAGE;

	if (!capture)
		return command_error(ask->name, COMMAND_USAGE, "%s", message);
	for (char **warning = capture->warnings; *warning; warning++)
		command_error(ask->name, COMMAND_OK, "%s", *warning);
	if (capture_put_in_order(capture, ask->any_order, message, sizeof(message)) < 0)
		command_error(ask->name, COMMAND_USAGE, "%s", message);
	else if (take_port(ask, &ca, &number) && choose_backend(ask, &fabric)) {
		port = ask_umad_open(ca, number, &error);
		if (!port)
			command_error(ask->name, COMMAND_USAGE, "%s", error->message);
		else if (take_writes(ask, port, options))
			status = ask_all(ask, options, capture, port);
	}
	ask_port_close(port);
	umadrig_fabric_close(fabric);
	capture_free(capture);
	return command_finish_output(ask->name, status);
}

int replay_ask_run(const struct replay_ask *ask)
{
	struct ask_options options = {
		.timeout_ms = TIMEOUT_MS, .details_max = ask->limit,
	};
	struct filter *filter = NULL;
	int status = COMMAND_USAGE;

	if (diff_options_ignoring(ask->name, ask->ignoring, &options.ignored) &&
	    diff_options_where(ask->name, ask->where, &filter)) {
		if (filter) {
			options.keep = diff_options_keep;
			options.keep_ctx = filter;
		}
		kernel_faults_begin();
		status = kernel_faults_status(ask->name, open_and_ask(ask, &options));
	}
	filter_free(filter);
	ignored_fields_clear(&options.ignored);
	return status;
}
