#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# check-surroundings: what make check-surroundings has tests run in, and that it is red where one
# fails, is cut short, or nothing has run.
set -u
. "$top_srcdir/tests/rig/tap.sh"
command -v bash >/dev/null || tap_skip_all "bash is not installed"
command -v taskset >/dev/null || tap_skip_all "taskset is not installed (util-linux)"
. "$top_srcdir/tests/rig/own-directory.sh"

# The user is to read it, where the build is in a directory that only root may enter, too.
umask 022
mkdir -p src/tests/distros src/tests/rig build/tests/rig build/tests/tools
cp "$top_srcdir/tests/distros/check-surroundings" src/tests/distros/
cp "$top_srcdir/tests/rig/tap-run" src/tests/rig/
cp "$top_builddir/tests/rig/test-run" build/tests/rig/
cp "$top_builddir/tests/tools/docker-denials" build/tests/tools/
chmod 755 .

# SURROUNDINGS TEST...: its status, and what is said.
surroundings() {
	names=$1
	shift
	top_srcdir=$work/src top_builddir=$work/build SURROUNDINGS=$names \
		src/tests/distros/check-surroundings "$@" >said 2>&1
	echo "$?:$(tail -n 1 said)"
}
# NAME: the log of the test in these.
log() {
	cat "build/surroundings/$1-tests-says.sh.log"
}

cat >src/tests/says.sh <<'END'
printf . >&2
echo "# nice $(nice)"
echo "# day $(date -d @0 +%H:%M) ${LANG:-} ${LC_ALL:-none}"
echo "# umask $(umask)"
(: >"$HOME/file") 2>/dev/null && echo "# home can be written"
echo "# processors $(nproc)"
echo "# inotify $(cat /proc/sys/user/max_inotify_instances /proc/sys/user/max_inotify_watches | tr '\n' ' ')"
echo "# unshare $(unshare --user true 2>&1)"
echo "# user $(id -u)"
echo "ok 1 - this # SKIP that"
echo "1..1"
END
usual=$(nice)
tap_is "a test that passes" "$(surroundings 'nice zone umask home processor' tests/says.sh)" \
	"0:5 passed, 0 failed, 0 skipped"
tap_is "its points are counted" "$(head -n 1 said)" "ok - nice: tests/says.sh: 1 points, 1 skipped"
tap_has "what goes to standard error is in the log" "$(log nice)" "# standard error:
."
tap_has "nice" "$(log nice)" "# nice $((usual + 10 > 19 ? 19 : usual + 10))"
tap_has "zone" "$(log zone)" "# day 12:45 C none"
tap_has "umask" "$(log umask)" "# umask 0077"
tap_lacks "home" "$(log home)" "can be written"
tap_has "processor" "$(log processor)" "# processors 1"
tap_is "what stays as it is" "$(log umask | sed -n 's/^# nice //p')" "$usual"
# NAME PART: where they can be made.
may() {
	case $(surroundings "$1" tests/says.sh) in
	"1:0 passed, 0 failed, 1 skipped") tap_skip "$1" "$(cat said)" ;;
	*) tap_has "$1" "$(log "$1")" "$2" ;;
	esac
}
may inotify "# inotify 8 64"
may container "# unshare unshare: unshare failed: Operation not permitted"
may user "# user 65534"

printf 'echo "ok 1 - this"\necho "not ok 2 - that"\necho "1..2"\n' >src/tests/fails.sh
printf 'echo "ok 1 - this"\necho "1..2"\n' >src/tests/cut.sh
printf 'echo "ok 1 - this"\necho "1..1"\nexit 3\n' >src/tests/status.sh
printf 'echo "1..0 # SKIP no such program"\n' >src/tests/skips.sh
tap_is "some that fail, and one that is skipped" \
	"$(JOBS=1 surroundings umask tests/fails.sh tests/cut.sh tests/status.sh tests/skips.sh tests/says.sh)" \
	"1:1 passed, 3 failed, 1 skipped"
tap_is "why" "$(sed -n "s,($work/[^)]*),,p; /skipped - /p" said)" \
	"not ok - umask: tests/fails.sh: 1 points are not ok 
not ok - umask: tests/cut.sh: 1 points, not the 2 of its plan 
not ok - umask: tests/status.sh: its points are ok; its status is 3 
skipped - umask: tests/skips.sh: no such program"
tap_is "nothing has run" "$(surroundings umask tests/skips.sh)" "1:0 passed, 0 failed, 1 skipped"
surroundings cold tests/says.sh >/dev/null
tap_has "surroundings that are none" "$(cat said)" "there are no surroundings 'cold'"
tap_done
