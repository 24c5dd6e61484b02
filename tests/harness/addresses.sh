#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# addresses: where the kernel does not let addresses be fixed, as in containers, whoever starts
# programs in virtual time says once what is not promised then.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/real-root.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
# A list of all tests, in make check: an environment of more than 32 KiB has the next size.
unset MAKEFLAGS MFLAGS
TMPDIR=$work
export TMPDIR
top_srcdir=$(cd "$top_srcdir" && pwd)
top_builddir=$(cd "$top_builddir" && pwd)
umadrig=$top_builddir/umadrig
tests=$top_builddir/tests
cd "$work" || exit 99

"$tests/tools/deny" addresses -- true || tap_skip_all "no system call can be refused here"
if nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
	tap_skip_all "a library with sanitizers cannot be put in front of a program without"
fi

# COMMAND...: what it says where addresses cannot be fixed; how often where they can.
warned() {
	"$tests/tools/deny" addresses -- "$@" 2>&1 | grep 'addresses cannot be made the same' |
		sed 's/ (personality.*MADs, order and times.*$/ ... MADs, order and times .../'
}
quiet() {
	"$@" 2>&1 | grep -c 'addresses cannot be made the same'
}
said='virtual time: addresses cannot be made the same each time ... MADs, order and times ...'

tap_is "exec" "$(warned "$umadrig" exec --fabric ,clock=virtual -- true)" "umadrig exec: $said"
tap_is "explore, and each run in its log" \
	"$(warned "$umadrig" explore --runs 3 --fabric ,clock=virtual -- true)" "umadrig explore: $said"

printf '%s\n' 'scenario "one"' 'vary n in 1..3' '0 run true fabric=no' 'scenario "two"' '0 run true fabric=no' >s.mad
tap_is "scenarios, once for all" "$(warned "$umadrig" run s.mad)" "umadrig run: $said"
tap_is "with many at a time as well" "$(warned "$umadrig" run -j 4 s.mad)" "umadrig run: $said"
printf '%s\n' 'clock real' 'scenario "one"' '0 run true fabric=no' >real.mad
tap_is "not in real time" "$(warned "$umadrig" run real.mad)" ""
printf '%s\n' 'scenario "one"' '0 note "no program"' >none.mad
tap_is "nor where none runs" "$(warned "$umadrig" run none.mad)" ""
tap_is "a C test, once" "$(warned "$tests/sim/programs" -p /programs/times -p /programs/steps)" \
	"umadrig: $said"
cat >both.py <<END
import umadrig
for _ in range(2):
    with umadrig.Fabric(clock="virtual") as fabric:
        fabric.run(["true"])
END
python=${PYTHON:-python3}
[ "$python" != : ] || python=python3
UMADRIG_BUILD=$top_builddir PYTHONPATH=$top_srcdir/python
PYTHONDONTWRITEBYTECODE=1
export UMADRIG_BUILD PYTHONPATH PYTHONDONTWRITEBYTECODE
if "$python" -c 'import umadrig' 2>/dev/null; then
	tap_is "Python, once for two fabrics" "$(warned "$python" both.py)" "umadrig: $said"
else
	tap_skip "Python, once for two fabrics" "no Python 3.9"
fi

if ! setarch -R true 2>/dev/null; then
	tap_skip "where they can be fixed nothing is said" "they cannot be here"
	tap_done
fi
# OpenSM has them in its log, as numbers of threads. The caller's limit and layout move none.
# CALLER...: where stacks and the heap are.
where() {
	"$@" "$umadrig" exec --fabric ,clock=virtual -- "$tests/tools/addresses" 2>/dev/null
}
# The same of a program that loads a library later: by its path, or by its name.
where_later() {
	library=$1
	shift
	"$@" "$umadrig" exec --fabric ,clock=virtual -- "$tests/tools/addresses" "$library" 2>/dev/null
}
usual=$(where env)
tap_has "addresses are known" "$usual" "0x"
path=$(ldconfig -p 2>/dev/null | sed -n '/libm.so.6 .*64/{s/.* => //p;q}')
[ -e "${path:=/lib/$(uname -m)-linux-gnu/libm.so.6}" ] || path=libm.so.6
by_path=$(where_later "$path" env) by_name=$(where_later libm.so.6 env)
tap_has "those of a library that is loaded later" "$by_name" "libm.so.6 0x"
# shellcheck disable=SC2016
for size in 4096 16384 unlimited; do
	tap_is "a stack of $size KiB" \
		"$(where sh -c 'ulimit -S -s $1 && shift && exec "$@"' - $size)" "$usual"
