/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The components of SA attributes: see sim/dictionary/sa-component.h.
 */
#include "sim/dictionary/sa-component.h"

#include <stdio.h>

#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"

struct sa_components {
	uint16_t attr_id;
	uint16_t widths[64];	/* ended by 0 */
};

static const struct sa_components tables[] = {
	/* NodeRecord: LID, then NodeInfo and NodeDescription */
	{ 0x0011, { 16, 16, 8, 8, 8, 8, 64, 64, 64, 16, 16, 32, 8, 24, 512 } },
	/* PortInfoRecord: EndportLID, PortNum, Options, then PortInfo as release 1.2.1 divided it:
	 * what has been given to reserved bits since has no component of its own */
	{ 0x0012, { 16, 8, 8, 64, 64, 16, 16, 32, 16, 16, 8, 8, 8, 8, 4, 4, 4, 4, 2, 3, 3, 4, 4,
		    4, 4, 4, 4, 8, 8, 8, 4, 4, 3, 5, 4, 1, 1, 1, 1, 16, 16, 16, 8, 1, 2, 5, 3, 5,
		    4, 4, 16, 8, 24, 16, 4, 4, 3, 5 } },
	/* SLtoVLMappingTableRecord: LID, InputPortNum, OutputPortNum */
	{ 0x0013, { 16, 8, 8 } },
	/* SwitchInfoRecord: LID, reserved, then SwitchInfo as far as DefMcastNotPrimPort */
	{ 0x0014, { 16, 16, 16, 16, 16, 16, 8, 8, 8 } },
	/* LinearForwardingTableRecord: LID, BlockNum */
	{ 0x0015, { 16, 16 } },
	/* RandomForwardingTableRecord: LID, BlockNum */
	{ 0x0016, { 16, 16 } },
	/* MulticastForwardingTableRecord: LID, Position, reserved, BlockNum */
	{ 0x0017, { 16, 4, 3, 9 } },
	/* SMInfoRecord */
	{ 0x0018, { 16, 16, 64, 64, 32, 4, 4 } },
	/* LinkRecord: FromLID, FromPort, ToPort, ToLID */
	{ 0x0020, { 16, 8, 8, 16 } },
	/* GUIDInfoRecord: LID, BlockNum, reserved, reserved, eight GUIDs */
	{ 0x0030, { 16, 8, 8, 32, 64, 64, 64, 64, 64, 64, 64, 64 } },
	/* ServiceRecord: ID, GID, P_Key, reserved, lease, key, name, data in four sizes */
	{ 0x0031, { 64, 128, 16, 16, 32, 128, 512, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
		    16, 16, 16, 16, 16, 16, 16, 16, 32, 32, 32, 32, 64, 64 } },
	/* P_KeyTableRecord: LID, BlockNum, PortNum */
	{ 0x0033, { 16, 16, 8 } },
	/* PathRecord: ServiceID (two bits), DGID, SGID, DLID, SLID, RawTraffic, reserved,
	 * FlowLabel, HopLimit, TClass, Reversible, NumbPath, P_Key, QoSClass, SL, MTU, Rate,
	 * PacketLifeTime (selector and value each), Preference */
	{ 0x0035, { 32, 32, 128, 128, 16, 16, 1, 3, 20, 8, 8, 1, 7, 16, 12, 4, 2, 6, 2, 6, 2, 6,
		    8 } },
	/* VLArbitrationTableRecord: LID, OutputPortNum, BlockNum */
	{ 0x0036, { 16, 8, 8 } },
	/* MCMemberRecord: MGID, PortGID, Q_Key, MLID, MTU, TClass, P_Key, Rate, PacketLifeTime, SL,
	 * FlowLabel, HopLimit, Scope, JoinState, ProxyJoin */
	{ 0x0038, { 128, 128, 32, 16, 2, 6, 8, 16, 2, 6, 2, 6, 4, 20, 8, 4, 4, 1 } },
	/* MultiPathRecord: RawTraffic, reserved, FlowLabel, HopLimit, TClass, Reversible, NumbPath,
	 * P_Key, QosClass, SL, MTU, Rate, PacketLifeTime (selector and value each), ServiceIDHigh,
	 * IndependenceSelector, reserved, SGIDCount, DGIDCount, ServiceIDLow */
	{ 0x003a, { 1, 3, 20, 8, 8, 1, 7, 16, 12, 4, 2, 6, 2, 6, 2, 6, 8, 2, 6, 8, 8, 56 } },
	/* InformInfoRecord: SubscriberGID, Enum, reserved, then InformInfo: GID, LIDs from and to,
	 * reserved, IsGeneric, Subscribe, Type, TrapNumber, QPN, reserved, RespTimeValue, reserved,
	 * ProducerType */
	{ 0x00f3, { 128, 16, 48, 128, 16, 16, 16, 8, 8, 16, 16, 24, 3, 5, 8, 24 } },
};

const uint16_t *sa_component_widths(uint16_t attr_id)
{
	static const uint16_t none[] = { 0 };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (tables[i].attr_id == attr_id)
			return tables[i].widths;
	}
	return none;
}

/* The field that has the bit, of those that are not wider: a component may be a part of it. */
static const struct mad_field *field_at(uint16_t attr_id, unsigned int bit)
{
	const struct mad_attribute *attribute = mad_attribute_find(MAD_CLASS_SUBN_ADM, attr_id);

	for (const struct mad_field *f = attribute ? attribute->fields : NULL; f && f->name; f++) {
		if (bit >= f->bit && bit < (unsigned int)f->bit + f->width)
			return f;
	}
	return NULL;
}

uint64_t sa_component_reserved(uint16_t attr_id)
{
	uint64_t reserved = 0, component = 1;
	unsigned int bit = 0;

	for (const uint16_t *width = sa_component_widths(attr_id); *width; width++) {
		if (!field_at(attr_id, bit))
			reserved |= component;
		bit += *width;
		component <<= 1;
	}
	return reserved;
}

void sa_component_name(uint16_t attr_id, unsigned int number, char *buf, size_t size)
{
	const uint16_t *width = sa_component_widths(attr_id);
	const struct mad_field *field;
	unsigned int bit = 0, at = 0;

	for (; *width && at < number; width++, at++)
		bit += *width;
	if (!*width) {
		snprintf(buf, size, "component %u", number);
		return;
	}
	field = field_at(attr_id, bit);
	if (!field)
		snprintf(buf, size, "reserved (component %u)", number);
	else if (field->bit == bit && field->width <= *width)
		snprintf(buf, size, "%s", field->name);
	else
		snprintf(buf, size, "%s (component %u)", field->name, number);
}
