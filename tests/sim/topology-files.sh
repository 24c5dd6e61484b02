#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# topology-files: every available fabric description loads completely: an independent comparison
# finds each node and each end, and their numbers are those in the list of origins.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=.}"
: "${AWK:=awk}"
. "$top_srcdir/tests/rig/tap.sh"

print=$top_builddir/tests/tools/topology-print
shared=$top_srcdir/../shared/topologies
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

compare() {
	"$AWK" -v all=1 -f "$top_srcdir/tests/stock/graph-read.awk" \
		-f "$top_srcdir/tests/stock/graph-compare.awk" \
		"$@" 2>&1
}

# "SWITCHES CAS ENDS": the list of origins for a file, less the ends that lead nowhere.
origin() {
	"$AWK" -F '|' -v file="$1" '
		index($2, "`" file "`") {
			dangling = $8 ~ /peer not in file/ ? $8 + 0 : 0
			print $4 + 0, $5 + 0, $6 - dangling
		}' "$shared/ORIGIN.md"
}

# FILE [COUNTS]: the whole file, loaded and printed, is the file.
same() {
	"$print" "$1" >"$work/printed" 2>"$work/said"
	summary=$(compare "$1" "$work/printed")
	status=$?
	if [ $status = 0 ]; then
		tap_pass "$(basename "$1") is loaded whole"
	else
		tap_fail "$(basename "$1") is loaded whole" "$summary" "$(cat "$work/said")"
	fi
	[ $# = 1 ] || tap_is "$(basename "$1") has as many as its origin says" \
		"$(echo "$summary" |
		sed -n '$s/\([0-9]*\) switches \([0-9]*\) CAs \([0-9]*\) link ends.*/\1 \2 \3/p')" \
		"$2"
}

# The comparison itself detects each kind of difference; otherwise its silence would mean nothing.
sees() {
	sed "$2" "$top_srcdir/tests/data/tree.topo" >"$work/changed"
	summary=$(compare "$top_srcdir/tests/data/tree.topo" "$work/changed")
	if [ $? = 0 ]; then
		tap_fail "the comparison sees $1" "$summary"
	else
		tap_has "the comparison sees $1" "$summary" "$3"
	fi
}

# The number of nodes of each kind by the number of their cables to each kind.
degrees() {
	"$print" "$1" 2>/dev/null | "$AWK" '
		/^(Switch|Ca)/ { kind = $1; nodes++ }
		/^\[/ { split($2, peer, "\""); ends[nodes " " kind " " substr(peer[2], 1, 1)]++ }
		END {
			for (key in ends) {
				split(key, part, " ")
				count[part[2] " with " ends[key] " to " part[3]]++
			}
			for (line in count)
				print count[line], line
		}' | sort
}

for file in "$top_srcdir"/tests/data/*.topo "$top_srcdir"/tests/data/*.net; do
	same "$file"
done

# Fat trees of any size load without a message, and have the requested shape. HCAS RADIX LEVELS
# SWITCHES ENDS
fat_tree() {
	"$top_srcdir/tests/bench/fat-tree" "$1" "$2" "$3" >"$work/fat-tree-$1-$2-$3"
	same "$work/fat-tree-$1-$2-$3" "$4 $1 $5"
	tap_is "fat-tree $1 $2 $3: nothing to find fault with" "$(cat "$work/said")" ""
}
# Leaves half a radix each, as many spines; a cable from each leaf to each spine.
fat_tree 8 4 2 6 32
fat_tree 100 36 2 24 416
# A full one of radix 4: 8 edge, 8 aggregation, 4 core switches; 16 cables between each two levels.
fat_tree 16 4 3 20 96

sees "a rate" '/^\[1\].*4xHDR/s/4xHDR/1xSDR/' 'rate of port 1'
sees "a LID" 's/enhanced port 0 lid 1 /enhanced port 0 lid 77 /' 'LID is 77'
sees "an LMC" 's/lid 8 lmc 2/lid 8 lmc 0/' 'LMC of port 1 is 0'
sees "a description" 's/"node2 mlx5_0"$/"node9 mlx5_0"/' 'description is'
sees "a node GUID" 's/0c0020/0c0fff/' 'missing'
sees "a port GUID" 's/^\[1\](101000c0021)/[1](101000c0fff)/' 'GUID of port 1'
sees "a port count" 's/^Switch	8 /Switch	9 /' 'number of ports'
sees "a moved cable" '/^\[4\]/s/\[1\](101000c0021)/[2](101000c0021)/' "peer's port of port 4"
sees "a missing cable" '/^\[3\]/d' 'missing'
sees "a device" 's/devid=0xd2f0/devid=0xd2f2/' 'device is d2f2'
sees "port 0's kind" 's/enhanced port 0/base port 0/' 'port 0 is base'

# The other shapes that can be generated, written and loaded again.
for shape in torus:3x3,2 dragonfly+:3,2,2,2; do
	"$top_builddir/umadrig" topology --generate "$shape" >"$work/${shape%%:*}"
	tap_is "$shape is generated" $? 0
	same "$work/${shape%%:*}"
	tap_is "$shape: nothing to find fault with" "$(cat "$work/said")" ""
done
if [ -d "$shared" ]; then
	for file in "$shared"/ibnetdiscover/* "$shared"/ibsim/*; do
		counts=$(origin "$(basename "$file")")
		[ -n "$counts" ] || counts="(not in the list)"
		same "$file" "$counts"
	done
	for file in "$shared"/opensm/*.fdbs "$shared"/opensm/*.log "$shared"/opensm/*.txt \
		"$shared"/outputs/*; do
		if "$print" "$file" >"$work/printed" 2>"$work/said"; then
			tap_fail "$(basename "$file") is refused"
		else
			tap_has "$(basename "$file") is refused" "$(cat "$work/said")" \
				"ibsim net files, ibnetdiscover dumps, OpenSM subnet lists, profiles"
		fi
	done
	for file in "$shared"/ibdm/*; do
		"$print" "$file" >"$work/printed" 2>"$work/said"
		if [ $? = 0 ] && [ ! -s "$work/said" ]; then
			tap_pass "$(basename "$file") is loaded without a word"
		elif grep -q 'no model of a system' "$work/said" &&
			! ls -d /usr/lib/*/ibdm*/ibnl >/dev/null 2>&1; then
			tap_skip "$(basename "$file")" \
				"ibutils, which has its models, is not installed"
		else
			tap_fail "$(basename "$file") is loaded without a word" \
				"$(cat "$work/said")"
		fi
	done
	# The same cluster, by its boxes and by its devices.
	if ls -d /usr/lib/*/ibdm*/ibnl >/dev/null 2>&1; then
		tap_is "RhinoBased512 by its boxes has the nodes and cables that it has by its devices" \
			"$(degrees "$shared/ibdm/ibutils-RhinoBased512.topo")" \
			"$(degrees "$shared/opensm/ibutils-RhinoBased512.lst")"
	else
		tap_skip "RhinoBased512 by its boxes" \
			"ibutils, which has its models, is not installed"
	fi
fi
tap_done
