#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show-tshark: "umadrig show --fields" and tshark agree on every field of every MAD, and tshark
# finds nothing malformed in our captures except what tests/harness/malformed-on-purpose lists.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"

command -v tshark >/dev/null 2>&1 || tap_skip_all "no tshark: install tshark"

umadrig=$top_builddir/umadrig
captures=$top_srcdir/../shared/captures
topologies=$top_srcdir/../shared/topologies
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/tmp"
# The user's Wireshark preferences are not part of the comparison.
HOME=$work/home
XDG_CONFIG_HOME=$work/home
TMPDIR=$work/tmp
export HOME XDG_CONFIG_HOME TMPDIR
unset UMAD_BACKEND

# FILE FILTER: what tshark prints, in the columns of "umadrig show --fields", then what is
# malformed.
ask_tshark() {
	tshark -n -r "$1" -Y "$2" -T fields -E occurrence=f \
		-e frame.number -e infiniband.lrh.slid -e infiniband.lrh.dlid \
		-e infiniband.deth.srcqp -e infiniband.bth.destqp -e infiniband.mad.mgmtclass \
		-e infiniband.mad.method -e infiniband.mad.attributeid \
		-e infiniband.mad.transactionid -e infiniband.mad.status \
		-e infiniband.mad.attributemodifier -e _ws.malformed 2>"$work/tshark.err"
}

# NAME FILE FILTER: runs both; the outputs are in 'ours', 'theirs' and 'malformed'.
compare() {
	"$umadrig" show --fields "$2" >"$work/all" 2>"$work/show.err" || {
		tap_fail "$1: umadrig show" "$(cat "$work/show.err")"
		return 1
	}
	tail -n +2 "$work/all" >"$work/ours"
	ask_tshark "$2" "$3" >"$work/both" || {
		tap_fail "$1: tshark" "$(cat "$work/tshark.err")"
		return 1
	}
	cut -f 1-11 "$work/both" >"$work/theirs"
	cut -f 1,6,12 "$work/both" | awk -F '\t' '$3 != ""' >"$work/malformed"
	count=$(($(wc -l <"$work/theirs")))
	difference=$(diff "$work/theirs" "$work/ours" | head -n 10)
	if [ -z "$difference" ]; then
		tap_pass "$1: $count MADs, tshark and we agree"
	else
		tap_fail "$1: $count MADs, tshark (<) and we (>) do not agree" "$difference"
	fi
}

# NAME FILE: a capture from elsewhere, in which not every frame has to be a MAD.
compare_theirs() {
	compare "$1" "$2" infiniband.mad
}

# NAME FILE: one of ours. Every frame is a MAD, or a note; none is malformed without a reason.
compare_ours() {
	compare "$1" "$2" "not systemd_journal" || return
	reserved='^(0x00|0x02|0x5.|0x6.|0x7.|0x80|0x8[2-9a-f]|0x9.|0x[a-f].)$'
	odd=$(awk -F '\t' -v reserved="$reserved" '$2 !~ reserved' "$work/malformed" | head -n 10)
	reason=$(awk -v name="$1" '$1 == name { sub(/^[^ \t]+[ \t]+/, ""); print }' \
		"$top_srcdir/tests/harness/malformed-on-purpose")
	if [ -z "$odd" ]; then
		tap_pass "$1: nothing is malformed"
	elif [ -n "$reason" ]; then
		tap_pass "$1: malformed on purpose ($reason)"
	else
		tap_fail "$1: tshark calls frames malformed (frame, class)" "$odd"
	fi
}

# ---- other people's captures ----

# The sample stands for them where there are none.
mkdir "$work/sample"
sample_make "$work/sample"
for file in "$work/sample/sample.pcapng" "$captures"/*.pcap "$captures"/*.pcapng; do
	[ ! -r "$file" ] || compare_theirs "${file##*/}" "$file"
done

# ---- ours ----

tap_ok "a MAD of every kind is written" "$top_builddir/tests/tools/every-mad" "$work/every.pcapng"
compare_ours every-mad "$work/every.pcapng"

