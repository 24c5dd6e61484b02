#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# scenarios-statements: every statement about the kernel's behaviour, 1 to 110, has a scenario that
# shows it, or doc/fidelity.md says why it has none.
set -u
. "$top_srcdir/tests/rig/tap.sh"

listed=$("$top_builddir/umadrig" run --list "$top_srcdir/scenarios" --tag statement |
	sed -n '/missing$/!s/^statement *\([0-9]*\) .*/\1/p' | sort -nu)
explained=$(sed -n 's/^\* statement \([0-9]*\):.*/\1/p' "$top_srcdir/doc/fidelity.md" | sort -nu)

tap_is "1 to 110: each has a scenario or a reason" \
	"$(printf '%s\n' $listed $explained | sort -nu | tr '\n' ' ')" "$(seq -s ' ' 1 110) "
tap_is "and none has both" "$(printf '%s\n' $listed $explained | sort -n | uniq -d)" ""

tap_done
