/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The components of SA attributes, as OpenSM numbers them: the IB_..._COMPMASK_... of its header
 * for InfiniBand's types. "": reserved.
 */
#include <glib.h>
#include <string.h>

#include "sim/capture/sa-mask.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/dictionary/sa-component.h"

enum { NAMES_MAX = 64 };

static const struct row {
	uint16_t attr_id;
	bool whole;	/* the components are all of the record */
	const char *names[NAMES_MAX];
} rows[] = {
	{ 0x0011, true, { "Lid", "", "BaseVers", "ClassVers", "NodeType", "NumPorts", "SystemGuid",
			  "Guid", "PortGuid", "PartCap", "DevId", "Revision", "LocalPort",
			  "VendorId", "NodeDesc" } },
	{ 0x0012, true, { "EndportLID", "PortNum", "Options", "Mkey", "GidPrefix", "Lid", "SMLid",
			  "CapMask", "DiagCode", "MkeyLeasePeriod", "LocalPort",
			  "LinkWidthEnabled", "LinkWidthSupported", "LinkWidthActive",
			  "LinkSpeedSupported", "LinkState", "PhysLinkState", "LinkDownDefState",
			  "ProtectBits", "", "LMC", "LinkSpeedActive", "LinkSpeedEnabled",
			  "NeighborMTU", "SMSL", "VLCap", "InitType", "VLHighLimit",
			  "VLArbHighCap", "VLArbLowCap", "InitReply", "MtuCap", "VLStallCount",
			  "HoqLife", "OperVLs", "PartEnforceInb", "PartEnforceOutb",
			  "FilterRawInb", "FilterRawOutb", "MkeyViolations", "PkeyViolations",
			  "QkeyViolations", "GuidCap", "ClientReregister",
			  "McastPkeyTrapSuppressionEnabled", "SubnetTimeout", "", "RespTimeVal",
			  "LocalPhysErr", "OverrunErr", "MaxCreditHint", "", "RoundTrip",
			  "CapabilityMask2", "LinkSpeedExtActive", "LinkSpeedExtSupported", "",
			  "LinkSpeedExtEnabled" } },
	{ 0x0020, false, { "FromLID", "FromPort", "ToPort", "ToLID" } },
	{ 0x0035, false, { "ServiceID (component 0)", "ServiceID (component 1)", "DGID", "SGID",
			   "DLID", "SLID", "RawTraffic", "", "FlowLabel", "HopLimit", "TClass",
			   "Reversible", "NumbPath", "P_Key", "QosClass", "SL", "MTUSelector",
			   "MTU", "RateSelector", "Rate", "PacketLifeTimeSelector",
			   "PacketLifeTime" } },
	{ 0x003a, false, { "RawTraffic", "", "FlowLabel", "HopLimit", "TClass", "Reversible",
			   "NumbPath", "P_Key", "QosClass", "SL", "MTUSelector", "MTU",
			   "RateSelector", "Rate", "PacketLifeTimeSelector", "PacketLifeTime",
			   "ServiceIDHigh", "IndependenceSelector", "", "SGIDCount", "DGIDCount",
			   "ServiceIDLow" } },
	{ 0x00f3, true, { "SubscriberGID", "Enum", "", "GID", "LIDRangeBegin", "LIDRangeEnd", "",
			  "IsGeneric", "Subscribe", "Type", "TrapNumber", "QPN", "",
			  "RespTimeValue", "", "ProducerType" } },
};

static void test_names(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		for (unsigned int n = 0; n < NAMES_MAX && rows[i].names[n]; n++) {
			char name[SA_COMPONENT_NAME_SIZE];

			sa_component_name(rows[i].attr_id, n, name, sizeof(name));
			if (!*rows[i].names[n] && g_str_has_prefix(name, "reserved"))
				continue;
			g_test_message("%04x, component %u", rows[i].attr_id, n);
			g_assert_cmpstr(name, ==, rows[i].names[n]);
		}
	}
}

static void test_sizes(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct mad_attribute *attribute =
			mad_attribute_find(MAD_CLASS_SUBN_ADM, rows[i].attr_id);
		const uint16_t *widths = sa_component_widths(rows[i].attr_id);
		unsigned int bits = 0, count = 0;

		for (; *widths; widths++, count++)
			bits += *widths;
		g_assert_cmpuint(count, <=, 64);
		if (rows[i].whole)
			g_assert_cmpuint(bits, ==, attribute->size * 8U);
		else
			g_assert_cmpuint(bits, <=, attribute->size * 8U);
	}
}

/* A mask of one bit selects the bits of one component, and no others. */
static void test_selected(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const uint16_t *widths = sa_component_widths(rows[i].attr_id);
		uint8_t data[SA_DATA_SIZE], selected[SA_DATA_SIZE];
		unsigned int bit = 0;

		memset(data, 0xff, sizeof(data));
		for (unsigned int n = 0; widths[n]; bit += widths[n], n++) {
			sa_mask_data(rows[i].attr_id, UINT64_C(1) << n, data, selected);
			for (unsigned int b = 0; b < SA_DATA_SIZE * 8; b++)
				g_assert_cmpint(selected[b / 8] >> (7 - b % 8) & 1, ==,
						b >= bit && b < bit + widths[n]);
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sa-component/names", test_names);
	g_test_add_func("/sa-component/sizes", test_sizes);
	g_test_add_func("/sa-component/selected", test_selected);
	return g_test_run();
}
