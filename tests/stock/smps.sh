#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-smps: ibportstate, smpquery, smpdump and sminfo of the distribution, unmodified, with every
# operation and every way to address a port: what they change is changed, at both ends of a cable if
# it concerns both, and what they print matches the description.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs ibportstate smpquery smpdump sminfo ibaddr ibroute perfquery vendstat ibccquery \
	ibtracert opensm
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch ibportstate smpquery smpdump sminfo ibaddr ibroute perfquery vendstat ibccquery \
	ibtracert
net=$data/tree.topo

# ---- ibportstate, each operation ----

# ADDRESS: what smpquery prints about a port, followed by the attribute that knows FDR10.
port_is() {
	on node1 sh -c "smpquery PI $1; smpquery MEPI $1 | sed s/^Link/MlnxLink/" 2>/dev/null
}

# "ADDRESS|OPERATION|Field=value|Field=value...[|@ADDRESS|Field=value...]": the port has them
# afterwards; "fails" instead of fields: the program refuses, and nothing has changed.
changes() {
	IFS='|' read -r address operation rest <<EOT
$1
EOT
	[ "$rest" != fails ] || port_is "$address" >"$work/before"
	# shellcheck disable=SC2086
	on node1 ibportstate $address $operation >"$work/out" 2>&1
	status=$?
	wrong=x tries=50
	# A link that is trained again takes its time, and a busy machine more than that.
	while [ -n "$wrong" ] && [ $tries -gt 0 ]; do
		has_changed
		tries=$((tries - 1))
		[ -z "$wrong" ] || sleep 0.1
	done
	if [ -z "$wrong" ]; then tap_pass "ibportstate $address $operation"
	else tap_fail "ibportstate $address $operation" "$wrong" "$(tail -n 3 "$work/out")"; fi
}
# What is not as it should be, in 'wrong'.
has_changed() {
	port_is "$address" >"$work/after"
	case $rest in
	fails)
		wrong=$([ $status != 0 ] ||
			echo "it succeeds"; diff "$work/before" "$work/after" | grep '^[<>]' |
			grep -v MkeyViolations) ;;
	*)
		wrong=$([ $status = 0 ] || echo "status $status"
			echo "$rest" | sed 's/|@.*//' | tr '|' '\n' | fields_wrong "$work/after")
		peer=${rest#*|@}
		if [ "$peer" != "$rest" ]; then
			port_is "${peer%%|*}" >"$work/peer"
			wrong=$wrong$(echo "${peer#*|}" | tr '|' '\n' | fields_wrong "$work/peer")
		fi ;;
	esac
}

fabric_serve "$net"
# 4xEDR between switches. What is enabled takes effect at the next training.
while read -r row; do
	changes "$row"
done <<'EOT'
1 3|speed 3|LinkSpeedEnabled=2.5 Gbps or 5.0 Gbps|LinkSpeedActive=10.0 Gbps
1 3|espeed 1|LinkSpeedExtEnabled=14.0625 Gbps|LinkSpeedExtActive=25.78125 Gbps
1 3|reset|LinkState=Initialize|LinkSpeedExtActive=14.0625 Gbps|@3 1|LinkState=Initialize|LinkSpeedExtActive=14.0625 Gbps
1 3|espeed 30|LinkSpeedExtActive=14.0625 Gbps
1 3|reset|LinkSpeedExtActive=No Extended Speed|LinkSpeedActive=5.0 Gbps|@3 1|LinkSpeedActive=5.0 Gbps
1 3|speed 7|LinkSpeedEnabled=2.5 Gbps or 5.0 Gbps or 10.0 Gbps
1 3|espeed 3|LinkSpeedExtEnabled=14.0625 Gbps or 25.78125 Gbps
1 3|reset|LinkSpeedExtActive=25.78125 Gbps|LinkSpeedActive=10.0 Gbps|@3 1|LinkSpeedExtActive=25.78125 Gbps
1 3|width 1|LinkWidthEnabled=1X|LinkWidthActive=4X
1 3|reset|LinkWidthActive=1X|@3 1|LinkWidthActive=1X
3 1|width 2|LinkWidthEnabled=4X
3 1|width 3|LinkWidthEnabled=1X or 4X
1 3|width 3|LinkWidthEnabled=1X or 4X
1 3|reset|LinkWidthActive=4X|@3 1|LinkWidthActive=4X
1 3|arm|LinkState=Armed|@3 1|LinkState=Initialize
3 1|arm|LinkState=Armed
1 3|active|LinkState=Active|@3 1|LinkState=Armed
3 1|active|LinkState=Active
1 3|disable|LinkState=Down|PhysLinkState=Disabled|@3 1|LinkState=Down|PhysLinkState=Polling
1 3|enable|LinkState=Initialize|PhysLinkState=LinkUp|@3 1|LinkState=Initialize
1 3|off|LinkState=Down|PhysLinkState=Disabled
1 3|on|LinkState=Initialize|PhysLinkState=LinkUp
1 3|down|LinkState=Initialize|PhysLinkState=LinkUp
1 3|vls 2|OperVLs=VL0-1
1 3|mtu 4|NeighborMTU=2048|@3 1|NeighborMTU=4096
3 3|fdr10 0|MlnxLinkSpeedEnabled=0x00|MlnxLinkSpeedActive=0x01
3 3|reset|MlnxLinkSpeedActive=0x00|LinkSpeedActive=10.0 Gbps|@6 2|MlnxLinkSpeedActive=0x00
3 3|fdr10 1|MlnxLinkSpeedEnabled=0x01
3 3|reset|MlnxLinkSpeedActive=0x01|@6 2|MlnxLinkSpeedActive=0x01
1 3|fdr10 1|fails
1 3|speed 8|fails
1 9|query|fails
1 3|mkey 5|fails
1 3|mkeylease 5|fails
1 3|mkeyprot 1|fails
7 1|smlid 3|SMLid=3
7 1|lmc 1|fails
-D 0 1|lmc 2|LMC=2
-D 0 1|lid 60|Lid=60
-D 0 1|lid 4|Lid=4
-D 0 1|lmc 0|LMC=0
7 1|mkeylease 5|MkeyLeasePeriod=5
7 1|mkeyprot 1|ProtectBits=1
7 1|mkey 9|MkeyLeasePeriod=5
-t 50 7 1|smlid 4|fails
EOT
on node1 ibportstate -K -y 9 7 1 query >"$work/out" 2>&1
has_lines "ibportstate -y: who has the M_Key" "$work/out" "SMLid:...........................3" \
	"ProtectBits:.....................1"
