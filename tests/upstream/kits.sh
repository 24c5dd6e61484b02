#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-kits: doc/examples/upstream has a directory for each of four projects. Each works as it
# stands when it is copied to somewhere else, is green with the programs of this machine, and is red
# where it should be. make check-current has RDMA_CORE_BIN and OPENSM_BUILT, of their sources.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

PATH=$PATH:/usr/sbin:/sbin
mkdir bin "a project"
ln -s "$umadrig" bin/umadrig
cp -R "$top_srcdir"/doc/examples/upstream/* "a project/"
chmod -R u+w "a project"
kits="$work/a project" PATH=$work/bin:$PATH
unset UMAD_BACKEND UMADRIG_HOST

# NAME STATUS COMMAND...: its TAP is in "said"; a row with its status, or skipped with its reason.
kit() {
	kit_name=$1 kit_status=$2
	shift 2
	timeout -k 5 300 "$@" >said 2>&1
	kit_was=$?
	kit_skip=$(sed -n 's/^1\.\.0 # SKIP //p' said)
	if [ -n "$kit_skip" ] && [ "$kit_status" != 4 ]; then
		tap_skip "$kit_name" "$kit_skip"
	elif [ "$kit_was" = "$kit_status" ]; then
		tap_pass "$kit_name: $(grep -c '^ok' said) ok, $(grep -c '^not ok' said) not ok"
	else
		tap_fail "$kit_name" "expected: status $kit_status" "actual: status $kit_was" "$(cat said)"
	fi
}
has() {
	[ -n "$kit_skip" ] && [ "$kit_status" != 4 ] || tap_has "... $1" "$(cat said)" "$2"
}

# ---- rdma-core ----

begun=$(date +%s)
if command -v ibstat >/dev/null 2>&1; then
	kit "rdma-core, as installed" 0 sh "$kits/rdma-core/run.sh"
	has "all of it" "1..7"
	tap_ok "... in less than a minute" test $(($(date +%s) - begun)) -lt 60
	case $(ibstat -V 2>&1 | sed -n 's/.*BUILD VERSION: \([0-9]*\).*/\1/p') in
	[0-9] | [1-5][0-9] | 6[0-2])
		kit "a bug that ought to have gone is seen" 1 env RELEASE=999 sh "$kits/rdma-core/run.sh"
		has "and named" "not ok 1 - dump_fts shows a route by port 200 (green)"
		;;
	esac
else
	tap_skip "rdma-core, as installed" "no ibstat"
fi
if [ -n "${RDMA_CORE_BIN:-}" ]; then
	kit "rdma-core, of its source" 0 sh "$kits/rdma-core/run.sh" "$RDMA_CORE_BIN/.."
	has "all of it" "1..7"
else
	tap_skip "rdma-core, of its source" "RDMA_CORE_BIN does not name build/bin of rdma-core's source"
fi

# ---- OpenSM ----

tap_ok "OpenSM's failover is that of the examples" cmp "$top_srcdir/doc/examples/failover/failover.mad" \
	"$kits/opensm/failover.mad"
kit "OpenSM, as installed" 0 env RUNS=3 sh "$kits/opensm/run.sh"
has "all of it" "1..6"
printf '#!/bin/sh\nexec sleep 1000\n' >lazy
chmod +x lazy
if command -v opensm >/dev/null 2>&1; then
	kit "an OpenSM that does nothing is red" 1 env RUNS=1 sh "$kits/opensm/run.sh" "$work/lazy"
	tap_is "... in each row" "$(grep -c '^not ok' said)" 6
fi
if [ -n "${OPENSM_BUILT:-}" ]; then
	kit "OpenSM, of its source" 0 sh "$kits/opensm/run.sh" "$OPENSM_BUILT"
	has "all of it" "1..6"
else
	tap_skip "OpenSM, of its source" "OPENSM_BUILT does not name an opensm"
fi

# ---- users of infiniband-diags ----

kit "a script with infiniband-diags" 0 sh "$kits/infiniband-diags/run.sh"
has "all of it" "1..4"
echo 'echo healthy; ibstat -l >/dev/null' >blind
kit "one that sees nothing is red" 1 sh "$kits/infiniband-diags/run.sh" "$work/blind"
has "where it should see something" "not ok 2 - a link that is narrow"
has "and nowhere else" "ok 4 - "

# ---- Linux ----

selftest="$kits/linux-rdma/umad_statements.sh"
kit "Linux, on umadrig's own fabric" 0 env BACKEND=sim sh "$selftest"
tap_is "... it is KTAP" "$(sed -n 1,2p said)" "KTAP version 1
1..6"
class=$work/class
mkdir -p "$class/infiniband_mad/umad0" "$class/infiniband/rxe0/ports/1"
kit "no port: it is skipped, by kselftest's status" 4 env CLASS="$class" sh "$selftest"
echo rxe0 >"$class/infiniband_mad/umad0/ibdev"
echo 1 >"$class/infiniband_mad/umad0/port"
echo Ethernet >"$class/infiniband/rxe0/ports/1/link_layer"
echo "4: ACTIVE" >"$class/infiniband/rxe0/ports/1/state"
kit "nor is it one of RoCE" 4 env CLASS="$class" sh "$selftest"
echo InfiniBand >"$class/infiniband/rxe0/ports/1/link_layer"
echo "2: INIT" >"$class/infiniband/rxe0/ports/1/state"
kit "nor one that is not active" 4 env CLASS="$class" sh "$selftest"
echo "4: ACTIVE" >"$class/infiniband/rxe0/ports/1/state"
[ -e /sys/class/infiniband/rxe0 ] || {
	kit "one that is there, but not for umadrig, is no success" 1 env CLASS="$class" sh "$selftest"
	has "and named" rxe0
}
sed -i 's/mad.status=0x000c/mad.status=0x0000/' "$kits/linux-rdma/self.mad"
kit "a kernel that does something else is red" 1 env BACKEND=sim sh "$selftest"
has "by its statement" "not ok 6 - self.mad: nobody takes it"
has "with a capture" "# captures of what failed: "
rm -rf "$(sed -n 's/^# captures of what failed: //p' said)"
tap_is "kselftest installs each scenario" \
	"$(sed -n 's/^TEST_FILES := //p' "$kits/linux-rdma/Makefile")" "$(cd "$kits/linux-rdma" && echo *.mad)"

# ---- their workflows ----

if python3 -c 'import yaml' 2>/dev/null; then
	for project in rdma-core opensm; do
		tap_is "$project: the workflow runs run.sh" "$(python3 -c 'import sys, yaml
jobs = yaml.safe_load(open(sys.argv[1]))["jobs"]
print(sum("run.sh" in step.get("run", "") for job in jobs.values() for step in job["steps"]))' \
			"$kits/$project/umadrig.yml")" 1
	done
else
	tap_skip "the workflows" "no python3-yaml"
fi
tap_done
