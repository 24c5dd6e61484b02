/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as a trace for Perfetto. See harness/show/perfetto.h. Numbers of fields are those of
 * protos/perfetto/trace in Perfetto's source; tests/data/perfetto.proto has all that are used.
 */
#include "harness/show/perfetto.h"

#include <glib.h>
#include <stdio.h>

#include "harness/show/protobuf.h"
#include "harness/show/rail-name.h"
#include "sim/capture/mad-role.h"
#include "lib/base/wire.h"

enum {
	TRACE_PACKET = 1,

	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK_DESCRIPTOR = 60,
	SEQUENCE_BEGINS = 1,		/* SEQ_INCREMENTAL_STATE_CLEARED */

	DESCRIPTOR_UUID = 1,
	DESCRIPTOR_NAME = 2,
	DESCRIPTOR_PARENT = 5,
	DESCRIPTOR_COUNTER = 8,

	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_FLOW = 47,
	EVENT_FLOW_ENDS = 48,

	ANNOTATION_NUMBER = 3,
	ANNOTATION_STRING = 6,
	ANNOTATION_NAME = 10,
};

enum event_type {
	EVENT_BEGIN = 1,
	EVENT_END = 2,
	EVENT_INSTANT = 3,
	EVENT_COUNT = 4,
};

enum { PORTS_MAX = 65536 };	/* further ones share a track */

/* A track below a port's, for one request at a time. */
struct lane {
	uint64_t track;
	bool busy;
};

struct port {
	uint64_t track, counter;
	GArray *lanes;		/* of struct lane */
	unsigned int waiting;
};

/* A request that waits for its answer. */
struct waiting {
	struct mad_key key;
	struct port *port;
	guint lane;
	GList link;
};

struct perfetto {
	struct view view;
	struct text out, packet, event, annotation, name;
	GHashTable *ports;	/* char * -> struct port *: look-up only */
	GHashTable *waiting;	/* struct waiting * -> itself: look-up only */
	GQueue oldest;		/* of struct waiting *, the one that waits longest first */
	uint64_t tracks, flows;
	int64_t now_ns;		/* time does not go backwards in a trace */
	bool begun;
};

/* ---- packets ---- */

static void end_packet(struct perfetto *trace)
{
	protobuf_varint(&trace->packet, PACKET_SEQUENCE_ID, 1);
	if (!trace->begun)
		protobuf_varint(&trace->packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_BEGINS);
	trace->begun = true;
	protobuf_message(&trace->out, TRACE_PACKET, &trace->packet);
	if (trace->out.length > 1 << 16)
		text_write(&trace->out, trace->view.setup.stream);
}

static uint64_t new_track(struct perfetto *trace, const char *name, uint64_t parent, bool counter)
{
	uint64_t track = ++trace->tracks;

	protobuf_varint(&trace->event, DESCRIPTOR_UUID, track);
	protobuf_string(&trace->event, DESCRIPTOR_NAME, name);
	if (parent)
		protobuf_varint(&trace->event, DESCRIPTOR_PARENT, parent);
	if (counter)
		protobuf_bytes(&trace->event, DESCRIPTOR_COUNTER, "", 0);
	protobuf_message(&trace->packet, PACKET_TRACK_DESCRIPTOR, &trace->event);
	end_packet(trace);
	return track;
}

static void begin_event(struct perfetto *trace, enum event_type type, uint64_t track)
{
	protobuf_varint(&trace->event, EVENT_TYPE, type);
	protobuf_varint(&trace->event, EVENT_TRACK, track);
}

static void end_event(struct perfetto *trace)
{
	protobuf_varint(&trace->packet, PACKET_TIMESTAMP, (uint64_t)trace->now_ns);
	protobuf_message(&trace->packet, PACKET_TRACK_EVENT, &trace->event);
	end_packet(trace);
}

static void annotate_number(struct perfetto *trace, const char *name, uint64_t number)
{
	protobuf_string(&trace->annotation, ANNOTATION_NAME, name);
	protobuf_varint(&trace->annotation, ANNOTATION_NUMBER, number);
	protobuf_message(&trace->event, EVENT_ANNOTATION, &trace->annotation);
}

static void annotate_string(struct perfetto *trace, const char *name, const char *string)
{
	protobuf_string(&trace->annotation, ANNOTATION_NAME, name);
	protobuf_string(&trace->annotation, ANNOTATION_STRING, string);
	protobuf_message(&trace->event, EVENT_ANNOTATION, &trace->annotation);
}

