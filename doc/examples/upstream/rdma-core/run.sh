#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run.sh [BUILD]: what rdma-core has mended once stays mended: its diagnostic tools and libibumad,
# on simulated fabrics. BUILD is the directory where rdma-core was built (build/bin, build/lib);
# without it, what is installed is tested. Prints TAP; takes seconds. RELEASE: the release that is
# tested, where ibstat -V does not say it; a bug of other releases is expected not to be there.
set -u
umadrig=${UMADRIG:-umadrig}
command -v "$umadrig" >/dev/null || { echo "1..0 # SKIP no umadrig"; exit 0; }
if [ -n "${1:-}" ]; then
	build=$(cd "$1" && pwd) || exit 99
	PATH=$build/bin:$PATH
	LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export LD_LIBRARY_PATH
fi
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
release=${RELEASE:-$(ibstat -V 2>&1 | sed -n 's/.*BUILD VERSION: \([0-9]*\).*/\1/p')}
count=0 failed=0

# FROM FIXED NAME RED GREEN ACTUAL: the bug was in the releases FROM to before FIXED.
bug() {
	count=$((count + 1))
	if [ "${release:-999}" -ge "$1" ] && [ "${release:-999}" -lt "$2" ]; then
		expected=$4 colour="red: before $2"
	else
		expected=$5 colour=green
	fi
	if [ "$6" = "$expected" ]; then
		echo "ok $count - $3 ($colour)"
	else
		failed=1
		echo "not ok $count - $3 ($colour)"
		printf '%s\n' "expected: $expected" "actual: $6" | sed 's/^/# /'
	fi
}

# FABRIC COMMAND...: below the filter a program has its own libibumad, which is the one under test.
with_its_library() {
	on=$1
	shift
	timeout -k 1 100 "$umadrig" exec --how filter --fabric "$on" -- "$@" 2>&1
}
with_ours() {
	on=$1
	shift
	timeout -k 1 100 "$umadrig" exec --fabric "$on" -- "$@" 2>&1
}
# COUNT PORTS: a host, node1, with so many adapters of so many ports; the first of each has a cable.
net_of_adapters() {
	awk -v count="$1" -v ports="$2" 'BEGIN {
		print "vendid=0x2c9\ndevid=0xcf08\nswitchguid=0x100(100)"
		print "Switch\t64 \"S-0000000000000100\"\t\t# \"spine\" base port 0 lid 1 lmc 0"
		for (i = 0; i < count; i++)
			printf "[%d]\t\"H-%016x\"[1]\n", i + 1, 4096 + 16 * i
		for (i = 0; i < count; i++) {
			at = 4096 + 16 * i
			printf "\nvendid=0x2c9\ndevid=0x1003\ncaguid=0x%x\n", at
			printf "Ca\t%d \"H-%016x\"\t\t# \"node1 mlx5_%d\"\n", ports, at, i
			printf "[1](%x)\t\"S-0000000000000100\"[%d]\t\t# lid %d\n", at + 1, i + 1, i + 2
		} }'
}
nodes() { grep -c -e '^Switch' -e '^Ca'; }

# 03472ce0b: dump_fts leaves out routes by port 128 and beyond.
net_of_adapters 1 1 | sed -e 's/^Switch	64/Switch	200/' -e 's/^\[1\]	"H/[200]	"H/' \
	-e 's/"S-0000000000000100"\[1\]/"S-0000000000000100"[200]/' >wide.net
bug 0 63 "dump_fts shows a route by port 200" "" "0x0002 200" \
	"$(with_ours wide.net dump_fts | sed -n 's/^\(0x0002 [0-9]*\) : .*/\1/p')"

# de83d1c20: after a PortInfo was lost, the cache that ibnetdiscover writes loads no node.
with_ours "generate:fat-tree:4,4,fault=drop 4 attr=0x15 to host-3" ibnetdiscover --cache cache -t 50 >found
bug 0 64 "the cache has what was found, but for a PortInfo that was lost" 0 "$(nodes <found)" \
	"$(ibnetdiscover --load-cache cache 2>/dev/null | nodes)"

# 66fcb26ca: ibnetdiscover -g crashes at a port without a cable of a Voltaire router.
net_of_adapters 1 1 | sed -e '1s/.*/vendid=0x8f1/' -e '2s/.*/devid=0x5a00/' >router.net
bug 0 64 "ibnetdiscover -g, of a router with ports without a cable" 0 2 \
	"$(with_ours router.net ibnetdiscover -g | nodes)"

# 26480ca93: ibqueryerrors -D sends its SMP from the handle for GMPs.
bug 56 60 "ibqueryerrors -D 0,1" "" "1 nodes checked" \
	"$(with_ours generate:fat-tree:4,4 ibqueryerrors --skip-sl -D 0,1 | sed -n 's/^## Summary: \(1 nodes checked\).*/\1/p')"

# Where no program can be filtered (in some containers), the others are left out.
with_its_library generate:fat-tree:4,4 true >filter.out
if [ $? = 125 ]; then
	sed 's/^/# /' filter.out
	for name in "a port that is down, by its name" "an adapter beside one whose port has GUID 0" \
		"the last of 40 adapters"; do
		count=$((count + 1))
		echo "ok $count - $name # SKIP umadrig's filter does not run here"
	done
	echo "1..$count"
	exit $failed
fi

# 862aede44: libibumad refuses a port that is down, although adapter and port were given.
net_of_adapters 1 2 >two-ports.net
bug 56 61 "a port that is down, by its name" "" "node1 mlx5_0" \
	"$(with_its_library two-ports.net smpquery -C mlx5_0 -P 2 ND -D 0 | sed -n 's/^Node Description:\.*//p')"

# 01650abb7: libibumad opens no adapter of a host where one port has GUID 0.
bug 56 58 "an adapter beside one whose port has GUID 0" "" "host-0 mlx5_1" \
	"$(with_its_library "generate:rail:1,2,4,quirk=port-guid-0:host-0 mlx5_0" \
		smpquery -C mlx5_1 ND -D 0 | sed -n 's/^Node Description:\.*//p')"

# b44eef016: of 40 adapters libibumad pairs 32.
net_of_adapters 40 1 >many.net
bug 56 61 "the last of 40 adapters" "" "node1 mlx5_39" \
	"$(with_its_library many.net smpquery -C mlx5_39 ND -D 0 | sed -n 's/^Node Description:\.*//p')"

echo "1..$count"
exit $failed
