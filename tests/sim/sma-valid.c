/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a Set may contain and what not, exhaustively: every value of each field that can be written,
 * every field that cannot, every modifier, method and state. A Set that is refused changes nothing.
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "sim/fabric/port.h"
#include "sim/run/assembly.h"
#include "tests/rig/leak.h"
#include "tests/rig/sma-rig.h"

enum { BAD_FIELD = 0x1c };

/* "0-4,255": is the number among them? */
static bool is_among(const char *ranges, uint64_t number)
{
	for (const char *at = ranges; *at; at += *at == ',') {
		char *rest;
		uint64_t first = strtoull(at, &rest, 0), last = first;

		if (*rest == '-')
			last = strtoull(rest + 1, &rest, 0);
		g_assert_true(rest != at && (*rest == ',' || !*rest));
		if (number >= first && number <= last)
			return true;
		at = rest;
	}
	return false;
}

/* The present attribute, ready to be written back without commands in it. */
static void read_back(struct port *port, uint16_t attr, uint32_t modifier, uint8_t *data)
{
	memset(data, 0, SMP_DATA_SIZE);
	g_assert_cmphex(ask(port, GET, attr, modifier, 0, data), ==, 0);
	if (attr == 0x15)
		each_field(attr, "LinkState=0 PhysLinkState=0", data, true, "states");
	if (attr == 0x12)
		each_field(attr, "StateChange=0", data, true, "StateChange");
}

/* ---- values ---- */

/* The attribute, as it is after 'given' has been set; which values of the field may be set. */
static const struct field_row {
	const char *node;
	unsigned int port;
	uint16_t attr;
	uint32_t modifier;
	const char *given;
	const char *field;
	const char *valid;
	const char *orders;	/* of those: which are not read back as written */
} fields[] = {
	{ "H1 HCA-1", 1, 0x15, 1, "Lid=5", "Lid", "1-0xbfff", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "Lid=4 LMC=2", "Lid", NULL, "" },
	{ "H1 HCA-1", 1, 0x15, 1, "Lid=0xbfff", "LMC", "0", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "Lid=8", "LMC", "0-3", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "SMLid=1", "SMLid", "1-0xbfff", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "SMSL", "0-15", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "MkeyLeasePeriod", "0-0xffff", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "ProtectBits", "0-3", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "LinkWidthEnabled", "0-3,255", "0,255" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "LinkSpeedEnabled", "0-7,15", "0,15" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "LinkSpeedExtEnabled", "0-3,30,31", "0,30,31" },
	{ "H2 HCA-1", 1, 0x15, 1, "", "LinkSpeedExtEnabled", "0,30,31", "0,30,31" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "LinkSpeedExtEnabled2", "0,6,7", "0,6,7" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "LinkDownDefState", "0-2", "0" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "NeighborMTU", "1-5", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "OperVLs", "0-4", "0" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "VLHighLimit", "0-255", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "VLStallCount", "0-7", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "HoqLife", "0-31", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "LocalPhysErr", "0-15", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "OverrunErr", "0-15", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "SubnetTimeout", "0-31", "" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "ClientReregister", "0-1", "1" },
	{ "H1 HCA-1", 1, 0x15, 1, "", "McastPkeyTrapSuppressionEnabled", "0-3", "" },
	/* Only 0 has an effect on a counter of violations. */
	{ "H1 HCA-1", 1, 0x15, 1, "", "PkeyViolations", "0-0xffff", "1-0xffff" },
	{ "Edge", 0, 0x15, 0, "Lid=5", "Lid", "1-0xbfff", "" },
	{ "Edge", 0, 0x15, 0, "Lid=8", "LMC", "0", "" },
	{ "Edge", 1, 0x15, 2, "", "NeighborMTU", "1-5", "" },
	{ "Edge", 1, 0x15, 2, "", "PartEnforceInb", "0-1", "" },
	{ "Edge", 1, 0x15, 2, "", "PartEnforceOutb", "0-1", "" },
	{ "Edge", 1, 0x15, 2, "", "Lid", "0-0xffff", "1-0xffff" },
	{ "Edge", 1, 0x15, 2, "", "ClientReregister", "0-1", "1" },

	{ "Edge", 1, 0x12, 0, "", "LinearFdbTop", "0-0xbfff", "" },
	{ "Edge", 1, 0x12, 0, "", "DefPort", "0-4,255", "" },
	{ "Edge", 1, 0x12, 0, "", "DefMcastPrimPort", "0-4,255", "" },
	{ "Edge", 1, 0x12, 0, "", "DefMcastNotPrimPort", "0-4,255", "" },
	{ "Edge", 1, 0x12, 0, "", "LifeTime", "0-31", "" },
	{ "Edge", 1, 0x12, 0, "", "StateChange", "0-1", "1" },
	{ "Edge", 1, 0x12, 0, "", "MulticastFDBTop", "0,0xbfff-0xc3ff", "" },

	{ "H1 HCA-1", 1, 0x16, 0, "", "P_Key31", "0-0xffff", "" },
	{ "Edge", 1, 0x16, 0x40000, "", "P_Key0", "0-0xffff", "" },
	{ "H1 HCA-1", 1, 0x17, 0, "", "VLforSL15", "0-15", "" },
	{ "Edge", 1, 0x17, 0x0404, "", "VLforSL0", "0-15", "" },
	{ "H1 HCA-1", 1, 0x18, 0x10000, "", "VL0", "0-15", "" },
	{ "H1 HCA-1", 1, 0x18, 0x30000, "", "Weight7", "0-255", "" },
	{ "H1 HCA-1", 1, 0x18, 0x30000, "", "Weight8", "0-255", "1-255" },
	{ "H1 HCA-1", 1, 0x31, 1, "", "LedMask", "0-1", "" },
	{ "H1 HCA-1", 1, 0x1e, 1, "", "ActiveLevels", "0-13", "" },
	{ "H1 HCA-1", 1, 0x33, 1, "", "FDRFECModeEnabled", "0-3", "0" },
	{ "H1 HCA-1", 1, 0x33, 1, "", "EDRFECModeEnabled", "0,1,4,5", "0" },
	{ "H1 HCA-1", 1, 0x33, 1, "", "HDRFECModeEnabled", "0", "" },
	{ "H2 HCA-1", 1, 0xff90, 1, "StateChangeEnable=1", "LinkSpeedEnabled", "0-255", "2-255" },
};

