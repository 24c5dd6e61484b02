#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# serve: a capture that cannot be written whole ends the server with a status that is not 0, and the
# file is named; a server whose capture is whole ends with 0.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=.}"
. "$top_srcdir/tests/rig/tap.sh"
top_builddir=$(cd "$top_builddir" && pwd)
umadrig=$top_builddir/umadrig
walk=$top_builddir/tests/tools/fabric-walk
work=$(mktemp -d) || exit 99
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
cd "$work" || exit 99

# CAPTURE BLOCKS: a server whose files may have that many blocks of 512 bytes (unlimited), until it
# has served a walk through the fabric; its status is in $status, what it said in the file err.
serve() {
	mkfifo ready
	(ulimit -f "$2"; exec "$umadrig" serve --fabric generate:fat-tree:16,4 --socket "$work/socket" \
		--capture "$1") >ready 2>err &
	server=$!
	walked=none
	if read -r line <ready && [ -n "$line" ]; then
		UMAD_BACKEND=${line#UMAD_BACKEND=} "$walk" >walk.out 2>&1
		walked=$?
		kill -TERM "$server"
	fi
	wait "$server"
	status=$?
	server=
	rm -f ready
}

serve whole.pcapng unlimited
tap_is "a capture that is whole: the walk" "$walked" 0
tap_is "a capture that is whole: the server's status" $status 0
tap_is "and it says nothing of it" "$(grep -c capture err)" 0
size=$(wc -c <whole.pcapng)
tap_ok "it is larger than what is written as it begins: $size bytes" test "$size" -gt 65536

serve cut.pcapng 64
tap_is "a capture that is cut off: the programs are served to the end" "$walked" 0
tap_is "a capture that is cut off: the server's status" $status 1
tap_has "and the file is named" "$(cat err)" "umadrig serve: the capture cut.pcapng is incomplete"

if [ -w /dev/full ]; then
	serve /dev/full unlimited
	case $status in
	0) tap_fail "a full disk: the server's status" "status 0" ;;
	*) tap_pass "a full disk: the server's status" ;;
	esac
	tap_has "a full disk: it is named" "$(cat err)" "/dev/full"
fi
tap_done
