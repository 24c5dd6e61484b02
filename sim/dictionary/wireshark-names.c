/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The table of the dictionary's names and Wireshark's: see sim/dictionary/wireshark.h. What no line
 * names, Wireshark 4.0.17 does not show, or shows as bytes.
 */
#include "sim/dictionary/wireshark-names.h"

#include <stddef.h>
#include <string.h>

#include "lib/base/wire.h"

/* One field in both; the same field, but Wireshark is wrong. */
#define SAME(field, name) { field, "infiniband." name, false, 0, 0, 0, 0, 0, NULL }
#define WRONG(field, name, why) { field, "infiniband." name, false, 0, 0, 0, 0, 0, why }
/* Bits of a field. */
#define PART(field, bit, width, name)                                                      \
	{ field, "infiniband." name, false, 0, 0, 0, bit, width, NULL }
/* Numbered fields, of which Wireshark shows one after another, and bits of each. */
#define EACH(field, first, step, name)                                                     \
	{ field, "infiniband." name, true, first, step, 0, 0, 0, NULL }
#define PART_OF_EACH(field, bit, width, name)                                              \
	{ field, "infiniband." name, true, 0, 1, 0, bit, width, NULL }
/* A field that is a table: bits of each entry. */
#define ENTRY(field, entry, bit, width, name)                                              \
	{ field, "infiniband." name, false, 0, 0, entry, bit, width, NULL }
/* Bits of PortInfo's CapMask, by their number in the specification. */
#define CAPABILITY(number, name)                                                           \
	PART("CapMask", 31 - (number), 1, "portinfo.capabilitymask." name)
#define NAMES_END { NULL, NULL, false, 0, 0, 0, 0, 0, NULL }

/* ---- headers ---- */

static const struct wireshark_name lrh[] = {
	SAME("VL", "lrh.vl"), SAME("LVer", "lrh.lver"), SAME("SL", "lrh.sl"),
	SAME("Reserved2", "lrh.reserved2"), SAME("Reserved5", "lrh.reserved5"),
	SAME("LNH", "lrh.lnh"), SAME("DLID", "lrh.dlid"), SAME("PktLen", "lrh.pktlen"),
	SAME("SLID", "lrh.slid"), NAMES_END,
};

static const struct wireshark_name grh[] = {
	SAME("IPVer", "grh.ipver"), SAME("TClass", "grh.tclass"),
	SAME("FlowLabel", "grh.flowlabel"), SAME("PayLen", "grh.paylen"),
	SAME("NxtHdr", "grh.nxthdr"), SAME("HopLmt", "grh.hoplmt"), SAME("SGID", "grh.sgid"),
	SAME("DGID", "grh.dgid"), NAMES_END,
};

static const struct wireshark_name bth[] = {
	SAME("OpCode", "bth.opcode"), SAME("SE", "bth.se"), SAME("MigReq", "bth.m"),
	SAME("PadCnt", "bth.padcnt"), SAME("TVer", "bth.tver"), SAME("P_Key", "bth.p_key"),
	SAME("DestQP", "bth.destqp"), SAME("AckReq", "bth.a"),
	SAME("Reserved7", "bth.reserved7"), SAME("PSN", "bth.psn"), NAMES_END,
};

static const struct wireshark_name deth[] = {
	SAME("Q_Key", "deth.q_key"), SAME("SrcQP", "deth.srcqp"), NAMES_END,
};

static const struct wireshark_name mad[] = {
	SAME("BaseVersion", "mad.baseversion"), SAME("MgmtClass", "mad.mgmtclass"),
	SAME("ClassVersion", "mad.classversion"), SAME("Method", "mad.method"),
	SAME("Status", "mad.status"), SAME("ClassSpecific", "mad.classspecific"),
	SAME("TransactionID", "mad.transactionid"), SAME("AttributeID", "mad.attributeid"),
	SAME("AttributeModifier", "mad.attributemodifier"), NAMES_END,
};

static const struct wireshark_name smp[] = {
	SAME("M_Key", "smplid.mkey"), NAMES_END,
};

#define DIRECTION "Wireshark shows 0, whatever it is"
#define SMP_STATUS "Wireshark includes D"
static const struct wireshark_name directed_route[] = {
	WRONG("D", "smpdirected.d", DIRECTION),
	WRONG("SMPStatus", "smpdirected.smpstatus", SMP_STATUS),
	SAME("HopPointer", "smpdirected.hoppointer"), SAME("HopCount", "smpdirected.hopcount"),
	SAME("DrSLID", "smpdirected.drslid"), SAME("DrDLID", "smpdirected.drdlid"),
	SAME("InitialPath", "smpdirected.initialpath"),
	SAME("ReturnPath", "smpdirected.returnpath"), NAMES_END,
};

#define RMPP_BITS "RRespTime has 5 bits and RMPPFlags 3; Wireshark takes 4 and 4"
static const struct wireshark_name rmpp[] = {
	SAME("RMPPVersion", "rmpp.rmppversion"), SAME("RMPPType", "rmpp.rmpptype"),
	WRONG("RRespTime", "rmpp.rresptime", RMPP_BITS),
	WRONG("RMPPFlags", "rmpp.rmppflags", RMPP_BITS), SAME("RMPPStatus", "rmpp.rmppstatus"),
	SAME("SegmentNumber", "rmpp.segmentnumber"), SAME("PayloadLength", "rmpp.payloadlength"),
	SAME("NewWindowLast", "rmpp.newwindowlast"), NAMES_END,
};