# FABRIC NAME COMMAND...: what a program of infiniband-diags does on the fabric.
compare_program() {
	fabric=$1
	name=$2
	shift 2
	if ! command -v "$1" >/dev/null 2>&1; then
		tap_skip "$name" "no $1: install infiniband-diags"
		return
	fi
	rm -f "$work/program.pcapng"
	"$umadrig" exec --fabric "$fabric,capture=$work/program.pcapng" -- "$@" >"$work/out" 2>&1
	if [ -s "$work/program.pcapng" ]; then
		compare_ours "$name" "$work/program.pcapng"
	else
		tap_fail "$name: wrote no capture" "$(cat "$work/out")"
	fi
}

# FABRIC LABEL
compare_programs() {
	compare_program "$1" "ibnetdiscover on $2" ibnetdiscover
	compare_program "$1" "smpquery by route on $2" smpquery -D nodeinfo 0,1
	compare_program "$1" "smpquery by LID on $2" smpquery portinfo 2 1
	# No agent serves performance management: the kernels answer 0x000c.
	compare_program "$1" "perfquery on $2" perfquery -t 100 2 1
}

cp "$top_srcdir/tests/data/two.net" "$work/two.net"
compare_programs "$work/two.net" "one switch"
compare_program generate:fat-tree:16,4,3 "ibnetdiscover on a fat tree" ibnetdiscover
if [ -d "$topologies" ]; then
	compare_program "$topologies/ibnetdiscover/jumanji-ibnetdiscover-full.out" \
		"ibnetdiscover on jumanji" ibnetdiscover
fi

# ---- the scenarios ----

# Starting tshark costs more than reading these captures, so many are merged into one. What is
# malformed on purpose is checked separately, by its name. Of the matrices, which are ten thousand
# captures of the same few kinds of packets, every hundredth point is run. NAME FILE...
compare_merged() {
	name=$1
	shift
	if ! command -v mergecap >/dev/null 2>&1; then
		tap_skip "$name" "no mergecap: install wireshark-common"
	elif mergecap -w "$work/merged.pcapng" "$@" 2>"$work/out"; then
		compare_ours "$name" "$work/merged.pcapng"
	else
		tap_fail "$name: mergecap" "$(cat "$work/out")"
	fi
}

# Another test checks the verdicts; this one checks the captures that they leave behind.
find "$top_srcdir/scenarios" -name '*.mad' ! -name 'matrix-*' ! -path '*/programs/*' -exec \
	"$umadrig" run --keep "$work/kept" {} + >"$work/out" 2>&1
awk '!/^#/ && NF { print $1 }' "$top_srcdir/tests/harness/malformed-on-purpose" >"$work/names"
while read -r name; do
	[ "${name#matrix-}" = "$name" ] || continue
	if [ ! -f "$work/kept/$name.pcapng" ]; then
		tap_fail "$name: malformed on purpose" "no scenario leaves such a capture: mend the list"
		continue
	fi
	compare_ours "$name" "$work/kept/$name.pcapng"
	rm "$work/kept/$name.pcapng"
done <"$work/names"
tap_ok "scenarios leave captures" test "$(find "$work/kept" -name '*.pcapng' | wc -l)" -gt 100
# Packets that are broken on purpose (another opcode, a wrong byte) may be read differently.
compare_merged scenarios \
	$(find "$work/kept" -name '*.pcapng' ! -name 'wire-broken-*' \
		! -name 'wire-packet-01*' | sort)

for class in sa vendor device; do
	rm -rf "$work/kept"
	"$umadrig" run -k as-sent --every 100 --keep "$work/kept" \
		"$top_srcdir/scenarios/rmpp/matrix-$class.mad" >"$work/out" 2>&1
	tap_ok "matrix-$class: leaves captures" test "$(find "$work/kept" -name '*.pcapng' | wc -l)" -gt 15
	compare_merged "matrix-$class" $(find "$work/kept" -name '*.pcapng' | sort)
done

tap_done
