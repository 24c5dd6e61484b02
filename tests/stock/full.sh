#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-full: a full subnet. A fat tree is loaded, the distribution's OpenSM brings it up from its
# state after power-up, ibnetdiscover discovers it, and fabric-walk checks what OpenSM wrote.
# $OPENSM_ALL: all 49,151 unicast LIDs in use (some minutes); otherwise a twentieth of them.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm ibnetdiscover
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch opensm ibnetdiscover
if [ -n "${OPENSM_ALL:-}" ]; then
	tree=fat-tree:45551,64 switches=3600 hosts=45551 limit=7200
else
	tree=fat-tree:2200 switches=321 hosts=2200 limit=120
fi
nodes=$((switches + hosts))

# The server's memory and processor time so far.
memory() {
	"$AWK" '$1 == "VmRSS:" { printf "%.0f MB\n", $2 / 1000 }' "/proc/$server/status"
}

# COMMAND...: its output is in $work/found, the seconds that it took in $took.
timed() {
	timed_began=$(date +%s)
	"$@" >"$work/found" 2>"$work/err" ||
		{ tap_fail "$*" "$(tail -n 20 "$work/err")"; return 1; }
	took=$(($(date +%s) - timed_began))
}

if timed fabric_serve "generate:$tree,state=cold"; then
	tap_pass "$tree is there after $took s, with $(memory)"
else
	tap_done
	exit
fi

mkdir "$work/sm"
timed on "" timeout -k 5 "$limit" opensm -o -f "$work/sm/log"
tap_has "OpenSM has brought it up, $took s, the fabric has $(memory)" "$(cat "$work/sm/log")" \
	"SUBNET UP"

timed on "" ibnetdiscover
"$AWK" '
	/^Switch/ { switches++; for (i = 1; i < NF; i++) if ($i == "port" && $(i + 1) == 0) lids[$(i + 3)]++ }
	/^Ca/ { hosts++ }
	/^\[1\]\(/ { for (i = 1; i < NF; i++) if ($i == "lid") { lids[$(i + 1)]++; break } }
	END {
		for (lid in lids) {
			count++
			top = lid + 0 > top ? lid + 0 : top
		}
		print switches, hosts, count, top
	}' "$work/found" >"$work/counts"
tap_is "ibnetdiscover finds each node, and each has a LID of its own; $took s" \
	"$(cat "$work/counts")" "$switches $hosts $nodes $nodes"

timed on "" "$walker"
tap_has "every LID, link and way is right; $took s" "$(cat "$work/found")" \
	"$switches switches, $nodes ends"
fabric_end

tool_rows subnet <<'END'
opensm -o, -f FILE (a full subnet: all 49,151 LIDs; `make check` has 2,200 hosts), ibnetdiscover | cannot: 30 Ki LIDs | comes up; every node is found | OpenSM has brought it up
END
tap_done
