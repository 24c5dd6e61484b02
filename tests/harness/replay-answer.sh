#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# replay-answer: a captured fabric answers a program's requests as it did then, under the program's
# own transaction ids. tshark extracts the requests and the expected responses from the capture.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"

umadrig=$top_builddir/umadrig
ask=$top_builddir/tests/tools/replay-ask
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

command -v tshark >/dev/null 2>&1 || tap_skip_all "tshark is not installed"

# What tshark says of all frames, read once: the bytes in the file "bytes", a paragraph for each
# frame, and the numbers of the frames and their DLIDs in "lids".
look_at_frames() {
	tshark -r "$capture" -x >"$work/bytes" 2>/dev/null
	tshark -r "$capture" -T fields -e frame.number -e infiniband.lrh.dlid >"$work/lids" 2>/dev/null
}

# The MAD of a frame, 512 digits: after LRH, BTH and DETH.
mad_of() {
	awk -v RS= -v frame="$1" 'NR == frame' "$work/bytes" |
		awk '/^[0-9a-f]+  / { print substr($0, 7, 47) }' | tr -d ' \n' | cut -c 57-568
}

lid_of() {
	awk -v frame="$1" '$1 == frame { print $2 }' "$work/lids"
}

# Without what a replay has to change: the transaction id, and the hop pointer of a directed route.
comparable() {
	case $1 in
	0181*) printf '%s\n' "$1" | cut -c 1-12,15-16,33- ;;
	*) printf '%s\n' "$1" | cut -c 1-16,33- ;;
	esac
}

run() {
	out=$("$umadrig" replay "$capture" --mode answer -- "$@" 2>"$work/err")
	status=$?
	err=$(cat "$work/err")
}

