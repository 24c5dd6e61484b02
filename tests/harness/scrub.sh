#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# scrub: the command and what it says; and real captures, of which no GUID, GID or address is left.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"

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
fails "a file that is not there" 2 "none: cannot be read: No such file" "$work/none" "$work/out.pcapng"
fails "a text" 2 "this is text, not a capture" "$0" "$work/out.pcapng"
printf 'vendi\0\1\2 0123456789' >"$work/binary"
fails "no capture at all" 2 "neither pcap nor pcapng nor ERF" "$work/binary" "$work/out.pcapng"
: >"$work/empty"
fails "an empty file" 2 "empty: cannot be read: the file is empty" "$work/empty" "$work/out.pcapng"
printf '\050\265\057\375\004' >"$work/cut.zst"
fails "zstd that is cut off" 2 "cut.zst: cannot be read: the zstd data break off" "$work/cut.zst" "$work/out.pcapng"
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

# A packet that is no MAD: 26 bytes of a connected QP, link type InfiniBand.
{
	printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\367\0\0\0'
	printf '\0\0\0\0\0\0\0\0\32\0\0\0\32\0\0\0\20\42\0\2\0\7\0\1\4\0\377\377\0\0\0\5\0\0\0\7data\0\0'
} >"$work/other.pcap"
"$umadrig" scrub "$work/other.pcap" "$work/other-out.pcap" >"$work/out"
tap_has "a packet that is no MAD is dropped" "$(cat "$work/out")" "0 of 1 frames"
"$umadrig" scrub --keep-other "$work/other.pcap" "$work/other-out.pcap" >"$work/out"
tap_has "unless --keep-other is given" "$(cat "$work/out")" "1 of 1 frames"
tap_lacks "and its data is not" "$(cat "$work/other-out.pcap" | tr -d '\0')" "data"

# Other ways in and out: each gives what the plain file gives.
plain=$work/out.pcapng
gzip -c "$work/in.pcapng" >"$work/in.pcapng.gz"
"$umadrig" scrub - - <"$work/in.pcapng" >"$work/stdout.pcapng" 2>"$work/err"
tap_is "standard input to standard output: status" "$?" 0
tap_ok "the same bytes" cmp "$plain" "$work/stdout.pcapng"
tap_has "what was done is on standard error" "$(cat "$work/err")" "standard output: 6 of 6 frames"
"$umadrig" scrub "$work/in.pcapng.gz" - 2>"$work/err" >"$work/stdout.pcapng"
tap_ok "of a file compressed by gzip" cmp "$plain" "$work/stdout.pcapng"
"$umadrig" scrub - "$work/again.pcapng" <"$work/in.pcapng.gz" >"$work/out"
tap_ok "of one on standard input" cmp "$plain" "$work/again.pcapng"
"$umadrig" scrub "$work/in.pcapng" "$work/packed.pcapng.gz" >"$work/out"
tap_ok "compressed by gzip" test "$(gzip -dc "$work/packed.pcapng.gz" | cksum)" = "$(cksum <"$plain")"
"$umadrig" scrub "$work/in.pcapng" "$work/packed.pcapng.zst" >"$work/out"
tap_is "compressed by zstd: mode" "$(stat -c %a "$work/packed.pcapng.zst")" 600
"$umadrig" scrub "$work/packed.pcapng.zst" - >"$work/twice" 2>"$work/err"
"$umadrig" scrub "$plain" - >"$work/twice.plain" 2>"$work/err"
tap_ok "compressed by zstd, and scrubbed again" cmp "$work/twice.plain" "$work/twice"
head -c 400 "$work/in.pcapng.gz" >"$work/cut.pcapng.gz"
fails "a compressed file that breaks off" 1 "is damaged or was cut" "$work/cut.pcapng.gz" \
	"$work/out.pcapng"
fails "a name of another format" 2 "give the output a name that ends in .pcapng, not in .pcap" \
	"$work/in.pcapng" "$work/wrong.pcap.gz"
