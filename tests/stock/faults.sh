#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-faults: the distribution's ibnetdiscover, unmodified, on a fabric that loses MADs: its
# retries find everything, and if they are not enough it reports so.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibnetdiscover
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch ibnetdiscover

tree=$data/tree.topo

# What was found, in an order that does not depend on the responses.
found() {
	sed '/^# Topology file: generated/d' "$1" | sort
}

# How many MADs in the capture were dropped by the fault RULE.
deaths() {
	grep -a -o "dropped: fault $1" "$work/capture.pcapng" | wc -l | tr -d ' '
}

stock node1 "$tree" ibnetdiscover >"$work/whole" 2>"$work/err" ||
	tap_fail "ibnetdiscover without faults" "$(cat "$work/err")"

# RULE SEED: everything is found nevertheless, and something was really lost.
survives() {
	rm -f "$work/capture.pcapng"
	if ! stock node1 "$tree,fault=$1,seed=$2,capture=$work/capture.pcapng" \
	     ibnetdiscover -t 50 >"$work/out" 2>"$work/err"; then
		tap_fail "ibnetdiscover under $1, seed $2" "$(cat "$work/err")"
		return
	fi
	tap_is "ibnetdiscover under $1, seed $2, finds everything" "$(found "$work/out")" \
		"$(found "$work/whole")"
	if [ "$(deaths "$1")" -gt 0 ]; then
		tap_pass "MADs were lost"
	else
		tap_fail "no MAD was lost"
	fi
}

survives "drop 2%" 1
survives "drop 2%" 2
survives "corrupt 2%" 3
survives "drop 3 class=0x81 attr=0x11 to S-00000101000a0010" 1

# One MAD and its three retries: what is beyond that cable is not found, and only that.
stock node1 "$tree,fault=drop all on H-00000101000c0050[1]" ibnetdiscover -t 20 >"$work/out" 2>"$work/err"
tap_is "what is beyond a cable that loses everything is not found" \
	"$(grep '^Ca' "$work/out" | sort)" "$(grep '^Ca' "$work/whole" | grep -v c0050 | sort)"

# Errors are reported before the command starts, or by the library when it opens the fabric.
"$umadrig" exec --fabric "$tree,fault=drop 5x" -- ibnetdiscover >"$work/out" 2>&1
tap_is "a rule that makes no sense: status" $? 125
tap_has "a rule that makes no sense is quoted" "$(cat "$work/out")" \
	"fault=drop 5x: unknown word '5x'"
"$umadrig" exec --fabric "$tree,fault=drop all on S9[3]" -- ibnetdiscover >"$work/out" 2>&1
tap_has "a cable that is not there" "$(cat "$work/out")" "there is no node 'S9'"

tool_rows fabric <<'END'
ibnetdiscover -t MS (on cables that lose MADs) | no retries: parts are missing | its retries succeed; only what it gives up is missing | ibnetdiscover under
END
tap_done
