/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The requester of a capture: see sim/capture/replay-asker.h.
 *
 * A capture does not say whose port it was taken at, and discovery never asks the port that it
 * starts from over the wire: all that can be known is in addresses, and in what other MADs say
 * about them.
 */
#include "sim/capture/replay-asker.h"

#include <glib.h>

#include "sim/capture/capture.h"
#include "sim/capture/identity.h"
#include "sim/capture/replay-question.h"

enum {
	SA_PATH_RECORD = 0x0035,
	CM_CONNECT_REQUEST = 0x0010,
	CM_REQ_CA_GUID = MAD_HDR_SIZE + 16,	/* IBA vol 1, 12.6.5 */
	CM_REQ_PORT_LID = MAD_HDR_SIZE + 52,
	CM_REQ_PORT_GID = MAD_HDR_SIZE + 56,
	PATH_SGID = SA_DATA + 24,
	PATH_SLID = SA_DATA + 42,
};

static bool is_good_answer(const uint8_t *mad)
{
	return mad[MAD_METHOD] == MAD_METHOD_GET_RESP && !get_be16(mad + MAD_STATUS);
}

/* The port with which all directed routes begin; 0 if they begin with several. */
static uint8_t find_own_port(const struct capture *capture)
{
	uint8_t port = 0;

	for (size_t i = 0; i < capture->mad_count; i++) {
		const uint8_t *mad = capture->mads[i].mad;

		if (mad[MAD_CLASS] != MAD_CLASS_SUBN_DR || !mad[SMP_HOP_CNT])
			continue;
		if (port && mad[SMP_INITIAL_PATH + 1] != port)
			return 0;
		port = mad[SMP_INITIAL_PATH + 1];
	}
	return port;
}

/*
 * The LID with most requests; of several, the first. If there is none, a LID that no request went
 * to.
 */
static uint16_t find_lid(const struct capture *capture)
{
	unsigned int *asked_by = g_new0(unsigned int, LID_UNICAST_MAX + 1);
	bool *asked_at = g_new0(bool, LID_UNICAST_MAX + 1);
	uint16_t best = 0;

	for (size_t i = 0; i < capture->mad_count; i++) {
		uint16_t slid = capture->mads[i].addr.slid, dlid = capture->mads[i].addr.dlid;

		if (!question_is_asked(capture->mads[i].mad))
			continue;
		if (slid && slid <= LID_UNICAST_MAX && ++asked_by[slid] > asked_by[best])
			best = slid;
		if (dlid <= LID_UNICAST_MAX)
			asked_at[dlid] = true;
	}
	if (!best) {
		for (best = 1; best < LID_UNICAST_MAX && asked_at[best]; best++)
			;
	}
	g_free(asked_by);
	g_free(asked_at);
	return best;
}

static void take_gid(struct replay_asker *asker, const uint8_t *gid)
{
	if (asker->port_guid || !get_be64(gid + 8))
		return;
	asker->gid_prefix = get_be64(gid);
	asker->port_guid = get_be64(gid + 8);
}

/* What one MAD says about the port with the asker's LID. */
static void learn_from(struct replay_asker *asker, const struct capture_mad *captured)
{
	const uint8_t *mad = captured->mad;
	bool is_its_own = captured->addr.slid == asker->lid;
	uint16_t attr = get_be16(mad + MAD_ATTR_ID);

	if (is_its_own && captured->addr.has_grh)
		take_gid(asker, captured->addr.sgid);
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM && is_its_own && question_is_asked(mad) &&
	    !asker->sm_lid) {
		asker->sm_lid = captured->addr.dlid;
		asker->sm_sl = captured->addr.sl;
	}
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM && attr == SA_PATH_RECORD && is_good_answer(mad) &&
	    get_be16(mad + PATH_SLID) == asker->lid)
		take_gid(asker, mad + PATH_SGID);
	if (mad[MAD_CLASS] == MAD_CLASS_CM && attr == CM_CONNECT_REQUEST && is_its_own &&
	    get_be16(mad + CM_REQ_PORT_LID) == asker->lid) {
		take_gid(asker, mad + CM_REQ_PORT_GID);
		if (!asker->node_guid)
			asker->node_guid = get_be64(mad + CM_REQ_CA_GUID);
	}
}

/* umadrig's own captures describe the port's node where they declare its interface. */
static void learn_interface(struct replay_asker *asker, const struct capture *capture,
			    const struct capture_mad *captured)
{
	const struct capture_interface *interface =
		capture_interface(capture, captured->interface);
	struct capture_identity identity;

	if (*asker->description || !interface || !interface->description ||
	    captured->direction != CAPTURE_OUTBOUND || !question_is_asked(captured->mad))
		return;
	if (captured->addr.slid != asker->lid && captured->addr.slid != LID_PERMISSIVE)
		return;
	g_strlcpy(asker->description, interface->description, sizeof(asker->description));
	if (!capture_identity_parse(interface->comment, &identity))
		return;
	asker->node_guid = identity.node_guid;
	asker->port_guid = identity.port_guid;
}

static void learn_pkey(struct replay_asker *asker, const struct capture_mad *captured)
{
	if (captured->addr.dest_qp == 0 || asker->pkey_count == REPLAY_PKEYS_MAX)
		return;
	for (unsigned int i = 0; i < asker->pkey_count; i++) {
		if (asker->pkeys[i] == captured->addr.pkey)
			return;
	}
	asker->pkeys[asker->pkey_count++] = captured->addr.pkey;
}

void replay_asker_find(const struct capture *capture, struct replay_asker *ret)
{
	*ret = (struct replay_asker){ .own_port = find_own_port(capture) };
	ret->port_num = ret->own_port ? ret->own_port : 1;
	ret->lid = find_lid(capture);
	for (size_t i = 0; i < capture->mad_count; i++) {
		learn_from(ret, &capture->mads[i]);
		learn_interface(ret, capture, &capture->mads[i]);
		learn_pkey(ret, &capture->mads[i]);
	}
}
