#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-saquery: the distribution's saquery gets complete answers from the distribution's OpenSM,
# both unmodified: every record of the fabric, as a program without an SA reads it with SMPs, and as
# many as the description has. Nothing is left out at any size.
# $OPENSM_ALL: also fabrics of 1,000 and 5,000 HCAs.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm saquery
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch saquery
member=$top_builddir/tests/tools/sa-member
sm_limit=${OPENSM_ALL:+600}
sm_limit=${sm_limit:-120}

# KIND ARGUMENT...: saquery's output, sorted, one line per record, in $work/got.
query() {
	query_kind=$1
	shift
	on "" saquery "$query_kind" "$@" >"$work/out" 2>"$work/err"
	query_status=$?
	"$AWK" -v kind="$query_kind" -f "$top_srcdir/tests/stock/sa-records.awk" "$work/out" |
		LC_ALL=C sort >"$work/got"
	return "$query_status"
}

# NAME KIND ARGUMENT...: expects the records of $work/want, in any order.
wanted_are() {
	wanted_name=$1
	shift
	LC_ALL=C sort -o "$work/want" "$work/want"
	if ! query "$@"; then
		tap_fail "$wanted_name: saquery $*" "$(cat "$work/err")"
	elif cmp -s "$work/want" "$work/got"; then
		tap_pass "$wanted_name: saquery $*, $(wc -l <"$work/got") records"
	else
		tap_fail "$wanted_name: saquery $*" \
			"$(wc -l <"$work/want") wanted, $(wc -l <"$work/got") came" \
			"$(diff "$work/want" "$work/got" | head -n 10)"
	fi
}

# NAME KIND ARGUMENT...: expects the records of the fabric.
records_are() {
	on "" "$walker" -R "$2" >"$work/want" 2>/dev/null
	[ -s "$work/want" ] || tap_fail "$1: the fabric has no $2"
	wanted_are "$@"
}

# NAME COUNT: expects this many records from the last query; the number is computed independently.
came() {
	tap_is "$1" "$(wc -l <"$work/got" | tr -d ' ')" "$2"
}

# NAME FROM TO: one path, from LID to LID, requested in three ways.
path_is() {
	query PR --slid "$2" --dlid "$3"
	path_one=$(cat "$work/got")
	on "" saquery --src-to-dst "$2:$3" 2>/dev/null >"$work/out"
	path_two=$("$AWK" -v kind=PR -f "$top_srcdir/tests/stock/sa-records.awk" "$work/out")
	path_gids=$("$AWK" -F '\\.\\.+' \
		'/sgid/ { s = $2 } /dgid/ { d = $2 } END { print s "-" d }' \
		"$work/out")
	path_three=$(on "" saquery --sgid-to-dgid "$path_gids" 2>/dev/null |
		"$AWK" -v kind=PR -f "$top_srcdir/tests/stock/sa-records.awk")
	[ "$path_one" = "PR $2 $3" ] && [ "$path_two" = "PR $2 $3" ] &&
		[ "$path_three" = "PR $2 $3" ] && return
	echo "from $2 to $3: '$path_one' '$path_two' '$path_three'"
}

# NAME COUNT: paths between this many pairs, spread over all LIDs.
paths_are() {
	query NR
	cp "$work/got" "$work/nodes"
	from=$("$AWK" 'END { print $2 }' "$work/nodes")
	wrong=$("$AWK" -v count="$2" '
		{ lid[NR] = $2 }
		END {
			for (i = 0; i < count; i++)
				print lid[1 + int(i * NR / count)], lid[1 + (i * 7919 + 13) % NR]
		}' "$work/nodes" | while read -r one other; do
		path_is "$1" "$one" "$other"
	done)
	tap_is "$1: PR by source and destination, $2 pairs" "$wrong" ""
	for end in --slid --dlid; do
		"$AWK" -v end=$end -v lid="$from" '
			{ print "PR", end == "--slid" ? lid " " $2 : $2 " " lid }' \
			"$work/nodes" >"$work/want"
		wanted_are "$1" PR "$end" "$from"
	done
}

# COMMAND: runs it on each host of the fabric; prints each line with its count.
from_each() {
	on "" sh -c 'while read -r host guid; do
			UMADRIG_HOST=$host
			export UMADRIG_HOST
			eval "$1"
		done' sh "$1" <"$work/hosts" 2>"$work/err" | sort | uniq -c | sed 's/^ *//'
}

# NAME FORMAT: one line per host, "%h" is its name, "%g" its port's GUID.
wanted_of_each() {
	sed 's/[&\]/\\&/g' "$work/hosts" | "$AWK" -v format="$1" '{
			line = format
			gsub(/%h/, $1, line)
			gsub(/%g/, $2, line)
			print line
		}'
}

