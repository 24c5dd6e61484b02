#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# diff: what `umadrig diff` prints and how it ends, on captures of runs that differ in known ways.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

# NAME REQUEST...: a capture NAME.pcapng of these requests, each answered before the next.
capture() {
	name=$1
	shift
	{
		printf '%s\n' "scenario \"$name\"" "topology \"$name.net\"" 'ignore > class=0x81' \
			'0  fd = umad_open_port($CA, $PORT)' \
			'+0 sm = umad_register(fd, class=SUBN_LID)'
		for request; do
			printf '%s\n' "+$step umad_send(fd, sm, timeout=10ms, $request to=peer class=SUBN_LID) = 0" \
				"+0 > $request" '* umad_recv(fd) = sm'
		done
	} >"$name.mad"
	net >"$name.net"
	tap_ok "a capture: $name" "$umadrig" run --keep . "$name.mad"
}
# The fabric of the next capture: the second host is called $other.
net() {
	printf 'Hca 1 "H1"\n[1] "H2"[1]\n\nHca 1 "H2" # "%s"\n[1] "H1"[1]\n' "$other"
}
# NAME STATUS PART... -- ARGUMENT...: how diff ends, and what it prints.
row() {
	name=$1 status=$2
	shift 2
	: >parts
	while [ "$1" != -- ]; do
		printf '%s\n' "$1" >>parts
		shift
	done
	shift
	out=$("$umadrig" diff "$@" 2>&1 | tr -s ' ')
	"$umadrig" diff "$@" >/dev/null 2>&1
	tap_is "$name: status" $? "$status"
	while IFS= read -r part; do
		tap_has "$name: $part" "$out" "$part"
	done <parts
}

step=1ms
other="H2 HCA-1"
capture a "SubnGet(NodeInfo)" "SubnGet(PortInfo) modifier=1" "SubnGet(NodeDescription)"
capture less "SubnGet(NodeInfo)" "SubnGet(NodeDescription)"
capture turned "SubnGet(NodeInfo)" "SubnGet(NodeDescription)" "SubnGet(PortInfo) modifier=1"
other="H2 HCA-2"
capture b "SubnGet(NodeInfo)" "SubnGet(PortInfo) modifier=1" "SubnGet(NodeDescription)"

row "the same" 0 "no difference in 3 conversations" -- a.pcapng a.pcapng
row "a field" 1 "1 changed" "0 missing" "0 extra" "2 the same" \
	"changed SubnGet(NodeDescription) tid=0x" "frames 5, 6 of a.pcapng, frames 5, 6 of b.pcapng" \
	"answer NodeDescription.NodeDesc H2 HCA-1 -> H2 HCA-2" -- a.pcapng b.pcapng
row "a field that is ignored" 0 "no difference" -- -i NodeDesc a.pcapng b.pcapng
row "a field that is ignored, of its attribute" 0 "no difference" -- \
	--ignoring=tid,NodeDescription.NodeDesc a.pcapng b.pcapng
row "what fits a filter" 0 "no difference in 2 conversations" -- \
	--where 'SubnGet(NodeInfo) or SubnGet(PortInfo)' a.pcapng b.pcapng
row "one is missing" 1 "0 changed" "1 missing: in a.pcapng and not in less.pcapng" "0 extra" \
	"2 the same" "missing SubnGet(PortInfo) tid=0x" \
	"frames 3, 4 of a.pcapng; closest: frames" -- -i tid a.pcapng less.pcapng
row "one is extra" 1 "1 extra: in a.pcapng and not in less.pcapng" "extra SubnGet(PortInfo)" -- \
	-i tid less.pcapng a.pcapng
row "another order" 1 "1 missing" "1 extra" -- -i tid a.pcapng turned.pcapng
row "in any order" 0 "no difference in 3 conversations" -- -i tid -o any a.pcapng turned.pcapng
row "in any order, a field" 1 "1 changed" "NodeDescription.NodeDesc H2 HCA-1 -> H2 HCA-2" -- \
	-o any a.pcapng b.pcapng