done
tap_is "the layout of Linux 2.6.7" "$(where setarch -L)" "$usual"
tap_is "a longer environment" "$(where env A="$(printf %01777d 1)")" "$usual"
tap_is "two variables more" "$(where env A=12345 B=1)" "$usual"
tap_is "a longer PATH" "$(where env PATH="$PATH:/$(printf %0999d 1)")" "$usual"
tap_is "less urgent" "$(where nice -n 5)" "$usual"
# How many different results there are of WHERE in directories whose names are 1 to 17 bytes longer.
longer_names() {
	name=$work/d
	for _ in $(seq 17); do
		name=${name}d
		mkdir -p "$name"
		(cd "$name" && "$@" env TMPDIR="$name")
		echo
	done | grep -v '^$' | sort -u | grep -c '^main'
}
tap_is "other names of directories" "$(longer_names where)" 1
printf '%s\n' 'scenario "one"' "0 run sh -c \"$tests/tools/addresses >$work/seen\" fabric=no" >where.mad
where_in_scenario() {
	"$@" "$umadrig" run "$work/where.mad" >/dev/null 2>&1
	cat "$work/seen"
}
tap_is "of a scenario's programs as well" "$(longer_names where_in_scenario)" 1
where_below() {
	"$@" "$umadrig" exec --fabric ,clock=virtual -- bash -c '"$0"; :' "$tests/tools/addresses" 2>/dev/null
}
tap_is "and what bash adds to the environment" "$(longer_names where_below)" 1
tap_is "which is that of a program that it starts" "$(where_below env)" "$usual"
where_cleared() {
	"$@" "$umadrig" exec --fabric ,clock=virtual -- env -i "$tests/tools/addresses" 2>/dev/null
}
# (Where ld.so has the first thread's own data may depend on LD_LIBRARY_PATH.)
tap_is "an environment that a program has cleared" \
	"$(where_cleared env | sed '1s/ [^ ]*$//')" "$(echo "$usual" | sed '1s/ [^ ]*$//')"
tap_is "one that is larger than all of ours" \
	"$(where env A="$(printf %040000d 1)")" "$(where env A="$(printf %042001d 1)" B=1)"
where_static() {
	"$@" "$umadrig" exec --fabric ,clock=virtual -- "$work/static" 2>/dev/null
}
if gcc -static -o static -pthread "$top_srcdir/tests/tools/addresses.c" 2>/dev/null &&
	where_static env | grep -q '^main'; then
	tap_is "a program that no library can be put into" "$(longer_names where_static)" 1
else
	tap_skip "a program that no library can be put into" "no static libc, or no stand-ins here"
fi
for size in 4096 unlimited; do
	# shellcheck disable=SC2016
	tap_is "a library that is loaded later, with a stack of $size KiB" \
		"$(where_later libm.so.6 sh -c 'ulimit -S -s $1 && shift && exec "$@"' - $size)" \
		"$by_name"
done
tap_is "or with a longer environment" \
	"$(where_later libm.so.6 env A="$(printf %01777d 1)")" "$by_name"
as_another="setpriv --reuid 12345 --regid 12345 --clear-groups env TMPDIR=$work/open"
mkdir -m 777 open
chmod 755 .
# shellcheck disable=SC2086
if [ "$(id -u)" != 0 ]; then
	tap_skip "another user" "only root can become one"
elif ! $as_another test -x "$umadrig" 2>/dev/null; then
	tap_skip "another user" "one cannot come to $umadrig"
else
	tap_is "another user" "$(where $as_another)" "$usual"
	tap_is "and a library that is loaded later" "$(where_later libm.so.6 $as_another)" "$by_name"
fi
# ld.so maps this file before it maps libraries. Empty, it is as if it were not there.
: >cache.0
for size in 1 4096 40000 1000000; do
	{ cat /etc/ld.so.cache; head -c $size /dev/zero; } >cache.$size
done
for size in 0 1 4096 40000 1000000; do
	# shellcheck disable=SC2016
	if unshare -rm mount --bind cache.$size /etc/ld.so.cache 2>/dev/null; then
		tap_is "ld.so's cache with $size bytes more, or none" \
			"$(where unshare -rm sh -c \
				'mount --bind "$1" /etc/ld.so.cache && shift && exec "$@"' - cache.$size)" \
			"$usual"
		# shellcheck disable=SC2016
		tap_is "and a library that is loaded later, by its path" \
			"$(where_later "$path" unshare -rm sh -c \
				'mount --bind "$1" /etc/ld.so.cache && shift && exec "$@"' - cache.$size)" \
			"$by_path"
		# (Without one ld.so never asks again.)
		# shellcheck disable=SC2016
		[ $size = 0 ] || tap_is "or by its name" \
			"$(where_later libm.so.6 unshare -rm sh -c \
				'mount --bind "$1" /etc/ld.so.cache && shift && exec "$@"' - cache.$size)" \
			"$by_name"
	else
		tap_skip "ld.so's cache with $size bytes more, or none" "no mount namespaces"
	fi
