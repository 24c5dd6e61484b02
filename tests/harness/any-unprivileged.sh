#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-unprivileged: programs that load no library of ours run without any right: as a user without
# capabilities, below what docker refuses, with Yama's restriction of ptrace.
set -u
# Other users run what is built here.
umask 022
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

denials=$top_builddir/tests/tools/docker-denials
programs=$top_srcdir/tests/any
fabric=$top_srcdir/tests/data/two-switches.net,host=HostB
any_needs_filter
[ -x "$denials" ] || { echo "Bail out! $denials is not built"; exit 99; }
any_expected
any_builds_static static "$programs/neighbour.c"
chmod 755 . && chmod 1777 tmp

# What docker leaves to root.
docker_capabilities=-all,+chown,+dac_override,+fsetid,+fowner,+mknod,+net_raw,+setgid,+setuid
docker_capabilities=$docker_capabilities,+setfcap,+setpcap,+net_bind_service,+sys_chroot,+kill
docker_capabilities=$docker_capabilities,+audit_write

# WRAPPER...: who runs umadrig, for the calls below.
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set=-all --inh-caps=-all \
		"$@"
}
as_root_of_docker() {
	setpriv --bounding-set="$docker_capabilities" --inh-caps=-all "$denials" "$@"
}
as_nobody_in_docker() {
	as_nobody "$denials" "$@"
}
in_docker() {
	"$denials" "$@"
}
as_myself() {
	"$@"
}

# NAME AS: the kinds of programs. The Python of this user's may not be the other user's.
run_as() {
	python=
	for one in "${PYTHON:-python3}" /usr/bin/python3; do
		[ -n "$python" ] || ! "$2" "$one" -c 0 2>/dev/null || python=$one
	done
	for how in filter both; do
		for row in static:everything:./static \
			"Python:everything:$python $programs/neighbour.py" \
			"a shell:files:sh $programs/neighbour-shell"; do
			command=${row##*:} expected=${row#*:}
			if [ "${row%%:*}:$python" = Python: ]; then
				any_lacks "$1: Python, --how $how" "no Python there"
				continue
			fi
			# shellcheck disable=SC2086 # a command and its arguments
			"$2" timeout -s KILL 120 "$umadrig" exec --how $how --fabric "$fabric" \
				-- $command >out 2>err
			any_is "$1: ${row%%:*}, --how $how" $? "${expected%%:*}"
		done
	done
}

tap_is "docker-denials refuses what it should" \
	"$("$denials" unshare -r true 2>&1 | grep -c "not permitted")" 1
run_as "what docker refuses" in_docker
if [ "$(id -u)" != 0 ]; then
	run_as "without any right" as_myself
	tap_skip "as root with docker's capabilities" "not root"
elif ! command -v setpriv >/dev/null 2>&1; then
	any_lacks "as another user" "no setpriv here (util-linux)"
elif ! as_nobody test -r "$top_builddir/.libs/umadrig" -a -r "$programs/neighbour.py"; then
	any_lacks "as another user" "nobody else may enter $top_builddir"
else
	run_as "nobody" as_nobody
	run_as "nobody in docker" as_nobody_in_docker
	run_as "root of docker" as_root_of_docker
fi

# Copies of a descriptor: made where the filter sees them, so that their writes have errors.
cat >copies.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	char bytes[20] = { 0 };
	int fd = open("/dev/infiniband/umad0", O_RDWR);
	int copies[] = { dup(fd), fcntl(fd, F_DUPFD, 3), fcntl(fd, F_DUPFD_CLOEXEC, 3) };

	for (int i = 0; i < 3; i++) {
		long n = write(copies[i], bytes, sizeof(bytes));

		printf("%ld, errno %d, flags %d\n", n, errno, fcntl(copies[i], F_GETFD));
	}
	return 0;
}
END
gcc -static -o copies copies.c || exit 99
for as in as_myself in_docker; do
	"$as" timeout -s KILL 120 "$umadrig" exec --how filter -- ./copies >out 2>err
	tap_is "dup and F_DUPFD, $as" "$?:$(cat out)" "0:-1, errno 22, flags 0
-1, errno 22, flags 0
-1, errno 22, flags 1"
	tap_lacks "without a warning" "$(cat err)" "does not learn of errors"
done

scope=$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null)
case $scope in
1) tap_pass "all that with Yama's ptrace_scope 1" ;;
*) tap_skip "all that with Yama's ptrace_scope 1" "it is ${scope:-not in this kernel}" ;;
esac
tap_done
