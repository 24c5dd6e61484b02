#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# record: a run becomes a bundle that is replayed, and that nobody else can read; with --scrub
# nothing of the fabric is in any of its files.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
leaks=$top_builddir/tests/tools/scrub-leaks
walker=$top_builddir/tests/tools/fabric-walk
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
fabric=generate:fat-tree:6,4

# NAME STATUS MESSAGE ARGUMENT...
fails() {
	name=$1 status=$2 message=$3
	shift 3
	"$umadrig" record "$@" >"$work/out" 2>"$work/err"
	tap_is "$name: status" "$?" "$status"
	tap_has "$name: message" "$(cat "$work/err")" "$message"
}

fails "no bundle" 2 "no bundle given" -- true
fails "no command" 2 "no command given" -o "$work/new"
fails "an argument too many" 2 "unexpected argument 'true'" -o "$work/new" true
fails "a key for nothing" 2 "--key goes with --scrub" -o "$work/new" --key x -- true
fails "a comma" 2 "a comma in the name" -o "$work/a,b" -- true
fails "a fabric that is not there" 125 "No such file" -o "$work/new" --fabric "$work/none" -- true
mkdir "$work/there"
fails "a bundle that is there" 125 "give a name that nothing has yet" -o "$work/there" -- true
fails "two fabrics" 2 "--attach excludes --fabric" -o "$work/new" --fabric "$fabric" --attach x -- true
fails "a server of another machine" 2 "the server writes the capture" -o "$work/new" \
	--attach ssh:node7:/run/fabric -- true
fails "no server" 125 "no fabric server" -o "$work/new" --attach "$work/none" -- true

# A program that is never started leaves no bundle: the next attempt has the same name.
fails "a program that is not there" 127 "there is no program 'no-such'" -o "$work/new" -- no-such
fails "the same, scrubbed" 127 "there is no program 'no-such'" -o "$work/new" --scrub -- no-such
fails "as an archive" 127 "there is no program 'no-such'" -o "$work/new.tar.zst" -- no-such
fails "on this machine's devices" 127 "there is no program 'no-such'" -o "$work/new" \
	--backend ib_umad -- no-such
fails "a host that is not there" 125 "there is no host 'no-such'" -o "$work/new" --fabric "$fabric" \
	--host no-such -- true
tap_lacks "and no bundle is spoken of" "$(cat "$work/err")" "capture.pcapng"
out=$(TMPDIR=$work/no-such "$umadrig" record -o "$work/new" -- true 2>&1)
tap_is "no place for temporary files" "$?:${out##*(}" "125:No such file or directory); set TMPDIR"
tap_is "none of these made one" "$(ls -d "$work"/new* 2>/dev/null)" ""
fails "one that has run leaves a bundle" 124 "$work/kept: capture.pcapng" -o "$work/kept" -- true

# walk: what the program says, and its status.
(umask 022; UMAD_SECRET_OF_TEST=1 OSM_TMP_DIR=$work OTHER=2 "$umadrig" record -o "$work/plain" \
	--fabric "$fabric" -- "$walker" >"$work/then" 2>"$work/err")
tap_is "the status is the program's" "$?" 0
tap_has "what was made is said" "$(cat "$work/err")" \
	"$work/plain: capture.pcapng, topology.net, environment.txt"
tap_is "the directory is for nobody else" "$(stat -c %a "$work/plain")" 700
tap_is "and so are its files" "$(cd "$work/plain" && stat -c '%n %a' -- * | tr '\n' ' ')" \
	"capture.pcapng 600 environment.txt 600 topology.net 600 "
