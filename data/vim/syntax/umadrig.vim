" SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
" Vim syntax file of scenarios: umadrig-scenario(5).
" What stands between BEGIN TABLE and END TABLE is made by data/generate ('make tables').

if exists("b:current_syntax")
	finish
endif
let s:cpo = &cpo
set cpo&vim

syn case match
syn sync fromstart

syn match umadrigNumber "\<\%(0x\x\+\|\d\+\%(\.\d\+\)\=%\=\)"
syn match umadrigRole "\<\%(self\|peer\|sm\)\>"
syn match umadrigPacket "[<>]" contained
syn match umadrigArgument "\<\h\w*=\@="
" BEGIN TABLE vim
syn match umadrigDirective "^\s*\zs\%(tolerance\|scenario\|schedule\|topology\|include\|latency
	\\|profile\|timeout\|define\|ignore\|replay\|clock\|needs\|data\|each\|seed\|tags\|vary
	\\|on\)\>\%(\s*=\)\@!"
syn match umadrigVerb "\%(peer\s\+withholds\|peer\s\+answers\|peer\s\+listens\|peer\s\+sends
	\\|>\s\+nothing\|counter\|>\s\+same\|replay\|check\|fault\|power\|start\|link\|load\|note\|stop
	\\|wire\|end\|run\|do\|<\|>\)\%(\s
	\\|$\)\@=" contained nextgroup=umadrigFault,umadrigCommand,umadrigPacket skipwhite
syn match umadrigWord "\<\%(unmatched\|ignoring\|modifier\|nothing\|overrun\|partial\|rewrite
	\\|virtual\|active\|answer\|mended\|packet\|status\|unread\|after\|block\|exact\|first\|flips
	\\|order\|speed\|state\|timed\|where\|bits\|cold\|down\|from\|guid\|last\|mask\|node\|path\|port
	\\|real\|rmpp\|skip\|with\|all\|and\|any\|ask\|lid\|mut\|off\|per\|sim\|tid\|try\|yes\|as\|at
	\\|by\|hw\|in\|no\|of\|or\|to\|up\)\>"
syn match umadrigNeed "\<\%(ib_umad\|program\|kernel\|module\|ports\|peer\|root\|wire\|sim\|hw
	\\|ib\)\>" contained
syn match umadrigProfile "\<\%(linux-5\.10\|linux-6\.12\|linux-6\.17\|linux-6\.1\|linux-7\.2\)\>"
syn match umadrigFault "\<\%(duplicate\|corrupt\|reorder\|delay\|drop\|lie\)\>" contained
syn match umadrigCommand "\c\<\%(capability\s\+clear\|node\s\+temperature\|fault\s\+duplicate
	\\|property\s\+remove\|schedule\s\+remove\|PerformanceSet\|capability\s\+set\|capture\s\+start
	\\|device\s\+remove\|fault\s\+corrupt\|fault\s\+reorder\|property\s\+list\|schedule\s\+list
	\\|capture\s\+stop\|device\s\+fatal\|fault\s\+remove\|link\s\+degrade\|link\s\+restore
	\\|property\s\+end\|fault\s\+delay\|load\s\+remove\|when\s\+remove\|fault\s\+drop\|fault\s\+list
	\\|link\s\+error\|fault\s\+add\|fault\s\+lie\|link\s\+down\|link\s\+flap\|load\s\+list
	\\|multicast\|sometimes\|vf\s\+policy\|when\s\+list\|Attached\|counters\|load\s\+add
	\\|node\s\+off\|topology\|vf\s\+count\|Baselid\|Verbose\|clients\|counter\|finally\|link\s\+up
	\\|node\s\+on\|vf\s\+list\|vf\s\+node\|vf\s\+port\|ReLink\|Unlink\|always\|report\|signal
	\\|sm\s\+off\|tables\|Clear\|Error\|Route\|Start\|after\|every\|never\|Dump\|Guid\|Help\|Link
	\\|Quit\|Wait\|heal\|json\|kill\|when\|sa\|X\)\>" contained