static const struct wireshark_name sa[] = {
	SAME("SM_Key", "sa.smkey"), SAME("AttributeOffset", "sa.attributeoffset"),
	SAME("ComponentMask", "sa.componentmask"), NAMES_END,
};

/* ---- subnet management ---- */

static const struct wireshark_name node_description[] = {
	SAME("NodeDesc", "nodedescription.nodestring"), NAMES_END,
};

static const struct wireshark_name node_info[] = {
	SAME("BaseVers", "nodeinfo.baseversion"), SAME("ClassVers", "nodeinfo.classversion"),
	SAME("NodeType", "nodeinfo.nodetype"), SAME("NumPorts", "nodeinfo.numports"),
	SAME("SystemGuid", "nodeinfo.systemimageguid"), SAME("Guid", "nodeinfo.nodeguid"),
	SAME("PortGuid", "nodeinfo.portguid"), SAME("PartCap", "nodeinfo.partitioncap"),
	SAME("DevId", "nodeinfo.deviceid"), SAME("Revision", "nodeinfo.revision"),
	SAME("LocalPort", "nodeinfo.localportnum"), SAME("VendorId", "nodeinfo.vendorid"),
	NAMES_END,
};

static const struct wireshark_name switch_info[] = {
	SAME("LinearFdbCap", "switchinfo.linearfdbcap"),
	SAME("RandomFdbCap", "switchinfo.randomfdbcap"),
	SAME("McastFdbCap", "switchinfo.multicastfdbcap"),
	SAME("LinearFdbTop", "switchinfo.linearfdbtop"), SAME("DefPort", "switchinfo.defaultport"),
	SAME("DefMcastPrimPort", "switchinfo.defaultmulticastprimaryport"),
	SAME("DefMcastNotPrimPort", "switchinfo.defaultmulticastnotprimaryport"),
	SAME("LifeTime", "switchinfo.lifetimevalue"),
	SAME("StateChange", "switchinfo.portstatechange"),
	SAME("OptSLtoVLMapping", "switchinfo.optimizedsltovlmappingprogramming"),
	SAME("LidsPerPort", "switchinfo.lidsperport"),
	SAME("PartEnforceCap", "switchinfo.partitionenforcementcap"),
	SAME("InboundPartEnf", "switchinfo.inboundenforcementcap"),
	SAME("OutboundPartEnf", "switchinfo.outboundenforcementcap"),
	SAME("FilterRawInbound", "switchinfo.filterrawinboundcap"),
	SAME("FilterRawOutbound", "switchinfo.filterrawoutboundcap"),
	SAME("EnhancedPort0", "switchinfo.enhancedportzero"), NAMES_END,
};

static const struct wireshark_name guid_info[] = {
	EACH("GUID", 0, 1, "switchinfo.guid"), NAMES_END,
};

static const struct wireshark_name port_info[] = {
	SAME("Mkey", "portinfo.m_key"), SAME("GidPrefix", "portinfo.guid"),
	SAME("Lid", "portinfo.lid"), SAME("SMLid", "portinfo.mastersmlid"),
	SAME("CapMask", "portinfo.capabilitymask"), SAME("DiagCode", "portinfo.diagcode"),
	SAME("MkeyLeasePeriod", "portinfo.m_keyleaseperiod"),
	SAME("LocalPort", "portinfo.localportnum"),
	SAME("LinkWidthEnabled", "portinfo.linkwidthenabled"),
	SAME("LinkWidthSupported", "portinfo.linkwidthsupported"),
	SAME("LinkWidthActive", "portinfo.linkwidthactive"),
	SAME("LinkSpeedSupported", "portinfo.linkspeedsupported"),
	SAME("LinkState", "portinfo.portstate"),
	SAME("PhysLinkState", "portinfo.portphysicalstate"),
	SAME("LinkDownDefState", "portinfo.linkdowndefaultstate"),
	SAME("ProtectBits", "portinfo.m_keyprotectbits"), SAME("LMC", "portinfo.lmc"),
	SAME("LinkSpeedActive", "portinfo.linkspeedactive"),
	SAME("LinkSpeedEnabled", "portinfo.linkspeedenabled"),
	SAME("NeighborMTU", "portinfo.neighbormtu"), SAME("SMSL", "portinfo.mastersmsl"),
	SAME("VLCap", "portinfo.vlcap"), SAME("InitType", "portinfo.inittype"),
	SAME("VLHighLimit", "portinfo.vlhighlimit"),
	SAME("VLArbHighCap", "portinfo.vlarbitrationhighcap"),
	SAME("VLArbLowCap", "portinfo.vlarbitrationlowcap"),
	SAME("InitReply", "portinfo.inittypereply"), SAME("MtuCap", "portinfo.mtucap"),
	SAME("VLStallCount", "portinfo.vlstallcount"), SAME("HoqLife", "portinfo.hoqlife"),
	SAME("OperVLs", "portinfo.operationalvls"),
	SAME("PartEnforceInb", "portinfo.partitionenforcementinbound"),
	SAME("PartEnforceOutb", "portinfo.partitionenforcementoutbound"),
	SAME("FilterRawInb", "portinfo.filterrawinbound"),
	SAME("FilterRawOutb", "portinfo.filterrawoutbound"),
	SAME("MkeyViolations", "portinfo.m_keyviolations"),
	SAME("PkeyViolations", "portinfo.p_keyviolations"),
	SAME("QkeyViolations", "portinfo.q_keyviolations"), SAME("GuidCap", "portinfo.guidcap"),
	SAME("ClientReregister", "portinfo.clientreregister"),
	SAME("SubnetTimeout", "portinfo.subnettimeout"),
	SAME("RespTimeVal", "portinfo.resptimevalue"),
	SAME("LocalPhysErr", "portinfo.localphyerrors"),
	SAME("OverrunErr", "portinfo.overrunerrors"),
	SAME("MaxCreditHint", "portinfo.maxcredithint"),
	SAME("RoundTrip", "portinfo.linkroundtriplatency"), NAMES_END,
};