# NAME: the groups and services that programs registered with the SA.
told_are_whole() {
	group=ff12:401b:ffff::1
	query NR
	sed -n 's/^NR [0-9]* 0x[0-9a-f]* \(0x[0-9a-f]*\) 1 Channel Adapter \(.*\) HCA-1$/\2 \1/p' \
		"$work/got" >"$work/hosts"
	hosts=$(wc -l <"$work/hosts" | tr -d ' ')
	query MCMR --smkey 1
	cp "$work/got" "$work/others"
	said=$(from_each "$member join $group")
	tap_has "$1: all $hosts HCAs join a group" "$said" "$hosts status 0x0000 mlid 0xc"
	mlid=${said##* }
	{ cat "$work/others" && wanted_of_each "MCMR $group %g $mlid 0x1"; } >"$work/want"
	wanted_are "$1" MCMR --smkey 1
	# OpenSM computes the group's tree some time after it has answered the joins.
	if within "$sm_limit" group_is_whole; then
		tap_pass "$1: what one sends to the group reaches each other once"
	else
		tap_fail "$1: the group" "$(head -n 5 "$work/group")"
	fi
	tap_is "$1: they leave" "$(from_each "$member leave $group")" "$hosts status 0x0000"
	cp "$work/others" "$work/want"
	wanted_are "$1" MCMR --smkey 1

	tap_is "$1: every HCA registers two services" "$(from_each "
		$member register 0x1000 \"of \$host\"
		$member register 0x1001 \"of \$host too\"")" "$((2 * hosts)) status 0x0000"
	{ wanted_of_each "SR 0x0000000000001000 of %h"
	  wanted_of_each "SR 0x0000000000001001 of %h too"; } >"$work/want"
	wanted_are "$1" SR
}

group_is_whole() {
	"$umadrig" ctl --socket "$work/socket" multicast "$mlid" >"$work/group" &&
		grep -q "^members $hosts whole $hosts$" "$work/group"
}

# HCAS: a fat tree with an SM, and everything in it.
tree_is_whole() {
	tree=fat-tree:$1
	"$umadrig" topology --check --generate "$tree" >"$work/count"
	nodes=$(sed 's/.*: \([0-9]*\) switch[a-z]*, \([0-9]*\) CAs.*/\1 \2/' "$work/count" |
		"$AWK" '{ print $1 + $2 }')
	links=$(sed 's/.* \([0-9]*\) links.*/\1/' "$work/count")
	fabric_serve "generate:$tree,state=cold"
	sm_start a ""
	tap_is "$tree is up" "$(sm_wait a 1)" ""
	in_order "$tree"
	records_are "$tree" NR
	came "$tree: a record for each node" "$nodes"
	records_are "$tree" PIR
	records_are "$tree" LR
	came "$tree: one for each end of a link" $((2 * links))
	records_are "$tree" LFTR
	told_are_whole "$tree"
}

# HCAS [-t MILLISECONDS]: and all paths.
paths_are_whole() {
	tree=fat-tree:$1
	shift
	records_are "$tree" PR "$@"
	came "$tree: a path from each node to each" $((nodes * nodes))
}

tree_is_whole 6,4
paths_are_whole 6,4
paths_are fat-tree:6,4 10
said=$(from_each "$member join ff12:401b:ffff::2; exit")
tap_has "one HCA joins another group" "$said" "1 status 0x0000 mlid 0xc"
tap_is "without the SM_Key a query shows the group, but not its members" \
	"$(on "" saquery -g 2>/dev/null | grep -c 'MGID\.*ff12:401b:ffff::2') $(
		on "" saquery -m "${said##* }" 2>/dev/null | sed -n 's/.*PortGid\.*//p')" \
	"1 :: (<unknown>)"

tree_is_whole 100
paths_are_whole 100
if [ -n "${OPENSM_ALL:-}" ]; then
	tree_is_whole 1000
	paths_are fat-tree:1000 50
	query PR
	tap_is "fat-tree:1000: saquery's own second is too short for all paths" "$?" 110
	tap_has "as it says" "$(cat "$work/err")" "Connection timed out"
	paths_are_whole 1000 -t 200000
	tree_is_whole 5000
	paths_are fat-tree:5000 50
fi

tool_rows subnet <<'END'
saquery NR, PIR, LR, LFTR, MCMR, SR, SMIR | first MAD of the answer, exit status 0 | every record, up to 5,000 HCAs | fat-tree:6,4: saquery NR
saquery PR | first MAD of the answer | every path, up to 1,000 HCAs; -t is needed then | fat-tree:6,4: saquery PR
saquery PR --slid, --dlid, --src-to-dst, --sgid-to-dgid | right | right | fat-tree:6,4: PR by source
END
tap_done
