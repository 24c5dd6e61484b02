#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-quirks: each quirk of a node as the distribution's programs see it, and the port that the
# rules of public projects (tests/tools/port-pickers) choose then.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibnetdiscover ibstat smpquery ibaddr opensm

# NAME QUIRK EXPECTED COMMAND...: what the command prints on a host with two HCAs.
sees() {
	sees_name=$1 sees_quirk=$2 sees_wanted=$3
	shift 3
	"$umadrig" exec --fabric "generate:rail:2,2,4,seed=3$sees_quirk" -- "$@" \
		>"$work/out" 2>"$work/err"
	tap_has "$sees_name" "$(cat "$work/out" "$work/err")" "$sees_wanted"
}

sees "usual: ibstat's rate" "" "Rate: 400" ibstat mlx5_1
sees "rate-unreadable: ibstat's rate" ,quirk=rate-unreadable:host-0 "Rate: 0" ibstat mlx5_1
sees "port-guid-0: ibstat" ",quirk=port-guid-0:host-0 mlx5_1" \
	"Port GUID: 0x0000000000000000" ibstat mlx5_1
sees "port-guid-0: ibnetdiscover" ",quirk=port-guid-0:host-1 mlx5_1" \
	'# "host-1 mlx5_1"' ibnetdiscover
sees "sm-disabled: smpquery" ",quirk=sm-disabled:host-1" "IsSMdisabled" \
	smpquery -D portinfo 0,1,2 1
sees "usual: smpquery" "" "LinkSpeedExtActive:..............106.25 Gbps" smpquery -D portinfo 0
sees "ext-speeds-asked: smpquery does not ask" ,quirk=ext-speeds-asked \
	"LinkSpeedExtActive:..............No Extended Speed" smpquery -D portinfo 0
sees "ext-speeds-asked: ibnetdiscover does not, either" ,quirk=ext-speeds-asked "4xQDR" \
	ibnetdiscover
sees "roce: ibstat" ,quirk=roce:host-0 "Link layer: Ethernet" ibstat mlx5_0
sees "port-down: ibstat" ",quirk=port-down:host-0 mlx5_0" "State: Down" ibstat mlx5_0
sees "hgx-b200 needs HCAs" ,quirk=hgx-b200 "it takes a host with 5 HCAs or more" true

# DEVICE: the nodes that a sweep from there finds, on one line.
board_nodes() {
	"$umadrig" exec --fabric generate:rail:2,5,4,quirk=hgx-b200 -- ibnetdiscover -C "$1" -l \
		2>"$work/err" | cut -d '"' -f 2 | grep -v MF0 | sort | paste -s -d , -
}

tap_is "hgx-b200: what a bridge leads to" "$(board_nodes mlx5_0)" "host-0 NVSwitch-0,\
host-0 NVSwitch-1,host-0 mlx5_0,host-0 mlx5_1,host-0 mlx5_2,host-0 mlx5_3"
tap_is "hgx-b200: and the fifth HCA" "$(board_nodes mlx5_4)" "host-0 mlx5_4,host-1 mlx5_4"

# An SM at the port that nvlsm chooses brings up the bridges, and nothing else.
"$umadrig" exec --fabric generate:rail:2,5,4,state=cold,seed=3,quirk=hgx-b200:host-0 -- sh -c '
	guid=$(ibstat -p | head -n 1)
	opensm -o -g "$guid" -f "$0/osm.log" >/dev/null
	for i in 0 1 2 3 4; do ibstat mlx5_$i; done' "$work" >"$work/out" 2>"$work/err"
tap_is "hgx-b200: an SM of the NVLink switches" \
	"$(sed -n 's/^.*State: //p' "$work/out" | paste -s -d ' ' -)" \
	"Active Active Active Active Initializing"

# A sweep that waits four times 20 ms misses nodes that answer late; one that waits longer does not.
for wait in 20=5 500=7; do
	"$umadrig" exec --fabric generate:rail:2,2,4,quirk=slow-firmware:host-1 -- \
		ibnetdiscover -l -t "${wait%=*}" >"$work/out" 2>"$work/err"
	tap_is "slow-firmware: with -t ${wait%=*}" "$(grep -c -E '^(Ca|Switch)' "$work/out")" "${wait#*=}"
done
"$umadrig" exec --fabric generate:rail:2,2,4,quirk=lossy-firmware:host-1,seed=4 \
	-- ibnetdiscover -l >"$work/out" 2>"$work/err"
tap_is "lossy-firmware: tries again" "$(grep -c -E '^(Ca|Switch)' "$work/out")" 7

# Without an issm device OpenSM cannot say that it is there, and ends.
"$umadrig" exec --fabric generate:rail:2,1,4,state=cold,quirk=issm-none:host-0 -- \
	opensm -o -f "$work/osm.log" >"$work/out" 2>"$work/err"
tap_has "issm-none: opensm says so" "$(cat "$work/osm.log" "$work/out")" "ERR 542E"

# ---- the ports that programs choose ----

if "$umadrig" exec --how filter --fabric generate:rail:1,1,4 -- ls /sys/class/infiniband \
	>"$work/out" 2>&1; then
	no_filter=
else
	no_filter="no seccomp filter may be set here"
fi

# NAME SHAPE RULE EXPECTED: '=' without a rate is one of 400 Gb/s.
picks() {
	if [ "$no_filter" ]; then
		tap_skip "$3 on $1" "$no_filter"
		return
	fi
	picked=$("$umadrig" exec --how filter --fabric "generate:$2" -- \
		"$top_srcdir/tests/tools/port-pickers" "$3" 2>"$work/err" |
		sed 's/=50000000000\( \|$\)/=\1/g')
	tap_is "$3 on $1" "$picked" "$4"
}

