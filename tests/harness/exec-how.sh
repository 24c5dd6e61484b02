#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-how: by which means "umadrig exec" has programs on the fabric, and what it says where they
# cannot be had.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/any.sh"

umadrig=$(cd "$top_builddir" && pwd)/umadrig
tools=$(cd "$top_builddir" && pwd)/tests/tools
probe=$tools/exec-probe
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

any_needs_seccomp

# OPTION... -- COMMAND: its status and output, joined; what it says is in $work/err.
run() {
	out=$("$umadrig" exec "$@" 2>"$work/err")
	echo "$?:$out"
}
said() {
	grep -v 'simulated fabric' "$work/err"
}

# ---- the environment ----
show='echo "${LD_PRELOAD:+preload} ${UMAD_BACKEND:+backend} ${UMADRIG_HOST-no host}"'
tap_is "both: programs have the library" "$(run -- "$probe" then sh -c "$show")" \
	"0:H1 lid 1
preload backend no host"
tap_is "which is the default" "$(run --how both -- "$probe" then sh -c "$show")" \
	"0:H1 lid 1
preload backend no host"
tap_is "preload: they have it as well" "$(run --how preload -- "$probe" then sh -c "$show")" \
	"0:H1 lid 1
preload backend no host"
run --how filter --host H2 -- sh -c "$show" >"$work/out"
tap_is "filter: they have nothing but their host" "$(cat "$work/out")" "124:  H2"
tap_is "wrong words are refused" "$(run --how neither -- true)" "2:"
tap_has "with those that are right" "$(said)" "preload, filter or both"
tap_is "clock=virtual has a filter, too" "$(run --how filter -f ,clock=virtual -- "$probe" open)" \
	"0:H1 lid 1"
tap_is "both: the library alone" "$(run --how both -f ,clock=virtual -- "$probe" open)" "0:H1 lid 1"
tap_has "which is said to whoever asked" "$(said)" "clock=virtual"
tap_is "and otherwise not" "$(run -f ,clock=virtual -- "$probe" open; said)" "0:H1 lid 1"

# ---- programs that cannot load it ----
cat >"$work/static.c" <<'END'
int main(void) { return 7; }
END
if ${CC:-cc} -static -o "$work/static" "$work/static.c" 2>/dev/null; then
	tap_is "a static program runs" "$(run -- "$work/static")" "124:"
	tap_has "to its end" "$(said)" "status 7"
	"$tools/deny" listener -- "$umadrig" exec -- "$work/static" 2>"$work/err"
	tap_is "but not without a filter" $? 125
	tap_has "with why there is none" "$(said)" "Linux 5.14"
else
	tap_skip "static programs" "the compiler cannot link so here"
fi

# ---- programs that gain rights ----
cp "$probe" "$work/setuid" && chmod 4755 "$work/setuid"
# COMMAND...: as a user without rights.
plainly() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}
chmod 755 "$work"
if plainly test -x "$umadrig" -a -r "$probe" 2>/dev/null; then
	plainly "$umadrig" exec -- "$work/setuid" open >"$work/out" 2>&1
	tap_is "below the filter nothing gains rights: refused" $? 125
	tap_has "with the reason" "$(cat "$work/out")" "no_new_privs"
	tap_is "a user's plain program runs" \
		"$(plainly "$umadrig" exec -- "$probe" open 2>/dev/null)" "H1 lid 1"
else
	tap_skip "programs of a user without rights" "no such user can read the build directory"
fi
# A container's root is not among those who may set a filter and gain rights below it.
if [ $((0x$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status) >> 21 & 1)) = 1 ]; then
	tap_is "root may run it" "$(run -- "$work/setuid" open)" "0:H1 lid 1"
	run --how filter -- grep NoNewPrivs /proc/self/status >"$work/out"
	tap_is "for root keeps its rights" "$(cat "$work/out")" "124:NoNewPrivs:	0"
else
	tap_skip "root runs setuid programs" "CAP_SYS_ADMIN is not there"
fi