# Uses name, capture, pairs (of requests and their answers, by frame), path (the request for a path
# record), moments (a time, and the frame that answers SMInfo then) and askers.
answers() {
	look_at_frames
	tap_is "$name: the capture is read as expected" "$(mad_of "$path" | cut -c 1-8)" 01030201

	# All in one process, in the captured order.
	set --
	for pair in $pairs; do set -- "$@" "$(lid_of "${pair%:*}")" "$(mad_of "${pair%:*}")"; done
	run "$ask" "$@"
	tap_is "$name: every request is answered" "$status:$(printf '%s\n' "$out" | wc -l)" 0:4
	line=0
	for pair in $pairs; do
		line=$((line + 1))
		answer=$(printf '%s\n' "$out" | sed -n "${line}p")
		answer=${answer:-"tid nothing"}
		tap_is "$name: frame ${pair%:*} is answered by frame ${pair#*:}" "$(comparable "${answer#* }")" \
			"$(comparable "$(mad_of "${pair#*:}")")"
		tap_is "$name: under the asker's own transaction id" \
			"$(printf '%s' "${answer#* }" | cut -c 25-32)" "${answer%% *}"
	done

	# The same request for an attribute that is not in the capture: PathRecord (0x35) becomes
	# ServiceRecord (0x31).
	other=$(mad_of "$path" | sed 's/^\(.\{32\}\)0035/\10031/')
	run "$ask" "$(lid_of "$path")" "$other"
	tap_is "$name: a request that was not captured is not answered" "$status:$out" "0:status 110"
	tap_has "$name: and the closest captured one is named" "$err" "closest is frame $path"
	tap_has "$name: with its attribute" "$err" "PathRecord"

	tap_has "$name: and at the end, requests are counted" "$err" \
		"exactly, 0 nearly (from another requester, or in another form of the address); unanswered in the capture, too: 0; not in the capture: 1"

	# SMInfo was answered three times, with another count of activity each time.
	for as_of in $moments; do
		out=$("$umadrig" replay "$capture" --as-of "${as_of%:*}" -- "$ask" "$(lid_of 1)" \
			"$(mad_of 1)" "$(lid_of 1)" "$(mad_of 1)" 2>"$work/err")
		for line in 1 2; do
			answer=$(printf '%s\n' "$out" | sed -n "${line}p")
			answer=${answer:-"tid nothing"}
			tap_is "$name: as of ${as_of%:*} frame ${as_of#*:} answers" "$(comparable "${answer#* }")" \
				"$(comparable "$(mad_of "${as_of#*:}")")"
		done
	done
	out=$("$umadrig" replay "$capture" --unmatched status=12 -- "$ask" "$(lid_of "$path")" "$other" 2>/dev/null)
	tap_is "$name: what was not captured is refused with a status if asked for" \
		"$(printf '%s' "${out#* }" | cut -c 7-12)" 81000c
	# The program waits for a minute; the reader of this test does not.
	out=$(timeout 20 "$umadrig" replay "$capture" --unmatched timeout -- "$ask" -t 60000 \
		"$(lid_of "$path")" "$other" 2>/dev/null)
	tap_is "$name: or times out at once" "$?:$out" "0:status 110"
	"$umadrig" replay "$capture" --as-of soon -- "$ask" >/dev/null 2>"$work/err"
	tap_is "$name: an impossible time is refused" $? 125
	tap_has "$name: with what was expected" "$(cat "$work/err")" "as-of=soon: expected first, last or a time"
	"$umadrig" replay "$capture" --host 3 -- "$ask" >/dev/null 2>"$work/err"
	tap_is "$name: so is a host that is not there" $? 125
	tap_has "$name: with those that are" "$(cat "$work/err")" "$askers"
	"$umadrig" replay "$capture" --as-of last --mode ask --fabric , >/dev/null 2>"$work/err"
	tap_is "$name: --as-of is for answers" $? 2
	"$umadrig" exec --fabric ",as-of=last" -- "$ask" >/dev/null 2>"$work/err"
	tap_is "$name: and for captures" $? 125
	tap_has "$name: as the error says" "$(cat "$work/err")" "no capture"
}

sample_make "$work"
name="the sample" capture=$work/sample.pcapng pairs="1:3 7:9 10:11 12:14" path=10
moments="first:3 last:14 9s:3 11s:9" askers="requests came from LID 1"
answers
if [ -n "$real_sample" ]; then
	name="real hardware" capture=$real_sample pairs="1:2 12:13 32:33 41:42" path=32
	moments="first:2 last:42 9s:2 11s:13" askers="requests came from LID 2, LID 4"
	answers
fi

run "$top_builddir/tests/tools/exec-probe" nothing
tap_is "exec's guards hold here too: a program that opens nothing" "$status" 124
run -
tap_is "and one that is not there" "$status" 127
"$umadrig" replay "$capture" -- "$top_builddir/tests/tools/exec-probe" nothing >/dev/null 2>&1
tap_is "a command needs no --mode" $? 124
"$umadrig" replay --mode answer -- "$ask" >/dev/null 2>"$work/err"
tap_is "without a capture: usage" $? 2
"$umadrig" replay "$0" --mode answer -- "$ask" >/dev/null 2>"$work/err"
tap_is "what is no capture is refused" $? 125
tap_has "and the error says what it is" "$(cat "$work/err")" "this is text, not a capture"
: >"$work/empty"
"$umadrig" replay "$work/empty" --mode answer -- "$ask" >/dev/null 2>"$work/err"
tap_is "an empty one" "$?:$(cat "$work/err")" \
	"125:umadrig replay: $work/empty: cannot be read: the file is empty"
"$umadrig" replay "$work/empty" --mode timed >/dev/null 2>"$work/err"
tap_is "the same without a command: no option is spoken of that was not given" "$?:$(cat "$work/err")" \
	"2:umadrig replay: $work/empty: cannot be read: the file is empty"
"$umadrig" replay "$top_srcdir/doc/examples/march.pcapng" --host node1 -- "$ask" >/dev/null 2>"$work/err"
tap_is "a host, where all requests have directed routes" "$?" 125
tap_has "why there is none, and that none is needed" "$(cat "$work/err")" \
	"directed routes alone, and no LID; without a host they are answered"

tap_done
