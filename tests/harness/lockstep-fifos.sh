#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-fifos: opening a FIFO that the session has made waits for the other end in virtual time,
# as the kernel waits.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

unset UMAD_BACKEND UMADRIG_HOST LD_PRELOAD
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi

# NAME EXPECTED SCRIPT [STATUS]: of sh, the same twice, and with another schedule.
both() {
	for schedule in 0 0 7; do
		rm -f f g
		timeout -s KILL 60 "$umadrig" exec --fabric ",clock=virtual,schedule=$schedule" -- \
			sh -c 'now() { awk "{ printf \"%d\\n\", \$1 }" /proc/uptime; }
'"$3" >out 2>err
		tap_is "$1, schedule $schedule" "$?:$(cat out; grep '^umadrig: ' err)" "${4:-124}:$2"
	done
}
both "a reader waits for its writer" "hi
1001" 'mkfifo f; (sleep 1; echo hi >f) & cat f; now'
both "a writer waits for its reader" "1002
hi" 'mkfifo f; (sleep 2; cat f) & exec 3>f; now; echo hi >&3; exec 3>&-; wait'
both "a writer that writes nothing is one" "1001" 'mkfifo f; (sleep 1; : >f) & cat f; now'
both "one that stays and has not written so far" "1001
later" 'mkfifo f; (exec 3>f; sleep 1; echo later >&3) & exec 3<f; sleep 1; now; cat <&3'
both "each end waits for the other of two" "1003
b" 'mkfifo f g; (read a <f; sleep 1; echo b >g) & sleep 2; echo a >f; read b <g; now; echo $b'
both "a signal ends the wait" "137
1005" 'mkfifo f; cat f & p=$!; sleep 5; kill -KILL $p; wait $p; echo $?; now'
both "what reads and writes waits for nobody" "1000" 'mkfifo f; exec 3<>f; now'
both "its program has ended meanwhile" "b" 'mkfifo f; (sleep 1; echo b >f) & read b <f; echo $b'
both "nobody will come" "umadrig: 0.000000000 s after the start nothing can happen any more: no packet is on \
its way, no timer is armed, and" 'mkfifo f; cat f' 123

# From outside: the kernel opens it, and no time passes.
mkfifo outside
exec 3<>outside
echo real >&3
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- sh -c 'head -n 1 outside; cat /proc/uptime' >out 2>err
exec 3>&-
tap_is "one from outside is opened as it is" "$(cut -d' ' -f1 out)" "real
1000.00"
tap_done
