#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# addresses: where the kernel does not let addresses be fixed, as in containers, whoever starts
# programs in virtual time says once what is not promised then.
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
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
cat >where.py <<END
import threading
thread = threading.Thread(target=lambda: print(hex(threading.get_ident()), hex(id(threading))))
thread.start()
thread.join()
END
# CALLER...: where the stack of a thread and the heap are.
where() {
	"$@" "$umadrig" exec --fabric ,clock=virtual -- python3 where.py 2>/dev/null
}
if command -v python3 >/dev/null; then
	usual=$(where env)
	tap_has "addresses are known" "$usual" "0x"
	# shellcheck disable=SC2016
	for size in 4096 16384 unlimited; do
		tap_is "a stack of $size KiB" \
			"$(where sh -c 'ulimit -S -s $1 && shift && exec "$@"' - $size)" "$usual"
	done
	tap_is "the layout of Linux 2.6.7" "$(where setarch -L)" "$usual"
	tap_is "a longer environment" "$(where env A="$(printf %01777d 1)")" "$usual"
else
	tap_skip "addresses whatever the caller has set" "no python3"
fi
tap_is "where they can be fixed exec says nothing" \
	"$(quiet "$umadrig" exec --fabric ,clock=virtual -- true)" 0
tap_is "nor do scenarios" "$(quiet "$umadrig" run s.mad)" 0
tap_is "nor does a C test" "$(quiet "$tests/sim/programs" -p /programs/times)" 0
tap_done