static const struct wireshark_name p_key_table[] = {
	PART_OF_EACH("P_Key", 0, 1, "p_keytable.membershiptype"),
	PART_OF_EACH("P_Key", 1, 15, "p_keytable.p_keybase"), NAMES_END,
};

static const struct wireshark_name sl_to_vl[] = {
	EACH("VLforSL", 0, 2, "sltovlmappingtable.sltovlhighbits"),
	EACH("VLforSL", 1, 2, "sltovlmappingtable.sltovllowbits"), NAMES_END,
};

static const struct wireshark_name vl_arbitration[] = {
	EACH("VL", 0, 1, "vlarbitrationtable.vl"),
	EACH("Weight", 0, 1, "vlarbitrationtable.weight"), NAMES_END,
};

static const struct wireshark_name linear_table[] = {
	ENTRY("LinearForwTbl", 8, 0, 8, "linearforwardingtable.port"), NAMES_END,
};

static const struct wireshark_name random_table[] = {
	ENTRY("RandomForwTbl", 32, 0, 16, "randomforwardingtable.lid"),
	ENTRY("RandomForwTbl", 32, 16, 1, "randomforwardingtable.valid"),
	ENTRY("RandomForwTbl", 32, 17, 3, "randomforwardingtable.lmc"),
	ENTRY("RandomForwTbl", 32, 24, 8, "randomforwardingtable.port"), NAMES_END,
};

static const struct wireshark_name multicast_table[] = {
	ENTRY("MulticastForwTbl", 16, 0, 16, "multicastforwardingtable.portmask"), NAMES_END,
};

static const struct wireshark_name sm_info[] = {
	SAME("SmInfoGuid", "sminfo.guid"), SAME("SmInfoKey", "sminfo.sm_key"),
	SAME("SmActivity", "sminfo.actcount"), SAME("SmPriority", "sminfo.priority"),
	SAME("SmState", "sminfo.smstate"), NAMES_END,
};

static const struct wireshark_name vendor_diag[] = {
	SAME("NextIndex", "vendordiag.nextindex"), SAME("DiagData", "vendordiag.diagdata"),
	NAMES_END,
};

static const struct wireshark_name led_info[] = {
	SAME("LedMask", "ledinfo.ledmask"), NAMES_END,
};

static const struct wireshark_name notice[] = {
	SAME("NoticeIsGeneric", "notice.isgeneric"), SAME("NoticeType", "notice.type"),
	SAME("NoticeProducerType", "notice.producertypevendorid"),
	SAME("NoticeTrapNumber", "notice.trapnumberdeviceid"),
	SAME("NoticeIssuerLID", "notice.issuerlid"), SAME("NoticeToggle", "notice.noticetoggle"),
	SAME("NoticeCount", "notice.noticecount"), SAME("NoticeDataDetails", "notice.datadetails"),
	NAMES_END,
};

static const struct wireshark_name notice_details[] = {
	SAME("GIDADDR", "trap.gidaddr"), SAME("LIDADDR", "trap.lidaddr"),
	SAME("PORTNO", "trap.portno"), SAME("CAPABILITYMASK", "trap.capabilitymask"),
	SAME("SYSTEMIMAGEGUID", "trap.systemimageguid"), SAME("DRSLID", "trap.drslid"),
	SAME("METHOD", "trap.method"), SAME("ATTRIBUTEID", "trap.attributeid"),
	SAME("ATTRIBUTEMODIFIER", "trap.attributemodifier"), SAME("MKEY", "trap.mkey"),
	SAME("DRNotice", "trap.drnotice"), SAME("DRPathTruncated", "trap.drpathtruncated"),
	SAME("DRHopCount", "trap.drhopcount"),
	SAME("DRNoticeReturnPath", "trap.drnoticereturnpath"), SAME("LIDADDR1", "trap.lidaddr1"),
	SAME("LIDADDR2", "trap.lidaddr2"), SAME("SL", "trap.sl"), SAME("QP1", "trap.qp1"),
	SAME("QP2", "trap.qp2"), SAME("GIDADDR1", "trap.gidaddr1"),
	SAME("GIDADDR2", "trap.gidaddr2"), PART("LocalChanges", 7, 1, "trap.otherlocalchanges"),
	PART("ChangeFlags", 13, 1, "trap.linkspeecenabledchange"),
	PART("ChangeFlags", 14, 1, "trap.linkwidthenabledchange"),
	PART("ChangeFlags", 15, 1, "trap.nodedescriptionchange"), NAMES_END,
};

