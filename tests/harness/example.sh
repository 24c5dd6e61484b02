#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# example: the program that users may copy does what it claims.
set -u
. "$top_srcdir/tests/rig/tap.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

out=$("$top_builddir/tests/lost-answer" "$work/a.pcapng" 2>&1)
tap_is "doc/examples/lost-answer.c: status" $? 0
tap_has "doc/examples/lost-answer.c" "$out" \
	"6 requests, 6 answers, 5 of them lost, in 31 virtual seconds"
"$top_builddir/tests/lost-answer" "$work/b.pcapng" >/dev/null 2>&1
tap_ok "twice the same, to the byte" cmp "$work/a.pcapng" "$work/b.pcapng"
out=$("$top_builddir/tests/lost-answer" "$work/nowhere/c.pcapng" 2>&1)
tap_is "it fails where something is not so: status" $? 1
tap_has "and says what" "$out" "not so: umadrig_capture_start"

tap_done
