# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# upstream.sh: what the tests of bugs in other projects share. Each shows one bug that its project
# has mended, with the release that this machine has: red where it has the bug, green where not.
# doc/upstream-bugs.md is the list. Sourced, behind top_srcdir.

. "$top_srcdir/tests/stock/stock-fabric.sh"
cd "$work" || exit 99

# RELEASE FROM FIXED: is the bug in it? They are numbers as in 56.1.
bug_between() {
	"$AWK" -v release="$1" -v from="$2" -v fixed="$3" 'BEGIN {
		split(release, r, "."); split(from, f, "."); split(fixed, x, ".")
		at = r[1] * 1000 + r[2]
		exit !(at >= f[1] * 1000 + f[2] && at < x[1] * 1000 + x[2]) }'
}

# PROJECT RELEASE FROM FIXED: the bug came with FROM and went with FIXED; without a release the
# script is skipped. What follows expects the one or the other.
bug_is() {
	[ -n "$2" ] || tap_skip_all "$1 does not say which release it is"
	if bug_between "$2" "$3" "$4"; then
		bug_colour=red
	else
		bug_colour=green
	fi
	printf '# %s %s: %s (the bug is in %s to before %s)\n' "$1" "$2" "$bug_colour" "$3" "$4"
}

# NAME ACTUAL RED GREEN: the release behaves as one that has the bug, or as one that has not.
bug_shows() {
	if [ "$bug_colour" = red ]; then
		tap_is "$1 (red)" "$2" "$3"
	else
		tap_is "$1 (green)" "$2" "$4"
	fi
}

# The release of infiniband-diags and of its libraries, which come from one source.
rdma_core_release() {
	ibstat -V 2>&1 | sed -n 's/.*BUILD VERSION: \([0-9.]*[0-9]\).*/\1/p'
}

ibsim_release() {
	ibsim -V 2>&1 | sed -n 's/^ibsim \([0-9.]*\)$/\1/p'
}

# FILE: what ibsim says of it, until it serves it or refuses it.
ibsim_reads() {
	: >read.log	# what is looked for could stand there from the last time
	IBSIM_SOCKNAME=umadrig-upstream-$$ timeout -k 1 60 ibsim -s -n "$1" >read.log 2>&1 \
		</dev/null &
	ibsim_pid=$!
	within 20 ibsim_has_read
	kill "$ibsim_pid" 2>/dev/null
	wait "$ibsim_pid" 2>/dev/null
	cat read.log
}

ibsim_has_read() {
	grep -q "simulator ready" read.log || ! kill -0 "$ibsim_pid" 2>/dev/null
}

# FILE HOST COMMAND...: the command under ibsim, which serves FILE.
ibsim_runs() {
	ibsim_net=$1 ibsim_host=$2
	shift 2
	for ibsim_shim in /usr/lib/umad2sim/libumad2sim.so /usr/lib/*/umad2sim/libumad2sim.so; do
		[ ! -e "$ibsim_shim" ] || break
	done
	IBSIM_SOCKNAME=umadrig-upstream-$$
	export IBSIM_SOCKNAME
	: >ibsim.log
	timeout -k 1 60 ibsim -s -n "$ibsim_net" >ibsim.log 2>&1 </dev/null &
	ibsim_pid=$!
	within 20 grep -q "simulator ready" ibsim.log
	SIM_HOST=$ibsim_host LD_PRELOAD=$ibsim_shim timeout -k 1 20 "$@" 2>&1
	kill "$ibsim_pid"
	wait "$ibsim_pid" 2>/dev/null
}

# COUNT PORTS: a net file of a host, node1, with so many adapters of so many ports; the first
# port of each has a cable to one switch.
net_of_adapters() {
	"$AWK" -v count="$1" -v ports="$2" 'BEGIN {
		print "vendid=0x2c9\ndevid=0xcf08\nswitchguid=0x100(100)"
		print "Switch\t64 \"S-0000000000000100\"\t\t# \"spine\" base port 0 lid 1 lmc 0"
		for (i = 0; i < count; i++)
			printf "[%d]\t\"H-%016x\"[1]\n", i + 1, 4096 + 16 * i
		for (i = 0; i < count; i++) {
			at = 4096 + 16 * i
			printf "\nvendid=0x2c9\ndevid=0x1003\ncaguid=0x%x\n", at
			printf "Ca\t%d \"H-%016x\"\t\t# \"node1 mlx5_%d\"\n", ports, at, i
			printf "[1](%x)\t\"S-0000000000000100\"[%d]\t\t# lid %d\n", \
				at + 1, i + 1, i + 2
		} }'
}
