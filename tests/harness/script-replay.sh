#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# script-replay: a scenario sends requests to a captured fabric, which answers as it did, with the
# requester's TID.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
capture=$top_srcdir/../shared/captures/infiniband-erf-wireshark-sample.pcap
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

[ -r "$capture" ] || tap_skip_all "the sample capture (../shared/captures) is not here"
cp "$capture" sample.pcap

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
tap_is "what was captured is answered" "$?:$(printf '%s\n' "$out" | grep -v '^#' | tr '\n' ';')" \
	"0:TAP version 13;1..1;ok 1 - replay.mad: the captured subnet manager answers again;"

cat >unmatched.mad <<'END'
scenario "nobody asked that"
replay   "sample.pcap" answer

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
replay   "sample.pcap" answer unmatched=drop

0        fd = umad_open_port($CA, $PORT)
+0       sa = umad_register(fd, class=SA)
+0       umad_send(fd, sa, timeout=100ms, retries=1, SubnAdmGet(ServiceRecord) to=sm) = 0
+0       > SubnAdmGet(ServiceRecord)
+100ms   > SubnAdmGet(ServiceRecord)
+100ms   umad_recv(fd) = sa, status=ETIMEDOUT

scenario "it times out at once"
replay   "sample.pcap" answer unmatched=timeout
latency  2us

0        fd = umad_open_port($CA, $PORT)
+0       sa = umad_register(fd, class=SA)
+0       umad_send(fd, sa, timeout=100ms, retries=1, SubnAdmGet(ServiceRecord) to=sm) = 0
+0       > SubnAdmGet(ServiceRecord)
+4us     umad_recv(fd) = sa, status=ETIMEDOUT
+0~+1s   > nothing

scenario "it is refused"
replay   "sample.pcap" answer unmatched=status=0x000c

0        fd = umad_open_port($CA, $PORT)
+0       sa = umad_register(fd, class=SA)
+0       umad_send(fd, sa, timeout=100ms, SubnAdmGet(ServiceRecord) to=sm) = 0
+0       > SubnAdmGet(ServiceRecord)
+0       umad_recv(fd) = sa, status=0 SubnAdmGetResp(ServiceRecord) mad.status=0x000c
END
# SMInfo was answered in frames 2, 13 and 42, with a count of activity each time; 13 is at 10.5 s.
for row in first:0x923a last:0x92b1 10s:0x923a 11s:0x923d; do
	cat >>chosen.mad <<END

scenario "as of ${row%:*}"
replay   "sample.pcap" answer as-of=${row%:*}

0        fd = umad_open_port(\$CA, \$PORT)
+0       dr = umad_register(fd, class=SUBN_DR)
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={2, 3}) = 0
+0       > SubnGet(SMInfo)
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) { SmActivity=${row#*:} }
+1ms     umad_send(fd, dr, timeout=100ms, SubnGet(SMInfo) path={2, 3}) = 0
+0       > SubnGet(SMInfo)
+0       umad_recv(fd) = dr, status=0 SubnGetResp(SMInfo) { SmActivity=${row#*:} }
END
done
out=$("$umadrig" run chosen.mad 2>/dev/null)
tap_is "the moment, and what becomes of requests that were not captured, are chosen" \
	"$?:$(printf '%s\n' "$out" | grep -c '^ok')" 0:7
printf '%s\n' "$out" | grep -v '^ok' | sed 's/^/# /'

tap_done