static const struct wireshark_name capability_mask[] = {
	CAPABILITY(1, "issm"), CAPABILITY(2, "noticesupported"), CAPABILITY(3, "trapsupported"),
	CAPABILITY(4, "optionalipdsupported"), CAPABILITY(5, "automaticmigrationsupported"),
	CAPABILITY(6, "slmappingsupported"), CAPABILITY(7, "mkeynvram"), CAPABILITY(8, "pkeynvram"),
	CAPABILITY(9, "ledinfosupported"), CAPABILITY(10, "smdisabled"),
	CAPABILITY(11, "systemimageguidsupported"),
	CAPABILITY(12, "pkeyswitchexternalporttrapsupported"),
	CAPABILITY(16, "communicationmanagementsupported"),
	CAPABILITY(17, "snmptunnelingsupported"), CAPABILITY(18, "reinitsupported"),
	CAPABILITY(19, "devicemanagementsupported"), CAPABILITY(20, "vendorclasssupported"),
	CAPABILITY(21, "drnoticesupported"), CAPABILITY(22, "capabilitymasknoticesupported"),
	CAPABILITY(23, "bootmanagementsupported"), CAPABILITY(24, "linkroundtriplatencysupported"),
	CAPABILITY(25, "clientregistrationsupported"),
	CAPABILITY(26, "otherlocalchangesnoticesupported"),
	CAPABILITY(27, "linkspeedwidthpairstablesupported"),
	NAMES_END,
};

/* ---- subnet administration ---- */

static const struct wireshark_name class_port_info[] = {
	SAME("BaseVersion", "classportinfo.baseversion"),
	SAME("ClassVersion", "classportinfo.classversion"),
	SAME("CapabilityMask", "classportinfo.capabilitymask"),
	SAME("CapabilityMask2", "classportinfo.capabilitymask2"),
	SAME("RespTimeVal", "classportinfo.resptimevalue"),
	SAME("RedirectGID", "classportinfo.redirectgid"),
	SAME("RedirectTC", "classportinfo.redirecttc"),
	SAME("RedirectSL", "classportinfo.redirectsl"),
	SAME("RedirectFL", "classportinfo.redirectfl"),
	SAME("RedirectLID", "classportinfo.redirectlid"),
	SAME("RedirectPKey", "classportinfo.redirectpkey"),
	SAME("RedirectQP", "classportinfo.redirectqp"),
	SAME("RedirectQKey", "classportinfo.redirectqkey"),
	SAME("TrapGID", "classportinfo.trapgid"), SAME("TrapTC", "classportinfo.traptc"),
	SAME("TrapSL", "classportinfo.trapsl"), SAME("TrapFL", "classportinfo.trapfl"),
	SAME("TrapLID", "classportinfo.traplid"), SAME("TrapPKey", "classportinfo.trappkey"),
	SAME("TrapQP", "classportinfo.trapqp"), SAME("TrapQKey", "classportinfo.trapqkey"),
	NAMES_END,
};

static const struct wireshark_name inform_info[] = {
	SAME("GID", "informinfo.gid"), SAME("LIDRangeBegin", "informinfo.lidrangebegin"),
	SAME("LIDRangeEnd", "informinfo.lidrangeend"), SAME("IsGeneric", "informinfo.isgeneric"),
	SAME("Subscribe", "informinfo.subscribe"), SAME("Type", "informinfo.type"),
	SAME("TrapNumber", "informinfo.trapnumberdeviceid"), SAME("QPN", "informinfo.qpn"),
	SAME("RespTimeValue", "informinfo.resptimevalue"),
	SAME("ProducerType", "informinfo.producertypevendorid"), NAMES_END,
};

static const struct wireshark_name lid[] = {
	SAME("LID", "sa.lid"), NAMES_END,
};

static const struct wireshark_name port_info_record[] = {
	SAME("EndportLID", "sa.endportlid"), SAME("PortNum", "sa.portnum"), NAMES_END,
};

static const struct wireshark_name sl_to_vl_record[] = {
	SAME("InputPortNum", "sa.inputportnum"), SAME("OutputPortNum", "sa.outputportnum"),
	NAMES_END,
};

static const struct wireshark_name block[] = {
	SAME("BlockNum", "sa.blocknum_sixteenbit"), NAMES_END,
};

static const struct wireshark_name multicast_record[] = {
	SAME("Position", "sa.position"), SAME("BlockNum", "sa.blocknum_ninebit"), NAMES_END,
};

