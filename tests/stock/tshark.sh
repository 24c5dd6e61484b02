#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-tshark: tshark and umadrig read the same from everything that OpenSM, ibnetdiscover, saquery
# and perfquery say to a fabric, from its first sweep on: header fields, and every field of every
# attribute that has a name in both (sim/dictionary/wireshark.h).
# $TSHARK_ALL: a fabric of 1,000 HCAs and more than 600,000 MADs.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm ibnetdiscover saquery perfquery ibqueryerrors
command -v tshark >/dev/null 2>&1 || tap_skip_all "no tshark: install tshark"
command -v python3 >/dev/null 2>&1 || tap_skip_all "no python3"

hcas=${TSHARK_ALL:+1000} hcas=${hcas:-12}
radix=${TSHARK_ALL:+36} radix=${radix:-8}
mads_wanted=${TSHARK_ALL:+600000} mads_wanted=${mads_wanted:-1500}
sm_limit=${TSHARK_ALL:+600} sm_limit=${sm_limit:-120}
# The user's Wireshark preferences are not part of the comparison.
mkdir "$work/home"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# NAME COMMAND...: what it says is in the capture.
ask() {
	name=$1
	shift
	if on "" timeout 300 "$@" >"$work/out" 2>"$work/err"; then tap_pass "$name"
	else tap_fail "$name" "status $?" "$(tail -n 5 "$work/err")"; fi
}

fabric_serve "generate:fat-tree:$hcas,$radix,state=cold,capture=$work/capture" || exit 99
sm_start first "" -t 1000 -p 15
tap_is "OpenSM brings the subnet up" "$(sm_wait first 1)" ""
ask "ibnetdiscover" ibnetdiscover
lids=$(on "" saquery NR 2>/dev/null | sed -n 's/^.*lid\.\.*\([0-9][0-9]*\)$/\1/p')
first=$(echo "$lids" | head -n 1)
for record in CPI NR "PIR $first" "SL2VL $first" PKTR VLAR IIR LR SR MCMR LFTR MFTR GIR SWIR SMIR; do
	# A query name and its LID are two words.
	# shellcheck disable=SC2086
	ask "saquery $record" saquery --smkey 1 $record
done
ask "saquery PR of one" saquery PR --slid "$first"
ask "saquery --src-to-dst" saquery --src-to-dst "$first:$(echo "$lids" | tail -n 1)"
tap_ok "a program joins a group" on "" "$top_builddir/tests/tools/sa-member" join ff12:401b:ffff::1
ask "ibqueryerrors" ibqueryerrors --counters
# Start and end of a program cost more than its question: of many, a few are asked.
for lid in $(echo "$lids" | awk -v all="$(echo "$lids" | wc -l)" 'NR % int(1 + all / 20) == 0'); do
	on "" perfquery "$lid" 1 && on "" perfquery -x "$lid" 1 ||
		echo "LID $lid" >>"$work/perfquery"
done >/dev/null 2>&1
tap_is "perfquery of several" "$(cat "$work/perfquery" 2>/dev/null)" ""
if [ -n "${TSHARK_ALL:-}" ]; then
	ask "saquery SL2VL of all" saquery --smkey 1 SL2VL
	ask "saquery PIR of all" saquery --smkey 1 PIR
	ask "saquery PR: all paths" saquery -t 250000 PR
fi
fabric_end

"$umadrig" fields --json >"$work/json" || exit 99
"$umadrig" show --json --segments "$work/capture" >"$work/values" || exit 99
if HOME=$work/home XDG_CONFIG_HOME=$work/home python3 "$top_srcdir/tests/tools/agree-tshark" \
	"$work/json" "$work/values" "$work/capture" >"$work/said" 2>&1; then
	tap_pass "tshark and show agree: $(cat "$work/said")"
else
	tap_fail "tshark and show agree" "$(cat "$work/said")"
fi
mads=$(sed -n 's/^\([0-9]*\) MADs.*/\1/p' "$work/said")
tap_ok "${mads:=0} MADs, at least $mads_wanted" test "$mads" -ge "$mads_wanted"

tap_done
