#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# server-stock: the distribution's programs, several at a time, on one fabric.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibping sminfo opensm ibnetdiscover
top_srcdir=$(cd "$top_srcdir" && pwd)
umadrig=$(cd "$top_builddir" && pwd)/umadrig
library=$(cd "$top_builddir" && pwd)/.libs/libibumad.so.3
export top_srcdir top_builddir
mkdir "$work/tmp"
TMPDIR=$work/tmp OSM_TMP_DIR=$work/tmp OSM_CACHE_DIR=$work/tmp
export TMPDIR OSM_TMP_DIR OSM_CACHE_DIR

if [ "${1:-}" = ping ]; then
	UMADRIG_HOST=H2 ibping -S 2>/dev/null &
	server=$!
	# It succeeds even without an answer.
	within 60 sh -c "ibping -c 1 -f 2 | grep -q ' 0% packet loss'"
	ibping -c 50 -f 2
	kill "$server"
	exit 0
fi
has_sm() {
	ibstat 2>/dev/null | grep -q 'Capability mask: 0x.......[2367abef]'
}
has_no_sm() {
	! has_sm
}
if [ "${1:-}" = sm ]; then
	has_no_sm && echo "before: no SM"
	opensm -f "$TMPDIR/log" >/dev/null 2>&1 &
	sm=$!
	within 60 has_sm && echo "during: an SM"
	kill -9 "$sm"
	wait "$sm" 2>/dev/null
	has_no_sm && echo "killed: no SM"
	exit 0
fi

out=$("$umadrig" exec -- sh "$0" ping 2>"$work/err")
tap_has "ibping -S on one host answers ibping on the other" "$out" "50 received, 0% packet loss"
out=$("$umadrig" exec --fabric ,state=cold -- sh "$0" sm 2>"$work/err")
tap_is "IsSM is set while opensm has its issm path open, and not when it was killed" "$out" \
	"before: no SM
during: an SM
killed: no SM"

mkfifo "$work/ready"
"$umadrig" serve --fabric "$data/ring.net" --socket "$work/socket" --capture "$work/all.pcapng" \
	>"$work/ready" 2>"$work/err" &
server=$!
read -r line <"$work/ready"
tap_is "serve says where it is when it is ready" "$line" "UMAD_BACKEND=attach:$work/socket"
joined=$("$umadrig" exec --attach "$work/socket" -- ibnetdiscover 2>/dev/null | grep -v '^#')
alone=$("$umadrig" exec --fabric "$data/ring.net" -- ibnetdiscover 2>/dev/null | grep -v '^#')
tap_is "exec --attach joins it" "$joined" "$alone"
tap_has "which has its nodes" "$joined" "Switch"
"$umadrig" exec --attach "$work/socket" -- true 2>"$work/err"
tap_is "and knows when nothing was opened" $? 124
"$umadrig" exec --attach "$work/socket" --host nowhere -- ibstat >"$work/out" 2>"$work/err"
tap_has "a host that is not there is named" "$(cat "$work/err")" "there is no host 'nowhere'"
"$umadrig" serve --socket "$work/socket" 2>"$work/err"
tap_is "a second server on the same socket is refused" $? 125
kill -TERM "$server"
wait "$server"
tap_is "SIGTERM ends it in peace" $? 0
tap_ok "with its capture whole" "$umadrig" show "$work/all.pcapng"
tap_is "and its socket gone" "$(ls "$work" | grep -c socket)" 0
"$umadrig" exec --attach "$work/socket" -- ibstat 2>"$work/err"
tap_is "where no server is, exec --attach is refused" $? 125

# A killed server leaves its socket behind: clients get an error, and another server can replace it.
mkfifo "$work/held" "$work/again"
"$umadrig" serve --socket "$work/socket" >"$work/ready" &
server=$!
read -r line <"$work/ready"
UMAD_BACKEND=attach:$work/socket LD_PRELOAD=$library \
	"$top_builddir/tests/tools/exec-probe" gone "$work/held" >"$work/out" 2>"$work/err" &
program=$!
read -r line <"$work/held"
kill -9 "$server"
wait "$server" 2>/dev/null
wait "$program"
tap_is "a server is killed: programs find their devices gone" "$?:$(tail -n 1 "$work/out")" \
	"0:gone: -5"
tap_ok "its socket is there still" test -S "$work/socket"
UMAD_BACKEND=attach:$work/socket LD_PRELOAD=$library ibstat >"$work/out" 2>"$work/err"
tap_is "a program that comes then has no devices" "$?" 255
tap_has "and gets an error with the cure" "$(cat "$work/err")" \
	"no fabric server is there ('umadrig serve"
"$umadrig" serve --socket "$work/socket" >"$work/ready" &
server=$!
read -r line <"$work/ready"
tap_is "another server takes its place" "$line" "UMAD_BACKEND=attach:$work/socket"
tap_ok "and serves" "$umadrig" exec --attach "$work/socket" -- ibstat
kill -TERM "$server"
wait "$server"
rm -rf "$work"/tmp/umadrig-*	# the killed one's directory, which nobody else may remove

# Nothing is written to the working directory.
mkdir "$work/here"
(
	cd "$work/here" || exit
	"$umadrig" serve --socket "$work/socket" >"$work/ready" &
	server=$!
	read -r line <"$work/ready"
	"$umadrig" exec --attach "$work/socket" -- ibnetdiscover >/dev/null
	"$umadrig" exec -- sh "$top_srcdir/tests/sim/server-stock.sh" ping >/dev/null
	"$umadrig" exec --attach-command "$umadrig bridge --socket $work/socket" -- ibstat \
		>/dev/null
	"$umadrig" exec --fabric ,clock=virtual -- ibstat >/dev/null
	kill -TERM "$server"
	wait "$server"
) 2>"$work/err"
tap_is "nothing is written into the working directory" "$(ls -A "$work/here")" ""
tap_is "nothing is left of any server" "$(ls "$work/tmp" | grep umadrig)" ""

tap_done