on node1 ibportstate -K -y 9 7 1 mkey 0 >"$work/out" 2>&1
has_lines "changes it; -K shows it" "$work/out" \
	"Mkey:............................0x0000000000000009" \
	"Mkey:............................0x0000000000000000"
changes "7 1|mkeyprot 0|ProtectBits=0"
changes "7 1|smlid 4|SMLid=4"
on node1 perfquery 1 3 >"$work/out" 2>/dev/null
# From the rows above: five resets, disable, off and down.
shows "each time that the link went down is counted" "$work/out" "LinkDownedCounter=8"
on node1 ibportstate 2 4 >"$work/out" 2>&1
has_lines "ibportstate: query is what it does by itself" "$work/out" "Switch PortInfo:" \
	"Lid:.............................0" "Peer PortInfo:" "Lid:.............................8"

# ---- smpquery, each table ----

# "OPERATION...;LINE;LINE...": it prints these lines, in this order.
answers() {
	IFS=';' read -r operation rest <<EOT
$1
EOT
	# shellcheck disable=SC2086
	on node1 smpquery $operation >"$work/out" 2>"$work/err"
	OLD_IFS=$IFS
	IFS=';'
	# shellcheck disable=SC2086
	has_lines "smpquery $operation" "$work/out" $rest
	IFS=$OLD_IFS
}
fabric_serve "$net"
while read -r row; do
	answers "$row"
done <<'EOT'
PKeys 4;   0: 0xffff 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000
PKeys 2 3;   0: 0xffff 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000
GI 8;   0: 0x00000101000c0021 0x0000000000000000
GI 3;   0: 0x00000101000a0031 0x0000000000000000
SL2VL 4;ports: in  0, out  0: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|
SL2VL 2 3;ports: in  0, out  3: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|;ports: in  8, out  3: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|
VLArb 4;# VLArbitration tables: Lid 4 port 0 LowCap 8 HighCap 8;VL    : |0x0 |0x1 |0x2 |0x3 |0x4 |0x5 |0x6 |0x7 |
MEPI 3 3;LinkSpeedSupported:..............0x01;LinkSpeedEnabled:................0x01;LinkSpeedActive:.................0x01
MEPI 2 3;LinkSpeedActive:.................0x00
PIE 4;CapMask:.........................0x00000001
SI 1;LinearFdbTop:....................40;EnhancedPort0:...................1
-x PI 2 3;LinkSpeedExtActive:..............53.125 Gbps
-K PI 4;Mkey:............................0x0000000000000000
PI 4;Mkey:............................<not displayed>
-c ND 2 0,4;Node Description:....................node2 mlx5_0
-c NI 1 0,3;Guid:............................0x00000101000a0030;LocalPort:.......................1
EOT
for operation in NI ND "PI 1" "PIE 1" PKeys SL2VL VLArb GI MEPI; do
	# shellcheck disable=SC2086
	set -- $operation
	tap_is "smpquery -D $operation: the same" \
		"$(on node1 smpquery -D "$1" 0,1,4 "${2:-}" 2>/dev/null | sed 1d)" \
		"$(on node1 smpquery "$1" 8 "${2:-}" 2>/dev/null | sed 1d)"