syn match umadrigCall "\<\%(umad_get_smi_gsi_pair_by_ca_name\|umad_common_mad_status_str
	\\|umad_sort_ca_device_list\|umad_get_ca_device_list\|umad_get_smi_gsi_pairs
	\\|umad_sa_mad_status_str\|umad_get_ca_portguids\|umad_mad_status_str\|umad_attribute_str
	\\|umad_get_cas_names\|umad_get_issm_path\|umad_open_smi_port\|umad_get_mad_addr
	\\|umad_register_oui\|umad_set_addr_net\|umad_set_grh_net\|umad_close_port\|umad_host_enter
	\\|umad_method_str\|umad_unregister\|umad_addr_dump\|umad_class_str\|umad_open_port
	\\|umad_register2\|umad_get_pkey\|umad_get_port\|umad_register\|umad_set_addr\|umad_set_pkey
	\\|port\.set_lid\|umad_get_mad\|umad_set_grh\|port\.remove\|umad_get_ca\|umad_get_fd
	\\|umad_status\|file\.close\|file\.ioctl\|file\.write\|issm\.close\|umad_alloc\|umad_debug
	\\|file\.open\|file\.poll\|file\.read\|issm\.open\|umad_done\|umad_dump\|umad_init\|umad_poll
	\\|umad_recv\|umad_send\|umad_size\)\s*(\@="
syn match umadrigField "\<\%(traffic_class\|base_version\|rmpp\.version\|attr_offset\|enforce_smi
	\\|return_path\|rmpp\.status\|umad\.length\|umad\.status\|bth\.ackreq\|bth\.migreq\|bth\.opcode
	\\|flow_label\|grh\.nxthdr\|grh\.paylen\|lrh\.pktlen\|mad\.status\|pkey_index\|rmpp\.flags
	\\|comp_mask\|gid_index\|grh\.ipver\|hop_limit\|path_bits\|bth\.tver\|lrh\.lver\|modifier
	\\|resptime\|specific\|tid\.high\|bth\.pad\|hop_cnt\|hop_ptr\|lrh\.lnh\|methods\|request
	\\|retries\|tid\.low\|timeout\|version\|bth\.se\|drdlid\|drslid\|fabric\|length\|method\|newwin
	\\|paylen\|prints\|status\|agent\|bytes\|class\|count\|errno\|flags\|level\|lines\|smkey\|attr
	\\|data\|dgid\|dlid\|file\|from\|host\|icrc\|mkey\|path\|pkey\|port\|qkey\|rmpp\|sgid\|size
	\\|slid\|umad\|vcrc\|dqp\|gid\|grh\|lid\|lmc\|mad\|max\|oui\|psn\|qpn\|seg\|sqp\|tid\|ca\|fd\|id
	\\|sl\|to\|vl\)\%(\[[^]]*\]\)\=\%([=:]\|\s*\%([<>]\|[=!]=\)\)\@="
syn match umadrigField "\<\%(infiniband\.smpdirected\.initialpath
	\\|infiniband\.smpdirected\.hoppointer\|infiniband\.smpdirected\.returnpath
	\\|infiniband\.mad\.attributemodifier\|infiniband\.smpdirected\.hopcount
	\\|infiniband\.rmpp\.newwindowlast\|infiniband\.rmpp\.payloadlength
	\\|infiniband\.rmpp\.segmentnumber\|infiniband\.sa\.attributeoffset
	\\|infiniband\.smpdirected\.drdlid\|infiniband\.smpdirected\.drslid
	\\|infiniband\.mad\.classspecific\|infiniband\.mad\.transactionid\|infiniband\.mad\.classversion
	\\|infiniband\.rmpp\.rmppversion\|infiniband\.sa\.componentmask\|infiniband\.smpdirected\.mkey
	\\|infiniband\.mad\.attributeid\|infiniband\.mad\.baseversion\|infiniband\.rmpp\.rmppstatus
	\\|infiniband\.rmpp\.rmppflags\|infiniband\.rmpp\.rresptime\|infiniband\.grh\.flowlabel
	\\|infiniband\.invariant\.crc\|infiniband\.mad\.mgmtclass\|infiniband\.rmpp\.rmpptype
	\\|infiniband\.variant\.crc\|infiniband\.bth\.destqp\|infiniband\.bth\.opcode
	\\|infiniband\.bth\.padcnt\|infiniband\.deth\.q_key\|infiniband\.deth\.srcqp
	\\|infiniband\.grh\.hoplmt\|infiniband\.grh\.nxthdr\|infiniband\.grh\.paylen
	\\|infiniband\.grh\.tclass\|infiniband\.lrh\.pktlen\|infiniband\.mad\.method
	\\|infiniband\.mad\.status\|infiniband\.vendor\.oui\|infiniband\.bth\.p_key
	\\|infiniband\.grh\.ipver\|infiniband\.bth\.tver\|infiniband\.grh\.dgid\|infiniband\.grh\.sgid
	\\|infiniband\.lrh\.dlid\|infiniband\.lrh\.lver\|infiniband\.lrh\.slid\|infiniband\.sa\.smkey
	\\|infiniband\.bth\.psn\|infiniband\.lrh\.lnh\|infiniband\.bth\.se\|infiniband\.lrh\.sl
	\\|infiniband\.lrh\.vl\|infiniband\.bth\.a\|infiniband\.bth\.m\)\%([=:]\|\s*\%([<>]\|[=!]=\)\)\@="