/* With an LMC, LIDs begin at a multiple of its size. */
static bool may_be_set(const struct field_row *row, uint64_t value)
{
	return row->valid ? is_among(row->valid, value) :
			    value > 0 && value < 0xc000 && value % 4 == 0;
}

static void test_field(gconstpointer data)
{
	const struct field_row *row = data;
	struct umadrig_fabric *fabric = open_fabric();
	struct port *port = port_of(fabric, row->node, row->port);
	const struct mad_field *field = mad_field_must(0x81, row->attr, row->field);
	uint8_t before[SMP_DATA_SIZE], set[SMP_DATA_SIZE], after[SMP_DATA_SIZE];

	read_back(port, row->attr, row->modifier, before);
	if (*row->given)
		each_field(row->attr, row->given, before, true, row->field);
	for (uint64_t value = 0; value <= mad_field_max(field); value++) {
		unsigned int status;

		/* From the same state, each time. */
		memcpy(set, before, sizeof(set));
		g_assert_cmphex(ask(port, SET, row->attr, row->modifier, 0, set), ==, 0);
		memcpy(set, before, sizeof(set));
		mad_field_set(field, set, value);
		read_back(port, row->attr, row->modifier, after);
		status = ask(port, SET, row->attr, row->modifier, 0, set);
		if (status != (may_be_set(row, value) ? 0 : BAD_FIELD))
			g_error("%s=%" G_GUINT64_FORMAT ": status 0x%02x", row->field, value,
				status);
		read_back(port, row->attr, row->modifier, set);
		if (status)
			g_assert_cmpmem(set, sizeof(set), after, sizeof(after));
		else if (!is_among(row->orders, value) && mad_field_get(field, set) != value)
			g_error("%s=%" G_GUINT64_FORMAT " is read as %" G_GUINT64_FORMAT,
				row->field, value, mad_field_get(field, set));
	}
	fabric_free(fabric);
}

