/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay --mode timed: what a captured port received arrives at a simulated one again.
 */
#include "harness/cmd/cmd-replay-timed.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/base/status-line.h"
#include "harness/cmd/replay-progress.h"
#include "harness/exec/exec.h"
#include "harness/kernel/kernel-faults.h"
#include "harness/world/world.h"
#include "kmod-stub/event.h"
#include "sim/api/umadrig.h"

enum {
	MESSAGE_SIZE = 512,
	REAL_POLL_US = 1000,		/* with clock=real, how often to look */
	PORT_ACTIVE = 4,
	SETTLE_MS = 10,			/* after the last MAD, for the answers to it */
};

/* The fabric, in virtual time unless clock=real was asked for. NULL: said why. */
static struct umadrig_fabric *open_fabric(const struct replay_timed_job *job)
{
	g_autofree char *own = g_strdup_printf("%s,mode=timed%s%s%s", job->capture,
					       job->any_order ? ",order=any" : "",
					       job->max_size ? ",max-size=" : "",
					       job->max_size ? job->max_size : "");
	g_autofree char *spec = NULL, *text = NULL;
	g_autoptr(GError) error = NULL;
	struct umadrig_fabric *fabric;
	char message[MESSAGE_SIZE];

	spec = exec_spec(job->fabric ? job->fabric : own, job->fabric ? NULL : job->host, &error);
	if (!spec) {
		command_error(job->name, COMMAND_USAGE, "%s", error->message);
		return NULL;
	}
	text = g_strconcat(spec, strstr(spec, ",clock=") ? "" : ",clock=virtual", NULL);
	fabric = umadrig_fabric_open(text, message, sizeof(message));
	if (!fabric)
		command_error(job->name, COMMAND_USAGE, "%s", message);
	return fabric;
}

/* The first port of the node that is Active, else its first port. NULL: it is no CA. */
static struct umadrig_port *find_on_node(struct umadrig_fabric *fabric, const char *node,
					 unsigned int *ret_num)
{
	int count = umadrig_node_ports(fabric, node);
	struct umadrig_port *first = umadrig_port(fabric, node, 1);

	*ret_num = 1;
	for (int num = 1; num <= count; num++) {
		struct umadrig_port *port = umadrig_port(fabric, node, (unsigned int)num);

		if (!port || umadrig_port_state(fabric, node, (unsigned int)num) != PORT_ACTIVE)
			continue;
		*ret_num = (unsigned int)num;
		return port;
	}
	return first;
}

/* "NODE[N]", where MADs arrive, to be freed, and the port. NULL: said why. */
static char *find_port(const struct replay_timed_job *job, struct umadrig_fabric *fabric,
		       struct umadrig_port **ret_port)
{
	const char *host = job->fabric ? job->host : "H1", *node;
	g_autofree char *named = NULL;
	unsigned int num = 0;
	int number;

	*ret_port = NULL;
	if (host && umadrig_node_ports(fabric, host) < 0 &&
	    world_port_parse(host, &named, &number)) {
		*ret_port = umadrig_port(fabric, named, (unsigned int)number);
		num = (unsigned int)number;
		host = named;
	} else if (host) {
		*ret_port = find_on_node(fabric, host, &num);
	}
	for (unsigned int i = 0; !host && (node = umadrig_node(fabric, i)); i++) {
		*ret_port = find_on_node(fabric, node, &num);
		host = *ret_port ? node : NULL;
	}
	if (*ret_port)
		return g_strdup_printf("%s[%u]", host, num);
	if (host)
		command_error(job->name, COMMAND_USAGE, "--host %s: expected the name of a host of "
			      "the fabric, or NODE[PORT]", job->host);
	else
		command_error(job->name, COMMAND_USAGE, "the fabric has no channel adapter");
	return NULL;
}

/* Lets all of them arrive. */
static void run(struct umadrig_fabric *fabric, struct umadrig_replay_progress *ret)
{
	struct status_line *line = status_line_new();
	const int64_t began_ns = umadrig_now(fabric);

	for (;;) {
		umadrig_replay_progress(fabric, ret);
		if (!ret->left)
			break;
		replay_progress_draw(line, ret->arrived, ret->arrived + ret->left,
				     umadrig_now(fabric) - began_ns);
		if (!umadrig_step_once(fabric, INT64_MAX))
			g_usleep(REAL_POLL_US);
	}
	status_line_free(line);
	umadrig_step(fabric, umadrig_now(fabric) + SETTLE_MS * NS_PER_MS);
}

static int replay(const struct replay_timed_job *job, struct umadrig_fabric *fabric)
{
	struct umadrig_replay how = {
		.capture = job->capture, .speed_milli = job->speed_milli,
		.own_tids = job->own_tids, .any_order = job->any_order,
		.size_max = job->size_max,
	};
	struct umadrig_replay_progress progress;
	g_autofree char *label = find_port(job, fabric, &how.timed_at);
	char message[MESSAGE_SIZE];

	if (!label)
		return COMMAND_USAGE;
	if (umadrig_replay(fabric, &how, message, sizeof(message)) < 0)
		return command_error(job->name, COMMAND_USAGE, "%s", message);
	run(fabric, &progress);
	fprintf(stderr, "%s: %zu MADs arrived at %s, the last one after %" PRId64 ".%06" PRId64
		" s; %zu of the capture were sent by the captured port or by others\n", job->name,
		progress.arrived, label, progress.last_ns / NS_PER_S,
		progress.last_ns % NS_PER_S / NS_PER_US, progress.others);
	return COMMAND_OK;
}

int replay_timed_run(const struct replay_timed_job *job)
{
	struct umadrig_fabric *fabric;
	int status;

	kernel_faults_begin();
	fabric = open_fabric(job);
	status = fabric ? replay(job, fabric) : COMMAND_USAGE;
	umadrig_fabric_close(fabric);
	return kernel_faults_status(job->name, status);
}