environment=$(cat "$work/plain/environment.txt")
tap_has "the environment: version" "$environment" "version: umadrig"
tap_has "the environment: date" "$environment" "date: $(date -u +%Y-)"
tap_has "the environment: command" "$environment" "command: $walker"
tap_has "the environment: fabric" "$environment" "fabric: $fabric"
tap_has "the environment: variables" "$environment" "variable: UMAD_SECRET_OF_TEST=1"
tap_has "the environment: OpenSM's" "$environment" "variable: OSM_TMP_DIR=$work"
tap_lacks "the environment: no others" "$environment" "OTHER"
"$umadrig" topology --generate "${fabric#generate:}" >"$work/topology" 2>"$work/err"
tap_ok "the topology is the fabric's" cmp "$work/topology" "$work/plain/topology.net"
# Who asked is another in a replay; what it finds is the same.
"$umadrig" replay "$work/plain" --mode answer -- "$walker" >"$work/now" 2>"$work/err"
tap_has "the bundle is replayed" "$(cat "$work/now")" "5 switches"

"$umadrig" record -o "$work/failed" --fabric "$fabric" -- \
	sh -c "$walker >/dev/null; exit 7" 2>"$work/err"
tap_is "a program that fails" "$?" 7
tap_ok "leaves a bundle" test -s "$work/failed/capture.pcapng"
# shellcheck disable=SC2016 # $$ is the program's
"$umadrig" record -o "$work/killed" --fabric "$fabric" -- \
	sh -c "$walker"' >/dev/null; kill -KILL $$' 2>"$work/err"
tap_is "a program that is killed" "$?" 137
tap_ok "leaves one, too" test -s "$work/killed/environment.txt"

# Numbers and names of the fabric, from what it was made of.
{
	grep -o '"[SH]-[0-9a-f]*"' "$work/plain/topology.net" | tr -d '"' | sed 's/^../number /'
	sed -n 's/.*"[^"]*".*# "\([^"]*\)".*/\1/p' "$work/plain/topology.net" |
		sed 's/ HCA-[0-9]*$//' | grep '....' | sed 's/^/name /'
} | sort -u >"$work/values"
tap_ok "there are values to look for" test "$(wc -l <"$work/values")" -gt 4
"$umadrig" record --scrub -o "$work/scrubbed" --fabric "$fabric" -- \
	"$walker" >"$work/out" 2>"$work/err"
tap_is "scrubbed: status" "$?" 0
tap_is "scrubbed: files" "$(cd "$work/scrubbed" && stat -c '%n %a' -- * | tr '\n' ' ')" \
	"capture.pcapng 600 environment.txt 600 topology.net 600 "
for file in capture.pcapng environment.txt topology.net; do
	tap_is "scrubbed: nothing of the fabric is in $file" \
		"$("$leaks" "$work/scrubbed/$file" <"$work/values")" ""
done
"$umadrig" replay "$work/scrubbed" --mode answer -- "$walker" >"$work/again" 2>"$work/err"
tap_is "scrubbed: it is replayed, and gives the same" "$(tail -n 1 "$work/again")" \
	"$(tail -n 1 "$work/now")"
tap_is "scrubbed: its topology is a fabric" "$("$umadrig" topology --check \
	"$work/scrubbed/topology.net" | sed 's/.*: \(.*\);.*/\1/')" "$("$umadrig" topology --check \
	"$work/plain/topology.net" | sed 's/.*: \(.*\);.*/\1/')"

# One file.
"$umadrig" record -o "$work/run.tar.zst" --fabric "$fabric" -- "$walker" >"$work/out" 2>"$work/err"
tap_is "an archive: status" "$?" 0
tap_is "an archive: mode" "$(stat -c %a "$work/run.tar.zst")" 600
tap_is "an archive: nothing is left beside it" "$(cd "$work" && echo run.tar.zst*)" run.tar.zst
"$umadrig" replay "$work/run.tar.zst" -- "$walker" >"$work/again" 2>"$work/err"
tap_is "an archive: it is replayed" "$(tail -n 1 "$work/again")" "$(tail -n 1 "$work/now")"
if command -v zstd >/dev/null 2>&1; then
	tap_is "an archive: tar lists it" "$(zstd -dc "$work/run.tar.zst" | tar -tf - | tr '\n' ' ')" \
		"bundle/capture.pcapng bundle/topology.net bundle/environment.txt "