/* ---- what is only read ---- */

static const struct {
	const char *node;
	uint16_t attr;
	uint32_t modifier;
	const char *written;	/* " Field Field " */
} attributes[] = {
	{ "H1 HCA-1", 0x15, 1,
	  " Mkey GidPrefix Lid SMLid MkeyLeasePeriod LinkWidthEnabled LinkState PhysLinkState "
	  "LinkDownDefState ProtectBits LMC LinkSpeedEnabled NeighborMTU SMSL VLHighLimit "
	  "VLStallCount HoqLife OperVLs MkeyViolations PkeyViolations QkeyViolations "
	  "ClientReregister McastPkeyTrapSuppressionEnabled SubnetTimeout LocalPhysErr OverrunErr "
	  "LinkSpeedExtEnabled LinkSpeedExtEnabled2 " },
	{ "Edge", 0x15, 1,
	  " LinkWidthEnabled LinkState PhysLinkState LinkDownDefState LinkSpeedEnabled NeighborMTU "
	  "VLHighLimit VLStallCount HoqLife OperVLs PartEnforceInb PartEnforceOutb PkeyViolations "
	  "LocalPhysErr OverrunErr LinkSpeedExtEnabled LinkSpeedExtEnabled2 " },
	{ "Edge", 0x12, 0,
	  " LinearFdbTop DefPort DefMcastPrimPort DefMcastNotPrimPort LifeTime StateChange "
	  "MulticastFDBTop " },
	{ "H1 HCA-1", 0x14, 0, " GUID1 GUID2 GUID3 GUID4 GUID5 GUID6 GUID7 " },
	{ "H1 HCA-1", 0x33, 1,
	  " FDRFECModeEnabled EDRFECModeEnabled HDRFECModeEnabled NDRFECModeEnabled " },
	{ "H1 HCA-1", 0xff90, 1, " StateChangeEnable LinkSpeedEnabled " },
};

static void test_read_only(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
		struct umadrig_fabric *fabric = open_fabric();
		struct port *port = port_of(fabric, attributes[i].node, 1);
		const struct mad_attribute *attribute =
			mad_attribute_find(0x81, attributes[i].attr);
		uint8_t before[SMP_DATA_SIZE], set[SMP_DATA_SIZE], after[SMP_DATA_SIZE];
		unsigned int tried = 0;

		read_back(port, attributes[i].attr, attributes[i].modifier, before);
		for (const struct mad_field *field = attribute->fields; field->name; field++) {
			g_autofree char *word = g_strdup_printf(" %s ", field->name);

			if (strstr(attributes[i].written, word))
				continue;
			memcpy(set, before, sizeof(set));
			mad_field_set(field, set,
				      ~mad_field_get(field, before) & mad_field_max(field));
			g_assert_cmphex(ask(port, SET, attributes[i].attr, attributes[i].modifier,
					    0, set), ==, 0);
			read_back(port, attributes[i].attr, attributes[i].modifier, after);
			if (memcmp(before, after, sizeof(before)) != 0)
				g_error("%s of %s can be written", field->name, attribute->name);
			tried++;
		}
		g_assert_cmpuint(tried, >, 0);
		fabric_free(fabric);
	}
}

/* ---- states ---- */

static void bring(struct port *port, unsigned int state)
{
	port->state = (uint8_t)state;
	port->phys_state = state == PORT_DOWN ? PORT_PHYS_POLLING : PORT_PHYS_LINK_UP;
	port->phys_wanted = 0;
}

/*
 * IBA vol 1, 7.2.7 and 14.2.5.6: from each state what each pair of PortState (rows from 0 to 7) and
 * PortPhysicalState (columns from 0 to 7) leads to. '.' is the unchanged state, 'x' is refused;
 * 's', 'p', 'd': down, with Sleep, Polling, Disabled requested; others are the new state's letter.
 */
