/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-strings.c: every name that lib/strings.c can return, for every value.
 *
 * The rows list what is not the default; all other values are tried too. If the usual library is
 * installed, it must return the same.
 */
#include <dlfcn.h>
#include <glib.h>

#include <infiniband/umad_str.h>

/* The values from 'first' to 'last' have this name. */
struct row {
	unsigned int first, last;
	const char *name;
};

static const struct row class_rows[] = {
	{ 0x01, 0x01, "Subn" },
	{ 0x03, 0x03, "SubnAdm" },
	{ 0x04, 0x04, "Perf" },
	{ 0x05, 0x05, "BM" },
	{ 0x06, 0x06, "DevMgt" },
	{ 0x07, 0x07, "ComMgt" },
	{ 0x08, 0x08, "SNMP" },
	{ 0x09, 0x0f, "Vendor" },
	{ 0x10, 0x10, "DevAdm" },
	{ 0x11, 0x11, "BootMgt" },
	{ 0x12, 0x12, "BIS" },
	{ 0x13, 0x20, "Application" },
	{ 0x21, 0x21, "CongestionManagment" },
	{ 0x22, 0x2f, "Application" },
	{ 0x30, 0x4f, "Vendor" },
	{ 0x81, 0x81, "Subn" },
};

static const struct row method_rows[] = {
	{ 0x01, 0x01, "Get" },
	{ 0x02, 0x02, "Set" },
	{ 0x03, 0x03, "Send" },
	{ 0x05, 0x05, "Trap" },
	{ 0x06, 0x06, "Report" },
	{ 0x07, 0x07, "TrapRepress" },
	{ 0x81, 0x81, "GetResp" },
	{ 0x86, 0x86, "ReportResp" },
};

static const struct row sa_method_rows[] = {
	{ 0x01, 0x01, "Get" },
	{ 0x02, 0x02, "Set" },
	{ 0x03, 0x03, "Send" },
	{ 0x05, 0x05, "Trap" },
	{ 0x06, 0x06, "Report" },
	{ 0x07, 0x07, "TrapRepress" },
	{ 0x12, 0x12, "GetTable" },
	{ 0x13, 0x13, "GetTraceTable" },
	{ 0x14, 0x14, "GetMulti" },
	{ 0x15, 0x15, "Delete" },
	{ 0x81, 0x81, "GetResp" },
	{ 0x86, 0x86, "ReportResp" },
	{ 0x92, 0x92, "GetTableResp" },
	{ 0x94, 0x94, "GetMultiResp" },
	{ 0x95, 0x95, "DeleteResp" },
};

static const struct row attribute_rows[] = {
	{ 0x0001, 0x0001, "Class Port Info" },
	{ 0x0002, 0x0002, "Notice" },
	{ 0x0003, 0x0003, "Inform Info" },
};

static const struct row sm_attribute_rows[] = {
	{ 0x0001, 0x0001, "Class Port Info" },
	{ 0x0002, 0x0002, "Notice" },
	{ 0x0003, 0x0003, "Inform Info" },
	{ 0x0010, 0x0010, "NodeDescription" },
	{ 0x0011, 0x0011, "NodeInfo" },
	{ 0x0012, 0x0012, "SwitchInfo" },
	{ 0x0014, 0x0014, "GUIDInfo" },
	{ 0x0015, 0x0015, "PortInfo" },
	{ 0x0016, 0x0016, "P_KeyTable" },
	{ 0x0017, 0x0017, "SLtoVLMappingTable" },
	{ 0x0018, 0x0018, "VLArbitrationTable" },
	{ 0x0019, 0x0019, "LinearForwardingTable" },
	{ 0x001a, 0x001a, "RandomForwardingTable" },
	{ 0x001b, 0x001b, "MulticastForwardingTable" },
	{ 0x001c, 0x001c, "LinkSpeedWidthPairsTable" },
	{ 0x001d, 0x001d, "VendorSpecificMadsTable" },
	{ 0x001e, 0x001e, "HierarchyInfo" },
	{ 0x0020, 0x0020, "SMInfo" },
	{ 0x0030, 0x0030, "VendorDiag" },
	{ 0x0031, 0x0031, "LedInfo" },
	{ 0x0032, 0x0032, "CableInfo" },
	{ 0x0033, 0x0033, "PortInfoExtended" },
};

