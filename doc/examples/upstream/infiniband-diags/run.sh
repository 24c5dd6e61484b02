#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run.sh [SCRIPT]: tests a script that looks at a fabric by infiniband-diags (default: health.sh):
# it says that a fabric is well which is, and names what is planted into one that is not. TAP.
# FABRIC: that of your site, as ibnetdiscover has printed it (default: cluster.net).
set -u
umadrig=${UMADRIG:-umadrig} here=$(cd "$(dirname "$0")" && pwd)
script=${1:-$here/health.sh} fabric=${FABRIC:-$here/cluster.net}
PATH=$PATH:/usr/sbin:/sbin
for program in "$umadrig" iblinkinfo ibqueryerrors; do
	command -v "$program" >/dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
count=0 failed=0

# NAME STATUS TEXT [COMMAND-TO-THE-FABRIC...]
check() {
	count=$((count + 1)) name=$1 status=$2 text=$3
	shift 3
	for line; do set -- "$@" --do "$line"; shift; done
	said=$(timeout -k 1 60 "$umadrig" exec --fabric "$fabric" "$@" -- sh "$script" 2>&1)
	was=$?
	case $was:$said in
	"$status:"*"$text"*) echo "ok $count - $name" ;;
	*)
		failed=1
		echo "not ok $count - $name"
		printf '%s\n' "expected: status $status, $text" "actual: status $was" "$said" | sed 's/^/# /'
		;;
	esac
}
check "a fabric that is well" 0 healthy
check "a link that is narrow" 1 "narrow: S1" 'link degrade S1[5] 1x'
check "a port with errors" 1 "errors: port 2 of S1: 100" 'PerformanceSet "S1"[2] PortCounters.SymbolErrorCounter=100'
check "a cable that is pulled is none of its business" 0 healthy 'link down S1[4]'
echo "1..$count"
exit $failed
