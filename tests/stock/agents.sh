#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-agents: the distribution's programs that use agents on QP1 other than counters, and each
# other: ibccquery, ibccconfig, vendstat, ibping, ibsysstat; and ibportstate, which asks a port's
# peer, and smpquery -c, both by combined routes.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibccquery ibccconfig vendstat ibping ibsysstat ibportstate smpquery ibroute

# "leaf 1" is LID 2; node1 is at its port 3 (LID 4), node2 at its port 4 (LID 8).
net=$data/tree.topo

# ---- congestion control ----

cat >"$work/ask" <<EOT
cd "$work"
for node in 2 8; do
	for op in ClassPortInfo CongestionInfo CongestionKeyInfo CongestionLog Timestamp; do
		ibccquery \$op \$node >\$op-\$node || echo "\$op \$node: \$?"
	done
done
ibccquery SwitchCongestionSetting 8 >/dev/null 2>&1 && echo "a CA has SwitchCongestionSetting"
ibccquery CACongestionSetting 2 >/dev/null 2>&1 && echo "a switch has CACongestionSetting"
ibccconfig SwitchCongestionSetting 2 0x1F 0x1FE 0x2 0xF 8 3 1:5 7 || echo "SS"
ibccquery SwitchCongestionSetting 2 >SS
ibccconfig SwitchPortCongestionSetting 2 5 1 0 9 16 1000 || echo "SP"
ibccquery SwitchPortCongestionSetting 2 5 >SP
ibccquery SwitchPortCongestionSetting 2 >SPs
ibccconfig CACongestionSetting 8 0 0x3 150 1 2 3 || echo "CS 3"
ibccconfig CACongestionSetting 8 0 0x4 200 4 5 6 || echo "CS 4"
ibccquery CACongestionSetting 8 >CS
ibccconfig CongestionControlTable 8 63 0 0:1 1:2 2:3 $(yes 0:0 | head -n 61 | tr '\n' ' ') || echo "CT 0"
ibccconfig CongestionControlTable 8 66 1 3:4 3:5 3:6 || echo "CT 1"
ibccquery CongestionControlTable 8 >CT
ibccconfig CongestionKeyInfo 8 0xabcd 1 0 0 || echo "CK"
ibccquery -c 0xabcd CongestionKeyInfo 8 >CK
ibccquery CongestionKeyInfo 8 >CK-hidden
ibccconfig -t 20 -c 1 CongestionKeyInfo 8 0 0 0 0 >/dev/null 2>&1 && echo "a wrong key sets"
ibccquery -c 0xabcd CongestionKeyInfo 8 >CK-after
EOT
stock node1 "$net" sh "$work/ask" >"$work/out" 2>"$work/err"
tap_is "ibccquery and ibccconfig succeed, or fail as expected" "$(cat "$work/out")" ""
has_lines "ibccquery ClassPortInfo" "$work/ClassPortInfo-2" "ClassVersion:....................2"
has_lines "ibccquery CongestionInfo" "$work/CongestionInfo-8" "ControlTableCap:.................2"
has_lines "ibccquery CongestionLog of a switch" "$work/CongestionLog-2" \
	"LogType:.........................1"
has_lines "ibccquery CongestionLog of a CA" "$work/CongestionLog-8" \
	"LogType:.........................2"
has_lines "ibccconfig, ibccquery SwitchCongestionSetting" "$work/SS" \
	"Control_Map:.....................0x0000001f" \
	"Victim_Mask:.....................00000000000000000000000000000000000000000000000000000000000001fe" \
	"Threshold:.......................0x0f" "Packet_Size:.....................8" \
	"CS_Threshold:....................0x03" "CS_ReturnDelay:..................0x4005" \
	"Marking_Rate:....................7"
has_lines "ibccconfig, ibccquery SwitchPortCongestionSetting" "$work/SP" \
	"Valid:...........................1" "Threshold:.......................0x09" \
	"Packet_Size:.....................16" "Cong_Parm_Marking_Rate:..........1000"
has_lines "and of all ports" "$work/SPs" "Port:............................4" \
	"Valid:...........................0" "Port:............................5" \
	"Valid:...........................1" "Port:............................8"
has_lines "ibccconfig, ibccquery CACongestionSetting: two calls, SLs apart" "$work/CS" \
	"SL:..............................1" "CCTI_Timer:......................150" \
	"CCTI_Min:........................3" "SL:..............................2" \
	"CCTI_Timer:......................200" "SL:..............................3" \
	"CCTI_Timer:......................0"
has_lines "ibccconfig, ibccquery CongestionControlTable: both blocks" "$work/CT" \
	"CCTI_Limit:......................66" "Entry:...........................1" \
	"CCT_Shift:.......................1" "CCT_Multiplier:..................2" \
	"Entry:...........................64" "CCT_Shift:.......................3" \
	"CCT_Multiplier:..................4" "Entry:...........................66"
has_lines "ibccconfig, ibccquery CongestionKeyInfo" "$work/CK" \
	"CC_Key:..........................0x000000000000abcd"
has_lines "who does not know the key is not told it" "$work/CK-hidden" \
	"CC_Key:..........................0x0000000000000000" "CC_KeyProtectBit:................1"
