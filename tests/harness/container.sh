#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# container: programs in a container that has the socket of a fabric server and nothing else of it.
# There is no engine here: the container is a root of its own with namespaces, Docker's capabilities
# and what its seccomp profile denies (tests/tools/docker-denials). The manifests of doc/ci name
# options that there are.
set -u
# Other users read what is in the container.
umask 022
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/real-root.sh"

# ---- the manifests ----

if "${PYTHON:-python3}" -c 'import yaml' 2>/dev/null; then
	"${PYTHON:-python3}" - "$top_srcdir/doc/ci" >commands 2>err <<'END'
import glob
import shlex
import sys

import yaml


def commands(value):
    """All lists of words at "command", "test" and the like that begin with umadrig."""
    if isinstance(value, dict):
        for part in value.values():
            yield from commands(part)
    elif isinstance(value, list):
        words = [word for word in value if word != "CMD"]
        if words and words[0] == "umadrig":
            yield [str(word) for word in words]
        for part in value:
            yield from commands(part)


for path in sorted(glob.glob(sys.argv[1] + "/*.yaml")):
    with open(path, encoding="utf-8") as file:
        for document in yaml.safe_load_all(file):
            for words in commands(document):
                print(shlex.join(words))
END
	tap_is "the manifests are YAML" "$?:$(cat err)" "0:"
	tap_is "each has a server and programs" "$(grep -c 'serve' commands):$(grep -c 'exec' commands)" 3:2
	wrong=
	while read -r line; do
		eval "set -- $line"
		shift
		verb=$1
		shift
		help=$("$umadrig" "$verb" --help 2>&1)
		for word; do
			[ "$word" = -- ] && break
			case $word in --*)
				case $help in *"$word"[=\ ,]*) ;; *) wrong="$wrong $verb:$word" ;; esac
			esac
		done
	done <commands
	tap_is "their options are ours" "$wrong" ""
else
	tap_skip "the manifests are YAML" "Python has no yaml here (Debian: python3-yaml)"
fi

# ---- a container ----

if ! is_real_root || ! unshare --mount --pid --fork --ipc --uts --net true 2>/dev/null; then
	tap_skip "a container" "only root can make namespaces here"
	tap_done
	exit
fi
case $(nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null) in
*__asan_*) tap_skip "a container" "with sanitizers a program needs their library in the image"
	tap_done
	exit ;;
esac

# In the image are the programs of this machine and umadrig; nothing of /tmp, /run or the server.
mkdir -p root out host-tmp
cat >enter <<'END'
# enter COMMAND...: in a container. $user: its user; $denials: what is in front of the command.
mount -t tmpfs none "$work/root" || exit 99
cd "$work/root" && mkdir -p proc sys dev tmp run/umadrig root "$(dirname "./$top_builddir")" || exit 99
for directory in usr bin sbin lib lib32 lib64 libx32 etc; do
	if [ -L "/$directory" ]; then
		cp -P "/$directory" .
	elif [ -d "/$directory" ]; then
		mkdir "$directory" && mount --bind "/$directory" "$directory" || exit 99
	fi
done
chmod 1777 tmp
mkdir -p "./$top_builddir" && mount --bind "$top_builddir" "./$top_builddir" || exit 99
mount --bind "$work/out" "$work/root/run/umadrig" && mount -t proc proc proc &&
	mount -t sysfs -o ro sysfs sys || exit 99
for device in null zero urandom; do
	: >"dev/$device" && mount --bind "/dev/$device" "dev/$device" || exit 99
done
caps=chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw
exec chroot . setpriv --reuid "$user" --regid "$user" --clear-groups --inh-caps=-all \
	"--bounding-set=-all,+$caps,+sys_chroot,+mknod,+audit_write,+setfcap" \
	env -i PATH="$PATH" HOME=/ LC_ALL=C OSM_TMP_DIR=/tmp OSM_CACHE_DIR=/tmp \
	"$top_builddir/tests/tools/docker-denials" "$@"
END
export work top_builddir top_srcdir
# USER COMMAND...: becomes a container, which ends with SIGKILL.
cat >become <<'END'
user=$1
shift
export user
exec unshare --mount --pid --fork --kill-child --ipc --uts --net sh "$work/enter" "$@"
END
contained() {
	sh "$work/become" "$@"
}
PATH=$PATH:/usr/sbin:/sbin
for program in ibnetdiscover ibstat opensm; do
	command -v "$program" >/dev/null || {
		tap_skip "a container" "no $program here (Debian: infiniband-diags, opensm)"
		tap_done
		exit
	}
done

# The server is outside; of its files only the socket's directory is inside.
mkfifo ready
TMPDIR=$work/host-tmp "$umadrig" serve --fabric generate:fat-tree:20,8,state=cold \
	--socket "$work/out/fabric" --allow-user 4711 >ready 2>serve.err &
