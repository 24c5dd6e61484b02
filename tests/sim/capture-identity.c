/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What a port is at which was captured: as a line of text, and back; and what is none. */
#include <glib.h>

#include "sim/capture/identity.h"

#define GUIDS "SystemGuid 0x00000000000000a0, Guid 0x00000000000000a1, PortGuid 0xfedcba9876543210"

static const struct capture_identity identity = {
	.node_type = 1, .port_count = 254, .port_num = 2, .system_guid = 0xa0, .node_guid = 0xa1,
	.port_guid = UINT64_C(0xfedcba9876543210), .vendor_id = 0xffffff, .device_id = 0xffff,
	.revision = 0xffffffff, .lid = 0xbfff, .lmc = 7,
};

static const char text[] =
	"NodeType 1, NumPorts 254, " GUIDS ", DevId 65535, Revision 4294967295, LocalPort 2, "
	"VendorId 16777215, Lid 49151, LMC 7";

static void test_round_trip(void)
{
	g_autofree char *got = capture_identity_format(&identity);
	g_autofree char *again = NULL;
	struct capture_identity back;

	g_assert_cmpstr(got, ==, text);
	g_assert_true(capture_identity_parse(got, &back));
	again = capture_identity_format(&back);
	g_assert_cmpstr(again, ==, text);
}

#define TAIL ", DevId 1, Revision 1, LocalPort 1, VendorId 1, Lid 1, LMC 0"

static void test_none(void)
{
	static const char *const none[] = {
		NULL, "", "a comment", "NodeType 1, NumPorts 2",
		"NodeType 0, NumPorts 1, " GUIDS TAIL, "NodeType 4, NumPorts 1, " GUIDS TAIL,
		"NodeType 1, NumPorts 0, " GUIDS TAIL, "NodeType 1, NumPorts 255, " GUIDS TAIL,
		"NodeType 1, NumPorts 1, " GUIDS TAIL " ",
		"NodeType 1, NumPorts 1, " GUIDS TAIL "x",
		"NodeType 1, NumPorts 1, SystemGuid 0x1, Guid 0x0, PortGuid 0x1" TAIL,
		"NodeType 1, NumPorts 1, " GUIDS
		", DevId 1, Revision 1, LocalPort 2, VendorId 1, Lid 1, LMC 0",
		"NodeType 1, NumPorts 1, " GUIDS
		", DevId 1, Revision 1, LocalPort 1, VendorId 1, Lid 49152, LMC 0",
		"NodeType 1, NumPorts 1, " GUIDS
		", DevId 65536, Revision 1, LocalPort 1, VendorId 1, Lid 1, LMC 0",
	};
	struct capture_identity ret;

	g_assert_true(capture_identity_parse("NodeType 1, NumPorts 1, " GUIDS TAIL, &ret));
	for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
		g_test_message("%s", none[i]);
		g_assert_false(capture_identity_parse(none[i], &ret));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture-identity/round trip", test_round_trip);
	g_test_add_func("/capture-identity/none", test_none);
	return g_test_run();
}
