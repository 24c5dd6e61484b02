#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kernel-faults-here: what the checks of a kernel find in a fabric of the process's own: a program's
# by umadrig.h, what libibumad alone has loaded, and that of umadrig replay without a command.
# (Python and pytest have tests/python/test_kernel.py.) The kernel is the tree of ours, into which
# mistakes are planted.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/fake-tree.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

own=$top_builddir/tests/tools/own-fabric probe=$top_builddir/tests/tools/exec-probe
UMADRIG_KERNEL_FILES=$top_srcdir
export UMADRIG_KERNEL_FILES
unset UMAD_BACKEND UMADRIG_HOST

# OPTION...: makes k.so of the tree.
build() {
	rm -f k.so
	"$umadrig" kernel build "$@" -o k.so ./tree >built 2>&1 || tap_fail "it is built" "$(cat built)"
}
here() {
	"$own" ",clock=virtual,kernel=./k.so" 2>err
}
# A program with libibumad alone; prints the status.
alone() {
	LD_PRELOAD=$top_builddir/.libs/libumadrig.so.0 UMAD_BACKEND=sim:,kernel=./k.so "$probe" status 3 >out 2>err
	echo $?
}
# OPTION...: replays to a fabric on that kernel; prints the status.
replay() {
	"$umadrig" replay asked.pcapng --fabric ",kernel=./k.so" "$@" >out 2>err
	echo $?
}
cat >asked.mad <<'END'
scenario "asked"
ignore > class=4
0  fd = umad_open_port($CA, $PORT)
+0 pm = umad_register(fd, class=PERF)
+0 umad_send(fd, pm, timeout=10ms, PerfGet(ClassPortInfo) to=peer) = 0
* umad_recv(fd) = pm
END
tap_ok "a capture" "$umadrig" run --keep . asked.mad

fresh
build
tap_is "C, no mistake: NULL" "$(here)" "open: none
closed: none
once: none"
tap_is "replay --mode timed, no mistake" "$(replay --mode timed)" 0
tap_is "replay --mode ask, no mistake: this kernel has no answer" "$(replay --mode ask)" 1

plant user_mad.c "	kfree(file);" "	;"
at=$(line_of user_mad.c "	file = kzalloc_obj(*file)")
build
said=$(here)
tap_has "C, a leak: found when the fabric is closed" "$said" "open: none
closed: leak: memory of "
tap_has "of its place" "$said" ", allocated at user_mad.c:$at, in fake_open()
"
tap_has "C: told once" "$said" "once: none"
tap_has "C: a line on standard error as well" "$(cat err)" "umadrig: kernel: fault: leak: "
tap_is "replay --mode ask: a status of its own" "$(replay --mode ask)" 122
tap_has "which is explained" "$(cat err)" "umadrig replay: the kernel has a fault: leak: memory of "

fresh
plant user_mad.c "	stream_open(inode, filp);" "	spin_unlock(&umad->mutex.lock);"
build
said=$(here)
tap_has "C: a lock that is not held: found at once" "$said" "open: user_mad.c:"
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip "libibumad alone" "a sanitizer is to be the first library"
else
	tap_is "libibumad alone: the status is the program's" "$(alone)" 3
	tap_has "libibumad alone: but there is a line" "$(cat err)" \
		"umadrig: kernel: H1: fault: user_mad.c:"
fi

fresh
plant mad.c "	spin_lock_init(&port->lock);" "	spin_lock_init(&port->lock); spin_unlock(&port->lock);"
build
tap_is "replay --mode timed: a status of its own" "$(replay --mode timed)" 122
tap_has "which is explained" "$(cat err)" "umadrig replay: the kernel has a fault: mad.c:"
tap_done
