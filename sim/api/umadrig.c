/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions: each takes the fabric's lock, does what a function of the fabric does, and
 * leaves. What is only about threads and hosts is in attach.c, replays in sim/run/replay-fabric.c.
 */
#include "sim/api/umadrig.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/attach.h"
#include "sim/capture/capture.h"
#include "sim/console/console.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/forward.h"
#include "sim/fabric/raw-packet.h"
#include "sim/run/spec.h"
#include "sim/topology/lid.h"
#include "sim/topology/load.h"

struct umadrig_file {
	struct umadrig_fabric *fabric;
	struct kmod_file *file;
};

/* A port of the public header is an end port, seen from outside. */
static struct end_port *inside(const struct umadrig_port *port)
{
	return (struct end_port *)(void *)port;
}

static struct umadrig_port *outside(struct end_port *end)
{
	return (struct umadrig_port *)(void *)end;
}

static struct umadrig_fabric *fabric_of(const struct umadrig_port *port)
{
	return inside(port)->port->node->fabric;
}

/* ---- a fabric ---- */

static void print_diagnostics(const GArray *diagnostics)
{
	for (unsigned int i = 0; diagnostics && i < diagnostics->len; i++) {
		g_autofree char *line = topology_diagnostic_format(
			&g_array_index(diagnostics, struct topology_diagnostic, i));

		fprintf(stderr, "%s\n", line);
	}
}

/* The fatal diagnostic, which is the last one, is the error; what came before it goes to stderr. */
static void take_fatal(GArray *diagnostics, const char *file, char *reterr, size_t reterr_size)
{
	struct topology_diagnostic *last;
	g_autofree char *line = NULL;

	if (!diagnostics || diagnostics->len == 0) {
		g_snprintf(reterr, reterr_size, "%s: cannot be loaded", file);
		return;
	}
	last = &g_array_index(diagnostics, struct topology_diagnostic, diagnostics->len - 1);
	line = topology_diagnostic_format(last);
	g_strlcpy(reterr, line, reterr_size);
}

/* Of a topology that was read, or NULL, and what its reader had to say; both are freed. */
static struct umadrig_fabric *open_topology(struct topology *topology, GArray *diagnostics,
					    const char *file, struct umadrig_options *options,
					    char *reterr, size_t reterr_size)
{
	struct umadrig_fabric *fabric = NULL;

	if (topology) {
		if (!options->cold)
			topology_assign_lids(topology);
		fabric = fabric_new(topology, options, reterr, reterr_size);
		if (fabric)
			console_run_commands(fabric, topology);
		print_diagnostics(diagnostics);
		topology_free(topology);
	} else {
		take_fatal(diagnostics, file, reterr, reterr_size);
	}
	if (diagnostics)
		topology_diagnostics_free(diagnostics);
	return fabric;
}

static struct umadrig_fabric *open_spec(struct spec *spec, char *reterr, size_t reterr_size)
{
	GArray *diagnostics = NULL;
	struct topology *topology;

	if (!*spec->file)
		return fabric_new_default(&spec->options, reterr, reterr_size);
	if (capture_is_capture(spec->file))
		return fabric_new_replay(spec->file, &spec->options, reterr, reterr_size);
	topology = topology_load(spec->file, &diagnostics);
	return open_topology(topology, diagnostics, spec->file, &spec->options, reterr,
			     reterr_size);
}

