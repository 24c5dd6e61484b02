#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-own-sa: the fabric's own SA answers the distribution's saquery as OpenSM does
# on the same fabric, but for the differences that doc/fidelity.md lists, and so it does the
# requests of tests/stock/sa-requests.txt and those of every attribute, method and component, with
# errors; programs that need an SA work on a warm fabric; and OpenSM, started there, takes over.
# $OPENSM_ALL: also a fabric of 5,000 HCAs.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm saquery ibping ibqueryerrors sminfo
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch saquery ibqueryerrors ibping sminfo opensm
sm_limit=${OPENSM_ALL:+600}
sm_limit=${sm_limit:-120}

ctl() {
	"$umadrig" ctl --socket "$work/socket" "$@"
}

# What saquery prints, a line a record, in any order, without what differs on purpose
# (doc/fidelity.md).
comparable() {
	"$AWK" '
		# Records of ports, as a whole: those that are down are left out.
		/^[^ \t].* dump:/ { flush() }
		/ActCount|Capability mask|LocalPort/ { next }
		# A group that is made without a life time.
		/^MCMember/ { is_group = 1 }
		/^[^ \t].* dump:/ && !/^MCMember/ { is_group = 0 }
		is_group && /pkt_life/ { next }
		/^\t\t(VL|Weight|SL) *:/ { next }
		{ record = record $0 "|" }
		/^\t\tLinkState:\.*Down/ { is_down = 1 }
		function flush() {
			if (record && !is_down)
				print record
			record = ""
			is_down = 0
		}
		END { flush() }' "$1" | LC_ALL=C sort
}

member=$top_builddir/tests/tools/sa-member
# What programs register, and what each answer says.
register_all() {
	on host-1 "$member" join ff12:401b:ffff::1
	on host-2 "$member" join ff12:401b:ffff::1
	on host-3 "$member" join ff12:401b:ffff::1 sender
	on host-3 "$member" join ff12:401b:ffff::2
	on host-3 "$member" leave ff12:401b:ffff::2
	on host-4 "$member" leave ff12:401b:ffff::1
	on host-1 "$member" register 0x1000 one
	on host-2 "$member" register 0x1001 two
	on host-2 "$member" withdraw 0x1001 two
	on host-2 "$member" withdraw 0x1001 two
}

# DIRECTORY: the answers to all of $work/queries, a file each.
ask_all() {
	rm -rf "${work:?}/$1"
	mkdir "$work/$1"
	ask_number=0
	while read -r ask_query; do
		ask_number=$((ask_number + 1))
		# shellcheck disable=SC2086
		on host-3 saquery -t 100000 $ask_query >"$work/raw" 2>"$work/err" </dev/null
		{
			comparable "$work/raw"
			grep ERROR "$work/err"
		} >"$work/$1/$ask_number"
	done <"$work/queries"
}

# NAME: both SAs have answered alike.
answers_agree() {
	agree_number=0
	while read -r agree_query; do
		agree_number=$((agree_number + 1))
		agree_lines=$(wc -l <"$work/opensm/$agree_number" | tr -d ' ')
		if cmp -s "$work/opensm/$agree_number" "$work/own/$agree_number"; then
			tap_pass "$1: saquery $agree_query, $agree_lines records"
		else
			tap_fail "$1: saquery $agree_query" "$(diff "$work/opensm/$agree_number" \
				"$work/own/$agree_number" | tr '|' '\n' | head -n 40)"
		fi
	done <"$work/queries"
}

# Requests of each attribute by each method, with what is wrong in the header; then with each
# component alone, of zeros and of ones. OpenSM 3.3.23 reads beyond its tables, and ends, when it is
# asked for the SLtoVL mapping of a port that a switch does not have.
generated() {
	"$AWK" 'BEGIN {
		count = split("01:0:72 03:0:36 11:14:108 12:56:68 13:6:16 14:18:24 15:4:72 " \
			"17:6:72 18:7:28 20:4:8 30:12:72 31:38:176 33:5:72 35:24:64 36:6:72 " \
			"38:20:52 3a:24:56 f3:20:60 16:2:72", kinds, " ")
		methods = split("get table set delete multi", method, " ")
		for (i = 1; i <= count; i++) {
			split(kinds[i], kind, ":")
			at = "0x" kind[1] " "
			# No SA answers these: the time is spent in waiting.
			print at "version 1: get " kind[1] " version=1"
			print at "SM_Key 2: table " kind[1] " key=2"
			for (m = 1; m <= methods; m++) {
				of = ": " method[m] " " kind[1]
				print at method[m] of
				print at method[m] " modifier" of " mod=1"
				print at method[m] " high modifier" of " mod=80000000"
				print at method[m] " SM_Key" of " key=1"
				print at method[m] " all" of " mask=ffffffffffffffff"
				print at method[m] " unknown" of " mask=f000000000000000"
			}
			ones = ""
			for (n = 0; n < kind[3]; n++)
				ones = ones "ff"
			for (n = 0; n < kind[2]; n++) {
				mask = bit(n)
				for (m = 1; m <= 2; m++) {
					of = ": " method[m] " " kind[1] " mask=" mask
					print at method[m] " component " n " zero" of
					if (kind[1] != "13" || n < 1 || n > 2)
						print at method[m] " component " n \
							" ones" of " 0=" ones
				}
			}
		}
	}
	function bit(n,  text) {
		text = substr("1248", n % 4 + 1, 1)
		for (n = int(n / 4); n; n--)
			text = text "0"
		return text
	}'
}