has_lines "and may not set it" "$work/CK-after" \
	"CC_Key:..........................0x000000000000abcd"
tap_ok "each try is counted" expr "$(sed -n 's/^CC_KeyViolations:\.*//p' "$work/CK-after")" : \
	'[123]$'

# ---- vendstat ----

cat >"$work/ask" <<EOT
cd "$work"
vendstat -N 8 >node2
vendstat -N 2 >leaf
vendstat -w 2 >wait 2>&1
vendstat -i 2 3 >groups 2>&1
for options in "-c 0,1" "-R 0xf0014,ff" "-W 0xf0014,1,ff"; do
	vendstat \$options 2 >refused 2>&1		# its exit status is meaningless
	grep -q " attribute [0-9]* failure" refused || cat refused
done
EOT
stock node1 "$net" sh "$work/ask" >"$work/out" 2>"$work/err"
has_lines "vendstat -N of an adapter" "$work/node2" "hw_dev_id:   0x101b" "fw_psid:     'umadrig'"
has_lines "vendstat -N of a switch" "$work/leaf" "hw_dev_id:   0xd2f0"
tap_has "vendstat -w knows InfiniScale III only" "$(cat "$work/wait")" \
	"Unsupported device ID 0xd2f0"
tap_is "vendstat -c, -R, -W are refused" "$(cat "$work/out")" ""
tap_has "vendstat -i: there are no counter groups" "$(cat "$work/groups")" "attribute 144 failure"
sed 's/vendid=0x2c9/vendid=0x66a/' "$net" >"$work/others.topo"
stock node1 "$work/others.topo" vendstat -N 8 >"$work/out" 2>&1
tap_has "vendstat -N of another vendor's adapter is refused" "$(cat "$work/out")" \
	"attribute 1 failure"

# ---- programs that answer ----

# COMMAND...: repeats it until it succeeds, at most ten times as long as servers need to start.
cat >"$work/until" <<'EOT'
tries=0
until "$@" >/dev/null 2>&1; do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || exit 1
done
EOT
cat >"$work/ask" <<EOT
cd "$work"
UMADRIG_HOST=node2 ibping -S 2>/dev/null & server=\$!
UMADRIG_HOST=node2 ibsysstat -S 2>/dev/null & system=\$!
sh until ibsysstat -t 100 8
until ibping -c 1 -t 100 8 2>/dev/null | grep -q ' 0% packet loss'; do :; done
ibping -c 20 -f 8 >ping
ibping -c 3 -f -G 0x101000c0021 >ping-guid 2>&1
ibsysstat 8 >sysstat
ibsysstat 8 host >sysstat-host
ibsysstat 8 cpu >sysstat-cpu
ibping -c 1 -t 20 3 >ping-nobody
kill \$server \$system
EOT
stock node1 "$net" timeout -k 5 30 sh "$work/ask" >"$work/out" 2>"$work/err"
tap_has "ibping -S on one node answers ibping on another" "$(cat "$work/ping")" \
	"20 packets transmitted, 20 received, 0% packet loss"
tap_has "a switch, where nothing serves, does not" "$(cat "$work/ping-nobody")" "100% packet loss"
tap_has "ibsysstat: a ping" "$(cat "$work/sysstat")" "sysstat ping succeeded"
tap_has "ibsysstat host" "$(cat "$work/sysstat-host")" "$(uname -n)"
tap_has "ibsysstat cpu" "$(cat "$work/sysstat-cpu")" "MHZ"

# ---- by combined routes ----

cat >"$work/ask" <<EOT
cd "$work"
ibportstate 2 4 query >portstate
ibportstate 2 4 disable >disable
smpquery portinfo 2 4 >disabled
perfquery 2 4 >downed
ibportstate 2 4 enable >enable
smpquery -c nodedesc 2 0,1 >combined
smpquery -c portinfo 2 0,7 6 >combined-port
ibroute 2 >route
ibroute -M 2 >route-multicast
EOT
stock node1 "$net" sh "$work/ask" >"$work/out" 2>"$work/err"
has_lines "ibportstate asks the port and its peer" "$work/portstate" "Switch PortInfo:" \
	"LinkState:.......................Active" "Peer PortInfo:" \
	"Lid:.............................8" "LinkWidthActive:.................2X"
has_lines "ibportstate disable" "$work/disabled" "LinkState:.......................Down" \
	"PhysLinkState:...................Disabled"
has_lines "the link that it took down is counted" "$work/downed" \
	"LinkDownedCounter:...............1"
tap_has "ibportstate enable" "$(cat "$work/enable")" "PhysLinkState:...................Polling"
has_lines "smpquery -c nodedesc" "$work/combined" \
	"Node Description:..................spine # 1;core"
has_lines "smpquery -c portinfo" "$work/combined-port" "LocalPort:.......................6"
tap_is "ibroute: a way to every LID" "$("$AWK" '/^0x/ { print $1 }' "$work/route" | tr '\n' ';')" \
"0x0001;0x0002;0x0003;0x0004;0x0005;0x0006;0x0007;0x0008;0x0009;0x000a;0x000b;0x000d;0x000e;"
tap_has "ibroute -M: no group yet" "$(cat "$work/route-multicast")" "0 valid mlids dumped"
tap_done
