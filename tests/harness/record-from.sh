#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# record --from: a capture that does not name the fabric's ports becomes a scenario, which passes,
# and does not if the fabric is another.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

walker=$top_builddir/tests/tools/fabric-walk
two=$top_srcdir/tests/data/two-switches.net

# passes NAME OPTION...: NAME.mad is made, and passes without what was captured.
passes() {
	scenario=$1
	shift
	"$umadrig" record -o "$scenario.mad" "$@" >"$scenario.out" 2>"$scenario.err"
	tap_has "$scenario: it passes at once" "$(cat "$scenario.err")" ": passes"
	tap_is "$scenario: and later" "$("$umadrig" run "$scenario.mad" 2>/dev/null |
		grep -c '^ok 1 ')" 1
	tap_is "$scenario: format" "$("$umadrig" format --check "$scenario.mad" 2>&1)" ""
}
# fails_with NAME FABRIC SED: with that change of its fabric the scenario fails.
fails_with() {
	cp "$2" right.fabric
	sed "$3" right.fabric >"$2"
	tap_ok "$1: '$3' changes the fabric" sh -c "! cmp -s right.fabric '$2'"
	tap_is "$1: it fails after '$3'" "$("$umadrig" run "$1.mad" 2>/dev/null |
		grep -c '^not ok 1 ')" 1
	cp right.fabric "$2"
}

# ---- a walk, as a plain pcap: nothing in it has a name ----

"$umadrig" exec -f "$two,capture=walk.pcap" --host HostB -- "$walker" >/dev/null 2>&1
passes walk --from walk.pcap -f "$two"
tap_has "the port is known" "$(cat walk.err)" \
	"and HostB[1] of the fabric, by its port GUID"
tap_is "all of its requests are there" "$(grep -c 'umad_send(' walk.mad)" \
	"$("$umadrig" show walk.pcap 2>/dev/null | grep -c 'SubnGet(')"
fails_with walk walk.net 's/"HostA"/"HostC"/'
fails_with walk walk.net 's/^Switch.8 "Leaf"/Switch	9 "Leaf"/'

# ---- two hosts with an SA between them ----

cat >fabric.net <<'END'
vendid=0x2c9
devid=0xbd36
switchguid=0x0002c90200400000(2c90200400000)
Switch	8 "S-0002c90200400000"		# "leaf" base port 0 lid 3 lmc 0
[1]	"H-0002c9020024f634"[2](2c9020024f636) 		# "host-4" lid 4 4xDDR
[2]	"H-0002c90300001894"[1](2c90300001895) 		# "host-2" lid 2 4xDDR
[3]	"H-0002c9020020b4dc"[1](2c9020020b4dd) 		# "host-1" lid 1 4xDDR

caguid=0x2c9020024f634
Ca	2 "H-0002c9020024f634"		# "host-4"
[2](2c9020024f636) 	"S-0002c90200400000"[1]		# lid 4 lmc 0 "leaf" lid 3 4xDDR

caguid=0x2c90300001894
Ca	1 "H-0002c90300001894"		# "host-2"
[1](2c90300001895) 	"S-0002c90200400000"[2]		# lid 2 lmc 0 "leaf" lid 3 4xDDR

caguid=0x2c9020020b4dc
Ca	1 "H-0002c9020020b4dc"		# "host-1"
[1](2c9020020b4dd) 	"S-0002c90200400000"[3]		# lid 1 lmc 0 "leaf" lid 3 4xDDR
END
# A message in segments goes out, is acknowledged, and is answered in segments.
cat >multi.mad <<'END'
scenario "s"
topology "fabric.net" self="H-0002c9020024f634[2]" peer="H-0002c9020020b4dc[1]"
data     ask = pattern(500)
data     reply = pattern(300)
0  peer listens class=SA version=2 methods={GetMulti}
0  fd = umad_open_port($CA, $PORT)
+0 sa = umad_register(fd, class=SA, version=2, rmpp=1)
+0 umad_send(fd, sa, timeout=1s, SubnAdmGetMulti(MultiPathRecord) to=peer rmpp=DATA, data=ask) = 0
+0 > SubnAdmGetMulti(MultiPathRecord) tid=?t rmpp=DATA seg=1
+1ms < SubnAdmGetMultiResp(MultiPathRecord) tid=$t rmpp=ACK seg=1 newwin=65
+0 > SubnAdmGetMulti(MultiPathRecord) rmpp=DATA seg=2
+0 > SubnAdmGetMulti(MultiPathRecord) rmpp=DATA seg=3
+1ms < SubnAdmGetMultiResp(MultiPathRecord) tid=$t rmpp=ACK seg=3 newwin=65
+0 > SubnAdmGetMulti(MultiPathRecord) rmpp=ACK
+5ms < SubnAdmGetMultiResp(MultiPathRecord) tid=$t rmpp=DATA seg=1 flags={ACTIVE, FIRST} paylen=340 data=reply[1]
+0 > SubnAdmGetMulti(MultiPathRecord) rmpp=ACK seg=1
+0 < SubnAdmGetMultiResp(MultiPathRecord) tid=$t rmpp=DATA seg=2 flags={ACTIVE, LAST} paylen=120 data=reply[2]
+0 > SubnAdmGetMulti(MultiPathRecord) rmpp=ACK seg=2
+0 umad_recv(fd) = sa, status=0
END
"$umadrig" run --keep . multi.mad >multi.tap 2>&1
tap_is "segments are captured" "$(grep -c '^ok 1 ' multi.tap)" 1
passes segments --from multi.pcapng -f fabric.net --port 'H-0002c9020024f634[2]'
tap_is "what was sent is written whole" \
	"$(grep -c -e '^data     s1' -e 'data=s1' -e 'data=s1\[[123]\]' -e '^data     d1' segments.mad)" 6