static const struct wireshark_name link_record[] = {
	SAME("FromLID", "linkrecord.fromlid"), SAME("FromPort", "linkrecord.fromport"),
	SAME("ToPort", "linkrecord.toport"), SAME("ToLID", "linkrecord.tolid"), NAMES_END,
};

static const struct wireshark_name guid_info_record[] = {
	SAME("BlockNum", "sa.blocknum_eightbit"), NAMES_END,
};

static const struct wireshark_name service_record[] = {
	SAME("ServiceID", "linkrecord.serviceid"), SAME("ServiceGID", "linkrecord.servicegid"),
	SAME("ServiceP_Key", "linkrecord.servicep_key"),
	SAME("ServiceLease", "linkrecord.servicelease"),
	SAME("ServiceKey", "linkrecord.servicekey"), SAME("ServiceName", "linkrecord.servicename"),
	ENTRY("ServiceData", 128, 0, 128, "linkrecord.servicedata"), NAMES_END,
};

static const struct wireshark_name p_key_record[] = {
	SAME("BlockNum", "sa.blocknum_sixteenbit"), SAME("PortNum", "sa.portnum"),
	ENTRY("P_Keys", 16, 0, 1, "p_keytable.membershiptype"),
	ENTRY("P_Keys", 16, 1, 15, "p_keytable.p_keybase"), NAMES_END,
};

static const struct wireshark_name path_record[] = {
	SAME("DGID", "pathrecord.dgid"), SAME("SGID", "pathrecord.sgid"),
	SAME("DLID", "pathrecord.dlid"), SAME("SLID", "pathrecord.slid"),
	SAME("RawTraffic", "pathrecord.rawtraffic"), SAME("FlowLabel", "pathrecord.flowlabel"),
	SAME("HopLimit", "pathrecord.hoplimit"), SAME("TClass", "pathrecord.tclass"),
	SAME("Reversible", "pathrecord.reversible"), SAME("NumbPath", "pathrecord.numbpath"),
	SAME("P_Key", "pathrecord.p_key"), SAME("SL", "pathrecord.sl"),
	SAME("MTUSelector", "pathrecord.mtuselector"), SAME("MTU", "pathrecord.mtu"),
	SAME("RateSelector", "pathrecord.rateselector"), SAME("Rate", "pathrecord.rate"),
	SAME("PacketLifeTimeSelector", "pathrecord.packetlifetimeselector"),
	SAME("PacketLifeTime", "pathrecord.packetlifetime"),
	SAME("Preference", "pathrecord.preference"), NAMES_END,
};

static const struct wireshark_name vl_arbitration_record[] = {
	SAME("OutputPortNum", "sa.outputportnum"), SAME("BlockNum", "sa.blocknum_eightbit"),
	ENTRY("VLArbTbl", 16, 4, 4, "vlarbitrationtable.vl"),
	ENTRY("VLArbTbl", 16, 8, 8, "vlarbitrationtable.weight"), NAMES_END,
};

static const struct wireshark_name mc_member_record[] = {
	SAME("MGID", "mcmemberrecord.mgid"), SAME("PortGID", "mcmemberrecord.portgid"),
	SAME("Q_Key", "mcmemberrecord.q_key"), SAME("MLID", "mcmemberrecord.mlid"),
	SAME("MTUSelector", "mcmemberrecord.mtuselector"), SAME("MTU", "mcmemberrecord.mtu"),
	SAME("TClass", "mcmemberrecord.tclass"), SAME("P_Key", "mcmemberrecord.p_key"),
	SAME("RateSelector", "mcmemberrecord.rateselector"), SAME("Rate", "mcmemberrecord.rate"),
	SAME("PacketLifeTimeSelector", "mcmemberrecord.packetlifetimeselector"),
	SAME("PacketLifeTime", "mcmemberrecord.packetlifetime"), SAME("SL", "mcmemberrecord.sl"),
	SAME("FlowLabel", "mcmemberrecord.flowlabel"), SAME("HopLimit", "mcmemberrecord.hoplimit"),
	SAME("Scope", "mcmemberrecord.scope"), SAME("JoinState", "mcmemberrecord.joinstate"),
	SAME("ProxyJoin", "mcmemberrecord.proxyjoin"), NAMES_END,
};

static const struct wireshark_name trace_record[] = {
	SAME("GIDPrefix", "tracerecord.gidprefix"),
	SAME("IDGeneration", "tracerecord.idgeneration"), SAME("NodeType", "tracerecord.nodetype"),
	SAME("NodeID", "tracerecord.nodeid"), SAME("ChassisID", "tracerecord.chassisid"),
	SAME("EntryPortID", "tracerecord.entryportid"),
	SAME("ExitPortID", "tracerecord.exitportid"), SAME("EntryPort", "tracerecord.entryport"),
	SAME("ExitPort", "tracerecord.exitport"), NAMES_END,
};

