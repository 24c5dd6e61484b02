#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-perfquery: the distribution's perfquery and ibqueryerrors, unmodified, show what has crossed
# each port, with all their options. The correct values are known from the number of requests sent.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs perfquery ibqueryerrors
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch perfquery ibqueryerrors

# "leaf 1" is LID 2; node1 is at its port 3 (LID 4), node2 at its port 4 (LID 8).
net=$data/tree.topo
madrate=$(cd "$top_builddir" && pwd)/tests/bench/madrate
words=72			# a MAD in its packet, in units of four octets

# ---- what crossed, with every option ----

# Beyond the switch, towards node2: 500 SMPs (by directed route) and six GSI requests went out by
# port 4 and were answered. Requests to the switch itself do not pass there.
smps=500
gsi=6
packets=$((smps + gsi))
cat >"$work/ask" <<EOT
cd "$work"
"$madrate" -n $smps -P 0,1,4 >/dev/null
for i in 1 2 3; do perfquery 8 1 || exit 1; done
for option in extended xmtsl rcvsl xmtdisc rcverr extended_speeds oprcvcounters flowctlcounters \\
	vloppackets vlopdata vlxmitflowctlerrors vlxmitcounters swportvlcong rcvcc slrcvfecn \\
	slrcvbecn xmitcc vlxmittimecc smplctl; do
	perfquery --\$option 2 4 >\$option 2>\$option.err || echo "perfquery --\$option: \$?" >&2
done
perfquery 2 4 >plain
EOT
stock node1 "$net" sh "$work/ask" >"$work/out" 2>"$work/err"
tap_is "every option of perfquery succeeds" \
	"$(grep -c '^# ' "$work/out") $(grep '^perfquery' "$work/err")" "3 "
shows "perfquery" "$work/plain" "PortSelect=4 PortXmitPkts=$packets PortRcvPkts=$packets \
PortXmitData=$((packets * words)) PortRcvData=$((packets * words)) PortRcvErrors=0 PortXmitWait=0"
shows "perfquery -x" "$work/extended" "PortSelect=4 PortXmitPkts=$packets PortRcvPkts=$packets \
PortUnicastXmitPkts=$packets PortMulticastXmitPkts=0 PortUnicastRcvPkts=$packets QP1Dropped=0"
shows "perfquery -X" "$work/xmtsl" "XmtDataSL0=$((packets * words)) XmtDataSL1=0 XmtDataSL15=0"
shows "perfquery -S" "$work/rcvsl" "RcvDataSL0=$((packets * words)) RcvDataSL1=0 RcvDataSL15=0"
shows "perfquery -D" "$work/xmtdisc" "PortInactiveDiscards=0 PortSwHOQLifetimeLimitDiscards=0"
shows "perfquery -E" "$work/rcverr" "PortLocalPhysicalErrors=0 PortLoopingErrors=0"
shows "perfquery -T" "$work/extended_speeds" "PortSelect=4 SyncHeaderErrorCounter=0"
shows "perfquery --oprcvcounters" "$work/oprcvcounters" \
	"PortOpRcvPkts=$packets PortOpRcvData=$((packets * words))"
shows "perfquery --flowctlcounters" "$work/flowctlcounters" "PortXmitFlowPkts=0 PortRcvFlowPkts=0"
shows "perfquery --vloppackets" "$work/vloppackets" \
	"PortVLOpPackets0=$gsi PortVLOpPackets1=0 PortVLOpPackets15=$smps"
shows "perfquery --vlopdata" "$work/vlopdata" \
	"PortVLOpData0=$((gsi * words)) PortVLOpData1=0 PortVLOpData15=$((smps * words))"
shows "perfquery --vlxmitflowctlerrors" "$work/vlxmitflowctlerrors" \
	"PortVLXmitFlowCtlUpdateErrors0=0 PortVLXmitFlowCtlUpdateErrors15=0"
shows "perfquery --vlxmitcounters" "$work/vlxmitcounters" "PortVLXmitWait0=0 PortVLXmitWait15=0"
shows "perfquery --swportvlcong" "$work/swportvlcong" "SWPortVLCongestion0=0"
shows "perfquery --rcvcc" "$work/rcvcc" "PortPktRcvFECN=0 PortPktRcvBECN=0"
shows "perfquery --slrcvfecn" "$work/slrcvfecn" "PortSLRcvFECN0=0 PortSLRcvFECN15=0"
shows "perfquery --slrcvbecn" "$work/slrcvbecn" "PortSLRcvBECN0=0 PortSLRcvBECN15=0"
shows "perfquery --xmitcc" "$work/xmitcc" "PortXmitTimeCong=0"
shows "perfquery --vlxmittimecc" "$work/vlxmittimecc" "PortVLXmitTimeCong0=0"
shows "perfquery -c" "$work/smplctl" "PortSelect=4 CounterWidth=4 SampleStatus=0"

# ---- which ports, and resetting them ----

