#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kernel-faults: what the checks of a kernel find below umadrig exec, serve and explore fails these,
# with a status of its own, whatever the program's is. The kernel is the tree of ours, into which
# mistakes are planted.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/fake-tree.sh"

case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
case $top_srcdir in /*) ;; *) top_srcdir=$PWD/$top_srcdir ;; esac
umadrig=$top_builddir/umadrig probe=$top_builddir/tests/tools/exec-probe
work=$(mktemp -d) || exit 99
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
cd "$work" || exit 99
XDG_CACHE_HOME=$work/cache UMADRIG_KERNEL_FILES=$top_srcdir
export XDG_CACHE_HOME UMADRIG_KERNEL_FILES
unset UMAD_BACKEND UMADRIG_HOST

# OPTION...: makes k.so of the tree.
build() {
	"$umadrig" kernel build "$@" -o k.so ./tree >built 2>&1
}
# COMMAND [OPTION...] -- ...: on that kernel; its output is in out and err, its status is printed.
run() {
	command=$1
	shift
	"$umadrig" "$command" --kernel ./k.so "$@" >out 2>err
	echo $?
}
# A server that one program has used; its status is printed.
serve() {
	mkfifo ready
	"$umadrig" serve --kernel ./k.so --socket "$work/socket" >ready 2>err &
	server=$!
	read -r _ <ready
	rm ready
	"$umadrig" exec --attach "$work/socket" -- "$probe" open >out 2>&1
	kill -TERM $server 2>killed
	wait $server
	echo $?
	server=
}

fresh
build
tap_is "exec, no mistake: the program's status" "$(run exec -- "$probe" status 3)" 3
tap_is "serve, no mistake" "$(serve)" 0
tap_is "explore, no mistake" "$(run explore --runs 2 --fabric ,clock=virtual -- "$probe" open)" 0

# ---- a leak, which the end of the host finds ----

plant user_mad.c "	kfree(file);" "	;"
at=$(line_of user_mad.c "	file = kzalloc_obj(*file)")
leak="allocated at user_mad.c:$at, in fake_open()"
build
tap_is "exec, a leak: a status of its own" "$(run exec -- "$probe" open)" 122
tap_has "which is explained" "$(cat err)" "umadrig exec: the kernel has a fault: leak: memory of "
tap_has "by the place" "$(tail -n 1 err)" ", $leak"
tap_is "exec, in virtual time" "$(run exec --fabric ,clock=virtual -- "$probe" open)" 122
tap_is "exec: whatever the program's status is" "$(run exec -- "$probe" status 3)" 122
tap_is "exec: or when it has opened nothing" "$(run exec -- "$probe" nothing)" 124
cat >program.mad <<END
clock real
scenario "a program whose fabric has a kernel"
0  run $umadrig exec --fabric ",kernel=$work/k.so" -- $probe open fabric=no
END
"$umadrig" run program.mad >out 2>err
tap_is "run, a program with a fabric of its own: the point fails" $? 1
tap_has "by its status" "$(cat out)" "its status is 122, not 0"
tap_has "for the fault" "$(cat out)" "umadrig exec: the kernel has a fault: leak: memory of "
tap_is "record" "$(run record -o bundle -- "$probe" open)" 122
tap_ok "record: there is a bundle" test -s bundle/capture.pcapng
tap_is "serve, at its end" "$(serve)" 122
tap_has "serve: it is explained" "$(cat err)" "umadrig serve: the kernel has a fault: leak: "
tap_is "explore: a run fails" "$(run explore --fabric ,clock=virtual -- "$probe" open)" 1
tap_has "explore: for the leak" "$(cat out)" "run 1: the kernel: leak: memory of "
tap_has "explore: of its place" "$(cat out)" ", $leak"
tap_has "explore: it is counted" "$(cat out)" "1 run, 1 failed"
again=$(sed -n 's/^ *repeat: *umadrig //p' out)
eval "\"\$umadrig\" $again" >out 2>err
tap_is "explore: its command fails" $? 1
tap_has "explore: for the same" "$(cat out)" ", $leak"

# ---- where a kernel cannot go on ----

fresh
plant user_mad.c "	stream_open(inode, filp);" "	mutex_lock(&umad->mutex); mutex_lock(&umad->mutex);"
build
tap_is "exec, a lock for ever: a status of its own" "$(run exec -- "$probe" open)" 122
at=$(line_of user_mad.c "mutex_lock(&umad->mutex); mutex")
tap_has "which is explained" "$(cat err)" "/user_mad.c:$at: &umad->mutex is taken while it is held"
tap_has "by what was waited for" "$(cat err)" "would wait for ever"
tap_is "exec --detach" "$(run exec --detach -- "$probe" open)" 122
tap_is "serve" "$(serve)" 122
tap_is "explore" "$(run explore --runs 2 --fabric ,clock=virtual -- "$probe" open)" 1
tap_has "explore: for that" "$(cat out)" "would wait for ever"

# ---- what a sanitizer finds ----

fresh
plant user_mad.c "	kfree(file);" "	kfree(file); file->agent = NULL;"
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip "memory that is used when it is free" "umadrig's own sanitizer has a status of its own"
elif build --sanitize; then
	tap_is "exec, memory that is used when it is free" "$(run exec -- "$probe" open)" 122
	tap_has "its report" "$(cat err)" "SUMMARY: AddressSanitizer: heap-use-after-free"
	tap_is "explore" "$(run explore --runs 2 --fabric ,clock=virtual -- "$probe" open)" 1
	tap_has "explore: for that" "$(cat out)" "run 1: the kernel: AddressSanitizer: heap-use-after-free"
	fresh
	build --sanitize
	# What umadrig needs for itself is not for what it starts.
	# shellcheck disable=SC2016 # it is the program's shell that expands it
	tap_is "exec: the caller's options of sanitizers are the program's" \
		"$(ASAN_OPTIONS=exitcode=42 UBSAN_OPTIONS='' run exec --how preload -- \
		"$probe" "then" sh -c 'echo "$UMADRIG_SANITIZER_AGAIN$ASAN_OPTIONS,${UBSAN_OPTIONS-none}"'):$(tail -n 1 out)" \
		"0:verify_asan_link_order=0:exitcode=42,"
else
	tap_skip "memory that is used when it is free" "the compiler has no sanitizers"
fi
tap_done
