#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# filter-sysfs: programs below a filter ("umadrig exec --how filter") see the simulated devices in
# /sys and /dev as with --sysfs, without a mount namespace.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibstatus
. "$top_srcdir/tests/rig/any.sh"

below() {
	"$umadrig" exec --how filter "$@" 2>"$work/err"
}
any_needs_seccomp
if unshare -m mount -t tmpfs none /sys/class 2>/dev/null ||
	unshare -rm mount -t tmpfs none /sys/class 2>/dev/null; then
	shown=yes
else
	shown=no
fi

# as_shown NAME COMMAND...: what --sysfs has it print is in "shown"; false: the test is skipped
as_shown() {
	if [ $shown = no ]; then
		tap_skip "$1" "no mount namespace can be made here to compare with"
		return 1
	fi
	shift
	"$umadrig" exec --how preload --sysfs -- "$@" >"$work/shown" 2>/dev/null
	echo "status $?" >>"$work/shown"
}

# as_filtered NAME COMMAND...: it prints the same, in whatever order, and ends with the same status
as_filtered() {
	name=$1
	shift
	below -- "$@" >"$work/filtered"
	echo "status $?" >>"$work/filtered"
	tap_is "$name" "$(sort "$work/filtered")" "$(sort "$work/shown")"
}

same() {
	as_shown "$@" && as_filtered "$@"
}

cat >"$work/walk.py" <<'END'
import os
import sys
for root in sys.argv[1:]:
    for path, directories, files in os.walk(root):
        print(path, sorted(directories), sorted(files))
    for entry in os.scandir(root):
        print(entry.name, entry.is_dir(follow_symlinks=False))
END
cat >"$work/walk.c" <<'END'
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static void walk(int at, const char *name, int depth)
{
	int fd = openat(at, name, O_RDONLY | O_NOFOLLOW);
	char line[128];
	ssize_t n = fd < 0 ? readlinkat(at, name, line, sizeof(line)) : read(fd, line, sizeof(line));
	DIR *dir = n < 0 && fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	struct stat st, followed = { 0 };
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		st.st_mode = 0;
	fstatat(at, name, &followed, 0);
	printf("%d %s %o %o %.*s\n", depth, name, st.st_mode & S_IFMT, followed.st_mode & S_IFMT,
	       n < 0 ? 0 : (int)n, line);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			walk(fd, entry->d_name, depth + 1);
	dir ? closedir(dir) : close(fd);
}
int main(int argc, char **argv)
{
	char path[256];
	for (int i = 1; i < argc; i++)
		walk(AT_FDCWD, argv[i], 0);
	if (chdir("/sys/class/infiniband/H1") == 0)
		walk(AT_FDCWD, "ports", 0);
	puts(getcwd(path, sizeof(path)) ? path : "no directory");
	return 0;
}
END