/* An event of a MAD: its label, where it is in the capture, and its TID. */
static void describe(struct perfetto *trace, const struct capture_mad *mad)
{
	char tid[24];

	trace->name.length = 0;
	rail_label(&trace->name, mad);
	protobuf_bytes(&trace->event, EVENT_NAME, trace->name.bytes, trace->name.length);
	annotate_number(trace, "frame", mad->frame);
	g_snprintf(tid, sizeof(tid), "0x%016" G_GINT64_MODIFIER "x", get_be64(mad->mad + MAD_TID));
	annotate_string(trace, "tid", tid);
	if (mad->comment)
		annotate_string(trace, "comment", mad->comment);
}

/* ---- ports ---- */

static struct port *port_of(struct perfetto *trace, const struct capture_mad *mad, bool source)
{
	struct port *port;

	trace->name.length = 0;
	rail_name(&trace->name, trace->view.setup.ends, mad, source);
	if (g_hash_table_size(trace->ports) >= PORTS_MAX) {
		trace->name.length = 0;
		text_words(&trace->name, "(others)");
	}
	text_char(&trace->name, '\0');
	port = g_hash_table_lookup(trace->ports, trace->name.bytes);
	if (port)
		return port;
	port = g_new0(struct port, 1);
	port->track = new_track(trace, trace->name.bytes, 0, false);
	port->lanes = g_array_new(false, true, sizeof(struct lane));
	g_hash_table_insert(trace->ports, g_strdup(trace->name.bytes), port);
	return port;
}

static void port_free(void *data)
{
	struct port *port = data;

	g_array_unref(port->lanes);
	g_free(port);
}

static void count(struct perfetto *trace, struct port *port, int change)
{
	port->waiting += (unsigned int)change;
	if (!port->counter)
		port->counter = new_track(trace, "requests waiting", port->track, true);
	begin_event(trace, EVENT_COUNT, port->counter);
	protobuf_varint(&trace->event, EVENT_COUNTER, port->waiting);
	end_event(trace);
}

static guint free_lane(struct perfetto *trace, struct port *port)
{
	struct lane lane = { .busy = true };
	char name[32];
	guint number = 0;

	while (number < port->lanes->len &&
	       g_array_index(port->lanes, struct lane, number).busy)
		number++;
	if (number < port->lanes->len) {
		g_array_index(port->lanes, struct lane, number).busy = true;
		return number;
	}
	g_snprintf(name, sizeof(name), "request %u", number + 1);
	lane.track = new_track(trace, name, port->track, false);
	g_array_append_val(port->lanes, lane);
	return number;
}

/* ---- requests ---- */

static guint waiting_hash(gconstpointer p)
{
	const struct waiting *waiting = p;

	return mad_key_hash(&waiting->key) ^ g_direct_hash(waiting->port);
}

static gboolean waiting_equal(gconstpointer a, gconstpointer b)
{
	const struct waiting *left = a, *right = b;

	return left->port == right->port && mad_key_equal(&left->key, &right->key);
}

static struct waiting *find_waiting(struct perfetto *trace, const struct capture_mad *mad,
				    struct port *port)
{
	const struct waiting key = { .key = mad_key(mad->mad), .port = port };

	return g_hash_table_lookup(trace->waiting, &key);
}

static uint64_t lane_track(const struct waiting *waiting)
{
	return g_array_index(waiting->port->lanes, struct lane, waiting->lane).track;
}

/* Ends the slice. */
static void end_waiting(struct perfetto *trace, struct waiting *waiting, bool answered)
{
	if (!answered) {
		begin_event(trace, EVENT_INSTANT, lane_track(waiting));
		protobuf_string(&trace->event, EVENT_NAME, "(not answered)");
		end_event(trace);
	}
	begin_event(trace, EVENT_END, lane_track(waiting));
	end_event(trace);
	g_array_index(waiting->port->lanes, struct lane, waiting->lane).busy = false;
	count(trace, waiting->port, -1);
	g_hash_table_remove(trace->waiting, waiting);
	g_queue_unlink(&trace->oldest, &waiting->link);
	g_free(waiting);
}

static void begin_waiting(struct perfetto *trace, const struct capture_mad *mad,
			  struct port *port, uint64_t flow)
{
	struct waiting *waiting = g_new0(struct waiting, 1);

