#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# script-wire: compares what has crossed the cable with lists and captures; replays captures at
# their own times.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

# What most scripts begin with, with LATENCY; two requests, GAP apart, the second for ATTRIBUTE.
ask() {
	printf '%s\n' "scenario \"s\"" "latency $1" 'ignore > class=0x81' \
		'0    fd = umad_open_port($CA, $PORT)' \
		'+0   a  = umad_register_oui(fd, class=0x32, oui=0x001405, methods={Get})' \
		'0    umad_send(fd, a, timeout=10ms, VendGet(0x0010) to=peer) = 0' \
		'*    umad_recv(fd) = a, status=0' \
		"$2  umad_send(fd, a, timeout=10ms, VendGet($3) to=peer) = 0" \
		'*    umad_recv(fd) = a, status=0'
}

# NAME LATENCY GAP ATTRIBUTE LINE [PART...]: followed by LINE the script passes; or its output has
# each PART.
wire() {
	name=$1
	{ ask "$2" "$3" "$4"; printf '%s\n' "$5"; } >t.mad
	out=$("$umadrig" run t.mad 2>/dev/null)
	status=$?
	shift 5
	[ $# -gt 0 ] || tap_is "$name" "$status:$(printf '%s\n' "$out" | grep '^not ok')" 0:
	for part; do
		tap_has "$name: $part" "$out" "$part"
	done
	[ $# -eq 0 ] || tap_is "$name: status" "$status" 1
}

both='wire == > VendGet(0x0010) to=peer tid=?t, < VendGetResp(0x0010) from=peer tid=$t,'
wire "a list" 0 5ms 0x0011 "+1ms $both > VendGet(0x0011), < VendGetResp(0x0011)"
wire "a list, in a window that it ends" 1ms 5ms 0x0011 \
	"+0~+9ms $both > VendGet(0x0011), < VendGetResp(0x0011)"
wire "a list, one too few" 0 5ms 0x0011 "+1ms $both > VendGet(0x0011)" \
	'message: "the wire differs: packet 4 is one too many: at 5ms < VendGetResp(0x0011)'
wire "a list, one too many" 0 5ms 0x0011 \
	"+1ms $both > VendGet(), < VendGetResp(), > VendGet()" \
	'packet 5 (line 10) is missing' '# 4 packets have crossed the cable:' \
	'#   3  5ms  > VendGet(0x0011)'
wire "a list, another direction" 0 5ms 0x0011 "+1ms $both < VendGet(0x0011)" \
	'packet 3 differs: at 5ms > VendGet(0x0011)'
wire "a list, another attribute" 0 5ms 0x0011 "+1ms $both > VendGet(0x0012)" \
	'packet 3 differs: at 5ms > VendGet(0x0011)' 'attribute  expected 0x0012  actual 0x0011'
wire "nothing" 0 5ms 0x0011 "+1ms wire == nothing" \
	'packet 1 is one too many: at 0 > VendGet(0x0010)'

# A capture of the same script.
for latency in 0 1ms; do
	ask $latency 5ms 0x0011 | sed \
		's/^scenario.*/scenario "gold"/; s/^0    umad_send.*/&\n0 > VendGet(0x0010)/
		s/^5ms  umad_send.*/&\n5ms > VendGet(0x0011)/' >gold-$latency.mad
	tap_ok "a capture to compare with, latency $latency" "$umadrig" run --keep . \
		gold-$latency.mad
	wire "as captured, latency $latency" $latency 5ms 0x0011 \
		"+1ms wire == \"gold-$latency.pcapng\""
done
gold=gold-0.pcapng
wire "as captured, in a window" 0 5ms 0x0011 "+0~+1ms wire == \"$gold\""
wire "captured otherwise" 0 5ms 0x0012 "+1ms wire == \"$gold\"" \
	"frame 3 of $gold is > VendGet(0x0011)" 'byte 17  expected 0x11  actual 0x12  (attr)'
wire "captured at another time" 0 6ms 0x0011 "+1ms wire == \"$gold\"" \
	"frame 3 of $gold comes 1ms too late: > VendGet(0x0011)"
wire "times do not count" 0 6ms 0x0011 "+1ms wire == \"$gold\" ignoring time"
wire "more captured" 0 5ms 0x0011 "+1ms wire == \"$gold\"
+1ms wire == \"$gold\"" "frame 1 of $gold is missing: > VendGet(0x0010)"
wire "some of it captured, the rest listed" 0 5ms 0x0012 \
	"+1ms wire == \"$gold\" where attr == 0x0010
+1ms wire == > VendGet(0x0012), < VendGetResp(0x0012)
+1ms wire == nothing"
wire "in any order" 0 5ms 0x0012 "+1ms wire == \"$gold\" ignoring time order=any" \
	"frame 4 of $gold is missing: < VendGetResp(0x0011)"
wire "in any order, but for what differs" 0 5ms 0x0012 \
	"+1ms wire == \"$gold\" ignoring time, tid, attr order=any"
wire "where one field, by Wireshark's name, and another are" 0 5ms 0x0012 \
	"+1ms wire == \"$gold\" where infiniband.mad.attributeid == 16 and dlid == 2 ignoring tid
+1ms wire == < VendGetResp(0x0010), > VendGet(), < VendGetResp()"

# With a GRH: what it differs in is named, and nothing else.
send_grh() {
	printf '%s\n' "scenario \"$1\"" 'ignore > class=0x81' '0  fd = umad_open_port($CA, $PORT)' \
		'+0 a  = umad_register_oui(fd, class=0x32, oui=0x001405)' \
		"0  umad_send(fd, a, VendGetResp(0x0010) to=peer tid=$2 $3) = 0" \
		"0  > VendGetResp(0x0010) tid=$2" "$4"
}
# NAME TID ADDRESS DIFFERENCE...
grh() {
	send_grh s "$2" "$3" '+0 wire == "grh.pcapng"' >t.mad
	out=$("$umadrig" run t.mad 2>/dev/null)
	name=$1
	shift 3
	tap_is "$name: so many differences" \
		"$(printf '%s\n' "$out" | grep -c '^# .*  expected .*  actual ')" $#
	for part; do
		tap_has "$name: $part" "$out" "$part"
	done
}
send_grh grh 1 "grh=yes dgid=peer" "" >grh.mad
tap_ok "a capture with a GRH" "$umadrig" run --keep . grh.mad
grh "the same GRH" 1 "grh=yes dgid=peer"
grh "the same GRH, another MAD" 2 "grh=yes dgid=peer" "byte 15  expected 0x01  actual 0x02"
grh "another GID" 1 "grh=yes dgid=self" "dgid  expected"
grh "no GRH" 1 "" "grh  expected yes  actual no"

# The captured responses come at their times; nothing else answers there.
cat >again.mad <<'END'
scenario "under the captured TIDs"
replay   "gold-1ms.pcapng" timed where class == 0x32
latency  1ms

0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register_oui(fd, class=0x32, oui=0x001405)
+0       umad_send(fd, a, timeout=1s, VendGet(0x0010) to=peer) = 0
+0       > VendGet(0x0010)
2ms      umad_recv(fd) = a, status=0 VendGetResp(0x0010) tid.low=1 mad.status=0x000c
5ms      umad_send(fd, a, timeout=10ms, VendGet(0x0011) to=peer tid.low=9) = 0
+0       > VendGet(0x0011)
# This has another TID: no request waits for it.
+0~+9ms  umad_recv(fd) = nothing
15ms     umad_recv(fd) = a, status=ETIMEDOUT

scenario "under those of the questions"
replay   "gold-1ms.pcapng" timed rewrite tid
latency  1ms

0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register_oui(fd, class=0x32, oui=0x001405)
+0       umad_send(fd, a, timeout=1s, VendGet(0x0011) dlid=2 tid.low=77) = 0
+0       > VendGet(0x0011) tid=?t
7ms      umad_recv(fd) = a, status=0 VendGetResp(0x0011) tid=$t mad.status=0x000c

scenario "beside a fabric that lives"
topology "pair.net"
replay   "gold-0.pcapng" timed

0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register_oui(fd, class=0x32, oui=0x001405)
1ms      umad_send(fd, a, timeout=10ms, VendGet(0x0011) to=peer) = 0
+0       > VendGet(0x0011)
+0       umad_recv(fd) = a, status=0 VendGetResp(0x0011)
+0~+20ms umad_recv(fd) = nothing
21ms     wire == {
             < VendGetResp(0x0010) tid.low=1
             > VendGet(0x0011), < VendGetResp(0x0011)
             < VendGetResp(0x0011) tid.low=2 }
END
printf 'Hca 1 "H1"\n[1] "H2"[1]\n\nHca 1 "H2"\n[1] "H1"[1]\n' >pair.net
out=$("$umadrig" run again.mad 2>/dev/null)
tap_is "captures come again at their times" "$?:$(printf '%s\n' "$out" | grep '^not ok')" 0:
out=$("$umadrig" run --twice again.mad 2>/dev/null)
tap_is "and twice the same" "$?:$(printf '%s\n' "$out" | grep '^not ok')" 0:
printf '%s\n' 'scenario "s"' 'replay "gold-0.pcapng" timed where class == 0x81' \
	'0~1ms > nothing' >none.mad
out=$("$umadrig" run none.mad 2>/dev/null)
tap_has "nothing that could come" "$out" "gold-0.pcapng: nothing in it arrives at H1[1]"

sample_make .
cat >timed.mad <<'END'
scenario "the sample"
replay   "sample.pcapng" timed rewrite tid

0        fd = umad_open_port($CA, $PORT)
+0       dr = umad_register(fd, class=SUBN_DR)
+0       cm = umad_register(fd, class=CM, methods={Send})
+0       umad_send(fd, dr, timeout=1s, SubnGet(SMInfo) path={1, 3}) = 0
+0       > SubnGet(SMInfo) class=0x81 tid=?t
69us     umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) tid=$t { SmState=3 SmActivity=0x101 }
+0~+1s   umad_recv(fd) = nothing
1999215us umad_recv(fd) = cm, status=0 ComMgtSend(ConnectReply)
END
out=$("$umadrig" run timed.mad 2>/dev/null)
tap_is "the sample comes again at its times" "$?:$(printf '%s\n' "$out" | grep '^not ok')" 0:

if [ -n "$real_sample" ]; then
	cp "$real_sample" sample.pcap
	cat >sample.mad <<'END'
scenario "a capture of real hardware"
replay   "sample.pcap" timed rewrite tid

0        fd = umad_open_port($CA, $PORT)
+0       dr = umad_register(fd, class=SUBN_DR)
+0       cm = umad_register(fd, class=CM, methods={Send})
+0       umad_send(fd, dr, timeout=1s, SubnGet(SMInfo) path={2, 3}) = 0
+0       > SubnGet(SMInfo) class=0x81 tid=?t
69015ns  umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) tid=$t { SmState=3 }
+0~+9s   umad_recv(fd) = nothing
9180576891ns umad_recv(fd) = cm, status=0 ComMgtSend(ConnectReply) tid=0x10278648e9
END
	out=$("$umadrig" run sample.mad 2>/dev/null)
	tap_is "a capture of real hardware" "$?:$(printf '%s\n' "$out" | grep '^not ok')" 0:
fi

tap_done
