/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * strings.c: names of classes, methods, attributes and status values.
 *
 * Programs print and compare these, so they are those of the usual library to the byte: "<unknown"
 * without its bracket, and "CongestionManagment" as spelled there.
 */
#include <stddef.h>

#include <infiniband/umad_str.h>

#include "lib/base/wire.h"

/* The last value of a range that starts after the previous row's, and its name. */
struct range {
	uint8_t last;
	const char *name;
};

struct name {
	uint16_t value;
	const char *name;
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define UNKNOWN "<unknown>"
#define UNKNOWN_METHOD "<unknown"

static const struct range classes[] = {
	{ 0x00, UNKNOWN },
	{ 0x01, "Subn" },
	{ 0x02, UNKNOWN },
	{ 0x03, "SubnAdm" },
	{ 0x04, "Perf" },
	{ 0x05, "BM" },
	{ 0x06, "DevMgt" },
	{ 0x07, "ComMgt" },
	{ 0x08, "SNMP" },
	{ 0x0f, "Vendor" },
	{ 0x10, "DevAdm" },
	{ 0x11, "BootMgt" },
	{ 0x12, "BIS" },
	{ 0x20, "Application" },
	{ 0x21, "CongestionManagment" },
	{ 0x2f, "Application" },
	{ 0x4f, "Vendor" },
	{ 0x80, UNKNOWN },
	{ 0x81, "Subn" },
	{ 0xff, UNKNOWN },
};

static const struct name methods[] = {
	{ 0x01, "Get" },
	{ 0x02, "Set" },
	{ 0x03, "Send" },
	{ 0x05, "Trap" },
	{ 0x06, "Report" },
	{ 0x07, "TrapRepress" },
	{ 0x81, "GetResp" },
	{ 0x86, "ReportResp" },
};

static const struct name sa_methods[] = {
	{ 0x12, "GetTable" },
	{ 0x13, "GetTraceTable" },
	{ 0x14, "GetMulti" },
	{ 0x15, "Delete" },
	{ 0x92, "GetTableResp" },
	{ 0x94, "GetMultiResp" },
	{ 0x95, "DeleteResp" },
};

static const struct name attributes[] = {
	{ 0x0001, "Class Port Info" },
	{ 0x0002, "Notice" },
	{ 0x0003, "Inform Info" },
};

static const struct name sm_attributes[] = {
	{ 0x0010, "NodeDescription" },
	{ 0x0011, "NodeInfo" },
	{ 0x0012, "SwitchInfo" },
	{ 0x0014, "GUIDInfo" },
	{ 0x0015, "PortInfo" },
	{ 0x0016, "P_KeyTable" },
	{ 0x0017, "SLtoVLMappingTable" },
	{ 0x0018, "VLArbitrationTable" },
	{ 0x0019, "LinearForwardingTable" },
	{ 0x001a, "RandomForwardingTable" },
	{ 0x001b, "MulticastForwardingTable" },
	{ 0x001c, "LinkSpeedWidthPairsTable" },
	{ 0x001d, "VendorSpecificMadsTable" },
	{ 0x001e, "HierarchyInfo" },
	{ 0x0020, "SMInfo" },
	{ 0x0030, "VendorDiag" },
	{ 0x0031, "LedInfo" },
	{ 0x0032, "CableInfo" },
	{ 0x0033, "PortInfoExtended" },
};

static const struct name sa_attributes[] = {
	{ 0x0011, "NodeRecord" },
	{ 0x0012, "PortInfoRecord" },
	{ 0x0013, "SLtoVLMappingTableRecord" },
	{ 0x0014, "SwitchInfoRecord" },
	{ 0x0015, "LinearForwardingTableRecord" },
	{ 0x0016, "RandomForwardingTableRecord" },
	{ 0x0017, "MulticastForwardingTableRecord" },
	{ 0x0018, "SMInfoRecord" },
	{ 0x0019, "LinkSpeedWidthPairsTableRecord" },
	{ 0x0020, "LinkRecord" },
	{ 0x0030, "GuidInfoRecord" },
	{ 0x0031, "ServiceRecord" },
	{ 0x0033, "P_KeyTableRecord" },
	{ 0x0035, "PathRecord" },
	{ 0x0036, "VLArbitrationTableRecord" },
	{ 0x0038, "MCMemberRecord" },
	{ 0x0039, "TraceRecord" },
	{ 0x003a, "MultiPathRecord" },
	{ 0x003b, "ServiceAssociationRecord" },
	{ 0x003c, "HierarchyInfoRecord" },
	{ 0x003d, "CableInfoRecord" },
	{ 0x003e, "PortInfoExtendedRecord" },
	{ 0x00f3, "InformInfoRecord" },
};

static const struct name cm_attributes[] = {
	{ 0x0010, "ConnectRequest" },
	{ 0x0011, "MsgRcptAck" },
	{ 0x0012, "ConnectReject" },
	{ 0x0013, "ConnectReply" },
	{ 0x0014, "ReadyToUse" },
	{ 0x0015, "DisconnectRequest" },
	{ 0x0016, "DisconnectReply" },
	{ 0x0017, "ServiceIDResReq" },
	{ 0x0018, "ServiceIDResReqResp" },
	{ 0x0019, "LoadAlternatePath" },
	{ 0x001a, "AlternatePathResponse" },
	{ 0x001b, "SuggestAlternatePath" },
	{ 0x001c, "SuggestPathResponse" },
};

/* By the high byte of the status. */
static const char *const sa_status[] = {
	"Success",
	"No Resources",
	"Request Invalid",
	"No Records",
	"Too Many Records",
	"Invalid GID",
	"Insufficient Components",
	"Request Denied",
	"Priority Suggested",
};

static const char *find(const struct name *names, size_t count, uint16_t value)
{
	for (size_t i = 0; i < count; i++)
		if (names[i].value == value)
			return names[i].name;
	return NULL;
}

const char *umad_class_str(uint8_t mgmt_class)
{
	size_t i = 0;

	while (classes[i].last < mgmt_class)
		i++;
	return classes[i].name;
}

const char *umad_method_str(uint8_t mgmt_class, uint8_t method)
{
	const char *name = find(methods, COUNT(methods), method);

	if (!name && mgmt_class == MAD_CLASS_SUBN_ADM)
		name = find(sa_methods, COUNT(sa_methods), method);
	return name ? name : UNKNOWN_METHOD;
}

const char *umad_attribute_str(uint8_t mgmt_class, __be16 attr_id)
{
	const uint16_t id = be16toh(attr_id);
	const char *name = find(attributes, COUNT(attributes), id);

	if (!name && mad_class_is_smp(mgmt_class))
		name = find(sm_attributes, COUNT(sm_attributes), id);
	else if (!name && mgmt_class == MAD_CLASS_SUBN_ADM)
		name = find(sa_attributes, COUNT(sa_attributes), id);
	else if (!name && mgmt_class == MAD_CLASS_CM)
		name = find(cm_attributes, COUNT(cm_attributes), id);
	return name ? name : UNKNOWN;
}

const char *umad_common_mad_status_str(__be16 status)
{
	const uint16_t value = be16toh(status);

	if (value & MAD_STATUS_BUSY)
		return "Busy";
	if (value & MAD_STATUS_REDIRECT)
		return "Redirection required";
	/* IBA vol 1, 13.4.7: bits 2 to 4 are a code, of which 4 to 6 are reserved. */
	switch (value & 0x1c) {
	case MAD_STATUS_BAD_VERSION:
		return "Bad Version";
	case MAD_STATUS_BAD_METHOD:
		return "Method not supported";
	case MAD_STATUS_BAD_METHOD_ATTR:
		return "Method/Attribute combo not supported";
	case MAD_STATUS_BAD_FIELD:
		return "Invalid attribute/modifier field";
	default:	/* a number from the wire */
		return "Success";
	}
}

/* Without the class only the part that all classes share can be named. */
const char *umad_mad_status_str(__be16 status)
{
	return umad_common_mad_status_str(status);
}

const char *umad_sa_mad_status_str(__be16 status)
{
	const unsigned int code = be16toh(status) >> 8;

	return code < COUNT(sa_status) ? sa_status[code] : "Undefined Error";
}
