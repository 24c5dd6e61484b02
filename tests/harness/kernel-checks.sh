#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kernel-checks: what the checks of a kernel find fails a point of umadrig run, and so does what
# happens when an allocation of the kernel's fails (--fail-allocations). The kernel is the tree of
# ours, into which mistakes are planted.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/fake-tree.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

XDG_CACHE_HOME=$work/cache UMADRIG_KERNEL_FILES=$top_srcdir
export XDG_CACHE_HOME UMADRIG_KERNEL_FILES
unset UMAD_BACKEND UMADRIG_HOST

cat >one.mad <<'END'
scenario "a request that nobody answers"
0    fd = umad_open_port($CA, $PORT)
+0   a = umad_register(fd, class=4)
+0   umad_send(fd, a, timeout=20ms, PerfGet(0x0001) to=peer) = 0
0    > PerfGet(ClassPortInfo)
20ms umad_recv(fd) = a, status=110
END

scenario=one.mad
# OPTION...: runs the scenario $scenario on the tree; its output is in out, its status is printed.
run() {
	# shellcheck disable=SC2086 # an option, or none
	"$umadrig" kernel build ${build:-} -o k.so ./tree >built 2>&1 || { cat built; return; }
	"$umadrig" run --kernel ./k.so "$@" "$scenario" >out 2>err
	echo $?
}

# ---- faults ----

fresh
tap_is "no mistake: it passes" "$(run)" 0
plant user_mad.c "kfree(wc->send_buf);" ";"
at=$(line_of user_mad.c "*send = kzalloc_obj(*send)")
tap_is "a leak: it fails" "$(run)" 1
tap_has "and says what of where" "$(cat out)" "message: \"the kernel: leak: memory of "
tap_has "by the function" "$(cat out)" ", allocated at user_mad.c:$at, in post()\""
fresh
plant mad.c "	spin_unlock_irq(&agent->lock);" ";"
tap_is "a lock that is kept: it fails" "$(run)" 1
tap_has "as it would wait for ever" "$(cat out)" "message: \"the kernel has crashed: "
tap_has "and says for what" "$(cat err)" ": &agent->lock is taken while it is held: it would wait for ever"

fresh
plant mad.c "	goes = agent->goes;" \
	"	goes = agent->goes; spin_lock_irq(&agent->port->lock); spin_unlock_irq(&agent->port->lock);"
at=$(line_of mad.c "	goes = agent->goes;")
tap_is "interrupts that are turned on too early: it fails" "$(run)" 1
tap_has "and says where" "$(cat out)" "mad.c:$at: spin_lock_irq() where interrupts are off"

# A sanitizer's library has to be in front of all others, which umadrig itself runs without.
fresh
plant user_mad.c "	packet->length = IB_MGMT_MAD_HDR;" "	kfree(packet); packet->length = IB_MGMT_MAD_HDR;"
status=$(build=--sanitize run)
case $status in
*"cannot be built"*) tap_skip "memory that is used when it is free" "the compiler has no sanitizers" ;;
*)
	tap_is "memory that is used when it is free: with --sanitize it fails" "$status" 1
	# Otherwise a lock of libc's is broken at the start, and one run of some dozens hangs.
	tap_has "umadrig has its sanitizer begin before all constructors" \
		"$(readelf -d "$top_builddir/.libs/umadrig" 2>/dev/null || readelf -d "$umadrig")" "(PREINIT_ARRAY)"
	tap_has "and says in what function" "$(cat err)" "SUMMARY: AddressSanitizer: heap-use-after-free"
	tap_has "by its name" "$(cat err)" " in send_handler"
	fresh
	plant user_mad.c "	packet->length = IB_MGMT_MAD_HDR;" \
		"	((volatile char *)packet)[-1] = 0; packet->length = IB_MGMT_MAD_HDR;"
	tap_is "memory before what was allocated: it fails" "$(build=--sanitize run)" 1
	tap_has "and says in what function" "$(cat err)" "SUMMARY: AddressSanitizer: use-after-poison"
	tap_has "by its name" "$(cat err)" " in send_handler"
	sanitized=--sanitize ;;
esac

# ---- the log, and what programs read ----