static const struct row sa_attribute_rows[] = {
	{ 0x0001, 0x0001, "Class Port Info" },
	{ 0x0002, 0x0002, "Notice" },
	{ 0x0003, 0x0003, "Inform Info" },
	{ 0x0011, 0x0011, "NodeRecord" },
	{ 0x0012, 0x0012, "PortInfoRecord" },
	{ 0x0013, 0x0013, "SLtoVLMappingTableRecord" },
	{ 0x0014, 0x0014, "SwitchInfoRecord" },
	{ 0x0015, 0x0015, "LinearForwardingTableRecord" },
	{ 0x0016, 0x0016, "RandomForwardingTableRecord" },
	{ 0x0017, 0x0017, "MulticastForwardingTableRecord" },
	{ 0x0018, 0x0018, "SMInfoRecord" },
	{ 0x0019, 0x0019, "LinkSpeedWidthPairsTableRecord" },
	{ 0x0020, 0x0020, "LinkRecord" },
	{ 0x0030, 0x0030, "GuidInfoRecord" },
	{ 0x0031, 0x0031, "ServiceRecord" },
	{ 0x0033, 0x0033, "P_KeyTableRecord" },
	{ 0x0035, 0x0035, "PathRecord" },
	{ 0x0036, 0x0036, "VLArbitrationTableRecord" },
	{ 0x0038, 0x0038, "MCMemberRecord" },
	{ 0x0039, 0x0039, "TraceRecord" },
	{ 0x003a, 0x003a, "MultiPathRecord" },
	{ 0x003b, 0x003b, "ServiceAssociationRecord" },
	{ 0x003c, 0x003c, "HierarchyInfoRecord" },
	{ 0x003d, 0x003d, "CableInfoRecord" },
	{ 0x003e, 0x003e, "PortInfoExtendedRecord" },
	{ 0x00f3, 0x00f3, "InformInfoRecord" },
};

static const struct row cm_attribute_rows[] = {
	{ 0x0001, 0x0001, "Class Port Info" },
	{ 0x0002, 0x0002, "Notice" },
	{ 0x0003, 0x0003, "Inform Info" },
	{ 0x0010, 0x0010, "ConnectRequest" },
	{ 0x0011, 0x0011, "MsgRcptAck" },
	{ 0x0012, 0x0012, "ConnectReject" },
	{ 0x0013, 0x0013, "ConnectReply" },
	{ 0x0014, 0x0014, "ReadyToUse" },
	{ 0x0015, 0x0015, "DisconnectRequest" },
	{ 0x0016, 0x0016, "DisconnectReply" },
	{ 0x0017, 0x0017, "ServiceIDResReq" },
	{ 0x0018, 0x0018, "ServiceIDResReqResp" },
	{ 0x0019, 0x0019, "LoadAlternatePath" },
	{ 0x001a, 0x001a, "AlternatePathResponse" },
	{ 0x001b, 0x001b, "SuggestAlternatePath" },
	{ 0x001c, 0x001c, "SuggestPathResponse" },
};

/* By the high byte. */
static const struct row sa_status_rows[] = {
	{ 0x00, 0x00, "Success" },
	{ 0x01, 0x01, "No Resources" },
	{ 0x02, 0x02, "Request Invalid" },
	{ 0x03, 0x03, "No Records" },
	{ 0x04, 0x04, "Too Many Records" },
	{ 0x05, 0x05, "Invalid GID" },
	{ 0x06, 0x06, "Insufficient Components" },
	{ 0x07, 0x07, "Request Denied" },
	{ 0x08, 0x08, "Priority Suggested" },
};

/* By bits 0 to 4. */
static const char *const common_status[32] = {
	"Success", "Busy", "Redirection required", "Busy",
	"Bad Version", "Busy", "Redirection required", "Busy",
	"Method not supported", "Busy", "Redirection required", "Busy",
	"Method/Attribute combo not supported", "Busy", "Redirection required", "Busy",
	"Success", "Busy", "Redirection required", "Busy",
	"Success", "Busy", "Redirection required", "Busy",
	"Success", "Busy", "Redirection required", "Busy",
	"Invalid attribute/modifier field", "Busy", "Redirection required", "Busy",
};

static const char *expected(const struct row *rows, size_t count, unsigned int value,
			    const char *otherwise)
{
	for (size_t i = 0; i < count; i++)
		if (value >= rows[i].first && value <= rows[i].last)
			return rows[i].name;
	return otherwise;
}
#define EXPECTED(rows, value, otherwise) expected(rows, G_N_ELEMENTS(rows), value, otherwise)

static void test_class(void)
{
	for (unsigned int class = 0; class < 256; class++)
		g_assert_cmpstr(umad_class_str((uint8_t)class), ==,
				EXPECTED(class_rows, class, "<unknown>"));
}

