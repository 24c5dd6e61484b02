#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# filter-reality: nothing that a program below "umadrig exec --how filter" does reaches a real
# device. A file with the text "real" replaces one, in a /dev and a /sys/class of our own in a
# namespace of our own.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/any.sh"

umadrig=$(cd "$top_builddir" && pwd)/umadrig
tools=$(cd "$top_builddir" && pwd)/tests/tools
any_needs_seccomp

. "$top_srcdir/tests/rig/own-tree.sh"
add_port mlx5_0 1 4 5 InfiniBand
rm /dev/infiniband/umad0
echo real >/dev/infiniband/umad0
mkdir -p /sys/class/infiniband_verbs/uverbs0
echo real >/sys/class/infiniband/mlx5_0/ports/1/rate
echo real >/sys/class/infiniband_verbs/uverbs0/ibdev
ln -s /dev/infiniband/umad0 "$work/link"
ln -s /dev/infiniband "$work/directory"
# A namespace in which the devices are in sight, for those that would enter it.
sleep 600 </dev/null >/dev/null 2>&1 &
outside=$!
trap 'kill "$outside"' EXIT

# The ways of tests/tools/slip.c, and what PATH they take; then what the program gets.
cat >"$work/ways" <<END
path /dev/infiniband/umad0 simulated
path /dev//./infiniband/../infiniband/umad0 simulated
write - simulated
working-directory - simulated
32-bit - ENOSYS
x32 - ENOSYS
ring - ENOSYS
netlink - EXDEV
node $work/node EPERM
handle $work/ways EPERM
unmount - EINVAL
enter-namespace /proc/$outside/ns/mnt EPERM
END
# Those for which a mount namespace must be there: no one gets the real one, whatever they get.
cat >"$work/unseen" <<END
path $work/link
path $work/directory/umad0
path /proc/self/root/dev/infiniband/umad0
directory -
chroot -
new-namespace -
END

# What a program that knows nothing of this gets.
for way in path write working-directory directory chroot; do
	echo real >/dev/infiniband/umad0
	tap_is "without umadrig: $way" "$("$tools/slip" "$way")" real
done
echo real >/dev/infiniband/umad0
tap_is "and by a link" "$("$tools/slip" path "$work/link")" real

# OPTION...: below exec.
slip() {
	"$umadrig" exec --how filter -- "$tools/slip" "$@" 2>"$work/err"
}
while read -r way path expected; do
	if [ "$way" = 32-bit ] && ! any_has_32bit_calls; then
		tap_skip "$way" "this kernel has none"
		continue
	fi
	tap_is "$way $path" "$(slip "$way" "$path")" "$expected"
	tap_is "$way $path: says nothing, or of a 32-bit program" \
		"$(grep -vc 'simulated fabric\|32-bit\|nothing opened\|  it \|  put\|elsewhere' \
			"$work/err")" 0
done <"$work/ways"
while read -r way path; do
	got=$(slip "$way" "$path")
	[ -n "$got" ] && [ "$got" != real ]
	tap_is "$way $path: not the real one ($got)" $? 0
done <"$work/unseen"

tap_is "/sys shows no real rate" \
	"$("$umadrig" exec --how filter -- grep -rs real /sys/class/infiniband/ 2>/dev/null)" ""
tap_is "and no real verbs" "$("$umadrig" exec --how filter -- \
	cat /sys/class/infiniband_verbs/uverbs0/ibdev 2>/dev/null)" "$("$umadrig" exec -- ls \
	/sys/class/infiniband 2>/dev/null)"
"$umadrig" exec --how filter -- cat 7</dev/infiniband/umad0 2>"$work/err"
tap_is "a device that is open already is not inherited" $? 125
tap_has "with the cure" "$(cat "$work/err")" "7<&-"

# Without the right to mount the filter is all that there is.
slip() {
	"$tools/deny" unshare -- "$umadrig" exec --how filter -- "$tools/slip" "$@" 2>"$work/err"
}
while read -r way path expected; do
	case $way in
	unmount|enter-namespace) continue ;;
	32-bit) any_has_32bit_calls || continue ;;
	esac
	tap_is "no mount namespace: $way $path" "$(slip "$way" "$path")" "$expected"
done <"$work/ways"
tap_is "what is not seen is said, once" "$(grep -c 'that no filter sees' "$work/err")" 1

kill "$outside"
trap - EXIT
tap_done
