#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# replay-discovery: ibnetdiscover's walk through a fabric is captured, and the capture alone shows
# it the same fabric again. Only the requester differs: no packet on the wire contains its GUIDs.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
command -v ibnetdiscover >/dev/null 2>&1 || tap_skip_all "ibnetdiscover is not installed"

# Without the lines about the requester's own adapter and the cable to it.
others() {
	asker=$(sed -n 's/^# Initiated from node \([0-9a-f]*\) .*/\1/p' "$1")
	${AWK:-awk} -v asker="H-$asker" 'BEGIN { RS = ""; FS = "\n" } {
		own = 0
		for (i = 1; i <= NF; i++)
			own = own || ($i ~ /^Ca/ && index($i, asker))
		for (i = 1; i <= NF && !own; i++)
			if ($i !~ /^#/ && !index($i, asker))
				print $i
	}' "$1"
}

# FILE: the speeds of all links, and how many have them.
speeds() {
	grep -o '[0-9]*x[A-Z]*DR$' "$1" | sort | uniq -c
}

# NAME FABRIC
replays() {
	rm -f "$work"/*
	"$umadrig" exec --fabric "$2,capture=$work/walk.pcapng" -- ibnetdiscover \
		>"$work/then" 2>"$work/err" || { tap_fail "$1" "exec: $(cat "$work/err")"; return; }
	"$umadrig" replay "$work/walk.pcapng" --mode answer -- ibnetdiscover \
		>"$work/now" 2>"$work/err" ||
		{ tap_fail "$1" "replay: $(cat "$work/err")"; return; }
	others "$work/then" >"$work/then.others"
	others "$work/now" >"$work/now.others"
	tap_ok "$1" diff "$work/then.others" "$work/now.others"
	# The asker's own link, too: its other end says how fast it is.
	tap_is "$1: every link is as fast" "$(speeds "$work/now")" "$(speeds "$work/then")"
	tap_is "$1: more than the asker was found" "$(grep -c '^Switch' "$work/then.others")" "$3"
	tap_lacks "$1: every request was in the capture" "$(cat "$work/err")" "not answered"
	if command -v tshark >/dev/null 2>&1; then
		tshark -r "$work/walk.pcapng" -T fields -e _ws.malformed >"$work/frames" 2>/dev/null
		tap_ok "$1: Wireshark reads it" test -s "$work/frames"
		tap_is "$1: and finds nothing malformed in it" "$(sort -u "$work/frames")" ""
	else
		tap_skip "$1: Wireshark" "tshark is not installed"
	fi
}

replays "four switches in a ring" "$top_srcdir/tests/data/ring.net" 4
# A full one of radix 4: 8 edge, 8 aggregation and 4 core switches.
replays "a fat tree" generate:fat-tree:16,4,3 20
for speed in HDR XDR; do
	replays "links of $speed" "generate:fat-tree:4,4,2,speed=$speed" 4
done
shared=$top_srcdir/../shared/topologies/ibnetdiscover/cyberang3l-k-4-n-3-Full.topo
[ ! -r "$shared" ] || replays "a fat tree of others" "$shared" "$(grep -c '^Switch' "$shared")"
tap_done
