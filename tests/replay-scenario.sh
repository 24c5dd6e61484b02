#!/bin/sh
# replay-scenario: a scenario script asks what a public capture answers.
set -u
. "$top_srcdir/tests/tap.sh"

capture=$top_srcdir/../shared/captures/infiniband-erf-wireshark-sample.pcap
[ -r "$capture" ] || tap_skip_all "the sample capture (../shared/captures) is not here"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# NAME EXPECTED SCRIPT: all of what run prints has EXPECTED in it.
runs() {
	out=$("$top_builddir/umadrig" run --twice "$3" 2>&1)
	tap_has "$1" "$out" "$2"
}

runs "the captured answers come under the asker's own TID" \
	"ok 1 - replay-sample.mad: the captured answers come" "$top_srcdir/tests/data/replay-sample.mad"
tap_lacks "and nothing fails" "$out" "not ok"

cat >"$work/other.mad" <<EOF
scenario "what is not in the capture"
needs    sim
replay   "$capture" answer

0        fd = umad_open_port(\$CA, \$PORT)
+0       sa = umad_register(fd, class=SA, version=2)
+0       umad_send(fd, sa, timeout=100ms, SubnAdmGet(ServiceRecord) version=2 dlid=1) = 0
0        > SubnAdmGet(ServiceRecord) tid=?t
100ms    umad_recv(fd) = sa, status=ETIMEDOUT tid=\$t
EOF
runs "an unmatched request fails the scenario" "not ok 1" "$work/other.mad"
tap_has "which says so" "$out" "1 requests are not in the capture that answers"
tap_has "and the closest one is named" "$out" \
	"does not have SubnAdmGet(ServiceRecord) to LID 1; closest is frame 32: attribute PathRecord"
tap_done