static void test_states(void)
{
	static const struct {
		unsigned int from;
		const char *rows[8];
	} cases[] = {
		{ PORT_DOWN, { ".spdxxxx", "pspdxxxx", "xxxxxxxx", "xxxxxxxx", "xxxxxxxx",
			       "xxxxxxxx", "xxxxxxxx", "xxxxxxxx" } },
		{ PORT_INIT, { ".spdxxxx", "pspdxxxx", "xxxxxxxx", "Rxxxxxxx", "xxxxxxxx",
			       "xxxxxxxx", "xxxxxxxx", "xxxxxxxx" } },
		{ PORT_ARMED, { ".spdxxxx", "pspdxxxx", "xxxxxxxx", ".xxxxxxx", "Axxxxxxx",
				"xxxxxxxx", "xxxxxxxx", "xxxxxxxx" } },
		{ PORT_ACTIVE, { ".spdxxxx", "pspdxxxx", "xxxxxxxx", "xxxxxxxx", ".xxxxxxx",
				 "xxxxxxxx", "xxxxxxxx", "xxxxxxxx" } },
	};
	static const char letters[] = { [PORT_ARMED] = 'R', [PORT_ACTIVE] = 'A' };
	static const char orders[] = { '?', 's', 'p', 'd' };
	struct umadrig_fabric *fabric = open_fabric();
	struct port *port = port_of(fabric, "Edge", 1);

	for (size_t i = 0; i < G_N_ELEMENTS(cases) * 64; i++) {
		unsigned int from = cases[i / 64].from, state = i / 8 % 8, phys = i % 8;
		char wanted = cases[i / 64].rows[state][phys], got;
		uint8_t data[SMP_DATA_SIZE];
		unsigned int status;

		bring(port, from);
		read_back(port, 0x15, 1, data);
		mad_field_set(mad_field_must(0x81, 0x15, "LinkState"), data, state);
		mad_field_set(mad_field_must(0x81, 0x15, "PhysLinkState"), data, phys);
		status = ask(port, SET, 0x15, 1, 0, data);
		got = status == BAD_FIELD ? 'x' :
		      port->phys_wanted ? orders[port->phys_wanted] :
		      port->state == from ? '.' : letters[port->state];
		if (got != wanted || (status && status != BAD_FIELD))
			g_error("from %u, state %u, physical state %u: '%c', not '%c'", from, state,
				phys, got, wanted);
	}
	fabric_free(fabric);
}

/* ---- modifiers ---- */

/* The halves of each valid modifier. */
static const struct {
	const char *node;
	uint16_t attr;
	const char *high, *low;
} modifiers[] = {
	{ "H1 HCA-1", 0x10, "0", "0" },
	{ "H1 HCA-1", 0x11, "0", "0" },
	{ "Edge", 0x12, "0", "0" },
	{ "H1 HCA-1", 0x14, "0", "0" },
	{ "Edge", 0x14, "0", "0" },
	{ "H1 HCA-1", 0x15, "0,0x8000", "0-1" },
	{ "H2 HCA-1", 0x15, "0,0x8000", "0-2" },
	{ "Edge", 0x15, "0,0x8000", "0-4" },
	{ "H1 HCA-1", 0x16, "0-0xffff", "0" },
	{ "Edge", 0x16, "0-4", "0" },
	{ "H1 HCA-1", 0x17, "0-0xffff", "0-0xffff" },
	{ "Edge", 0x17, "0", "0-4,0x100-0x104,0x200-0x204,0x300-0x304,0x400-0x404" },
	{ "H1 HCA-1", 0x18, "1,3", "0-0xffff" },
	{ "Edge", 0x18, "1,3", "0-4" },
	{ "Edge", 0x19, "0", "0-767" },
	{ "Edge", 0x1b, "0", "0-31" },
	{ "H1 HCA-1", 0x1e, "0", "0-255" },
	{ "Edge", 0x1e, "0", "0-4" },
	{ "H1 HCA-1", 0x30, "0", "0" },
	{ "Edge", 0x31, "0", "0-4" },
	{ "Edge", 0x33, "0", "0-4" },
	{ "H2 HCA-1", 0xff90, "0", "0-2" },
};

