#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-opensm: the distribution's OpenSM, unmodified, brings a fabric up from its state after
# power-up: every port gets a LID, every link becomes Active, and the tables it writes lead from
# each port to each. Two independent programs check it: the simulator, with its own forwarding
# (report=), and fabric-walk, which reads everything with SMPs and follows the tables itself.
# $OPENSM_ALL: all shared topologies, not only the small ones, and larger generated ones.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs opensm dump_lfts
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch opensm
walker=$top_builddir/tests/tools/fabric-walk
limit=${OPENSM_ALL:+600}
limit=${limit:-120}

# FABRIC ARGUMENT...: OpenSM sweeps once and exits, then fabric-walk checks the fabric. The log is
# in $work/log, the report in $work/report, the engine that made the tables in $engine.
sm() {
	sm_fabric=$1
	shift
	rm -rf "$work/log" "$work/report" "$work/walk" "$work/cache"
	mkdir "$work/cache"
	# Routes that go up and then down lead from no root to another, and packets on them never
	# wait for each other in a cycle; unless OpenSM chose roots itself, and chose linked ones.
	# shellcheck disable=SC2016
	OSM_CACHE_DIR=$work/cache OSM_TMP_DIR=$work/cache timeout -k 5 "$limit" \
		"$umadrig" exec --fabric "$sm_fabric,state=cold,report=$work/report" -- sh -c '
			walker=$1 work=$2
			shift 2
			opensm -o -f "$work/log" "$@" || exit
			case "$(grep " tables configured" "$work/log") $*" in
			*"ftree tables"* | *"updn tables"*" -a "*) walk="-u -c" ;;
			*"updn tables"*) walk=-u ;;
			*) walk="" ;;
			esac
			"$walker" $walk >"$work/walk" 2>&1
		' sh "$walker" "$work" "$@" >"$work/out" 2>&1
	sm_status=$?
	engine=$(sed -n 's/.* \([a-z]*\) tables configured.*/\1/p' "$work/log" | tail -n 1)
	return "$sm_status"
}

# "ends 3 with-lid 3 active 3", "links ...", "ways ...": all of them are the same number.
all_well() {
	"$AWK" -v engine="$engine" '
		BEGIN { up_down = engine == "updn" || engine == "ftree" }
		/^(ends|links|ways) / {
			seen[$1] = $2
			if ($1 == "ways" && up_down)
				next
			for (i = 4; i <= NF; i += 2)
				if ($i != $2)
					bad = bad "\n" $0
		}
		/^link / || (/^lost / && !up_down) || (/^end / && !/ Active$/) {
			bad = bad "\n" $0
		}
		END {
			if (seen["ends"] < 2 || seen["links"] < 1 || seen["ways"] < 4)
				bad = bad "\nthere is no fabric"
			print substr(bad, 2)
		}' "$work/report"
}

# NAME FABRIC ARGUMENT...
comes_up() {
	up_name=$1
	shift
	if ! sm "$@"; then
		tap_fail "$up_name" "$(cat "$work/out")" "$(tail -n 20 "$work/log" 2>&1)" \
			"$(head -n 30 "$work/walk" 2>&1)"
	elif ! grep -q "SUBNET UP" "$work/log"; then
		tap_fail "$up_name" "it is not up" "$(tail -n 20 "$work/log")"
	else
		up_wrong=$(all_well 2>&1 | head -n 20)
		if [ -z "$up_wrong" ]; then
			tap_pass "$up_name, $engine: $(grep ways "$work/walk")"
		else
			tap_fail "$up_name" "$up_wrong"
		fi
	fi
}

# NAME FABRIC: with each engine. If the shape does not suit the engine, OpenSM reports so and uses
# minhop; up/down works with any root, but OpenSM does not always find one.
comes_up_by_all() {
	for all_engine in minhop updn ftree; do
		comes_up "$1 with -R $all_engine" "$2" -R "$all_engine"
		if [ "$engine" != "$all_engine" ]; then
			tap_has "OpenSM says why its tables are of $engine" "$(cat "$work/log")" \
				"$all_engine: cannot build lid matrices"
		fi
	done
	sed -n 's/^end .*\[0\] guid \(0x[0-9a-f]*\) .*/\1/p' "$work/report" |
		head -n 1 >"$work/root"
	comes_up "$1 with -R updn and a root" "$2" -R updn -a "$work/root"
	tap_is "its tables are of updn" "$engine" updn
}

