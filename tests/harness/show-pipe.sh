#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show-pipe: what is shown of a pipe that still grows is there as soon as the MAD is, in every form
# that needs nothing of what follows.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
pid=
trap 'test -z "$pid" || kill "$pid"; rm -rf "$work"' EXIT
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
"$top_builddir/tests/tools/every-mad" "$work/every.pcap" >"$work/out" 2>&1
cd "$work" || exit 99
mkfifo pipe

# The file's header is 24 bytes, the first two records 16 and 306 each: one MAD is there, and a part
# of the second.
first=500

# NAME PATTERN OPTION...: a line that fits the pattern is there while the pipe is open.
grows() {
	name=$1
	pattern=$2
	shift 2
	"$umadrig" show "$@" - <pipe >out 2>err &
	pid=$!
	exec 3>pipe
	head -c $first every.pcap >&3
	tries=0
	while ! grep -q -e "$pattern" out && [ "$tries" -lt 600 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
	tap_is "$name: the first MAD, at once" "$(grep -c -e "$pattern" out)/$(kill -0 "$pid" && echo on)" 1/on
	tail -c +$((first + 1)) every.pcap >&3
	exec 3>&-
	wait "$pid"
	status=$?
	pid=
	"$umadrig" show "$@" every.pcap >want
	tap_is "$name: the rest, when the pipe is closed" "$status/$(cat err)/$(cmp out want 2>&1)" 0//
}
grows "lines" "tid=0x0123456789000000"
grows "every field" "^          TransactionID  *0x0123456789000000" -v
grows "--fields" "0x0123456789000000" --fields
grows "--json" '"TransactionID":"0x0123456789000000"' --json
grows "a diagram" "tid=0x123456789000000 at" --mermaid
grows "with a filter" "tid=0x0123456789000000" --where tid=0x0123456789000000

tap_ok "a pipe that never was a capture is refused" test "$(
	echo "no capture" | "$umadrig" show - 2>&1 | grep -c 'this is text, not a capture')" = 1
tap_done