else
	tap_skip "an archive: tar lists it" "zstd is not installed"
fi
if command -v zstd >/dev/null 2>&1; then
	"$umadrig" record --scrub -o "$work/scrubbed.tar.zst" --fabric "$fabric" -- "$walker" \
		>"$work/out" 2>"$work/err"
	zstd -dc "$work/scrubbed.tar.zst" >"$work/scrubbed.tar"
	tap_is "an archive, scrubbed: nothing of the fabric is in it" \
		"$("$leaks" "$work/scrubbed.tar" <"$work/values")" ""
	mkdir "$work/untarred"
	tar -C "$work/untarred" -xf "$work/scrubbed.tar"
	tap_is "an archive, scrubbed: nor any path" "$(grep -rlF "$work" "$work/untarred")" ""
else
	tap_skip "an archive, scrubbed" "zstd is not installed"
fi
fails "an archive that is there" 125 "give a name that nothing has yet" -o "$work/run.tar.zst" -- true
head -c 300 "$work/run.tar.zst" >"$work/cut.tar.zst"
"$umadrig" replay "$work/cut.tar.zst" -- true >"$work/out" 2>"$work/err"
tap_is "an archive that is cut off: status" "$?" 125
tap_has "an archive that is cut off: message" "$(cat "$work/err")" "cut.tar.zst"

# An archive of some kilobytes that unpacks to 300 MiB and more: one packet, again and again.
if command -v zstd >/dev/null 2>&1; then
	mkdir "$work/bundle"
	"$umadrig" record -o "$work/small" --fabric "$fabric" -- "$walker" >"$work/out" 2>"$work/err"
	{
		cat "$work/small/capture.pcapng"
		# The last block; its end says how long it is.
		tail -c "$(tail -c 4 "$work/small/capture.pcapng" | od -An -tu4 | tr -d ' ')" \
			"$work/small/capture.pcapng" >"$work/block"
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			cat "$work/block" "$work/block" >"$work/blocks"
			mv "$work/blocks" "$work/block"
		done
		count=0
		while [ "$count" -lt 1200 ]; do
			cat "$work/block"
			count=$((count + 1))
		done
	} >"$work/bundle/capture.pcapng"
	tar -C "$work" -cf - bundle | zstd -q >"$work/bomb.tar.zst"
	rm "$work/bundle/capture.pcapng"
	"$umadrig" replay "$work/bomb.tar.zst" -- "$walker" >"$work/out" 2>"$work/err"
	tap_is "an archive that unpacks to 300 MiB: status" "$?" 125
	tap_has "an archive that unpacks to 300 MiB: message" "$(cat "$work/err")" \
		"$work/bomb.tar.zst: it unpacks to more than 268435456 bytes: unpack it first"
	fails "a scenario of it" 1 "it unpacks to more than 1048576 bytes" -o "$work/bomb.mad" \
		--max-size 1M --from "$work/bomb.tar.zst"
else
	tap_skip "an archive that unpacks to 300 MiB" "zstd is not installed"
fi
"$umadrig" replay "$work/run.tar.zst" --max-size 1K -- "$walker" >"$work/out" 2>"$work/err"
tap_is "an archive beyond --max-size: status" "$?" 125
tap_has "an archive beyond --max-size: message" "$(cat "$work/err")" \
	"$work/run.tar.zst: it unpacks to more than 1024 bytes"