fails_with segments segments.net 's/caguid=0x2c9020024f634/&f/; s/H-0002c9020024f634/&f/'
passes by-lid --from multi.pcapng -f fabric.net --port 'A=LID 4' --port B=1
tap_is "a port by its LID" "$(grep '^topology' by-lid.mad)" \
	'topology "by-lid.net" self="H-0002c9020024f634[2]" peer="H-0002c9020020b4dc[1]"'
fails_with by-lid by-lid.net 's/lid 4 /lid 5 /'

# ---- a sweep of OpenSM, and the SA's own host ----

if ! command -v opensm >/dev/null 2>&1 || ! command -v saquery >/dev/null 2>&1; then
	tap_skip "OpenSM" "opensm or saquery is not installed"
elif grep -q '^CFLAGS = .*-fsanitize' "$top_builddir/Makefile"; then
	tap_skip "OpenSM" "a library with sanitizers cannot be put in front of it"
else
	"$umadrig" exec -f "$two,state=cold,capture=sweep.pcap" -- opensm -o -f osm.log >/dev/null 2>&1
	passes sweep --from sweep.pcap -f "$two,state=cold"
	tap_has "the port is known by its routes" "$(cat sweep.err)" \
		"and HostA[1] of the fabric, by where its directed routes end"
	fails_with sweep sweep.net 's/^Hca	1 "HostA"/Hca	1 "HostZ"/; s/"HostA"/"HostZ"/'
	fails_with sweep sweep.net 's/^\[5\]/[6]/; s/\[5\]$/[6]/'
	cat >sa.sh <<'END'
UMADRIG_HOST=HostB opensm -f osm.log -s 0 -t 100 >/dev/null 2>&1 &
i=0
while [ $i -lt 300 ] && ! saquery NR >nodes 2>/dev/null; do
	sleep 0.1
	i=$((i + 1))
done
kill $!
wait
END
	for form in pcap pcapng; do
		"$umadrig" exec -f "$two,state=cold,capture=sa.$form" -- sh sa.sh >/dev/null 2>&1
		passes "sa-$form" --from "sa.$form" -f "$two,state=cold"
		tap_is "sa-$form: not the SA's own host" "$(sed -n 's/^topology.* self="\([^"]*\)".*/\1/p' \
			"sa-$form.mad")" "HostA[1]"
	done
fi

# ---- captures of other tools ----

# The GUIDs that a capture gives its two ends, which the default fabric does not have.
guids() {
	sed -n 's/.*node(self, Guid) is \(0x[0-9a-f]*\).*/self=\1/p; s/.*node(peer, Guid) is \(0x[0-9a-f]*\).*/peer=\1/p' "$1"
}
foreign=0
for capture in "$top_srcdir"/../shared/captures/*.pcap*; do
	[ -r "$capture" ] || continue
	foreign=$((foreign + 1))
	name=$(basename "${capture%.pcap*}")
	"$umadrig" record -o first.mad --from "$capture" >/dev/null 2>first.err
	if grep -q 'there is no MAD in the capture' first.err; then
		tap_ok "$name: there is none" test ! -e first.mad
		continue
	fi
	self='' peer=''
	eval "$(guids first.err)"
	rm -f first.mad
	case $name in
	infiniband-*)
		cp fabric.net its.net
		;;
	*)
		printf 'switchguid=0x1(1)\nSwitch 4 "S-1" # "s" base port 0 lid 3 lmc 0\n' >its.net
		printf '[1] "A"[1]\n[2] "B"[1]\n\ncaguid=%s\nCa 1 "A" # "a"\n' "$self" >>its.net
		printf '[1] "S-1"[1] # lid 1 lmc 0 "s" lid 3 4xQDR\n\ncaguid=%s\n' "$peer" >>its.net
		printf 'Ca 1 "B" # "b"\n[1] "S-1"[2] # lid 2 lmc 0 "s" lid 3 4xQDR\n' >>its.net
		;;
	esac
	passes "$name" --from "$capture" -f its.net
	tap_has "$name: A by its GUID" "$(cat "$name.err")" "of the fabric, by its"
	fails_with "$name" "$name.net" "s/caguid=$self/&1/; s/caguid=0x2c9020024f634/&1/"
done
[ $foreign -gt 0 ] || tap_skip "captures of other tools" "they are not beside the tree"

# ---- what is refused ----

# NAME STATUS MESSAGE ARGUMENT...
fails() {
	name=$1 status=$2 message=$3
	shift 3
	"$umadrig" record -o new.mad "$@" >out 2>err
	tap_is "$name: status" "$?" "$status"
	tap_has "$name: message" "$(cat err)" "$message"
	tap_ok "$name: there is none" test ! -e new.mad
}
fails "a LID that sends nothing" 2 "host 'LID 77' sent nothing in the capture" \
	--from multi.pcapng -f fabric.net --port "A=LID 77"
fails "A twice" 2 "once for A and for B" --from multi.pcapng -f fabric.net --port A=4 --port A=1
fails "nobody" 2 "once for A and for B" --from multi.pcapng -f fabric.net --port A=
tap_done