static void test_method(void)
{
	for (unsigned int class = 0; class < 256; class++)
		for (unsigned int method = 0; method < 256; method++)
			g_assert_cmpstr(umad_method_str((uint8_t)class, (uint8_t)method), ==,
					class == 0x03 ?
					EXPECTED(sa_method_rows, method, "<unknown") :
					EXPECTED(method_rows, method, "<unknown"));
}

static const char *expected_attribute(unsigned int class, unsigned int id)
{
	switch (class) {
	case 0x01:
	case 0x81:
		return EXPECTED(sm_attribute_rows, id, "<unknown>");
	case 0x03:
		return EXPECTED(sa_attribute_rows, id, "<unknown>");
	case 0x07:
		return EXPECTED(cm_attribute_rows, id, "<unknown>");
	default:
		return EXPECTED(attribute_rows, id, "<unknown>");
	}
}

static void test_attribute(void)
{
	for (unsigned int class = 0; class < 256; class++)
		for (unsigned int id = 0; id < 65536; id++) {
			const char *name = umad_attribute_str((uint8_t)class,
							      htobe16((uint16_t)id));

			if (g_str_equal(name, expected_attribute(class, id)))
				continue;
			g_error("class 0x%02x attribute 0x%04x: %s", class, id, name);
		}
}

static void test_status(void)
{
	for (unsigned int status = 0; status < 65536; status++) {
		const __be16 status_be = htobe16((uint16_t)status);

		g_assert_cmpstr(umad_common_mad_status_str(status_be), ==,
				common_status[status & 31]);
		g_assert_cmpstr(umad_mad_status_str(status_be), ==, common_status[status & 31]);
		g_assert_cmpstr(umad_sa_mad_status_str(status_be), ==,
				EXPECTED(sa_status_rows, status >> 8, "Undefined Error"));
	}
}

/* The same functions of the library that the distribution ships. */
struct usual {
	const char *(*class_str)(uint8_t mgmt_class);
	const char *(*method_str)(uint8_t mgmt_class, uint8_t method);
	const char *(*attribute_str)(uint8_t mgmt_class, __be16 attr_id);
	const char *(*common_status_str)(__be16 status);
	const char *(*sa_status_str)(__be16 status);
};

static void compare_with(const struct usual *usual)
{
	for (unsigned int class = 0; class < 256; class++) {
		g_assert_cmpstr(umad_class_str((uint8_t)class), ==,
				usual->class_str((uint8_t)class));
		for (unsigned int method = 0; method < 256; method++)
			g_assert_cmpstr(umad_method_str((uint8_t)class, (uint8_t)method), ==,
					usual->method_str((uint8_t)class, (uint8_t)method));
		for (unsigned int id = 0; id < 1024; id++)
			g_assert_cmpstr(umad_attribute_str((uint8_t)class, htobe16(id)), ==,
					usual->attribute_str((uint8_t)class, htobe16(id)));
	}
	for (unsigned int value = 0; value < 65536; value++) {
		const __be16 value_be = htobe16((uint16_t)value);

		g_assert_cmpstr(umad_common_mad_status_str(value_be), ==,
				usual->common_status_str(value_be));
		g_assert_cmpstr(umad_sa_mad_status_str(value_be), ==,
				usual->sa_status_str(value_be));
		g_assert_cmpstr(umad_attribute_str(0x03, value_be), ==,
				usual->attribute_str(0x03, value_be));
		g_assert_cmpstr(umad_attribute_str(0x81, value_be), ==,
				usual->attribute_str(0x81, value_be));
	}
}

static void test_usual(void)
{
	struct usual usual;
	void *library = dlopen("libibumad.so.3", RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		g_test_skip("no libibumad.so.3 of the distribution (libibumad3)");
		return;
	}
	*(void **)&usual.class_str = dlsym(library, "umad_class_str");
	*(void **)&usual.method_str = dlsym(library, "umad_method_str");
	*(void **)&usual.attribute_str = dlsym(library, "umad_attribute_str");
	*(void **)&usual.common_status_str = dlsym(library, "umad_common_mad_status_str");
	*(void **)&usual.sa_status_str = dlsym(library, "umad_sa_mad_status_str");
	compare_with(&usual);
	dlclose(library);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/umad-strings/class", test_class);
	g_test_add_func("/umad-strings/method", test_method);
	g_test_add_func("/umad-strings/attribute", test_attribute);
	g_test_add_func("/umad-strings/status", test_status);
	g_test_add_func("/umad-strings/usual-library", test_usual);
	return g_test_run();
}