syn match umadrigTime "\<\d\+\%(\.\d\+\)\=\%(ms\|ns\|us\|s\)\>"
syn match umadrigCall "\<\%(flipped\|pattern\|sealed\|hex\)\s*(\@="
syn keyword umadrigValue yes no right wrong Get Set Send Trap Report TrapRepress GetTable GetResp
	\ ReportResp GetTableResp DATA ACK STOP ABORT ACTIVE FIRST LAST REGISTER_AGENT UNREGISTER_AGENT
	\ ENABLE_PKEY REGISTER_AGENT2
syn keyword umadrigClass SUBN_DR SUBN_LID SUBN_ADM PERF BM DEV_MGT CM SNMP VENDOR2 VENDOR1 DEV_ADM
	\ BIS CONG_MGT APPLICATION
syn keyword umadrigErrno EPERM ENOENT EINTR EIO ENXIO EBADF EAGAIN ENOMEM EACCES EFAULT EBUSY EEXIST
	\ ENODEV EINVAL ENOTTY ENOSPC ESPIPE EPIPE EDEADLK ENAMETOOLONG ENODATA EPROTO EOPNOTSUPP
	\ EPROTONOSUPPORT ETIMEDOUT EHOSTUNREACH EMSGSIZE
syn keyword umadrigMethod SubnGet SubnSet SubnSend SubnTrap SubnReport SubnTrapRepress SubnGetResp
	\ SubnReportResp SubnAdmGet SubnAdmSet SubnAdmSend SubnAdmTrap SubnAdmReport SubnAdmTrapRepress
	\ SubnAdmGetResp SubnAdmReportResp SubnAdmGetTable SubnAdmGetTraceTable SubnAdmGetMulti
	\ SubnAdmDelete SubnAdmGetTableResp SubnAdmGetTraceTableResp SubnAdmGetMultiResp SubnAdmDeleteResp
	\ PerfGet PerfSet PerfSend PerfTrap PerfReport PerfTrapRepress PerfGetResp PerfReportResp BMGet
	\ BMSet BMSend BMTrap BMReport BMTrapRepress BMGetResp BMReportResp DevMgtGet DevMgtSet DevMgtSend
	\ DevMgtTrap DevMgtReport DevMgtTrapRepress DevMgtGetResp DevMgtReportResp DevMgtGetTable
	\ DevMgtGetTraceTable DevMgtGetMulti DevMgtDelete DevMgtGetTableResp DevMgtGetTraceTableResp
	\ DevMgtGetMultiResp DevMgtDeleteResp ComMgtGet ComMgtSet ComMgtSend ComMgtTrap ComMgtReport
	\ ComMgtTrapRepress ComMgtGetResp ComMgtReportResp SNMPGet SNMPSet SNMPSend SNMPTrap SNMPReport
	\ SNMPTrapRepress SNMPGetResp SNMPReportResp VendGet VendSet VendSend VendTrap VendReport
	\ VendTrapRepress VendGetResp VendReportResp VendGetTable VendGetTraceTable VendGetMulti VendDelete
	\ VendGetTableResp VendGetTraceTableResp VendGetMultiResp VendDeleteResp DevAdmGet DevAdmSet
	\ DevAdmSend DevAdmTrap DevAdmReport DevAdmTrapRepress DevAdmGetResp DevAdmReportResp
	\ DevAdmGetTable DevAdmGetTraceTable DevAdmGetMulti DevAdmDelete DevAdmGetTableResp
	\ DevAdmGetTraceTableResp DevAdmGetMultiResp DevAdmDeleteResp BISGet BISSet BISSend BISTrap
	\ BISReport BISTrapRepress BISGetResp BISReportResp BISGetTable BISGetTraceTable BISGetMulti
	\ BISDelete BISGetTableResp BISGetTraceTableResp BISGetMultiResp BISDeleteResp CCGet CCSet CCSend
	\ CCTrap CCReport CCTrapRepress CCGetResp CCReportResp ApplGet ApplSet ApplSend ApplTrap ApplReport
	\ ApplTrapRepress ApplGetResp ApplReportResp
