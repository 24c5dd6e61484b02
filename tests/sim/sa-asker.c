/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "tests/sim/sa-asker.h"

const char sa_asker_net[] =
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Hca 1 \"H3\"\n[1] \"S2\"[20]\n\n"
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[1]\n\n"
	"Switch 24 \"S2\"\n[1] \"S1\"[3]\n[20] \"H3\"[1]\n";

struct umadrig_fabric *make(void)
{
	return fabric_of_text(sa_asker_net, "clock=virtual,sa=builtin");
}

struct end_port *end_at(const struct umadrig_fabric *fabric, uint16_t lid)
{
	return subnet_end_by_lid(fabric_subnet(fabric, 0), lid);
}

/* ---- requests ---- */

static uint8_t mad[MAD_SIZE];		/* the next request: its record is filled in first */
GByteArray *last;

uint8_t *record(void)
{
	return mad + SA_DATA;
}

uint16_t ask(struct umadrig_fabric *fabric, struct asked asked)
{
	uint8_t header[64] = { [RIG_QPN + 3] = 1 };
	struct sa_request request = {
		.subnet = fabric_subnet(fabric, 0), .from = end_at(fabric, asked.lid),
		.header = header,
	};

	g_clear_pointer(&last, g_byte_array_unref);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = asked.method;
	put_be16(mad + MAD_ATTR_ID, asked.attr_id);
	put_be64(mad + SA_SM_KEY, asked.has_key);
	put_be64(mad + SA_COMP_MASK, asked.mask);
	last = sa_answer(&request, mad, sizeof(mad));
	g_assert_nonnull(last);
	memset(mad, 0, sizeof(mad));
	return get_be16(last->data + MAD_STATUS);
}

void put_gid(uint8_t *gid, const struct umadrig_fabric *fabric, uint16_t lid)
{
	put_be64(gid, end_at(fabric, lid)->gid_prefix);
	put_be64(gid + 8, end_at(fabric, lid)->guid);
}

/* ---- groups ---- */

void member(const struct umadrig_fabric *fabric, uint32_t mgid, uint16_t lid, uint8_t state)
{
	if (mgid) {
		put_be64(record(), 0xff12401bffff0000);
		put_be32(record() + 12, mgid);
	}
	put_gid(record() + PORT_GID, fabric, lid);
	put_be32(record() + Q_KEY, 0x0b1b);	/* the broadcasts' */
	put_be16(record() + P_KEY, 0xffff);
	record()[STATE] = state;
}

uint16_t join(struct umadrig_fabric *fabric, uint32_t mgid, uint16_t lid, uint8_t state)
{
	member(fabric, mgid, lid, state);
	return ask(fabric, (struct asked){ lid, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP, false });
}

uint16_t leave(struct umadrig_fabric *fabric, uint32_t mgid, uint16_t lid, uint8_t state)
{
	member(fabric, mgid, lid, state);
	return ask(fabric, (struct asked){ lid, SA_DELETE, SA_MEMBER_RECORD, MEMBER, false });
}
