/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The dictionary's communication management messages (IBA vol 1, 12.6): 232 bytes each, sent with
 * ComMgtSend.
 */
#include "sim/dictionary/tables.h"

#define CM_SIZE 232
#define BOTH_IDS HEX("LocalCommunicationID", 0, 32), HEX("RemoteCommunicationID", 32, 32)
#define PRIVATE(byte)                                                                      \
	IDENTITY("PrivateData", (byte) * 8, (CM_SIZE - (byte)) * 8, BYTES, PRIVATE)

/* A path, 44 bytes, of which REQ has two. */
#define REQ_PATH(which, at)                                                                \
	LID(which "LocalPortLID", (at) + 0), LID(which "RemotePortLID", (at) + 16),        \
	GID(which "LocalPortGID", (at) + 32), GID(which "RemotePortGID", (at) + 160),      \
	HEX(which "FlowLabel", (at) + 288, 20), DEC(which "PacketRate", (at) + 314, 6),    \
	HEX(which "TrafficClass", (at) + 320, 8), DEC(which "HopLimit", (at) + 328, 8),    \
	DEC(which "SL", (at) + 336, 4), FLAG(which "SubnetLocal", (at) + 340),             \
	DEC(which "LocalACKTimeout", (at) + 344, 5)

static const struct mad_field_name messages[] = {
	{ 0, "REQ" }, { 1, "REP" }, { 2, "LAP" }, { 0, NULL },
};

static const struct mad_field_name rejected[] = {
	{ 0, "REQ" }, { 1, "REP" }, { 2, "None" }, { 0, NULL },
};

static const struct mad_field_name transports[] = {
	{ 0, "RC" }, { 1, "UC" }, { 2, "RD" }, { 3, "Extended" }, { 0, NULL },
};

/* IBA vol 1, 12.6.7.2. */
static const struct mad_field_name reject_reasons[] = {
	{ 1, "NoQPAvailable" }, { 2, "NoEECAvailable" }, { 3, "NoResourcesAvailable" },
	{ 4, "Timeout" }, { 5, "UnsupportedRequest" }, { 6, "InvalidCommunicationID" },
	{ 7, "InvalidCommunicationInstance" }, { 8, "InvalidServiceID" },
	{ 9, "InvalidTransportServiceType" }, { 10, "StaleConnection" }, { 11, "RDCDoesNotExist" },
	{ 12, "PrimaryRemotePortGIDRejected" }, { 13, "PrimaryRemotePortLIDRejected" },
	{ 14, "InvalidPrimarySL" }, { 15, "InvalidPrimaryTrafficClass" },
	{ 16, "InvalidPrimaryHopLimit" }, { 17, "InvalidPrimaryPacketRate" },
	{ 18, "AlternateRemotePortGIDRejected" }, { 19, "AlternateRemotePortLIDRejected" },
	{ 20, "InvalidAlternateSL" }, { 21, "InvalidAlternateTrafficClass" },
	{ 22, "InvalidAlternateHopLimit" }, { 23, "InvalidAlternatePacketRate" },
	{ 24, "PortAndCMRedirection" }, { 25, "PortRedirection" }, { 26, "InvalidPathMTU" },
	{ 27, "InsufficientResponderResources" }, { 28, "ConsumerReject" },
	{ 29, "RNRRetryCountReject" }, { 30, "DuplicateLocalCommunicationID" },
	{ 31, "UnsupportedClassVersion" }, { 32, "InvalidPrimaryFlowLabel" },
	{ 33, "InvalidAlternateFlowLabel" }, { 0, NULL },
};

static const struct mad_field connect_request[] = {
	HEX("LocalCommunicationID", 0, 32), HEX("ServiceID", 64, 64), GUID("LocalCAGUID", 128),
	KEY("LocalQ_Key", 224, 32), HEX("LocalQPN", 256, 24), DEC("ResponderResources", 280, 8),
	HEX("LocalEECN", 288, 24), DEC("InitiatorDepth", 312, 8), HEX("RemoteEECN", 320, 24),
	DEC("RemoteCMResponseTimeout", 344, 5), ENUM("TransportServiceType", 349, 2, transports),
	FLAG("EndToEndFlowControl", 351), HEX("StartingPSN", 352, 24),
	DEC("LocalCMResponseTimeout", 376, 5), DEC("RetryCount", 381, 3), P_KEY("P_Key", 384),
	ENUM("PathPacketPayloadMTU", 400, 4, mad_names_mtu), FLAG("RDCExists", 404),
	DEC("RNRRetryCount", 405, 3), DEC("MaxCMRetries", 408, 4), FLAG("SRQ", 412),
	DEC("ExtendedTransportType", 413, 3), REQ_PATH("Primary", 416),
	REQ_PATH("Alternate", 768), PRIVATE(140), FIELDS_END,
};