syn keyword umadrigAttribute Notice NodeDescription NodeInfo SwitchInfo GUIDInfo PortInfo P_KeyTable
	\ SLtoVLMappingTable VLArbitrationTable LinearForwardingTable RandomForwardingTable
	\ MulticastForwardingTable LinkSpeedWidthPairsTable VendorSpecificMadsTable HierarchyInfo SMInfo
	\ VendorDiag LedInfo PortInfoExtended MlnxGeneralInfo MlnxConfigSpaceAccess MlnxAccessRegister
	\ MlnxExtPortInfo MlnxExtendedNodeInfo VirtualizationInfo VPortInfo VNodeInfo VPortState
	\ VNodeDescription VPortGUIDInfo VPortP_KeyTable ClassPortInfo InformInfo NodeRecord PortInfoRecord
	\ SLtoVLMappingTableRecord SwitchInfoRecord LinearForwardingTableRecord RandomForwardingTableRecord
	\ MulticastForwardingTableRecord SMInfoRecord LinkRecord GuidInfoRecord ServiceRecord
	\ P_KeyTableRecord PathRecord VLArbitrationTableRecord MCMemberRecord TraceRecord MultiPathRecord
	\ ServiceAssociationRecord InformInfoRecord PortSamplesControl PortSamplesResult PortCounters
	\ PortRcvErrorDetails PortXmitDiscardDetails PortOpRcvCounters PortFlowCtlCounters PortVLOpPackets
	\ PortVLOpData PortVLXmitFlowCtlUpdateErrors PortVLXmitWaitCounters PortCountersExtended
	\ PortSamplesResultExtended PortExtendedSpeedsCounters SwPortVLCongestion PortRcvConCtrl
	\ PortSLRcvFECN PortSLRcvBECN PortXmitConCtrl PortVLXmitTimeCong PortXmitDataSL PortRcvDataSL
	\ BKeyInfo WriteVPD ReadVPD ResetIBML SetModulePMControl GetModulePMControl SetUnitPMControl
	\ GetUnitPMControl SetIOCPMControl GetIOCPMControl SetModuleState SetModuleAttention
	\ GetModuleStatus IB2IBML IB2CME IB2MME OEM IOUnitInfo IOControllerProfile ServiceEntries
	\ DiagnosticTimeout PrepareToTest TestDeviceOnce TestDeviceLoop DiagCode ConnectRequest MsgRcptAck
	\ ConnectReject ConnectReply ReadyToUse DisconnectRequest DisconnectReply ServiceIDResReq
	\ ServiceIDResReqResp LoadAlternatePath AlternatePathResponse SuggestAlternatePath
	\ SuggestPathResponse CommunityInfo PDUInfo CongestionInfo CongestionKeyInfo CongestionLog
	\ SwitchCongestionSetting SwitchPortCongestionSetting CACongestionSetting CongestionControlTable
	\ TimeStamp
