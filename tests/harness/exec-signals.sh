#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-signals: calls that no signal interrupts are interrupted by none below "umadrig exec", where
# a program loads the library.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

interrupted=$(cd "$top_builddir" && pwd)/tests/tools/interrupted
none="stat 0 lstat 0 fstatat 0 statx 0 access 0 readlink 0 getcwd 0 chdir 0 open 0 FIFO: EINTR"
tap_is "alone" "$("$interrupted" 2000 | xargs)" "$none"
for how in preload both; do
	tap_is "--how $how" \
		"$(timeout 120 "$umadrig" exec --how "$how" -- "$interrupted" 5000 2>err | xargs)" \
		"$none"
done
tap_done
