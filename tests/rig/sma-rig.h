/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric after power-up whose subnet management agents are asked one by one, for tests.
 */
#ifndef UMADRIG_TESTS_RIG_SMA_RIG_H
#define UMADRIG_TESTS_RIG_SMA_RIG_H

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/agents/sma.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/run/assembly.h"
#include "sim/run/open.h"
#include "sim/topology/load.h"

/* A switch with two hosts, H2 at FDR10, and two free ports. */
static const char net[] =
	"vendid=0x2c9\ndevid=0xcb20\nsysimgguid=0x2c90300000010\n"
	"switchguid=0x2c90300000010(2c90300000010)\n"
	"Switch\t4 \"S-0002c90300000010\"\t\t# \"Edge\" base port 0 lid 7 lmc 0\n"
	"[1]\t\"H-0002c90300000020\"[1](2c90300000021) \t\t# \"H1 HCA-1\" lid 1 4xEDR\n"
	"[2]\t\"H-0002c90300000030\"[1](2c90300000031) \t\t# \"H2 HCA-1\" lid 2 4xFDR10\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x2c90300000023\ncaguid=0x2c90300000020\n"
	"Ca\t1 \"H-0002c90300000020\"\t\t# \"H1 HCA-1\"\n"
	"[1](2c90300000021) \t\"S-0002c90300000010\"[1]\t\t# lid 1 lmc 0 \"Edge\" lid 7 4xEDR\n"
	"\n"
	"vendid=0x2c9\ndevid=0x1003\nsysimgguid=0x2c90300000033\ncaguid=0x2c90300000030\n"
	"Ca\t2 \"H-0002c90300000030\"\t\t# \"H2 HCA-1\"\n"
	"[1](2c90300000031) \t\"S-0002c90300000010\"[2]\t\t# lid 2 lmc 0 \"Edge\" lid 7 4xFDR10\n";

/* "rail:2,1,4,planes=4": a shape, and options, in virtual time. */
static inline struct umadrig_fabric *open_generated(const char *options)
{
	g_autofree char *spec = g_strdup_printf("generate:%s,clock=virtual", options);
	char message[512] = "";
	struct umadrig_fabric *fabric = fabric_open(spec, false, message, sizeof(message));

	if (!fabric)
		g_error("%s", message);
	return fabric;
}

static inline struct umadrig_fabric *open_fabric(void)
{
	struct topology *topology = topology_parse(net, strlen(net), "sma-rig.net", NULL);
	struct umadrig_options options = { .virtual_clock = true, .cold = true, .seed = 1,
					   .first_hi_tid = 1 };
	struct umadrig_fabric *fabric;
	char message[512] = "";

	g_assert_nonnull(topology);
	fabric = fabric_new(topology, &options, message, sizeof(message));
	if (!fabric)
		g_error("%s", message);
	topology_free(topology);
	return fabric;
}

static inline struct port *port_of(struct umadrig_fabric *fabric, const char *node,
				  unsigned int num)
{
	struct node *found = fabric_node(fabric, node);

	g_assert_nonnull(found);
	g_assert_cmpuint(num, <=, found->port_count);
	return &found->ports[num];
}

/* ---- requests ---- */

enum {
	SILENCE = 0xffff,	/* in place of a status: no answer */
	GET = MAD_METHOD_GET,
	SET = MAD_METHOD_SET,
};

/*
 * Sends a request; its data is replaced by the response's. Returns the status, without the D bit.
 */
static inline unsigned int ask(struct port *port, uint8_t method, uint16_t attr, uint32_t modifier,
			uint64_t m_key, uint8_t data[SMP_DATA_SIZE])
{
	struct kmod_source source = { .slid = LID_PERMISSIVE };
	uint8_t in[MAD_SIZE] = { 0 }, out[MAD_SIZE];

	in[MAD_BASE_VERSION] = 1;
	in[MAD_CLASS] = MAD_CLASS_SUBN_DR;
	in[MAD_CLASS_VERSION] = 1;
	in[MAD_METHOD] = method;
	put_be16(in + MAD_ATTR_ID, attr);
	put_be32(in + MAD_ATTR_MOD, modifier);
	put_be64(in + SMP_MKEY, m_key);
	memcpy(in + SMP_DATA, data, SMP_DATA_SIZE);
	if (sma_process(port, &source, in, out) == KMOD_MAD_FAILURE)
		return SILENCE;
	memcpy(data, out + SMP_DATA, SMP_DATA_SIZE);
	return get_be16(out + MAD_STATUS) & ~(unsigned int)SMP_DIRECTION;
}

/* Lets a second pass, in which links train. */
static inline void settle(struct umadrig_fabric *fabric)
{
	int64_t until_ns = fabric->queue.now_ns + NS_PER_S;

	while (event_queue_fire(&fabric->queue, until_ns))
		;
	fabric->queue.now_ns = until_ns;
}

/* "Field=value Field=value": writes each, or expects the attribute to have each. */
static inline void each_field(uint16_t attr, const char *text, uint8_t *data, bool is_written,
		       const char *who)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);

	for (size_t i = 0; words[i]; i++) {
		char *value = strchr(words[i], '=');
		const struct mad_field *field;
		uint64_t wanted, got;

		g_assert_nonnull(value);
		*value++ = '\0';
		field = mad_field_must(0x81, attr, words[i]);
		wanted = g_ascii_strtoull(value, NULL, 0);
		if (is_written)
			mad_field_set(field, data, wanted);
		got = mad_field_get(field, data);
		if (got != wanted)
			g_error("%s: %s is 0x%" PRIx64 ", not %s", who, words[i], got, value);
	}
}

#endif
