#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-records: saquery of the distribution, unmodified, with each kind of record, each way to
# select records and each option: it returns exactly the fabric's records that were requested.
# tests/stock/saquery.sh compares whole records.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm saquery dump_mfts
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch saquery dump_mfts
member=$top_builddir/tests/tools/sa-member

# A fat tree whose switches all have four ports, and each of them a cable or none.
fabric_serve generate:fat-tree:6,4,state=cold
sm_start a host-0
tap_is "the subnet is up" "$(sm_wait a 1)" ""
for record in NR PIR LR LFTR; do on "" "$walker" -R $record 2>/dev/null >"$work/$record"; done
count_of() {
	wc -l <"$work/$1" | tr -d ' '
}
nodes=$(count_of NR) ports=$(count_of PIR) links=$(count_of LR)
switches=$(grep -c ' Switch ' "$work/NR") cas=$((nodes - switches))
leaf=$(sed -n 's/^NR \([0-9]*\) .* leaf-0$/\1/p' "$work/NR")
leaf_guid=$(sed -n 's/^NR [0-9]* \(0x[0-9a-f]*\) .* leaf-0$/\1/p' "$work/NR")
# HOST: its LID; its GID, as it may be written or as it is printed.
lid_of() {
	sed -n "s/^NR \([0-9]*\) .* $1 HCA-1\$/\1/p" "$work/NR"
}
gid_of() {
	printf 'fe80::%s\n' \
		"$(sed -n "s/^NR [0-9]* [^ ]* 0x\([0-9a-f]*\) .* $1 HCA-1\$/\1/p" "$work/NR" |
		sed -e 's/\(....\)\(....\)\(....\)\(....\)/:\1:\2:\3:\4/' \
		${2:+-e 's/:0\{1,3\}/:/g'} -e 's/^://')"
}
sm=$(lid_of host-0)
one=$(lid_of host-1) two=$(lid_of host-2)
group=ff12:401b:ffff::1
for host in host-1 host-2; do joined=$(on $host "$member" join $group 2>/dev/null); done
mlid=${joined##* }
on host-1 "$member" register 0x1000 one >/dev/null 2>&1
up=$(grep -c -v Down "$work/PIR")
groups=2		# OpenSM makes one of IPoIB

# COUNT ARGUMENT...: expects this many records.
records() {
	records_count=$1
	shift
	on host-3 saquery "$@" >"$work/out" 2>"$work/err"
	tap_is "saquery $*: $records_count" \
		"$(grep -c '^[^ 	].* dump:' "$work/out") $(grep ERROR "$work/err")" \
		"$records_count "
}

# Names of records, and what follows them.
while read -r count arguments; do
	# shellcheck disable=SC2086
	records "$count" $arguments </dev/null
done <<EOT
$nodes -N
$nodes NR
1 NR $leaf
$ports PIR
5 PIR $leaf
1 PIR $leaf/3
$links LR
$links -x
4 LR $leaf
1 LR $leaf/1
1 LR $leaf $one
$switches LFTR
1 LFTR $leaf
1 LFTR $leaf/0
$switches SWIR
1 SWIR $leaf
$nodes GIR
1 GIR $one
1 GIR $one/0
1 SMIR
1 SMIR $sm
0 IIR
0 -I
1 SR
1 -S
$groups MCMR
$groups -g
$((cas + switches * 25)) SL2VL
25 SL2VL $leaf
5 SL2VL $leaf/1
1 SL2VL $leaf/1/2
$((ports * 4)) VLAR
20 VLAR $leaf
4 VLAR $leaf/1
1 VLAR $leaf/1/2
$up --smkey 1 PKTR
1 --smkey 1 PKTR $leaf/1
1 --smkey 1 PKTR $leaf/1/0
$((nodes * nodes)) PR
$((nodes * nodes)) -p
$nodes PR --slid $one
$nodes PR --dlid $one
1 PR --slid $one --dlid $two
1 PR --slid $one --dlid $two --numb_path 1
1 PR --slid $one --dlid $two --reversible 1
1 PR --slid $one --dlid $two --pkey 0xffff
1 PR --slid $one --dlid $two --sl 0
1 PR --slid $one --dlid $two --qos_class 0
1 PR --slid $one --dlid $two --tclass 0
1 PR --slid $one --dlid $two --flow_label 0
1 PR --slid $one --dlid $two --hop_limit 0
1 PR --slid $one --dlid $two --service_id 0x1000
1 PR --slid $one --dlid $two --mtu 0x85
0 PR --slid $one --dlid $two --mtu 0x05
1 PR --slid $one --dlid $two --rate 0x91
1 PR --slid $one --dlid $two --rate 3
0 PR --slid $one --dlid $two --rate 0x11
1 PR --slid $one --dlid $two --pkt_lifetime 0x92
$nodes PR --sgid $(gid_of host-1)
$nodes PR --dgid $(gid_of host-1)
1 --src-to-dst $one:$two
1 --sgid-to-dgid $(gid_of host-1)-$(gid_of host-2)
1 MCMR --mgid $group
1 MCMR --mlid $mlid
1 --smkey 1 MCMR --gid $(gid_of host-1)
$groups MCMR --pkey 0xffff
$groups MCMR --sl 0
$groups MCMR --qkey 0
$groups MCMR --scope 2
$groups MCMR --tclass 0
$groups MCMR --flow_label 0
$groups MCMR --hop_limit 0
2 --smkey 1 MCMR --mgid $group --join_state 1
2 --smkey 1 MCMR --mgid $group --proxy_join 0
1 MCMR --mgid $group --mtu 0x85
0 MCMR --mgid $group --mtu 0x05
1 MCMR --mgid $group --rate 0x91
1 MCMR --mgid $group --pkt_lifetime 0x12
EOT

# Names instead of numbers, and lists.
while IFS='|' read -r arguments answer; do
	# shellcheck disable=SC2086
	tap_is "saquery $arguments" \
		"$(on host-3 saquery $arguments 2>/dev/null </dev/null | tr -d '\t' |
		tr '\n' ';')" "$answer;"
