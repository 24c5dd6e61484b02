#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-hide: "umadrig exec" hides real devices from a program. Made-up devices replace them, in a
# /dev and a /sys/class of our own in a namespace of our own.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$(cd "$top_builddir" && pwd)/umadrig
probe=$(cd "$top_builddir" && pwd)/tests/tools/exec-probe

. "$top_srcdir/tests/rig/own-tree.sh"
add_port mlx5_0 1 4 5 InfiniBand
add_port mlx5_1 1 4 5 InfiniBand
mkdir -p /dev/infiniband/by-path /sys/class/infiniband_cm/mlx5_0 \
	/sys/class/infiniband_verbs/uverbs0 \
	/sys/class/net/lo
touch /dev/infiniband/issm0 /dev/infiniband/by-path/ib0
echo verbs >/dev/infiniband/uverbs0
echo 6 >/sys/class/infiniband_verbs/abi_version

inside() {
	"$umadrig" exec --how preload -- "$probe" then "$@" 2>"$work/err"
}
# What the last one wrote to standard error, except the banner.
said() {
	grep -o 'simulated fabric' "$work/err" | tr '\n' ','
	echo " and $(grep -vc 'simulated fabric' "$work/err") lines more"
}
in_line() {
	tr '\n' ' '
}

tap_is "the nodes are in sight without umadrig" "$(ls /dev/infiniband | in_line)" \
	"by-path issm0 umad0 umad1 uverbs0 "
tap_is "umad and issm are not, with it" "$(inside ls /dev/infiniband | in_line)" \
	"H1 lid 1 by-path uverbs0 "
tap_is "the others are what they were" "$(inside cat /dev/infiniband/uverbs0 | tail -n 1)" verbs
tap_is "directories too" "$(inside ls /dev/infiniband/by-path | tail -n 1)" ib0
for class in infiniband infiniband_cm; do
	tap_is "$class in /sys/class has no device" "$(inside ls "/sys/class/$class" | in_line)" \
		"H1 lid 1 "
done
for class in infiniband_mad infiniband_verbs; do
	tap_is "$class has its version alone" "$(inside ls "/sys/class/$class" | in_line)" \
		"H1 lid 1 abi_version "
done
tap_is "which is what it was" "$(inside cat /sys/class/infiniband_verbs/abi_version | tail -n 1)" 6
tap_is "other classes are as they were" "$(inside ls /sys/class/net | tail -n 1)" lo
tap_is "nothing is printed about it" "$(said)" "simulated fabric, and 0 lines more"
tap_is "outside everything is still in sight" \
	"$(ls /dev/infiniband /sys/class/infiniband_cm /sys/class/infiniband | in_line)" \
	"/dev/infiniband: by-path issm0 umad0 umad1 uverbs0  /sys/class/infiniband: mlx5_0 mlx5_1  /sys/class/infiniband_cm: mlx5_0 "

# The distribution's libibumad, wherever ld.so would find it.
found=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null |
	sed -n 's/^\tlibibumad\.so\.3 .* => //p')
usual=$(echo "$found" | head -n 1)
if [ -n "$usual" ]; then
	tap_is "without umadrig the distribution's library has the real devices" \
		"$(env -i "$probe" load "$usual" | in_line)" "mlx5_0 mlx5_1 "
	out=$("$umadrig" exec --how preload -- "$probe" load "$usual" 2>"$work/err")
	tap_is "opened by its full path it is ours: the simulated ones" "$?:$out" "0:H1"
	out=$("$umadrig" exec --how preload -- env -i "$probe" load libibumad.so.3 2>"$work/err")
	tap_is "with an empty environment: none, and that is no success" "$?:$out" "124:"
	out=$("$umadrig" exec --how preload -- env -i "$probe" load "$usual" 2>"$work/err")
	tap_is "and by its full path" "$?:$out" "124:"
	tap_has "with what is likely" "$(cat "$work/err")" "env -i"
	for path in $found "$(readlink -f "$usual")"; do
		tap_is "$path is ours inside" \
			"$(inside sh -c 'cmp "$0" "${LD_PRELOAD%%:*}" && echo same' "$path")" \
			"H1 lid 1
same"
	done
	cmp -s "$usual" "$top_builddir/.libs/libibumad.so.3"
	tap_is "outside it is the distribution's" $? 1
else
	tap_skip "the distribution's library" "it is not installed (libibumad3)"
fi

# Without the right to mount: through a user namespace.
if [ "$1" = user ] && setpriv --bounding-set -sys_admin --inh-caps -all true 2>/dev/null; then
	out=$(setpriv --bounding-set -sys_admin --inh-caps -all "$umadrig" exec --how preload -- \
		"$probe" then ls /dev/infiniband /sys/class/infiniband 2>"$work/err" | in_line)
	tap_is "for a program without rights as well" "$out" \
		"H1 lid 1 /dev/infiniband: by-path uverbs0  /sys/class/infiniband: "
	tap_is "without a word" "$(said)" "simulated fabric, and 0 lines more"
else
	tap_skip "for a program without rights as well" "no setpriv, or no user namespace"
fi

# No further namespaces. Only within a user namespace of our own: otherwise it would affect the
# whole machine.
if [ "$1" = user ] && echo 0 >/proc/sys/user/max_mnt_namespaces 2>/dev/null; then
	out=$(inside ls /dev/infiniband)
	tap_is "where it may not, it prints so, once" "$(grep -c "cannot be hidden" "$work/err")" 1
	tap_has "and goes on" "$out" "H1 lid 1"
else
	tap_skip "where it may not, it prints so" "the number of namespaces cannot be limited here"
fi

rm -r /dev/infiniband /sys/class/infiniband/* /sys/class/infiniband_mad/umad* \
	/sys/class/infiniband_cm \
	/sys/class/infiniband_verbs/uverbs0
tap_is "without devices it is not needed" "$(inside ls /sys/class/infiniband_mad | in_line)" \
	"H1 lid 1 abi_version "
tap_is "and nothing is printed" "$(said)" "simulated fabric, and 0 lines more"

tap_done
