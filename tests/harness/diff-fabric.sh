#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# diff --fabric: what two fabrics differ in, each change by itself, seen in captures, topology
# files, bundles and servers. And diff of two equal sweeps.
set -u
. "$top_srcdir/tests/rig/tap.sh"

. "$top_srcdir/tests/rig/own-directory.sh"
servers=
trap '[ -z "$servers" ] || kill $servers 2>/dev/null; rm -rf "$work"' EXIT
walker=$top_builddir/tests/tools/fabric-walk
schema=$top_srcdir/doc/schema/diff-fabric.json

"$umadrig" topology --generate fat-tree:4,4 >a.net
# NAME FABRIC OPTION...: NAME.pcapng, what a walk through the fabric sees.
walk() {
	name=$1 fabric=$2
	shift 2
	"$umadrig" exec --fabric "$fabric,clock=virtual,capture=$name.pcapng" --host host-0 "$@" -- \
		"$walker" >walk.out 2>&1
}
# NAME STATUS A B LINE...: how it ends, and all changes that it prints.
row() {
	name=$1 status=$2
	"$umadrig" diff --fabric "$3" "$4" >out 2>err
	tap_is "$name: status" "$?:$(cat err)" "$status:"
	shift 4
	printf '%s\n' "$@" >expected
	tap_is "$name" "$(sed -n '/^from /,/^$/p' out | sed '1d; /^$/d' | tr -s ' ')" "$(cat expected)"
}

walk a a.net
tap_is "the same" "$("$umadrig" diff --fabric a.pcapng a.pcapng; echo $?)" \
	"no difference in 8 nodes, 8 cables and 12 routes

not compared: firmware (in neither)
0"

# ---- topology files ----

# host-3 was at leaf-1[2]: it is at spine-0[3] now.
cat >three.net <<'END'
Switch	8 "S1" # "leaf-0"
[1]	"H1"[1]	# 4xHDR
[4]	"H2"[1]	# 4xHDR

Hca	1 "H1" # "host-1"
[1]	"S1"[1]

Hca	1 "H2" # "host-3"
[1]	"S1"[4]

Hca	1 "H3" # "host-20"
END
sed 's/"H2"\[1\]/"H3"[1]/; /"host-3"/,/^$/s/^\[1\].*//; $a\
[1]	"S1"[4]' three.net >moved.net
row "a cable moved" 1 three.net moved.net "cable moved leaf-0[4]: host-3[1] -> host-20[1]"
row "and back" 1 moved.net three.net "cable moved leaf-0[4]: host-20[1] -> host-3[1]"
sed 's/^\[4\]/[7]/; s/"S1"\[4\]/"S1"[7]/' three.net >port.net
row "a cable at another port of its switch" 1 three.net port.net \
	"cable moved host-3[1]: leaf-0[4] -> leaf-0[7]"
sed '/^\[4\]/d; s/^\[1\].*"S1"\[4\]//' three.net >pulled.net
row "a cable gone" 1 three.net pulled.net "cable gone leaf-0[4]: host-3[1]"
row "a cable new" 1 pulled.net three.net "cable new leaf-0[4]: host-3[1]"
sed 's/"host-3"/"host-4"/' three.net >renamed.net
row "a node renamed" 1 three.net renamed.net "node renamed host-3: host-3 -> host-4"
sed '/^\[4\]/s/4xHDR/4xEDR/' three.net >speed.net
sed '/^\[4\]/s/4xHDR/1xHDR/' three.net >width.net
row "a speed" 1 three.net speed.net "speed leaf-0[4] - host-3[1]: HDR -> EDR"
row "a width" 1 three.net width.net "width leaf-0[4] - host-3[1]: 4x -> 1x"
sed 's/lid 5 /lid 25 /g' a.net >lid.net
tap_has "the generated fabric has LIDs" "$(cat lid.net)" "lid 25 "
"$umadrig" diff --fabric a.net lid.net >out
tap_is "a LID" "$(grep -c '^LID  .*: 5 -> 25$' out)" 1
tap_is "nothing else" "$(sed -n '1p' out)" "        1 LID"
sed '/^vendid/,/^$/s/^devid=0x[0-9a-f]*/devid=0x1234/' a.net >device.net
tap_has "a device" "$("$umadrig" diff --fabric a.net device.net)" \
	"vendor 0x2c9, device 0xd2f0, revision 0 -> vendor 0x2c9, device 0x1234, revision 0"

# ---- captures: what a topology file does not say ----