done <<EOT
-L leaf-0|$leaf
-l leaf-0|$leaf
-G leaf-0|$leaf_guid
-O $leaf|leaf-0
-U $leaf_guid|leaf-0
--smkey 1 -m $mlid|PortGid.................$(gid_of host-1 short) (host-1 HCA-1);PortGid.................$(gid_of host-2 short) (host-2 HCA-1)
EOT
tap_is "saquery -D: the adapters" \
	"$(on host-3 saquery -D 2>/dev/null | sed -n 's/^ *\([0-9]*\)  "\(.*\)"$/\1 \2/p' | sort)" \
	"$(sed -n 's/^NR \([0-9]*\) .* Channel Adapter \(.*\)$/\1 \2/p' "$work/NR" | sort)"
tap_is "saquery -s: who says that it is an SM" \
	"$(on host-3 saquery -s 2>/dev/null | sed -n 's/.*EndPortLid\.*//p')" "$sm"
for name in -c CPI; do
	tap_has "saquery $name" "$(on host-3 saquery $name 2>/dev/null)" \
		"Class version............2"
done
printf '%s "renamed"\n' "$leaf_guid" >"$work/names"
tap_is "saquery --node-name-map" \
	"$(on host-3 saquery --node-name-map "$work/names" -O "$leaf" 2>/dev/null)" renamed
tap_has "saquery -K" "$(on host-3 saquery -K SR 2>/dev/null)" "ServiceKey..............0x0"
tap_has "saquery PKTR without the SM_Key: OpenSM refuses" "$(on host-3 saquery PKTR 2>&1)" \
	"SA_ERR_REQ_INVALID"

# SWITCH-LID MASK of switches with the group: according to the SA, and according to the switches.
on host-3 saquery MFTR 2>/dev/null | "$AWK" -v mlid="$mlid" '
	$1 ~ /^LID/ { sub(/.*\./, ""); lid = $1 }
	$1 == mlid { print lid, $2 }' | sort >"$work/got"
on host-3 dump_mfts -n 2>/dev/null | "$AWK" -v mlid="$mlid" '
	FNR == NR { lid[$3] = $2; next }
	/ of switch / { guid = $0; sub(/.*guid /, "", guid); sub(/ .*/, "", guid) }
	$1 == mlid { print lid[guid], "0x" $2 }' "$work/NR" - | sort >"$work/want"
tap_is "saquery MFTR: as dump_mfts -n" "$(cat "$work/got")" "$(cat "$work/want")"
records "$(grep -c . "$work/want")" MFTR
records 1 MFTR "$leaf"
records 1 MFTR "$leaf/0/0"

tool_rows subnet <<'END'
saquery -N, -D, -S, -I, -p, -x, -c, -s | first MAD of the answer | right | saquery -N
saquery -L, -l, -G, -O, -U, -K, --node-name-map | first MAD of the answer | right: names, LIDs, GUIDs | saquery -L
saquery CPI, SWIR, GIR, SL2VL, VLAR, PKTR, IIR, MFTR, --smkey KEY, LID/PORT/BLOCK | first MAD of the answer | right: all records | saquery SWIR
saquery PR, --slid, --dlid, --sgid, --dgid, --reversible, --numb_path, --pkey, --qos_class, --sl, --mtu, --rate, --pkt_lifetime, --tclass, --flow_label, --hop_limit, --service_id | right where it is one MAD | right | saquery PR
saquery --src-to-dst, --sgid-to-dgid | right | right | saquery --s
saquery MCMR, --mgid, --gid, --mlid, --qkey, --scope, --join_state, --proxy_join (and those of PR) | right where it is one MAD | right | saquery MCMR
END
tool_rows routes <<'END'
dump_mfts -n | right until a group has members | right, as the SA has it | saquery MFTR: as dump_mfts -n
END
tap_done
