#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run-progress: the line that umadrig run keeps on a terminal, and nowhere else; what it prints of
# its results there.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "no python3"

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

# ---- standard output is a terminal ----

cat >mixed.mad <<'END'
scenario "passes"
0 note "x"

scenario "fails"
0 fd = umad_open_port($CA, $PORT)
+0 umad_close_port(fd) = 3

scenario "is skipped"
needs program no-such-program
0 note "x"
END
sed '/fails/,/= 3/d' mixed.mad >good.mad

# terminal TERM COMMAND...: what a terminal shows of it
terminal() {
	TERM=$1
	export TERM
	shift
	seen=$(python3 "$top_srcdir/tests/rig/terminal.py" "$@" | sed 's/ in [0-9.]* s/ in N s/')
}
unset NO_COLOR
terminal xterm "$umadrig" run mixed.mad
tap_has "a terminal: a failure, where it is and what it expected" "$seen" \
	'\e[1;31mFAILED\e[0m: mixed.mad: fails
  mixed.mad:6:4: error: umad_close_port() returned 0, not 3'
tap_has "how to repeat it" "$seen" '
  repeat:  umadrig run --seed '
tap_has "the total, in red, and the status" "$seen" '
\e[1;31m1 passed, 1 failed, 1 skipped in N s\e[0m
status 1'
tap_lacks "no TAP" "$seen" "ok 1"
tap_lacks "nor what passes" "$seen" ": passes
"
terminal xterm "$umadrig" run good.mad
tap_has "nothing fails: in green" "$seen" '\e[1;32m1 passed, 1 skipped in N s\e[0m
status 0'
terminal xterm "$umadrig" run -j 2 --color=never mixed.mad
tap_has "without colour: --color=never" "$seen" '\r\e[KFAILED: mixed.mad: fails
  mixed'
terminal dumb "$umadrig" run mixed.mad
tap_lacks "a terminal that has none" "$seen" '\e'
NO_COLOR=1
export NO_COLOR
terminal xterm "$umadrig" run mixed.mad
tap_has "NO_COLOR" "$seen" '
1 passed, 1 failed, 1 skipped in N s
'
unset NO_COLOR
terminal dumb "$umadrig" run --tap mixed.mad
tap_has "--tap" "$seen" '
ok 1 - mixed.mad: passes
'
tap_has "--color=always, and no terminal" "$("$umadrig" run --color=always mixed.mad 2>/dev/null)" \
	"$(printf '\033[1;31mFAILED\033[0m: mixed.mad: fails')"
tap_is "no terminal: TAP" "$("$umadrig" run good.mad 2>/dev/null | head -n 1)" "TAP version 13"
tap_is "as with --tap" "$("$umadrig" run --tap good.mad 2>/dev/null)" "$("$umadrig" run good.mad 2>/dev/null)"
for wrong in --color=blue '--tap --color=always'; do
	# shellcheck disable=SC2086
	"$umadrig" run $wrong good.mad >out 2>&1
	tap_is "$wrong is refused" "$?" 2
done

# What a worker says while the line is there.
cat >says.mad <<'END'
scenario "one"
clock real
0 run sh -c "sleep 1.5" fabric=no
+0 fd = umad_open_port($CA, $PORT)
END
seen=$(TERM=xterm python3 terminal.py 60 "$umadrig" run says.mad)
tap_has "the banner stands on a line of its own" "$seen" '\r\e[Ksimulated fabric: '
tap_done
