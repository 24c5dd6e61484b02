#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-qp1: vendstat, ibccquery, ibccconfig and ibsysstat of the distribution, unmodified, with
# each operation: what a node is told it says, and what it has not is refused.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs vendstat ibccquery ibccconfig ibsysstat
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch vendstat ibccquery ibccconfig ibsysstat

fabric_serve generate:fat-tree:4,4
on "" "$walker" -R NR 2>/dev/null >"$work/nodes"
switch=$(sed -n 's/^NR \([0-9]*\) .* leaf-0$/\1/p' "$work/nodes")
host=$(sed -n 's/^NR \([0-9]*\) .* host-1 .*/\1/p' "$work/nodes")

# NAME "Field=value ..." PROGRAM ARGUMENT...: it prints these fields.
says() {
	says_name=$1 says_fields=$2
	shift 2
	on "" "$@" >"$work/out" 2>"$work/err"
	shows "$says_name" "$work/out" "$says_fields"
}
# NAME TEXT PROGRAM ARGUMENT...: it says so, on either output.
refuses() {
	refuses_name=$1 refuses_text=$2
	shift 2
	on "" "$@" >"$work/out" 2>&1
	tap_has "$refuses_name" "$(cat "$work/out")" "$refuses_text"
}

# ---- congestion control ----

while read -r operation of fields; do
	case $of in
	switch) lids=$switch ;;
	host) lids=$host ;;
	*) lids="$switch $host" ;;
	esac
	for lid in $lids; do
		says "ibccquery $operation, LID $lid: nothing is congested" "$fields" \
			ibccquery "$operation" "$lid" </dev/null
	done
done <<'END'
ClassPortInfo both BaseVersion=1 ClassVersion=2
CongestionInfo switch CongestionInfo=0x0000 ControlTableCap=0
CongestionInfo host CongestionInfo=0x0000 ControlTableCap=2
CongestionKeyInfo both CC_Key=0x0000000000000000 CC_KeyProtectBit=0 CC_KeyViolations=0
CongestionLog switch CongestionFlags=0x00 LogEventsCounter=0
CongestionLog host CongestionFlags=0x00 ThresholdEventCounter=0
SwitchCongestionSetting switch Control_Map=0x00000000 Threshold=0x00
SwitchPortCongestionSetting switch Valid=0 Threshold=0x00
CACongestionSetting host Port_Control=0x0000 Control_Map=0x0000
CongestionControlTable host CCTI_Limit=0
END
on "" ibccquery Timestamp "$switch" >"$work/first" 2>&1
on "" ibccquery Timestamp "$switch" >"$work/second" 2>&1
tap_ok "ibccquery Timestamp: time goes on" test "$(sed -n 's/^Timestamp:\.*//p' "$work/first")" \
	-lt "$(sed -n 's/^Timestamp:\.*//p' "$work/second")"

# OPERATION... LID ARGUMENT...: with the key, if there is one.
key=0
set_to() {
	tap_ok "ibccconfig $*" on "" ibccconfig -c $key "$@"
}
set_to CongestionKeyInfo "$switch" 7 1 10 3
says "ibccconfig, and nobody sees the key without it" \
	"CC_Key=0x0000000000000000 CC_KeyProtectBit=1 CC_KeyLeasePeriod=10" \
	ibccquery CongestionKeyInfo "$switch"
says "ibccquery -c: with the key it is seen" "CC_Key=0x0000000000000007" \
	ibccquery -c 7 CongestionKeyInfo "$switch"
refuses "ibccconfig without the key is refused" "config failed" \
	ibccconfig SwitchCongestionSetting "$switch" 0x1F 0x1F 0x0 0xF 8 0 0:0 1
key=7
set_to SwitchCongestionSetting "$switch" 0x1F 0x1F 0x0 0xF 8 0 0:0 1
says "ibccconfig, and it is there" "Control_Map=0x0000001f Threshold=0x0f Packet_Size=8 Marking_Rate=1" \
	ibccquery -c 7 SwitchCongestionSetting "$switch"
set_to SwitchPortCongestionSetting "$switch" 1 1 0 5 8 1
says "ibccconfig of a port, and it is there" "Valid=1 Control_Type=0 Threshold=0x05 Packet_Size=8" \
	ibccquery -c 7 SwitchPortCongestionSetting "$switch" 1
key=0
set_to CACongestionSetting "$host" 0 0x3 150 1 0 0
on "" ibccquery CACongestionSetting "$host" >"$work/out" 2>&1
has_lines "ibccconfig of an adapter, and it is there" "$work/out" \
	"Control_Map:.....................0x0003" "CCTI_Timer:......................150"
set_to CongestionControlTable "$host" 2 0 0:1 0:2 1:3
on "" ibccquery CongestionControlTable "$host" >"$work/out" 2>&1
has_lines "ibccconfig of a table, and it is there" "$work/out" \
	"CCTI_Limit:......................2" "CCT_Multiplier:..................3"

# ---- Mellanox's class ----

for lid in $switch $host; do
	on "" vendstat -N "$lid" >"$work/out" 2>&1
	tap_has "vendstat -N $lid: whose firmware it is" "$(cat "$work/out")" "fw_psid:     'umadrig'"
	refuses "vendstat -R $lid: the chip" "Config space record at 0xf0014: 0x2" \
		vendstat -R 0xf0014,0xffffffff "$lid"
	refuses "vendstat -R $lid, elsewhere: refused" "cannot get config space records" \
		vendstat -R 0x10,0xffffffff "$lid"
	refuses "vendstat -W $lid: refused" "cannot set config space records" \
		vendstat -W 0xf0014,1,0xffffffff "$lid"
	refuses "vendstat -w $lid: it does not know the device" "Unsupported device ID" vendstat -w "$lid"
	refuses "vendstat -i $lid: no counter groups" "counter group info query failure" \
		vendstat -i "$lid" 1
	refuses "vendstat -c $lid: no counter groups" "config counter group set failure" \
		vendstat -c 0,1 "$lid" 1
done

# ---- what a program serves ----

on host-1 ibsysstat -S 2>/dev/null &
tap_ok "a server is there" within 20 on "" ibsysstat -t 100 "$host"
tap_has "ibsysstat ping" "$(on "" ibsysstat "$host" ping 2>&1)" "sysstat ping succeeded"
tap_has "ibsysstat host: that of the machine" "$(on "" ibsysstat "$host" host 2>/dev/null)" \
	"$(uname -n)"
tap_has "ibsysstat cpu: those of the machine" "$(on "" ibsysstat "$host" cpu 2>/dev/null)" "cpu 0: model"

tool_rows gsi <<'END'
ibsysstat -t MS, ping, host, cpu | if the server is an SM | right | ibsysstat
ibccquery (each operation), -c KEY | times out, kills an SM there | right: every node has an agent, nothing is ever congested | ibccquery
ibccconfig (each operation), -c KEY | fails | right: what was set is returned; CC_Key, its protection and lease | ibccconfig
vendstat -N | fails, kills an SM there | right for nodes whose vendor is Mellanox; the firmware version is umadrig's | vendstat -N
vendstat -R | fails | right for what there is of the configuration space: the chip; elsewhere refused | vendstat -R
vendstat -W | fails | refused: nothing there can be written | vendstat -W
vendstat -w | fails | it does not know the device | vendstat -w
vendstat -i, -c | fails | refused: no counter groups | vendstat -
END
tap_done
