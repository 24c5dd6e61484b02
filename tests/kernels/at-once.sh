#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# at-once: system calls of several threads at once, and packets that arrive beside them, on the
# kernel of ours, by hundreds of schedules (tests/kernels/at-once.c). A lock that is left out is
# found, and by the number that is named again.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/fake-tree.sh"

case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
case $top_srcdir in /*) ;; *) top_srcdir=$PWD/$top_srcdir ;; esac
umadrig=$top_builddir/umadrig calls=$top_builddir/tests/kernels/at-once
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
ulimit -c 0
UMADRIG_KERNEL_FILES=$top_srcdir UMADRIG_TEST_KERNEL=./k.so
export UMADRIG_KERNEL_FILES UMADRIG_TEST_KERNEL

build() {
	rm -f k.so
	"$umadrig" kernel build -o k.so ./tree >built 2>&1 || tap_fail "it is built" "$(cat built)"
}
# SCHEDULES: prints "ok" or "not ok".
run() {
	# The shell may say of what signal it died: not in there.
	if (exec "$calls" "$1" >out 2>err); then
		echo ok
	else
		echo not ok
	fi
}

fresh
build
tap_is "no mistake: all schedules pass" "$(run 1-600)" ok
tap_is "each has a line" "$(grep -c '^# schedule' out)" 600
cp out first
tap_is "once more" "$(run 1-600)" ok
tap_ok "and the same" cmp out first
for pair in write.read close.write unregister.write register.unregister unregister.unregister \
	unregister.arrive answer.unregister answer.answer arrive.read; do
	tap_ok "some have ${pair%.*} beside ${pair#*.}" grep -q "${pair%.*}.* ${pair#*.}" out
done

# NAME CALL REASON: what is planted is found, with that call in it, and by that schedule alone for
# the same reason.
found() {
	build
	tap_is "$1: found" "$(run 1-600)" "not ok"
	number=$(tail -n 1 out | sed -n 's/^# schedule \([0-9]*\): .*/\1/p')
	tap_ok "$1: not by the first" test "${number:-0}" -gt 1
	tap_has "$1: there is an $2 in it" "$(tail -n 1 out)" "$2"
	why=$(reason)
	tap_has "$1: for a reason" "$why" "$3"
	tap_is "$1: schedule $number again" "$(run "${number:-1}")" "not ok"
	tap_is "$1: for the same reason" "$(reason)" "$why"
}
# The last words, without the number of the process, and the time.
reason() {
	sed -n 's/^.*\*\*: [0-9:.]*: //; s,/[^ ]*/tree/,,; /./h; ${ g; p; }' err
}

# One of two threads goes on where the other waits for a send to come back.
fresh
plant user_mad.c "		ret = unreg_agent(file);" \
	"		mutex_unlock(&file->mutex); ret = unreg_agent(file); mutex_lock(&file->mutex);"
found "no lock around unregister" unregister "would wait for ever"

# The agent of a packet goes before the packet has its reference.
fresh
plant mad.c "	if (found && !refcount_inc_not_zero(&found->references))" \
	"	spin_unlock_irqrestore(&port->lock, flags); spin_lock_irqsave(&port->lock, flags); if (found) refcount_inc(&found->references); if (0)"
found "a reference after its lock" unregister "a reference is taken of what has 0"
tap_ok "a packet has arrived in it" grep -q "arrive\|answer" out

tap_done