# ---- where it cannot be had ----
# WHAT PART: with WHAT denied, a line with PART is said, and a dynamic program runs.
lacking() {
	out=$("$tools/deny" "$1" -- "$umadrig" exec -- "$probe" open 2>"$work/err")
	tap_is "without $1 a dynamic program runs" "$?:$out" "0:H1 lid 1"
	tap_has "without $1 the cure is said" "$(said)" "$2"
	tap_has "without $1 umadrig doctor is named" "$(said)" "'umadrig doctor'"
	tap_is "without $1 in one line" "$(said | wc -l)" 1
	"$tools/deny" "$1" -- "$umadrig" exec --how filter -- "$probe" 2>"$work/err"
	tap_is "without $1 --how filter is refused" $? 125
	tap_has "without $1 the cure is in the refusal" "$(said)" "$2"
	# What tests are skipped by.
	"$tools/deny" "$1" -- "$tools/filter-here" >"$work/out"
	tap_is "without $1 there is none for others, either" "$?:$(wc -l <"$work/out")" 1:1
}
lacking listener "Linux 5.14 or newer is needed"
lacking seccomp "allow it in the container's seccomp profile"
lacking memory "process_vm_readv"
out=$("$tools/deny" wait-killable -- "$umadrig" exec --how filter -- "$tools/slip" ring 2>"$work/err")
tap_is "Linux before 5.19 will do" "$?:$out" "124:ENOSYS"
tap_is "which is so for others" "$("$tools/deny" wait-killable -- "$tools/filter-here"; echo $?)" 0
tap_is "below another there is none for others" \
	"$(run --how filter -- "$tools/filter-here")" \
	"124:seccomp(2) with a listener: Device or resource busy"

# ---- below another ----
# HOW OPTION... -- COMMAND: by the inner one of two; the outer one has --how HOW, and a user.
inner() {
	outer_how=$1
	shift
	out=$("$umadrig" exec --how "$outer_how" -f ,host=H2 -- "$probe" then \
		"$umadrig" exec --host H1 "$@" 2>"$work/err")
	echo "$?:$(echo "$out" | grep -v '^H2 ')"
}
for how in filter both; do
	tap_is "below $how the library does" "$(inner $how -- "$probe" open)" "0:H1 lid 1"
	tap_is "below $how it is said what does not, and how it would" "$(said)" "umadrig exec: \
only programs that load libibumad are on the fabric: an outer 'umadrig exec' stops system calls \
already, for its own fabric: start that one with --how preload"
done
tap_is "--how filter is refused there" "$(inner both --how filter -- true)" "125:"
tap_has "with the cure" "$(said)" "start that one with --how preload"
tap_is "so is --sysfs, which nothing would see" "$(inner both --sysfs -- true)" "125:"
tap_has "with the same cure" "$(said)" "start that one with --how preload"
if [ -x "$work/static" ]; then
	tap_is "and a static program" "$(inner both -- "$work/static")" "125:"
	tap_has "whatever was asked for" "$(inner both --how preload -- "$work/static"; said)" \
		"on the fabric of the outer"
fi
tap_is "below preload it has all" "$(inner preload -- sh -c 'cat /sys/class/infiniband/*/node_desc')" \
	"0:H1"
tap_is "of which nothing is said" "$(said)" ""
tap_is "no environment makes it believe that" \
	"$(env -i PATH="$PATH" "$umadrig" exec -- sh -c 'cat /sys/class/infiniband/*/node_desc' \
		2>"$work/err"; said)" "H1"

# ---- 32-bit calls ----
if any_has_32bit_calls; then
	tap_is "calls of a 32-bit program fail" "$(run --how filter -- "$tools/slip" 32-bit)" \
		"124:ENOSYS"
	tap_has "and it is said of which" "$(said)" "slip"
else
	tap_skip "32-bit calls" "this kernel has none"
fi

# ---- what it would inherit ----
mkdir "$work/dev" && : >"$work/dev/file"
tap_is "descriptors of other files are inherited" \
	"$(run -- "$probe" then cat /proc/self/fd/7 7<"$work/dev/file")" "0:H1 lid 1"
if mknod "$work/dev/umad" c 231 3 2>/dev/null && (: <"$work/dev/umad") 2>/dev/null; then
	"$umadrig" exec -- "$probe" open 7<"$work/dev/umad" 2>"$work/err"
	tap_is "those of real devices are not" $? 125
else
	tap_skip "a real device that is inherited" "there is none here (exec-hide has a stand-in)"
fi

# ---- the supervisor's end ----
# It is the parent of the program.
mkfifo "$work/ready"
"$umadrig" exec --how filter -- sh -c 'echo $$ >"$0"; while sleep 0.1; do :; done' "$work/ready" \
	2>"$work/err" &
exec_pid=$!
read -r program <"$work/ready"
supervisor=$(sed -n 's/^PPid:\t//p' "/proc/$program/status")
kill -KILL "$supervisor"
wait "$exec_pid"
tap_is "when the supervisor is killed, exec fails" $? 125
kill -0 "$program" 2>/dev/null
tap_is "and the program is gone" $? 1
tap_has "which is said" "$(said)" "was killed by signal 9"

tap_done
