/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Sampling (IBA vol 1, 16.1.3.2 and 16.1.3.4): up to 15 counters of a port, or of all, over an
 * interval that begins some ticks after the Set that requested it. See sim/agents/pma.h.
 *
 * A node has one mechanism for all its ports. While it is running, a Set changes nothing, and the
 * answer describes what is being sampled: SampleStatus shows that.
 */
#include <glib.h>
#include <string.h>

#include "sim/agents/pma.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port-counters.h"

enum {
	COUNTERS = 15,
	TICK_NS = 4,			/* see tick() */
	COUNTER_WIDTH_32 = 4,
	EXTENDED_WIDTH_64 = 2,
	/*
	 * Values in CounterMask and the like, 3 bits each: which kinds of counters it can sample.
	 */
	MANDATORY = 1,
};

enum sample_status {			/* PortSamplesControl.SampleStatus */
	SAMPLE_DONE = 0,
	SAMPLE_WAITS = 1,		/* for SampleStart to run out */
	SAMPLE_RUNS = 2,
};

struct pma_sampler {
	struct event event;		/* the next change of status */
	struct node *node;
	enum sample_status status;
	uint8_t opcode, port;
	uint16_t tag;
	uint32_t start, interval;	/* ticks */
	uint16_t selects[COUNTERS];
	uint64_t counted[COUNTERS];	/* running: at the start; done: during the interval */
};

/* ---- fields, looked up once ---- */

#define CONTROL(F)                                                                         \
	F(OpCode) F(PortSelect) F(Tick) F(CounterWidth) F(CounterMask0) F(CounterMasks1to9) \
	F(CounterMasks10to14) F(SampleStatus) F(SampleStart) F(SampleInterval) F(Tag)

#define MEMBER(name) const struct mad_field *name;
static struct {
	CONTROL(MEMBER)
	const struct mad_field *selects[COUNTERS];
} control;

/* Of both result attributes; only the extended one has a width. */
static struct result {
	const struct mad_field *tag, *status, *width, *counters[COUNTERS];
} results[2];

static void look_up_result(struct result *result, uint16_t attr_id, bool is_extended)
{
	char name[16];

	result->tag = mad_field_must(MAD_CLASS_PERF, attr_id, "Tag");
	result->status = mad_field_must(MAD_CLASS_PERF, attr_id, "SampleStatus");
	if (is_extended)
		result->width = mad_field_must(MAD_CLASS_PERF, attr_id, "ExtendedWidth");
	for (unsigned int i = 0; i < COUNTERS; i++) {
		g_snprintf(name, sizeof(name), "Counter%u", i);
		result->counters[i] = mad_field_must(MAD_CLASS_PERF, attr_id, name);
	}
}

