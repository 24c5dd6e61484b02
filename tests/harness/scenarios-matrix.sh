#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# scenarios-matrix: every single MAD of messages in segments, including requests and ACKs, is lost,
# late, duplicated, corrupt with wrong CRCs and with correct ones: each has the outcome that its
# scenario states. One line per class; the points that fail are shown. UMADRIG_MATRIX_EVERY=N: every
# N-th of them.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

# The three at once: each keeps a processor busy, and takes long under sanitizers.
classes="sa vendor device" every=${UMADRIG_MATRIX_EVERY:-1}
for class in $classes; do
	(
		"$top_builddir/umadrig" run --every="$every" "$top_srcdir/scenarios/rmpp/matrix-$class.mad" \
			>"$class.out" 2>"$class.said"
		echo $? >"$class.status"
	) &
done
wait

least=$((19665 / every))
for class in $classes; do
	status=$(cat "$class.status")
	[ "$status" = 0 ] || { head -n 50 "$class.said"; grep '^Bail out!' "$class.out"; } | sed 's/^/# /'
	tap_is "$class: all pass" "$status:$(grep '^not ok' "$class.out" | head -n 5)" 0:
	tap_ok "$class: at least $least points" test "$(grep -c '^ok' "$class.out")" -ge $least
done

tap_done