row "no more than so many" 1 "1 changed" "... and 1 more differences" -- -n 0 a.pcapng b.pcapng
row "JSON" 1 '"same":2,"changed":1,"missing":0,"extra":0' '{"kind":"changed","request":"SubnGet(' \
	'"field":"NodeDescription.NodeDesc","a":"H2 HCA-1","b":"H2 HCA-2"}]}' -- \
	--json a.pcapng b.pcapng
if python3 -c 'import json' 2>/dev/null; then
	"$umadrig" diff --json a.pcapng turned.pcapng >lines.json
	tap_ok "JSON that a reader takes" python3 -c \
		'import json; [json.loads(line) for line in open("lines.json")]'
else
	tap_skip "JSON that a reader takes" "there is no python3"
fi

"$umadrig" diff - a.pcapng <a.pcapng >out
tap_is "standard input: status" $? 0
tap_has "standard input" "$(cat out)" "no difference in 3 conversations"
"$umadrig" diff -o any - b.pcapng <a.pcapng >out 2>&1
tap_is "standard input, twice: status" $? 2
tap_has "standard input, twice" "$(cat out)" "cannot be read twice"

# A byte of the file's last MAD flips: its CRC is wrong.
size=$(wc -c <a.pcapng)
{
	head -c $((size - 100)) a.pcapng
	printf '\377\376\375\374'
	tail -c 96 a.pcapng
} >wrong.pcapng
row "a wrong CRC" 1 "1 changed" "answer there yes -> no" \
	"MADs with a wrong CRC do not count: 0 in a.pcapng, 1 in wrong.pcapng" -- a.pcapng wrong.pcapng

# Times, on request: a's requests come each 1 ms after the other, these 3 ms.
step=3ms
other="H2 HCA-1"
capture slow "SubnGet(NodeInfo)" "SubnGet(PortInfo) modifier=1" "SubnGet(NodeDescription)"
row "times do not count" 0 "no difference in 3 conversations" -- a.pcapng slow.pcapng
row "times that are the same" 0 "no difference in 3 conversations" -- --times 0 a.pcapng a.pcapng
row "times that differ" 1 "2 changed" "0 missing" "1 the same" \
	"time 1.000000ms -> 3.000000ms" "time 2.000000ms -> 6.000000ms" -- \
	--times 1ms a.pcapng slow.pcapng
row "one of them by more" 1 "1 changed" "2 the same" "time 2.000000ms -> 6.000000ms" -- \
	--times 3999us a.pcapng slow.pcapng
row "none of them by more" 0 "no difference" -- --times 4ms a.pcapng slow.pcapng
row "what only one has does not move the others" 1 "0 changed" "1 extra" "2 the same" -- \
	--times 3ms -i tid less.pcapng a.pcapng
row "no such time" 2 "--times soon: expected a time such as 1ms" -- --times soon a.pcapng a.pcapng
row "times in any order" 2 "exclude each other" -- --times 0 -o any a.pcapng a.pcapng

row "no such file" 2 "nothing.pcap" -- a.pcapng nothing.pcap
row "no capture" 2 "a.mad" -- a.pcapng a.mad
row "one capture" 2 "two captures are expected" -- a.pcapng
row "no such field" 2 "there is no field 'statu': did you mean 'status'?" -- -i statu a.pcapng a.pcapng
row "no such order" 2 "--order is 'any' or 'same', not 'none'" -- -o none a.pcapng a.pcapng
row "a filter that is wrong" 2 "the filter cannot be used" -- -w 'NoSuch(' a.pcapng a.pcapng

sample_make .
row "the sample" 0 "no difference in 5 conversations" -- sample.pcapng sample.pcapng
[ -z "$real_sample" ] || row "a capture of real hardware" 0 "no difference in 7 conversations" -- \
	"$real_sample" "$real_sample"

tap_done
