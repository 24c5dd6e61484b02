#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lab-table: the table of make check-lab, made from the output of the simulator and of a kernel.
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# What umadrig run printed in the lab, shortened.
cat >"$work/sim.tap" <<'EOF'
TAP version 13
1..8
# umadrig 0.1.0: backend sim, virtual clock; seed each scenario's own; profile linux-6.12
ok 1 - agent.mad: class and OUI choose [Get]
ok 2 - agent.mad: class and OUI choose [Set]
ok 3 - order.mad: the shorter timeout is reported first
ok 4 - dropped.mad: the wrong QP: dropped [SMP on QP1]
ok 5 - dropped.mad: the wrong QP: dropped [SA on QP0]
ok 6 - local.mad: the port's own NodeInfo
1..2
ok 1 - matrix.mad: a segment that is lost costs 2 s [segments=2 bad=1]
ok 2 - matrix.mad: a segment that is lost costs 2 s [segments=2 bad=2]
EOF
# The lab's console ends lines with CR LF.
sed 's/sim, virtual clock/ib_umad rxe0\/1 -> rxe1\/1 by w0,w1, real clock/
	s/ - dropped.mad.*SMP on.*/& # SKIP needs ib: this port has no LIDs/
	s/ - local.mad.*/& # SKIP needs ib: this port has no LIDs/
	s/$/\r/' "$work/sim.tap" >"$work/good.tap"

# KERNEL.TAP [LEAST]: the table in $work/table, the status in $status.
table() {
	awk -v least="${2:-3}" -f "$top_srcdir/tests/lab/table.awk" world=sim "$work/sim.tap" \
		world=kernel "$1" >"$work/table"
	status=$?
}

table "$work/good.tap"
tap_is "nothing differs: status" $status 0
tap_is "nothing differs: the table" "$(cat "$work/table")" \
"sim      kernel   points  scenario
pass     pass     2       agent.mad: class and OUI choose
pass     pass     1       order.mad: the shorter timeout is reported first
pass     1/2      2       dropped.mad: the wrong QP: dropped   (needs ib: this port has no LIDs)
pass     skip     1       local.mad: the port's own NodeInfo   (needs ib: this port has no LIDs)
pass     pass     2       matrix.mad: a segment that is lost costs 2 s

skipped on the kernel:    2 points, needs ib: this port has no LIDs
4 of 5 scenarios ran on the kernel: 6 points pass in both worlds, 0 differ or fail"

table "$work/good.tap" 5
tap_is "too few scenarios: status" $status 1
tap_has "too few scenarios: reported" "$(cat "$work/table")" \
	"only 4 scenarios ran on the kernel: at least 5 are to"

# GIVEN EDIT SCENARIO POINT: the kernel's TAP after EDIT has a scenario line and one for the point.
differs() {
	sed "$2" "$work/good.tap" >"$work/bad.tap"
	table "$work/bad.tap"
	tap_is "$1: status" $status 1
	tap_is "$1: the scenario, then the point" "$(grep -A 1 "^$3" "$work/table")" "$3
$4"
	tap_has "$1: the sum" "$(tail -n 1 "$work/table")" "5 points pass in both worlds, 1 differ or fail"
}

differs "a point fails on the kernel" 's/^ok 2 - agent/not &/' \
	"pass     FAIL     2       agent.mad: class and OUI choose" \
	"    pass  FAIL    agent.mad: class and OUI choose [Set]"
differs "the kernel's run ends early" '/bad=2/d' \
	"pass     FAIL     2       matrix.mad: a segment that is lost costs 2 s" \
	"    pass  -       matrix.mad: a segment that is lost costs 2 s [segments=2 bad=2]"

sed '/^not ok/d; s/^ok 3/not ok 3/' "$work/sim.tap" >"$work/worse.tap"
mv "$work/worse.tap" "$work/sim.tap"
table "$work/good.tap"
tap_is "a point fails on the simulator" "$status:$(grep -c '^    FAIL  pass    order' "$work/table")" 1:1
tap_has "which counts in its column" "$(cat "$work/table")" "FAIL     pass     1       order.mad"

{ cat "$work/good.tap"; echo 'Bail out! port rxe0/1 cannot be read'; } >"$work/bail.tap"
table "$work/bail.tap"
tap_has "a run that gives up says why" "$(cat "$work/table")" \
	"the kernel gave up: port rxe0/1 cannot be read"

{ cat "$work/good.tap"; echo 'not ok 4 - order.mad: the shorter timeout is reported first'; } >"$work/twice.tap"
table "$work/twice.tap"
tap_has "a point of the same name hides none" "$(cat "$work/table")" \
	"order.mad: the shorter timeout is reported first (2)"

tap_done