walk gone a.net --do 'node off host-3'
row "a node gone" 1 a.pcapng gone.pcapng "node gone host-3 HCA-1: at leaf-1[2]"
row "a node new" 1 gone.pcapng a.pcapng "node new host-3 HCA-1: at leaf-1[2]"
walk sm a.net --do 'fault lie PortInfo.SMLid=6 all'
row "another SM" 1 a.pcapng sm.pcapng "SM master: host-0 HCA-1[1] -> host-1 HCA-1[1]"
walk pkey a.net --do 'fault lie P_KeyTable.P_Key1=0x8001 from "host-2 HCA-1"'
row "a P_Key" 1 a.pcapng pkey.pcapng "P_Keys host-2 HCA-1[1]: 0xffff -> 0x8001, 0xffff"
tap_has "a file does not say all that a capture does" "$("$umadrig" diff --fabric a.pcapng a.net)" \
	"not compared: firmware (in neither), P_Keys (not in B), subnet manager (not in B), routes (not in B)"

# What vendstat asks for: firmware 16.35.20, or .21.
firmware() {
	cat >"$1.mad" <<END
scenario "firmware"
topology "three.net" self="H1[1]" peer="H2[1]"
0  peer listens class=0x0a methods={Get}
0  fd = umad_open_port(\$CA, \$PORT)
+0 sm = umad_register(fd, class=SUBN_LID)
+0 v = umad_register(fd, class=0x0a)
+0 umad_send(fd, sm, timeout=1s, SubnGet(NodeInfo) to=peer class=SUBN_LID) = 0
+0 > SubnGet(NodeInfo)
*  umad_recv(fd) = sm
+0 umad_send(fd, v, timeout=1s, VendGet(0x0017) to=peer class=0x0a) = 0
+0 > VendGet(0x0017) class=0x0a tid=?t
+1ms < VendGetResp(0x0017) class=0x0a tid=\$t bytes[65..67]=0x1023$2 bytes[80..83]=0x4d545f31
+0 umad_recv(fd) = v
END
	"$umadrig" run --keep . "$1.mad" >"$1.tap" 2>&1 || sed 's/^/# /' "$1.tap"
}
firmware old 14
firmware new 15
row "firmware" 1 old.pcapng new.pcapng \
	"firmware H-0000000000100002: 16.35.20, PSID MT_1 -> 16.35.21, PSID MT_1"

# ---- routes, below a subnet manager ----

if command -v opensm >/dev/null; then
	OSM_TMP_DIR=$PWD OSM_CACHE_DIR=$PWD
	export OSM_TMP_DIR OSM_CACHE_DIR
	for way in all less; do
		set --
		[ $way = all ] || set -- --do 'Unlink leaf-0[4]'
		"$umadrig" exec --fabric "a.net,state=cold,clock=virtual,capture=$way.pcapng" --host host-0 \
			"$@" -- opensm -o -f opensm.log </dev/null >opensm.out 2>&1
	done
	"$umadrig" diff --fabric all.pcapng less.pcapng >out
	tap_has "a cable less" "$(cat out)" "cable gone    leaf-0[4]: spine-1[1]"
	tap_has "others carry its packets" "$(tr -s ' ' <out)" \
		"host-1 HCA-1[1] to host-3 HCA-1[1]: leaf-0[4], spine-1[2], leaf-1[2] -> leaf-0[3], spine-0[2], leaf-1[2]"
	tap_is "pairs whose route is another one" "$(sed -n 's/^ *\([0-9]*\) route, of 9 pairs of ports$/\1/p' out)" \
		"$(grep -c '^route ' out)"

	# A server below OpenSM, beside what was captured there, and with partitions.
	cat >partitions.conf <<'END'
Default=0x7fff: ALL=limited, SELF=full;
storage=0x12: 0x0002c90300000050=full, 0x0002c90300000060=full;
END
	cat >managed <<'END'
