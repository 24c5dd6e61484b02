#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# umad-ibsim: the ib_umad backend under ibsim's preload library, which fakes sysfs and character
# devices by replacing libc's functions. Debian's own tools, run once with Debian's libibumad and
# once with ours, must print the same.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
. "$top_srcdir/tests/rig/tap.sh"

PATH=$PATH:/usr/sbin:/sbin
shim=
for file in /usr/lib/*/umad2sim/libumad2sim.so /usr/lib/umad2sim/libumad2sim.so; do
	[ -e "$file" ] && shim=$file
done
ours=$top_builddir/.libs
[ -e "$ours/libibumad.so.3" ] || tap_skip_all "no shared library was built (--disable-shared)"
[ -n "$shim" ] || tap_skip_all "no libumad2sim.so (ibsim-utils)"
for tool in ibsim ibstat smpquery ibnetdiscover timeout; do
	command -v $tool >/dev/null || tap_skip_all "no $tool (ibsim-utils, infiniband-diags)"
done
if nm -D "$ours/libibumad.so.3" | grep -q __asan_; then
	tap_skip_all "a library with sanitizers cannot be put in front of a program without"
fi

# The preload library writes its sysfs into the working directory.
work=$(mktemp -d) || exit 99
ibsim_pid=
opensm_pid=
# shellcheck disable=SC2317 # it is called by the trap
cleanup() {
	for pid in $opensm_pid $ibsim_pid; do
		kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	cd / && rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 99' HUP INT TERM
net=$(cd "$top_srcdir" && pwd)/tests/data/two-switches.net
ours=$(cd "$ours" && pwd)
cd "$work" || exit 99

unset UMAD_BACKEND
# NAME: starts ibsim on a socket of that name; it exits by itself after two minutes, in case this
# script is killed.
start_ibsim() {
	IBSIM_SOCKNAME=umadrig-test-$$-$1
	export IBSIM_SOCKNAME
	timeout 120 ibsim -s -n "$net" >ibsim.log 2>&1 </dev/null &
	ibsim_pid=$!
}
start_ibsim first

# LIBRARY-DIR HOST COMMAND...: runs a command in the fabric, on a host of it.
under_ibsim() {
	lib=$1
	host=$2
	shift 2
	SIM_HOST=$host LD_LIBRARY_PATH=$lib LD_PRELOAD=$shim timeout 20 "$@" 2>&1 |
		sed -e 's/generated on .*/generated on (a day)/' -e 's/\[[0-9][0-9]*\] /[pid] /'
}

# Wait until it answers; an early connection is refused at once.
wait_for_ibsim() {
	tries=0
	until under_ibsim "" HostA ibstat | grep -q '^CA '; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] && kill -0 "$ibsim_pid" 2>/dev/null || return 1
		sleep 0.1
	done
}
if ! wait_for_ibsim; then
	sed 's/^/# /' ibsim.log
	tap_skip_all "ibsim does not start here"
fi

# Which library was it really?
used=$(SIM_HOST=HostA LD_LIBRARY_PATH=$ours LD_PRELOAD=$shim LD_TRACE_LOADED_OBJECTS=1 \
	"$(command -v ibstat)" | awk '$1 == "libibumad.so.3" { print $3 }')
tap_is "the tools run on the library of this build" "$used" "$ours/libibumad.so.3"

# NAME HOST PART COMMAND...: the same output from both libraries, with PART in it.
compare() {
	name=$1
	host=$2
	part=$3
	shift 3
	usual_output=$(under_ibsim "" "$host" "$@")
	our_output=$(under_ibsim "$ours" "$host" "$@")
	tap_is "$name" "$our_output" "$usual_output"
	tap_has "$name: it worked" "$our_output" "$part"
}

compare "ibstat on a one-port HCA" HostA "CA 'ibsim0'" ibstat
compare "ibstat on a two-port HCA" HostB "CA 'ibsim0'" ibstat
compare "ibstat on a switch" Leaf "Switch 'ibsim0'" ibstat
compare "ibstat -p: port GUIDs" HostB "0x" ibstat -p
compare "smpquery NodeInfo of the local port" HostA "Channel Adapter" smpquery nodeinfo -D 0
compare "smpquery NodeDescription over one hop" HostA "Leaf" smpquery nodedesc -D 0,1
compare "smpquery PortInfo over two hops" HostA "LinkState" smpquery portinfo -D 0,1,3 1
compare "smpquery to where nothing is" HostA "failed" smpquery nodedesc -D 0,1,7
compare "ibnetdiscover" HostA '"Spine"' ibnetdiscover
compare "ibnetdiscover from a switch" Leaf '"HostB"' ibnetdiscover
compare "iblinkinfo" HostA "Spine" iblinkinfo