done
printf '0x101000c0020 "renamed"\n' >"$work/names"
tap_has "smpquery --node-name-map" \
	"$(on node1 smpquery --node-name-map "$work/names" ND 8 2>/dev/null)" renamed

# ---- smpdump: the bytes ----

# NodeInfo from its fields, and backwards.
graph graph-lists.awk -v list=ids "$net" | while read -r kind lid guid num; do
	on node1 smpdump "$lid" 0x11 2>/dev/null </dev/null | tr -d ' \n' >"$work/bytes"
	on node1 smpquery NI "$lid" 2>/dev/null </dev/null | "$AWK" '
		{ at = index($0, ":"); name = substr($0, 1, at - 1); value = substr($0, at + 1)
		  gsub(/^\.+/, "", value); sub(/^0x/, "", value); field[name] = value }
		END { printf "%02x%02x%02x%02x%s%s%s%04x%s%s%02x%s\n", field["BaseVers"], field["ClassVers"],
			field["NodeType"] == "Switch" ? 2 : field["NodeType"] == "Router" ? 3 : 1,
			field["NumPorts"], field["SystemGuid"], field["Guid"], field["PortGuid"], field["PartCap"],
			field["DevId"], field["Revision"], field["LocalPort"], field["VendorId"] }' >"$work/fields"
	case $(cat "$work/bytes") in
	"$(cat "$work/fields")"*) [ "$(cut -c 41-56 "$work/bytes")" = "${guid#0x}" ] ||
		echo "$kind $lid port $num" ;;
	*) echo "$lid: $(cat "$work/bytes"), not $(cat "$work/fields")" ;;
	esac
	echo "$lid" >>"$work/asked"
done >"$work/wrong"
tap_ok "smpdump is asked for NodeInfo" test -s "$work/asked"
tap_is "smpdump NodeInfo, as smpquery and the description have it" "$(cat "$work/wrong")" ""
for option in -s --string; do
	tap_is "smpdump $option: a text" "$(on node1 smpdump $option 8 0x10 2>/dev/null)" "node2 mlx5_0"
done
tap_is "smpdump -D with a modifier: the port" \
	"$(on node1 smpdump -D 0,1 0x15 3 2>/dev/null | head -n 2)" \
	"$(on node1 smpdump 2 0x15 3 2>/dev/null | head -n 2)"
tap_has "smpdump of an attribute that no node has" "$(on node1 smpdump 8 0xabcd 2>/dev/null)" \
	"SMP status: 0x"

# ---- every way to address a port ----

fabric_serve "$net,state=cold"
sm_start a node1
tap_is "the subnet is up" "$(sm_wait a 1)" ""
on node1 "$walker" -R NR 2>/dev/null >"$work/nodes"
leaf=$(sed -n 's/^NR \([0-9]*\) .* leaf 1$/\1/p' "$work/nodes")
leaf_guid=0x101000a0020
here=$(sed -n 's/^NR \([0-9]*\) .* node1 mlx5_0$/\1/p' "$work/nodes")

