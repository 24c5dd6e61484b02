#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-hide: "umadrig exec" takes real umad and issm devices out of a program's sight. Made-up
# devices stand in a /dev of our own, in a namespace of our own.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
probe=$top_builddir/tests/tools/exec-probe

if [ $# = 0 ]; then
	if unshare -rm true 2>/dev/null; then exec unshare -rm sh "$0" user; fi
	if unshare -m true 2>/dev/null; then exec unshare -m sh "$0" mount; fi
	tap_skip_all "neither a user nor a mount namespace can be made here"
fi

work=$(mktemp -d) || exit 99
trap 'umount -l /dev; umount "$work/dev/null"; rm -rf "$work"' EXIT
mkdir -p "$work/dev/infiniband/by-path"
touch "$work/dev/null" "$work/dev/infiniband/umad0" "$work/dev/infiniband/umad17" \
	"$work/dev/infiniband/issm0" "$work/dev/infiniband/by-path/ib0"
echo verbs >"$work/dev/infiniband/uverbs0"
if ! { mount --bind /dev/null "$work/dev/null" && mount --rbind "$work/dev" /dev; } 2>/dev/null; then
	tap_skip_all "no /dev of our own can be mounted here"
fi

inside() {
	"$umadrig" exec -- "$probe" then "$@" 2>"$work/err"
}

tap_is "the devices are in sight without umadrig" "$(ls /dev/infiniband | tr '\n' ' ')" \
	"by-path issm0 umad0 umad17 uverbs0 "
tap_is "umad and issm are not, with it" "$(inside ls /dev/infiniband | tr '\n' ' ')" \
	"H1 lid 1 by-path uverbs0 "
tap_is "the others are what they were" "$(inside cat /dev/infiniband/uverbs0 | tail -n 1)" verbs
tap_is "directories too" "$(inside ls /dev/infiniband/by-path | tail -n 1)" ib0
tap_lacks "nothing is said of it" "$(cat "$work/err")" "hidden"
tap_is "outside they are in sight still" "$(ls /dev/infiniband | tr '\n' ' ')" \
	"by-path issm0 umad0 umad17 uverbs0 "

# No further namespaces. In a user namespace of our own only: else it would be all of the machine's.
if [ "$1" = user ] && echo 0 >/proc/sys/user/max_mnt_namespaces 2>/dev/null; then
	out=$(inside ls /dev/infiniband)
	tap_has "where it may not, it says so" "$(cat "$work/err")" "cannot be hidden"
	tap_has "and goes on" "$out" "H1 lid 1"
else
	tap_skip "where it may not, it says so" "the number of namespaces cannot be limited here"
fi

rm "$work/dev/infiniband/umad0" "$work/dev/infiniband/umad17" "$work/dev/infiniband/issm0"
inside true >/dev/null
tap_lacks "without such devices there is nothing to say" "$(cat "$work/err")" "hidden"

tap_done
