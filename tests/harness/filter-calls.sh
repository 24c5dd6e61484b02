#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# filter-calls: a static program on umad devices below "umadrig exec --how filter": each call with
# its errors, a device that is removed, and a distribution's programs with messages larger than a
# socket.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

unset UMAD_BACKEND UMADRIG_HOST LD_PRELOAD

any_needs_filter
any_builds_static device-calls "$top_srcdir/tests/tools/device-calls.c"

# NAME: a test for each line "ok NAME" or "not ok NAME" of file 'out'
report() {
	while read -r line; do
		case $line in
		"ok "*) tap_pass "$1: ${line#ok }" ;;
		"not ok "*) tap_fail "$1: ${line#not ok }" ;;
		esac
	done <out
}

timeout -s KILL 120 "$umadrig" exec --how filter -- ./device-calls >out 2>err
tap_is "calls: status" "$?" 0
tap_is "calls: all of them" "$(grep -c "ok " out)" 86
tap_is "calls: without a word but the banner" "$(grep -cv "^simulated fabric" err)" 0
report calls

mkfifo ready
"$umadrig" serve --socket socket >ready 2>serve.err &
server=$!
# shellcheck disable=SC2154 # set by the trap
trap 'kill "$server" 2>/dev/null; cd /; rm -rf "$work"' EXIT
read -r line <ready
tap_has "serve is ready" "$line" socket
timeout -s KILL 60 "$umadrig" exec --attach socket --host H1 --how filter -- \
	./device-calls removal >out 2>err &
program=$!
tries=0
until grep -q "^ready" out || [ "$tries" -eq 300 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
tap_ok "the device is removed" "$umadrig" ctl --socket socket device remove H1
wait "$program"
tap_is "removal: all of it" "$(grep -c "ok " out)" 6
report removal
kill "$server"
wait "$server"

PATH=$PATH:/usr/sbin:/sbin
if command -v opensm >/dev/null && command -v saquery >/dev/null; then
	# 125 nodes: each to each is 1 MB.
	timeout -s KILL 300 "$umadrig" exec --fabric generate:fat-tree:104,16 --how filter -- sh -c '
		opensm -s 0 -f - >log 2>&1 &
		until grep -q "SUBNET UP" log 2>/dev/null; do sleep 0.1; done
		saquery -p | grep -c "dgid"
		kill $!; wait' >out 2>err
	tap_is "saquery of all paths between 125 nodes" "$(cat out)" 15625
else
	tap_skip "saquery of all paths" "no opensm or saquery here"
fi
tap_done