# The requests for counters do not themselves pass port 4.
cat >"$work/ask" <<EOT
cd "$work"
"$madrate" -n $smps -P 0,1,4 >/dev/null
perfquery -r 2 4 >before
perfquery 2 4 >after
perfquery -x 2 4 >extended
perfquery -x -R 2 4
perfquery -x 2 4 >extended-after
"$madrate" -n 10 -P 0,1,4 >/dev/null
perfquery -R 2 4 0xf000
perfquery 2 4 >none
"$madrate" -n 20 -P 0,1,4 >/dev/null
perfquery -R 2 4 0x0fff
perfquery 2 4 >twenty
perfquery -l 2 4-6 >loop
perfquery -a 2 4,5,6 >sum
perfquery -a 2 >all
perfquery -R -a 2
perfquery 2 4 >reset
perfquery 2 255 >all-255
perfquery -G 0x101000c0021 2>guid.err && echo found
perfquery >self
perfquery 8 1 >other
perfquery 8 2 >bad 2>&1
echo \$? >bad-status
perfquery 8 >bad0 2>&1
echo \$? >bad0-status
EOT
stock node1 "$net" sh "$work/ask" >"$work/out" 2>"$work/err"
shows "perfquery -r shows the counters" "$work/before" "PortXmitPkts=$smps PortRcvPkts=$smps"
shows "and then resets them" "$work/after" "PortXmitPkts=0 PortRcvPkts=0 PortXmitData=0"
shows "the extended ones are others" "$work/extended" "PortXmitPkts=$smps"
shows "perfquery -x -R resets those" "$work/extended-after" "PortXmitPkts=0 PortRcvPkts=0"
shows "perfquery -R with the mask of data" "$work/none" "PortXmitPkts=0 PortRcvData=0"
shows "perfquery -R with the mask of errors leaves data" "$work/twenty" \
	"PortXmitPkts=20 PortRcvData=$((20 * words))"
tap_is "perfquery -l: one port after the other" \
	"$(sed -n 's/^PortSelect:\.*//p' "$work/loop" | tr '\n' ' ')" "4 5 6 "
shows "perfquery -a with ports sums them up" "$work/sum" "PortSelect=255 PortXmitPkts=20"
shows "perfquery -R -a resets all ports" "$work/reset" "PortXmitPkts=0 PortRcvPkts=0"
# Since -R -a: its own response, and two requests and responses for each query before this one.
shows "perfquery with port 255 sums all" "$work/all-255" "PortSelect=255 PortRcvPkts=4"
tap_is "perfquery of itself crosses no cable" \
	"$(sed -n 's/^PortSelect:\.*//p' "$work/self")" 1
tap_is "a port that is not there is refused" "$(cat "$work/bad-status")" 255
tap_is "port 0 of an adapter too" "$(cat "$work/bad0-status")" 255

# ---- what went wrong ----

# Two requests reach node2 damaged and are sent again, by perfquery or by us. A switch has no route
# to LID 99. Without an SA ibqueryerrors -G scans the whole fabric, so that it knows the other end
# of a link.
cat >"$work/ask" <<EOT
cd "$work"
until perfquery -t 200 8 1 >damaged 2>/dev/null; do :; done
perfquery 2 4 >sent
perfquery -E 8 1 >details
ibqueryerrors --skip-sl >errors
ibqueryerrors --skip-sl -s PortRcvErrors >suppressed
ibqueryerrors --skip-sl -c >common
ibqueryerrors --skip-sl --ca >ca
ibqueryerrors --skip-sl --switch >switch
ibqueryerrors --skip-sl --router >router
ibqueryerrors --skip-sl --data >data
ibqueryerrors --skip-sl --counters -G 0x101000c0021 >counters
ibqueryerrors --skip-sl --details -G 0x101000c0021 >details-errors
ibqueryerrors --skip-sl -r -G 0x101000c0021 >report
ibqueryerrors --skip-sl -D 0,1,4 >direct 2>direct-said
echo PortRcvErrors=2 >high
echo PortRcvErrors=1 >low
ibqueryerrors --skip-sl --threshold-file high >above
ibqueryerrors --skip-sl --threshold-file low >below
ibnetdiscover --cache cache >/dev/null
ibqueryerrors --skip-sl --load-cache cache >cached
ibqueryerrors --skip-sl -k >cleared
ibqueryerrors --skip-sl >clean
perfquery 8 1 >after-clear
ibqueryerrors --skip-sl -k -K >/dev/null
perfquery 8 1 >after-clear-counts
EOT
rule='corrupt 2 class=0x04 to H-00000101000c0020[1]'
stock node1 "$net,sa=none,fault=$rule" sh "$work/ask" >"$work/out" 2>"$work/err"
shows "perfquery after a damaged cable" "$work/damaged" \
	"PortRcvErrors=2 PortRcvPkts=2 PortXmitPkts=1"
shows "what was damaged had been sent" "$work/sent" "PortXmitPkts=4 PortRcvPkts=2"
shows "perfquery -E says of what" "$work/details" \
	"PortLocalPhysicalErrors=2 PortMalformedPktErrors=0"