# NAME: the answers to all requests. The listed ones leave services and aliases behind.
request_all() {
	for request_table in generated listed; do
		on host-3 "$asker" -g 100 <"$work/$request_table" >"$work/$1.$request_table" \
			2>"$work/err" || cat "$work/err"
	done
}

# TABLE: both SAs have answered the requests alike, but for what sa-differences.txt has; and all
# that it has of this table differs.
requests_agree() {
	if "$AWK" -f "$top_srcdir/tests/stock/sa-differences.awk" -v table="$1" \
		"$top_srcdir/tests/stock/sa-differences.txt" "$work/opensm.$1" "$work/own.$1" \
		>"$work/differences"; then
		tap_pass "$1 requests: $(cat "$work/differences")"
	else
		tap_fail "$1 requests" "$(head -n 40 "$work/differences")"
	fi
}

# OpenSM's threads would answer in any order.
requests_tree() {
	fabric_serve "generate:fat-tree:6,4,state=cold"
	echo "single_thread TRUE" >"$work/opensm.conf"
	sm_start a host-0 -F "$work/opensm.conf"
	tap_is "requests: OpenSM is up" "$(sm_wait a 1)" ""
	tap_is "OpenSM answers all requests" "$(request_all opensm)" ""
	sm_stop a
	tap_is "requests: sa builtin" "$(ctl sa builtin 2>&1)" ""
	tap_is "the own SA answers all requests" "$(request_all own)" ""
	requests_agree listed
	requests_agree generated
	grep -v "^#" "$top_srcdir/tests/stock/sa-differences.txt" >"$work/known"
	while IFS=: read -r _ difference_row; do
		grep -qF "|${difference_row} |" "$top_srcdir/doc/fidelity.md" ||
			echo "$difference_row"
	done <"$work/known" >"$work/missing"
	tap_is "doc/fidelity.md has each difference" "$(cat "$work/missing")" ""
}

# HCAS QUERIES: a fat tree that OpenSM made; then OpenSM goes, and the fabric itself answers.
tree_agrees() {
	fabric_serve "generate:fat-tree:$1,state=cold"
	sm_start a host-0
	tap_is "fat-tree:$1 is up" "$(sm_wait a 1)" ""
	registered=$(register_all 2>/dev/null)
	ask_all opensm
	tap_has "OpenSM is there" "$(ctl sa builtin 2>&1)" "an SM is at"
	sm_stop a
	tap_is "fat-tree:$1: sa builtin" "$(ctl sa builtin 2>&1)" ""
	tap_is "fat-tree:$1: joins and services" "$(register_all 2>/dev/null)" "$registered"
	ask_all own
	answers_agree "fat-tree:$1"
	tap_has "fat-tree:$1: what one sends to the group reaches each other once" \
		"$(ctl multicast 0xc001)" "members 2 whole 2"
}

asker=$top_builddir/tests/tools/sa-ask
grep -v "^#" "$top_srcdir/tests/stock/sa-requests.txt" >"$work/listed"
generated >"$work/generated"
requests_tree

