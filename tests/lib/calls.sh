#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# calls: data/calls.toml has each system call that this machine's headers have, with its number on
# x86-64 and on aarch64, unless it is newer than all that umadrig-stand-in knows, which is stopped;
# and each function that libumadlockstep has in the place of libc's. Whether the tables of both
# filters are made of it tests/harness/tables.sh looks.
set -u
. "$top_srcdir/tests/rig/tap.sh"

table=$top_srcdir/data/calls.toml
lockstep=$top_srcdir/lib/lockstep
python=${PYTHON:-python3}
"$python" -c 'import tomllib' 2>/dev/null || tap_skip_all "no Python of 3.11 or newer"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
newest=$(sed -n 's/^enum { CALL_PAST_UNKNOWN = \([0-9]*\) };$/\1/p' \
	"$top_srcdir/lib/stand-in/call-past.h")
tap_ok "the first number that is not known is there" [ "${newest:-0}" -gt 400 ]
# TABLE WHAT: what differs.
differs() {
	"$python" -B "$top_srcdir/tests/lib/compare-calls.py" "$1" "$newest" "$2" <"$work/$2" 2>&1
}

# ---- numbers ----

# The calls of this machine.
own_calls() {
	printf '#include <sys/syscall.h>\n' | ${CC:-cc} -E -dM - 2>"$work/log" |
		sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$/\1 \2/p'
}
# For 64 bits some names of the generic table stand for others (__NR3264_lseek).
generic_calls() {
	printf '#include <asm-generic/unistd.h>\n' | ${CC:-cc} -E -dM -D__BITS_PER_LONG=64 \
		-D__ARCH_WANT_RENAMEAT -D__ARCH_WANT_NEW_STAT -D__ARCH_WANT_SET_GET_RLIMIT \
		-D__ARCH_WANT_SYS_CLONE3 -D__ARCH_WANT_MEMFD_SECRET - 2>"$work/log" |
		awk '/^#define __NR/ { means[$2] = $3 }
			END { for (name in means) {
				value = means[name]
				while (value in means)
					value = means[value]
				if (name ~ /^__NR_/ && name !~ /syscalls$|_arch_specific/ && value ~ /^[0-9]+$/)
					print substr(name, 6), value
			} }'
}
machine=$(uname -m)
case $machine in
x86_64 | aarch64)
	own_calls >"$work/$machine"
	tap_ok "the headers have calls" [ "$(wc -l <"$work/$machine")" -gt 200 ]
	tap_is "$machine" "$(differs "$table" "$machine")" ""
	;;
*) tap_skip "$machine" "the table is for x86-64 and aarch64" ;;
esac
if [ "$machine" != x86_64 ]; then
	tap_skip "aarch64, as the generic header has it" "the machine's own headers are compared"
elif generic_calls >"$work/aarch64" && [ -s "$work/aarch64" ]; then
	tap_is "aarch64, as the generic header has it" "$(differs "$table" aarch64)" ""
else
	tap_skip "aarch64, as the generic header has it" "no asm-generic/unistd.h"
fi
case $machine in
x86_64 | aarch64)
	sed '/^	\["mmap", /d' "$table" >"$work/less.toml"
	tap_has "one that is missing is seen" "$(differs "$work/less.toml" "$machine")" \
		"mmap: the table has none, and here is "
	sed 's/^	\["mmap", [0-9]*, [0-9]*/	["mmap", 7, 7/' "$table" >"$work/other.toml"
	tap_has "and another number" "$(differs "$work/other.toml" "$machine")" \
		"mmap: the table has 7, and here is "
	;;
esac

# ---- functions ----

# Those that are exported, and those whose entry in libc becomes a jump.
{
	nm -D --defined-only "$top_builddir/.libs/libumadlockstep.so" |
		awk '$2 ~ /[TWi]/ && $3 !~ /^umadrig_/ { print $3 }'
	sed -n 's/^	{ "\([a-z_0-9]*\)", hooked.*/\1/p' "$lockstep"/*.c
} | LC_ALL=C sort -u >"$work/functions"
tap_ok "the library has functions" [ "$(wc -l <"$work/functions")" -gt 200 ]
tap_is "each is in the table, and no other" "$(differs "$table" functions)" ""
tap_is "rows that no pattern here finds" \
	"$(grep -h '^	{ "[a-z_0-9]*", ' "$lockstep"/*.c | grep -v '", hooked')" ""
# Calls by their numbers. Of timers the kernel's are refused, so that no program has a number of
# one; of files libumadraw asks the kernel so (calls-by-number.c).
{
	sed -n '/^} functions\[\] = {/,/^};/p' "$lockstep/calls-by-number.c" |
		grep -oE '(INT|LONG)\([a-z0-9_]*\)|SYS_[a-z0-9_]*' |
		sed -E 's/^(INT|LONG)\(//; s/\)$//; s/^SYS_//'
	sed -n 's/^	case SYS_\([a-z0-9_]*\):.*/\1/p; s/.*number == SYS_\([a-z0-9_]*\) .*/\1/p' \
		"$lockstep/calls-by-number.c" "$lockstep/tasks.c"
	printf '%s\n' timer_settime timer_gettime timer_delete timer_getoverrun fstat stat lstat
} | grep . | LC_ALL=C sort -u >"$work/numbers"
tap_is "each call that the library has a function for is that by its number, too" \
	"$(differs "$table" numbers)" ""
echo no_such_function >>"$work/functions"
tap_is "one that is missing is seen" "$(differs "$table" functions)" \
	"no_such_function: the table has none, and here is it"
tap_done
