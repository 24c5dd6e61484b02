# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# usual-tree.sh: a /sys/class and a /dev of made-up devices, over the real ones. Sourced, inside a
# mount namespace of one's own (unshare -m).
#
# A umad device is a FIFO: it returns what is sent.

# Into a directory that all may write, Linux lets nobody open another user's device with O_CREAT.
mount -t tmpfs none /sys/class && mount -t tmpfs -o mode=755 none /dev || exit 99
: >/dev/null
mkdir -p /dev/infiniband /sys/class/infiniband_mad
echo 5 >/sys/class/infiniband_mad/abi_version
umad_id=0
pkey_count=4

# NAME PORT STATE PHYS LINK-LAYER: a port, its CA and its umad device.
add_port() {
	ca=/sys/class/infiniband/$1
	port=$ca/ports/$2
	mkdir -p "$port/gids" "$port/pkeys" "/sys/class/infiniband_mad/umad$umad_id"
	echo "1: CA" >"$ca/node_type"
	echo "16.35.1012" >"$ca/fw_ver"
	echo "0" >"$ca/hw_rev"
	echo "MT4119" >"$ca/hca_type"
	echo "0c42:a103:00aa:bb0$umad_id" >"$ca/node_guid"
	echo "0c42:a103:00aa:bb00" >"$ca/sys_image_guid"
	echo "$3: X" >"$port/state"
	echo "$4: X" >"$port/phys_state"
	echo "0x1$umad_id" >"$port/lid"
	echo "1" >"$port/lid_mask_count"
	echo "0x7" >"$port/sm_lid"
	echo "2" >"$port/sm_sl"
	echo "0x2651e848" >"$port/cap_mask"
	echo "100 Gb/sec (4X EDR)" >"$port/rate"
	echo "$5" >"$port/link_layer"
	echo "fe80:0000:0000:0000:0c42:a103:00aa:cc0$umad_id" >"$port/gids/0"
	i=0
	while [ $i -lt "$pkey_count" ]; do
		echo 0xffff >"$port/pkeys/$i"
		i=$((i + 1))
	done
	echo "$1" >"/sys/class/infiniband_mad/umad$umad_id/ibdev"
	echo "$2" >"/sys/class/infiniband_mad/umad$umad_id/port"
	mkfifo "/dev/infiniband/umad$umad_id"
	umad_id=$((umad_id + 1))
}
