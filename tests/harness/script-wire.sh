#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# script-wire: compares what has crossed the cable with lists and captures; replays captures at
# their own times.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

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
	"the wire differs: conversations of $gold: 0 changed, 1 missing, 1 extra, 1 the same" \
	'# missing VendGet(0x0011)' "frames 3, 4 of $gold; closest: packets 3, 4 at 5ms, 5ms" \
	'request  attr                          0x0011  ->  0x0012' '# extra   VendGet(0x0012)'
wire "captured at another time" 0 6ms 0x0011 "+1ms wire == \"$gold\"" \
	"conversations of $gold: 1 changed, 0 missing, 0 extra, 1 the same" \
	"frames 3, 4 of $gold, packets 3, 4 at 6ms, 6ms" \
	'request  time                          5.000000ms  ->  6.000000ms'
wire "times do not count" 0 6ms 0x0011 "+1ms wire == \"$gold\" ignoring time"
wire "more captured" 0 5ms 0x0011 "+1ms wire == \"$gold\"
+1ms wire == \"$gold\"" "0 changed, 2 missing, 0 extra, 0 the same" "frames 1, 2 of $gold"
wire "some of it captured, the rest listed" 0 5ms 0x0012 \
	"+1ms wire == \"$gold\" where attr == 0x0010
+1ms wire == > VendGet(0x0012), < VendGetResp(0x0012)
+1ms wire == nothing"
wire "in any order" 0 5ms 0x0012 "+1ms wire == \"$gold\" ignoring time order=any" \
	"conversations of $gold: 0 changed, 1 missing, 1 extra, 1 the same" "frames 3, 4 of $gold"
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
		"$(printf '%s\n' "$out" | grep '^# .*  ->  ' | sort -u | wc -l)" $#
	for part; do
		tap_has "$name: $part" "$(printf '%s\n' "$out" | tr -s ' ')" "$part"
	done
}
send_grh grh 1 "grh=yes dgid=peer" "" >grh.mad
tap_ok "a capture with a GRH" "$umadrig" run --keep . grh.mad
grh "the same GRH" 1 "grh=yes dgid=peer"
grh "the same GRH, another MAD" 2 "grh=yes dgid=peer" "tid 0x0000000000000001 -> 0x0000000000000002"
grh "another GID" 1 "grh=yes dgid=self" " dgid fe80::"
grh "no GRH" 1 "" "grh yes -> no"

