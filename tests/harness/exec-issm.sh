#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-issm: an issm device is Linux's, whatever way a program has to it: one opens it at a time, it
# cannot be read or written, and IsSM follows at once.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

calls=$top_builddir/tests/tools/issm-calls
relay=$top_builddir/tests/tools/frame-relay
node=/dev/infiniband/issm0
server=
# shellcheck disable=SC2154 # set by the trap
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD

if "$top_builddir/tests/tools/filter-here" >/dev/null &&
	! nm "$top_builddir/.libs/umadrig" 2>/dev/null | grep -q -e __asan_ -e __tsan_; then
	filters=yes
else
	filters=no
fi
if unshare -m true 2>/dev/null || unshare -rm true 2>/dev/null; then
	mounts=yes
else
	mounts=no
fi

# NAME COMMAND...: the calls, one test each
table() {
	name=$1
	shift
	timeout -s KILL 120 "$@" >out 2>err
	status=$?
	while read -r line; do
		case $line in
		"ok "*) tap_pass "$name: ${line#* - }" ;;
		"not ok "*) tap_fail "$name: ${line#* - }" ;;
		*) printf '# %s\n' "$line" ;;
		esac
	done <out
	tap_is "$name: all of them" "$status:$(grep -c '^1\.\.' out)" "0:1"
}

# NAME HOW...: below the filter, by the node
filtered() {
	name=$1
	shift
	if [ $filters = no ]; then
		tap_skip "$name" "no system call can be stopped and answered here"
	else
		table "$name" "$umadrig" exec "$@" -- "$calls" $node
	fi
}

# NAME HOW...: by libibumad's path, with a tree in /sys
shown() {
	name=$1
	shift
	if [ $mounts = no ]; then
		tap_skip "$name" "no mount namespace can be made here"
	else
		table "$name" "$umadrig" exec --sysfs "$@" -- "$calls" --sysfs
	fi
}

table "preload" "$umadrig" exec --how preload -- "$calls"
shown "preload with --sysfs" --how preload
filtered "filter" --how filter
filtered "both" --how both
table "both, libibumad's path" "$umadrig" exec --how both -- "$calls"
table "virtual time" "$umadrig" exec --fabric ,clock=virtual -- "$calls"

mkfifo ready
"$umadrig" serve --socket "$work/socket" >ready 2>serve &
server=$!
read -r line <ready
tap_is "serve is ready" "$line" "UMAD_BACKEND=attach:$work/socket"
filtered "filter with --attach" --how filter --attach "$work/socket"
shown "preload with --attach and --sysfs" --how preload --attach "$work/socket"
table "a bridge" "$umadrig" exec --how preload \
	--attach-command "exec $umadrig bridge --socket $work/socket" -- "$calls"
filtered "filter over a bridge" --how filter \
	--attach-command "exec $umadrig bridge --socket $work/socket"
# Its answer that the files are right comes before what it says of them.
filtered "filter over a bridge, replies in another order" --how filter \
	--attach-command "$umadrig bridge --socket $work/socket | $relay"
kill "$server"
wait "$server"
server=

# Nobody else can close it: virtual time knows that the thread waits, and says so.
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- "$calls" stuck >out 2>err
tap_is "a wait for ever in virtual time ends the session" "$([ $? -ne 137 ] && echo ended)" ended
tap_has "which says so" "$(cat err)" "nothing can happen any more"
tap_has "and who waits" "$(cat err)" "issm-calls waits for"
tap_done
