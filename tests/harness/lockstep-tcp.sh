#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-tcp: what programs read in virtual time, and when they accept, does not depend on how
# long the kernel takes to deliver packets on the loopback device, which is made slow here.
set -u
. "$top_srcdir/tests/rig/tap.sh"

if [ $# = 0 ]; then
	for space in -rn -n; do
		unshare "$space" true 2>/dev/null && exec unshare "$space" sh "$0" inside
	done
	tap_skip_all "no network namespace can be made here"
fi

umadrig=$top_builddir/umadrig
calls=$top_builddir/tests/tools/lockstep-calls
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
PATH=$PATH:/usr/sbin:/sbin

# MTU RATE: packets of MTU bytes at most, of which at most one is delivered at once
slow() {
	tc qdisc del dev lo root 2>/dev/null
	ip link set lo mtu "$1" up 2>"$work/err" &&
		tc qdisc add dev lo root tbf rate "$2" burst $(($1 + 50)) latency 5s 2>>"$work/err"
}
slow 1500 20mbit || tap_skip_all "no slow network can be made here: $(head -n 1 "$work/err")"

# ROW...
rows() {
	for row in "$@"; do
		timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- "$calls" "$row" \
			>"$work/$row" 2>"$work/err" </dev/null
		passed=$(grep -c '^ok' "$work/$row")
		tap_is "$row, $speed" "$passed" 1
		[ "$passed" = 1 ] || sed 's/^/# /' "$work/$row" "$work/err"
	done
}
speed="megabytes a second"
rows tcp_burst tcp_bulk
slow 100 100kbit
speed="each packet takes milliseconds"
rows tcp_connect tcp_connect_timeout tcp_accept tcp_burst
tap_is "packets have waited" "$(tc -s qdisc show dev lo | grep -c 'overlimits [1-9]')" 1
tap_done
