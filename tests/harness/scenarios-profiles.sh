#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# scenarios-profiles: a scenario that names no kernel holds for every kernel that the simulator can
# be, and one that names some holds for each of those. Of the matrices only a sample is run.
set -u
. "$top_srcdir/tests/rig/tap.sh"

for profile in linux-6.1 linux-5.10 linux-6.12 linux-6.17 linux-7.2; do
	out=$("$top_builddir/umadrig" run --profile $profile "$top_srcdir/scenarios/dispatch" \
		"$top_srcdir/scenarios/peer" "$top_srcdir/scenarios/ports" "$top_srcdir/scenarios/rmpp"/[!m]*.mad "$top_srcdir/scenarios/route" \
		"$top_srcdir/scenarios/timeout" "$top_srcdir/scenarios/umad" \
		"$top_srcdir/scenarios/wire" 2>/dev/null)
	tap_is "$profile: all pass" "$?:$(printf '%s\n' "$out" | grep '^not ok')" 0:
	out=$("$top_builddir/umadrig" run --profile $profile --every 200 \
		"$top_srcdir/scenarios/rmpp"/matrix-*.mad 2>/dev/null)
	tap_is "$profile: the matrices" "$?:$(printf '%s\n' "$out" | grep '^not ok')" 0:
done

tap_done