"$umadrig" replay "$work/run.tar.zst" --max-size 1G -- "$walker" >"$work/again" 2>"$work/err"
tap_is "an archive within --max-size" "$(tail -n 1 "$work/again")" "$(tail -n 1 "$work/now")"
"$umadrig" replay "$work/run.tar.zst" --max-size 1T -- "$walker" >"$work/out" 2>"$work/err"
tap_has "a size that is none" "$(cat "$work/err")" "--max-size 1T: expected a number from 1"
"$umadrig" replay "$work/run.tar.zst" --unmatched=status=0x8000 -- "$walker" >"$work/out" 2>"$work/err"
tap_lacks "messages name the archive" "$(cat "$work/err")" /proc/self/fd
tap_is "an archive is a capture for other commands" \
	"$("$umadrig" show "$work/run.tar.zst" 2>&1 | tail -n 1 | cut -d' ' -f 5-)" "MADs, 0 others, 0 damaged"

"$umadrig" replay - -- "$walker" <"$work/plain/capture.pcapng" >"$work/out" 2>"$work/err"
tap_is "standard input cannot be a fabric: status" "$?" 2
tap_has "standard input cannot be a fabric: message" "$(cat "$work/err")" "put it into a file"

# A program at a running server, whose other programs are recorded, too.
mkfifo "$work/ready"
"$umadrig" serve --fabric "$fabric" --socket "$work/socket" >"$work/ready" 2>"$work/server.err" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
read -r line <"$work/ready"
"$umadrig" record -o "$work/attached" --attach "$work/socket" --host host-3 -- "$walker" \
	>"$work/out" 2>"$work/err"
tap_is "at a server: status" "$?" 0
tap_has "at a server: what was made is said" "$(cat "$work/err")" \
	"$work/attached: capture.pcapng, topology.net, environment.txt"
tap_is "at a server: modes" "$(cd "$work/attached" && stat -c '%n %a' -- * | tr '\n' ' ')" \
	"capture.pcapng 600 environment.txt 600 topology.net 600 "
tap_ok "at a server: the topology is the server's" cmp "$work/topology" "$work/attached/topology.net"
tap_has "at a server: the environment names it" "$(cat "$work/attached/environment.txt")" \
	"fabric: that of the server $work/socket"
tap_is "at a server: what the program found" "$(cat "$work/out")" "$(cat "$work/then")"
"$umadrig" replay "$work/attached" -- "$walker" >"$work/again" 2>"$work/err"
tap_is "at a server: it is replayed" "$(tail -n 1 "$work/again")" "$(tail -n 1 "$work/now")"
"$umadrig" record --scrub -o "$work/attached-scrubbed" --attach "$work/socket" -- "$walker" \
	>"$work/out" 2>"$work/err"
for file in capture.pcapng topology.net; do
	tap_is "at a server, scrubbed: nothing of the fabric is in $file" \
		"$("$leaks" "$work/attached-scrubbed/$file" <"$work/values")" ""
done
"$umadrig" ctl --socket "$work/socket" capture start "$work/other.pcapng"
fails "a server that writes a capture already" 125 "is being captured already" -o "$work/new" \
	--attach "$work/socket" -- true
tap_ok "makes no bundle" test ! -e "$work/new"
"$umadrig" ctl --socket "$work/socket" capture stop
"$umadrig" record -o "$work/orphan" --attach "$work/socket" -- \
	sh -c "$walker >/dev/null; kill $server; sleep 1" 2>"$work/err"
tap_is "a server that ends before the program: status" "$?" 1
tap_has "a server that ends before the program: message" "$(cat "$work/err")" \
	"the fabric's server: it has closed the connection"

# Real devices, as far as there need be none: what is wrong with a tap's capture is said.
# shellcheck disable=SC2016 # UMAD_TAP is the program's
"$umadrig" record -o "$work/torn" --backend ib_umad -- \
	sh -c 'head -c 100 /dev/zero >>"$UMAD_TAP"' 2>"$work/err"
tap_is "a capture that is not whole: status" "$?" 1
tap_has "a capture that is not whole: message" "$(cat "$work/err")" \
	"capture.pcap is not whole: a program could not write all of its MADs, and said why; 0 MADs"
tap_is "what is there is a capture" "$(wc -c <"$work/torn/capture.pcap")" 24
tap_done