syn keyword umadrigAttributeField NoticeIsGeneric NoticeType NoticeProducerType NoticeTrapNumber
	\ NoticeIssuerLID NoticeToggle NoticeCount NoticeDataDetails NodeDesc BaseVers ClassVers NodeType
	\ NumPorts SystemGuid Guid PortGuid PartCap DevId Revision LocalPort VendorId LinearFdbCap
	\ RandomFdbCap McastFdbCap LinearFdbTop DefPort DefMcastPrimPort DefMcastNotPrimPort LifeTime
	\ StateChange OptSLtoVLMapping LidsPerPort PartEnforceCap InboundPartEnf OutboundPartEnf
	\ FilterRawInbound FilterRawOutbound EnhancedPort0 MulticastFDBTop GUID0 GUID1 GUID2 GUID3 GUID4
	\ GUID5 GUID6 GUID7 Mkey GidPrefix Lid SMLid CapMask MkeyLeasePeriod LinkWidthEnabled
	\ LinkWidthSupported LinkWidthActive LinkSpeedSupported LinkState PhysLinkState LinkDownDefState
	\ ProtectBits LMC LinkSpeedActive LinkSpeedEnabled NeighborMTU SMSL VLCap InitType VLHighLimit
	\ VLArbHighCap VLArbLowCap InitReply MtuCap VLStallCount HoqLife OperVLs PartEnforceInb
	\ PartEnforceOutb FilterRawInb FilterRawOutb MkeyViolations PkeyViolations QkeyViolations GuidCap
	\ ClientReregister McastPkeyTrapSuppressionEnabled SubnetTimeout RespTimeVal LocalPhysErr
	\ OverrunErr MaxCreditHint LinkSpeedExtActive2 LinkSpeedExtSupported2 LinkSpeedExtEnabled2
	\ RoundTrip CapabilityMask2 LinkSpeedExtActive LinkSpeedExtSupported LinkSpeedExtEnabled P_Key0
	\ P_Key1 P_Key2 P_Key3 P_Key4 P_Key5 P_Key6 P_Key7 P_Key8 P_Key9 P_Key10 P_Key11 P_Key12 P_Key13
	\ P_Key14 P_Key15 P_Key16 P_Key17 P_Key18 P_Key19 P_Key20 P_Key21 P_Key22 P_Key23 P_Key24 P_Key25
	\ P_Key26 P_Key27 P_Key28 P_Key29 P_Key30 P_Key31 VLforSL0 VLforSL1 VLforSL2 VLforSL3 VLforSL4
	\ VLforSL5 VLforSL6 VLforSL7 VLforSL8 VLforSL9 VLforSL10 VLforSL11 VLforSL12 VLforSL13 VLforSL14
	\ VLforSL15 VL0 Weight0 VL1 Weight1 VL2 Weight2 VL3 Weight3 VL4 Weight4 VL5 Weight5 VL6 Weight6 VL7
	\ Weight7 VL8 Weight8 VL9 Weight9 VL10 Weight10 VL11 Weight11 VL12 Weight12 VL13 Weight13 VL14
	\ Weight14 VL15 Weight15 VL16 Weight16 VL17 Weight17 VL18 Weight18 VL19 Weight19 VL20 Weight20 VL21
	\ Weight21 VL22 Weight22 VL23 Weight23 VL24 Weight24 VL25 Weight25 VL26 Weight26 VL27 Weight27 VL28
	\ Weight28 VL29 Weight29 VL30 Weight30 VL31 Weight31 LinearForwTbl RandomForwTbl MulticastForwTbl
	\ TemplateGUID MaxSupportedIndex MaxActiveIndex ActiveLevels Level0Data Level1Data Level2Data
	\ Level3Data Level4Data Level5Data Level6Data Level7Data Level8Data Level9Data Level10Data
	\ Level11Data Level12Data SmInfoGuid SmInfoKey SmActivity SmPriority SmState NextIndex DiagData
	\ LedMask FECModeActive FDRFECModeSupported FDRFECModeEnabled EDRFECModeSupported EDRFECModeEnabled
	\ HDRFECModeSupported HDRFECModeEnabled NDRFECModeSupported NDRFECModeEnabled StateChangeEnable
	\ NumOOB NumPCIe SLVLAct SLVLCap AnycastLIDTop AnycastLIDCap NodeTypeExtended NodeEnableBits
	\ AsicMaxPlanes VPortCap VPortIndexTop VirtualizationEnable VClientReregister VPortStateChange
	\ VirtualizationRevision VPortClientReregister LidRequired VPortLid LidByVPortIndex VPortGuid
	\ VPortProfile VPartitionCap VLocalPort VNumPorts VNodeGuid VPortStates BaseVersion ClassVersion
	\ CapabilityMask RedirectGID RedirectTC RedirectSL RedirectFL RedirectLID RedirectPKey RedirectQP
	\ RedirectQKey TrapGID TrapTC TrapSL TrapFL TrapLID TrapPKey TrapHL TrapQP TrapQKey NoticeIssuerGID
	\ GID LIDRangeBegin LIDRangeEnd IsGeneric Subscribe Type TrapNumber QPN RespTimeValue ProducerType
	\ EndportLID PortNum Options LID InputPortNum OutputPortNum BlockNum Position FromLID FromPort
	\ ToPort ToLID Guid0 Guid1 Guid2 Guid3 Guid4 Guid5 Guid6 Guid7 ServiceID ServiceGID ServiceP_Key
	\ ServiceLease ServiceKey ServiceName ServiceData P_Keys DGID SGID DLID SLID RawTraffic FlowLabel
	\ HopLimit TClass Reversible NumbPath P_Key QosClass SL MTUSelector MTU RateSelector Rate
	\ PacketLifeTimeSelector PacketLifeTime Preference VLArbTbl MGID PortGID Q_Key MLID Scope JoinState
	\ ProxyJoin GIDPrefix IDGeneration NodeID ChassisID EntryPortID ExitPortID EntryPort ExitPort
	\ ServiceIDHigh IndependenceSelector SGIDCount DGIDCount ServiceIDLow GID0 GID1 GID2 GID3 GID4 GID5
	\ GID6 GID7 GID8 GID9 GID10 SubscriberGID Enum OpCode PortSelect Tick CounterWidth CounterMask0
	\ CounterMasks1to9 CounterMasks10to14 SampleMechanisms SampleStatus OptionMask VendorMask
	\ SampleStart SampleInterval Tag CounterSelect0 CounterSelect1 CounterSelect2 CounterSelect3
	\ CounterSelect4 CounterSelect5 CounterSelect6 CounterSelect7 CounterSelect8 CounterSelect9
	\ CounterSelect10 CounterSelect11 CounterSelect12 CounterSelect13 CounterSelect14
	\ SamplesOnlyOptionMask Counter0 Counter1 Counter2 Counter3 Counter4 Counter5 Counter6 Counter7
	\ Counter8 Counter9 Counter10 Counter11 Counter12 Counter13 Counter14 CounterSelect
	\ SymbolErrorCounter LinkErrorRecoveryCounter LinkDownedCounter PortRcvErrors
	\ PortRcvRemotePhysicalErrors PortRcvSwitchRelayErrors PortXmitDiscards PortXmitConstraintErrors
	\ PortRcvConstraintErrors LocalLinkIntegrityErrors ExcessiveBufferOverrunErrors QP1Dropped
	\ VL15Dropped PortXmitData PortRcvData PortXmitPkts PortRcvPkts PortXmitWait
	\ PortLocalPhysicalErrors PortMalformedPktErrors PortBufferOverrunErrors PortDLIDMappingErrors
	\ PortVLMappingErrors PortLoopingErrors PortInactiveDiscards PortNeighborMTUDiscards
	\ PortSwLifetimeLimitDiscards PortSwHOQLifetimeLimitDiscards PortOpRcvPkts PortOpRcvData
	\ PortXmitFlowPkts PortRcvFlowPkts PortVLOpPackets0 PortVLOpPackets1 PortVLOpPackets2
	\ PortVLOpPackets3 PortVLOpPackets4 PortVLOpPackets5 PortVLOpPackets6 PortVLOpPackets7
	\ PortVLOpPackets8 PortVLOpPackets9 PortVLOpPackets10 PortVLOpPackets11 PortVLOpPackets12
	\ PortVLOpPackets13 PortVLOpPackets14 PortVLOpPackets15 PortVLOpData0 PortVLOpData1 PortVLOpData2
	\ PortVLOpData3 PortVLOpData4 PortVLOpData5 PortVLOpData6 PortVLOpData7 PortVLOpData8 PortVLOpData9
	\ PortVLOpData10 PortVLOpData11 PortVLOpData12 PortVLOpData13 PortVLOpData14 PortVLOpData15
	\ PortVLXmitFlowCtlUpdateErrors0 PortVLXmitFlowCtlUpdateErrors1 PortVLXmitFlowCtlUpdateErrors2
	\ PortVLXmitFlowCtlUpdateErrors3 PortVLXmitFlowCtlUpdateErrors4 PortVLXmitFlowCtlUpdateErrors5
	\ PortVLXmitFlowCtlUpdateErrors6 PortVLXmitFlowCtlUpdateErrors7 PortVLXmitFlowCtlUpdateErrors8
	\ PortVLXmitFlowCtlUpdateErrors9 PortVLXmitFlowCtlUpdateErrors10 PortVLXmitFlowCtlUpdateErrors11
	\ PortVLXmitFlowCtlUpdateErrors12 PortVLXmitFlowCtlUpdateErrors13 PortVLXmitFlowCtlUpdateErrors14
	\ PortVLXmitFlowCtlUpdateErrors15 PortVLXmitWait0 PortVLXmitWait1 PortVLXmitWait2 PortVLXmitWait3
	\ PortVLXmitWait4 PortVLXmitWait5 PortVLXmitWait6 PortVLXmitWait7 PortVLXmitWait8 PortVLXmitWait9
	\ PortVLXmitWait10 PortVLXmitWait11 PortVLXmitWait12 PortVLXmitWait13 PortVLXmitWait14
	\ PortVLXmitWait15 PortUnicastXmitPkts PortUnicastRcvPkts PortMulticastXmitPkts
	\ PortMulticastRcvPkts ExtendedWidth SyncHeaderErrorCounter UnknownBlockCounter
	\ ErrorDetectionCounterLane0 ErrorDetectionCounterLane1 ErrorDetectionCounterLane2
	\ ErrorDetectionCounterLane3 ErrorDetectionCounterLane4 ErrorDetectionCounterLane5
	\ ErrorDetectionCounterLane6 ErrorDetectionCounterLane7 ErrorDetectionCounterLane8
	\ ErrorDetectionCounterLane9 ErrorDetectionCounterLane10 ErrorDetectionCounterLane11
	\ FECCorrectableBlockCtrLane0 FECCorrectableBlockCtrLane1 FECCorrectableBlockCtrLane2
	\ FECCorrectableBlockCtrLane3 FECCorrectableBlockCtrLane4 FECCorrectableBlockCtrLane5
	\ FECCorrectableBlockCtrLane6 FECCorrectableBlockCtrLane7 FECCorrectableBlockCtrLane8
	\ FECCorrectableBlockCtrLane9 FECCorrectableBlockCtrLane10 FECCorrectableBlockCtrLane11
	\ FECUncorrectableBlockCtrLane0 FECUncorrectableBlockCtrLane1 FECUncorrectableBlockCtrLane2
	\ FECUncorrectableBlockCtrLane3 FECUncorrectableBlockCtrLane4 FECUncorrectableBlockCtrLane5
	\ FECUncorrectableBlockCtrLane6 FECUncorrectableBlockCtrLane7 FECUncorrectableBlockCtrLane8
	\ FECUncorrectableBlockCtrLane9 FECUncorrectableBlockCtrLane10 FECUncorrectableBlockCtrLane11
	\ PortFECCorrectableBlockCtr PortFECUncorrectableBlockCtr PortFECCorrectedSymbolCtr
	\ SWPortVLCongestion0 SWPortVLCongestion1 SWPortVLCongestion2 SWPortVLCongestion3
	\ SWPortVLCongestion4 SWPortVLCongestion5 SWPortVLCongestion6 SWPortVLCongestion7
	\ SWPortVLCongestion8 SWPortVLCongestion9 SWPortVLCongestion10 SWPortVLCongestion11
	\ SWPortVLCongestion12 SWPortVLCongestion13 SWPortVLCongestion14 SWPortVLCongestion15
	\ PortPktRcvFECN PortPktRcvBECN PortSLRcvFECN0 PortSLRcvFECN1 PortSLRcvFECN2 PortSLRcvFECN3
	\ PortSLRcvFECN4 PortSLRcvFECN5 PortSLRcvFECN6 PortSLRcvFECN7 PortSLRcvFECN8 PortSLRcvFECN9
	\ PortSLRcvFECN10 PortSLRcvFECN11 PortSLRcvFECN12 PortSLRcvFECN13 PortSLRcvFECN14 PortSLRcvFECN15
	\ PortSLRcvBECN0 PortSLRcvBECN1 PortSLRcvBECN2 PortSLRcvBECN3 PortSLRcvBECN4 PortSLRcvBECN5
	\ PortSLRcvBECN6 PortSLRcvBECN7 PortSLRcvBECN8 PortSLRcvBECN9 PortSLRcvBECN10 PortSLRcvBECN11
	\ PortSLRcvBECN12 PortSLRcvBECN13 PortSLRcvBECN14 PortSLRcvBECN15 PortXmitTimeCong
	\ PortVLXmitTimeCong0 PortVLXmitTimeCong1 PortVLXmitTimeCong2 PortVLXmitTimeCong3
	\ PortVLXmitTimeCong4 PortVLXmitTimeCong5 PortVLXmitTimeCong6 PortVLXmitTimeCong7
	\ PortVLXmitTimeCong8 PortVLXmitTimeCong9 PortVLXmitTimeCong10 PortVLXmitTimeCong11
	\ PortVLXmitTimeCong12 PortVLXmitTimeCong13 PortVLXmitTimeCong14 XmtDataSL0 XmtDataSL1 XmtDataSL2
	\ XmtDataSL3 XmtDataSL4 XmtDataSL5 XmtDataSL6 XmtDataSL7 XmtDataSL8 XmtDataSL9 XmtDataSL10
	\ XmtDataSL11 XmtDataSL12 XmtDataSL13 XmtDataSL14 XmtDataSL15 RcvDataSL0 RcvDataSL1 RcvDataSL2
	\ RcvDataSL3 RcvDataSL4 RcvDataSL5 RcvDataSL6 RcvDataSL7 RcvDataSL8 RcvDataSL9 RcvDataSL10
	\ RcvDataSL11 RcvDataSL12 RcvDataSL13 RcvDataSL14 RcvDataSL15 ChangeID MaxControllers DiagDeviceID
	\ OptionROM ControllerList IOControllerGUID VendorID DeviceID DeviceVersion SubsystemVendorID
	\ SubsystemID IOClass IOSubclass Protocol ProtocolVersion SendMessageQueueDepth RDMAReadQueueDepth
	\ SendMessageSize RDMATransferSize ControllerOperationsMask IDString ServiceName0 ServiceID0
	\ ServiceName1 ServiceID1 ServiceName2 ServiceID2 ServiceName3 ServiceID3 LocalCommunicationID
	\ LocalCAGUID LocalQ_Key LocalQPN ResponderResources LocalEECN InitiatorDepth RemoteEECN
	\ RemoteCMResponseTimeout TransportServiceType EndToEndFlowControl StartingPSN
	\ LocalCMResponseTimeout RetryCount PathPacketPayloadMTU RDCExists RNRRetryCount MaxCMRetries SRQ
	\ ExtendedTransportType PrimaryLocalPortLID PrimaryRemotePortLID PrimaryLocalPortGID
	\ PrimaryRemotePortGID PrimaryFlowLabel PrimaryPacketRate PrimaryTrafficClass PrimaryHopLimit
	\ PrimarySL PrimarySubnetLocal PrimaryLocalACKTimeout AlternateLocalPortLID AlternateRemotePortLID
	\ AlternateLocalPortGID AlternateRemotePortGID AlternateFlowLabel AlternatePacketRate
	\ AlternateTrafficClass AlternateHopLimit AlternateSL AlternateSubnetLocal AlternateLocalACKTimeout
	\ PrivateData RemoteCommunicationID MessageMRAed ServiceTimeout MessageREJected RejectInfoLength
	\ Reason AdditionalRejectInfo TargetACKDelay FailoverAccepted RemoteQPN RequestID Status
	\ AdditionalInfoLength AdditionalInfo APStatus ControlTableCap CC_Key CC_KeyProtectBit
	\ CC_KeyLeasePeriod CC_KeyViolations Control_Map Victim_Mask Credit_Mask Threshold Packet_Size
	\ CS_Threshold CS_ReturnDelay Marking_Rate Port_Control CCTI_Limit Timestamp