fresh
plant user_mad.c 'dev_notice(&file->umad->dev,' 'pr_err("of %d", 1); dev_err(&file->umad->dev,'
cat >two.mad <<'END'
scenario "two agents of one file"
0  fd = umad_open_port($CA, $PORT)
+0 a = umad_register(fd, class=4)
+0 umad_register(fd, class=4) = -EPERM
END
"$umadrig" kernel build -o k.so ./tree >built 2>&1
"$umadrig" run --kernel ./k.so two.mad >out 2>err
tap_is "errors of the log: the point passes" $? 0
tap_has "a line has the host and the device" "$(cat err)" "umadrig: kernel: H1: error: umad0: one agent is all"
tap_has "or the host alone" "$(cat err)" "umadrig: kernel: H1: error: fake: of 1"
cp two.mad said.mad
cat >two.mad <<'END'
scenario "a file whose device has gone"
0    f = file.open(self)
+0   port.remove(self) = 0
+0   file.read(f) = -EIO
END
cp $core/user_mad.c whole.c
plant user_mad.c 'if (file->agents_dead)' 'if (file->agents_dead && (dev_err(&file->umad->dev, "gone\\n"), true))'
"$umadrig" kernel build ${sanitized:-} -o k.so ./tree >built 2>&1
"$umadrig" run --kernel ./k.so two.mad >out 2>err
tap_has "a file that is left says where its device was" "$(cat err)" "umadrig: kernel: H1: error: umad0: gone"
cp whole.c $core/user_mad.c
cp said.mad two.mad
plant user_mad.c 'pr_err("of %d", 1);' 'WARN_ON(1);'
"$umadrig" kernel build -o k.so ./tree >built 2>&1
"$umadrig" run --kernel ./k.so two.mad >out 2>err
tap_has "a fault that is one host's names it" "$(cat out)" 'message: "the kernel: user_mad.c:'
tap_has "by its name" "$(cat out)" ': WARN_ON(1), at H1"'

fresh
plant user_mad.c 'sysfs_emit(buf, "%s' 'sysfs_emit(buf, "%s\\nsays the kernel'
plant user_mad.c 'sysfs_emit(buf, "%d' 'sysfs_emit(buf, "%d.0'
"$umadrig" kernel build -o k.so ./tree >built 2>&1
# What it does not have there (fake-tree has no "port") is as without it.
read_files() {
	"$umadrig" exec --how "$1" --sysfs --kernel ./k.so --fabric ,device=mlx5_0,kernel=H1:kmod-stub --host "$2" -- \
		sh -c 'cd /sys/class/infiniband_mad && cat abi_version umad0/ibdev umad0/port' 2>err
}
for how in preload filter; do
	"$umadrig" exec --how $how --sysfs -- true >out 2>err
	case $?:$how in
	12[05]:*) tap_skip "$how: attributes are the kernel's" "$(head -n 1 err)" && continue ;;
	esac
	tap_is "$how: attributes are the kernel's" "$(read_files $how H2 | tr '\n' ' ')" "5.0 mlx5_0 says the kernel 1 "
	tap_is "$how: but not of a host on kmod-stub" "$(read_files $how H1 | tr '\n' ' ')" "5 mlx5_0 1 "
done

# ---- failing allocations ----

fresh
tap_is "no mistake: each allocation may fail" "$(run --fail-allocations)" 0
count=$(sed -n 's/^# \([0-9]*\) allocations have failed in turn, the last of them number \1$/\1/p' out)
tap_ok "they are counted ($count)" test "${count:-0}" -gt 30
tap_is "one that there is not does not fail" "$(run --fail-allocations=$((count + 1)))" 0
tap_has "as it is said" "$(cat out)" "# 0 allocations have failed"

at=$(line_of user_mad.c "	packet = kzalloc_obj(*packet)")
plant user_mad.c "		return -ENOMEM;" "		;"
tap_is "a check that is missing: it fails" "$(run --fail-allocations)" 1
crash=$(grep '^# allocation .* in fake_write()), and then the kernel: it crashes by signal 11 ' out)
tap_has "for the crash after the allocation" "$crash" " has failed (user_mad.c:$at, "
number=$(echo "$crash" | sed 's/^# allocation \([0-9]*\) .*/\1/')
run "--fail-allocations=$number" >status
tap_is "that one alone shows it again" "$(cat status)" 1
tap_has "by its message" "$(cat out)" "message: \"allocation $number has failed (user_mad.c:$at, in fake_write())"
tap_has "and the command to repeat it" "$(cat out)" \
	"umadrig run --kernel ./k.so --fail-allocations=$number --seed "

fresh
plant user_mad.c "	if (err) {" "	if (err && err != -ENOMEM) {"
tap_is "an error that forgets what it has: it fails" "$(run --fail-allocations)" 1
tap_has "for the leak" "$(cat out)" " in post()), and then the kernel: leak: memory of "
fresh
plant user_mad.c "	if (!send)" "	while (!send)"
plant user_mad.c "		return err;" "		err = jiffies;"
tap_is "one that waits for ever: it fails" "$(run --fail-allocations --timeout 2)" 1
tap_has "as it hangs" "$(cat out)" " in post()), and then the kernel: it hangs"

