# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# programs.sh: the distribution's programs on a built kernel, in virtual time, each twice. Sourced
# by check-kernels: $umadrig and $top_srcdir are absolute, $work is a directory of its own.

# What each part runs in a directory of its own, and what it has to print.
bring_up='opensm -o -f log >out 2>&1
grep -c "SUBNET UP" log'
bring_up_prints=1

# OpenSM writes its log at once with -d 2 alone.
start_opensm='opensm -d 2 -f sm.log >sm.out 2>&1 &
until grep -q "SUBNET UP" sm.log 2>/dev/null; do sleep 0.1; done'
osmtest="$start_opensm"'
for flow in c a; do
	osmtest -f $flow -i inventory -t 500 -l log.$flow >out.$flow 2>&1
	echo "$flow: $? $(grep -c "TEST .* PASS" out.$flow)"
done
kill $!'
osmtest_prints='c: 0 1
a: 0 1'

# Answers of many segments, of which each cable loses one in fifty.
records="$start_opensm"'
for record in NR:24 PIR:192 SL2VL:664 LFTR:8 LR:64 SMIR:2 PR:576 SWIR:16 GIR:24 VLAR:352; do
	saquery -t 1000 "${record%:*}" >out 2>&1 || echo "${record%:*}: status $?"
	[ "$(grep -c dump out)" = "${record#*:}" ] || echo "${record%:*}: $(grep -c dump out)"
done
kill $!'
records_print=""

# From the first host to three others, whose kernels put the segments together.
mixed="$start_opensm"'
for host in H2 H3 H4; do
	UMADRIG_HOST=$host saquery -t 60000 SL2VL >out 2>&1 || echo "$host: status $?"
	echo "$host: $(grep -c dump out)"
done
kill $!'
mixed_prints='H2: 664
H3: 664
H4: 664'

# KERNEL NAME FABRIC COMMAND PRINTS: twice, with the same capture
on_kernel_twice() {
	rm -rf "$work/one" "$work/two"
	for part in one two; do
		mkdir "$work/$part"
		(
			cd "$work/$part" || exit 99
			timeout -k 5 600 "$umadrig" exec --fabric \
				"$3,state=cold,clock=virtual,kernel=$1,capture=../$part.pcapng" -- \
				sh -c "$4" >../printed 2>../said
		)
		tap_is "$2" "$?: $(cat "$work/printed")" "0: $5"
	done
	tap_ok "$2: both captures are the same" cmp "$work/one.pcapng" "$work/two.pcapng"
}

# KERNEL NAME
check_programs() {
	for program in opensm osmtest saquery sminfo; do
		command -v "$program" >/dev/null && continue
		tap_skip "$2: programs" "there is no $program (Debian: opensm, infiniband-diags)"
		return
	done
	on_kernel_twice "$1" "$2: OpenSM on 1,000 adapters" generate:fat-tree:1000,36 \
		"$bring_up" "$bring_up_prints"
	on_kernel_twice "$1" "$2: osmtest -f c, -f a" "$top_srcdir/tests/data/ring.net" \
		"$osmtest" "$osmtest_prints"
	on_kernel_twice "$1" "$2: all records, with losses" \
		"$top_srcdir/scenarios/programs/sixteen-hosts.net,fault=drop 2%,seed=5" \
		"$records" "$records_print"
	tap_ok "$2: two OpenSMs, and a hand-over" "$umadrig" run --twice --fail-on-skip \
		--kernel "$1" "$top_srcdir/doc/examples/failover/failover.mad"
}

# KERNEL KERNEL...: in one fabric. H1 to H4 have the first four in turn, all others the last.
check_mixed() {
	command -v opensm >/dev/null && command -v saquery >/dev/null || return 0
	of_hosts=
	host=1
	for kernel in "$@"; do
		[ "$host" -gt 4 ] || of_hosts="$of_hosts,kernel=H$host:$kernel"
		host=$((host + 1))
	done
	on_kernel_twice "$kernel$of_hosts" "$# kernels in one fabric: messages from one to the others, with losses" \
		"$top_srcdir/scenarios/programs/sixteen-hosts.net,fault=drop 2%,seed=5" "$mixed" "$mixed_prints"
	tap_ok "$# kernels in one fabric: the capture names them" \
		grep -qa 'linux-[^ ]* at H1, linux-[^ ]* at H2' "$work/one.pcapng"
}