# SPEC: a fat tree suits each engine, so none may fall back.
tree_comes_up() {
	for tree_engine in minhop updn ftree; do
		comes_up "$1 with -R $tree_engine" "generate:fat-tree:$1" -R "$tree_engine"
		tap_is "its tables are of $tree_engine" "$engine" "$tree_engine"
	done
}

comes_up_by_all tree.topo "$data/tree.topo"
comes_up "tree.topo with four LIDs a port" "$data/tree.topo" -l 2
comes_up_by_all ring.net "$data/ring.net"
tree_comes_up 16,8,2
tree_comes_up 16,4,3
comes_up "a torus" generate:torus:3x3x3,1
comes_up "a dragonfly+" generate:dragonfly+:3,2,2,2
comes_up "rails with aggregation nodes" generate:rail:6,4,8,aggregation=yes

# No error in a broken fabric goes undetected.
sm "$data/tree.topo"
sed 's/lead [0-9]*/lead 1/' "$work/report" >"$work/broken"
mv "$work/broken" "$work/report"
tap_has "a way less is noticed" "$(all_well)" "lead 1"
walk=$(stock "" "$data/ring.net,state=cold" "$walker" 2>&1)
tap_has "fabric-walk sees that LIDs are missing" "$walk" "ring3[0] has LID 0"
tap_has "and that no link is Active" "$walk" "a1[1] is in state 2"
tap_has "and, on a torus, where packets could wait for each other" \
	"$(stock "" generate:torus:3x3x3,1 "$walker" -c 2>&1)" \
	"packets may wait in a circle"
# OpenSM loads tables from a file: two switches send what is for a1 to each other, and what is for
# b1 goes to a1.
stock "" "$data/ring.net" dump_lfts 2>/dev/null | "$AWK" '
	/^Unicast/ { table = substr($0, length($0) - 6, 5) }
	/: .a1.\)$/ && table == "ring3" { $2 = "002" }
	/: .a1.\)$/ && table == "ing 2" { $2 = "001" }
	/: .b1.\)$/ && table == "ing 1" { $2 = "003" }
	{ print }' >"$work/tables"
sm "$data/ring.net" -R file -U "$work/tables"
tap_has "it sees a circle" "$(cat "$work/walk")" "goes in circles"
tap_has "and what comes to the wrong port" "$(cat "$work/walk")" "ends at another port"
tap_has "so does the report" "$(all_well)" "it goes in circles"

if [ -d "$shared" ]; then
	for file in "$shared"/ibsim/* "$shared"/ibnetdiscover/* "$shared"/opensm/*.lst \
		    "$shared"/ibdm/*; do
		# A line of ibdm's is a box.
		case $file in
		*/ibdm/*) most=3000 ;;
		*) most=20000 ;;
		esac
		if [ -z "${OPENSM_ALL:-}" ] && [ "$(wc -c <"$file")" -gt "$most" ]; then
			continue
		fi
		comes_up_by_all "$(basename "$file")" "$file"
	done
else
	for kind in ibsim ibnetdiscover; do
		comes_up_by_all "$kind" "$top_srcdir/tests/fuzz/corpus-topology/$kind"
	done
fi
if [ -n "${OPENSM_ALL:-}" ]; then
	tree_comes_up 100
	tree_comes_up 972	# whole pods, or ftree reports that it is no fat tree
	comes_up fat-tree:5000 generate:fat-tree:5000
	comes_up torus:6x6x6,4 generate:torus:6x6x6,4
	comes_up dragonfly+:8,4,4,8 generate:dragonfly+:8,4,4,8
fi

tool_rows subnet <<'END'
opensm -o, -f FILE, -R ENGINE, minhop, updn, ftree, -a FILE, -l LMC | comes up | comes up on every topology, with the requested engine or with OpenSM's reason why not; every route arrives, with ftree and with updn from one root free of credit loops | tree.topo with
opensm -R file, -U FILE (a table that lacks a way) | - | comes up, and the way is missed | a way less
END
tap_done