name=$1
shift
opensm -f osm.log "$@" >opensm.out 2>&1 &
manager=$!
sleep 20
socket=${UMAD_BACKEND#attach:}
"$umadrig" diff --fabric all.pcapng "${socket%%,*}" >"$name.diff"
echo $? >>"$name.diff"
[ "$name" != tools ] || UMADRIG_HOST=host-1 sh -c 'ibnetdiscover; saquery LFTR; saquery PKTR' >tools.out
kill $manager
wait $manager
END
	export umadrig
	managed() {
		name=$1
		shift
		"$umadrig" exec --fabric "a.net,state=cold,clock=virtual,capture=$name.pcapng" --host host-0 \
			-- sh managed "$name" "$@" </dev/null >managed.out 2>&1
	}
	managed plain
	# The capture lacks the LID of the SM's own port, which is set without a packet.
	tap_is "a server, as an SM has set it up" "$(cat plain.diff)" \
		"no difference in 8 nodes, 8 cables and 9 routes

not compared: firmware (in neither)
0"
	# In a pcap nothing names the SM's own node, but ports have its LID, and SA a record of it.
	"$umadrig" exec --fabric "a.net,state=cold,clock=virtual,capture=nameless.pcap" \
		--host host-0 -- sh -c '
		opensm -f osm.log -s 0 >/dev/null 2>&1 & sm=$!
		sleep 10
		UMADRIG_HOST=host-1 saquery NR >/dev/null
		kill $sm; wait $sm' >/dev/null 2>&1
	"$umadrig" diff --fabric nameless.pcap a.net >nameless.diff
	tap_is "a pcap of an SM that was asked, and the file" "$(grep -e '^node' -e '^cable' nameless.diff)" ""
	tap_has "of which LIDs are compared" "$(cat nameless.diff)" "host-0 HCA-1[1]: "
	managed parts -P partitions.conf
	tap_is "partitions of a server" "$(sed -n '/^from /,/^$/p' parts.diff | sed '1d; /^$/d' | tr -s ' ')" \
		"P_Keys leaf-0[0]: 0xffff -> 0x7fff
P_Keys leaf-0[2]: 0xffff -> 0x7fff, 0x8012
P_Keys host-1 HCA-1[1]: 0xffff -> 0x7fff, 0x8012
P_Keys spine-0[0]: 0xffff -> 0x7fff
P_Keys spine-1[0]: 0xffff -> 0x7fff
P_Keys leaf-1[0]: 0xffff -> 0x7fff
P_Keys leaf-1[1]: 0xffff -> 0x7fff, 0x8012
P_Keys leaf-1[2]: 0xffff -> 0x7fff
P_Keys host-2 HCA-1[1]: 0xffff -> 0x7fff, 0x8012
P_Keys host-3 HCA-1[1]: 0xffff -> 0x7fff"
	row "partitions of two captures" 1 plain.pcapng parts.pcapng \
		"$(sed -n '/^from /,/^$/p' parts.diff | sed '1d; /^$/d' | tr -s ' ')"
	# What the manual has captured of real ports.
	if command -v ibnetdiscover >/dev/null && command -v saquery >/dev/null; then
		managed tools
		"$umadrig" show tools.pcapng 'from="host-1 HCA-1"' --with-answers -o asked.pcapng >show.out
		row "what tools ask for" 0 plain.pcapng asked.pcapng
		tap_is "of which all is compared, too" "$("$umadrig" diff --fabric plain.pcapng asked.pcapng |
			tail -n 1)" "not compared: firmware (in neither)"
	else
		tap_skip "what tools ask for" "no infiniband-diags"
	fi
else
	tap_skip "routes, below a subnet manager" "no opensm"
fi

# ---- a bundle, an archive, a server ----

"$umadrig" record -o now -f a.net,clock=virtual --host host-0 -- "$walker" >record.out 2>&1
row "a bundle" 1 now gone.pcapng "node gone host-3 HCA-1: at leaf-1[2]"
if command -v zstd >/dev/null; then
	"$umadrig" record -o now.tar.zst -f a.net,clock=virtual --host host-0 -- "$walker" >record.out 2>&1
	row "its archive" 1 now.tar.zst gone.pcapng "node gone host-3 HCA-1: at leaf-1[2]"
else
	tap_skip "an archive" "no zstd"
