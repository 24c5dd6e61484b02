#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-python: what Python's own tests say of system calls, they say in virtual time as well, with
# the library and below the filter: each test has the result that it has without. make check-any
# has more of them.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

umadrig=$top_builddir/umadrig
fabric=$top_srcdir/tests/data/two-switches.net,host=HostB,clock=virtual
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST MAKEFLAGS MFLAGS MAKELEVEL
PYTHONHASHSEED=0
export PYTHONHASHSEED
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
modules="test_posix test_poll test_epoll test_fcntl test_openpty test_popen test_thread"
fewest=200
if [ -n "${ANY_ALL:-}" ]; then
	modules="$modules test_os test_select test_selectors test_pty test_shutil test_tempfile"
	modules="$modules test_asyncore test_resource test_sched test_httpservers test_socket"
	modules="$modules test_signal test_faulthandler test_queue test_threading"
	fewest=1500
fi
# Some have modules of their own that not every release and package has.
if ! python3 -c "import test.test_posix, test.libregrtest" 2>/dev/null; then
	any_lacks "Python's own tests" "python3 has none here (Debian: libpython3-testsuite)"
	tap_done
	exit
fi
known=
for module in $modules; do
	! python3 -W ignore -c "import test.$module" 2>/dev/null || known="$known $module"
done
cat >results.py <<'END'
import sys, xml.etree.ElementTree
for case in xml.etree.ElementTree.parse(sys.argv[1]).iter("testcase"):
    kinds = [part.tag for part in case if part.tag in ("error", "failure", "skipped")]
    print(case.get("classname"), case.get("name"), *kinds)
END

# NAME COMMAND...: the results of all tests are in NAME.results, sorted.
once() {
	name=$1
	shift
	mkdir "$name"
	# What computes until a signal comes is not for virtual time, which stands still meanwhile.
	# AF_VSOCK waits for a hypervisor. One test sends a signal by /proc/PID, which below the
	# filter is the machine's.
	# shellcheck disable=SC2086 # words
	timeout -s KILL 200 "$@" sh -c 'python3 -W ignore -m test "$@"; date +"until %Y"' sh \
		-i "*tight_loops*" -i "*stress*" -i "*itimer_virtual*" -i "*itimer_prof*" \
		-i "*VSOCK*" -i "*test_pidfd_send*" --tempdir "$PWD/$name" \
		--junit-xml "$PWD/$name.xml" $known >"$name.out" 2>&1 </dev/null
	python3 results.py "$name.xml" 2>&1 | sort >"$name.results"
}

once plain
once library "$umadrig" exec --fabric "$fabric" --
if grep -q "past libc, and" library.out; then
	tap_skip_all "$(grep -m 1 "past libc, and" library.out)"
fi
once filter "$umadrig" exec --fabric "$fabric,how=filter" --
tap_ok "there is something to compare" test "$(wc -l <plain.results)" -gt "$fewest"
for name in library filter; do
	tap_has "$name: they were in virtual time" "$(cat $name.out)" "until 2023"
	if cmp -s plain.results $name.results; then
		tap_pass "$name: $(wc -l <plain.results) tests have the same results"
	else
		tap_fail "$name: tests have the same results" "$(diff plain.results $name.results)" \
			"$(tail -n 5 $name.out)"
	fi
done
tap_done
