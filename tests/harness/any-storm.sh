#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-storm: 16 threads of 2 processes with no library of ours, under signals, and with devices that
# are removed: no request is sent twice, no answer is lost or comes to another. $ANY_SECONDS each.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

seconds=${ANY_SECONDS:-3}
any_needs_filter
any_builds_static storm "$top_srcdir/tests/any/storm.c"

mkfifo ready
"$umadrig" serve --fabric "$top_srcdir/tests/data/two-switches.net" --socket "$work/socket" \
	>ready 2>serve.err &
server=$!
trap 'kill "$server" 2>/dev/null; wait; rm -rf "$work"' EXIT
read -r line <ready

# NAME: what it counted.
storm() {
	timeout -s KILL $((seconds + 120)) "$umadrig" exec --how filter --attach "$work/socket" \
		--host HostA -- ./storm "$seconds" >out 2>err
	tap_is "$1" "$?:$(sed -n 2p out)$(grep -v '^simulated fabric' err)" \
		"0:lost 0, twice 0, swapped 0, refused 0"
	sed 's/^/# /' out
}

storm "16 threads under signals"
while sleep 0.3; do
	"$umadrig" ctl --socket "$work/socket" device remove HostA
	sleep 0.2
	"$umadrig" ctl --socket "$work/socket" node on HostA
done >changes 2>&1 &
changing=$!
storm "whose devices are removed and come back"
kill "$changing"
wait "$changing" 2>/dev/null
tap_is "which they did" "$(grep -c "gone [1-9]" out)" 1
tap_done