fi
# shellcheck disable=SC2016 # for the inner shell
"$umadrig" exec -f a.net -- sh -c '
	"$0" ctl Unlink "leaf-1[2]" >/dev/null
	socket=${UMAD_BACKEND#attach:}
	"$0" diff --fabric a.net "${socket%%,*}"' "$umadrig" >out 2>err
tap_is "a server, as it is now" "$(sed -n '/^cable/p' out | tr -s ' ')" "cable gone leaf-1[2]: host-3 HCA-1[1]"
row "generated" 0 generate:fat-tree:4,4 a.net

# ---- servers, whose nodes have tables ----

# NAME FABRIC: a server with the socket NAME.
serve() {
	mkfifo ready
	"$umadrig" serve --fabric "$2" --socket "$work/$1" >ready 2>"$1.log" &
	servers="$servers $!"
	read -r _ <ready
	rm ready
}
serve one a.net
serve two a.net
row "a server and a capture of the same" 0 a.pcapng one
tap_is "of which all is compared" "$("$umadrig" diff --fabric a.pcapng one)" \
	"no difference in 8 nodes, 8 cables and 12 routes

not compared: firmware (in neither)"
# LID 5 is even then: it goes by the other spine.
"$umadrig" ctl --socket two Baselid 'H-0002c90300000040[1]' 20
other_way="LID host-0 HCA-1[1]: 5 -> 20
route host-2 HCA-1[1] to host-0 HCA-1[1]: leaf-1[4], spine-1[1], leaf-0[1] -> leaf-1[3], spine-0[1], leaf-0[1]
route host-3 HCA-1[1] to host-0 HCA-1[1]: leaf-1[4], spine-1[1], leaf-0[1] -> leaf-1[3], spine-0[1], leaf-0[1]"
row "routes: a capture and a server" 1 a.pcapng two "$other_way"
row "routes: two servers" 1 one two "$other_way"
tap_has "how many pairs go another way" "$("$umadrig" diff --fabric one two)" "2 route, of 12 pairs of ports"
# shellcheck disable=SC2086 # numbers
kill $servers
wait
servers=

# ---- JSON ----

"$umadrig" diff --fabric --json three.net moved.net >moved.json
tap_is "JSON" "$(sed -n 2p moved.json)" \
	'{"kind":"cable-moved","at":"leaf-0[4]","guid":"0x0000000000200000","a":"host-3[1]","b":"host-20[1]"}'
for pair in "a.pcapng gone" "gone.pcapng a" "a.pcapng sm" "a.pcapng pkey" "old.pcapng new"; do
	"$umadrig" diff --fabric --json "${pair% *}" "${pair#* }.pcapng"
done >>moved.json
for other in port pulled renamed speed width; do
	"$umadrig" diff --fabric --json three.net $other.net
done >>moved.json
if python3 -c 'import json_schema' 2>/dev/null; then
	said=$(python3 "$top_srcdir/tests/rig/json_schema.py" "$schema" moved.json 2>&1)
	tap_is "JSON of each kind is as its schema says" "$said" "$(grep -c . moved.json) valid"
else
	tap_skip "JSON against its schema" "no python3-jsonschema"
fi
tap_is "no more than so many" "$("$umadrig" diff --fabric --json -n 0 three.net moved.net | grep -c .)" 1
tap_has "and that there are more" "$("$umadrig" diff --fabric -n 0 three.net moved.net)" \
	"... and 1 more changes; --limit=N prints more"

# ---- refused ----

# NAME WORDS ARGUMENT...
refuse() {
	name=$1 words=$2
	shift 2
	said=$("$umadrig" diff --fabric "$@" 2>&1)
	tap_is "$name: status" $? 2
	tap_has "$name" "$said" "$words"
}
refuse "one alone" "two fabrics are expected" a.net
refuse "no such file" "nosuch.net" a.net nosuch.net
refuse "an empty file" "no fabric found: it is empty" a.net /dev/null
printf 'words\n' >words.net
refuse "words" "words.net" words.net a.net
"$umadrig" exec -f a.net,capture=empty.pcapng -- true >/dev/null 2>&1
refuse "a capture of nothing" "empty.pcapng: no fabric in it" a.net empty.pcapng
for option in "--where class=0x81" "-i tid" "-o any" "-t 1ms" --sweep; do
	# shellcheck disable=SC2086 # two words
	refuse "of MADs: $option" "is about MADs, and --fabric compares fabrics" $option a.net a.net
done

# ---- equal sweeps ----

# Each walk begins with another TID, and fills up its routes with what was there before.
for way in one two; do
	cat >$way.mad <<END
scenario "$way"
topology "three.net" self="H1[1]" peer="H2[1]"
ignore > class=0x81
0  fd = umad_open_port(\$CA, \$PORT)
+0 sm = umad_register(fd, class=SUBN_DR)
$(
	tid=1 noise=0x11
	kinds="NodeInfo NodeDescription"
	[ $way = one ] || { tid=7001 noise=0x22 kinds="NodeDescription NodeInfo"; }
	for kind in $kinds; do
		printf '+0 umad_send(fd, sm, timeout=1s, SubnGet(%s) tid.low=%s bytes[190]=%s path={1}) = 0\n* umad_recv(fd) = sm\n' \
			"$kind" $tid $noise
		tid=$((tid + 1))
	done
)
END
	"$umadrig" run --keep . $way.mad >$way.tap 2>&1 || sed 's/^/# /' $way.tap
done
"$umadrig" diff one.pcapng two.pcapng >out
tap_is "two sweeps: status" $? 1
tap_has "which option there is" "$(cat out)" "--sweep does not"
tap_is "as sweeps" "$("$umadrig" diff --sweep one.pcapng two.pcapng; echo $?)" "no difference in 2 conversations
0"
tap_has "not with --order" "$("$umadrig" diff --sweep -o same one.pcapng two.pcapng 2>&1)" "--sweep has its order"
tap_has "nor with --times" "$("$umadrig" diff --sweep -t 1ms one.pcapng two.pcapng 2>&1)" \
	"--times and --sweep exclude each other"

tap_done
