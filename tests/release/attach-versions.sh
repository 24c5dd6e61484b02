#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# attach-versions: a program and a fabric server of different releases: either way round the program
# is refused, and the message says which of the two is older and what to do. What stands between
# them here changes the number in HELLO, which never changes itself; all else is the real thing.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "python3 is not installed"
version=$(sed -n 's/^#define ATTACH_VERSION //p' "$top_srcdir/lib/attach/protocol.h")
trap 'kill $server $relay 2>/dev/null; cd /; rm -rf "$work"' EXIT
relay=

mkfifo ready
"$umadrig" serve --socket "$work/server" >ready 2>/dev/null &
server=$!
read -r _ <ready

# DIFFERENCE: connections to ./relay go on to the server, as if of another version.
cat >relay.py <<'END_OF_PROGRAM'
import socket
import struct
import sys
difference = int(sys.argv[1])
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind("relay")
listener.listen(8)
print("ready", flush=True)
while True:
    program = listener.accept()[0]
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server.connect("server")
    message = bytearray(program.recv(65536))
    if message:
        if message[0] == 1:    # HELLO: the call, magic, version
            version = struct.unpack_from("=I", message, 20)[0] + difference
            struct.pack_into("=I", message, 20, version)
        server.send(message)
        program.send(server.recv(65536))
    program.close()
    server.close()
END_OF_PROGRAM
relay_of() {
	[ -z "$relay" ] || { kill "$relay"; wait "$relay" 2>/dev/null; }
	rm -f relay
	python3 -B relay.py "$1" >ready &
	relay=$!
	read -r _ <ready
}
# NAME TEXT COMMAND...: the command does not succeed, and says so.
refused() {
	refused_name=$1 refused_text=$2
	shift 2
	said=$("$@" 2>&1)
	tap_ok "$refused_name: fails" test $? != 0
	tap_has "... and says why" "$said" "$refused_text"
}

probe=$top_builddir/tests/tools/exec-probe
older="of an older version of umadrig than the fabric server (protocol $((version - 1)), not $version): use the libibumad of the server's version"
newer="of a newer version of umadrig than the fabric server (protocol $((version + 1)), not $version): start the server again"
relay_of -1
refused "an old program and a new server" "$older" "$umadrig" exec --attach "$work/relay" -- "$probe" open
refused "a program by itself" "$older" env UMAD_BACKEND="attach:$work/relay" \
	LD_LIBRARY_PATH="$top_builddir/.libs" "$probe" open
relay_of 1
refused "a new program and an old server" "$newer" "$umadrig" exec --attach "$work/relay" -- "$probe" open
tap_has "the console has no version: ctl works" "$("$umadrig" ctl --socket "$work/relay" Dump 2>&1)" H1
refused "a program by itself" "$newer" env UMAD_BACKEND="attach:$work/relay" \
	LD_LIBRARY_PATH="$top_builddir/.libs" "$probe" open
relay_of 0
said=$(env UMAD_BACKEND="attach:$work/relay" LD_LIBRARY_PATH="$top_builddir/.libs" "$probe" open 2>&1)
tap_has "between equals: the server greets" "$said" "simulated fabric: the default fabric"
tap_ok "and without it all works" "$umadrig" exec --attach "$work/server" -- "$probe" open

tap_done