static void test_modifiers(void)
{
	struct umadrig_fabric *fabric = open_fabric();

	for (size_t i = 0; i < G_N_ELEMENTS(modifiers); i++) {
		struct port *port = port_of(fabric, modifiers[i].node, 1);

		/* All values of each half, with 0 and 1 in the other. */
		for (uint32_t n = 0; n < 2 * 0x10000; n++) {
			uint32_t all = n & 0xffff, few = all & 1;
			uint32_t modifier = n >> 16 ? few << 16 | all : all << 16 | few;
			bool is_valid = is_among(modifiers[i].high, modifier >> 16) &&
					is_among(modifiers[i].low, modifier & 0xffff);
			uint8_t data[SMP_DATA_SIZE] = { 0 };
			unsigned int status = ask(port, GET, modifiers[i].attr, modifier, 0, data);

			if (status != (is_valid ? 0 : BAD_FIELD))
				g_error("%s: Get(0x%04x) with modifier 0x%08x: status 0x%02x",
					modifiers[i].node, modifiers[i].attr, modifier, status);
		}
	}
	fabric_free(fabric);
}

/* ---- methods, versions ---- */

/* IBA vol 1, 13.4.5 and table 114: methods that the class, or the attribute, does not have. */
static void test_methods(void)
{
	struct umadrig_fabric *fabric = open_fabric();
	struct port *port = port_of(fabric, "H1 HCA-1", 1);

	for (unsigned int method = 0; method < 256; method++) {
		bool is_silent = method == MAD_METHOD_TRAP || method == MAD_METHOD_REPORT ||
				 method >= 0x80;
		bool is_odd = method == SET || method == MAD_METHOD_TRAP_REPRESS;
		unsigned int status = method == GET ? 0 : is_odd ? 0x0c : 0x08;
		struct kmod_source source = { 0 };
		uint8_t in[MAD_SIZE] = { 1, MAD_CLASS_SUBN_LID, 1, (uint8_t)method }, out[MAD_SIZE];
		unsigned int result;

		put_be16(in + MAD_ATTR_ID, 0x11);
		result = sma_process(port, &source, in, out);
		g_assert_cmpuint(!!(result & KMOD_MAD_REPLY), ==, !is_silent);
		if (is_silent)
			continue;
		g_assert_cmphex(get_be16(out + MAD_STATUS), ==, status);
		g_assert_cmphex(out[MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	}
	for (unsigned int version = 0; version < 256; version++) {
		struct kmod_source source = { 0 };
		uint8_t in[MAD_SIZE] = { (uint8_t)version, MAD_CLASS_SUBN_LID, 1, GET };
		uint8_t out[MAD_SIZE];

		put_be16(in + MAD_ATTR_ID, 0x11);
		sma_process(port, &source, in, out);
		g_assert_cmphex(get_be16(out + MAD_STATUS), ==, version == 1 ? 0 : 4);
		in[MAD_BASE_VERSION] = 1;
		in[MAD_CLASS_VERSION] = (uint8_t)version;
		sma_process(port, &source, in, out);
		g_assert_cmphex(get_be16(out + MAD_STATUS), ==, version == 1 ? 0 : 4);
	}
	fabric_free(fabric);
}

/* ---- M_Key ---- */

/*
 * IBA vol 1, 14.2.4.1: at each protection level, requests with and without the key. 'o' answered,
 * 'h' answered, and the key hidden; 'x' not answered, and counted.
 */
static void test_m_key(void)
{
	static const struct {
		const char *name;
		uint64_t own, asked;
		const char *get, *set, *repress;	/* at levels 0 to 3 */
	} cases[] = {
		{ "no key", 0, 0, "oooo", "oooo", "oooo" },
		{ "no key, one given", 0, 5, "oooo", "oooo", "oooo" },
		{ "known", 5, 5, "oooo", "oooo", "oooo" },
		{ "none given", 5, 0, "ohxx", "xxxx", "xxxx" },
		{ "another", 5, 6, "ohxx", "xxxx", "xxxx" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases) * 12; i++) {
		const char *const expected[] = { cases[i / 12].get, cases[i / 12].set,
						 cases[i / 12].repress };
		static const uint8_t methods[] = { GET, SET, MAD_METHOD_TRAP_REPRESS };
		uint8_t method = methods[i / 4 % 3], level = i % 4;
		char wanted = expected[i / 4 % 3][level], got;
		struct umadrig_fabric *fabric = open_fabric();
		struct port *port = port_of(fabric, "H1 HCA-1", 1);
		struct kmod_source source = { .slid = 9 };
		uint8_t in[MAD_SIZE] = { 1, MAD_CLASS_SUBN_LID, 1, method }, out[MAD_SIZE] = { 0 };
		unsigned int result;

		read_back(port, 0x15, 1, in + SMP_DATA);
		port->end->m_key = cases[i / 12].own;
		port->end->m_key_protect = level;
		put_be16(in + MAD_ATTR_ID, method == MAD_METHOD_TRAP_REPRESS ? 0x02 : 0x15);
		put_be32(in + MAD_ATTR_MOD, 1);
		put_be64(in + SMP_MKEY, cases[i / 12].asked);
		put_be64(in + SMP_DATA, cases[i / 12].own);
		mad_field_set(mad_field_must(0x01, 0x15, "ProtectBits"), in + SMP_DATA, level);
		result = sma_process(port, &source, in, out);
		got = result == KMOD_MAD_FAILURE ? 'x' :
		      method == GET && get_be64(out + SMP_DATA) != cases[i / 12].own ? 'h' : 'o';
		if (got != wanted)
			g_error("%s, method 0x%02x, level %u: '%c', not '%c'", cases[i / 12].name,
				method, level, got, wanted);
		g_assert_cmpuint(port->end->m_key_violations, ==, wanted == 'x');
		fabric_free(fabric);
	}
}

/* The level after a wrong key and then this many seconds, perhaps with another key in between. */
static void test_lease(void)
{
	static const struct {
		const char *name;
		unsigned int lease_s, wait_s;
		uint64_t between;	/* a key, after half of the time; 0: no request */
		unsigned int level;
	} cases[] = {
		{ "not yet over", 10, 9, 0, 3 },
		{ "over", 10, 10, 0, 0 },
		{ "another wrong key does not prolong it", 10, 10, 6, 0 },
		{ "the right key ends it", 10, 16, 5, 3 },
		{ "for ever", 0, 100000, 0, 3 },
		{ "the longest", 0xffff, 0xffff, 0, 0 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct umadrig_fabric *fabric = open_fabric();
		struct port *port = port_of(fabric, "H1 HCA-1", 1);
		uint8_t data[SMP_DATA_SIZE] = { 0 };

		port->end->m_key = 5;
		port->end->m_key_protect = 3;
		port->end->m_key_lease = (uint16_t)cases[i].lease_s;
		g_assert_cmphex(ask(port, GET, 0x11, 0, 6, data), ==, SILENCE);
		for (unsigned int s = 0; s < cases[i].wait_s; s++) {
			if (s == cases[i].wait_s / 2 && cases[i].between)
				ask(port, GET, 0x11, 0, cases[i].between, data);
			settle(fabric);
		}
		if (port->end->m_key_protect != cases[i].level)
			g_error("%s: level %u", cases[i].name, port->end->m_key_protect);
		fabric_free(fabric);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_autofree char *path = g_strdup_printf("/sma-valid/field/%zu-%s", i,
							fields[i].field);

		g_test_add_data_func(path, &fields[i], test_field);
	}
	g_test_add_func("/sma-valid/read-only", test_read_only);
	g_test_add_func("/sma-valid/states", test_states);
	g_test_add_func("/sma-valid/modifiers", test_modifiers);
	g_test_add_func("/sma-valid/methods", test_methods);
	g_test_add_func("/sma-valid/m-key", test_m_key);
	g_test_add_func("/sma-valid/lease", test_lease);
	return leak_end(g_test_run());
}