static const struct mad_field message_receipt[] = {
	BOTH_IDS, ENUM("MessageMRAed", 64, 2, messages), DEC("ServiceTimeout", 72, 5), PRIVATE(10),
	FIELDS_END,
};

static const struct mad_field connect_reject[] = {
	BOTH_IDS, ENUM("MessageREJected", 64, 2, rejected), DEC("RejectInfoLength", 72, 7),
	ENUM("Reason", 80, 16, reject_reasons),
	IDENTITY("AdditionalRejectInfo", 96, 576, BYTES, PRIVATE),
	PRIVATE(84), FIELDS_END,
};

static const struct mad_field connect_reply[] = {
	BOTH_IDS, KEY("LocalQ_Key", 64, 32), HEX("LocalQPN", 96, 24), HEX("LocalEECN", 128, 24),
	HEX("StartingPSN", 160, 24), DEC("ResponderResources", 192, 8),
	DEC("InitiatorDepth", 200, 8), DEC("TargetACKDelay", 208, 5),
	DEC("FailoverAccepted", 213, 2), FLAG("EndToEndFlowControl", 215),
	DEC("RNRRetryCount", 216, 3), FLAG("SRQ", 219), GUID("LocalCAGUID", 224), PRIVATE(36),
	FIELDS_END,
};

static const struct mad_field both_ids[] = { BOTH_IDS, PRIVATE(8), FIELDS_END };

static const struct mad_field disconnect_request[] = {
	BOTH_IDS, HEX("RemoteQPN", 64, 24), PRIVATE(12), FIELDS_END,
};

static const struct mad_field service_id_request[] = {
	HEX("RequestID", 0, 32), P_KEY("P_Key", 32), HEX("ServiceID", 64, 64), PRIVATE(16),
	FIELDS_END,
};

static const struct mad_field service_id_response[] = {
	HEX("RequestID", 0, 32), DEC("Status", 32, 8), DEC("AdditionalInfoLength", 40, 8),
	HEX("QPN", 64, 24), HEX("ServiceID", 96, 64), KEY("Q_Key", 160, 32),
	IDENTITY("AdditionalInfo", 192, 576, BYTES, PRIVATE), PRIVATE(96), FIELDS_END,
};

static const struct mad_field load_alternate_path[] = {
	BOTH_IDS, HEX("RemoteQPN", 96, 24), DEC("RemoteCMResponseTimeout", 120, 5),
	LID("AlternateLocalPortLID", 160), LID("AlternateRemotePortLID", 176),
	GID("AlternateLocalPortGID", 192), GID("AlternateRemotePortGID", 320),
	HEX("AlternateFlowLabel", 448, 20), HEX("AlternateTrafficClass", 472, 8),
	DEC("AlternateHopLimit", 480, 8), DEC("AlternatePacketRate", 490, 6),
	DEC("AlternateSL", 496, 4), FLAG("AlternateSubnetLocal", 500),
	DEC("AlternateLocalACKTimeout", 504, 5), PRIVATE(64), FIELDS_END,
};

static const struct mad_field alternate_path_response[] = {
	BOTH_IDS, DEC("AdditionalInfoLength", 64, 8), DEC("APStatus", 72, 8),
	IDENTITY("AdditionalInfo", 96, 576, BYTES, PRIVATE), PRIVATE(84), FIELDS_END,
};

const struct mad_attribute mad_attributes_cm[] = {
	ATTRIBUTE(0x0001, "ClassPortInfo", mad_fields_class_port_info, CLASS_PORT_INFO_SIZE),
	ATTRIBUTE(0x0010, "ConnectRequest", connect_request, CM_SIZE),
	ATTRIBUTE(0x0011, "MsgRcptAck", message_receipt, CM_SIZE),
	ATTRIBUTE(0x0012, "ConnectReject", connect_reject, CM_SIZE),
	ATTRIBUTE(0x0013, "ConnectReply", connect_reply, CM_SIZE),
	ATTRIBUTE(0x0014, "ReadyToUse", both_ids, CM_SIZE),
	ATTRIBUTE(0x0015, "DisconnectRequest", disconnect_request, CM_SIZE),
	ATTRIBUTE(0x0016, "DisconnectReply", both_ids, CM_SIZE),
	ATTRIBUTE(0x0017, "ServiceIDResReq", service_id_request, CM_SIZE),
	ATTRIBUTE(0x0018, "ServiceIDResReqResp", service_id_response, CM_SIZE),
	ATTRIBUTE(0x0019, "LoadAlternatePath", load_alternate_path, CM_SIZE),
	ATTRIBUTE(0x001a, "AlternatePathResponse", alternate_path_response, CM_SIZE),
	NAMED(0x001b, "SuggestAlternatePath"),
	NAMED(0x001c, "SuggestPathResponse"),
	ATTRIBUTES_END,
};