# PROGRAM ARGUMENTS [AFTER]: by LID, by GUID and (unless it cannot) by directed route, without the
# line that shows which, and the time.
addressed() {
	addressed_words=$1
	addressed_behind=${2:-}
	for way in "-L $leaf" "-G $leaf_guid" "-D 0,1"; do
		[ "$way" != "-D 0,1" ] || [ "${3:-}" != gsi ] || continue
		# shellcheck disable=SC2086
		on node1 ${addressed_words%% *} ${way%% *} ${addressed_words#* } ${way#* } \
			$addressed_behind \
			2>"$work/err" | grep -v -e '^#' -e ' of switch ' -e uptime >"$work/way$way"
		grep ibwarn "$work/err" >>"$work/way$way"
	done
	if [ -s "$work/way-L $leaf" ] && cmp -s "$work/way-L $leaf" "$work/way-G $leaf_guid" &&
	   { [ "${3:-}" = gsi ] || cmp -s "$work/way-L $leaf" "$work/way-D 0,1"; }; then
		tap_pass "$addressed_words $addressed_behind: -L, -G${3:+ and no}${3:- and} -D"
	else
		tap_fail "$addressed_words: -L, -G and -D" "$(head -n 5 "$work"/way*)"
	fi
	rm -f "$work"/way*
}
for operation in NI ND SI PKeys SL2VL GI; do addressed "smpquery $operation"; done
addressed "smpquery PI" 3
addressed "smpquery VLArb" 3
addressed "smpquery MEPI" 3
addressed "ibportstate -e" "5 query"
addressed "ibroute -e"
addressed "perfquery -e" 5 gsi
addressed "vendstat -N" "" gsi
addressed "ibccquery CongestionInfo" "" gsi
tap_is "ibaddr -G" "$(on node1 ibaddr -G $leaf_guid 2>&1)" "$(on node1 ibaddr "$leaf" 2>&1)"
tap_is "ibtracert -G" "$(on node1 ibtracert -G 0x101000c0011 0x101000c0021 2>/dev/null)" \
	"$(on node1 ibtracert "$here" \
	"$(sed -n 's/^NR \([0-9]*\) .* node2 mlx5_0$/\1/p' "$work/nodes")" 2>/dev/null)"
tap_is "an unknown GUID cannot be resolved" \
	"$(on node1 ibaddr -G 0xabc >/dev/null 2>&1; echo $?)" 255
tap_is "-s: only the named SM is asked" \
	"$(on node1 ibaddr -t 50 -s "$leaf" -G $leaf_guid >/dev/null 2>&1; echo $?)" 255
tap_is "-C -P -t -z: the port that is named" \
	"$(on node1 ibaddr -C mlx5_0 -P 1 -t 500 -z /dev/null 2>/dev/null)" \
	"$(on node1 ibaddr 2>/dev/null)"
tap_is "-C: not one that is not there" "$(on node1 ibaddr -C mlx5_9 >/dev/null 2>&1; echo $?)" 255

# ---- sminfo ----

sm_said() {
	on node3 sminfo "$@" 2>"$work/err" | sed 's/activity count [0-9]* //'
}
wanted="sminfo: sm lid $here sm guid 0x101000c0011, priority 0 state 3 SMINFO_MASTER"
tap_is "sminfo" "$(sm_said)" "$wanted"
tap_is "sminfo LID" "$(sm_said "$here")" "$wanted"
tap_is "sminfo -G" "$(sm_said -G 0x101000c0011)" "$wanted"
tap_is "sminfo -D" "$(sm_said -D 0,1,6,3 | sed 's/sm lid [0-9]*/sm lid/')" \
	"$(echo "$wanted" | sed 's/sm lid [0-9]*/sm lid/')"
first=$(on node3 sminfo 2>/dev/null | sed 's/.*activity count \([0-9]*\) .*/\1/')
next=$(on node3 sminfo 2>/dev/null | sed 's/.*activity count \([0-9]*\) .*/\1/')
tap_ok "its activity count goes up" test "$next" -gt "$first"
for option in "-s 2" "-p 9" "-a 7"; do
	# shellcheck disable=SC2086
	sm_said $option >/dev/null
	tap_is "sminfo $option: OpenSM goes on as before" "$(sm_said)" "$wanted"
done
tap_is "sminfo where no SM is" "$(on node3 sminfo -t 50 "$leaf" >/dev/null 2>&1; echo $?)" 255

tool_rows common <<'END'
smpquery -L, -G, -D, --node-name-map | by LID, by GUID and by directed route the same | smpquery NI
ibportstate, ibroute -e, -L, -G, -D | the same by each | ibportstate -e
perfquery -e, -L, -G | the same by both | perfquery -e
vendstat, ibccquery -L, -G | the same by both | vendstat
ibaddr, ibtracert, sminfo -G | as by LID; a GUID that nobody has cannot be resolved | ibaddr -G
sminfo -D | as by LID | sminfo -D
ibaddr -s LID | that SM alone is asked for GUIDs | -s: only
ibaddr -C, -P, -t, -z | the port that is named; not one that is not there | -C
sminfo, ibportstate -t MS | give up after that | sminfo where
ibportstate -y M_KEY | what needs the key is done | ibportstate -y
END
tool_rows ports <<'END'
smpquery PKeys, SL2VL, VLArb, GI, MEPI, PIE | right | right | smpquery PKeys
smpquery -x, -K | right | right | smpquery -
smpdump LID, -D, -s, --string | right | right, byte for byte | smpdump NodeInfo
ibportstate disable, enable, reset, off, on, down, arm, active | the port stays Active, its peer is not affected; active is refused | right, at both ends | ibportstate 1 3 disable
ibportstate speed, espeed, fdr10, width, vls, mtu, lid, smlid, lmc | set at one end only; fdr10 and mtu are not set | right, at both ends; values that a port does not support are refused | ibportstate 1 3 speed
ibportstate mkey, mkeylease, mkeyprot, -K | answered, but not set | right; refused without the key | ibportstate 7 1 mkey
END
tool_rows subnet <<'END'
sminfo, sminfo LID | right | right | sminfo
sminfo -s, -p, -a | OpenSM continues as before | OpenSM continues as before | sminfo -s
END
tap_done
