#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-osmtest: the distribution's osmtest with the distribution's OpenSM, both unmodified, on two
# hosts of one fabric: its flows pass, its inventory matches the fabric, and the only unanswered
# requests are those that OpenSM never answers.
# $OPENSM_ALL: also the long flows and the floods of each kind of query.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm osmtest saquery
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch osmtest
sm_limit=600

# FLOW NAME ARGUMENT...: osmtest itself reports that it passed.
flow() {
	flow_letter=$1 flow_name=$2
	shift 2
	# Flow q writes a file into its working directory.
	on a3 sh -c 'cd "$1" && shift && exec "$@"' sh "$work" \
		timeout -k 5 120 osmtest -f "$flow_letter" -i "$work/inventory" -t 500 \
		-l "$work/osmtest.$flow_letter" "$@" >"$work/out" 2>&1
	flow_status=$?
	if [ "$flow_status" = 0 ] && grep -q "OSMTEST: TEST \"$flow_name\" PASS" "$work/out"; then
		tap_pass "osmtest -f $flow_letter: $flow_name"
	else
		tap_fail "osmtest -f $flow_letter: $flow_name" "status $flow_status" \
			"$(tail -n 5 "$work/out")" "$(tail -n 20 "$work/osmtest.$flow_letter")"
	fi
}

# What the inventory defines, and what the fabric has.
defined() {
	grep -c "^DEFINE_$1" "$work/inventory"
}
has() {
	on "" "$walker" -R "$1" 2>/dev/null | wc -l | tr -d ' '
}

fabric_serve "$data/ring.net,state=cold,capture=$work/capture.pcapng"
sm_start a a1
tap_is "the subnet is up" "$(sm_wait a 1)" ""

flow c "Create Inventory"
tap_is "its nodes are those of the fabric" \
	"$("$AWK" '/^DEFINE_NODE/ { at = 1 } at && /^(lid|port_guid)/ { print $2 } /^END/ { at = 0 }' \
		"$work/inventory" | sort)" \
	"$(on "" "$walker" -R NR 2>/dev/null | "$AWK" '{ printf "0x%X\n%s\n", $2, $4 }' | sort)"
tap_is "its ports as well" "$(defined PORT)" "$(has PIR)"
tap_is "and its links" "$(defined LINK)" "$(has LR)"
tap_is "and its paths" "$(defined PATH)" "$(has PR)"
flow v "Validate Inventory"
sed 's/^node_guid  .*51006/node_guid               0x0000000000059999/' "$work/inventory" \
	>"$work/other"
mv "$work/other" "$work/inventory"
on a3 osmtest -f v -i "$work/inventory" -t 100 -l "$work/osmtest.x" >"$work/out" 2>&1
tap_has "another inventory is not this fabric's" "$(cat "$work/out")" '"Validate Inventory" FAIL'
on a3 osmtest -f c -i "$work/inventory" -t 100 -G -l "$work/osmtest.x" >"$work/out" 2>&1
tap_has "-f c with -G fails" "$(cat "$work/out")" '"Create Inventory" FAIL'
flow c "Create Inventory"
flow v "Validate Inventory" -G
flow e "Event Forwarding"
flow m "Multicast"
flow q "QoS: VLArb and SLtoVL"
flow s "Services Registration"
"$umadrig" ctl --socket "$work/socket" capture stop
flow f "Stress SA"
flow a "All Validations"
if [ -n "${OPENSM_ALL:-}" ]; then
	for mode in 2 3 4; do flow m "Multicast" -M$mode; done
	for mode in 1 2 3 4; do flow f "Stress SA" -s$mode; done
	flow a "All Validations" -G
fi
in_order "after all of them"
sm_stop a
fabric_end

# -f c -G fails because of osmtest itself: it looks up the SM's GID in the inventory that it is
# about to make.
tap_has "-f c -G asks at the GID ::" "$("$umadrig" show "$work/capture.pcapng" |
	grep -a -m 1 'SubnAdmGetTable(NodeRecord).*dgid=:: ')" "its GRH is for another GID (DGID)"

# From the capture: requests that were never answered. OpenSM ignores these two Sets, as osmtest
# expects, and a wrong SM_Key, as its log says.
"$umadrig" show "$work/capture.pcapng" | "$AWK" '
	match($0, /tid=0x[0-9a-f]*/) && /SubnAdm/ && !/ dgid=::( |$)/ {
		tid = substr($0, RSTART, RLENGTH)
		if (/Resp|rmpp=ACK/)
			answered[tid] = 1
		else if (match($0, /SubnAdm[A-Za-z]*\([A-Za-z]*\)/))
			asked[tid] = substr($0, RSTART, RLENGTH)
	}
	END {
		for (tid in asked)
			if (!(tid in answered))
				print asked[tid]
	}' | sort -u >"$work/unanswered"
if grep -q "SM_Key: .* SA MAD ignored .*PortInfoRecord" "$work/sm-a/log"; then
	keyed=yes
fi
for request in $(cat "$work/unanswered"); do
	case $request in
	"SubnAdmSet(SMInfoRecord)" | "SubnAdmSet(InformInfoRecord)")
		tap_has "$request: osmtest expects no answer" \
			"$(cat "$work"/osmtest.v)" "IS EXPECTED ERROR" ;;
	"SubnAdmGet(PortInfoRecord)")
		tap_is "$request: OpenSM ignores a wrong SM_Key" "${keyed:-}" yes ;;
	*) tap_fail "$request got no answer" ;;
	esac
done
tap_ok "it was the capture that was looked at" [ -s "$work/unanswered" ]

tool_rows subnet <<'END'
osmtest -f c, -i, -t, -l | one node of six, PASS | the whole fabric, PASS | osmtest -f c
osmtest -f a, v | hang | PASS | osmtest -f a
osmtest -f s, m | FAIL | PASS | osmtest -f s
osmtest -f e, f, q | PASS | PASS | osmtest -f e
osmtest -f c, -G | - | FAIL: it asks at the GID :: | -f c with -G
END
tap_done
