# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# own-tree.sh: made-up devices (usual-tree.sh) in a namespace of the test's own. Sourced with the
# test's arguments, "$@": the first time, without any, it runs the test again inside, and ends with
# its status. Inside, $1 is the kind of namespace (user or mount), and $work a directory.

if [ $# = 0 ]; then
	work=$(mktemp -d) || exit 99
	if unshare -rm true 2>/dev/null; then
		unshare -rm sh "$0" user "$work"
	elif unshare -m true 2>/dev/null; then
		unshare -m sh "$0" mount "$work"
	else
		tap_skip_all "neither a user nor a mount namespace can be made here"
	fi
	status=$?
	rm -rf "$work"
	exit "$status"
fi
work=$2
# Programs need the null device, which the made-up /dev would hide.
touch "$work/null" && mount --bind /dev/null "$work/null" || exit 99
. "$top_srcdir/tests/rig/usual-tree.sh"
mount --bind "$work/null" /dev/null || exit 99