static const struct wireshark_name multi_path_record[] = {
	SAME("RawTraffic", "multipathrecord.rawtraffic"),
	SAME("FlowLabel", "multipathrecord.flowlabel"),
	SAME("HopLimit", "multipathrecord.hoplimit"), SAME("TClass", "multipathrecord.tclass"),
	SAME("Reversible", "multipathrecord.reversible"),
	SAME("NumbPath", "multipathrecord.numbpath"), SAME("P_Key", "multipathrecord.p_key"),
	SAME("SL", "multipathrecord.sl"), SAME("MTUSelector", "multipathrecord.mtuselector"),
	SAME("MTU", "multipathrecord.mtu"), SAME("RateSelector", "multipathrecord.rateselector"),
	SAME("Rate", "multipathrecord.rate"),
	SAME("PacketLifeTimeSelector", "multipathrecord.packetlifetimeselector"),
	SAME("PacketLifeTime", "multipathrecord.packetlifetime"),
	SAME("IndependenceSelector", "multipathrecord.independenceselector"),
	SAME("SGIDCount", "multipathrecord.sgidcount"),
	SAME("DGIDCount", "multipathrecord.dgidcount"), EACH("GID", 0, 1, "multipathrecord.sdgid"),
	NAMES_END,
};

static const struct wireshark_name service_association_record[] = {
	SAME("ServiceKey", "serviceassociationrecord.servicekey"),
	SAME("ServiceName", "serviceassociationrecord.servicename"), NAMES_END,
};

static const struct wireshark_name inform_info_record[] = {
	SAME("SubscriberGID", "informinforecord.subscribergid"),
	SAME("Enum", "informinforecord.enum"), NAMES_END,
};

/* ---- performance management ---- */

static const struct wireshark_name port_counters[] = {
	SAME("PortSelect", "portcounters.portselect"),
	SAME("CounterSelect", "portcounters.counterselect"),
	SAME("SymbolErrorCounter", "portcounters.symbolerrorcounter"),
	SAME("LinkErrorRecoveryCounter", "portcounters.linkerrorrecoverycounter"),
	SAME("LinkDownedCounter", "portcounters.linkdownedcounter"),
	SAME("PortRcvErrors", "portcounters.portrcverrors"),
	SAME("PortRcvRemotePhysicalErrors", "portcounters.portrcvremotephysicalerrors"),
	SAME("PortRcvSwitchRelayErrors", "portcounters.portrcvswitchrelayerrors"),
	SAME("PortXmitDiscards", "portcounters.portxmitdiscards"),
	SAME("PortXmitConstraintErrors", "portcounters.portxmitconstrainterrors"),
	SAME("PortRcvConstraintErrors", "portcounters.portrcvconstrainterrors"),
	SAME("VL15Dropped", "portcounters.vl15dropped"),
	SAME("PortXmitData", "portcounters.portxmitdata"),
	SAME("PortRcvData", "portcounters.portrcvdata"),
	SAME("PortXmitPkts", "portcounters.portxmitpkts"),
	SAME("PortRcvPkts", "portcounters.portrcvpkts"),
	SAME("LocalLinkIntegrityErrors", "portcounters.locallinkintegrityerrors"),
	SAME("ExcessiveBufferOverrunErrors",
	     "portcounters.excessivebufferoverrunerrors"),
	NAMES_END,
};

static const struct wireshark_name port_counters_extended[] = {
	SAME("PortSelect", "portcounters_ext.portselect"),
	SAME("CounterSelect", "portcounters_ext.counterselect"),
	SAME("PortXmitData", "portcounters_ext.portxmitdata"),
	SAME("PortRcvData", "portcounters_ext.portrcvdata"),
	SAME("PortXmitPkts", "portcounters_ext.portxmitpkts"),
	SAME("PortRcvPkts", "portcounters_ext.portrcvpkts"),
	SAME("PortUnicastXmitPkts", "portcounters_ext.portunicastxmitpkts"),
	SAME("PortUnicastRcvPkts", "portcounters_ext.portunicastrcvpkts"),
	SAME("PortMulticastXmitPkts", "portcounters_ext.portmulticastxmitpkts"),
	SAME("PortMulticastRcvPkts", "portcounters_ext.portmulticastrcvpkts"), NAMES_END,
};

/* ---- communication management ---- */

