#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show-conversations: the table of requests and answers, of a run in which answers are lost.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

cat >lost.mad <<'END'
scenario "lost"
latency 1ms
0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register_oui(fd, class=0x32, oui=0x001405, methods={Get})
+0       fault drop 1 VendGetResp(0x0010) from peer
+0       umad_send(fd, a, timeout=100ms, retries=3, VendGet(0x0010) to=peer) = 0
+0       > VendGet(0x0010)
100ms    > VendGet(0x0010)
102ms    umad_recv(fd) = a, status=0
200ms    fault drop all VendGet(0x0011) to peer
+0       umad_send(fd, a, timeout=50ms, retries=1, VendGet(0x0011) to=peer) = 0
+0       > VendGet(0x0011)
+50ms    > VendGet(0x0011)
+50ms    umad_recv(fd) = a, status=ETIMEDOUT
+0~+1s   > nothing
END
tap_ok "a run with losses" "$umadrig" run --keep . lost.mad
out=$("$umadrig" show --conversations ./*.pcapng 2>&1)
row() {
	tap_is "$1" "$(printf '%s\n' "$out" | tr -s ' ' | sed 's/^ //' | grep -cxF -- "$2")" 1
}
row "the answer to the second attempt" \
	"1 0.000000ms H1[1] H2[1] VendGet(0x0010) 1000.00 1 1 status 0x000c (method and attribute not supported)"
row "no answer" "6 200.000000ms H1[1] H2[1] VendGet(0x0011) 1 2 no answer"
row "totals of an attribute" "VendGet(0x0010) 1 1 0 1 1 1 1000.00 1000.00 1000.00 1000.00 1000.00 1000.00"
row "totals of an attribute without answers" "VendGet(0x0011) 1 0 1 0 1 2"
row "totals of all" "# all 2 1 1 1 2 3 1000.00 1000.00 1000.00 1000.00 1000.00 1000.00"
row "the slowest" "1000.00 us frame 1, answered in frame 5, at 0.000000ms: VendGet(0x0010)"
[ "$tap_failed" = 0 ] || printf '%s\n' "$out" | sed 's/^/# /'

for by in requester:H1\[1\] responder:H2\[1\] class:VENDOR_30; do
	out=$("$umadrig" show -c --by "${by%%:*}" ./*.pcapng 2>&1)
	tap_is "totals by ${by%%:*}" "$(printf '%s\n' "$out" | sed -n '/^# Totals/{n;p;}' | tr -s ' ' |
		grep -c ' 2 1 1 1 2 3 1000.00 1000.00 1000.00 1000.00 1000.00 1000.00$')" 1
done
"$umadrig" show -c --by colour ./*.pcapng >/dev/null 2>err
tap_is "by another word" "$?:$(head -n 1 err)" \
	"2:umadrig show: --by colour: expected attribute, class, requester or responder"
"$umadrig" show --by class ./*.pcapng >/dev/null 2>err
tap_is "without conversations" "$?:$(head -n 1 err)" "2:umadrig show: --by goes with --conversations"

# A message in segments: it is there with the last one, 2 ms after the first. A plain pcap names
# nobody, but what its MADs say of themselves does.
cat >segments.mad <<'END'
scenario "s"
data     d = pattern(300)
0  peer listens class=SA version=2 methods={GetTable}
0  fd = umad_open_port($CA, $PORT)
+0 sa = umad_register(fd, class=SA, version=2, rmpp=1)
+0 smp = umad_register(fd, class=SUBN_LID)
+0 umad_send(fd, smp, timeout=1s, SubnGet(NodeDescription) to=peer) = 0
+0 > SubnGet(NodeDescription)
+0 umad_recv(fd) = smp, status=0
+0 umad_send(fd, sa, timeout=1s, SubnAdmGetTable(NodeRecord) to=peer) = 0
+0 > SubnAdmGetTable(NodeRecord) tid=?t
+1ms < SubnAdmGetTableResp(NodeRecord) tid=$t rmpp=DATA seg=1 flags=FIRST paylen=340 data=d[1]
+0 > SubnAdmGetTable(NodeRecord) rmpp=ACK
+2ms < SubnAdmGetTableResp(NodeRecord) tid=$t rmpp=DATA seg=2 flags=LAST paylen=120 data=d[2]
+0 > SubnAdmGetTable(NodeRecord) rmpp=ACK
+0 umad_recv(fd) = sa, status=0
END
mkdir segments
tap_ok "a run with segments" "$umadrig" run --keep segments segments.mad
tap_is "its trip ends with the last segment" \
	"$("$umadrig" show -c segments/segments.pcapng | grep -c '^ .*SubnAdmGetTable(NodeRecord)  .* 3000.00 ')" 1
tap_is "and says which frames they are" \
	"$("$umadrig" show -c segments/segments.pcapng | grep -c '^ .* 3000\.00 us  frame [0-9]*, answered in frames [0-9]* to [0-9]*, at ')" 1
if command -v editcap >/dev/null 2>&1; then
	editcap -F pcap segments/segments.pcapng plain.pcap
	tap_is "names of a plain pcap" "$("$umadrig" show -c plain.pcap | tr -s ' ' |
		grep -c ' LID 1 H2 SubnAdmGetTable(NodeRecord) ')" 1
else
	tap_skip "names of a plain pcap" "editcap is not installed"
fi

out=$("$umadrig" show --conversations ./*.pcapng 2>&1)
"$umadrig" show --conversations --ladder ./*.pcapng >/dev/null 2>err
tap_is "not with --ladder: status" $? 2
tap_has "not with --ladder" "$(cat err)" "exclude each other"

# 5,000 kinds of requests: no capture makes the table as large as it likes.
cat >noise.py <<'END'
import struct
import sys
out = open(sys.argv[1], "wb")
out.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 247))
for n in range(5000):
    packet = struct.pack(">BBHHHBBHII", 0, 2, 5, 72, 3, 100, 0, 0xffff, 1, 0)
    packet += struct.pack(">II", 0x80010000, 1)
    packet += struct.pack(">BBBBHHQHHI", 1, 0x32, 1, 1, 0, 0, n + 1, n, 0, 0).ljust(256) + bytes(6)
    out.write(struct.pack("<IIII", n, 0, len(packet), len(packet)) + packet)
END
if command -v python3 >/dev/null 2>&1; then
	python3 noise.py noise.pcap
	out=$("$umadrig" show --conversations noise.pcap 2>&1)
	row "kinds of requests beyond 4,096 share their total" "# others 904 0 904 0 0 904"
	row "and count with all" "# all 5000 0 5000 0 0 5000"
else
	tap_skip "kinds of requests beyond 4,096 share their total" "no python3"
fi

sample_make .
out=$("$umadrig" show -c sample.pcapng 2>&1)
row "a connection, by its IDs" "4 1999.000000ms H1[1] H2[1] ComMgtSend(ConnectRequest) 215.00 0 0 ComMgtSend(ConnectReply), ComMgtSend(ReadyToUse)"
if [ -n "$real_sample" ]; then
	out=$("$umadrig" show -c "$real_sample" 2>&1)
	row "a connection of real hardware" "27 249574.846097ms LID 2 LID 4 ComMgtSend(ConnectRequest) 215.76 0 0 ComMgtSend(ConnectReply), ComMgtSend(ReadyToUse)"
fi

tap_done