rm -f "$work"/packed.* "$work"/stdout.* "$work"/again.* "$work"/cut.* "$work"/link.*

# ERF records: those of a pcap of them, without its headers.
"$umadrig" exec --fabric "generate:fat-tree:4,4,capture=$work/erf.pcap" -- \
	"$top_builddir/tests/tools/fabric-walk" >"$work/out" 2>"$work/err"
perl -e 'local $/; $_ = <STDIN>; my $at = 24; while ($at < length) {
	my $n = unpack "V", substr $_, $at + 8, 4; print substr $_, $at + 16, $n; $at += 16 + $n }' \
	<"$work/erf.pcap" >"$work/in.erf"
"$umadrig" scrub "$work/in.erf" "$work/out.erf" >"$work/out" 2>"$work/err"
tap_is "ERF: status" "$?" 0
frames=$("$umadrig" show --fields "$work/in.erf" | grep -c '^[0-9]')
tap_ok "ERF: there are frames" test "$frames" -gt 50
tap_has "ERF: each is written" "$(cat "$work/out")" "out.erf: $frames of $frames frames; replaced: "
"$umadrig" show --fields "$work/in.erf" | cut -f 2- >"$work/before"
"$umadrig" show --fields "$work/out.erf" | cut -f 2- >"$work/after"
tap_ok "ERF: the same MADs" cmp "$work/before" "$work/after"
"$umadrig" scrub "$work/erf.pcap" "$work/out.pcap" >"$work/out"
"$umadrig" show "$work/out.pcap" | cut -c 24- >"$work/before"
"$umadrig" show "$work/out.erf" | cut -c 24- >"$work/after"
tap_ok "ERF: scrubbed as the pcap of the same records" cmp "$work/before" "$work/after"
rm -f "$work/erf.pcap" "$work/out.pcap"

# No room: an error, and no file. (A block is 512 or 1024 bytes; the result is longer.)
head -c 20000 /dev/urandom >"$work/full.pcapng"	# what was there stays
cp "$work/full.pcapng" "$work/before"
(ulimit -f 1; "$umadrig" scrub "$work/in.erf" "$work/full.erf" >"$work/null" 2>"$work/limit.err")
tap_is "no room: status" "$?" 2
tap_has "no room: message" "$(cat "$work/limit.err")" "cannot write $work/full.erf: File too large"
tap_is "no room: no file" "$(cd "$work" && echo full.*)" "full.pcapng"
(ulimit -f 1; "$umadrig" scrub "$work/in.erf" "$work/full.erf.gz" >"$work/null" 2>"$work/limit.err")
tap_is "no room, compressed: status" "$?" 2
tap_is "no room, compressed: no file" "$(cd "$work" && echo full.*)" "full.pcapng"
"$umadrig" scrub "$work/in.erf" - >/dev/full 2>"$work/err"
tap_is "no room on standard output: status" "$?" 2
tap_has "no room on standard output: message" "$(cat "$work/err")" "No space left on device"
tap_ok "what was there is as it was" cmp "$work/before" "$work/full.pcapng"

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

# The sample, and real captures where there are any.
mkdir "$work/sample"
sample_make "$work/sample"
for capture in "$work/sample/sample.pcapng" "$top_srcdir"/../shared/captures/*.pcap*; do
	name=$(basename "$capture")
	[ -r "$capture" ] || continue
	ours_of "$capture" >"$work/values"
	if command -v tshark >/dev/null 2>&1; then
		tshark -r "$capture" -Y infiniband.mad -T fields -e eth.src -e eth.dst \
			2>/dev/null | tr '\t' '\n' | sed -n 's/://g; s/^[0-9a-f]\{12\}$/number &/p' |
			sort -u >>"$work/values"
	fi
	"$umadrig" show --fields "$capture" 2>/dev/null | cut -f 2- >"$work/before"
	for option in "" --key=secret --lids; do
		# Its name may not be that of its format.
		result=$work/result
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