#define FLOW_LABEL "Wireshark reads 3 bytes where the flow label and the packet rate have 4"
static const struct wireshark_name connect_request[] = {
	SAME("LocalCommunicationID", "cm.req"), SAME("ServiceID", "cm.req.serviceid"),
	SAME("LocalCAGUID", "cm.req.localcaguid"), SAME("LocalQ_Key", "cm.req.localqkey"),
	SAME("LocalQPN", "cm.req.localqpn"), SAME("ResponderResources", "cm.req.responderres"),
	SAME("LocalEECN", "cm.req.localeecn"), SAME("InitiatorDepth", "cm.req.initdepth"),
	SAME("RemoteEECN", "cm.req.remoteeecn"),
	SAME("RemoteCMResponseTimeout", "cm.req.remoteresptout"),
	SAME("TransportServiceType", "cm.req.transpsvctype"),
	SAME("EndToEndFlowControl", "cm.req.e2eflowctrl"), SAME("StartingPSN", "cm.req.startpsn"),
	SAME("LocalCMResponseTimeout", "cm.req.localresptout"),
	SAME("RetryCount", "cm.req.retrcount"), SAME("P_Key", "cm.req.pkey"),
	SAME("PathPacketPayloadMTU", "cm.req.pppmtu"), SAME("RDCExists", "cm.req.rdcexist"),
	SAME("RNRRetryCount", "cm.req.rnrretrcount"), SAME("MaxCMRetries", "cm.req.maxcmretr"),
	SAME("SRQ", "cm.req.srq"), SAME("ExtendedTransportType", "cm.req.ext_transport"),
	SAME("PrimaryLocalPortLID", "cm.req.prim_locallid"),
	SAME("PrimaryRemotePortLID", "cm.req.prim_remotelid"),
	SAME("PrimaryLocalPortGID", "cm.req.prim_localgid"),
	SAME("PrimaryRemotePortGID", "cm.req.prim_remotegid"),
	SAME("PrimaryTrafficClass", "cm.req.prim_tfcclass"),
	SAME("PrimaryHopLimit", "cm.req.prim_hoplim"), SAME("PrimarySL", "cm.req.prim_sl"),
	SAME("PrimarySubnetLocal", "cm.req.prim_subnetlocal"),
	SAME("PrimaryLocalACKTimeout", "cm.req.prim_localacktout"),
	SAME("AlternateLocalPortLID", "cm.req.alt_locallid"),
	SAME("AlternateRemotePortLID", "cm.req.alt_remotelid"),
	SAME("AlternateLocalPortGID", "cm.req.alt_localgid"),
	SAME("AlternateRemotePortGID", "cm.req.alt_remotegid"),
	SAME("AlternateTrafficClass", "cm.req.alt_tfcclass"),
	SAME("AlternateHopLimit", "cm.req.alt_hoplim"), SAME("AlternateSL", "cm.req.alt_sl"),
	SAME("AlternateSubnetLocal", "cm.req.alt_subnetlocal"),
	SAME("AlternateLocalACKTimeout", "cm.req.alt_localacktout"),
	SAME("PrivateData", "cm.req.private"),
	WRONG("PrimaryFlowLabel", "cm.req.prim_flowlabel", FLOW_LABEL),
	WRONG("PrimaryPacketRate", "cm.req.prim_pktrate", FLOW_LABEL),
	WRONG("AlternateFlowLabel", "cm.req.alt_flowlabel", FLOW_LABEL),
	WRONG("AlternatePacketRate", "cm.req.alt_pktrate", FLOW_LABEL), NAMES_END,
};

static const struct wireshark_name connect_reject[] = {
	SAME("LocalCommunicationID", "cm.rej.localcommid"),
	SAME("RemoteCommunicationID", "cm.rej.remotecommid"),
	SAME("MessageREJected", "cm.rej.msgrej"), SAME("RejectInfoLength", "cm.rej.rejinfolen"),
	SAME("Reason", "cm.rej.reason"), SAME("AdditionalRejectInfo", "cm.rej.ari"),
	SAME("PrivateData", "cm.rej.private"), NAMES_END,
};

static const struct wireshark_name connect_reply[] = {
	SAME("LocalCommunicationID", "cm.rep"),
	SAME("RemoteCommunicationID", "cm.rep.remotecommid"),
	SAME("LocalQ_Key", "cm.rep.localqkey"), SAME("LocalQPN", "cm.rep.localqpn"),
	SAME("LocalEECN", "cm.rep.localeecn"), SAME("StartingPSN", "cm.rep.startpsn"),
	SAME("ResponderResources", "cm.rep.respres"), SAME("InitiatorDepth", "cm.rep.initdepth"),
	SAME("TargetACKDelay", "cm.rep.tgtackdelay"),
	SAME("FailoverAccepted", "cm.rep.failoveracc"),
	SAME("EndToEndFlowControl", "cm.rep.e2eflowctrl"),
	SAME("RNRRetryCount", "cm.rep.rnrretrcount"), SAME("SRQ", "cm.rep.srq"),
	SAME("LocalCAGUID", "cm.rep.localcaguid"), SAME("PrivateData", "cm.rep.private"), NAMES_END,
};

static const struct wireshark_name ready_to_use[] = {
	SAME("LocalCommunicationID", "cm.rtu.localcommid"),
	SAME("RemoteCommunicationID", "cm.rtu.remotecommid"), SAME("PrivateData", "cm.rtu.private"),
	NAMES_END,
};

static const struct wireshark_name disconnect_request[] = {
	SAME("LocalCommunicationID", "cm.dreq.localcommid"),
	SAME("RemoteCommunicationID", "cm.dreq.remotecommid"),
	SAME("RemoteQPN", "cm.req.remoteqpneecn"), SAME("PrivateData", "cm.dreq.private"),
	NAMES_END,
};

static const struct wireshark_name disconnect_reply[] = {
	SAME("LocalCommunicationID", "cm.drsp.localcommid"),
	SAME("RemoteCommunicationID", "cm.drsp.remotecommid"),
	SAME("PrivateData", "cm.drsp.private"), NAMES_END,
};

/* ---- what has which ---- */

static const struct {
	const char *header;
	const struct wireshark_name *names;
} headers[] = {
	{ "LRH", lrh }, { "GRH", grh }, { "BTH", bth }, { "DETH", deth }, { "MAD", mad },
	{ "SMP", smp }, { "DirectedRoute", directed_route }, { "RMPP", rmpp }, { "SA", sa },
};