" END TABLE
syn match umadrigEvent "^\s*[+*$0-9]\S*\s\@=" contains=umadrigTime,umadrigNumber,umadrigUse
	\ nextgroup=umadrigVerb skipwhite
syn match umadrigNeeds "^\s*needs\>.*$" contains=umadrigDirective,umadrigNeed,umadrigNumber,umadrigComment
syn match umadrigUse "[$?]\h\w*"
syn match umadrigEscape "\\\%([\"\\n]\|x\x\x\)" contained
syn match umadrigComment "#.*$" contains=@Spell
syn region umadrigString start=+"+ skip=+\\\\\|\\"+ end=+"+ oneline contains=umadrigEscape

hi def link umadrigDirective PreProc
hi def link umadrigEvent Label
hi def link umadrigTime Number
hi def link umadrigVerb Statement
hi def link umadrigPacket Statement
hi def link umadrigWord Keyword
hi def link umadrigNeed Constant
hi def link umadrigProfile Constant
hi def link umadrigFault Special
hi def link umadrigCommand Special
hi def link umadrigCall Function
hi def link umadrigArgument Identifier
hi def link umadrigField Identifier
hi def link umadrigValue Constant
hi def link umadrigErrno Constant
hi def link umadrigClass Constant
hi def link umadrigRole Constant
hi def link umadrigMethod Type
hi def link umadrigAttribute Type
hi def link umadrigAttributeField Identifier
hi def link umadrigNumber Number
hi def link umadrigUse Identifier
hi def link umadrigEscape SpecialChar
hi def link umadrigComment Comment
hi def link umadrigString String

let b:current_syntax = "umadrig"
let &cpo = s:cpo
unlet s:cpo