# Counters increase while they are read, and so does the SM's activity count.
masked() {
	under_ibsim "$@" | sed -E -e 's/(activity count )[0-9]+/\1N/' \
		-e 's/^((Port)?(Xmit|Rcv|Unicast|Multicast|Vl)[A-Za-z0-9]*:\.*)[0-9]+$/\1N/'
}
compare_masked() {
	name=$1
	host=$2
	part=$3
	shift 3
	usual_output=$(masked "" "$host" "$@")
	our_output=$(masked "$ours" "$host" "$@")
	tap_is "$name" "$our_output" "$usual_output"
	tap_has "$name: it worked" "$our_output" "$part"
}

# LIBRARY-DIR: runs an SM on that library; true when the subnet is up.
start_opensm() {
	rm -rf opensm
	mkdir opensm
	SIM_HOST=HostA OSM_TMP_DIR=$work/opensm OSM_CACHE_DIR=$work/opensm LD_LIBRARY_PATH=$1 \
		LD_PRELOAD=$shim timeout 100 opensm -f "$work/opensm/log" >opensm/out 2>&1 \
		</dev/null &
	opensm_pid=$!
	tries=0
	while ! subnet_is_up; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] && kill -0 "$opensm_pid" 2>/dev/null || return 1
		sleep 0.1
	done
}
subnet_is_up() {
	under_ibsim "" HostB ibroute 2 | grep -q '^5 valid lids' &&
		under_ibsim "" HostB ibstat | grep -q 'State: Active'
}

# LIBRARY-DIR: the subnet as the SM has configured it.
subnet() {
	under_ibsim "$1" HostB ibnetdiscover
	under_ibsim "$1" HostB iblinkinfo
	under_ibsim "$1" HostB ibroute 2
	under_ibsim "$1" HostB ibroute 3
	under_ibsim "$1" HostB saquery -N
	under_ibsim "$1" HostB saquery LR
	masked "$1" HostB sminfo
}

# An SM on our library; programs that need one; and the same SM on the usual library, in a fresh
# fabric.
if ! command -v opensm >/dev/null; then
	tap_skip "OpenSM brings the subnet up" "no opensm"
	tap_done
	exit
fi
if start_opensm "$ours"; then
	tap_pass "OpenSM brings the subnet up"
	compare "ibstat: the port is active" HostB "State: Active" ibstat
	compare "ibaddr" HostB "LID start" ibaddr
	compare "ibtracert by LID" HostB "To ca" ibtracert 1 4
	compare "ibroute" HostB "valid lids dumped" ibroute 2
	compare "ibnetdiscover with LIDs" HostB '"Spine"' ibnetdiscover
	compare "iblinkinfo with LIDs" HostB "Active" iblinkinfo
	compare "smpquery by LID" HostB "HostA" smpquery nodedesc 1
	compare "smpquery by GUID" HostB "Guid" smpquery -G nodeinfo \
		"$(under_ibsim "" HostB ibstat -p | head -n 1)"
	compare "saquery ClassPortInfo" HostB "SA ClassPortInfo" saquery CPI
	compare "saquery: all NodeRecords, in segments" HostB "HostA" saquery
	compare "saquery: all LinkRecords" HostB "LinkRecord" saquery LR
	compare "saquery: a PathRecord" HostB "PathRecord" saquery -p --src-to-dst 4:1
	compare_masked "sminfo" HostB "SMINFO_MASTER" sminfo
	compare_masked "perfquery" HostB "PortRcvPkts" perfquery
	compare_masked "perfquery of another port, extended" HostB "PortUnicastXmitPkts" perfquery \
		-x 2 3
	compare "perfquery of no such LID" HostB "failed" perfquery -t 100 99 1
	ours_made=$(subnet "$ours")
	kill "$opensm_pid" "$ibsim_pid" 2>/dev/null
	wait "$opensm_pid" "$ibsim_pid" 2>/dev/null
	start_ibsim second
	if wait_for_ibsim && start_opensm ""; then
		tap_is "OpenSM on the usual library makes the same of it" "$ours_made" \
			"$(subnet "")"
	else
		tap_fail "OpenSM on the usual library" "$(tail -5 opensm/log 2>&1)"
	fi
else
	tap_fail "OpenSM brings the subnet up" "$(tail -5 opensm/log 2>&1)"
fi
tap_done