# NAME FILE PATTERN COUNT: number of matching lines
lines() {
	tap_is "$1" "$(grep -c "$3" "$work/$2")" "$4"
}
lines "ibqueryerrors finds the port" errors \
	'GUID 0x101000c0021 port 1: \[SymbolErrorCounter == 2 .*\] \[PortRcvErrors == 2 ' 1
lines "and no other error" errors '==' 1
lines "ibqueryerrors -s" suppressed 'PortRcvErrors ==' 0
lines "ibqueryerrors -c leaves real errors" common 'PortRcvErrors == 2' 1
lines "ibqueryerrors --ca" ca 'PortRcvErrors == 2' 1
lines "ibqueryerrors --switch" switch 'PortRcvErrors ==' 0
lines "ibqueryerrors --router" router 'PortRcvErrors ==' 0
lines "ibqueryerrors --data" data 'PortRcvErrors == 2.*PortXmitData == .*PortRcvPkts ==' 1
lines "ibqueryerrors --counters" counters 'PortXmitData == ' 1
# It takes the details' names from the wrong attribute (its own bug, up to version 65): the first
# field of PortRcvErrorDetails is PortLocalPhysicalErrors.
lines "ibqueryerrors --details" details-errors \
	'PortRcvErrors == 2.*\[Port\(InactiveDiscards\|LocalPhysicalErrors\) == 2\]' 1
lines "ibqueryerrors -r: the link" report 'Link info: .*==>.* 2 *4\[ *\] "leaf 1"' 1
if grep -q 'Failed to query local Node Info' "$work/direct-said" &&
   [ "$(diags_release)" -gt 44 ]; then
	tap_skip "ibqueryerrors -D" \
		"ibqueryerrors 56 to 59 send SMPs by the agents for GMPs (doc/programs.md)"
else
	lines "ibqueryerrors -D" direct 'PortRcvErrors == 2' 1
fi
lines "ibqueryerrors --threshold-file, above it" above 'PortRcvErrors ==' 0
lines "ibqueryerrors --threshold-file, below it" below 'PortRcvErrors == 2' 1
lines "ibqueryerrors --load-cache" cached 'PortRcvErrors == 2' 1
lines "ibqueryerrors -k tells once more" cleared 'PortRcvErrors == 2' 1
lines "and the error is gone" clean 'PortRcvErrors ==' 0
shows "ibqueryerrors -k leaves data" "$work/after-clear" "PortRcvErrors=0"
tap_ok "which have counted on" test "$(sed -n 's/^PortRcvPkts:\.*//p' "$work/after-clear")" -gt 40
# Since then: the responses to two resets, a request between them, and perfquery's two requests with
# one response.
shows "ibqueryerrors -K does not" "$work/after-clear-counts" "PortXmitPkts=3 PortRcvPkts=3"

# Not an error: a request for a LID that no port has is dropped in the switch, and counted there.
cat >"$work/ask" <<EOT
cd "$work"
perfquery -t 20 99 1 >/dev/null 2>&1
perfquery 2 3 >relay
perfquery -E 2 3 >relay-details
EOT
stock node1 "$net" sh "$work/ask" >"$work/out" 2>"$work/err"
# Up to three times, as libibmad may give up before it has sent all of them.
relayed=$(sed -n 's/^PortRcvSwitchRelayErrors:\.*//p' "$work/relay")
tap_ok "a request for a LID that no port has is counted" expr "$relayed" : '[123]$'
shows "as that" "$work/relay" "PortRcvErrors=0 PortXmitDiscards=0"
shows "perfquery -E says why" "$work/relay-details" \
	"PortDLIDMappingErrors=$relayed PortLoopingErrors=0"

tool_rows performance <<'END'
perfquery | right | right: packets and words of each port, known traffic | perfquery
perfquery --extended (-x) | right | right, with the error counters (CapabilityMask2) | perfquery -x
perfquery --xmtsl (-X), --rcvsl (-S) | times out, kills an SM there | right, per SL | perfquery -X
perfquery --xmtdisc (-D), --rcverr, -E, -t MS | right | right: packets dropped, and why | perfquery -E
perfquery --extended_speeds (-T) | times out | right (links have no block errors) | perfquery -T
perfquery --oprcvcounters, --vloppackets, --vlopdata | right, VLs aside | right, per VL, SMPs on VL 15 | perfquery --oprcvcounters
perfquery --flowctlcounters, --vlxmitflowctlerrors, --vlxmitcounters | zero | zero without a load (`load=`), as links always have credits | perfquery --flowctlcounters
perfquery --swportvlcong, --rcvcc, --slrcvfecn, --slrcvbecn, --xmitcc, --vlxmittimecc | times out | zero: nothing is congested | perfquery --swportvlcong
perfquery --smplctl (-c) | times out | right; the sampling itself is in sim/pma | perfquery -c
perfquery -a, -l, PORT,PORT, PORT-PORT, 255 | right | right | perfquery -l
perfquery -r, -R, -x (with a mask) | right | right; each attribute has its own counters | perfquery -x -R
ibqueryerrors -s, -c, -r, -k, -K, -D, -G, --data, --counters, --details, --threshold-file, --switch, --ca, --router, --skip-sl, --load-cache | right | right, after known damage | ibqueryerrors
END
tap_done
