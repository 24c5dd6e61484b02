#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# scrub: the command and what it says; and real captures, of which no GUID, GID or address is left.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
leaks=$top_builddir/tests/tools/scrub-leaks
corpus=$top_srcdir/tests/fuzz/corpus-scrub
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# NAME STATUS MESSAGE ARGUMENT...
fails() {
	name=$1 status=$2 message=$3
	shift 3
	"$umadrig" scrub "$@" >"$work/out" 2>"$work/err"
	tap_is "$name: status" "$?" "$status"
	tap_has "$name: message" "$(cat "$work/err")" "$message"
}

cp "$corpus/names.pcapng" "$work/in.pcapng"
fails "no capture" 2 "no capture given"
fails "no output" 2 "no output given" "$work/in.pcapng"
fails "too much" 2 "unexpected argument 'c'" a b c
fails "its own input" 2 "are one file" "$work/in.pcapng" "$work/in.pcapng"
ln "$work/in.pcapng" "$work/link.pcapng"
fails "its own input by another name" 2 "are one file" "$work/in.pcapng" "$work/link.pcapng"
tap_ok "which is as it was" cmp "$corpus/names.pcapng" "$work/in.pcapng"
fails "a file that is not there" 2 "cannot read the capture" "$work/none" "$work/out.pcapng"
fails "no capture at all" 2 "neither pcap nor pcapng" "$0" "$work/out.pcapng"
fails "a directory that is not there" 2 "cannot write" "$work/in.pcapng" "$work/none/out.pcapng"
fails "an empty secret" 2 "--key needs a secret" --key "" "$work/in.pcapng" "$work/out.pcapng"
tap_is "nothing was written" "$(cd "$work" && echo ./*.pcapng)" "./in.pcapng ./link.pcapng"
head -c 900 "$corpus/names.pcapng" >"$work/cut.pcapng"
fails "a file that breaks off" 1 "is damaged or was cut" "$work/cut.pcapng" "$work/out.pcapng"

(umask 022 && "$umadrig" scrub "$work/in.pcapng" "$work/out.pcapng" >"$work/out")
tap_is "the result is for nobody else's eyes" "$(stat -c %a "$work/out.pcapng")" 600
tap_has "what was replaced is said" "$(cat "$work/out")" \
	"out.pcapng: 6 of 6 frames; replaced: 3 GUIDs, 1 GID prefix, 1 IPv4 address, 1 name"
tap_has "and what was dropped" "$(cat "$work/out")" "in.pcapng: 1 dropped: blocks of pcapng"
tap_is "nothing of it is left" "$("$leaks" "$work/out.pcapng" <<EOT
number 0002c903a1b2c300
number 0002c903a1b2c301
gid fec0:123:4567:8901:e41d:2dff:feaa:bbcc
ip 10.0.0.1
name rack7
EOT
)" ""

# What we find in a capture: a line for each value.
ours_of() {
	"$umadrig" show -v "$1" 2>/dev/null | ${AWK:-awk} '
		/ -> / {
			for (i = 1; i <= NF; i++)
				if ($i ~ /^[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+$/)
					print "ip " $i
		}
		/^ *[A-Za-z]*(GUID|Guid) +0x/ { sub("0x", "", $2); print "number " $2 }
		/^ *[A-Za-z]*GID +[0-9a-f:]/ && $2 != "::" { print "gid " $2 }' | sort -u
}

for capture in "$top_srcdir"/../shared/captures/*.pcap*; do
	name=$(basename "$capture")
	[ -r "$capture" ] || { tap_skip "real captures" "../shared/captures is not here"; break; }
	ours_of "$capture" >"$work/values"
	if command -v tshark >/dev/null 2>&1; then
		tshark -r "$capture" -Y infiniband.mad -T fields -e eth.src -e eth.dst \
			2>/dev/null | tr '\t' '\n' | sed -n 's/://g; s/^[0-9a-f]\{12\}$/number &/p' |
			sort -u >>"$work/values"
	fi
	"$umadrig" show --fields "$capture" 2>/dev/null | cut -f 2- >"$work/before"
	for option in "" --key=secret --lids; do
		result=$work/result.${capture##*.}
		"$umadrig" scrub ${option:+"$option"} "$capture" "$result" >"$work/out" 2>&1
		tap_is "$name $option: of $(wc -l <"$work/values") values none is left" \
			"$("$leaks" "$result" <"$work/values")" ""
		"$umadrig" show --fields "$result" 2>/dev/null | cut -f 2- >"$work/after"
		[ "$option" != --lids ] ||
			for file in before after; do
				cut -f 3- "$work/$file" >"$work/cut" && mv "$work/cut" "$work/$file"
			done
		tap_ok "$name $option: the same MADs" cmp "$work/before" "$work/after"
	done
done
tap_done
