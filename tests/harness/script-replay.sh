#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# script-replay: a scenario sends requests to a captured fabric, which answers as it did, with the
# requester's TID.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

sample_make .
cat >replay.mad <<'END'
scenario "the captured subnet manager answers again"
replay   "sample.pcapng" answer

0        fd = umad_open_port($CA, $PORT)
+0       sa = umad_register(fd, class=SA)
+0       dr = umad_register(fd, class=SUBN_DR)

# SMInfo is in it three times.
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={1, 3}) = 0
+0       > SubnGet(SMInfo) class=0x81 hop_ptr=1 tid=?t1
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) mad.status=0x8000 tid=$t1 {
             SmInfoGuid=0x0000a10000005201 SmState=3 SmActivity=0x101 }
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={1, 3}) = 0
+0       > SubnGet(SMInfo) tid=?t2
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) tid=$t2 { SmActivity=0x202 }
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={1, 3}) = 0
+0       > SubnGet(SMInfo) tid=?t3
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) tid=$t3 { SmActivity=0x303 }

+1ms     umad_send(fd, sa, timeout=100ms, SubnAdmGet(PathRecord) to=sm comp_mask=0x340c {
             DGID="fe80::a1:7" SGID="fe80::a1:9" NumbPath=1 P_Key=0xffff }) = 0
+0       > SubnAdmGet(PathRecord) dlid=2 tid=?t
+0       umad_recv(fd) = sa, status=0 SubnAdmGetResp(PathRecord) mad.status=0 tid=$t attr_offset=8 {
             DLID=7 SLID=9 MTU=4 Rate=3 PacketLifeTime=18 }
END
out=$("$umadrig" run replay.mad 2>/dev/null)
tap_is "what was captured is answered" "$?:$(printf '%s\n' "$out" | grep -v '^#' | tr '\n' ';')" \
	"0:TAP version 13;1..1;ok 1 - replay.mad: the captured subnet manager answers again;"

if [ -n "$real_sample" ]; then
	cp "$real_sample" sample.pcap
	cat >replay.mad <<'END'
scenario "the captured subnet manager answers again"
replay   "sample.pcap" answer

0        fd = umad_open_port($CA, $PORT)
+0       sa = umad_register(fd, class=SA)
+0       dr = umad_register(fd, class=SUBN_DR)

# SMInfo, as requested in frames 1, 12 and 41.
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={2, 3}) = 0
+0       > SubnGet(SMInfo) class=0x81 hop_ptr=1 tid=?t1
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) mad.status=0x8000 tid=$t1 {
             SmInfoGuid=0x0002c9020020b4dd SmState=3 SmActivity=0x923a }
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={2, 3}) = 0
+0       > SubnGet(SMInfo) tid=?t12
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) tid=$t12
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={2, 3}) = 0
+0       > SubnGet(SMInfo) tid=?t41
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) tid=$t41

# The PathRecord of frame 32.
+1ms     umad_send(fd, sa, timeout=100ms, SubnAdmGet(PathRecord) to=sm comp_mask=0x340c {
             DGID="fe80::2:c903:0:1895" SGID="fe80::2:c902:24:f636" NumbPath=1 P_Key=0xffff }) = 0
+0       > SubnAdmGet(PathRecord) dlid=1 tid=?t
+0       umad_recv(fd) = sa, status=0 SubnAdmGetResp(PathRecord) mad.status=0 tid=$t attr_offset=8 {
             DLID=2 SLID=4 MTU=4 Rate=3 PacketLifeTime=18 }
END
	out=$("$umadrig" run replay.mad 2>/dev/null)
	tap_is "a capture of real hardware" "$?:$(printf '%s\n' "$out" | grep -c '^ok')" 0:1
fi

cat >unmatched.mad <<'END'
scenario "nobody asked that"
replay   "sample.pcapng" answer

0        fd = umad_open_port($CA, $PORT)
+0       sa = umad_register(fd, class=SA)
+0       umad_send(fd, sa, SubnAdmGet(ServiceRecord) to=sm) = 0
+0       > SubnAdmGet(ServiceRecord)
END
out=$("$umadrig" run unmatched.mad 2>err)
tap_is "what was not captured is a failure" $? 1
tap_has "which counts such requests" "$out" "the capture has no answer to 1 requests"
tap_has "and names the closest captured one" "$(cat err)" "closest is frame"

# What becomes of it may be chosen; then it is the scenario that judges.
cat >chosen.mad <<'END'
scenario "it is lost"
replay   "sample.pcapng" answer unmatched=drop

0        fd = umad_open_port($CA, $PORT)
+0       sa = umad_register(fd, class=SA)
+0       umad_send(fd, sa, timeout=100ms, retries=1, SubnAdmGet(ServiceRecord) to=sm) = 0
+0       > SubnAdmGet(ServiceRecord)
+100ms   > SubnAdmGet(ServiceRecord)
+100ms   umad_recv(fd) = sa, status=ETIMEDOUT

scenario "it times out at once"
replay   "sample.pcapng" answer unmatched=timeout
latency  2us

0        fd = umad_open_port($CA, $PORT)
+0       sa = umad_register(fd, class=SA)
+0       umad_send(fd, sa, timeout=100ms, retries=1, SubnAdmGet(ServiceRecord) to=sm) = 0
+0       > SubnAdmGet(ServiceRecord)
+4us     umad_recv(fd) = sa, status=ETIMEDOUT
+0~+1s   > nothing

scenario "it is refused"
replay   "sample.pcapng" answer unmatched=status=0x000c

0        fd = umad_open_port($CA, $PORT)
+0       sa = umad_register(fd, class=SA)
+0       umad_send(fd, sa, timeout=100ms, SubnAdmGet(ServiceRecord) to=sm) = 0
+0       > SubnAdmGet(ServiceRecord)
+0       umad_recv(fd) = sa, status=0 SubnAdmGetResp(ServiceRecord) mad.status=0x000c
END
# SMInfo was answered in frames 3, 9 and 14, with a count of activity each time; 9 is at 10 s.
for row in first:0x101 last:0x303 9s:0x101 11s:0x202; do
	cat >>chosen.mad <<END

scenario "as of ${row%:*}"
replay   "sample.pcapng" answer as-of=${row%:*}

0        fd = umad_open_port(\$CA, \$PORT)
+0       dr = umad_register(fd, class=SUBN_DR)
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={1, 3}) = 0
+0       > SubnGet(SMInfo)
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) { SmActivity=${row#*:} }
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={1, 3}) = 0
+0       > SubnGet(SMInfo)
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) { SmActivity=${row#*:} }
END
done
out=$("$umadrig" run chosen.mad 2>/dev/null)
tap_is "the moment, and what becomes of requests that were not captured, are chosen" \
	"$?:$(printf '%s\n' "$out" | grep -c '^ok')" 0:7
printf '%s\n' "$out" | grep -v '^ok' | sed 's/^/# /'

tap_done
