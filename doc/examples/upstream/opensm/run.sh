#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run.sh [OPENSM]: an OpenSM (default: that of PATH) on simulated fabrics, in virtual time: four
# routing engines, a failover, and RUNS (default: 20) runs with lost packets. Prints TAP.
set -u
umadrig=${UMADRIG:-umadrig} opensm=${1:-opensm} here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
command -v "$umadrig" >/dev/null || { echo "1..0 # SKIP no umadrig"; exit 0; }
opensm=$(command -v "$opensm") || { echo "1..0 # SKIP no opensm"; exit 0; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
count=0 failed=0

# NAME COMMAND...
check() {
	count=$((count + 1)) name=$1
	shift
	if "$@" >said 2>&1; then
		echo "ok $count - $name"
	else
		failed=1
		echo "not ok $count - $name"
		sed 's/^/# /' said
	fi
}
# ENGINE FABRIC: all ports come up, every way leads, also between roots, and the engine has made it.
routes() {
	mkdir "$1" && OSM_TMP_DIR=$work/$1 OSM_CACHE_DIR=$work/$1 timeout 60 "$umadrig" exec \
		--fabric "$2,state=cold,clock=virtual" --finally 'all-active within 60s' \
		--finally 'every-way-leads within 60s' -- sh -c \
		'"$1" -R "$2" -z -f "$2/log" >"$2/out" 2>&1 & sm=$!; sleep 120; kill $sm; wait $sm' \
		sh "$opensm" "$1" && grep -q "$1 tables configured" "$1/log"
}
check "min-hop" routes minhop generate:fat-tree:20,8
check "up/down" routes updn generate:fat-tree:20,8
check "fat tree" routes ftree generate:fat-tree:20,8
check "lash, in a torus" routes lash generate:torus:3x3,1

# The scenario and the plan start "opensm".
mkdir bin
ln -s "$opensm" bin/opensm
PATH=$work/bin:$PATH
check "the standby takes over" "$umadrig" run --tap --fail-on-skip "$here/failover.mad"
check "losses, ${RUNS:-20} runs" "$umadrig" explore --plan "$here/losses.plan" --runs "${RUNS:-20}"
echo "1..$count"
exit $failed