lid=4 other=6
cat >"$work/queries" <<EOT
NR
NR $lid
-L leaf-0
-O 1
-U 0x0002c90300000050
-D
PIR
PIR $lid
PIR 2/3
-s
LR
LR 2
LR 2/1
LR $lid $other
SWIR
SWIR 2
LFTR
LFTR 2
LFTR 2/0
SMIR
SMIR 1
-c
CPI
GIR
GIR $lid
GIR $lid/0
SL2VL
SL2VL 2
SL2VL 2/1
SL2VL 2/1/2
VLAR
VLAR 2/1
VLAR 2/1/2
PKTR
--smkey 1 PKTR
--smkey 1 PKTR 2/1
--smkey 1 PKTR 2/1/0
PR
PR --slid $lid
PR --dlid $lid
PR --slid $lid --dlid $other
PR --slid $lid --dlid $other --numb_path 1
PR --slid $lid --dlid $other --reversible 1
PR --slid $lid --dlid $other --pkey 0xffff
PR --slid $lid --dlid $other --pkey 0x8001
PR --slid $lid --dlid $other --sl 0
PR --slid $lid --dlid $other --sl 3
PR --slid $lid --dlid $other --qos_class 0
PR --slid $lid --dlid $other --tclass 0
PR --slid $lid --dlid $other --flow_label 0
PR --slid $lid --dlid $other --hop_limit 0
PR --slid $lid --dlid $other --service_id 0x1000
PR --slid $lid --dlid $other --mtu 0x85
PR --slid $lid --dlid $other --mtu 0x84
PR --slid $lid --dlid $other --mtu 0x05
PR --slid $lid --dlid $other --mtu 0x04
PR --slid $lid --dlid $other --mtu 0x44
PR --slid $lid --dlid $other --mtu 0x86
PR --slid $lid --dlid $other --rate 0x91
PR --slid $lid --dlid $other --rate 3
PR --slid $lid --dlid $other --rate 0x11
PR --slid $lid --dlid $other --rate 0x50
PR --slid $lid --dlid $other --rate 0x83
PR --slid $lid --dlid $other --rate 0x81
PR --slid $lid --dlid $other --pkt_lifetime 0x92
PR --slid $lid --dlid $other --pkt_lifetime 0x12
PR --slid $lid --dlid $other --pkt_lifetime 0x52
PR --slid 99 --dlid $other
PR --sgid fe80::2:c903:0:50
PR --dgid fe80::2:c903:0:50
PR --dgid fe80::1:2:3:4
--src-to-dst $lid:$other
--sgid-to-dgid fe80::2:c903:0:50-fe80::2:c903:0:60
PR --dgid ff12:401b:ffff::9
SR
-S
-K SR
--smkey 1 SR
MCMR
-g
-m 0xc001
--smkey 1 MCMR
--smkey 1 -m 0xc001
--smkey 1 MCMR --gid fe80::2:c903:0:60
--smkey 1 MCMR --mgid ff12:401b:ffff::1 --join_state 1
--smkey 1 MCMR --mgid ff12:401b:ffff::1 --proxy_join 0
MCMR --mgid ff12:401b:ffff::1
MCMR --mlid 0xc001
MCMR --mgid ff12:401b:ffff::1 --mtu 0x85
MCMR --mgid ff12:401b:ffff::1 --mtu 0x05
MCMR --mgid ff12:401b:ffff::1 --mtu 0x45
MCMR --mgid ff12:401b:ffff::1 --rate 0x91
MCMR --mgid ff12:401b:ffff::1 --rate 0x51
MCMR --mgid ff12:401b:ffff::1 --pkt_lifetime 0x12
MCMR --pkey 0xffff
MCMR --sl 0
MCMR --sl 1
MCMR --qkey 0
MCMR --scope 2
MCMR --tclass 0
MCMR --flow_label 0
MCMR --hop_limit 0
EOT
tree_agrees 6,4
printf '%s\n' NR PIR LR SWIR LFTR GIR PR >"$work/queries"
tree_agrees 100
tap_is "PR of 100 HCAs: a path from each node to each" \
	"$(grep -c 'PathRecord dump' "$work/own/7")" \
	"$(($(grep -c 'NodeRecord dump' "$work/own/1") * $(grep -c 'NodeRecord dump' "$work/own/1")))"

# Programs that need an SA, where nobody is SM.
fabric_serve generate:fat-tree:6,4
tap_has "sminfo" "$(on host-3 sminfo 2>/dev/null)" "priority 0 state 3 SMINFO_MASTER"
tap_has "ibqueryerrors" "$(on host-3 ibqueryerrors 2>&1)" "0 ports have errors"
guid=$(on host-3 ibstat -p 2>/dev/null)
on host-3 timeout 60 ibping -S >/dev/null 2>&1 &
ping_server=$!
pings() {
	on host-1 ibping -c 1 -G "$guid" >"$work/ping" 2>&1
}
if within 20 pings; then
	tap_pass "ibping -G"
else
	tap_fail "ibping -G" "$(cat "$work/ping")"
fi
kill $ping_server

sm_start a host-0
tap_is "OpenSM starts" "$(sm_wait a 1)" ""
tap_is "the fabric's own SA has given way" "$(ctl sa)" "none"
tap_has "OpenSM is the master" "$(on host-3 sminfo 2>/dev/null)" "state 3 SMINFO_MASTER"
tap_has "and answers" "$(on host-3 saquery MCMR 2>/dev/null)" "ff12:401b:ffff::ffff:ffff"
in_order "as OpenSM made it"

printf '%s\n' NR PIR LR SWIR LFTR GIR "PR --slid 1000" "--src-to-dst 7:1000" >"$work/queries"
tree_agrees 1000
if [ -n "${OPENSM_ALL:-}" ]; then
	tree_agrees 5000
fi

tool_rows subnet <<'END'
saquery -t MS (all records, and each way to select paths and groups; joins, and services; without an SM) | no answer | as OpenSM's, but for what [fidelity.md](fidelity.md) lists; every path of 100 HCAs; nodes, ports, links, tables and paths of 1,000 and 5,000 | fat-tree:6,4: saquery
ibping -G, ibqueryerrors, sminfo (without an SM) | no answer | right | ibping -G
opensm -F FILE (it comes later) | cannot start again | takes over | OpenSM starts
END
tap_done