server=$!
trap 'kill -KILL "$server" 2>/dev/null; rm -rf --one-file-system "$work"' EXIT
read -r line <ready
chmod 755 . out

tap_is "what the wrapper denies is denied" \
	"$(contained 0 unshare --mount true 2>&1 | grep -c 'not permitted')" 1
tap_is "of the server's files there is only the socket" \
	"$(contained 0 sh -c 'ls -d /tmp/umadrig-*; ls /run/umadrig' 2>/dev/null)" fabric
on_fabric="$umadrig exec --attach /run/umadrig/fabric"

# An SM: the path of issm0 is not there, and works.
# shellcheck disable=SC2086 # $on_fabric is words
sh become 0 $on_fabric -- sh -c 'opensm -f /tmp/log >/dev/null 2>&1 & wait' >/dev/null 2>sm.err &
sm=$!
is_sm() {
	"$umadrig" exec --attach out/fabric -- ibstat 2>/dev/null |
		grep -q 'Capability mask: 0x.......[2367abef]'
}
tries=0
until is_sm || [ "$tries" -gt 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
tap_ok "opensm in a container: IsSM is set" is_sm
tries=0
until "$umadrig" exec --attach out/fabric -- ibstat 2>/dev/null | grep -q 'State: Active' ||
	[ "$tries" -gt 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
fabric_lines() {
	grep -v '^#'
}
outside=$("$umadrig" exec --attach out/fabric -- ibnetdiscover 2>/dev/null | fabric_lines)
for user in 0 4711; do
	# shellcheck disable=SC2086
	tap_is "ibnetdiscover in a container sees the fabric, as user $user" \
		"$(contained $user $on_fabric -- ibnetdiscover 2>err | fabric_lines)" "$outside"
	tap_lacks "and nothing is amiss" "$(cat err)" "umadrig exec:"
done
# shellcheck disable=SC2086
contained 4712 $on_fabric -- ibnetdiscover >/dev/null 2>err
tap_is "a user who is not admitted: refused" "$?" 125
kill -KILL "$sm"
wait "$sm" 2>/dev/null
tries=0
while is_sm && [ "$tries" -lt 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
tap_is "the container ends: IsSM is cleared" "$(is_sm; echo $?)" 1

# ---- programs that load no library of ours ----

looks='cat /sys/class/infiniband/*/node_type; ls /dev/infiniband'
for user in 0 4711; do
	# shellcheck disable=SC2086
	tap_is "a shell looks at /sys and /dev, as user $user" \
		"$(contained $user $on_fabric --how filter -- sh -c "$looks" 2>err)" \
		"1: CA
issm0
rdma_cm
umad0
uverbs0"
done
# shellcheck disable=SC2086
contained 0 $on_fabric --how filter -- ibnetdiscover >found 2>err
tap_is "ibnetdiscover without our library" "$(fabric_lines <found)" "$outside"
# shellcheck disable=SC2086
out=$(contained 0 $on_fabric --how filter -- sh -c 'cat /sys/class/infiniband/*/ports/1/state
	device=$(ls /sys/class/infiniband)
	'"$umadrig"' ctl --socket /run/umadrig/fabric Unlink "$device[1]" >/dev/null
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		read -r state <"/sys/class/infiniband/$device/ports/1/state"
		[ "$state" = "1: DOWN" ] && break
		sleep 0.1
	done
	echo "$state"' 2>err)
tap_is "what is in /sys follows the fabric" "$out" "4: ACTIVE
1: DOWN"

# ---- a sidecar: the server has a PID namespace of its own, beside that of the programs ----

kill "$server"
wait "$server"
rm -f out/fabric
TMPDIR=$work/host-tmp unshare --pid --fork --kill-child "$umadrig" serve --socket "$work/out/fabric" \
	>ready 2>serve.err &
server=$!
read -r line <ready
# shellcheck disable=SC2086
tap_ok "a program that has no number there is served" contained 0 $on_fabric -- ibstat
mkfifo hold go
# shellcheck disable=SC2086
sh become 0 $on_fabric -- sh -c 'ibstat >/dev/null; ibping -S & echo up; cat' <hold >go 2>err &
holder=$!
exec 3>hold
read -r line <go
list=$("$umadrig" ctl --socket out/fabric clients)
tap_has "it is listed" "$list" "pid 0"
count=$(echo "$list" | wc -l)
number=$(echo "$list" | sed -n 's/^Client \([0-9]*\):.*/\1/p' | tail -n 1)
tap_ok "it can be disconnected" "$umadrig" ctl --socket out/fabric kill "$number"
sleep 0.1
tap_ok "and others stay" test "$("$umadrig" ctl --socket out/fabric clients | wc -l)" -ge 1
tap_ok "and was there" test "$count" -ge 1
exec 3>&-
kill -KILL "$holder" 2>/dev/null
wait "$holder" 2>/dev/null
tap_done
