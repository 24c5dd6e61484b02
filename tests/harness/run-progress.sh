#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run-progress: the line that umadrig run keeps on a terminal, and nowhere else.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "no python3"
case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

cat >terminal.py <<'END'
"""terminal.py COLUMNS COMMAND...: runs it with a terminal as standard error; what comes there, escaped."""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
run = subprocess.Popen(sys.argv[2:], stderr=theirs, stdout=subprocess.DEVNULL)
os.close(theirs)
seen = b""
while True:
    try:
        part = os.read(ours, 4096)
    except OSError:
        break
    if not part:
        break
    seen += part
    # The point waits until its line is there.
    if b"mad: slow" in seen and not os.path.exists("go"):
        open("go", "w").close()
run.wait()
print(seen.decode("utf-8", "backslashreplace").replace("\r", "\\r").replace("\033", "\\e"))
END

# It ends when its line has been seen, or the first time without one.
cat >slow.mad <<END
scenario "fails"
0 fd = umad_open_port(\$CA, \$PORT)
+0 umad_close_port(fd) = 3

scenario "slow, with a name that is wider than the terminal, as the names of scenarios are: überlang"
clock real
0 run sh -c "while test ! -e $work/go; do sleep 0.01; done" fabric=no
END

seen=$(TERM=xterm python3 terminal.py 60 "$umadrig" run slow.mad)
tap_has "the line: how far it is, and what runs, as wide as the terminal" "$seen" \
	'\r\e[K1 of 2, 1 failed: slow.mad: slow, with a name that is wider\r\e[K'
tap_is "at the end it is taken away" "$(printf '%s' "$seen" | tail -c 6)" '\r\e[K'
: >go
for terminal in dumb ''; do
	seen=$(TERM=$terminal python3 terminal.py 60 "$umadrig" run slow.mad)
	tap_lacks "TERM=$terminal: nothing" "$seen" '\e'
done
"$umadrig" run slow.mad >out 2>err
tap_lacks "no terminal: nothing" "$(cat out err)" "of 2, 1 failed"
tap_done
