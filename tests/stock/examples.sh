#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-examples: the examples below doc/examples that run the distribution's programs do what their
# README.md says, in a copy, and fail if the program under test is wrong.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibnetdiscover python3
PATH=$top_builddir:$PATH PYTHONPATH=$top_srcdir/python UMADRIG_BUILD=$top_builddir
PYTHONDONTWRITEBYTECODE=1
export PATH PYTHONPATH UMADRIG_BUILD PYTHONDONTWRITEBYTECODE
cp -R "$top_srcdir/doc/examples" "$work/examples"
chmod -R u+w "$work/examples"
cd "$work" || exit 99

# EXAMPLE [ARGUMENT...]: prints what it prints, and its status in a last line.
run_example() {
	run_folder=$1
	shift
	"$work/examples/$run_folder/run.sh" "$@" 2>"$work/err"
	echo "status $?"
}

# EXAMPLE FILE SCRIPT: the program with a mistake, by sed.
spoil() {
	cp "$work/examples/$1/$2" "$work/right"
	sed "$3" "$work/right" >"$work/examples/$1/$2"
	cmp -s "$work/right" "$work/examples/$1/$2" && echo "nothing is spoiled"
}

# PROGRAM...: are they there?
have() {
	for have_program; do
		command -v "$have_program" >/dev/null 2>&1 || return 1
	done
}

tap_is "discovery: 600 and 5,000 hosts" "$(run_example discovery)" "right: 768 switches, 600 hosts
right: 413 switches, 5000 hosts
status 0"
tap_is "discovery: a host without a cable is missed" \
	"$(run_example discovery 64 2 16 quirk=port-down:host-7)" \
	"host-7: not found: mlx5_0 mlx5_1
status 1"
cat >pulled <<'EOT'
umadrig ctl Unlink 'MF0;spine-0:MQM9700/U1[1]' >&2
ibnetdiscover
EOT
tap_is "discovery: a leaf that lacks a cable is oversubscribed" \
	"$("$umadrig" exec --fabric generate:rail:16,2,8 -- sh pulled 2>"$work/err" |
	python3 examples/discovery/discover.py | python3 examples/discovery/check.py 16 2 8)" \
	"pod-0-leaf-0 is oversubscribed: 3 cables up, 4 hosts"

if have ibqueryerrors; then
	out=$(run_example exporter)
	tap_has "exporter: the hour passes" "$out" "61 scrapes in 3600 s
status 0"
	tap_is "exporter: all rates are right" "$(echo "$out" | grep -c '^right: rate(')" 6
	spoil exporter exporter.py 's/(?:0x\\w+ )?/0x\\w+ /'
	tap_has "exporter: errors of hosts that are not understood are missed" \
		"$(run_example exporter)" \
		'WRONG: rate(infiniband_port_xmit_wait_total{node="host-1 HCA-1",port="1"}) is 0,'
else
	tap_skip "exporter" "no ibqueryerrors here (Debian: infiniband-diags)"
fi

if have opensm; then
	tap_is "link-flap: as expected" "$(run_example link-flap)" "right: 3 alerts, as expected
status 0"
	spoil link-flap flap_alert.py 's/counters\["LinkDownedCounter"\]/0/'
	tap_has "link-flap: an alert that does not come is missed" "$(run_example link-flap)" \
		"status 1"
else
	tap_skip "link-flap" "no opensm here (Debian: opensm)"
fi

if have opensm sminfo saquery; then
	tap_is "failover: in time" "$(run_example failover | grep -c -e '^ok ' -e '^status 0')" 3
	spoil failover failover.mad 's/(1000, 4s, 3s)/(2000, 4s, 3s)/'
	tap_is "failover: one that comes too late is missed" \
		"$(run_example failover | grep -o -e '^ok 1' -e '^not ok 2' -e '^status .' | tr '\n' ' ')" \
		"ok 1 not ok 2 status 1 "
else
	tap_skip "failover" "no opensm, sminfo or saquery here (Debian: opensm, infiniband-diags)"
fi
tap_done