done
tap_is "and the stack is as programs know it" \
	"$("$umadrig" exec --fabric ,clock=virtual -- sh -c 'ulimit -s; env sh -c "ulimit -s"' \
		2>/dev/null | xargs)" \
	"8192 8192"
if [ ! -s /etc/ld.so.cache ]; then
	tap_skip "the copy of it goes with the session, of whoever was killed" "ld.so has no cache here"
elif unshare -rm mount -t tmpfs none /dev/shm 2>/dev/null; then
	# shellcheck disable=SC2016
	tap_is "the copy of it goes with the session" "$(unshare -rm sh -c '
		mount -t tmpfs none /dev/shm
		"$1" exec --fabric ,clock=virtual -- sh -c "ls /dev/shm | wc -l" 2>/dev/null
		ls /dev/shm | wc -l' - "$umadrig" | xargs)" "1 0"
	mkfifo open-end
	# shellcheck disable=SC2016
	tap_is "and with one whose umadrig is killed" "$(unshare -rm sh -c '
		mount -t tmpfs none /dev/shm
		copies() { find /dev/shm -name "u*" -type f | wc -l; }
		"$1" exec --fabric ,clock=virtual -- cat <open-end 2>/dev/null &
		exec 3>open-end
		while [ "$(copies)" = 0 ]; do sleep 0.01; done
		kill -9 $!
		for i in $(seq 1000); do [ "$(copies)" = 0 ] && break; sleep 0.01; done
		copies' - "$umadrig" 2>/dev/null)" 0
	# shellcheck disable=SC2016
	tap_is "or the next one removes it" "$(unshare -rm sh -c '
		mount -t tmpfs none /dev/shm
		truncate -s 4M /dev/shm/u123456 /dev/shm/u1234567 /dev/shm/u12345a /dev/shm/u12345b
		chmod 444 /dev/shm/u123456 /dev/shm/u1234567 /dev/shm/u12345b
		flock /dev/shm/u12345b "$1" exec --fabric ,clock=virtual -- true 2>/dev/null
		ls /dev/shm' - "$umadrig" | xargs)" "u1234567 u12345a u12345b"
else
	tap_skip "the copy of it goes with the session, of whoever was killed" "no mount namespaces"
fi
# Every program of a session can write where its table says that the copy is.
cat >point.py <<'END'
import mmap, os, sys
with open(os.environ["UMADRIG_LOCKSTEP"], "r+b") as file, mmap.mmap(file.fileno(), 0) as table:
    at = table.find(b"/dev/shm/u")
    table[at:at + 17] = sys.argv[1].encode().ljust(17, b"\0")
END
# OWNER MODE: what ld.so asks in a session whose table names such a file.
asked() {
	chown "$1" "$other" && chmod "$2" "$other"
	# shellcheck disable=SC2016
	"$umadrig" exec --fabric ,clock=virtual -- sh -c 'python3 -B point.py "$1" &&
		LD_DEBUG=libs "$0" libm.so.6 2>&1 | sed -n "s/.*search cache=//p" | tail -n 1' \
		"$tests/tools/addresses" "$other" 2>/dev/null
}
if [ -s /etc/ld.so.cache ] && is_real_root && command -v python3 >/dev/null &&
	other=$(mktemp /dev/shm/uXXXXXX); then
	cp /etc/ld.so.cache "$other"
	tap_is "a copy of root's, which nobody can write, is taken" "$(asked 0 444)" "$other"
	tap_is "one of another user is not" "$(asked 12345 444)" /etc/ld.so.cache
	tap_is "nor one that can be written" "$(asked 0 644)" /etc/ld.so.cache
	rm -f "$other"
else
	tap_skip "a copy of another user" "only root can make one; or no python3, or no cache"
fi
for size in 4096 262144; do
	# shellcheck disable=SC2016
	tap_is "unless one has set another, $size KiB" "$("$umadrig" exec --fabric ,clock=virtual -- \
		sh -c 'ulimit -S -s $0; env sh -c "ulimit -s"' $size 2>/dev/null)" $size
done
tap_is "where they can be fixed exec says nothing" \
	"$(quiet "$umadrig" exec --fabric ,clock=virtual -- true)" 0
tap_is "nor do scenarios" "$(quiet "$umadrig" run s.mad)" 0
tap_is "nor does a C test" "$(quiet "$tests/sim/programs" -p /programs/times)" 0
tap_done