# ---- a timer that never goes off ----

# Those that run the clock on until something happens must not come to the end of its numbers.
fresh
cp one.mad request.mad
sed -i 's/timeout=20ms/timeout=0xffffffff/; s/^20ms/+0/' one.mad
tap_is "a send without an end: no report" "$(run --timeout 20)" 1
tap_has "as nothing is due" "$(cat out)" "nothing can happen any more"
mv request.mad one.mad

# ---- schedules ----

cat >two.mad <<'END'
scenario "an agent goes while its send is in the QP"
0    fd = umad_open_port($CA, $PORT)
+0   a = umad_register(fd, class=4)
+0   umad_send(fd, a, timeout=20ms, PerfGet(0x0001) to=peer) = 0
0    > PerfGet(ClassPortInfo)
+0   umad_unregister(fd, a) = 0
END
scenario=two.mad
fresh
tap_is "no mistake: it passes by any schedule" "$(run --schedule 1 --repeat 400)" 0
tap_is "all of them have run" "$(grep -c '^ok' out)" 400
plant mad.c "	is_over = goes || !send->timeout_ms;" \
	"	is_over = goes || !send->timeout_ms; spin_unlock_irq(&agent->lock); spin_lock_irq(&agent->lock);"
tap_is "a lock that is released between two uses: in order it passes" "$(run)" 0
tap_is "by some schedule it fails" "$(run --schedule 1 --repeat 400)" 1
tap_ok "not by all" grep -q '^ok' out
tap_has "as a completion came meanwhile" "$(cat err)" "wait_for_completion() would wait for ever"
number=$(sed -n 's/^not ok.*(round \([0-9]*\)).*/\1/p' out | head -n 1)
tap_is "by that one ($number) again" "$(run --schedule "${number:-0}")" 1

fresh
plant mad.c "	agent->goes = true;" \
	"	spin_unlock_irq(&agent->lock); spin_lock_irq(&agent->port->lock); agent->goes = true;"
plant mad.c "	list_splice_init(&agent->waiting, &flushed);" \
	"	list_splice_init(&agent->waiting, &flushed); spin_unlock_irq(&agent->port->lock); spin_lock_irq(&agent->lock);"
tap_is "a lock for each user of a list: by the order of locks it passes" "$(run --schedule 1 --repeat 1000)" 0
tap_is "with --races it fails" "$(build=--races run --schedule 1 --repeat 1000)" 1
tap_has "as a send is listed too late" "$(cat err)" "wait_for_completion() would wait for ever"
scenario=one.mad

# ---- coverage ----

fresh
if command -v gcov >/dev/null 2>&1 && [ "${CC:-gcc}" = gcc ]; then
	tap_is "with --coverage it passes" "$(build=--coverage run)" 0
	covered=$(gcov -n k.gcov/*.gcda 2>/dev/null | grep -A 1 "core/.*\\.c'")
	tap_is "all five files are counted" "$(echo "$covered" | grep -c '^Lines executed:')" 5
	tap_is "as run through" "$(echo "$covered" | grep -A 1 "/mad.c'" | grep -c 'executed:[5-9]')" 1
	table=$(KERNEL=$work/tree SCENARIOS=$work/one.mad sh "$top_srcdir/tests/kernels/coverage-kernel")
	tap_is "make coverage-kernel has a row for it, with lines and branches of five files" \
		"$(echo "$table" | sed -n '/^# | linux-6.1.192-fake | /s/[^%]//gp')" %%%%%%%%%%
else
	tap_skip "lines are counted" "no gcov of gcc"
fi

# ---- command lines ----

# NAME MESSAGE OPTION...
refused() {
	name=$1 message=$2
	shift 2
	"$umadrig" run "$@" one.mad >out 2>err
	tap_is "$name: status and output" "$?:$(cat out)" 2:
	tap_has "$name: message" "$(cat err)" "$message"
}
refused "without a kernel" "--fail-allocations needs --kernel" --fail-allocations
refused "no number" "expected a number of at least 1" --kernel ./k.so --fail-allocations=0
cat >>one.mad <<'END'

scenario "a program"
0 run true fabric=no
END
fresh
run --fail-allocations >/dev/null
tap_has "points with programs are skipped" "$(cat out)" "a program # SKIP runs programs: "
tap_done