# A quirk, the shape that has it ('-': a host with two HCAs), and what each rule chooses: umad,
# nccl, exporter, nvlsm. Of planes nccl sees the GSI devices only, exporter all. Bridges to NVLink
# switches are ports like others for all but nvlsm.
ten=$(seq -s " " -f "mlx5_%g/1" 0 9)
ten_rates=$(echo "$ten" | sed 's/[^ ]*/&=/g')
half=25000000000
planes="mlx5_0/1= mlx5_1/1= smi0/1=$half smi0/2=$half smi1/1=$half smi1/2=$half"
cat >"$work/matrix" <<END
usual|-|mlx5_0/1|mlx5_0/1 mlx5_1/1|mlx5_0/1= mlx5_1/1=|
hgx-b200|rail:1,10,8,names=vendor,quirk=hgx-b200|mlx5_0/1|$ten|$ten_rates|mlx5_0/1 0x0002c903000001e0
switch-management|-:host-0 mlx5_1|mlx5_0/1|mlx5_0/1 mlx5_1/1|mlx5_0/1= mlx5_1/1=|mlx5_1/1 0x0002c90300000040
planarized|rail:1,2,4,planes=2|mlx5_0/1|mlx5_0/1 mlx5_1/1|$planes|
sm-disabled|-:host-0 mlx5_0|mlx5_0/1|mlx5_0/1 mlx5_1/1|mlx5_0/1= mlx5_1/1=|
roce|-:host-0 mlx5_0|mlx5_1/1|mlx5_0/1 mlx5_1/1|mlx5_0/1= mlx5_1/1=|
issm-none|-:host-0|mlx5_0/1|mlx5_0/1 mlx5_1/1|mlx5_0/1= mlx5_1/1=|
port-guid-0|-:host-0 mlx5_0|mlx5_0/1|mlx5_0/1 mlx5_1/1|mlx5_0/1= mlx5_1/1=|
ext-speeds-asked|-|mlx5_0/1|mlx5_0/1 mlx5_1/1|mlx5_0/1= mlx5_1/1=|
rate-unreadable|-:host-0 mlx5_1|mlx5_0/1|mlx5_0/1 mlx5_1/1|no mlx5_1/1 rate|
port-down|-:host-0 mlx5_0|mlx5_1/1|mlx5_1/1|mlx5_0/1=1250000000 mlx5_1/1=|
slow-firmware|-:host-0|mlx5_0/1|mlx5_0/1 mlx5_1/1|mlx5_0/1= mlx5_1/1=|
lossy-firmware|-:host-0|mlx5_0/1|mlx5_0/1 mlx5_1/1|mlx5_0/1= mlx5_1/1=|
END
# stock ibaddr takes the port that umad_get_port() chooses: its LID tells which.
defaults_to() {
	"$umadrig" exec --fabric "generate:$2" -- ibaddr -l >"$work/out" 2>"$work/err"
	tap_has "ibaddr on $1" "$(cat "$work/out")" "LID start $3 "
}

two=rail:1,2,4
while IFS='|' read -r quirk shape umad nccl exporter nvlsm; do
	case $quirk,$shape in
	usual,*) shape=$two ;;
	*,-*) shape=$two,quirk=$quirk${shape#-} ;;
	esac
	picks "$quirk" "$shape" umad "$umad"
	picks "$quirk" "$shape" nccl "$nccl"
	picks "$quirk" "$shape" exporter "$exporter"
	picks "$quirk" "$shape" nvlsm "$nvlsm"
done <"$work/matrix"
"$umadrig" topology --quirks | sed 's/ .*//' | sort >"$work/quirks"
tap_is "each quirk has a row" "$(sed 's/|.*//; /^usual$/d' "$work/matrix" | sort)" \
	"$(cat "$work/quirks")"

dual=rail:1,1,4,ports=2
defaults_to "a usual host" $two 0x4
picks "a port of two that is down" $dual,quirk=port-down umad mlx5_0/2
picks "a port of two that is down" $dual,quirk=port-down nccl mlx5_0/2
picks "a port of two that is down" $dual,quirk=port-down exporter "mlx5_0/1=1250000000 mlx5_0/2="
defaults_to "a port of two that is down" $dual,quirk=port-down 0x4
picks "a link that is not Active yet" $two,state=cold umad mlx5_0/1
picks "a link that is not Active yet" $two,state=cold nccl ""
defaults_to "RoCE beside InfiniBand" "$two,quirk=roce:host-0 mlx5_0" 0x5
board=rail:1,10,8,names=vendor,quirk=hgx-b200
picks "an HGX B200 whose first bridge is disabled" \
	"$board,quirk=sm-disabled:host-0 mlx5_0" nvlsm "mlx5_2/1 0x0002c90300000200"
picks "an HGX B200" "$board,quirk=port-down:host-0 mlx5_7" nccl \
	"mlx5_0/1 mlx5_1/1 mlx5_2/1 mlx5_3/1 mlx5_4/1 mlx5_5/1 mlx5_6/1 mlx5_8/1 mlx5_9/1"
picks "a bridge without port GUID" \
	"$two,quirk=switch-management:host-0 mlx5_1,quirk=port-guid-0:host-0 mlx5_1" nvlsm \
	"mlx5_1/1 0x0000000000000000"
tap_done