__attribute__((constructor)) static void look_up_fields(void)
{
	char name[32];

#define IN_CONTROL(name) \
	control.name = mad_field_must(MAD_CLASS_PERF, ATTR_PORT_SAMPLES_CONTROL, #name);
	CONTROL(IN_CONTROL)
	for (unsigned int i = 0; i < COUNTERS; i++) {
		g_snprintf(name, sizeof(name), "CounterSelect%u", i);
		control.selects[i] = mad_field_must(MAD_CLASS_PERF, ATTR_PORT_SAMPLES_CONTROL,
						    name);
	}
	look_up_result(&results[false], ATTR_PORT_SAMPLES_RESULT, false);
	look_up_result(&results[true], ATTR_PORT_SAMPLES_RESULT_EXTENDED, true);
}

/* ---- counting ---- */

/* CounterSelect: the quantities that every agent can sample. */
static const unsigned int quantities[] = {
	[1] = COUNTER_XMIT_DATA,
	[2] = COUNTER_RCV_DATA,
	[3] = COUNTER_XMIT_PKTS,
	[4] = COUNTER_RCV_PKTS,
	[5] = COUNTER_XMIT_WAIT,
};

static uint64_t total(const struct pma_sampler *sampler, unsigned int i)
{
	uint64_t sum = 0;

	for (unsigned int num = 0; num <= sampler->node->port_count; num++) {
		if (pma_is_among(sampler->node, sampler->port, num))
			sum += pma_total(&sampler->node->ports[num],
					 quantities[sampler->selects[i]]);
	}
	return sum;
}

static void take(struct pma_sampler *sampler)
{
	for (unsigned int i = 0; i < COUNTERS; i++)
		sampler->counted[i] = total(sampler, i) -
				      (sampler->status == SAMPLE_RUNS ? sampler->counted[i] : 0);
}

static void arm(struct pma_sampler *sampler, uint32_t ticks)
{
	struct event_queue *queue = &sampler->node->fabric->queue;

	event_queue_arm(queue, &sampler->event, queue->now_ns + (int64_t)ticks * TICK_NS);
}

static void sampler_fire(struct event *event)
{
	struct pma_sampler *sampler = container_of(event, struct pma_sampler, event);

	take(sampler);
	if (sampler->status == SAMPLE_WAITS) {
		sampler->status = SAMPLE_RUNS;
		arm(sampler, sampler->interval);
	} else {
		sampler->status = SAMPLE_DONE;
	}
}

/* The count so far, or the final one. */
static uint64_t counted(const struct pma_sampler *sampler, unsigned int i)
{
	switch (sampler->status) {
	case SAMPLE_DONE:
		return sampler->counted[i];
	case SAMPLE_WAITS:
		return 0;
	case SAMPLE_RUNS:
		return total(sampler, i) - sampler->counted[i];
	}
	return 0;
}

/* ---- PortSamplesControl ---- */

/* The node's sampler; all zero before the first Set. */
static struct pma_sampler *node_sampler(struct node *node)
{
	if (!node->sampler) {
		node->sampler = g_new0(struct pma_sampler, 1);
		node->sampler->node = node;
		node->sampler->event.kind = EVENT_TIMER;
		node->sampler->event.fire = sampler_fire;
	}
	return node->sampler;
}

/*
 * Tick is in units of 10 bit times of a lane, less one. It knows lane speeds of 2.5, 5 and 10 Gb/s
 * (faster ones count as 10): always 4 ns, as in Linux's qib.
 */
static unsigned int tick(const struct node *node, unsigned int num)
{
	unsigned int speed = node->ports[num == PMA_ALL_PORTS ? 1 : num].speed_active;

	return speed ? speed - 1 : 0;
}

static bool is_asked_well(const uint8_t *data)
{
	for (unsigned int i = 0; i < COUNTERS; i++) {
		if (mad_field_get(control.selects[i], data) >= G_N_ELEMENTS(quantities))
			return false;
	}
	return true;
}

enum mad_status pma_samples_set(struct node *node, unsigned int num, const uint8_t *data)
{
	struct pma_sampler *sampler = node_sampler(node);

	if (!is_asked_well(data))
		return MAD_STATUS_BAD_FIELD;
	if (sampler->status != SAMPLE_DONE)
		return MAD_STATUS_OK;
	sampler->opcode = (uint8_t)mad_field_get(control.OpCode, data);
	sampler->port = (uint8_t)num;
	sampler->tag = (uint16_t)mad_field_get(control.Tag, data);
	sampler->start = (uint32_t)mad_field_get(control.SampleStart, data);
	sampler->interval = (uint32_t)mad_field_get(control.SampleInterval, data);
	for (unsigned int i = 0; i < COUNTERS; i++)
		sampler->selects[i] = (uint16_t)mad_field_get(control.selects[i], data);
	sampler->status = SAMPLE_WAITS;
	arm(sampler, sampler->start);
	return MAD_STATUS_OK;
}

void pma_samples_get(struct node *node, unsigned int num, uint8_t *data)
{
	static const struct pma_sampler never;
	const struct pma_sampler *sampler = node->sampler ? node->sampler : &never;

	memset(data, 0, PMA_DATA_SIZE);
	mad_field_set(control.OpCode, data, sampler->opcode);
	mad_field_set(control.PortSelect, data, sampler == &never ? num : sampler->port);
	mad_field_set(control.Tick, data, tick(node, num));
	mad_field_set(control.CounterWidth, data, COUNTER_WIDTH_32);
	mad_field_set(control.CounterMask0, data, MANDATORY);
	for (unsigned int i = 0; i < 9; i++)
		mad_field_set(control.CounterMasks1to9, data,
			      mad_field_get(control.CounterMasks1to9, data) << 3 | MANDATORY);
	for (unsigned int i = 0; i < 5; i++)
		mad_field_set(control.CounterMasks10to14, data,
			      mad_field_get(control.CounterMasks10to14, data) << 3 | MANDATORY);
	mad_field_set(control.SampleStatus, data, sampler->status);
	mad_field_set(control.SampleStart, data, sampler->start);
	mad_field_set(control.SampleInterval, data, sampler->interval);
	mad_field_set(control.Tag, data, sampler->tag);
	for (unsigned int i = 0; i < COUNTERS; i++)
		mad_field_set(control.selects[i], data, sampler->selects[i]);
}

void pma_samples_reset(struct node *node)
{
	if (node->sampler)
		event_queue_disarm(&node->fabric->queue, &node->sampler->event);
	g_clear_pointer(&node->sampler, g_free);
}

/* ---- results ---- */

void pma_samples_result(struct node *node, bool is_extended, uint8_t *data)
{
	const struct result *result = &results[is_extended];
	const struct pma_sampler *sampler = node->sampler;

	memset(data, 0, PMA_DATA_SIZE);
	if (is_extended)
		mad_field_set(result->width, data, EXTENDED_WIDTH_64);
	if (!sampler)
		return;
	mad_field_set(result->tag, data, sampler->tag);
	mad_field_set(result->status, data, sampler->status);
	for (unsigned int i = 0; i < COUNTERS; i++) {
		const struct mad_field *field = result->counters[i];

		if (sampler->selects[i])
			mad_field_set(field, data, MIN(counted(sampler, i), mad_field_max(field)));
	}
}