/* Subnet management is here as LID-routed: directed routes have the same attributes. */
static const struct {
	uint8_t mgmt_class;
	uint16_t attr_id;
	const struct wireshark_name *names[4];
} attributes[] = {
	{ MAD_CLASS_SUBN_LID, 0x0002, { notice } },
	{ MAD_CLASS_SUBN_LID, 0x0010, { node_description } },
	{ MAD_CLASS_SUBN_LID, 0x0011, { node_info } },
	{ MAD_CLASS_SUBN_LID, 0x0012, { switch_info } },
	{ MAD_CLASS_SUBN_LID, 0x0014, { guid_info } },
	{ MAD_CLASS_SUBN_LID, 0x0015, { port_info, capability_mask } },
	{ MAD_CLASS_SUBN_LID, 0x0016, { p_key_table } },
	{ MAD_CLASS_SUBN_LID, 0x0017, { sl_to_vl } },
	{ MAD_CLASS_SUBN_LID, 0x0018, { vl_arbitration } },
	{ MAD_CLASS_SUBN_LID, 0x0019, { linear_table } },
	{ MAD_CLASS_SUBN_LID, 0x001a, { random_table } },
	{ MAD_CLASS_SUBN_LID, 0x001b, { multicast_table } },
	{ MAD_CLASS_SUBN_LID, 0x0020, { sm_info } },
	{ MAD_CLASS_SUBN_LID, 0x0030, { vendor_diag } },
	{ MAD_CLASS_SUBN_LID, 0x0031, { led_info } },
	{ MAD_CLASS_SUBN_ADM, 0x0001, { class_port_info } },
	{ MAD_CLASS_SUBN_ADM, 0x0002, { notice } },
	{ MAD_CLASS_SUBN_ADM, 0x0003, { inform_info } },
	{ MAD_CLASS_SUBN_ADM, 0x0011, { lid, node_info, node_description } },
	{ MAD_CLASS_SUBN_ADM, 0x0012, { port_info_record, port_info, capability_mask } },
	{ MAD_CLASS_SUBN_ADM, 0x0013, { lid, sl_to_vl_record, sl_to_vl } },
	{ MAD_CLASS_SUBN_ADM, 0x0014, { lid, switch_info } },
	{ MAD_CLASS_SUBN_ADM, 0x0015, { lid, block, linear_table } },
	{ MAD_CLASS_SUBN_ADM, 0x0016, { lid, block, random_table } },
	{ MAD_CLASS_SUBN_ADM, 0x0017, { lid, multicast_record, multicast_table } },
	{ MAD_CLASS_SUBN_ADM, 0x0018, { lid, sm_info } },
	{ MAD_CLASS_SUBN_ADM, 0x0020, { link_record } },
	{ MAD_CLASS_SUBN_ADM, 0x0030, { lid, guid_info_record, guid_info } },
	{ MAD_CLASS_SUBN_ADM, 0x0031, { service_record } },
	{ MAD_CLASS_SUBN_ADM, 0x0033, { lid, p_key_record } },
	{ MAD_CLASS_SUBN_ADM, 0x0035, { path_record } },
	{ MAD_CLASS_SUBN_ADM, 0x0036, { lid, vl_arbitration_record } },
	{ MAD_CLASS_SUBN_ADM, 0x0038, { mc_member_record } },
	{ MAD_CLASS_SUBN_ADM, 0x0039, { trace_record } },
	{ MAD_CLASS_SUBN_ADM, 0x003a, { multi_path_record } },
	{ MAD_CLASS_SUBN_ADM, 0x003b, { service_association_record } },
	{ MAD_CLASS_SUBN_ADM, 0x00f3, { inform_info_record, inform_info } },
	{ MAD_CLASS_PERF, 0x0001, { class_port_info } },
	{ MAD_CLASS_PERF, 0x0012, { port_counters } },
	{ MAD_CLASS_PERF, 0x001d, { port_counters_extended } },
	{ MAD_CLASS_CM, 0x0010, { connect_request } },
	{ MAD_CLASS_CM, 0x0012, { connect_reject } },
	{ MAD_CLASS_CM, 0x0013, { connect_reply } },
	{ MAD_CLASS_CM, 0x0014, { ready_to_use } },
	{ MAD_CLASS_CM, 0x0015, { disconnect_request } },
	{ MAD_CLASS_CM, 0x0016, { disconnect_reply } },
};

const struct wireshark_name *const *wireshark_names_of_attribute(uint8_t mgmt_class,
								 uint16_t attr_id)
{
	if (mgmt_class == MAD_CLASS_SUBN_DR)
		mgmt_class = MAD_CLASS_SUBN_LID;
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (attributes[i].mgmt_class == mgmt_class && attributes[i].attr_id == attr_id)
			return attributes[i].names;
	return NULL;
}

const struct wireshark_name *wireshark_names_of_header(const char *header)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if (strcmp(headers[i].header, header) == 0)
			return headers[i].names;
	return NULL;
}

const struct wireshark_name *wireshark_names_of_notices(void)
{
	return notice_details;
}
