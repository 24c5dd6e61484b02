#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-raw: read(2), write(2) and ioctl(2) on handles are the kernel's; and what umadrig exec
# preloads for that does no harm to others.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
calls=$top_builddir/tests/tools/raw-calls
library=$top_builddir/.libs/libumadraw.so
work=$(mktemp -d) || exit 99
server=
# shellcheck disable=SC2154 # set by the trap
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a sanitizer reports the bad addresses that are passed on purpose"
fi
[ -x "$calls" ] || { echo "Bail out! $calls is not built"; exit 99; }

# NAME COMMAND...: the calls, one test each
table() {
	name=$1
	shift
	timeout -s KILL 300 "$@" "$calls" >"$work/out" 2>"$work/err"
	status=$?
	while read -r line; do
		case $line in
		"ok "*) tap_pass "$name: ${line#* - }" ;;
		"not ok "*) tap_fail "$name: ${line#* - }" ;;
		*) printf '# %s\n' "$line" ;;
		esac
	done <"$work/out"
	tap_is "$name: all of them" "$status:$(grep -c "^1\.\." "$work/out")" "0:1"
}

RAW_CALLS_REMOVE="$umadrig ctl device remove H1" table "a server" "$umadrig" exec --

# A bridge has no rings, and sockets of its own.
mkfifo "$work/ready"
"$umadrig" serve --socket "$work/socket" >"$work/ready" 2>"$work/serve" &
server=$!
read -r line <"$work/ready"
tap_is "serve is ready" "$line" "UMAD_BACKEND=attach:$work/socket"
table "a bridge" "$umadrig" exec \
	--attach-command "exec $umadrig bridge --socket $work/socket" --
kill "$server"
wait "$server"
server=

table "virtual time" "$umadrig" exec --fabric ,clock=virtual --
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$top_builddir/.libs UMAD_BACKEND=sim: table "in the process" \
	env LD_PRELOAD="$top_builddir/.libs/libumadrig.so.0:$library"
unset LD_LIBRARY_PATH

# What it defines besides libc's functions is libibumad's door.
tap_is "libumadraw defines" "$(nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort | xargs)" \
	"__open64_2 __open_2 __poll_chk __ppoll_chk __read_chk __recv_chk __recvfrom_chk accept accept4 access bind chdir close connect dup dup2 dup3 epoll_pwait epoll_pwait2 epoll_wait faccessat fcntl fcntl64 fopen fopen64 fstat fstat64 fstatat fstatat64 getcwd getpeername getsockname getsockopt getxattr glob glob64 ioctl klogctl lgetxattr listen lseek lseek64 lstat lstat64 open open64 openat openat64 opendir poll ppoll pselect read readlink readlinkat readv realpath recv recvfrom recvmmsg recvmsg scandir scandir64 select send sendfile sendfile64 sendmmsg sendmsg sendto setsockopt shutdown socket splice stat stat64 statx umadrig_raw_host_changed umadrig_raw_join umadrig_raw_opened write writev"
tap_is "needs libc only" \
	"$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')" libc.so.6

# Other programs are as they were: stdio, pipes, many descriptors, a shell that moves them.
out=$("$umadrig" exec -- sh -c 'exec 3>&1 4</dev/null; seq 1000 | tail -n 1 >&3; cat <&4; '"$top_builddir"'/tests/tools/exec-probe open' 2>"$work/err")
tap_is "a shell and its pipes" "$?:$out" "0:1000
H1 lid 1"

# ---- what is written past all libraries ----
cat >"$work/own.c" <<'END'
#include <infiniband/umad.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	struct pollfd end = { .events = 0 };

	for (int i = 0; i < 20; i++) {
		end.fd = umad_open_port(NULL, 1);
		if (syscall(SYS_write, end.fd, "x", 1) != 1)
			return 1;
	}
	/* Until it is closed. */
	return poll(&end, 1, -1) != 1;
}
END
if ${CC:-cc} -D_GNU_SOURCE -I"$top_srcdir/lib/include" -o "$work/own" "$work/own.c" \
	-L"$top_builddir/.libs" -libumad 2>"$work/err"; then
	"$umadrig" exec --how preload -- "$work/own" 2>"$work/err"
	tap_is "handles that are written to past the libraries" "$?" 0
	tap_is "that is said once" "$(grep -c "has written to a umad handle by itself" "$work/err")" 1
	tap_has "and at the end how often" "$(cat "$work/err")" \
		"20 umad handles were closed because a program had written"
else
	tap_skip "handles that are written to past the libraries" "$(head -n 1 "$work/err")"
fi
tap_done