# What is compared, each kind by itself: scripts that read what they do from 'events'.
# NAME: a capture of that.
keep() {
	{ printf '%s\n' "scenario \"$1\"" 'ignore > class=0x32' 'ignore > class=0x01' \
		'ignore > class=0x81'; cat events; } >"$1.mad"
	tap_ok "a capture: $1" "$umadrig" run --keep . "$1.mad"
}
# NAME LINE [PART...]: followed by LINE the script passes; or its output has each PART, and is
# short.
against() {
	name=$1
	{ printf '%s\n' 'scenario "s"' 'ignore > class=0x81'; cat events
		printf '%s\n' "$2"; } >t.mad
	out=$("$umadrig" run t.mad 2>/dev/null)
	status=$?
	out=$(printf '%s\n' "$out" | tr -s ' ')
	shift 2
	if [ $# -eq 0 ]; then
		tap_is "$name" "$status:$(printf '%s\n' "$out" | grep '^not ok')" 0:
		return
	fi
	tap_is "$name: status" "$status" 1
	tap_is "$name: the report is short" \
		"$(($(printf '%s\n' "$out" | grep -cE '^# (changed|missing|extra) ') <= 10))" 1
	for part; do
		tap_has "$name: $part" "$out" "$part"
	done
}
begin() {
	printf '%s\n' '0 fd = umad_open_port($CA, $PORT)' \
		'+0 a = umad_register_oui(fd, class=0x32, oui=0x001405, methods={Get})'
}
# EXTRA: a request
request() {
	printf '%s\n' "0 umad_send(fd, a, timeout=100ms, VendGet$1) = 0"
}
# EXTRA-1 EXTRA-2 DELAY-1 DELAY-2: two requests that are answered so much later
two() {
	begin
	printf '%s\n' "0 peer answers VendGet(0x0010) class=0x32 after $3" \
		"0 peer answers VendGet(0x0011) class=0x32 after $4"
	request "(0x0010) to=peer $1"
	request "(0x0011) to=peer $2"
	printf '%s\n' '* umad_recv(fd) = a, status=0' '* umad_recv(fd) = a, status=0'
}
two "" "" 1ms 2ms >events
keep two
wire_two='+1ms wire == "two.pcapng"'
against "the same" "$wire_two"
two "" "bytes[100]=1" 1ms 2ms >events
against "a byte of a request" "$wire_two" "conversations of two.pcapng: 1 changed, 0 missing" \
	"request byte 100 00 -> 01"
against "a byte, in any order" "$wire_two ignoring time order=any" "1 changed" \
	"request byte 100 00 -> 01"
against "a byte elsewhere" "$wire_two where attr == 0x0010
+0 wire == > VendGet(0x0011), < VendGetResp(0x0011)"
two "" "" 1ms "2ms with mad.status=0x001c" >events
against "a byte of an answer" "$wire_two" "1 changed, 0 missing, 0 extra" \
	"answer status 0x0000 -> 0x001c"
against "which is ignored" "$wire_two ignoring status"
two "" "" 1ms 3ms >events
against "a late answer" "$wire_two" "1 changed" "answer time 2.000000ms -> 3.000000ms"
two "" "tid.low=77" 1ms 2ms >events
against "part of a field" "$wire_two" "request tid 0x0000000100000002 -> 0x000000010000004d"
against "part of a field, which is ignored" "$wire_two ignoring tid.low"
against "the rest of it ignored" "$wire_two ignoring tid.high" "request tid"
two "" "bytes[30]=1" 1ms 2ms >events
against "a field that its class does not have" "$wire_two ignoring mkey" "1 changed" "request seg"
two "" "" 1ms 2ms | sed '/umad_send.*0x0011/d;$d' >events
against "a request is missing" "$wire_two" "0 changed, 1 missing, 0 extra" \
	"missing VendGet(0x0011)" "of two.pcapng"
{ two "" "" 1ms 2ms; echo '+0 umad_send(fd, a, VendGetResp(0x0012) to=peer) = 0'; } >events
against "a packet more" "$wire_two" "0 changed, 0 missing, 1 extra, 2 the same" \
	"extra VendGetResp(0x0012)" "packet 5 at 2ms"
for many in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
	printf '%s\n' "+0 umad_send(fd, a, VendGetResp(0x0012) to=peer modifier=$many) = 0"
done >>events
against "many more" "$wire_two" "0 missing, 15 extra" "... and 5 more differences"

# Swapped answers are a matter of time and order.
two "" "" 2ms 1ms >events
against "swapped answers" "$wire_two" "2 changed" "answer time 1.000000ms -> 2.000000ms"
against "swapped answers, without times" "$wire_two ignoring time" \
	"the wire differs: packets of two.pcapng: 0 changed, 1 missing, 1 extra, 3 the same" \
	"# missing < VendGetResp(0x00" "no field differs: it is at another place"
against "swapped answers, in any order" "$wire_two ignoring time order=any"

# A request that nobody answers: what matters is when it is sent again.
# TIMEOUT RETRIES
retry() {
	begin
	printf '%s\n' '0 peer listens class=0x32 methods={Get} oui=0x001405' \
		"0 umad_send(fd, a, timeout=$1, retries=$2, VendGet(0x0010) to=peer) = 0" \
		'* umad_recv(fd) = a, status=ETIMEDOUT'
}
retry 10ms 1 >events
keep retry
against "a retry" '+1ms wire == "retry.pcapng"'
retry 12ms 1 >events
against "a late retry" '+1ms wire == "retry.pcapng"' \
	"packets of retry.pcapng: 1 changed, 0 missing, 0 extra, 1 the same" \
	"changed > VendGet(0x0010)" "time 10.000000ms -> 12.000000ms"
against "a late retry, without times" '+1ms wire == "retry.pcapng" ignoring time'
retry 10ms 2 >events
against "one retry more" '+1ms wire == "retry.pcapng"' "1 changed" "retries 1 -> 2"
against "one retry more, in any order" '+1ms wire == "retry.pcapng" ignoring time order=any' \
	"retries 1 -> 2"

# Fields of attributes can be ignored, too.
lid() {
	printf '%s\n' '0 fd = umad_open_port($CA, $PORT)' '+0 a = umad_register(fd, class=SUBN_LID)' \
		"0 umad_send(fd, a, timeout=9ms, SubnGet(PortInfo) class=SUBN_LID to=peer { Lid=$1 }) = 0" \
		'* umad_recv(fd) = a, status=0'
}
lid 7 >events
keep lid
lid 8 >events
against "a field of an attribute" '+1ms wire == "lid.pcapng"' "request PortInfo.Lid 7 -> 8"
against "a field of an attribute, which is ignored" '+1ms wire == "lid.pcapng" ignoring PortInfo.Lid'
against "retries are packets, which count" '+1ms wire == "lid.pcapng" ignoring retries' \
	"there is no header field 'retries' here"

# RoCE has no LIDs: the packet with a GRH in Ethernet, from the GRH on.
roce() {
	begin
	printf '%s\n' '0 peer listens class=0x32 methods={Get} oui=0x001405' \
		"0 umad_send(fd, a, timeout=1ms, VendGet(0x0010) to=peer grh=yes dgid=peer $1) = 0" \
		'* umad_recv(fd) = a, status=ETIMEDOUT'
}
roce "" >events
keep native
oct=$(od -An -v -to1 native.pcapng | tr -d '\n' |
	sed -n 's/.*\( 140 000 000 000 001 030 033.\{1252\}\).*/\1/p')
{
	printf '\324\303\262\241\002\000\004\000\000\000\000\000\000\000\000\000'
	printf '\377\377\000\000\001\000\000\000'
	printf '\000\000\000\000\000\000\000\000\116\001\000\000\116\001\000\000'
	printf '\002\000\000\000\000\002\002\000\000\000\000\001\211\025'
	printf "$(printf '%s' "$oct" | sed 's/ /\\/g')"
} >roce.pcap
tap_has "a capture of RoCE" "$("$umadrig" show roce.pcap 2>&1)" "VendGet(0x0010)"
against "RoCE has no LIDs" '+0 wire == "roce.pcap"'
roce "modifier=1" >events
against "RoCE, a field" '+0 wire == "roce.pcap"' "modifier 0"

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

# Each comes after twice the time.
sed -e 's/rewrite tid$/rewrite tid speed=0.5/' -e 's/^69us /138us/' -e 's/^1999215us/3998430us/' \
	timed.mad >slow.mad
out=$("$umadrig" run slow.mad 2>/dev/null)
tap_is "and at half their speed" "$?:$(printf '%s\n' "$out" | grep -A9 '^not ok')" 0:

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