port=/sys/devices/pci0000:00/0000:00:1e.7
modules="/sys/module/ib_core /sys/module/ib_umad /sys/module/mlx5_core /sys/module/mlx5_ib"
classes="/sys/class/infiniband /sys/class/infiniband_mad $port $modules /sys/bus/pci/drivers/mlx5_core"
same "ibstatus" ibstatus
same "ibstatus of a port" ibstatus H1:1
# shellcheck disable=SC2016
same "a shell" sh -c 'cd /sys/class/infiniband && ls && cat */ports/1/state && pwd -P'
# shellcheck disable=SC2016
same "a shell, upwards" sh -c 'cd /sys/class/infiniband/H1 && cd .. && pwd && ls && cd ../net && ls'
# shellcheck disable=SC2086
same "find" find $classes
same "find from above" find /sys -maxdepth 3 -path '*infiniband*'
# shellcheck disable=SC2016
same "a shell that follows links" sh -c 'cd -P /sys/class/infiniband/H1/device/.. && pwd -P && ls &&
	cd /sys/bus/pci/devices/0000:1e:00.0/infiniband/H1/subsystem/H1 && pwd -P &&
	cat ../../infiniband_mad/umad0/ibdev device/vendor device/infiniband_mad/*/dev'
# Each change stops its shell for a moment, which must not be taken for the shell's end.
below --fabric "$top_srcdir/tests/data/two-switches.net" -- timeout -s KILL 20 sh -c 'for shell in 1 2 3 4 5 6; do
	(for i in $(seq 300); do cd /sys/class/infiniband/sim0 && cd / || echo "$shell $i"; done) &
done; wait; echo all' >"$work/out"
tap_is "six shells at a time: the status" $? 0
tap_is "six shells at a time" "$(cat "$work/out")" all
same "readlink" sh -c 'cd /sys/class; cat infiniband/H1/board_id
	readlink -f infiniband/H1 infiniband_mad/umad0/device/driver/module \
		infiniband/H1/device/subsystem infiniband/H1/device/.. \
		/sys/bus/pci/devices/0000:1e:00.0'
same "lists in which ours are beside others" sh -c 'cat /sys/class/infiniband/H1/board_id
	ls /sys/devices/pci0000:00 /sys/module /sys/bus/pci/devices /sys/bus/pci/drivers'
# shellcheck disable=SC2086
same "ls" ls -lR --time-style=+ $classes
same "grep" grep -r . $port /sys/module/ib_umad /sys/class/infiniband
same "a class that would show real devices" \
	sh -c 'ls /sys/class/infiniband; ls /sys/class/infiniband_verbs'
same "other classes" ls /sys/class /sys/class/net/ /sys/class/infiniband
if python=$(command -v python3); then
	# shellcheck disable=SC2086
	same "Python" "$python" "$work/walk.py" $classes
else
	tap_skip "Python" "no python3 here"
fi
# shellcheck disable=SC2086
if any_links "${CC:-cc}" -static; then
	for link in "" -static; do
		tap_ok "walk$link is built" ${CC:-cc} $link -o "$work/walk$link" "$work/walk.c"
	done
	as_shown "a static program" "$work/walk" $classes &&
		as_filtered "a static program" "$work/walk-static" $classes
else
	tap_skip "a static program" "the compiler links none here (libc6-dev)"
fi

# What --sysfs does not show.
# shellcheck disable=SC2016
out=$(below -- sh -c 'cd /dev/infiniband && for node in *; do stat -c "%n %F %t:%T %a" $node; done')
tap_is "/dev/infiniband" "$out" "issm0 character special file e7:40 600
rdma_cm character special file a:3a 666
umad0 character special file e7:0 600
uverbs0 character special file e7:c0 600"
tap_is "files of the type of devices" "$(below -- find /dev/infiniband -type c | sort)" \
	"/dev/infiniband/issm0
/dev/infiniband/rdma_cm
/dev/infiniband/umad0
/dev/infiniband/uverbs0"
out=$(below -- sh -c 'ls /dev/infiniband; ls /dev/infiniband/uverbs1 /dev/infiniband/rdma_cm0')
tap_is "nothing else is there" "$?:$out" "2:issm0
rdma_cm
umad0
uverbs0"
below -- sh -c 'echo x >/sys/class/infiniband/H1/node_desc' >"$work/out"
tap_is "nothing can be written" "$?:$(grep -c 'Permission denied' "$work/err")" "2:1"

# shellcheck disable=SC2016
out=$(below --host H2 -- sh -c 'ls /sys/class/infiniband; UMADRIG_HOST=H1 ls /sys/class/infiniband
	cat /sys/class/infiniband_mad/umad0/ibdev; UMADRIG_HOST=H3 ls /sys/class/infiniband')
tap_is "each process has its host" "$out" "H2
H1
H2"
tap_has "a host that is not there is named" "$(cat "$work/err")" "there is no host 'H3'"

cat >"$work/follow" <<'END'
cd /sys/class/infiniband/H1/ports/1
cat state phys_state
"$1" ctl --socket "$2" link down 'H1[1]'
cat state phys_state
"$1" ctl --socket "$2" device remove H1 >/dev/null
ls /dev/infiniband /sys/class/infiniband
[ -e /dev/infiniband/umad0 ] && echo "still there"
"$1" ctl --socket "$2" node on H1 >/dev/null
ls /dev/infiniband
END
mkfifo "$work/ready"
"$umadrig" serve --socket "$work/socket" >"$work/ready" 2>/dev/null &
server=$!
read -r line <"$work/ready"
out=$("$umadrig" exec --attach "$work/socket" --how filter -- \
	sh "$work/follow" "$umadrig" "$work/socket" 2>"$work/err")
tap_is "values follow the fabric" "$out" "4: ACTIVE
5: LinkUp
1: DOWN
2: Polling
/dev/infiniband:
rdma_cm

/sys/class/infiniband:
issm0
rdma_cm
umad0
uverbs0"
kill "$server"
wait "$server"

# A stand-in for real devices, where they cannot be hidden: neither a path nor a walk leads to them.
cat >"$work/real" <<'END'
mount -t tmpfs none /sys && cd /sys || exit 1
mkdir -p bus class/infiniband class/net devices/pci0/net/ib0 devices/pci0/infiniband/mlx5_0
echo REAL >devices/pci0/infiniband/mlx5_0/hca_type
mkdir devices/pci0/infiniband_mad class/infiniband_mad
echo REAL >devices/pci0/infiniband_mad/abi_version
echo REAL >class/infiniband_mad/abi_version
echo other >devices/pci0/vendor
ln -s ../../devices/pci0/infiniband/mlx5_0 class/infiniband/mlx5_0
ln -s ../../devices/pci0/net/ib0 class/net/ib0
ln -s ../../../pci0 devices/pci0/net/ib0/device
ln -s ../devices/pci0 bus/pci0
cd / && echo 0 >/proc/sys/user/max_mnt_namespaces
exec "$@"
END
cat >"$work/reach" <<'END'
cat /sys/class/infiniband/mlx5_0/hca_type /sys/class/net/ib0/device/infiniband/mlx5_0/hca_type
cat /sys/class/net/../infiniband_mad/abi_version /proc/self/root/sys/class/net/ib0/device/vendor
cd /sys/devices/pci0 && cat infiniband/mlx5_0/hca_type ./net/ib0/device/infiniband_mad/abi_version
cd /sys/bus/pci0 && cat infiniband/mlx5_0/hca_type vendor
grep -rh . /sys/devices /sys/bus
find -L /sys -maxdepth 9 -name hca_type -o -maxdepth 9 -name abi_version | grep -v verbs | sort
END
if unshare -rm true 2>/dev/null; then
	out=$(unshare -rm sh "$work/real" "$umadrig" exec --how filter -- \
		sh "$work/reach" 2>"$work/err")
	tap_is "real devices are out of reach" "$out" "5
other
other
other
/sys/class/infiniband/H1/device/infiniband_mad/issm0/subsystem/abi_version
/sys/class/infiniband/H1/device/infiniband_mad/umad0/subsystem/abi_version
/sys/class/infiniband/H1/hca_type
/sys/class/infiniband_mad/abi_version
/sys/class/infiniband_mad/issm0/device/infiniband/H1/hca_type
/sys/class/infiniband_mad/umad0/device/infiniband/H1/hca_type"
else
	tap_skip "real devices are out of reach" "no user namespace can be made here"
fi

tap_done