static int add_faults(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	for (char **text = fabric->options.faults; text && *text; text++) {
		int ret = umadrig_fault_add_text(fabric, *text, reterr, reterr_size);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* What the options want done before anybody uses it; NULL: that failed, and the fabric is gone. */
static struct umadrig_fabric *begin(struct umadrig_fabric *fabric, char *reterr,
				    size_t reterr_size)
{
	if (fabric && (add_faults(fabric, reterr, reterr_size) < 0 ||
		       (fabric->options.capture &&
			umadrig_capture_start(fabric, fabric->options.capture, NULL, reterr,
					      reterr_size) < 0))) {
		fabric_free(fabric);
		return NULL;
	}
	return fabric;
}

static struct umadrig_fabric *open_text(const char *spec_text, bool is_served, char *reterr,
					size_t reterr_size)
{
	struct umadrig_fabric *fabric;
	struct spec spec;

	if (spec_parse(spec_text, NULL, &spec, reterr, reterr_size) < 0)
		return NULL;
	spec.options.is_served = is_served;
	fabric = open_spec(&spec, reterr, reterr_size);
	spec_clear(&spec);
	return begin(fabric, reterr, reterr_size);
}

struct umadrig_fabric *umadrig_fabric_open(const char *spec, char *reterr, size_t reterr_size)
{
	return open_text(spec, false, reterr, reterr_size);
}

struct umadrig_fabric *fabric_open_served(const char *spec, char *reterr, size_t reterr_size)
{
	return open_text(spec, true, reterr, reterr_size);
}

struct umadrig_fabric *umadrig_fabric_parse(const char *text, const char *options, char *reterr,
					    size_t reterr_size)
{
	static const char name[] = "text";
	g_autofree char *spec_text = g_strconcat(",", options, NULL);
	GArray *diagnostics = NULL;
	struct umadrig_fabric *fabric;
	struct topology *topology;
	struct spec spec;

	if (spec_parse(options && *options ? spec_text : "", NULL, &spec, reterr,
		       reterr_size) < 0)
		return NULL;
	topology = topology_parse(text, strlen(text), name, &diagnostics);
	fabric = open_topology(topology, diagnostics, name, &spec.options, reterr, reterr_size);
	spec_clear(&spec);
	return begin(fabric, reterr, reterr_size);
}

void umadrig_fabric_close(struct umadrig_fabric *fabric)
{
	if (!fabric)
		return;
	attach_forget(fabric);
	fabric_free(fabric);
}

/* ---- time ---- */

int64_t umadrig_now(struct umadrig_fabric *fabric)
{
	int64_t now_ns;

	if (fabric_enter_quick(fabric) < 0)
		return 0;
	now_ns = fabric->queue.now_ns;
	fabric_leave(fabric);
	return now_ns;
}

int64_t umadrig_next(struct umadrig_fabric *fabric)
{
	int64_t next_ns;

	if (fabric_enter_quick(fabric) < 0)
		return INT64_MAX;
	next_ns = event_queue_next(&fabric->queue);
	fabric_leave(fabric);
	return next_ns;
}

static bool step(struct umadrig_fabric *fabric, int64_t until_ns, bool once)
{
	bool fired = false;

	if (fabric_enter_quick(fabric) < 0)
		return false;
	if (clock_is_virtual(fabric->clock))
		fired = clock_step(fabric->clock, until_ns, once);
	fabric_leave(fabric);
	return fired;
}

void umadrig_step(struct umadrig_fabric *fabric, int64_t until_ns)
{
	step(fabric, until_ns, false);
}

bool umadrig_step_once(struct umadrig_fabric *fabric, int64_t until_ns)
{
	return step(fabric, until_ns, true);
}

bool umadrig_step_idle(struct umadrig_fabric *fabric, int64_t until_ns)
{
	bool is_idle;

	while (step(fabric, until_ns, true))
		;
	if (fabric_enter(fabric) < 0)
		return true;
	is_idle = event_queue_next(&fabric->queue) == INT64_MAX;
	fabric_leave(fabric);
	return is_idle;
}

void umadrig_thread_enter(struct umadrig_fabric *fabric)
{
	if (fabric_enter(fabric) < 0)
		return;
	clock_thread_enter(fabric->clock);
	fabric_leave(fabric);
}

void umadrig_thread_leave(struct umadrig_fabric *fabric)
{
	if (fabric_enter(fabric) < 0)
		return;
	clock_thread_leave(fabric->clock);
	fabric_leave(fabric);
}

/* ---- ports ---- */

struct umadrig_port *umadrig_port(struct umadrig_fabric *fabric, const char *node_name,
				  unsigned int num)
{
	struct end_port *end;
	struct node *node;

	if (fabric_enter(fabric) < 0)
		return NULL;
	node = fabric_node(fabric, node_name);
	if (!node)
		node = host_device(attached_host(fabric), node_name);
	end = node ? node_end_port(node, num) : NULL;
	fabric_leave(fabric);
	return outside(end);
}

uint16_t umadrig_port_lid(const struct umadrig_port *port)
{
	uint16_t lid;

	if (fabric_enter(fabric_of(port)) < 0)
		return 0;
	lid = inside(port)->attr.lid;
	fabric_leave(fabric_of(port));
	return lid;
}

uint8_t umadrig_port_lmc(const struct umadrig_port *port)
{
	uint8_t lmc;

	if (fabric_enter(fabric_of(port)) < 0)
		return 0;
	lmc = inside(port)->attr.lmc;
	fabric_leave(fabric_of(port));
	return lmc;
}

int umadrig_port_gid(const struct umadrig_port *port, unsigned int index, uint8_t ret_gid[16])
{
	const struct end_port *end = inside(port);
	int ret = fabric_enter(fabric_of(port));

	if (ret < 0)
		return ret;
	if (index < end->attr.gid_count)
		memcpy(ret_gid, end->attr.gids[index], 16);
	else
		ret = -EINVAL;
	fabric_leave(fabric_of(port));
	return ret;
}

int umadrig_port_set_lid(struct umadrig_port *port, uint16_t lid, uint8_t lmc)
{
	int ret;

	if (lmc > 7 || lid > LID_UNICAST_MAX || (lid & ((1U << lmc) - 1)))
		return -EINVAL;
	ret = fabric_enter(fabric_of(port));
	if (ret < 0)
		return ret;
	end_port_set_lid(inside(port), lid, lmc);
	route_forget(fabric_of(port));
	fabric_leave(fabric_of(port));
	return 0;
}

const char *umadrig_port_device(const struct umadrig_port *port)
{
	return inside(port)->port->node->device_name;
}

int umadrig_port_remove(struct umadrig_port *port)
{
	int ret = fabric_enter(fabric_of(port));

	if (ret < 0)
		return ret;
	node_remove(inside(port)->port->node);
	fabric_leave(fabric_of(port));
	return 0;
}

/* ---- packets ---- */

void umadrig_tap(struct umadrig_port *port, umadrig_tap_fn *fn, void *ctx)
{
	if (fabric_enter(fabric_of(port)) < 0)
		return;
	fabric_of(port)->tap_count += (fn != NULL) - (inside(port)->tap != NULL);
	inside(port)->tap = fn;
	inside(port)->tap_ctx = ctx;
	fabric_leave(fabric_of(port));
}

/* Takes the fabric's lock and makes a packet of its own of the bytes; NULL with an error. */
static struct packet *enter_packet(struct umadrig_fabric *fabric, const uint8_t *bytes, size_t size,
				   int *reterr)
{
	struct packet *packet;

	*reterr = fabric_enter(fabric);
	if (*reterr < 0)
		return NULL;
	packet = packet_new(&fabric->pool);
	*reterr = raw_packet_take(packet, bytes, size);
	if (*reterr == 0)
		return packet;
	packet_free(&fabric->pool, packet);
	fabric_leave(fabric);
	return NULL;
}

int umadrig_inject(struct umadrig_port *port, const uint8_t *bytes, size_t size)
{
	struct umadrig_fabric *fabric = fabric_of(port);
	int ret;
	struct packet *packet = enter_packet(fabric, bytes, size, &ret);

	if (!packet)
		return ret;
	fabric_transmit(inside(port)->port, packet);
	fabric_leave(fabric);
	return 0;
}

int umadrig_deliver(struct umadrig_port *to, struct umadrig_port *from, const uint8_t *bytes,
		    size_t size)
{
	struct umadrig_fabric *fabric = fabric_of(to);
	int ret;
	struct packet *packet = enter_packet(fabric, bytes, size, &ret);

	if (!packet)
		return ret;
	fabric_deliver(inside(to), from ? inside(from)->port : NULL, packet);
	fabric_leave(fabric);
	return 0;
}

/* ---- the umad file ---- */

int umadrig_file_open(struct umadrig_port *port, struct umadrig_file **ret_file)
{
	struct umadrig_fabric *fabric = fabric_of(port);
	struct kmod_file *kmod_file;
	struct kmod_port *kmod;
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	kmod = end_port_kmod(inside(port));
	ret = kmod ? kmod_file_open(kmod, NULL, &kmod_file) : -ENXIO;
	fabric_leave(fabric);
	if (ret < 0)
		return ret;
	*ret_file = g_new(struct umadrig_file, 1);
	**ret_file = (struct umadrig_file){ .fabric = fabric, .file = kmod_file };
	return 0;
}

int umadrig_file_ioctl(struct umadrig_file *file, unsigned long request, void *arg)
{
	int ret = fabric_enter(file->fabric);

	if (ret < 0)
		return ret;
	ret = kmod_file_ioctl(file->file, request, arg);
	fabric_leave(file->fabric);
	return ret;
}

long umadrig_file_write(struct umadrig_file *file, const void *buf, size_t count)
{
	long ret = fabric_enter_quick(file->fabric);

	if (ret < 0)
		return ret;
	ret = kmod_file_write(file->file, buf, count);
	fabric_leave(file->fabric);
	return ret;
}

long umadrig_file_read(struct umadrig_file *file, void *buf, size_t count)
{
	long ret = fabric_enter_quick(file->fabric);

	if (ret < 0)
		return ret;
	clock_settle(file->fabric->clock);
	ret = kmod_file_read(file->file, buf, count);
	fabric_leave(file->fabric);
	return ret;
}

unsigned int umadrig_file_poll(struct umadrig_file *file)
{
	unsigned int events;

	if (fabric_enter_quick(file->fabric) < 0)
		return 0;
	clock_settle(file->fabric->clock);
	events = kmod_file_poll(file->file);
	fabric_leave(file->fabric);
	return events;
}

void umadrig_file_close(struct umadrig_file *file)
{
	if (!file)
		return;
	if (fabric_enter(file->fabric) == 0) {
		kmod_file_close(file->file);
		fabric_leave(file->fabric);
	}
	g_free(file);
}

int umadrig_issm_open(struct umadrig_port *port)
{
	struct umadrig_fabric *fabric = fabric_of(port);
	struct kmod_port *kmod;
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	kmod = end_port_kmod(inside(port));
	ret = kmod ? kmod_issm_open(kmod) : -ENXIO;
	fabric_leave(fabric);
	return ret;
}

void umadrig_issm_close(struct umadrig_port *port)
{
	if (fabric_enter(fabric_of(port)) < 0)
		return;
	if (inside(port)->issm_open)
		kmod_issm_close(inside(port)->kmod);
	fabric_leave(fabric_of(port));
}

/* ---- captures and traces ---- */

int umadrig_capture_start(struct umadrig_fabric *fabric, const char *path, const char *comment,
			  char *reterr, size_t reterr_size)
{
	int ret = fabric_enter(fabric);

	if (ret < 0) {
		g_snprintf(reterr, reterr_size, "%s: the fabric is this process's parent's", path);
		return ret;
	}
	ret = record_start(fabric, path, comment, reterr, reterr_size);
	fabric_leave(fabric);
	return ret;
}

int umadrig_capture_stop(struct umadrig_fabric *fabric)
{
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	ret = record_stop(fabric);
	fabric_leave(fabric);
	return ret;
}

void umadrig_capture_comment(struct umadrig_fabric *fabric, const char *text)
{
	if (fabric_enter(fabric) < 0)
		return;
	g_free(fabric->capture_comment);
	fabric->capture_comment = g_strdup(text);
	fabric_leave(fabric);
}

struct umadrig_mad capture_mad_shown(const struct capture_mad *mad)
{
	return (struct umadrig_mad){
		.at_ns = mad->time_ns,
		.port = mad->interface_name,
		.outbound = mad->direction == CAPTURE_OUTBOUND,
		.slid = mad->addr.slid,
		.dlid = mad->addr.dlid,
		.mad = mad->mad,
		.comment = mad->comment,
	};
}

int64_t umadrig_capture_each(const char *path, umadrig_mad_fn *fn, void *ctx, char *reterr,
			     size_t reterr_size)
{
	struct capture *capture = capture_read(path, reterr, reterr_size);
	size_t shown = 0;
	bool go_on = true;

	if (!capture)
		return -EINVAL;
	while (go_on && shown < capture->mad_count) {
		struct umadrig_mad out = capture_mad_shown(&capture->mads[shown++]);

		go_on = fn(ctx, &out);
	}
	capture_free(capture);
	return (int64_t)shown;
}

void umadrig_trace(struct umadrig_fabric *fabric, umadrig_trace_fn *fn, void *ctx)
{
	if (fabric_enter(fabric) < 0)
		return;
	fabric->trace = fn;
	fabric->trace_ctx = ctx;
	fabric_listen(fabric);
	fabric_leave(fabric);
}