	if (trace->oldest.length == PERFETTO_WAITING_MAX)
		end_waiting(trace, trace->oldest.head->data, false);
	waiting->key = mad_key(mad->mad);
	waiting->port = port;
	waiting->lane = free_lane(trace, port);
	waiting->link.data = waiting;
	g_hash_table_add(trace->waiting, waiting);
	g_queue_push_tail_link(&trace->oldest, &waiting->link);
	begin_event(trace, EVENT_BEGIN, lane_track(waiting));
	describe(trace, mad);
	protobuf_fixed64(&trace->event, EVENT_FLOW, flow);
	end_event(trace);
	count(trace, port, 1);
}

/* ---- MADs ---- */

static void instant(struct perfetto *trace, const struct capture_mad *mad, uint64_t track,
		    unsigned int flow_field, uint64_t flow)
{
	begin_event(trace, EVENT_INSTANT, track);
	describe(trace, mad);
	if (flow)
		protobuf_fixed64(&trace->event, flow_field, flow);
	end_event(trace);
}

/* A request that is sent again is an event of its slice. */
static void leave(struct perfetto *trace, const struct capture_mad *mad, struct port *port,
		  uint64_t flow)
{
	struct waiting *waiting;

	if (mad_role(mad->mad) != MAD_ROLE_ASKS || mad_is_rmpp(mad->mad)) {
		instant(trace, mad, port->track, EVENT_FLOW, flow);
		return;
	}
	waiting = find_waiting(trace, mad, port);
	if (waiting)
		instant(trace, mad, lane_track(waiting), EVENT_FLOW, flow);
	else
		begin_waiting(trace, mad, port, flow);
}

/* Of a message by RMPP the first segment answers, or the one that comes first. */
static void arrive(struct perfetto *trace, const struct capture_mad *mad, struct port *port,
		   uint64_t flow)
{
	enum mad_role role = mad_role(mad->mad);
	struct waiting *waiting = role == MAD_ROLE_ANSWERS || role == MAD_ROLE_SENDS ?
				  find_waiting(trace, mad, port) : NULL;

	instant(trace, mad, waiting ? lane_track(waiting) : port->track, EVENT_FLOW_ENDS, flow);
	if (waiting)
		end_waiting(trace, waiting, true);
}

static void perfetto_mad(struct view *view, const struct capture_mad *mad)
{
	struct perfetto *trace = (struct perfetto *)view;
	struct port *from, *to = port_of(trace, mad, false);
	uint64_t flow;

	trace->now_ns = MAX(trace->now_ns, mad->time_ns);
	/* A second record, of a MAD that has left already: where it was dropped. */
	if (mad_death(mad)) {
		instant(trace, mad, to->track, 0, 0);
		return;
	}
	flow = ++trace->flows;
	from = port_of(trace, mad, true);
	leave(trace, mad, from, flow);
	arrive(trace, mad, to, flow);
}

static void perfetto_note(struct view *view, const struct capture_note *note)
{
	struct perfetto *trace = (struct perfetto *)view;

	if (!trace->tracks)
		new_track(trace, "notes", 0, false);
	trace->now_ns = MAX(trace->now_ns, note->time_ns);
	begin_event(trace, EVENT_INSTANT, 1);
	protobuf_string(&trace->event, EVENT_NAME, note->text);
	end_event(trace);
}

static struct view *perfetto_new(const struct view_setup *setup)
{
	struct perfetto *trace = g_new0(struct perfetto, 1);

	(void)setup;
	trace->ports = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, port_free);
	trace->waiting = g_hash_table_new(waiting_hash, waiting_equal);
	return &trace->view;
}

static void perfetto_end(struct view *view, const struct capture_counts *counts, uint64_t shown)
{
	struct perfetto *trace = (struct perfetto *)view;

	(void)counts;
	(void)shown;
	while (trace->oldest.head)
		end_waiting(trace, trace->oldest.head->data, false);
	text_write(&trace->out, view->setup.stream);
	g_hash_table_destroy(trace->waiting);
	g_hash_table_destroy(trace->ports);
	text_clear(&trace->out);
	text_clear(&trace->packet);
	text_clear(&trace->event);
	text_clear(&trace->annotation);
	text_clear(&trace->name);
	g_free(trace);
}

const struct view_kind perfetto_view = {
	.named = true, .unchecked = true,
	.new = perfetto_new, .mad = perfetto_mad, .note = perfetto_note, .end = perfetto_end,
};
