/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as seen from one port: see sim/capture/side.h.
 */
#include "sim/capture/side.h"

#include <string.h>

#include "sim/capture/replay-asker.h"

static bool is_directed(const struct capture_mad *mad)
{
	return mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR;
}

bool capture_mad_is_death(const struct capture_mad *mad)
{
	return mad->direction == CAPTURE_INBOUND && mad->comment &&
	       strstr(mad->comment, "dropped: ");
}

static bool is_called(const struct capture_mad *mad, const char *label)
{
	return label && mad->interface_name && strcmp(mad->interface_name, label) == 0;
}

/* Does the MAD go back to the requester: is it an answer, or a TrapRepress? */
static bool goes_back(const struct capture_mad *mad)
{
	if (is_directed(mad))
		return get_be16(mad->mad + MAD_STATUS) & SMP_DIRECTION;
	return mad_is_response(mad->mad);
}

void capture_mad_got(const struct capture_mad *mad, uint8_t ret[MAD_SIZE])
{
	memcpy(ret, mad->mad, MAD_SIZE);
	if (is_directed(mad) && mad->direction != CAPTURE_INBOUND && goes_back(mad) &&
	    ret[SMP_HOP_CNT])
		ret[SMP_HOP_PTR] = 1;
}

struct capture_stand capture_stand_find(const struct capture *capture, const char *label,
					uint16_t lid)
{
	struct capture_stand stand = { .label = NULL };
	struct replay_asker asker;

	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (is_called(mad, label) && mad->direction == CAPTURE_OUTBOUND)
			stand.label = label;
		if (lid && !is_directed(mad) && (mad->addr.slid == lid || mad->addr.dlid == lid))
			stand.lid = lid;
	}
	if (stand.lid)
		return stand;
	replay_asker_find(capture, &asker);
	stand.lid = asker.lid;
	stand.has_gid = asker.is_roce;
	memcpy(stand.gid, asker.gid, 16);
	return stand;
}

/* Did the requester send it, by its address? Those of directed routes say nothing. */
static bool is_from(const struct replay_asker *asker, const struct capture_mad *mad)
{
	if (is_directed(mad))
		return false;
	return asker->is_roce ? memcmp(mad->addr.sgid, asker->gid, 16) == 0 :
				mad->addr.slid == asker->lid;
}

struct capture_stand capture_stand_of(const struct capture *capture,
				      const struct replay_asker *asker)
{
	struct capture_stand stand = { .lid = asker->lid, .has_gid = asker->is_roce };

	memcpy(stand.gid, asker->gid, 16);
	for (size_t i = 0; i < capture->mad_count && !stand.label; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		if (mad->direction == CAPTURE_OUTBOUND && is_from(asker, mad))
			stand.label = mad->interface_name;
	}
	return stand;
}

enum capture_side capture_side(const struct capture_stand *stand, const struct capture_mad *mad)
{
	if (capture_mad_is_death(mad))
		return CAPTURE_ELSEWHERE;
	if (is_called(mad, stand->label))
		return mad->direction == CAPTURE_INBOUND ? CAPTURE_GOT : CAPTURE_SENT;
	if (mad->transport != CAPTURE_INFINIBAND && stand->has_gid) {
		if (memcmp(mad->addr.dgid, stand->gid, 16) == 0)
			return CAPTURE_GOT;
		return memcmp(mad->addr.sgid, stand->gid, 16) == 0 ? CAPTURE_SENT :
								     CAPTURE_ELSEWHERE;
	}
	/* Directed routes name no ports: the side of the requests is taken. So, too, with RoCE. */
	if (is_directed(mad) && stand->has_no_routes)
		return CAPTURE_ELSEWHERE;
	if (is_directed(mad) || mad->transport != CAPTURE_INFINIBAND) {
		if (stand->label)
			return goes_back(mad) ? CAPTURE_GOT : CAPTURE_ELSEWHERE;
		return goes_back(mad) ? CAPTURE_GOT : CAPTURE_SENT;
	}
	/* What it has sent to itself counts as sent, as where its name says so. */
	if (mad->addr.dlid == stand->lid && mad->addr.slid != stand->lid)
		return CAPTURE_GOT;
	return mad->addr.slid == stand->lid ? CAPTURE_SENT : CAPTURE_ELSEWHERE;
}
